//! Changing things: colour, material, place, rotation, name, shape, light.

use glam::DVec3;

use crate::colour::lightened;
use crate::language::{
    Change, Comparison, Degree, Determiner, LightKind, Noun, Phrase, ShapeKind, Shift, Size,
    Target, Way,
};
use crate::plan::acts::paint::{polish, recolour, refinish};
use crate::plan::scenery::light::{COOL, WARM, hue, rounded};
use crate::plan::scenery::template::{lettering_like, template};
use crate::plan::{Done, Planner, Problem, as_id};
use crate::resolve::Lost;
use crate::world::{Body, Bounds, Material, Thing};

/// The emission of a light that is switched on again, in W/(sr m^2): how bright it was before is
/// not kept anywhere.
const SWITCHED_ON: f64 = 10.0;

impl Planner {
    pub(crate) fn change(&mut self, target: &Target, changes: &[Change]) -> Done {
        let whole = changes.iter().any(goes_as_a_whole).then(|| as_a_whole(target));
        let target = whole.as_ref().unwrap_or(target);
        let mut ids = match self.resolve(target) {
            Err(Problem::Lost(Lost::NotFound(words)))
                if !(changes.iter().all(is_of_light) && of_all_lights(target)) =>
            {
                // "sphere red", where there is no sphere.
                let made = crate::plan::scenery::list::made_so(target, changes);
                let Some(made) = made else { return Err(Lost::NotFound(words).into()) };
                return self.create(&made);
            }
            // "softer, warmer light", where only the sky gives light.
            Err(Problem::Lost(Lost::NotFound(_)))
                if changes.iter().all(is_of_light) && of_all_lights(target) =>
            {
                return self.tint_sky(changes);
            }
            // "make the light warmer", where there are several: the light is what they give together.
            Err(Problem::Lost(Lost::Ambiguous(..)))
                if changes.iter().all(is_of_light) && of_all_lights(target) =>
            {
                self.world.lights().map(|light| light.id.clone()).collect()
            }
            // "make it brighter" before anything was spoken of: the picture.
            Err(Problem::Lost(Lost::NoIt)) if changes.iter().all(is_of_light) => {
                self.world.lights().map(|light| light.id.clone()).collect()
            }
            other => other?,
        };
        let everything = target
            .0
            .iter()
            .any(|phrase| matches!(phrase.determiner, Determiner::Everything | Determiner::Rest));
        if everything && ids.iter().any(|id| self.is_plain_object(id)) {
            // "make everything red" means the things, not what they stand on or are lit by.
            ids.retain(|id| self.is_plain_object(id));
        }
        if ids.is_empty() {
            return Err(Problem::Cannot("There is nothing to change.".to_owned()));
        }
        for change in self.hand_out(&ids, changes)? {
            self.change_all(&mut ids, change)?;
        }
        self.context.focus = ids;
        Ok(())
    }

    pub(crate) fn is_plain_object(&self, id: &str) -> bool {
        self.world.objects().any(|thing| thing.id == id)
    }

    fn change_all(&mut self, ids: &mut Vec<String>, change: &Change) -> Done {
        if is_of_light(change) && self.are_lamp(ids) {
            // A lamp as a thing: what shines in it is meant.
            if *change == Change::Brightness(0.0) {
                return self.quench(ids);
            }
            let mut lights = self.lights_within(ids);
            if !lights.is_empty() {
                return self.change_all(&mut lights, change);
            }
        }
        match change {
            Change::Colour(colour) => {
                let painted = self.painted(ids);
                self.each(&painted, |thing| recolour(thing, colour))
            }
            Change::Look(finish, colour) => {
                let painted = self.painted(ids);
                self.each(&painted, |thing| match (thing.bounds().size(), &mut thing.body) {
                    (size, Body::Shape { material, .. }) => {
                        *material = Material::made_of(*finish, Some(colour.rgb)).suited_to(size);
                        Ok(())
                    }
                    (_, Body::Light(_)) => {
                        Err(format!("{} is a light; only shapes have a material.", thing.id))
                    }
                })
            }
            Change::Like { model, what } => self.make_like(ids, model, *what),
            // Handed out before.
            Change::Distinct { .. } | Change::Shades(_) => Ok(()),
            Change::Finish(finish) => {
                let painted = self.painted(ids);
                self.each(&painted, |thing| refinish(thing, *finish))
            }
            Change::Compare { comparison, degree, factor } => {
                self.compare(ids, *comparison, *degree, *factor)
            }
            Change::Grow { comparison, metres } => self.grow(ids, *comparison, *metres),
            Change::Size(size) => self.resize(ids, size),
            Change::Shift(shift) => {
                let shift = self.way_back(*shift);
                if let (Way::Down, Some(metres)) = (shift.way, shift.metres)
                    && self.stand_on_ground(ids)
                    && (self.world.floor().is_some() || self.object_of(ids).is_some())
                {
                    return self.grow(ids, Comparison::Shorter, metres);
                }
                let down = shift.way == Way::Down && shift.degree.is_some();
                let shifted = self.shift(ids, shift);
                if down && shifted.is_err() {
                    // What rests on the floor gets lower by being less high.
                    return self.scale_by(ids, DVec3::new(1.0, 0.8, 1.0));
                }
                shifted
            }
            Change::Place(place) => {
                let place = self.with_support(place)?;
                if self.moved_to_edges(ids, &place)? {
                    return Ok(());
                }
                self.replace_at(ids, &place)
            }
            Change::Coordinate { axis, metres } => self.move_to_coordinate(ids, *axis, *metres),
            Change::Rotate(angle) => self.rotate(ids, *angle),
            Change::Away { target, metres, degree } => {
                self.move_away(ids, target, *metres, *degree)
            }
            Change::Face(target) => self.face(ids, target),
            Change::SameSize => self.make_same_size(ids),
            Change::Upright => self.set_upright(ids),
            Change::Straight => self.straighten(ids),
            Change::Rename(name) => self.rename(ids, name),
            Change::Become(phrase) => self.become_other(ids, phrase),
            Change::Emission(value) => self.each(ids, |thing| match &mut thing.body {
                Body::Light(lamp) => {
                    lamp.emission = rounded(hue(lamp.emission) * value.max(0.0));
                    Ok(())
                }
                Body::Shape { .. } => Err(format!("{} is no light.", thing.id)),
            }),
            Change::SwitchOn => {
                *ids = self.kindle(ids)?;
                self.each(ids, |thing| {
                    if let Body::Light(lamp) = &mut thing.body
                        && lamp.emission.max_element() <= 0.0
                    {
                        lamp.emission = DVec3::splat(SWITCHED_ON);
                    }
                    Ok(())
                })
            }
            Change::Brightness(factor) => self.each(ids, |thing| match &mut thing.body {
                Body::Light(lamp) => {
                    lamp.emission = rounded(lamp.emission * *factor);
                    Ok(())
                }
                Body::Shape { .. } => Err(format!("{} is no light.", thing.id)),
            }),
        }
    }

    /// The things as people count: the parts of an object together, everything else alone.
    pub(crate) fn wholes(&self, ids: &[String]) -> Vec<Vec<String>> {
        let mut wholes: Vec<(Option<&str>, Vec<String>)> = Vec::new();
        for id in ids {
            let assembly = self.world.find(id).and_then(Thing::assembly);
            match wholes.iter_mut().find(|(known, _)| assembly.is_some() && *known == assembly) {
                Some((_, members)) => members.push(id.clone()),
                None => wholes.push((assembly, vec![id.clone()])),
            }
        }
        wholes.into_iter().map(|(_, members)| members).collect()
    }

    /// Does something to each thing, or to none when it cannot be done to one.
    pub(crate) fn each(
        &mut self,
        ids: &[String],
        mut act: impl FnMut(&mut Thing) -> Result<(), String>,
    ) -> Done {
        for id in ids {
            if let Some(thing) = self.world.find_mut(id) {
                act(thing).map_err(Problem::Cannot)?;
            }
        }
        Ok(())
    }

    fn compare(
        &mut self,
        ids: &[String],
        comparison: Comparison,
        degree: Option<Degree>,
        factor: Option<f64>,
    ) -> Done {
        let upwards = Shift { way: Way::Up, metres: None, degree };
        let step = factor.unwrap_or(match degree {
            Some(Degree::Slight) => 1.2,
            Some(Degree::Strong) => 2.0,
            None => 1.5,
        });
        let less = if factor.is_some() { step } else { 1.0 / step };
        let share = match degree {
            Some(Degree::Slight) => 0.2,
            Some(Degree::Strong) => 0.6,
            None => 0.4,
        };
        match comparison {
            Comparison::Higher => self.shift(ids, upwards),
            Comparison::Lower => self
                .shift(ids, Shift { way: Way::Down, ..upwards })
                // What rests on the floor gets lower by being less high.
                .or_else(|_| self.scale_by(ids, DVec3::new(1.0, less, 1.0))),
            Comparison::Closer => self.shift(ids, Shift { way: Way::Front, ..upwards }),
            Comparison::Farther => self.shift(ids, Shift { way: Way::Back, ..upwards }),
            Comparison::Brighter => self.lighten(ids, step, share),
            Comparison::Lighter => self.lighten(ids, step, share),
            Comparison::Darker => self.lighten(ids, less, -share),
            Comparison::Warmer => self.tint(ids, WARM),
            Comparison::Cooler => self.tint(ids, COOL),
            Comparison::Shinier => self.each(ids, |thing| polish(thing, true)),
            Comparison::Duller => self.each(ids, |thing| polish(thing, false)),
            Comparison::Softer => {
                let lights = self.lights_of(ids)?;
                self.scale_by(&lights, DVec3::splat(step))
            }
            Comparison::Bigger => self.scale_by(ids, DVec3::splat(step)),
            Comparison::Smaller => self.scale_by(ids, DVec3::splat(less)),
            Comparison::Taller => self.scale_by(ids, DVec3::new(1.0, step, 1.0)),
            Comparison::Shorter | Comparison::Flatter => {
                self.scale_by(ids, DVec3::new(1.0, less, 1.0))
            }
            Comparison::Wider => self.scale_by(ids, DVec3::new(step, 1.0, step)),
            Comparison::Narrower => self.scale_by(ids, DVec3::new(less, 1.0, less)),
            Comparison::Longer => self.scale_by(ids, DVec3::new(step, 1.0, 1.0)),
            Comparison::Deeper => self.scale_by(ids, DVec3::new(1.0, 1.0, step)),
        }
    }

    fn lighten(&mut self, ids: &[String], factor: f64, share: f64) -> Done {
        self.each(ids, |thing| match &mut thing.body {
            Body::Light(lamp) => {
                lamp.emission = rounded(lamp.emission * factor);
                Ok(())
            }
            Body::Shape { material, .. } => match material.colour() {
                Some(colour) => {
                    *material = material.coloured(lightened(colour, share));
                    Ok(())
                }
                None => Err(format!("{} has no colour of its own to change.", thing.id)),
            },
        })
    }

    /// The lights among `ids`; when there is none among them, all lights are meant.
    fn lights_of(&self, ids: &[String]) -> Result<Vec<String>, Problem> {
        let all: Vec<String> = self.world.lights().map(|light| light.id.clone()).collect();
        let named: Vec<String> = all.iter().filter(|id| ids.contains(id)).cloned().collect();
        match (named.is_empty(), all.is_empty()) {
            (true, true) => Ok(Vec::new()),
            (true, false) => Ok(all),
            (false, _) => Ok(named),
        }
    }

    fn tint(&mut self, ids: &[String], tint: DVec3) -> Done {
        let lights = self.lights_of(ids)?;
        if lights.is_empty() {
            // Only the sky gives light.
            self.tint_environment(tint);
        }
        self.each(&lights, |thing| {
            if let Body::Light(lamp) = &mut thing.body {
                lamp.emission = rounded(lamp.emission * tint);
            }
            Ok(())
        })
    }

    fn rename(&mut self, ids: &mut Vec<String>, name: &str) -> Done {
        let wanted = as_id(name);
        let renamed: Vec<String> = ids
            .iter()
            .enumerate()
            .map(|(index, id)| {
                let many = ids.len() > 1;
                let wanted = if many { format!("{wanted}_{}", index + 1) } else { wanted.clone() };
                if *id == wanted { wanted } else { self.world.free_id(&wanted) }
            })
            .collect();
        if let ([_], [new]) = (ids.as_slice(), renamed.as_slice())
            && *new != wanted
        {
            self.remark(format!("The name {wanted} was taken, so I used {new}."));
        }
        for (old, new) in ids.iter().zip(&renamed) {
            if let Some(thing) = self.world.find_mut(old) {
                thing.id.clone_from(new);
            }
        }
        *ids = renamed;
        Ok(())
    }

    /// Another thing in the same place, and where several are wished for one, the others beside it.
    fn become_other(&mut self, ids: &mut Vec<String>, phrase: &Phrase) -> Done {
        self.become_one(ids, phrase)?;
        if let Some(count) = phrase.count.filter(|count| *count > 1 && self.wholes(ids).len() == 1)
        {
            self.context.focus.clone_from(ids);
            self.multiply(&Target::of(Phrase::new(Determiner::It)), count, None)?;
            ids.clone_from(&self.context.focus);
        }
        Ok(())
    }

    /// Another thing in the same place: a shape as high and as wide, an object of its own size.
    fn become_one(&mut self, ids: &mut Vec<String>, phrase: &Phrase) -> Done {
        let kind = match &phrase.head {
            Some(Noun::Shape(kind)) => *kind,
            Some(Noun::Assembly(_)) => return self.replace_by(ids, phrase),
            Some(Noun::Later(word)) => return Err(crate::plan::cannot_build(word)),
            _ => {
                return Err(Problem::Cannot(format!(
                    "I can turn a thing into a shape or an object that I know, not into “{}”.",
                    phrase.text()
                )));
            }
        };
        if ids.iter().any(|id| self.world.find(id).is_some_and(|thing| thing.assembly().is_some()))
        {
            return self.replace_by(ids, phrase);
        }
        for id in ids.iter() {
            let Some(thing) = self.world.find(id) else { continue };
            if thing.is_light() {
                return Err(Problem::Cannot(format!("{id} is a light, not a shape.")));
            }
            let bounds = thing.bounds();
            let size = if phrase.size.is_unsaid() { sized(bounds) } else { phrase.size.clone() };
            let mut form = match kind {
                ShapeKind::Text => lettering_like(thing, phrase)?,
                _ => template(kind, &size, 1.0)?,
            };
            self.size_like(&mut form, &size)?;
            form.moved(bounds.foot() - form.bounds().foot());
            if let Some(Thing { body: Body::Shape { form: old, material }, .. }) =
                self.world.find_mut(id)
            {
                *old = form;
                let colour = phrase.colours.first().map(|colour| colour.rgb);
                if let Some(finish) = phrase.finish {
                    *material = Material::made_of(finish, colour.or(material.colour()));
                } else if let Some(colour) = colour {
                    *material = material.coloured(colour);
                }
            }
        }
        Ok(())
    }
}

impl Planner {
    /// Takes each of the things away and makes what the phrase says where it stood.
    fn replace_by(&mut self, ids: &mut Vec<String>, phrase: &Phrase) -> Done {
        let mut made = Vec::new();
        for unit in self.wholes(ids) {
            let Some(bounds) = self.bounds_of(&unit) else { continue };
            let colour = self.colour_of_all(&unit);
            self.world.things.retain(|thing| !unit.contains(&thing.id));
            let mut wanted = phrase.clone();
            wanted.determiner = Determiner::A;
            (wanted.plural, wanted.count) = (false, None);
            if let Some(Noun::Shape(_)) = wanted.head {
                // As large as what it stands for, in its colour.
                if wanted.size.is_unsaid() {
                    wanted.size = sized(bounds);
                }
                if wanted.colours.is_empty() && wanted.finish.is_none() {
                    wanted.colours.extend(colour);
                }
            }
            wanted.places.clear();
            self.create(std::slice::from_ref(&wanted))?;
            let new = self.context.focus.clone();
            if let Some(now) = self.bounds_of(&new) {
                let by = bounds.foot() - now.foot();
                for thing in self.world.things.iter_mut().filter(|thing| new.contains(&thing.id)) {
                    thing.moved(by);
                }
            }
            made.extend(new);
        }
        *ids = made;
        Ok(())
    }
}

fn sized(bounds: Bounds) -> Size {
    Size {
        width: Some(bounds.size().x.max(0.01)),
        height: Some(bounds.size().y.max(0.01)),
        depth: Some(bounds.size().z.max(0.01)),
        ..Size::default()
    }
}

/// Whether all light is meant, whatever it comes from.
fn of_all_lights(target: &Target) -> bool {
    let all = |phrase: &Phrase| {
        matches!(phrase.head, Some(Noun::Light(LightKind::Any)))
            && !phrase.words.iter().any(|word| word.starts_with("lamp"))
            && phrase.colours.is_empty()
            && phrase.rank.is_none()
            && phrase.places.is_empty()
    };
    target.0.iter().all(all)
}

/// Whether a change can be meant for the light in the scene as a whole.
fn is_of_light(change: &Change) -> bool {
    matches!(
        change,
        Change::Brightness(_)
            | Change::Compare {
                comparison: Comparison::Brighter
                    | Comparison::Darker
                    | Comparison::Warmer
                    | Comparison::Cooler
                    | Comparison::Softer,
                ..
            }
    )
}

/// Whether a thing that is spoken of after its eyes were painted goes with its eyes.
fn goes_as_a_whole(change: &Change) -> bool {
    match change {
        Change::Place(_) | Change::Coordinate { .. } | Change::Away { .. } => true,
        Change::Shift(shift) => !matches!(shift.way, Way::Up | Way::Down),
        _ => false,
    }
}

fn as_a_whole(target: &Target) -> Target {
    let whole = |phrase: &Phrase| Phrase {
        whole: phrase.whole || matches!(phrase.determiner, Determiner::It | Determiner::Focus),
        ..phrase.clone()
    };
    Target(target.0.iter().map(whole).collect())
}
