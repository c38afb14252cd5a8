//! Laying out things that are there: in a pattern, on a line, further apart, in groups, mirrored.
//!
//! A group moves as one body; what stands on a body moves along with it.

use glam::DVec3;

use crate::language::{Arrangement, Determiner, Noun, Pattern, Phrase, Target};
use crate::plan::places::arrange::Layout;
use crate::plan::{Done, Planner, Problem, as_id};
use crate::world::{Body, Bounds, Form, World};

/// A body that is moved as a whole, and where it is.
struct Unit {
    ids: Vec<String>,
    bounds: Bounds,
}

impl Planner {
    /// What is to be laid out: "it" alone cannot be, so all that was made or spoken of with it.
    fn to_arrange(&self, target: &Target) -> Result<Vec<String>, Problem> {
        let ids = self.resolve(target)?;
        let it = |phrase: &Phrase| phrase.determiner == Determiner::It;
        if self.units(&ids).len() > 1 || !target.0.iter().all(it) {
            return Ok(ids);
        }
        let several = [Determiner::Focus, Determiner::Them].into_iter().find_map(|determiner| {
            let all = self.resolve(&Target::of(Phrase::new(determiner))).ok()?;
            (self.units(&all).len() > 1).then_some(all)
        });
        Ok(several.unwrap_or(ids))
    }

    /// Lays out what `target` means.
    pub(crate) fn arrange(&mut self, target: &Target, how: &Arrangement) -> Done {
        let mut ids = self.to_arrange(target)?;
        if ids.iter().any(|id| self.is_plain_object(id)) {
            ids.retain(|id| self.is_plain_object(id));
        }
        let units = self.units(&ids);
        let with = match how {
            Arrangement::Align { with: Some(with), .. } => Some(self.middle_of(with)?),
            _ => None,
        };
        if units.len() < 2 && with.is_none() {
            return Err(Problem::Cannot(format!(
                "There is only one thing to arrange: {}. Name two or more, please.",
                crate::answer::list(&ids)
            )));
        }
        match how {
            Arrangement::Pattern { pattern, grid, gap, around } => {
                self.in_pattern(&units, *pattern, *grid, *gap, around.as_ref())?;
            }
            Arrangement::Piled { largest_below } => self.pile_up(&units, *largest_below),
            Arrangement::Sorted { largest_first } => self.in_order_of_size(&units, *largest_first),
            Arrangement::Align { axis, .. } => self.align(&units, *axis, with),
            Arrangement::Spread(factor) => self.spread_out(&units, *factor),
            Arrangement::Distribute { axis, gap } => self.distribute(&units, *axis, *gap),
        }
        self.context.focus = ids;
        Ok(())
    }

    /// The bodies among `ids`, without those that stand on another of them: they come along.
    fn units(&self, ids: &[String]) -> Vec<Unit> {
        // The members of one group are laid out among each other.
        let bodies = match self.bodies(ids) {
            one if one.len() < 2 => self.wholes(ids),
            several => several,
        };
        let bounded: Vec<Unit> = bodies
            .into_iter()
            .filter_map(|ids| Some(Unit { bounds: self.bounds_of(&ids)?, ids }))
            .collect();
        bounded
    }

    fn middle_of(&self, target: &Target) -> Result<DVec3, Problem> {
        let ids = self.resolve(target)?;
        Ok(self.bounds_of(&ids).map_or(DVec3::ZERO, Bounds::center))
    }

    /// Moves each unit so that its foot comes to the place given; what stands on it goes along,
    /// unless it is given a place itself.
    fn put_feet(&mut self, units: &[Unit], feet: &[DVec3]) {
        let moved: Vec<String> = units.iter().flat_map(|unit| unit.ids.clone()).collect();
        let along: Vec<Vec<String>> =
            units.iter().map(|unit| self.riders(unit.bounds, &moved)).collect();
        for ((unit, foot), riders) in units.iter().zip(feet).zip(along) {
            let by = *foot - unit.bounds.foot();
            for id in unit.ids.iter().chain(&riders) {
                if let Some(thing) = self.world.find_mut(id) {
                    thing.moved(by);
                }
            }
        }
    }

    /// The height that all of them stand at: of the table they are on, else of the ground.
    fn level_of(&self, units: &[Unit]) -> f64 {
        let ground = self.world.ground();
        let Some(first) = units.first().map(|unit| unit.bounds.min.y) else { return ground };
        let level = |unit: &Unit| (unit.bounds.min.y - first).abs() < 0.01;
        let carried =
            |unit: &Unit| (self.level_at(unit.bounds.center(), unit.bounds) - first).abs() < 0.01;
        if units.iter().all(|unit| level(unit) && carried(unit)) { first } else { ground }
    }

    fn in_pattern(
        &mut self,
        units: &[Unit],
        pattern: Pattern,
        grid: Option<(usize, usize)>,
        gap: Option<f64>,
        around: Option<&Target>,
    ) -> Done {
        let ground = self.level_of(units);
        let ids: Vec<String> = units.iter().flat_map(|unit| unit.ids.clone()).collect();
        let (mut middle, mut clear_radius) = match around {
            Some(target) => {
                let other = self.bounds_of(&self.resolve(target)?);
                let other = other.unwrap_or(Bounds::around(DVec3::ZERO, DVec3::ZERO));
                (other.center(), other.size().with_y(0.0).length() / 2.0)
            }
            None => (self.bounds_of(&ids).map_or(DVec3::ZERO, Bounds::center), 0.0),
        };
        if pattern == Pattern::Stack {
            self.pile_up(units, true);
            return Ok(());
        }
        let cell = units.iter().fold(DVec3::ZERO, |cell, unit| cell.max(unit.bounds.size()));
        if matches!(pattern, Pattern::Scatter | Pattern::Circle | Pattern::Arc) {
            clear_radius = clear_radius.max(0.0);
        }
        let layout = Layout {
            pattern,
            count: units.len(),
            grid,
            cell,
            round: units.iter().all(|unit| self.is_ball(&unit.ids)),
            clear_radius,
            gap,
            radius: None,
        };
        middle.y = ground;
        let (right, towards) = (self.world.camera.right(), self.world.camera.towards());
        let shape: Vec<DVec3> = layout.feet();
        let feet = |middle: DVec3| -> Vec<DVec3> {
            let turned =
                |foot: &DVec3| middle + right * foot.x + towards * foot.z + DVec3::Y * foot.y;
            shape.iter().map(turned).collect()
        };
        // As a whole to where nothing else stands, nearest to where the things were.
        let reach = Bounds {
            min: feet(middle).iter().fold(DVec3::INFINITY, |low, foot| low.min(*foot))
                - DVec3::new(cell.x, 0.0, cell.z) / 2.0,
            max: feet(middle).iter().fold(DVec3::NEG_INFINITY, |high, foot| high.max(*foot))
                + DVec3::new(cell.x / 2.0, cell.y, cell.z / 2.0),
        };
        let by = if around.is_some() { DVec3::ZERO } else { self.nearest_free(reach, &ids) };
        let mut sorted: Vec<&Unit> = units.iter().collect();
        if matches!(pattern, Pattern::Row | Pattern::Steps) {
            // The order they stand in already is kept.
            sorted.sort_by(|a, b| {
                a.bounds.center().dot(right).total_cmp(&b.bounds.center().dot(right))
            });
        }
        let units: Vec<Unit> = sorted
            .into_iter()
            .map(|unit| Unit { ids: unit.ids.clone(), bounds: unit.bounds })
            .collect();
        self.put_feet(&units, &feet(middle + by));
        Ok(())
    }

    /// In a row through their middle, by how large they are.
    fn in_order_of_size(&mut self, units: &[Unit], largest_first: bool) {
        let extent = |unit: &Unit| unit.bounds.size().max(DVec3::splat(1e-3)).element_product();
        let mut sorted: Vec<&Unit> = units.iter().collect();
        sorted.sort_by(|a, b| extent(a).total_cmp(&extent(b)));
        if largest_first {
            sorted.reverse();
        }
        let right = self.world.camera.right();
        let ids: Vec<String> = units.iter().flat_map(|unit| unit.ids.clone()).collect();
        let middle = self.bounds_of(&ids).map_or(DVec3::ZERO, Bounds::center);
        let width = |unit: &Unit| unit.bounds.size().dot(right.abs());
        let total: f64 = units.iter().map(width).sum();
        let gap = 0.25 * total / units.len().max(1) as f64;
        let mut at = -(total + gap * (units.len() - 1) as f64) / 2.0;
        let mut feet = Vec::new();
        for unit in &sorted {
            let along = right * (at + width(unit) / 2.0);
            feet.push((middle + along).with_y(unit.bounds.min.y));
            at += width(unit) + gap;
        }
        let units: Vec<Unit> = sorted
            .into_iter()
            .map(|unit| Unit { ids: unit.ids.clone(), bounds: unit.bounds })
            .collect();
        self.put_feet(&units, &feet);
    }

    /// The shortest way for a body to where it overlaps nothing but `own`.
    fn nearest_free(&self, bounds: Bounds, own: &[String]) -> DVec3 {
        let step = (bounds.size().x.min(bounds.size().z) / 4.0).max(0.25);
        let (right, towards) = (self.world.camera.right(), self.world.camera.towards());
        let mut ways = (0..200).flat_map(|ring| {
            let reach = step * f64::from(ring);
            [towards, -towards, right, -right].map(|way| way * reach)
        });
        ways.find(|by| self.is_free(bounds.moved(*by), own)).unwrap_or(DVec3::ZERO)
    }

    fn is_ball(&self, ids: &[String]) -> bool {
        let ball = |id: &String| {
            matches!(self.world.find(id).and_then(|thing| thing.form()), Some(Form::Sphere { .. }))
        };
        ids.len() == 1 && ids.iter().all(ball)
    }

    /// One on the other, the widest below or on top.
    fn pile_up(&mut self, units: &[Unit], largest_below: bool) {
        let mut sorted: Vec<&Unit> = units.iter().collect();
        let area = |unit: &Unit| unit.bounds.size().x * unit.bounds.size().z;
        sorted.sort_by(|a, b| area(b).total_cmp(&area(a)));
        if !largest_below {
            sorted.reverse();
        }
        let Some(first) = sorted.first() else { return };
        let mut foot = first.bounds.foot().with_y(self.world.ground());
        let mut feet = Vec::new();
        for unit in &sorted {
            feet.push(foot);
            foot.y += unit.bounds.size().y;
        }
        let units: Vec<Unit> = sorted
            .into_iter()
            .map(|unit| Unit { ids: unit.ids.clone(), bounds: unit.bounds })
            .collect();
        self.put_feet(&units, &feet);
    }

    /// On one line: the axis they are spread along the most stays, the others become equal.
    fn align(&mut self, units: &[Unit], axis: Option<DVec3>, with: Option<DVec3>) {
        let centers: Vec<DVec3> = units.iter().map(|unit| unit.bounds.center()).collect();
        let mean = centers.iter().sum::<DVec3>() / centers.len().max(1) as f64;
        let line = with.unwrap_or(mean);
        let along = axis.unwrap_or_else(|| {
            let all = centers
                .iter()
                .chain(&with)
                .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), center| {
                    (low.min(*center), high.max(*center))
                });
            let spread = all.1 - all.0;
            if spread.x >= spread.z { DVec3::X } else { DVec3::Z }
        });
        let feet: Vec<DVec3> = units
            .iter()
            .map(|unit| {
                let foot = unit.bounds.foot();
                let free = along.abs() + if along.y.abs() > 0.5 { DVec3::ZERO } else { DVec3::Y };
                foot * free + line * (DVec3::ONE - free)
            })
            .collect();
        let placed: Vec<Unit> = units
            .iter()
            .zip(&feet)
            .map(|(unit, foot)| Unit {
                ids: unit.ids.clone(),
                bounds: unit.bounds.moved(*foot - unit.bounds.foot()),
            })
            .collect();
        let meets = |(index, unit): (usize, &Unit)| {
            placed[index + 1..].iter().any(|other| other.bounds.overlaps(unit.bounds))
        };
        self.put_feet(units, &feet);
        if along.y.abs() < 0.5 && placed.iter().enumerate().any(meets) {
            self.distribute(&placed, Some(along), None);
        }
    }

    /// Distances from the middle scaled; nothing is pushed into another thing.
    fn spread_out(&mut self, units: &[Unit], factor: f64) {
        let centers: Vec<DVec3> = units.iter().map(|unit| unit.bounds.center()).collect();
        let mean = centers.iter().sum::<DVec3>() / centers.len().max(1) as f64;
        let at = |factor: f64| -> Vec<DVec3> {
            let by = centers.iter().map(|center| ((*center - mean) * (factor - 1.0)).with_y(0.0));
            units.iter().zip(by).map(|(unit, by)| unit.bounds.foot() + by).collect()
        };
        let free = |feet: &[DVec3]| {
            let bounds: Vec<Bounds> = units
                .iter()
                .zip(feet)
                .map(|(unit, foot)| unit.bounds.moved(*foot - unit.bounds.foot()))
                .collect();
            (0..bounds.len())
                .all(|index| bounds[index + 1..].iter().all(|other| !other.overlaps(bounds[index])))
        };
        // Less near, as long as they would meet.
        let mut factor = factor;
        while factor < 0.98 && !free(&at(factor)) {
            factor = 1.0 - (1.0 - factor) * 0.8;
        }
        let feet = at(factor);
        self.put_feet(units, &feet);
    }

    /// Equal gaps between neighbours along an axis.
    fn distribute(&mut self, units: &[Unit], axis: Option<DVec3>, gap: Option<f64>) {
        let ids: Vec<String> = units.iter().flat_map(|unit| unit.ids.clone()).collect();
        let Some(whole) = self.bounds_of(&ids) else { return };
        let axis =
            axis.unwrap_or(if whole.size().x >= whole.size().z { DVec3::X } else { DVec3::Z });
        let axis = axis.abs();
        let mut sorted: Vec<&Unit> = units.iter().collect();
        sorted.sort_by(|a, b| a.bounds.center().dot(axis).total_cmp(&b.bounds.center().dot(axis)));
        let filled: f64 = units.iter().map(|unit| unit.bounds.size().dot(axis)).sum();
        let gaps = (units.len().saturating_sub(1)).max(1) as f64;
        let least = 0.1 * filled / units.len().max(1) as f64;
        let gap = gap.unwrap_or(((whole.size().dot(axis) - filled) / gaps).max(least)).max(0.0);
        let length = filled + gap * gaps;
        let mut at = whole.center().dot(axis) - length / 2.0;
        let mut feet = Vec::new();
        for unit in &sorted {
            let width = unit.bounds.size().dot(axis);
            let foot = unit.bounds.foot();
            let center = unit.bounds.center().dot(axis);
            feet.push(foot + axis * (at + width / 2.0 - center));
            at += width + gap;
        }
        let units: Vec<Unit> = sorted
            .into_iter()
            .map(|unit| Unit { ids: unit.ids.clone(), bounds: unit.bounds })
            .collect();
        self.put_feet(&units, &feet);
    }

    /// Mirrored copies at the plane beside the things, or through the middle of the scene when
    /// they stand clear of it.
    pub(crate) fn mirror(&mut self, target: &Target, axis: Option<DVec3>) -> Done {
        if self.is_all_of_it(target) {
            return self.mirror_all(axis);
        }
        let ids = self.resolve(target)?;
        let Some(bounds) = self.bounds_of(&ids) else { return Ok(()) };
        let axis = axis.unwrap_or(self.world.camera.right()).abs();
        let middle = World::bounds_of(self.world.objects()).map_or(DVec3::ZERO, Bounds::center);
        let (low, high) = (bounds.min.dot(axis), bounds.max.dot(axis));
        let clear = |at: f64| at < low - 1e-6 || at > high + 1e-6;
        let step = 0.125 * (high - low).max(0.2);
        let beside = (1..200).map(|count| high + step * f64::from(count));
        let plane = [0.0, middle.dot(axis)]
            .into_iter()
            .filter(|_| axis.y < 0.5)
            .chain(beside)
            .find(|at| {
                let mirrored = bounds.moved(axis * (2.0 * (at - bounds.center().dot(axis))));
                clear(*at) && self.is_free(mirrored, &ids)
            })
            .unwrap_or(high + step);
        let made = self.copies(&ids, 1, &[], None)?;
        for (original, copy) in ids.iter().zip(&made) {
            let Some(form) = self.world.find(original).map(|thing| thing.body.clone()) else {
                continue;
            };
            if let Some(thing) = self.world.find_mut(copy) {
                thing.body = form;
                if !thing.body.mirrored(axis, plane) {
                    return Err(Problem::Cannot(format!("I cannot mirror {original}.")));
                }
            }
        }
        self.context.focus = made;
        Ok(())
    }

    /// "the scene", "everything", "the whole row" where no row goes by that name.
    fn is_all_of_it(&self, target: &Target) -> bool {
        target.0.iter().all(|phrase| {
            let row = phrase.pattern.is_some() && phrase.head.is_none();
            phrase.head == Some(Noun::Scene)
                || phrase.determiner == Determiner::Everything
                || (row && self.resolve(&Target::of(phrase.clone())).is_err())
        })
    }

    /// Everything to where it is seen in a mirror: what was on the left is on the right.
    fn mirror_all(&mut self, axis: Option<DVec3>) -> Done {
        let ids: Vec<String> = self
            .world
            .objects()
            .filter(|thing| !thing.is_floor() && !thing.is_wall())
            .map(|thing| thing.id.clone())
            .collect();
        let Some(whole) = self.bounds_of(&ids) else {
            return Err(Problem::Cannot("There is nothing to mirror.".to_owned()));
        };
        let axis = axis.unwrap_or(self.world.camera.right()).abs();
        // The axis of the document that is the nearest.
        let axis = [DVec3::X, DVec3::Y, DVec3::Z]
            .into_iter()
            .max_by(|a, b| a.dot(axis).total_cmp(&b.dot(axis)))
            .unwrap_or(DVec3::X);
        let plane = whole.center().dot(axis);
        for thing in self.world.things.iter_mut().filter(|thing| ids.contains(&thing.id)) {
            if !thing.body.mirrored(axis, plane) {
                return Err(Problem::Cannot(format!("I cannot mirror {}.", thing.id)));
            }
        }
        self.context.focus = ids;
        Ok(())
    }

    /// Lets things belong together.
    pub(crate) fn group(&mut self, target: &Target, name: Option<&str>) -> Done {
        let ids = self.resolve(target)?;
        if ids.len() < 2 {
            return Err(Problem::Cannot(format!(
                "A group needs two things or more; I found {}.",
                crate::answer::list(&ids)
            )));
        }
        let wanted = name.map_or_else(|| "group".to_owned(), as_id);
        let group = self.world.free_id(&wanted);
        for id in &ids {
            if let Some(thing) = self.world.find_mut(id) {
                thing.group = Some(group.clone());
            }
        }
        self.context.focus = ids;
        Ok(())
    }

    /// Lets things belong to no group.
    pub(crate) fn ungroup(&mut self, target: &Target) -> Done {
        let ids = self.resolve(target)?;
        let grouped = |id: &String| self.world.find(id).is_some_and(|thing| thing.group.is_some());
        if !ids.iter().any(grouped) {
            return Err(Problem::Cannot(format!("{} is in no group.", crate::answer::list(&ids))));
        }
        for id in &ids {
            if let Some(thing) = self.world.find_mut(id) {
                thing.group = None;
            }
        }
        self.context.focus = ids;
        Ok(())
    }
}

impl Body {
    /// Mirrors it at the plane where the coordinate along `axis` (a unit vector) is `at`; whether
    /// this kind of body can be mirrored.
    fn mirrored(&mut self, axis: DVec3, at: f64) -> bool {
        let flip = |vector: DVec3| vector - axis * 2.0 * vector.dot(axis);
        let point = |point: DVec3| flip(point) + axis * 2.0 * at;
        let center = match self {
            Self::Shape { form, .. } => form.bounds().center(),
            Self::Light(lamp) => lamp.bounds().center(),
        };
        match self {
            Self::Shape { form, .. } => match form {
                Form::Box { rotation, .. } => {
                    // A box looks the same mirrored in its own axes: only the turn is mirrored.
                    let kept = axis.abs();
                    *rotation *= kept * 2.0 - 1.0;
                }
                Form::Quad { corner, u, v } => {
                    *corner = point(*corner);
                    (*u, *v) = (flip(*u), flip(*v));
                    return true;
                }
                Form::Disc { normal, .. } | Form::Torus { normal, .. } => *normal = flip(*normal),
                Form::Cylinder { base, top, .. } | Form::Cone { base, top, .. } => {
                    (*base, *top) = (point(*base), point(*top));
                    return true;
                }
                Form::Sphere { .. } => {}
                Form::Other { .. } => {
                    let index = (0..3).find(|index| axis[*index] > 0.5).unwrap_or(0);
                    return form.carried(&scene::Motion::mirror(index, at));
                }
            },
            Self::Light(_) => {}
        }
        let by = point(center) - center;
        match self {
            Self::Shape { form, .. } => form.moved(by),
            Self::Light(lamp) => lamp.moved(by),
        }
        true
    }
}
