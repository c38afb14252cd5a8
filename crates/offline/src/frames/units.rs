//! The units of numbers without one: that of their neighbors, or the one that comes nearest to what is usual.

use crate::chart::Node;

use super::plain::unit_of;
use super::{Amount, Dimension, Head, Quality};

/// Metres in the units that people leave out.
const UNITS: [f64; 5] = [1.0, 0.3048, 0.01, 0.0254, 0.001];
/// Metres, unless things would be so many times as large as usual, or as small.
const STRANGE: f64 = 3.0;
/// How large something is of which nobody knows how large it is, in metres.
const UNKNOWN: f64 = 4.0;

/// "180 cm tall, 80 wide, 30 deep": numbers without a unit have that of the others.
pub(super) fn share_unit(all: &mut [Quality]) {
    const METRIC: [f64; 3] = [1.0, 0.01, 0.001];
    let known = all.iter().find_map(|quality| match quality {
        Quality::Measured { amount: Amount::Metres(metres), .. } => Some(metres.abs().max(1e-6)),
        _ => None,
    });
    let Some(known) = known else { return };
    for quality in all {
        let Quality::Measured { amount, .. } = quality else { continue };
        let Amount::Plain(number) = *amount else { continue };
        let far = |unit: f64| (number.abs().max(1e-6) * unit / known).ln().abs();
        let unit = METRIC.into_iter().min_by(|one, other| far(*one).total_cmp(&far(*other)));
        *amount = Amount::Metres(number * unit.unwrap_or(1.0));
    }
}

/// The qualities of what a node speaks of, with the units that make it about as large as such things are: "a patio, 16 x 20" is no
/// 20 m long. Two measures of what stands upright and is thin are its width and its height.
pub(super) fn fitted(mut all: Vec<Quality>, node: &Node, head: &Head) -> Vec<Quality> {
    let edge = |slot: &str| node.number(slot);
    let built = edge("wide").zip(edge("high")).zip(edge("deep"));
    let built = built.map(|((wide, high), deep)| [wide, high, deep]);
    let usual = match head {
        Head::Built("maze") => None,
        Head::Built(_) => built,
        head => usual_size(head),
    };
    let Some(usual) = usual else { return all };
    let is_unitless = |dims: &Node| dims.symbol("q") == Some("dims") && unit_of(dims).is_none();
    let unitless = node.nodes("qs").any(is_unitless);
    let longest = usual.into_iter().fold(0.0, f64::max);
    let stands = usual[1] > 0.5 * usual[0] && usual[2] < 0.3 * usual[0].min(usual[1]);
    let plain = all.iter().filter_map(|quality| match quality {
        Quality::Measured { dimension: Dimension::Height, amount: Amount::Plain(number) } => {
            Some(number * longest / usual[1].max(1e-6))
        }
        Quality::Measured { amount: Amount::Plain(number), .. } => Some(*number),
        Quality::Measures(edges) if unitless => Some(edges[0].max(edges[2])),
        _ => None,
    });
    let unit = unit_for(plain.fold(0.0, f64::max), longest);
    for quality in &mut all {
        match quality {
            Quality::Measured { amount, .. } => {
                if let Amount::Plain(number) = *amount {
                    *amount = Amount::Metres(number * unit);
                }
            }
            Quality::Measures([x, y, z]) => {
                if unitless {
                    [*x, *y, *z] = [*x * unit, *y * unit, *z * unit];
                }
                if stands && *y == 0.0 {
                    [*y, *z] = [*z, 0.0];
                }
            }
            _ => {}
        }
    }
    all
}

/// The unit in which a number comes nearest to what is usual; metres where that is likely enough.
fn unit_for(number: f64, usual: f64) -> f64 {
    let far = |unit: f64| (number.max(1e-6) * unit / usual.max(1e-6)).ln().abs();
    if far(1.0) <= STRANGE.ln() {
        return 1.0;
    }
    UNITS.into_iter().min_by(|one, other| far(*one).total_cmp(&far(*other))).unwrap_or(1.0)
}

/// Width, height and depth of such things; a shape has any size.
pub(super) fn usual_size(head: &Head) -> Option<[f64; 3]> {
    match head {
        Head::Object { name, .. } => {
            catalogue::catalogue().find(name).map(|object| object.natural().size)
        }
        Head::Unknown(_) => Some([UNKNOWN, UNKNOWN, UNKNOWN]),
        _ => None,
    }
}
