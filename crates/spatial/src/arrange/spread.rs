//! `align` and `distribute`.

use glam::DVec3;
use scene::{LengthOrZero, Motion, Violations, properties};

use crate::args::{Axis, Coordinate, Ids, choice};
use crate::plan::{Plan, PlanBuilder, Planned};
use crate::solid::Extent;
use crate::space::{Space, Unit};

choice! {
    /// Which coordinate of a thing's bounds counts.
    pub enum Edge {
        /// The smallest.
        Min = "min",
        /// The middle.
        Center = "center",
        /// The largest.
        Max = "max",
    }
}

properties! {
    /// Arguments of `align`.
    pub struct Align {
        /// Shapes, lights, groups.
        pub ids: Ids,
        /// Along which axis they move.
        pub axis: Axis,
        /// Of their bounds.
        pub edge: Edge = Edge::Center,
        /// Default: that of the first.
        pub to: Option<Coordinate> = None,
    }
}

properties! {
    /// Arguments of `distribute`.
    pub struct Distribute {
        /// At least two.
        pub ids: Ids,
        /// Along which axis they move.
        pub axis: Axis,
        /// Default: first and last stay.
        pub gap: Option<LengthOrZero> = None,
    }
    check(self, reader) {
        let least = if self.gap.is_some() { 2 } else { 3 };
        let count = self.ids.as_slice().len();
        if count < least {
            reader.error(&format!("'ids' must name at least {least} things, got {count}"));
        }
    }
}

fn edge(extent: Extent, axis: usize, edge: Edge) -> f64 {
    match edge {
        Edge::Min => extent.min[axis],
        Edge::Center => extent.center()[axis],
        Edge::Max => extent.max[axis],
    }
}

fn along(axis: usize, way: f64) -> Motion {
    let mut shift = DVec3::ZERO;
    shift[axis] = way;
    Motion::shift(shift.to_array())
}

impl Planned for Align {
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        let units = space.units(self.ids.as_slice())?;
        if units.len() == 1 && self.to.is_none() {
            return Err(Violations::one(
                "align: name several things, or give the coordinate in 'to'",
            ));
        }
        let axis = self.axis.index();
        let coordinate = |unit: &Unit| edge(unit.solid.extent(), axis, self.edge);
        let goal = self.to.map_or_else(|| coordinate(&units[0]), Coordinate::get);
        let mut changes = PlanBuilder::default();
        for unit in &units {
            changes.moved(space, unit, &along(axis, goal - coordinate(unit)));
        }
        changes.finish()
    }
}

impl Planned for Distribute {
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        let mut units = space.units(self.ids.as_slice())?;
        let axis = self.axis.index();
        units.sort_by(|one, other| {
            let middle = |unit: &Unit| unit.solid.extent().center()[axis];
            middle(one).total_cmp(&middle(other))
        });
        let extent = |unit: &Unit| (unit.solid.extent().min[axis], unit.solid.extent().max[axis]);
        let lengths: f64 = units.iter().map(|unit| extent(unit).1 - extent(unit).0).sum();
        let (first, last) = (&units[0], &units[units.len() - 1]);
        let free = extent(last).1 - extent(first).0 - lengths;
        let gap = match self.gap {
            Some(gap) => gap.get(),
            None if free < 0.0 => {
                return Err(Violations::one(format!(
                    "distribute: the things are {:.3} m longer along {} than the room from '{}' to \
                     '{}'; give a 'gap' and they spread as far as needed",
                    -free,
                    self.axis.name(),
                    first.name,
                    last.name
                )));
            }
            None => free / (units.len() - 1) as f64,
        };
        let mut changes = PlanBuilder::default();
        let mut next = extent(first).0;
        for unit in &units {
            let (start, end) = extent(unit);
            changes.moved(space, unit, &along(axis, next - start));
            next += end - start + gap;
        }
        changes.finish()
    }
}
