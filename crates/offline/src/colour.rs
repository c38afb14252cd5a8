//! Colours as people say them: the names of the catalogue with "light", "dark" and the like before them. Linear sRGB.

mod family;

use catalogue::colour::{self, NamedColour, encoded, linear};
use glam::DVec3;

pub(crate) use family::is_called;

/// A colour as a person named it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Colour {
    /// The name, e.g. "light blue"; the hex code when there was none.
    pub(crate) name: String,
    /// Linear sRGB, each channel in 0..1, rounded to 3 decimals.
    pub(crate) rgb: DVec3,
}

/// How a word before a colour changes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shade {
    Lighter,
    Pastel,
    Darker,
    Muted,
    Stronger,
}

/// At most `count` colours that are told apart at a glance.
pub(crate) fn palette(count: usize) -> impl Iterator<Item = Colour> {
    const NAMES: [&str; 18] = [
        "red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink", "brown", "white",
        "black", "gold", "navy", "lime", "magenta", "teal", "maroon", "grey",
    ];
    NAMES.into_iter().filter_map(Colour::named).take(count)
}

/// The first `count` of soft colours that are easily told apart.
pub(crate) fn pastel_palette(count: usize) -> impl Iterator<Item = Colour> {
    const NAMES: [&str; 7] = ["pink", "blue", "yellow", "green", "purple", "orange", "cyan"];
    let colours: Vec<Colour> = NAMES
        .into_iter()
        .filter_map(|name| Colour::of_words(&["pastel", name]))
        .map(|(colour, _)| colour)
        .collect();
    colours.into_iter().cycle().take(count)
}

impl Colour {
    /// A colour known by its CSS name, written without spaces.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(Self { name: name.to_owned(), rgb: colour::named(name)? })
    }

    /// "reddish", "bluish": a muted shade of what it resembles.
    pub(crate) fn resembling(word: &str) -> Option<Self> {
        let stem = word.strip_suffix("ish").filter(|stem| stem.len() > 2)?;
        let doubled = stem.strip_suffix('d').unwrap_or(stem);
        let base = [stem.to_owned(), format!("{stem}e"), doubled.to_owned()]
            .iter()
            .find_map(|name| Self::named(name))?;
        Some(Self { name: word.to_owned(), rgb: shaded(base.rgb, Shade::Muted) })
    }

    /// `count` shades of it, from dark to light.
    pub(crate) fn shades(&self, count: usize) -> impl Iterator<Item = Self> + '_ {
        const REACH: f64 = 0.45;
        let screen = encoded(self.rgb);
        // Black has no darker shades, white no lighter ones.
        let darkest = if screen.max_element() < 0.3 { 0.0 } else { -REACH };
        let lightest = if screen.min_element() > 0.85 { 0.0 } else { REACH };
        let step = (lightest - darkest) / count.saturating_sub(1).max(1) as f64;
        (0..count).map(move |index| Self {
            name: self.name.clone(),
            rgb: lightened(self.rgb, darkest + step * index as f64),
        })
    }

    /// A colour that came as a hex code.
    pub(crate) fn unnamed(rgb: DVec3) -> Self {
        Self { name: describe(rgb), rgb }
    }

    /// "navy blue", "tomato red": the first word tells which blue or red.
    fn shade_named_first(words: &[&str]) -> Option<Self> {
        let [first, base, ..] = words else { return None };
        let shade = Self::named(first).filter(|shade| is_called(base, shade.rgb))?;
        let joined = Self::named(&[*first, *base].concat());
        (first != base && joined.is_none())
            .then(|| Self { name: format!("{first} {base}"), ..shade })
    }

    /// The colour of the first words of `words`, and how many words it took: "light blue",
    /// "dark slate gray", "very dark red", "pastel green". The longest reading wins.
    pub(crate) fn of_words(words: &[&str]) -> Option<(Self, usize)> {
        // Asked at every word of every reading: most begin no colour.
        if !words.first().is_some_and(|first| begins(first)) {
            return None;
        }
        if let Some(shade) = Self::shade_named_first(words) {
            return Some((shade, 2));
        }
        let joined = (1..=words.len().min(4)).rev().find_map(|count| {
            let joined = words[..count].concat();
            let mut colour = Self::named(&joined)
                .or_else(|| if count == 1 { Self::resembling(&joined) } else { None })?;
            colour.name = words[..count].join(" ");
            Some((colour, count))
        });
        joined.or_else(|| {
            let (first, rest) = words.split_first()?;
            let (base, count) = match *first {
                "very" | "really" => return Self::of_words(rest).map(|(c, n)| (c, n + 1)),
                _ => Self::of_words(rest)?,
            };
            let shade = Shade::named(first)?;
            let rgb = shaded(base.rgb, shade);
            Some((Self { name: format!("{first} {}", base.name), rgb }, count + 1))
        })
    }
}

/// Whether a colour may begin with this word.
fn begins(word: &str) -> bool {
    matches!(word, "very" | "really")
        || word.ends_with("ish")
        || Shade::named(word).is_some()
        || colour::is_prefix(word)
}

impl Shade {
    fn named(word: &str) -> Option<Self> {
        Some(match word {
            "pastel" => Self::Pastel,
            "light" | "pale" | "lighter" | "paler" | "baby" | "soft" => Self::Lighter,
            "dark" | "deep" | "darker" | "deeper" => Self::Darker,
            "muted" | "dusty" => Self::Muted,
            "bright" | "vivid" | "neon" | "brighter" | "strong" | "rich" | "pure" | "hot" => {
                Self::Stronger
            }
            _ => return None,
        })
    }
}

fn shaded(rgb: DVec3, shade: Shade) -> DVec3 {
    let colour = encoded(rgb);
    linear(match shade {
        Shade::Lighter => colour.lerp(DVec3::ONE, 0.5),
        Shade::Pastel => colour.lerp(DVec3::ONE, 0.68),
        Shade::Darker => colour * 0.55,
        Shade::Muted => colour.lerp(DVec3::splat(colour.element_sum() / 3.0), 0.5),
        Shade::Stronger => colour,
    })
}

/// A colour made `factor` times as bright as it looks, for "lighter" and "darker".
pub(crate) fn lightened(rgb: DVec3, by: f64) -> DVec3 {
    let colour = encoded(rgb);
    linear(if by >= 0.0 { colour.lerp(DVec3::ONE, by) } else { colour * (1.0 + by) })
}

/// Whether two linear colours look alike: the same hue, or both without one.
pub(crate) fn alike(a: DVec3, b: DVec3) -> bool {
    (encoded(a) - encoded(b)).length() < 0.3
}

/// A linear colour in plain words: the nearest name, else its hue and lightness.
pub(crate) fn describe(rgb: DVec3) -> String {
    const PLAIN: [&str; 35] = [
        "black",
        "white",
        "grey",
        "lightgrey",
        "dimgrey",
        "peru",
        "red",
        "darkred",
        "green",
        "lime",
        "darkgreen",
        "lightgreen",
        "blue",
        "navy",
        "lightblue",
        "skyblue",
        "royalblue",
        "yellow",
        "orange",
        "gold",
        "brown",
        "beige",
        "tan",
        "pink",
        "hotpink",
        "purple",
        "violet",
        "indigo",
        "magenta",
        "cyan",
        "teal",
        "turquoise",
        "olive",
        "maroon",
        "salmon",
    ];
    // Squared distances on screen: nearer than this is that colour, farther is told by its hue.
    const SAME: f64 = 1e-5;
    const NEAR: f64 = 0.02;
    let target = encoded(rgb);
    let distance = |known: &&NamedColour| (known.encoded - target).length_squared();
    let exact = colour::all().iter().find(|known| distance(known) < SAME);
    let plain = colour::all().iter().filter(|known| PLAIN.contains(&known.name));
    let nearest = plain
        .filter(|known| distance(known) < NEAR && is_grey(known.encoded) == is_grey(target))
        .min_by(|a, b| distance(a).total_cmp(&distance(b)));
    let Some(name) = exact.or(nearest).map(|known| known.name) else { return by_hue(target) };
    spaced(match name {
        "lime" => "bright green",
        "peru" => "light brown",
        "aqua" => "cyan",
        "fuchsia" => "magenta",
        "gray" => "grey",
        other => other,
    })
}

/// Whether no hue shows in an encoded colour.
fn is_grey(encoded: DVec3) -> bool {
    encoded.max_element() - encoded.min_element() < 0.08
}

/// An encoded colour as hue and lightness: "dark blue", "light green", "very dark red".
fn by_hue(encoded: DVec3) -> String {
    let (most, least) = (encoded.max_element(), encoded.min_element());
    if most < 0.12 {
        return "black".to_owned();
    }
    if is_grey(encoded) {
        let name = match most {
            most if most < 0.35 => "dark grey",
            most if most < 0.68 => "grey",
            most if most < 0.94 => "light grey",
            _ => "white",
        };
        return name.to_owned();
    }
    let chroma = most - least;
    let sector = match encoded {
        rgb if rgb.x == most => ((rgb.y - rgb.z) / chroma).rem_euclid(6.0),
        rgb if rgb.y == most => (rgb.z - rgb.x) / chroma + 2.0,
        rgb => (rgb.x - rgb.y) / chroma + 4.0,
    };
    let hue = match sector * 60.0 {
        degrees if degrees < 15.0 => "red",
        degrees if degrees < 40.0 => "orange",
        degrees if degrees < 70.0 => "yellow",
        degrees if degrees < 165.0 => "green",
        degrees if degrees < 195.0 => "cyan",
        degrees if degrees < 255.0 => "blue",
        degrees if degrees < 290.0 => "purple",
        degrees if degrees < 340.0 => "pink",
        _ => "red",
    };
    let lightness = (most + least) / 2.0;
    // A dark orange is called brown.
    let hue = if hue == "orange" && most < 0.75 { "brown" } else { hue };
    if hue == "brown" && lightness >= 0.2 {
        return hue.to_owned();
    }
    match lightness {
        dark if dark < 0.2 => format!("very dark {hue}"),
        dark if dark < 0.4 || most < 0.72 => format!("dark {hue}"),
        light if light > 0.7 => format!("light {hue}"),
        _ => hue.to_owned(),
    }
}

/// `lightblue` as a person writes it.
fn spaced(name: &str) -> String {
    for prefix in ["light", "dark", "dim", "medium", "pale", "deep", "hot", "royal", "sky"] {
        let rest = name.strip_prefix(prefix).filter(|rest| rest.len() > 2);
        if let Some(rest) = rest.filter(|rest| !rest.starts_with(' ')) {
            return format!("{prefix} {}", rest.replace("gray", "grey"));
        }
    }
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_become_linear_with_three_decimals() {
        for (words, rgb) in [
            ("red", [1.0, 0.0, 0.0]),
            ("grey", [0.216, 0.216, 0.216]),
            ("light blue", [0.418, 0.687, 0.791]),
            ("dark slate gray", [0.028, 0.078, 0.078]),
            ("light red", [1.0, 0.214, 0.214]),
            ("very dark green", [0.0, 0.127, 0.0]),
        ] {
            let words: Vec<&str> = words.split(' ').collect();
            let (colour, count) = Colour::of_words(&words).expect("a colour");
            assert_eq!((colour.rgb.to_array(), count), (rgb, words.len()), "{words:?}");
        }
    }

    #[test]
    fn colours_are_described_by_the_nearest_plain_name() {
        for (hex, name) in [
            ("ff0000", "red"),
            ("fe0102", "red"),
            ("808080", "grey"),
            ("add8e6", "light blue"),
            ("707bb3", "dark blue"),
            ("1a2740", "very dark blue"),
            ("040406", "black"),
            ("303030", "dark grey"),
        ] {
            assert_eq!(describe(colour::from_hex(hex).expect("a code")), name);
        }
    }
}
