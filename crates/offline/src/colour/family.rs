//! Colours that people call by one word: "the blue ball" may be of any blue. By hue, chroma and
//! lightness in OKLCh (Ottosson 2020, "A perceptual color space for image processing").

use std::sync::LazyLock;

use glam::DVec3;

/// What one word takes in.
struct Family {
    name: &'static str,
    /// From and to, in degrees; from above to goes through 0.
    hue: [f64; 2],
    chroma: [f64; 2],
    lightness: [f64; 2],
}

static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
    let lines = include_str!("../../data/colour_families.txt").lines();
    lines.filter(|line| !line.starts_with('#')).filter_map(Family::read).collect()
});

impl Family {
    fn read(line: &'static str) -> Option<Self> {
        let (name, bounds) = line.split_once(' ')?;
        let bounds: Vec<f64> =
            bounds.split_whitespace().filter_map(|bound| bound.parse().ok()).collect();
        let [h0, h1, c0, c1, l0, l1] = bounds[..] else { return None };
        Some(Self { name, hue: [h0, h1], chroma: [c0, c1], lightness: [l0, l1] })
    }

    fn holds(&self, [lightness, chroma, hue]: [f64; 3]) -> bool {
        let within = |[from, to]: [f64; 2], value: f64| (from..=to).contains(&value);
        let [from, to] = self.hue;
        let hued = if from <= to { within(self.hue, hue) } else { hue >= from || hue <= to };
        hued && within(self.chroma, chroma) && within(self.lightness, lightness)
    }
}

/// Whether a linear colour is one that people call `name`; never for a name that is no family.
pub(crate) fn is_called(name: &str, rgb: DVec3) -> bool {
    FAMILIES.iter().any(|family| family.name == name && family.holds(lightness_chroma_hue(rgb)))
}

/// OKLCh of linear sRGB; the hue in degrees from 0 to 360.
fn lightness_chroma_hue(rgb: DVec3) -> [f64; 3] {
    let cone = |weights: DVec3| weights.dot(rgb.max(DVec3::ZERO)).cbrt();
    let long = cone(DVec3::new(0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9));
    let medium = cone(DVec3::new(0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6));
    let short = cone(DVec3::new(0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5));
    let lightness = 0.210_454_255_3 * long + 0.793_617_785 * medium - 0.004_072_046_8 * short;
    let a = 1.977_998_495_1 * long - 2.428_592_205 * medium + 0.450_593_709_9 * short;
    let b = 0.025_904_037_1 * long + 0.782_771_766_2 * medium - 0.808_675_766 * short;
    [lightness, a.hypot(b), b.atan2(a).to_degrees().rem_euclid(360.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_belong_to_the_colour_people_call_them_by() {
        for (rgb, name, other) in [
            ([0.1, 0.2, 0.8], "blue", "purple"),
            ([0.05, 0.3, 0.1], "green", "blue"),
            ([0.7, 0.05, 0.05], "red", "brown"),
            ([0.25, 0.12, 0.06], "brown", "red"),
            ([0.9, 0.9, 0.88], "white", "yellow"),
            ([0.02, 0.02, 0.02], "black", "brown"),
            ([0.8, 0.3, 0.45], "pink", "red"),
        ] {
            assert!(is_called(name, rgb.into()), "{rgb:?} is {name}");
            assert!(!is_called(other, rgb.into()), "{rgb:?} is not {other}");
        }
    }
}
