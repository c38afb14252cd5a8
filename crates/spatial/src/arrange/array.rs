//! `array`: many of one thing in a pattern.

use std::f64::consts::TAU;

use glam::DVec3;
use scene::{
    Exponent, Group, Id, Kind, Length, LightSource, MAX_SHAPES, Motion, Shape, Violations,
};
use serde_json::json;

use crate::args::{Axis, Coordinate, Count, Counts, several};
use crate::plan::{Plan, PlanBuilder, Planned};
use crate::solid::{Cast, Solid};
use crate::space::{Object, Space, Unit};

use super::copy::{Copier, Copy};
use super::pattern::{Array, MAX_COPIES, Pattern};
use super::scatter::{Random, Scattered, scatter, slope_under, surface_under, tilt};

impl Array {
    /// Where each of them goes, the first one first.
    fn motions(&self, solid: &Solid) -> Vec<Motion> {
        let count = self.count.map_or(1, Count::get);
        let shifts = |shifts: Vec<DVec3>| {
            shifts.into_iter().map(|shift| Motion::shift(shift.to_array())).collect()
        };
        match self.pattern {
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
            // Their copies may be of several things.
            Pattern::Path | Pattern::Scatter => Vec::new(),
        }
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
        // Without a radius it stays where it is, and the others follow on its ring.
        let away = own - middle;
        let own_angle = if self.radius.is_none() { (-away.z).atan2(away.x) } else { 0.0 };
        let radius = self.radius.map_or(away.with_y(0.0).length(), Length::get);
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
            let (sin, cos) = (own_angle + angle).sin_cos();
            let goal = middle + DVec3::new(radius * cos, height, -radius * sin);
            let shift = Motion::shift((goal - own).to_array());
            if !self.turn {
                return shift;
            }
            Motion::turn([0.0, angle.to_degrees(), 0.0], own.to_array()).then(shift)
        };
        (0..count).map(place).collect()
    }

    /// Evenly along a curve through the points, by its length; the first at its start, the last at its end. What
    /// is copied and how large it is may be left to chance.
    fn path(&self, space: &Space<'_>, units: &[Unit]) -> Result<Vec<Scattered>, Violations> {
        let ground = self.on.as_ref().map(|on| space.unit(on.as_str())).transpose()?;
        let curve = self
            .curve()
            .filter(|curve| curve.length() > 0.0)
            .ok_or_else(|| Violations::one("array: 'points' must be a path of some length"))?;
        let side = units[0].solid.extent().size().x + self.gap();
        let fitting = || ((curve.length() / side.max(1e-6)) as u64 + 1).min(MAX_COPIES);
        let count = self.count.map_or_else(fitting, Count::get);
        let mut random = Random::new(self.seed);
        let place = |at: u64| {
            let unit = if at == 0 { 0 } else { random.below(units.len()) };
            let factor = random.factor(self.sizes);
            let extent = units[unit].solid.extent();
            let foot = extent.center().with_y(extent.min.y);
            let share = at as f64 / (count.max(2) - 1) as f64;
            let (mut goal, ahead) = curve.at(share * curve.length());
            let pivot = foot.to_array();
            let mut motion = Motion::scale(factor, pivot);
            if self.turn {
                // What is along x goes along the path.
                let angle = (-ahead.z).atan2(ahead.x).to_degrees();
                motion = motion.then(Motion::turn([0.0, angle, 0.0], pivot));
            }
            if let Some(ground) = &ground {
                let height = surface_under(goal, &ground.solid).ok_or_else(|| {
                    let [x, z] = [goal.x, goal.z].map(|it| (it * 1e3).round() / 1e3);
                    Violations::one(format!(
                        "array: the path leaves '{}' at [{x}, {z}]; keep its points over what they stand on",
                        ground.name
                    ))
                })?;
                goal.y = height;
                let reach = (0.25 * extent.size().with_y(0.0).length()).max(1e-3);
                let normal = slope_under(goal, reach, &ground.solid).filter(|_| self.align);
                motion = motion.then(Motion::turn(tilt(normal.unwrap_or(DVec3::Y)), pivot));
            }
            let motion = motion.then(Motion::shift((goal - foot).to_array()));
            Ok(Scattered { unit, motion })
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
            && let Some(kind) = space.scene.kind_of(group.as_str()).filter(|kind| *kind != "group")
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
        let mut units = vec![unit];
        if let Some(also) = &self.also {
            units.extend(space.units(also.as_slice())?);
        }
        let copies = match self.pattern {
            Pattern::Scatter => scatter(space, &units, self)?,
            Pattern::Path => self.path(space, &units)?,
            _ => {
                let motions = self.motions(&units[0].solid).into_iter();
                motions.map(|motion| Scattered { unit: 0, motion }).collect()
            }
        };
        let (mut copier, mut changes) = (Copier::new(space), PlanBuilder::default());
        let mut numbers = vec![1; units.len()];
        let mut is_placed = vec![false; units.len()];
        for (at, copy) in copies.iter().enumerate() {
            // Of several things each goes to its first place itself, if one does.
            if at == 0 || (self.move_first && !is_placed[copy.unit]) {
                is_placed[copy.unit] = true;
                self.move_first(space, &units[copy.unit], &copy.motion, &mut changes);
                continue;
            }
            numbers[copy.unit] += 1;
            let of = Copy { number: numbers[copy.unit], id: None, group: self.group.as_ref() };
            copier.copy(&units[copy.unit], &copy.motion, of, &mut changes)?;
        }
        for (copy, image) in self.images(&units, &copies) {
            numbers[copy.unit] += 1;
            let of = Copy { number: numbers[copy.unit], id: None, group: self.group.as_ref() };
            copier.copy(&units[copy.unit], &image, of, &mut changes)?;
        }
        let mut plan = changes.finish()?;
        let asked = self.count.map_or(0, Count::get);
        let has_parts = units.iter().any(|unit| unit.members.len() > 1);
        let is_short = self.pattern == Pattern::Scatter && (copies.len() as u64) < asked;
        if is_short || has_parts {
            let ids: Vec<&str> = plan.about.iter().map(|(_, id)| id.as_str()).collect();
            let mut result = json!({ "count": ids.len(), "ids": several(&ids) });
            if has_parts {
                // The originals among them.
                result["things"] = numbers.iter().sum::<u64>().into();
            }
            if is_short {
                result["fitted"] = format!("{} of {asked}", copies.len()).into();
            }
            plan.result = Some(result);
        }
        if let Some(group) = &self.group {
            plan.about.push((Kind::Group, group.as_str().to_owned()));
        }
        Ok(plan)
    }
}

impl Array {
    /// The mirror images of copies that do not stand in the mirror themselves.
    fn images<'a>(&self, units: &[Unit], copies: &'a [Scattered]) -> Vec<(&'a Scattered, Motion)> {
        let Some(axis) = self.mirror.map(Axis::index) else { return Vec::new() };
        let at = self.center.map_or(0.0, |center| center.get()[axis]);
        let stands_in_it = |copy: &Scattered| {
            let extent = units[copy.unit].solid.extent();
            let center = copy.motion.point(extent.center().to_array());
            (center[axis] - at).abs() <= 0.05 * extent.size()[axis].max(1e-6)
        };
        let apart = copies.iter().filter(|copy| !stands_in_it(copy));
        apart.map(|copy| (copy, copy.motion.then(Motion::mirror(axis, at)))).collect()
    }

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
        if space.scene.kind_of(group.as_str()).is_none() {
            changes.groups([Group::new(group.clone(), None)]);
        }
        if is_group {
            changes.moved(space, unit, motion);
            let id = Id::new(&unit.name);
            changes.groups(
                id.map(|id| Group { parent: Some(group.clone()), ..space.turned(id, motion) }),
            );
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
