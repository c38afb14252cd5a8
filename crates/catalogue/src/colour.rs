//! Colours by name: the 148 of CSS and some more that people say. Linear sRGB.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use glam::DVec3;

/// A colour of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NamedColour {
    /// The name, in lower case and without spaces.
    pub name: &'static str,
    /// Linear sRGB, each channel in 0..1, rounded to 3 decimals.
    pub rgb: DVec3,
    /// The same with the sRGB transfer function applied, as for screens.
    pub encoded: DVec3,
}

/// The table, decoded once.
static TABLE: LazyLock<Vec<NamedColour>> = LazyLock::new(|| {
    let lines = include_str!("../data/colours.txt").lines();
    let known = lines.filter_map(|line| line.split_once(' ')).filter_map(|(name, hex)| {
        let rgb = from_hex(hex)?;
        Some(NamedColour { name, rgb, encoded: encoded(rgb) })
    });
    known.collect()
});

static BY_NAME: LazyLock<BTreeMap<&str, DVec3>> =
    LazyLock::new(|| TABLE.iter().rev().map(|known| (known.name, known.rgb)).collect());

/// All colours.
pub fn all() -> &'static [NamedColour] {
    &TABLE
}

/// The linear colour with this name, which is written in lower case and without spaces.
pub fn named(name: &str) -> Option<DVec3> {
    BY_NAME.get(name).copied()
}

/// Whether the name of a colour begins with these letters.
pub fn is_prefix(letters: &str) -> bool {
    BY_NAME.range(letters..).next().is_some_and(|(name, _)| name.starts_with(letters))
}

/// The linear colour of `ff8800` or `f80`.
pub fn from_hex(digits: &str) -> Option<DVec3> {
    let long: String = match digits.len() {
        3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
        6 => digits.to_owned(),
        _ => return None,
    };
    let code = u32::from_str_radix(&long, 16).ok()?;
    let channel = |shift: u32| f64::from((code >> shift) & 0xff) / 255.0;
    Some(linear(DVec3::new(channel(16), channel(8), channel(0))))
}

/// The linear colour of one that is encoded for screens, rounded to 3 decimals.
pub fn linear(encoded: DVec3) -> DVec3 {
    encoded.to_array().map(|channel| (to_linear(channel) * 1000.0).round() / 1000.0).into()
}

/// A linear colour as encoded for screens, each channel clamped to 0..1.
pub fn encoded(linear: DVec3) -> DVec3 {
    linear.to_array().map(|channel| to_encoded(channel.clamp(0.0, 1.0))).into()
}

/// One channel from the sRGB curve (IEC 61966-2-1) to linear light.
fn to_linear(encoded: f64) -> f64 {
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

/// One channel from linear light to the sRGB curve.
fn to_encoded(linear: f64) -> f64 {
    if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_css_names_are_there() {
        assert_eq!(all().len(), 163);
        assert!(all().iter().all(|colour| named(colour.name).is_some()));
        assert!(is_prefix("light") && is_prefix("red") && !is_prefix("sofa"));
    }

    #[test]
    fn codes_become_linear_with_three_decimals() {
        for (code, rgb) in [
            ("ff0000", [1.0, 0.0, 0.0]),
            ("f00", [1.0, 0.0, 0.0]),
            ("808080", [0.216, 0.216, 0.216]),
        ] {
            assert_eq!(from_hex(code), Some(DVec3::from(rgb)), "{code}");
        }
        assert_eq!(from_hex("ff00"), None);
    }
}
