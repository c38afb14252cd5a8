//! What takes up room: shapes and lights as unions of convex bodies.

mod build;
mod cast;
mod composed;
mod convex;
mod expansion;
mod extent;
mod faceted;
mod form;
mod gjk;
mod penetration;
mod precision;

use std::sync::Arc;

use glam::DVec3;

pub(crate) use build::Build;
pub use cast::Cast;
pub(crate) use convex::{Convex, Core, Frustum};
pub use extent::Extent;

use gjk::separation;
use penetration::penetration;
use precision::tolerance_of;

/// Something that takes up room: a union of convex bodies. Shapes that are open at their ends count
/// as closed, but see [`has_room_in_it`](Self::has_room_in_it).
#[derive(Debug, Clone, PartialEq)]
pub struct Solid {
    /// Never empty.
    parts: Arc<[Convex]>,
    /// Of each part.
    extents: Arc<[Extent]>,
    extent: Extent,
    traits: Traits,
}

/// What the outline of a solid does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Traits {
    /// It has no volume: a wall, a floor, a disc.
    flat: bool,
    /// Things may lie in it without touching it: it is open at its ends.
    hollow: bool,
    /// The real thing is only known to lie inside.
    rough: bool,
}

/// How two solids lie to each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relation {
    /// Their distance in metres; below 0: how far one has to move to be out of the other.
    pub gap: f64,
    /// Unit vector along which the first one moves away from the second.
    pub away: DVec3,
    /// Their nearest points, first's and second's; while they overlap, none.
    pub points: Option<[DVec3; 2]>,
}

impl Relation {
    /// How the second one lies to the first.
    pub(crate) fn reversed(self) -> Self {
        let points = self.points.map(|[one, other]| [other, one]);
        Self { gap: self.gap, away: -self.away, points }
    }
}

impl Solid {
    fn new(parts: Vec<Convex>, traits: Traits) -> Self {
        let extents: Vec<Extent> = parts.iter().map(extent_of).collect();
        let extent = extents.iter().copied().reduce(Extent::union);
        // A solid without parts is never made.
        let extent = extent.unwrap_or(Extent { min: DVec3::ZERO, max: DVec3::ZERO });
        Self { parts: parts.into(), extents: extents.into(), extent, traits }
    }

    /// All of them as one.
    pub fn union<'a>(solids: impl IntoIterator<Item = &'a Self>) -> Option<Self> {
        let (mut parts, mut extents) = (Vec::new(), Vec::new());
        let mut traits = Traits { flat: true, ..Traits::default() };
        let mut solids = solids.into_iter().peekable();
        let first = solids.next()?;
        if solids.peek().is_none() {
            return Some(first.clone());
        }
        let mut extent = first.extent;
        for solid in std::iter::once(first).chain(solids) {
            parts.extend(solid.parts.iter().cloned());
            extents.extend(solid.extents.iter().copied());
            extent = extent.union(solid.extent);
            traits.flat &= solid.traits.flat;
            traits.rough |= solid.traits.rough;
        }
        Some(Self { parts: parts.into(), extents: extents.into(), extent, traits })
    }

    /// A single point.
    pub fn point(at: DVec3) -> Self {
        Self::new(vec![Convex::round(vec![at], 0.0)], Traits { flat: true, ..Traits::default() })
    }

    /// The smallest box around it; exact.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// Whether it has no volume: quads, discs, triangles.
    pub fn is_flat(&self) -> bool {
        self.traits.flat
    }

    /// Whether things may lie in it without touching it: a cylinder or a cone without caps.
    pub fn has_room_in_it(&self) -> bool {
        self.traits.hollow
    }

    /// The middle and the radius of the room in an upright cylinder or cone without caps, where it is narrowest.
    pub(crate) fn opening(&self) -> Option<(DVec3, f64)> {
        /// The least upright part of the axis.
        const UPRIGHT: f64 = 0.99;
        match &self.parts[..] {
            [Convex { core: Core::Frustum(it), .. }]
                if self.traits.hollow && it.axis.y.abs() > UPRIGHT =>
            {
                Some((0.5 * (it.base + it.top), it.base_radius.min(it.top_radius)))
            }
            _ => None,
        }
    }

    /// Whether the real thing is only known to lie inside: a mesh, which counts as its box.
    pub fn is_rough(&self) -> bool {
        self.traits.rough
    }

    /// The longest edge of the box around it, in metres.
    pub fn size(&self) -> f64 {
        self.extent.size().max_element()
    }

    /// How near things have to be to touch this one: 1 mm, less for what is smaller than 10 cm.
    pub fn contact_tolerance(&self) -> f64 {
        (0.01 * self.size()).clamp(1e-6, 1e-3)
    }

    /// How far it reaches along a unit vector, from the origin.
    pub fn reach(&self, direction: DVec3) -> f64 {
        self.parts.iter().map(|part| part.reach(direction)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// A point of it that lies farthest along a unit vector.
    pub fn farthest(&self, direction: DVec3) -> DVec3 {
        let points = self.parts.iter().map(|part| part.farthest(direction));
        points
            .reduce(
                |one, other| if other.dot(direction) > one.dot(direction) { other } else { one },
            )
            .unwrap_or(self.extent.center())
    }

    /// Whether `point` lies inside or nearer than `gap`, in metres.
    pub fn covers(&self, point: DVec3, gap: f64) -> bool {
        let extent = Extent { min: point, max: point };
        self.extent.is_near(extent, gap) && self.relation(&Self::point(point)).gap <= gap
    }

    /// How this one lies to `other`.
    pub fn relation(&self, other: &Self) -> Relation {
        self.relation_at(DVec3::ZERO, other)
    }

    /// As [`relation`](Self::relation), this one being moved by `shift`.
    pub fn relation_at(&self, shift: DVec3, other: &Self) -> Relation {
        let mut best: Option<Relation> = None;
        for (part, extent) in self.parts.iter().zip(self.extents.iter()) {
            let extent = extent.moved(shift);
            for (other_part, other_extent) in other.parts.iter().zip(other.extents.iter()) {
                // The parts of most pairs are farther apart than others, or reach into each other less deeply.
                let cannot_matter = best.is_some_and(|best| {
                    extent.distance(*other_extent) > best.gap.max(0.0)
                        || extent.way_out_of(*other_extent) <= -best.gap
                });
                if cannot_matter {
                    continue;
                }
                let deepest = best.map_or(0.0, |best| -best.gap);
                let relation = relation(part, shift, other_part, deepest);
                if best.is_none_or(|best| relation.gap < best.gap) {
                    best = Some(relation);
                }
            }
        }
        // A solid has parts, and the first pair is never skipped.
        best.unwrap_or(Relation { gap: f64::INFINITY, away: DVec3::Y, points: None })
    }

    /// Whether all of `other` lies inside this one, touching from within allowed, open ends not
    /// counted. Looked at along faces and in 64 directions; a union holds what one of its bodies holds.
    pub fn holds(&self, other: &Self) -> bool {
        let sides = sphere_of_directions();
        let tolerance = self.contact_tolerance().min(other.contact_tolerance());
        self.parts.iter().any(|part| {
            let axis = match &part.core {
                Core::Frustum(frustum) if self.traits.hollow => Some(frustum.axis),
                _ => None,
            };
            let across = |way: &DVec3| match axis {
                Some(axis) => (*way - axis * way.dot(axis)).try_normalize(),
                None => Some(*way),
            };
            let ways = part.core.axes().into_iter().flat_map(|axis| [axis, -axis]);
            let mut ways = ways.chain(sides).filter_map(|way| across(&way));
            ways.all(|way| other.reach(way) <= part.reach(way) + tolerance)
        })
    }
}

/// Unit vectors all around, evenly enough: a spiral from pole to pole.
fn sphere_of_directions() -> [DVec3; 64] {
    std::array::from_fn(|at| {
        let height = 1.0 - (2.0 * at as f64 + 1.0) / 64.0;
        let angle = at as f64 * std::f64::consts::PI * (3.0 - 5f64.sqrt());
        let radius = (1.0 - height * height).sqrt();
        DVec3::new(radius * angle.cos(), height, radius * angle.sin())
    })
}

fn extent_of(part: &Convex) -> Extent {
    let reach = |axis: DVec3| part.reach(axis);
    Extent {
        min: -DVec3::new(reach(-DVec3::X), reach(-DVec3::Y), reach(-DVec3::Z)),
        max: DVec3::new(reach(DVec3::X), reach(DVec3::Y), reach(DVec3::Z)),
    }
}

/// How a part lies to another; what reaches no deeper into it than `deepest` need not be exact.
fn relation(a: &Convex, shift: DVec3, b: &Convex, deepest: f64) -> Relation {
    let margins = a.margin + b.margin;
    match separation(&a.core, shift, &b.core, tolerance_of(a, b)) {
        Some(apart) if apart.upper > margins => Relation {
            gap: apart.upper - margins,
            away: apart.normal,
            points: Some([
                apart.on_a - apart.normal * a.margin,
                apart.on_b + apart.normal * b.margin,
            ]),
        },
        // Only the skins overlap: the shortest way out is along the nearest points.
        Some(apart) => Relation { gap: apart.upper - margins, away: apart.normal, points: None },
        None => {
            let out = penetration(a, shift, b, deepest);
            Relation { gap: -out.depth, away: out.normal, points: None }
        }
    }
}
