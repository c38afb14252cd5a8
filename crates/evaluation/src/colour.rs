//! Perceptual colour comparison: families by hue, chroma and lightness in OKLCh, and distances in
//! OKLab (Ottosson 2020, "A perceptual color space for image processing").

/// A colour in OKLab: lightness 0 to 1, and two opponent axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Oklab {
    pub(crate) lightness: f64,
    a: f64,
    b: f64,
}

impl Oklab {
    /// Converts linear sRGB.
    pub(crate) fn of_linear([red, green, blue]: [f64; 3]) -> Self {
        let long =
            (0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue).cbrt();
        let medium =
            (0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue).cbrt();
        let short =
            (0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue).cbrt();
        Self {
            lightness: 0.210_454_255_3 * long + 0.793_617_785 * medium - 0.004_072_046_8 * short,
            a: 1.977_998_495_1 * long - 2.428_592_205 * medium + 0.450_593_709_9 * short,
            b: 0.025_904_037_1 * long + 0.782_771_766_2 * medium - 0.808_675_766 * short,
        }
    }

    /// Parses `#rrggbb` or `#rgb`.
    fn of_hex(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|digits| digits.is_ascii())?;
        let byte = |text: &str| u8::from_str_radix(text, 16).ok();
        let bytes = match digits.len() {
            3 => [0, 1, 2].map(|at| byte(&digits[at..=at]).map(|nibble| 17 * nibble)),
            6 => [0, 2, 4].map(|at| byte(&digits[at..at + 2])),
            _ => return None,
        };
        let [red, green, blue] = bytes.map(|byte| byte.map(|byte| linear(f64::from(byte) / 255.0)));
        Some(Self::of_linear([red?, green?, blue?]))
    }

    fn chroma(self) -> f64 {
        self.a.hypot(self.b)
    }

    /// The hue in degrees, 0 to 360.
    fn hue(self) -> f64 {
        self.b.atan2(self.a).to_degrees().rem_euclid(360.0)
    }

    /// The distance of two colours; about 0.02 is just noticeable.
    pub(crate) fn distance(self, other: Self) -> f64 {
        let (a, b) = (self.a - other.a, self.b - other.b);
        (self.lightness - other.lightness).hypot(a.hypot(b))
    }
}

/// Converts display sRGB to linear. IEC 61966-2-1.
fn linear(display: f64) -> f64 {
    if display <= 0.040_45 { display / 12.92 } else { ((display + 0.055) / 1.055).powf(2.4) }
}

/// A colour in an expectation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ColourTerm {
    Family(&'static Family, Tone),
    Near(Oklab),
}

/// The required lightness within a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Any,
    Light,
    Dark,
    Pastel,
}

/// A range of colours with one common name. Families overlap where usage differs.
#[derive(Debug, PartialEq)]
pub(crate) struct Family {
    name: &'static str,
    /// From and to, in degrees; a larger start means a range through 0.
    hue: (f64, f64),
    chroma: (f64, f64),
    lightness: (f64, f64),
}

const ANY_HUE: (f64, f64) = (0.0, 360.0);

const fn family(
    name: &'static str,
    hue: (f64, f64),
    chroma: (f64, f64),
    lightness: (f64, f64),
) -> Family {
    Family { name, hue, chroma, lightness }
}

/// The ranges contain the CSS colours of the name and the usual colours of scenes.
const FAMILIES: &[Family] = &[
    family("white", ANY_HUE, (0.0, 0.045), (0.86, 2.0)),
    family("grey", ANY_HUE, (0.0, 0.045), (0.27, 0.93)),
    family("black", ANY_HUE, (0.0, 0.06), (-1.0, 0.37)),
    family("red", (6.0, 40.0), (0.09, 1.0), (0.25, 0.73)),
    family("orange", (36.0, 82.0), (0.085, 1.0), (0.56, 0.9)),
    family("brown", (18.0, 98.0), (0.025, 0.16), (0.17, 0.64)),
    family("yellow", (80.0, 126.0), (0.08, 1.0), (0.68, 2.0)),
    family("green", (108.0, 174.0), (0.05, 1.0), (0.2, 2.0)),
    family("cyan", (164.0, 226.0), (0.045, 1.0), (0.35, 2.0)),
    family("blue", (212.0, 290.0), (0.045, 1.0), (0.15, 2.0)),
    family("purple", (283.0, 345.0), (0.045, 1.0), (0.15, 2.0)),
    family("pink", (320.0, 22.0), (0.035, 0.3), (0.6, 2.0)),
    family("gold", (62.0, 106.0), (0.06, 1.0), (0.5, 2.0)),
    family("silver", ANY_HUE, (0.0, 0.04), (0.6, 2.0)),
    family("copper", (25.0, 70.0), (0.04, 0.2), (0.4, 0.92)),
    family("beige", (45.0, 118.0), (0.012, 0.11), (0.72, 2.0)),
    family("warm", (20.0, 115.0), (0.012, 1.0), (-1.0, 3.0)),
    family("cool", (170.0, 320.0), (0.01, 1.0), (-1.0, 3.0)),
];

/// Synonyms of families.
const SYNONYMS: &[(&str, &str)] = &[
    ("gray", "grey"),
    ("turquoise", "cyan"),
    ("teal", "cyan"),
    ("violet", "purple"),
    ("magenta", "purple"),
    ("cream", "beige"),
    ("tan", "beige"),
];

/// The hue, in degrees, below which a colour above this lightness is yellow, not green.
const LEMON_HUE: f64 = 112.0;
const LEMON_LIGHTNESS: f64 = 0.9;

/// The largest distance from a colour code that still matches.
const NEAR: f64 = 0.06;

impl ColourTerm {
    /// Parses a family, with an optional prefix `light-`, `dark-` or `pastel-`, or a code such as
    /// `#ff8800`.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        if let Some(colour) = Oklab::of_hex(word) {
            return Some(Self::Near(colour));
        }
        let (tone, name) = match word.split_once('-') {
            Some(("light", name)) => (Tone::Light, name),
            Some(("dark", name)) => (Tone::Dark, name),
            Some(("pastel", name)) => (Tone::Pastel, name),
            _ => (Tone::Any, word),
        };
        let name = SYNONYMS.iter().find(|(word, _)| *word == name).map_or(name, |(_, name)| name);
        let family = FAMILIES.iter().find(|family| family.name == name)?;
        Some(Self::Family(family, tone))
    }

    /// All names of families.
    pub(crate) fn words() -> impl Iterator<Item = &'static str> {
        FAMILIES.iter().map(|family| family.name)
    }

    /// Whether a colour in linear sRGB matches.
    pub(crate) fn fits(self, colour: [f64; 3]) -> bool {
        let colour = Oklab::of_linear(colour);
        match self {
            Self::Near(wanted) => wanted.distance(colour) <= NEAR,
            Self::Family(family, tone) => family.holds(colour, tone),
        }
    }
}

impl Family {
    fn holds(&self, colour: Oklab, tone: Tone) -> bool {
        let within = |(least, most): (f64, f64), value: f64| (least..=most).contains(&value);
        let (hue, chroma) = (colour.hue(), colour.chroma());
        let (from, to) = self.hue;
        // A light lemon yellow has a greenish hue, but is called yellow.
        if self.name == "green" && hue < LEMON_HUE && colour.lightness > LEMON_LIGHTNESS {
            return false;
        }
        let has_hue = if from <= to { within((from, to), hue) } else { hue >= from || hue <= to };
        // The hue of a greyish colour is unreliable, so hues need a minimum chroma.
        let is_hueless = self.hue == ANY_HUE;
        let (least_chroma, most_chroma) = self.chroma;
        match tone {
            Tone::Any => {
                within(self.chroma, chroma) && within(self.lightness, colour.lightness) && has_hue
            }
            Tone::Light if is_hueless => within(self.chroma, chroma) && colour.lightness >= 0.6,
            Tone::Dark if is_hueless => within(self.chroma, chroma) && colour.lightness <= 0.58,
            Tone::Light => has_hue && chroma >= 0.4 * least_chroma && colour.lightness >= 0.68,
            Tone::Dark => {
                has_hue
                    && within((0.4 * least_chroma, most_chroma), chroma)
                    && colour.lightness <= 0.58
            }
            Tone::Pastel => has_hue && within((0.015, 0.14), chroma) && colour.lightness >= 0.75,
        }
    }
}

/// The possible names of a colour.
pub(crate) fn names_of(colour: [f64; 3]) -> Vec<&'static str> {
    let colour = Oklab::of_linear(colour);
    let family = |family: &&Family| family.holds(colour, Tone::Any);
    let mut names: Vec<&'static str> =
        FAMILIES.iter().filter(family).map(|family| family.name).collect();
    let synonyms = SYNONYMS.iter().filter(|(_, name)| names.contains(name)).map(|(word, _)| *word);
    let synonyms: Vec<&'static str> = synonyms.collect();
    names.extend(synonyms);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(word: &str, colour: [f64; 3]) -> bool {
        ColourTerm::parse(word).unwrap().fits(colour)
    }

    #[test]
    fn css_colours_belong_to_their_families() {
        for (family, codes) in [
            ("red", &["#ff0000", "#dc143c", "#b22222", "#8b0000"][..]),
            ("orange", &["#ffa500", "#ff8c00", "#ff7f50"]),
            ("yellow", &["#ffff00", "#ffd700"]),
            ("green", &["#008000", "#00ff00", "#228b22", "#006400", "#2e8b57", "#808000"]),
            ("cyan", &["#00ffff", "#40e0d0", "#008080"]),
            ("blue", &["#0000ff", "#4169e1", "#87ceeb", "#000080", "#1e90ff", "#add8e6"]),
            ("purple", &["#800080", "#8a2be2", "#4b0082", "#ee82ee", "#ff00ff"]),
            ("pink", &["#ffc0cb", "#ff69b4", "#ff1493"]),
            ("brown", &["#a52a2a", "#8b4513", "#5c4033"]),
            ("white", &["#ffffff", "#f5f5f5"]),
            ("grey", &["#808080", "#a9a9a9", "#404040"]),
            ("black", &["#000000", "#202020"]),
            ("beige", &["#f5f5dc", "#d2b48c"]),
        ] {
            for code in codes {
                let colour = Oklab::of_hex(code).unwrap();
                let term = FAMILIES.iter().find(|one| one.name == family).unwrap();
                assert!(term.holds(colour, Tone::Any), "{code} {family} {colour:?}");
            }
        }
    }

    #[test]
    fn colours_do_not_belong_to_other_families() {
        for (colour, not) in [
            ([0.8, 0.1, 0.1], &["orange", "pink", "green", "brown", "white"][..]),
            ([0.1, 0.2, 0.8], &["purple", "cyan", "black", "red"]),
            ([0.5, 0.5, 0.5], &["white", "black", "blue", "brown"]),
            ([0.1, 0.6, 0.1], &["yellow", "cyan", "blue"]),
            ([0.9, 0.8, 0.1], &["green", "orange", "white"]),
            ([1.0, 1.0, 0.0], &["green", "orange", "white"]),
        ] {
            for word in not {
                assert!(!fits(word, colour), "{colour:?} {word}");
            }
        }
    }

    #[test]
    fn tones_and_codes_are_told_apart() {
        assert!(fits("light-blue", [0.42, 0.69, 0.79]) && !fits("light-blue", [0.0, 0.0, 0.2]));
        assert!(fits("dark-green", [0.0, 0.127, 0.0]) && !fits("dark-green", [0.3, 0.9, 0.3]));
        assert!(fits("pastel-pink", [0.95, 0.66, 0.72]) && !fits("pastel-pink", [0.9, 0.0, 0.3]));
        assert!(fits("#ff8800", [1.0, 0.246, 0.0]) && !fits("#ff8800", [1.0, 0.0, 0.0]));
        assert!(fits("warm", [1.0, 0.8, 0.6]) && fits("cool", [0.6, 0.8, 1.0]));
        assert_eq!(ColourTerm::parse("sphere"), None);
        assert_eq!(ColourTerm::parse("#ff88"), None);
        assert!(names_of([0.8, 0.1, 0.1]).contains(&"red"));
    }
}
