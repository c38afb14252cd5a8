//! `array`: many of one thing in a pattern.

use std::f64::consts::TAU;

use glam::DVec3;
use scene::{
    Exponent, Group, Id, Kind, Length, LightSource, MAX_SHAPES, Motion, Shape, Violations,
};

use crate::args::{Coordinate, Count, Counts};
use crate::plan::{Plan, PlanBuilder, Planned};
use crate::solid::{Cast, Solid};
use crate::space::{Object, Space, Unit};

use super::copy::{Copier, Copy};
use super::pattern::{Array, Pattern};
use super::scatter::scatter;

impl Array {
    /// Where each of them goes, the first one first.
    fn motions(&self, space: &Space<'_>, unit: &Unit) -> Result<Vec<Motion>, Violations> {
        let solid = &unit.solid;
        let count = self.count.map_or(1, Count::get);
        let shifts = |shifts: Vec<DVec3>| {
            shifts.into_iter().map(|shift| Motion::shift(shift.to_array())).collect()
        };
        Ok(match self.pattern {
            Pattern::Line => {
                let own = DVec3::X * (solid.extent().size().x + self.gap());
                let step = self.step.map_or(own, |step| step.get().into());
                shifts((0..count).map(|at| step * at as f64).collect())
            }
            Pattern::Grid => shifts(self.grid(solid)),
            Pattern::Circle | Pattern::Spiral => self.ring(solid, count),
            Pattern::Stack => {
                let step = DVec3::Y * rest(solid, DVec3::ZERO, &[DVec3::ZERO], self.gap());
                shifts((0..count).map(|at| step * at as f64).collect())
            }
            Pattern::Pyramid => shifts(self.pyramid(solid, count)),
            Pattern::Scatter => scatter(space, unit, self)?,
        })
    }

    fn grid(&self, solid: &Solid) -> Vec<DVec3> {
        let own = solid.extent().size() + DVec3::splat(self.gap());
        let step = self.step.map_or(own, |step| step.get().into());
        let [columns, layers, rows] = self.counts.map_or([1; 3], Counts::get);
        let mut shifts = Vec::new();
        for y in 0..layers {
            for z in 0..rows {
                shifts
                    .extend((0..columns).map(|x| step * DVec3::new(x as f64, y as f64, z as f64)));
            }
        }
        shifts
    }

    fn ring(&self, solid: &Solid, count: u64) -> Vec<Motion> {
        let own = solid.extent().center();
        let middle = self.center.map_or(own, |center| DVec3::from(center.get())).with_y(own.y);
        let radius = self.radius.map_or(0.0, Length::get);
        let rise = self.rise.map(Coordinate::get);
        let turns = self.turns.map_or(2.0, Exponent::get);
        let place = |at: u64| {
            let at = at as f64;
            let share = at / (count.max(2) - 1) as f64;
            let (angle, radius, height) = match (self.pattern, rise) {
                (Pattern::Circle, _) => (TAU * at / count as f64, radius, 0.0),
                (_, Some(rise)) => (TAU * turns * share, radius, rise * share),
                (_, None) => (TAU * turns * share, radius * (at + 1.0) / count as f64, 0.0),
            };
            // Seen from above it goes round counter-clockwise, as a turn about y does.
            let goal = middle + DVec3::new(radius * angle.cos(), height, -radius * angle.sin());
            let shift = Motion::shift((goal - own).to_array());
            if !self.turn {
                return shift;
            }
            Motion::turn([0.0, angle.to_degrees(), 0.0], own.to_array()).then(shift)
        };
        (0..count).map(place).collect()
    }

    fn pyramid(&self, solid: &Solid, side: u64) -> Vec<DVec3> {
        let size = solid.extent().size() + DVec3::splat(self.gap());
        let (right, back) = (DVec3::X * size.x, DVec3::Z * size.z);
        let below = [DVec3::ZERO, right, back, right + back];
        let height = rest(solid, 0.5 * (right + back), &below, self.gap());
        let mut shifts = Vec::new();
        for layer in 0..side {
            let count = side - layer;
            let corner = -0.5 * (count - 1) as f64 * (right + back);
            for z in 0..count {
                shifts.extend((0..count).map(|x| {
                    corner + right * x as f64 + back * z as f64 + DVec3::Y * height * layer as f64
                }));
            }
        }
        shifts
    }
}

/// How high above its own place a copy, moved by `shift`, rests on the copies at `below`.
fn rest(solid: &Solid, shift: DVec3, below: &[DVec3], gap: f64) -> f64 {
    let height = solid.extent().size().y;
    let lift = 1.5 * height + 2.0 * gap + 1e-3 * solid.size();
    let way = below
        .iter()
        .map(|place| solid.cast(shift - *place + DVec3::Y * lift, DVec3::NEG_Y, solid, gap))
        .filter_map(|cast| match cast {
            Cast::After(way) => Some(way),
            Cast::Meets => Some(0.0),
            Cast::Never => None,
        });
    // What never meets the ones below is put a storey higher.
    lift - way.reduce(f64::min).unwrap_or(lift - height - gap)
}

impl Planned for Array {
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        let unit = space.unit(self.id.as_str())?;
        if let Some(group) = &self.group
            && let Some(kind) = space.scene.kind_of(group.as_str())
        {
            return Err(Violations::one(format!(
                "array property 'group': a {kind} '{group}' already exists; choose another name"
            )));
        }
        // Told before anything is computed: a large group times many copies would be endless.
        let made = unit.members.len() * usize::try_from(self.total()).unwrap_or(usize::MAX);
        if made > MAX_SHAPES {
            return Err(Violations::one(format!(
                "array: {made} shapes and lights would be made, and a scene holds at most {MAX_SHAPES}; take \
                 a smaller count"
            )));
        }
        let motions = self.motions(space, &unit)?;
        let (mut copier, mut changes) = (Copier::new(space), PlanBuilder::default());
        let mut motions = (1..).zip(&motions);
        if let Some((_, first)) = motions.next() {
            self.move_first(space, &unit, first, &mut changes);
        }
        for (number, motion) in motions {
            let copy = Copy { number, id: None, group: self.group.as_ref() };
            copier.copy(&unit, motion, copy, &mut changes)?;
        }
        let mut plan = changes.finish()?;
        if let Some(group) = &self.group {
            plan.about.push((Kind::Group, group.as_str().to_owned()));
        }
        Ok(plan)
    }
}

impl Array {
    /// The original takes the first place, and joins the group.
    fn move_first(
        &self,
        space: &Space<'_>,
        unit: &Unit,
        motion: &Motion,
        changes: &mut PlanBuilder,
    ) {
        let is_group = space.place_of(&unit.name).is_none();
        let Some(group) = &self.group else { return changes.moved(space, unit, motion) };
        changes.groups([Group { id: group.clone(), parent: None }]);
        if is_group {
            changes.moved(space, unit, motion);
            let id = Id::new(&unit.name);
            changes.groups(id.map(|id| Group { id, parent: Some(group.clone()) }));
            return;
        }
        let group = Some(group.clone());
        match space.bodies()[unit.members[0]].object {
            Object::Shape(shape) => match shape.geometry.moved(motion) {
                Ok(geometry) => changes.shape(Shape { group, geometry, ..(**shape).clone() }),
                Err(fault) => changes.fault("shape", shape.id.as_str(), &fault),
            },
            Object::Light(light) => match light.light.moved(motion) {
                Ok(moved) => {
                    changes.light(LightSource { group, light: moved, ..(**light).clone() });
                }
                Err(fault) => changes.fault("light", light.id.as_str(), &fault),
            },
        }
    }
}
