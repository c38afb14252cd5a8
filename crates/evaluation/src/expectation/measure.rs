//! Measures of things, and comparisons.

use std::collections::HashSet;

use glam::DVec3;
use scene::Geometry;
use spatial::Space;

use crate::colour::Oklab;
use crate::moment::Moment;
use crate::range::{Range, range_or};
use crate::thing::Thing;

/// A measure of a thing, in metres.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    Width,
    Height,
    Depth,
    /// The larger of width and depth.
    Length,
    /// The longest side.
    Size,
    /// The shortest side.
    Thickness,
    Radius,
    Diameter,
    X,
    Y,
    Z,
    Bottom,
    Top,
}

impl Measure {
    pub(super) const WORDS: &[(&str, Self)] = &[
        ("width", Self::Width),
        ("height", Self::Height),
        ("depth", Self::Depth),
        ("length", Self::Length),
        ("size", Self::Size),
        ("thickness", Self::Thickness),
        ("radius", Self::Radius),
        ("diameter", Self::Diameter),
        ("x", Self::X),
        ("y", Self::Y),
        ("z", Self::Z),
        ("bottom", Self::Bottom),
        ("top", Self::Top),
    ];

    /// The possible values of the measure: one, or several where usage differs.
    pub(super) fn of(self, thing: &Thing, moment: &Moment<'_>) -> Vec<f64> {
        let (extent, size) = (thing.extent(), thing.extent().size());
        let one = match self {
            Self::Width => size.x,
            Self::Height => size.y,
            Self::Depth => size.z,
            Self::Length => size.x.max(size.z),
            Self::Size => size.max_element(),
            Self::Thickness => size.min_element(),
            Self::Radius => return radii(thing, &moment.after),
            Self::Diameter => {
                return radii(thing, &moment.after)
                    .into_iter()
                    .map(|radius| 2.0 * radius)
                    .collect();
            }
            Self::X => thing.center().x,
            Self::Y => thing.center().y,
            Self::Z => thing.center().z,
            Self::Bottom => extent.min.y,
            Self::Top => extent.max.y,
        };
        vec![one]
    }
}

/// The radius of a round thing; of a torus, the major and the outer radius.
fn radii(thing: &Thing, space: &Space<'_>) -> Vec<f64> {
    let [at] = thing.members[..] else { return vec![0.5 * thing.solid.size()] };
    match space.bodies()[at].shape().map(|shape| &shape.geometry) {
        Some(Geometry::Sphere(round)) => vec![round.radius.get()],
        Some(Geometry::Cylinder(round)) => vec![round.radius.get()],
        Some(Geometry::Disc(round)) => vec![round.radius.get()],
        Some(Geometry::Capsule(round)) => vec![round.radius.get()],
        Some(Geometry::Cone(round)) => vec![round.ends().1[0]],
        Some(Geometry::Torus(ring)) => {
            let (radius, thickness) = (ring.radius.get(), ring.thickness.get());
            vec![radius, radius + thickness, radius + 0.5 * thickness]
        }
        _ => vec![0.5 * thing.solid.size()],
    }
}

/// The largest gap between a thing and its support, in metres.
const SUPPORT_GAP: f64 = 0.01;

/// Whether the thing rests on something, or is the lowest of all, i.e. the ground.
pub(super) fn is_supported(thing: &Thing, space: &Space<'_>) -> bool {
    let own: HashSet<usize> = thing.members.iter().copied().collect();
    match space.fall(&thing.solid, &own) {
        Some((way, _)) => way <= SUPPORT_GAP,
        None => {
            let bottoms = space.shapes().map(|(_, body)| body.solid.extent().min.y);
            thing.extent().min.y <= bottoms.fold(f64::INFINITY, f64::min) + SUPPORT_GAP
        }
    }
}

/// A comparison of two things.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Comparison {
    Bigger,
    Smaller,
    Taller,
    Shorter,
    Wider,
    Higher,
    Lower,
    SizeRatio(Range),
    HeightRatio(Range),
    SameColour,
    SameSize,
}

/// The ratio from which one thing counts as bigger.
const NOTABLY: f64 = 1.05;
/// The largest distance of equal colours.
const SAME_COLOUR: f64 = 0.04;

impl Comparison {
    pub(super) const WORDS: &[&str] = &[
        "bigger-than",
        "smaller-than",
        "taller-than",
        "shorter-than",
        "wider-than",
        "higher-than",
        "lower-than",
        "size-ratio",
        "height-ratio",
        "same-colour-as",
        "same-size-as",
    ];

    pub(super) fn parse<'a, 'b>(
        verb: &str,
        rest: &'a [&'b str],
    ) -> Result<(Self, &'a [&'b str]), String> {
        let comparison = match verb {
            "bigger-than" => Self::Bigger,
            "smaller-than" => Self::Smaller,
            "taller-than" => Self::Taller,
            "shorter-than" => Self::Shorter,
            "wider-than" => Self::Wider,
            "higher-than" => Self::Higher,
            "lower-than" => Self::Lower,
            "same-colour-as" => Self::SameColour,
            "same-size-as" => Self::SameSize,
            ratio => {
                let [range, rest @ ..] = rest else {
                    return Err(format!("'{ratio}' needs a range, e.g. 1.9..2.1"));
                };
                let range = range_or(&[range], Range::ANY)?;
                let comparison = if ratio == "size-ratio" {
                    Self::SizeRatio(range)
                } else {
                    Self::HeightRatio(range)
                };
                return Ok((comparison, rest));
            }
        };
        Ok((comparison, rest))
    }

    pub(super) fn holds(self, thing: &Thing, other: &Thing, moment: &Moment<'_>) -> bool {
        let (own, its) = (thing.extent().size(), other.extent().size());
        let longest = thing.solid.size() / other.solid.size();
        match self {
            Self::Bigger => volume(own, its) >= NOTABLY && longest >= 1.0,
            Self::Smaller => volume(own, its) <= 1.0 / NOTABLY && longest <= 1.0,
            Self::Taller => own.y >= NOTABLY * its.y,
            Self::Shorter => NOTABLY * own.y <= its.y,
            Self::Wider => own.x >= NOTABLY * its.x,
            Self::Higher => thing.extent().max.y > other.extent().max.y + 1e-3,
            Self::Lower => thing.extent().max.y < other.extent().max.y - 1e-3,
            Self::SizeRatio(range) => range.holds(longest) || range.holds(volume(own, its)),
            Self::HeightRatio(range) => range.holds(own.y / its.y),
            Self::SameSize => (volume(own, its) - 1.0).abs() <= NOTABLY - 1.0,
            Self::SameColour => match (thing.colour(&moment.after), other.colour(&moment.after)) {
                (Some(one), Some(other)) => {
                    Oklab::of_linear(one).distance(Oklab::of_linear(other)) <= SAME_COLOUR
                }
                (None, None) => true,
                _ => false,
            },
        }
    }
}

/// The ratio of two boxes' sizes, by the geometric mean of their edges.
fn volume(own: DVec3, its: DVec3) -> f64 {
    let mean = |size: DVec3| {
        let thin = 1e-2 * size.max_element();
        (size.x.max(thin) * size.y.max(thin) * size.z.max(thin)).cbrt()
    };
    mean(own) / mean(its)
}
