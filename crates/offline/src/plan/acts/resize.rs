//! Sizes: what rests on something rests on it after, and what stands on top rises along.

use std::collections::{HashMap, HashSet};

use glam::DVec3;

use crate::language::{
    Arrangement, Comparison, Determiner, Like, Phrase, Place, Shift, Size, Target,
};
use crate::plan::{Done, Planner, Problem};
use crate::world::{Body, Bounds, Form, Thing, World};

/// How close two faces have to be to touch.
const TOUCH: f64 = 2e-3;

impl Planner {
    /// Scales things: each about what it rests on; a group as one body.
    pub(crate) fn scale_by(&mut self, ids: &[String], factors: DVec3) -> Done {
        if factors.min_element() <= 0.0 || !factors.is_finite() {
            return Err(Problem::Cannot("A size has to stay above 0.".to_owned()));
        }
        let before = self.world.clone();
        let units = self.bodies(ids);
        let crowded_before = self.crowded(&units);
        for unit in &units {
            self.scale_unit(unit, factors)?;
        }
        if !crowded_before && self.crowded(&units) {
            self.spread(&units, factors);
        }
        self.make_room(&units, &before);
        Ok(())
    }

    pub(crate) fn bounds_of(&self, ids: &[String]) -> Option<Bounds> {
        World::bounds_of(self.world.things.iter().filter(|thing| ids.contains(&thing.id)))
    }

    /// Whether two of the bodies cut into each other.
    fn crowded(&self, units: &[Vec<String>]) -> bool {
        let bounds: Vec<Bounds> = units.iter().filter_map(|unit| self.bounds_of(unit)).collect();
        let meets =
            |(index, a): (usize, &Bounds)| bounds[index + 1..].iter().any(|b| b.overlaps(*a));
        bounds.iter().enumerate().any(meets)
    }

    /// Moves bodies apart as much as they grew.
    fn spread(&mut self, units: &[Vec<String>], factors: DVec3) {
        let all: Vec<String> = units.iter().flatten().cloned().collect();
        let Some(middle) = self.bounds_of(&all).map(Bounds::center) else { return };
        for unit in units {
            let Some(center) = self.bounds_of(unit).map(Bounds::center) else { continue };
            let away = ((center - middle) * (factors.max(DVec3::ONE) - 1.0)).with_y(0.0);
            for thing in self.world.things.iter_mut().filter(|thing| unit.contains(&thing.id)) {
                thing.moved(away);
            }
        }
        self.remark("I moved them apart so that they do not intersect.");
    }

    /// The things as bodies: those of one group belong together.
    pub(crate) fn bodies(&self, ids: &[String]) -> Vec<Vec<String>> {
        let mut bodies: Vec<(Option<String>, Vec<String>)> = Vec::new();
        for id in ids {
            let group = self.world.find(id).and_then(|thing| thing.group.clone());
            let same =
                |body: &&mut (Option<String>, Vec<String>)| group.is_some() && body.0 == group;
            match bodies.iter_mut().find(same) {
                Some((_, members)) => members.push(id.clone()),
                None => bodies.push((group, vec![id.clone()])),
            }
        }
        bodies.into_iter().map(|(_, members)| members).collect()
    }

    fn scale_unit(&mut self, unit: &[String], factors: DVec3) -> Done {
        let things = self.world.things.iter().filter(|thing| unit.contains(&thing.id));
        let Some(bounds) = World::bounds_of(things.clone()) else { return Ok(()) };
        let round = |thing: &Thing| matches!(thing.form(), Some(Form::Sphere { .. }));
        let uneven = factors.max_element() - factors.min_element() > 1e-9;
        let factors = if unit.len() > 1 && uneven && things.clone().any(round) {
            // Balls stay balls: parts that touch them would part from them.
            let told = factors.to_array().into_iter().find(|factor| (factor - 1.0).abs() > 1e-9);
            DVec3::splat(told.unwrap_or(1.0))
        } else {
            factors
        };
        let rests = self.rests(bounds, unit);
        let pivot = if rests { bounds.foot() } else { bounds.center() };
        // A flat floor keeps its height.
        self.each(unit, |thing| match &mut thing.body {
            Body::Shape { form, .. } => {
                form.scaled(factors, pivot).then_some(()).ok_or_else(|| {
                    format!(
                        "I cannot change the size of {} yet: it is a {}.",
                        thing.id,
                        form.type_name()
                    )
                })
            }
            Body::Light(lamp) => lamp
                .resized(factors.element_product().cbrt())
                .then_some(())
                .ok_or_else(|| format!("{} is a point light: it has no size.", thing.id)),
        })?;
        if rests {
            // Round shapes scale evenly: put the foot back where it was.
            let things = self.world.things.iter().filter(|thing| unit.contains(&thing.id));
            let sunk = World::bounds_of(things).map_or(0.0, |now| bounds.min.y - now.min.y);
            self.each(unit, |thing| {
                thing.moved(DVec3::Y * sunk);
                Ok(())
            })?;
        }
        let things = self.world.things.iter().filter(|thing| unit.contains(&thing.id));
        if let Some(now) = World::bounds_of(things) {
            self.carry(bounds, now.max.y - bounds.max.y, unit);
        }
        Ok(())
    }

    /// Whether something stands on the ground or on another thing.
    fn rests(&self, bounds: Bounds, own: &[String]) -> bool {
        let below = bounds.moved(DVec3::NEG_Y * TOUCH);
        let stands_on = |other: Bounds| {
            (other.max.y - bounds.min.y).abs() < TOUCH
                && other.widened(TOUCH).moved(DVec3::Y * TOUCH).overlaps(below)
        };
        (bounds.min.y - self.world.ground()).abs() < TOUCH
            || self
                .world
                .shapes()
                .filter(|thing| !own.contains(&thing.id))
                .any(|thing| stands_on(thing.bounds()))
    }

    /// Moves what stands on top of `below` by `rise`.
    fn carry(&mut self, below: Bounds, rise: f64, own: &[String]) {
        if rise.abs() > 1e-9 {
            for id in self.riders(below, own) {
                if let Some(thing) = self.world.find_mut(&id) {
                    thing.moved(DVec3::Y * rise);
                }
            }
        }
    }

    /// What stands on top of `below`, and what stands on that.
    pub(crate) fn riders(&self, below: Bounds, own: &[String]) -> Vec<String> {
        let mut units = self.riding_units(own);
        let mut riders: Vec<String> = Vec::new();
        let mut tops = vec![below];
        while let Some(top) = tops.pop() {
            units.retain(|(ids, bounds)| {
                let middle = bounds.center();
                let over = (top.min.x..=top.max.x).contains(&middle.x)
                    && (top.min.z..=top.max.z).contains(&middle.z);
                let on_it = (bounds.min.y - top.max.y).abs() < TOUCH && over;
                if on_it {
                    riders.extend(ids.iter().cloned());
                    tops.push(*bounds);
                }
                !on_it
            });
        }
        riders
    }

    /// What may stand on something: objects as a whole, but for the other parts of what is moved.
    fn riding_units(&self, own: &[String]) -> Vec<(Vec<String>, Bounds)> {
        let own: HashSet<&str> = own.iter().map(String::as_str).collect();
        let is_own = |thing: &&Thing| own.contains(thing.id.as_str());
        let (own, others): (Vec<&Thing>, Vec<&Thing>) = self.world.objects().partition(is_own);
        let own_groups: HashSet<&str> = own.into_iter().filter_map(Thing::assembly).collect();
        let mut at: HashMap<&str, usize> = HashMap::new();
        let mut units: Vec<(Vec<String>, Bounds)> = Vec::new();
        for thing in others {
            let group = thing.assembly().filter(|group| !own_groups.contains(group));
            match group.and_then(|group| at.get(group)) {
                Some(index) => {
                    let (ids, bounds) = &mut units[*index];
                    ids.push(thing.id.clone());
                    *bounds = bounds.union(thing.bounds());
                }
                None => {
                    at.extend(group.map(|group| (group, units.len())));
                    units.push((vec![thing.id.clone()], thing.bounds()));
                }
            }
        }
        units
    }

    /// So many metres more or less along what is compared: "50 cm taller".
    pub(crate) fn grow(&mut self, ids: &[String], comparison: Comparison, metres: f64) -> Done {
        for unit in self.bodies(ids) {
            let Some(bounds) = self.bounds_of(&unit) else { continue };
            let now = bounds.size();
            let more = |length: f64| 1.0 + metres / length.max(1e-6);
            let less = |length: f64| 1.0 - metres / length.max(1e-6);
            let factors = match comparison {
                Comparison::Taller => DVec3::ONE.with_y(more(now.y)),
                Comparison::Shorter | Comparison::Flatter => DVec3::ONE.with_y(less(now.y)),
                Comparison::Wider | Comparison::Longer => DVec3::ONE.with_x(more(now.x)),
                Comparison::Narrower => DVec3::ONE.with_x(less(now.x)),
                Comparison::Deeper => DVec3::ONE.with_z(more(now.z)),
                Comparison::Smaller => DVec3::splat(less(bounds.extent())),
                _ => DVec3::splat(more(bounds.extent())),
            };
            self.scale_by(&unit, factors)?;
        }
        Ok(())
    }

    /// Sizes in numbers, or words ("tiny") relative to now.
    pub(crate) fn resize(&mut self, ids: &[String], size: &Size) -> Done {
        crate::plan::scenery::template::check(size)?;
        let before = self.world.clone();
        let units = self.bodies(ids);
        for unit in units.clone() {
            let things = self.world.things.iter().filter(|thing| unit.contains(&thing.id));
            let Some(bounds) = World::bounds_of(things) else { continue };
            let form = match unit.as_slice() {
                [only] => self.world.find(only).and_then(|thing| thing.form().cloned()),
                _ => None,
            };
            let mut factors = self.factors(size, bounds, form.as_ref(), &unit)?;
            let round = |id: &String| {
                let form = self.world.find(id).and_then(crate::world::Thing::form);
                matches!(form, Some(Form::Sphere { .. } | Form::Torus { .. }))
            };
            if unit.len() > 1 && size.height.is_some() && unit.iter().any(round) {
                // What has round parts keeps its proportions.
                factors = DVec3::splat(factors.y);
            }
            self.scale_unit(&unit, factors)?;
        }
        self.make_room(&units, &before);
        Ok(())
    }

    fn factors(
        &self,
        size: &Size,
        bounds: Bounds,
        form: Option<&Form>,
        unit: &[String],
    ) -> Result<DVec3, Problem> {
        let now = bounds.size().max(DVec3::splat(1e-6));
        // "half a metre long", of what stands: so it is along its axis.
        let stands = form.is_some_and(|form| {
            ["cylinder", "cone", "capsule"].contains(&form.type_name()) && now.y >= now.x
        });
        let along = Size { height: size.width, width: None, ..size.clone() };
        let long = stands && size.length_told && size.height.is_none();
        let size = if long { &along } else { size };
        if long && form.is_some_and(|form| form.type_name() == "capsule") {
            return Ok(DVec3::splat(size.height.unwrap_or(now.y) / now.y));
        }
        let round = matches!(form, Some(Form::Sphere { .. }));
        let across = match form {
            Some(Form::Sphere { radius, .. } | Form::Disc { radius, .. }) => Some(*radius),
            Some(Form::Cylinder { radius, .. }) => Some(*radius),
            Some(Form::Cone { base_radius, .. }) => Some(*base_radius),
            Some(Form::Torus { radius, thickness, .. }) => Some(radius + thickness / 2.0),
            _ => None,
        };
        let thick = size.thickness.filter(|_| across.is_some());
        let slab = size.thickness.filter(|_| across.is_none());
        let mut factors = size.factors;
        if let Some(extent) = size.extent {
            factors = DVec3::splat(extent / bounds.extent().max(1e-6));
        }
        if let Some(radius) = size.radius.or(size.diameter.or(thick).map(|diameter| diameter / 2.0))
        {
            let Some(current) = across else {
                return Err(Problem::Cannot(format!(
                    "{} has no radius; give a width, a height or a depth.",
                    crate::answer::list(unit)
                )));
            };
            let level = radius / current;
            factors = if round { DVec3::splat(level) } else { DVec3::new(level, 1.0, level) };
        }
        if let (true, Some(edge)) = (round, size.width.or(size.height).or(size.depth)) {
            factors = DVec3::splat(edge / now.x);
        } else {
            let ratio = |wanted: Option<f64>, now: f64, factor: f64| {
                wanted.map_or(factor, |wanted| wanted / now)
            };
            let circular = across.is_some();
            let depth = size.depth.or(if circular { size.width } else { None });
            let width = size.width.or(if circular { size.depth } else { None });
            factors.x = ratio(width, now.x, factors.x);
            factors.y = ratio(size.height.or(slab), now.y, factors.y);
            factors.z = ratio(depth, now.z, factors.z);
        }
        if let Some(Like { factor, model, than }) = &size.like
            && let Some(model) = self.bounds_of_model(model)?
        {
            let wanted = factor * model.extent() / bounds.extent().max(1e-6);
            // Bigger than the other already: bigger still, never smaller.
            let against = *than && (wanted > 1.0) != (*factor > 1.0);
            factors = DVec3::splat(if against { *factor } else { wanted });
        }
        Ok(factors)
    }

    /// Copies things, as one body, to a free place or the one told.
    pub(crate) fn duplicate(
        &mut self,
        target: &Target,
        count: usize,
        places: &[Place],
        shift: Option<Shift>,
    ) -> Done {
        let ids = self.resolve(target)?;
        // "a copy of the cone beside it".
        self.context.focus.clone_from(&ids);
        let made = self.copies(&ids, count, places, shift)?;
        self.context.focus = made;
        Ok(())
    }

    /// "make five of them": copies until there are so many, laid out where told.
    pub(crate) fn multiply(
        &mut self,
        target: &Target,
        total: usize,
        how: Option<&Arrangement>,
    ) -> Done {
        let mut ids = self.resolve(target)?;
        // "make five of them" after "another one": those made before it count.
        let all = Phrase { plural: true, ..Phrase::new(Determiner::Them) };
        let focus = |phrase: &Phrase| phrase.determiner == Determiner::Focus;
        if target.0.iter().all(focus)
            && let Ok(all) = self.resolve(&Target::of(all))
            && ids.iter().all(|id| all.contains(id))
            && self.wholes(&all).len() < total
        {
            ids = all;
        }
        let wholes = self.wholes(&ids);
        let missing = total.saturating_sub(wholes.len());
        if missing == 0 && wholes.len() > total {
            return Err(Problem::Cannot(format!(
                "There are {} already; say which of them to remove.",
                wholes.len()
            )));
        }
        let step = self.step_of_row(&wholes);
        if let (Some(step), Some(last)) = (step, wholes.last()) {
            // The row goes on.
            for count in 1..=missing {
                let copy = self.copies(last, 1, &[Place::Origin], None)?;
                let foot = |ids: &[String]| self.bounds_of(ids).map(Bounds::foot);
                let (Some(from), Some(now)) = (foot(last), foot(&copy)) else { continue };
                let by = from + step * count as f64 - now;
                for thing in self.world.things.iter_mut().filter(|thing| copy.contains(&thing.id)) {
                    thing.moved(by);
                }
                ids.extend(copy);
            }
        } else if let Some(last) = wholes.last() {
            ids.extend(self.copies(last, missing, &[], None)?);
        }
        if let Some(how) = how {
            let all = Target(ids.iter().cloned().map(Phrase::named).collect());
            self.arrange(&all, how)?;
        }
        self.context.focus = ids;
        Ok(())
    }

    /// Whether all of these stand on the ground: "10 cm lower" makes them shorter.
    pub(crate) fn stand_on_ground(&self, ids: &[String]) -> bool {
        let ground = self.world.ground();
        let stands = |unit: &Vec<String>| {
            self.bounds_of(unit).is_some_and(|bounds| (bounds.min.y - ground).abs() < 0.02)
        };
        self.wholes(ids).iter().all(stands)
    }

    /// From each to the next of things that stand in an even row on one level.
    fn step_of_row(&self, wholes: &[Vec<String>]) -> Option<DVec3> {
        let feet: Vec<DVec3> =
            wholes.iter().filter_map(|unit| self.bounds_of(unit).map(Bounds::foot)).collect();
        let steps: Vec<DVec3> = feet.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let first = *steps.first()?;
        let even = steps.iter().all(|step| step.abs_diff_eq(first, 1e-3));
        let width = self.bounds_of(wholes.first()?)?.extent();
        let near = (1e-3..3.0 * width).contains(&first.length());
        (even && first.y.abs() < 1e-3 && near).then_some(first)
    }

    pub(crate) fn copies(
        &mut self,
        ids: &[String],
        count: usize,
        places: &[Place],
        shift: Option<Shift>,
    ) -> Result<Vec<String>, Problem> {
        let things = self.world.things.iter().filter(|thing| ids.contains(&thing.id));
        let originals: Vec<_> = things.cloned().collect();
        let Some(bounds) = World::bounds_of(originals.iter()) else { return Ok(Vec::new()) };
        let mut made = Vec::new();
        for index in 0..count.min(100) {
            // Beside the original where nothing else was said, at its height.
            let offset = match (shift, places) {
                (Some(shift), _) => {
                    let usual = bounds.size().dot(self.direction(shift.way).abs()) * 1.25;
                    let step = shift.metres.unwrap_or(usual.max(0.1));
                    let way = self.direction(shift.way);
                    let told = way * step * (index + 1) as f64;
                    let further = |more: i32| told + way * (0.2 * step * f64::from(more));
                    let free = |by: &DVec3| self.is_free(bounds.moved(*by), &[]);
                    let clear = (0..100).map(further).find(free).filter(|_| shift.metres.is_none());
                    clear.unwrap_or(told)
                }
                (None, []) => {
                    let spot = self.spot(bounds, &[], &[])?;
                    spot.offset.with_y(0.0)
                }
                (None, places) => self.spot(bounds, places, &[])?.offset,
            };
            let group_of = |group: &Option<String>, world: &World| {
                group.as_ref().map(|group| world.free_id(crate::resolve::stem(group)))
            };
            let group = originals.first().map(|thing| group_of(&thing.group, &self.world));
            for original in &originals {
                let mut copy = original.clone();
                copy.origin = None;
                copy.group = original.group.as_ref().and(group.clone().flatten());
                copy.id = self.world.free_id(&match (&original.group, &copy.group) {
                    (Some(old), Some(new)) => original.id.replacen(old.as_str(), new, 1),
                    _ => crate::resolve::stem(&original.id).to_owned(),
                });
                copy.moved(offset);
                made.push(copy.id.clone());
                self.world.things.push(copy);
            }
        }
        Ok(made)
    }
}
