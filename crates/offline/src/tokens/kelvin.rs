//! Colour temperatures: "3200 K" is a colour.

use std::sync::Arc;

use super::edge::Edge;
use super::lattice::Lattice;
use super::lexicon::{Feature, Lexicon};
use super::scan::TokenKind;

/// Beyond them a number is none of a light.
const RANGE: std::ops::RangeInclusive<f64> = 1000.0..=25_000.0;

impl Lattice {
    /// Reads numbers of kelvin as colours of light.
    pub(super) fn kelvins(&mut self, lexicon: &Lexicon) {
        let number = |name: &str| lexicon.symbols.number(name);
        let (Some(category), Some(sense)) = (number("Adj"), number("colour")) else { return };
        for at in 0..self.tokens.len() {
            let TokenKind::Number(value) = self.tokens[at].kind else { continue };
            if let Some(to) = self.edge_at(at + 1, "Kelvin").filter(|_| RANGE.contains(&value)) {
                let colour = Feature::Text(colour_of(value).into());
                self.edges.push(Edge {
                    from: at,
                    to,
                    category,
                    sense,
                    features: 0,
                    cost: 0.0,
                    slots: Arc::new(vec![("colour", colour)]),
                    spelled: None,
                });
            }
        }
    }
}

/// The sRGB code of a black body, by the fit of Tanner Helland (2012) to the table of Mitchell Charity.
fn colour_of(kelvin: f64) -> String {
    let hundreds = kelvin / 100.0;
    let (red, green) = if hundreds <= 66.0 {
        (255.0, 99.470_802_586_1 * hundreds.ln() - 161.119_568_166_1)
    } else {
        let above = hundreds - 60.0;
        (
            329.698_727_446 * above.powf(-0.133_204_759_2),
            288.122_169_528_3 * above.powf(-0.075_514_849_2),
        )
    };
    let blue = match hundreds {
        ..=19.0 => 0.0,
        ..66.0 => 138.517_731_223_1 * (hundreds - 10.0).ln() - 305.044_792_730_7,
        _ => 255.0,
    };
    let byte = |value: f64| value.round().clamp(0.0, 255.0) as u8;
    format!("#{:02x}{:02x}{:02x}", byte(red), byte(green), byte(blue))
}

#[cfg(test)]
mod tests {
    use super::colour_of;

    #[test]
    fn bulbs_are_warm_and_the_sky_is_cold() {
        let parts = |kelvin| {
            let code = colour_of(kelvin);
            let part = |at: usize| u8::from_str_radix(&code[at..at + 2], 16).unwrap();
            (part(1), part(3), part(5))
        };
        let (red, green, blue) = parts(2700.0);
        assert!(red > green && green > blue, "{red} {green} {blue}");
        let (red, _, blue) = parts(12_000.0);
        assert!(blue > red, "{red} {blue}");
    }
}
