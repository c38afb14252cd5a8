//! `drop`: straight down onto what is below.

use std::collections::HashSet;

use glam::DVec3;
use scene::{Motion, Violations, properties};

use crate::args::Ids;
use crate::plan::{Plan, PlanBuilder, Planned};
use crate::solid::{Cast, Solid};
use crate::space::{Space, Unit};

/// The name of the call.
pub(crate) const DROP: &str = "drop";

/// How deep what stands on something may reach into it, as a share of its height and in metres.
const SETTLED: f64 = 0.1;
const MIN_SETTLED: f64 = 0.005;

properties! {
    /// Arguments of `drop`.
    pub struct DropDown {
        /// Shapes, lights, groups; each drops by itself.
        pub ids: Ids,
    }
}

impl Planned for DropDown {
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        let mut units = space.units(self.ids.as_slice())?;
        // The lowest first: others may come to stand on it.
        units.sort_by(|one, other| {
            let lowest = |unit: &Unit| unit.solid.extent().min.y;
            lowest(one).total_cmp(&lowest(other))
        });
        let moving: HashSet<usize> = units.iter().flat_map(|unit| &unit.members).copied().collect();
        let mut dropped: Vec<(&Solid, f64)> = Vec::new();
        let mut changes = PlanBuilder::default();
        for unit in &units {
            let way = way_up(space, &unit.solid, &moving, &dropped);
            changes.moved(space, unit, &Motion::shift([0.0, way, 0.0]));
            dropped.push((&unit.solid, way));
        }
        changes.finish()
    }
}

/// How far up, or mostly down, `solid` comes to stand on what is below it, or else on the ground. What reaches a
/// little into something stands on it. `dropped` are others that move as well, and how far.
fn way_up(
    space: &Space<'_>,
    solid: &Solid,
    moving: &HashSet<usize>,
    dropped: &[(&Solid, f64)],
) -> f64 {
    let extent = solid.extent();
    let lift = (SETTLED * extent.size().y).max(MIN_SETTLED);
    let below = space.fall_from(solid, DVec3::Y * lift, moving);
    let of_space = below.map(|(fall, at)| match fall > 0.0 {
        true => lift - fall,
        // It reaches deeper into something: it stands on that, unless it is within it.
        false => onto(solid, &space.bodies()[at].solid, 0.0).unwrap_or(0.0),
    });
    let of_dropped = dropped.iter().filter_map(|(other, way)| onto(solid, other, *way));
    let highest = of_space.into_iter().chain(of_dropped).reduce(f64::max);
    highest.unwrap_or(-extent.min.y)
}

/// How far up `solid` stands on `other`, which is moved up by `way`; `None` where it ends below the top of that, or
/// is not above it.
fn onto(solid: &Solid, other: &Solid, way: f64) -> Option<f64> {
    let (own, top) = (solid.extent(), other.extent().max.y + way);
    let is_above = own.max.y > other.extent().max.y;
    let start = top - own.min.y + MIN_SETTLED;
    match solid.cast(DVec3::Y * (start - way), DVec3::NEG_Y, other, 0.0) {
        Cast::After(fall) if is_above => Some(start - fall),
        _ => None,
    }
}
