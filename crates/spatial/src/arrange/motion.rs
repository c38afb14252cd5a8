//! `move`, `rotate` and `scale`.

use glam::DVec3;
use scene::{
    Displacement, Geometry, Id, Light, Motion, Point, Rotation, Scale, Violations, properties,
};

use crate::args::{Goal, Ids, choice};
use crate::plan::{Plan, PlanBuilder, Planned};
use crate::solid::Solid;
use crate::space::{Object, Space, Unit};

use super::axes::Axes;

properties! {
    /// Arguments of `move`.
    pub struct Move {
        /// Shapes, lights, groups.
        pub ids: Ids,
        /// Way in metres.
        pub by: Option<Displacement> = None,
        /// Where the center of its bounds goes; null for an axis keeps it.
        pub to: Option<Goal> = None,
        /// By is in this group's own axes.
        pub along: Option<Id> = None,
    }
    check(self, reader) {
        if self.along.is_some() && self.to.is_some() {
            reader.error("'along' says how 'by' is meant; 'to' is a place in the world");
        }
        if self.by.is_some() == self.to.is_some() {
            reader.error("give either 'by' (the way) or 'to' (where its centre goes)");
        }
    }
}

properties! {
    /// Arguments of `rotate`.
    pub struct Rotate {
        /// Shapes, lights, groups.
        pub ids: Ids,
        /// Degrees about the world's x, then y, then z axis.
        pub by: Option<Rotation> = None,
        /// The rotation a box or mesh gets.
        pub to: Option<Rotation> = None,
        /// Default: the centre of each.
        pub pivot: Option<Point> = None,
        /// By is about its axes.
        pub along: Option<Id> = None,
    }
    check(self, reader) {
        if self.along.is_some() && self.to.is_some() {
            reader.error("'along' says how 'by' is meant; leave it out with 'to'");
        }
        if self.by.is_some() == self.to.is_some() {
            reader.error("give either 'by' (the turn) or 'to' (the rotation it gets)");
        }
    }
}

choice! {
    /// What stays where it is while something is scaled.
    pub enum Anchor {
        /// The middle of its underside.
        Bottom = "bottom",
        /// Its centre.
        Center = "center",
    }
}

properties! {
    /// Arguments of `scale`.
    pub struct Resize {
        /// Shapes, lights, groups.
        pub ids: Ids,
        /// Factor, or [x, y, z] along own axes.
        pub by: Option<Scale> = None,
        /// Length in metres its longest side gets.
        pub to: Option<scene::Length> = None,
        /// What stays where it is, default bottom.
        pub anchor: Anchor = Anchor::Bottom,
    }
    check(self, reader) {
        if self.by.is_some() == self.to.is_some() {
            reader.error("give either 'by' (the factor) or 'to' (the length of its longest side)");
        }
    }
}

impl Planned for Move {
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        let units = space.units(self.ids.as_slice())?;
        let axes = Axes::of(space, self.along.as_ref())?;
        let mut changes = PlanBuilder::default();
        // Several things keep their places to each other.
        let whole = Solid::union(units.iter().map(|unit| &unit.solid));
        let center = whole.map_or(DVec3::ZERO, |whole| whole.extent().center());
        let way = match (self.by, self.to) {
            (Some(by), _) => axes.vector(by.get()).into(),
            (_, Some(to)) => DVec3::from(to.from(center.to_array())) - center,
            (None, None) => DVec3::ZERO,
        };
        for unit in &units {
            changes.moved(space, unit, &Motion::shift(way.to_array()));
        }
        changes.finish()
    }
}

impl Planned for Rotate {
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        let units = space.units(self.ids.as_slice())?;
        let axes = Axes::of(space, self.along.as_ref())?;
        let mut changes = PlanBuilder::default();
        for unit in &units {
            let center = unit.solid.extent().center().to_array();
            let pivot = self.pivot.map_or(center, Point::get);
            match (self.by, self.to) {
                (Some(by), _) => changes.moved(space, unit, &axes.turn(by.get(), pivot)),
                (_, Some(to)) => turn_to(space, unit, to, &mut changes)?,
                (None, None) => {}
            }
        }
        changes.finish()
    }
}

/// Gives its rotation to what has one.
fn turn_to(
    space: &Space<'_>,
    unit: &Unit,
    to: Rotation,
    changes: &mut PlanBuilder,
) -> Result<(), Violations> {
    let refusal = || {
        Violations::one(format!(
            "'{}' has no rotation of its own to set; turn it by 'by', or set its direction by \
             update_shape",
            unit.name
        ))
    };
    let [at] = unit.members[..] else { return Err(refusal()) };
    let Object::Shape(shape) = space.bodies()[at].object else { return Err(refusal()) };
    let mut shape = (**shape).clone();
    *shape.geometry.rotation_mut().ok_or_else(refusal)? = to;
    changes.shape(shape);
    Ok(())
}

impl Planned for Resize {
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        let units = space.units(self.ids.as_slice())?;
        let mut changes = PlanBuilder::default();
        for unit in &units {
            let extent = unit.solid.extent();
            let pivot = match self.anchor {
                Anchor::Bottom => extent.center().with_y(extent.min.y),
                Anchor::Center => extent.center(),
            };
            let pivot = pivot.to_array();
            match (self.by, self.to) {
                (Some(Scale::PerAxis(factors)), _) => {
                    for at in &unit.members {
                        let stretch = |form: &Geometry| form.stretched(factors, pivot);
                        let refuse = |light: &Light| {
                            Err(scene::MotionError::OneFactorOnly(light.type_name()))
                        };
                        changes.put(space, *at, stretch, refuse);
                    }
                }
                (Some(Scale::Uniform(factor)), _) => {
                    changes.moved(space, unit, &Motion::scale(factor, pivot));
                }
                (_, Some(to)) => {
                    let size = unit.solid.size();
                    if size <= 0.0 {
                        return Err(Violations::one(format!(
                            "'{}' has no size to scale",
                            unit.name
                        )));
                    }
                    changes.moved(space, unit, &Motion::scale(to.get() / size, pivot));
                }
                (None, None) => {}
            }
        }
        changes.finish()
    }
}
