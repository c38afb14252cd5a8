//! Giving a thing what it lacks: parts the catalogue knows, something to wear, stripes, a friend.

use glam::DVec3;

use crate::language::{Determiner, Noun, Phrase, Place, Relation, Target, id_like, id_words};
use crate::plan::acts::naming::material_of;
use crate::plan::places::company::carries;
use crate::plan::scenery::assembly::names_part;
use crate::plan::{Done, Planner, Problem, Saying};
use crate::world::{Body, Bounds, Form, Thing};

/// What is worn on the head.
const WORN: [&str; 5] = ["hat", "cap", "crown", "helmet", "beanie"];

/// How wide a hat is against the head.
const HAT_WIDTH: f64 = 1.25;

/// Into how many bands a plain thing is cut for its stripes.
const BANDS: usize = 6;

impl Planner {
    /// Gives each of the things each of the parts, or says why not.
    pub(crate) fn give_parts(&mut self, target: &Target, parts: &[Phrase]) -> Done {
        let ids = self.resolve(target)?;
        let owners = self.wholes(&ids);
        if owners.is_empty() {
            return Err(Problem::Cannot("There is nothing to give that to.".to_owned()));
        }
        let mut spoken_of = Vec::new();
        for owner in owners {
            let mut whole = self.whole_of(&owner);
            for part in parts {
                let new = self.furnish_one(&whole, part)?;
                whole.retain(|id| self.world.find(id).is_some());
                let friend = part.head == Some(Noun::Thing);
                if friend {
                    whole = new;
                } else {
                    whole.extend(new.into_iter().filter(|id| self.belongs(id, &owner)));
                }
            }
            spoken_of.extend(whole);
        }
        self.context.focus = spoken_of;
        Ok(())
    }

    fn belongs(&self, id: &str, owner: &[String]) -> bool {
        let group = |id: &str| self.world.find(id).and_then(|thing| thing.group.clone());
        let own = owner.first().and_then(|first| group(first));
        own.is_some() && group(id) == own
    }

    /// All parts of the object a part was named of.
    fn whole_of(&self, ids: &[String]) -> Vec<String> {
        let group = ids.first().and_then(|id| self.world.find(id)?.assembly());
        let Some(group) = group else { return ids.to_vec() };
        let things = self.world.things.iter();
        things.filter(|t| t.assembly() == Some(group)).map(|t| t.id.clone()).collect()
    }

    /// Gives one thing one part; the ids of what is new or painted.
    fn furnish_one(&mut self, owner: &[String], part: &Phrase) -> Result<Vec<String>, Problem> {
        let words = id_like(&part.words);
        let noun = words.last().cloned().unwrap_or_default();
        if part.head == Some(Noun::Thing) {
            return self.befriend(owner, part, &noun);
        }
        if ["stripe", "band", "ring"].contains(&noun.as_str()) && !part.colours.is_empty() {
            return self.stripe(owner, part);
        }
        let own: Vec<String> = owner
            .iter()
            .filter(|id| self.world.find(id).is_some_and(|thing| is_named(thing, &noun)))
            .cloned()
            .collect();
        let literal = own.iter().filter_map(|id| self.world.find(id)).any(|thing| {
            id_words(thing.part_name())
                .iter()
                .any(|word| *word == noun || noun.strip_suffix('s') == Some(word))
        });
        // "two cushions" are things of their own, though its seat may be called so.
        let further =
            !literal && matches!(part.head, Some(Noun::Assembly(_))) && part.colours.is_empty();
        if !own.is_empty() && !further {
            return self.dress_parts(&own, part, &noun);
        }
        if let Some(object) = self.object_of(owner)
            && let Some(option) = object.option(&noun)
        {
            let new = self.option_parts(owner, object, option);
            if !new.is_empty() {
                return Ok(self.attach(owner, new, part));
            }
        }
        match &part.head {
            Some(Noun::Assembly(_)) if WORN.contains(&noun.as_str()) => {
                self.put_on_head(owner, part)
            }
            Some(Noun::Assembly(_)) => {
                let it = Target(owner.iter().cloned().map(Phrase::named).collect());
                let soft = ["cushion", "pillow", "blanket"].contains(&noun.as_str());
                // "add a bowl to the table".
                let carried = self.object_of(owner).is_some_and(|object| carries(object, part));
                let relation = if soft || carried { Relation::On } else { Relation::Beside };
                let place = Place::Relative { relation, target: it, metres: None };
                self.make(&Phrase { places: vec![place], ..part.clone() })
            }
            _ => Err(crate::plan::cannot_build(&noun)),
        }
    }

    /// Another of the kind beside it, under a name that says what it is to it.
    fn befriend(
        &mut self,
        owner: &[String],
        part: &Phrase,
        noun: &str,
    ) -> Result<Vec<String>, Problem> {
        let ids = self.copies(owner, part.count.unwrap_or(1), &[], None)?;
        let group = ids.first().and_then(|id| self.world.find(id)?.group.clone());
        let own = owner.first().and_then(|id| self.world.find(id)?.group.clone());
        if let (Some(group), Some(own), true) = (group, own, noun != "one") {
            let name = self.world.free_id(&format!("{noun}_{own}"));
            for thing in self.world.things.iter_mut().filter(|t| t.group.as_ref() == Some(&group)) {
                let rest = thing.part_name().to_owned();
                thing.id = format!("{name}_{rest}");
                thing.group = Some(name.clone());
            }
            let of = |thing: &&Thing| thing.group.as_ref() == Some(&name);
            let ids: Vec<String> =
                self.world.things.iter().filter(of).map(|thing| thing.id.clone()).collect();
            self.look_at_parts(&ids, part);
            return Ok(ids);
        }
        self.look_at_parts(&ids, part);
        Ok(ids)
    }

    /// Paints parts that are there; where nothing was said of their look they stay.
    fn dress_parts(
        &mut self,
        own: &[String],
        part: &Phrase,
        noun: &str,
    ) -> Result<Vec<String>, Problem> {
        if part.colours.is_empty() && part.finish.is_none() {
            // "a carrot nose" is what it has.
            self.sayings.push(Saying::Answer(format!("It has {} already.", article(noun))));
            return Ok(own.to_vec());
        }
        self.look_at_parts(own, part);
        Ok(own.to_vec())
    }

    fn look_at_parts(&mut self, ids: &[String], part: &Phrase) {
        if part.colours.is_empty() && part.finish.is_none() {
            return;
        }
        let colour = part.colours.first().map(|colour| colour.rgb);
        for id in ids {
            if let Some(Thing { body: Body::Shape { material, .. }, .. }) = self.world.find_mut(id)
            {
                *material = match (part.finish, colour) {
                    (None, Some(colour)) => material.coloured(colour),
                    _ => material_of(part, colour),
                };
            }
        }
    }

    /// Adds parts to the object they belong to.
    fn attach(&mut self, owner: &[String], new: Vec<(String, Body)>, part: &Phrase) -> Vec<String> {
        let group = owner.first().and_then(|id| self.world.find(id)?.group.clone());
        let mut ids = Vec::new();
        for (name, body) in new {
            let wanted = group.as_ref().map_or(name.clone(), |group| format!("{group}_{name}"));
            let id = self.world.free_id(&wanted);
            self.world.things.push(Thing {
                id: id.clone(),
                origin: None,
                group: group.clone(),
                body,
            });
            ids.push(id);
        }
        self.look_at_parts(&ids, part);
        ids
    }

    /// A hat on the head, or on the highest part.
    fn put_on_head(&mut self, owner: &[String], part: &Phrase) -> Result<Vec<String>, Problem> {
        let Some(head) = self.head_of(owner) else { return Ok(Vec::new()) };
        let ids = self.make(&Phrase { determiner: Determiner::A, ..part.clone() })?;
        let Some(hat) = self.bounds_of(&ids) else { return Ok(ids) };
        let width = |bounds: Bounds| bounds.size().x.max(bounds.size().z).max(1e-6);
        let scale = HAT_WIDTH * width(head) / width(hat);
        let seat = head.center().with_y(head.max.y - 0.12 * head.size().y);
        let group = owner.first().and_then(|id| self.world.find(id)?.group.clone());
        let mut worn = Vec::new();
        for id in ids {
            let free = |planner: &Self, name: &str| match &group {
                Some(group) => planner.world.free_id(&format!("{group}_{name}")),
                None => id.clone(),
            };
            let name = self.world.find(&id).map(|thing| {
                let noun = thing.group.clone().unwrap_or_default();
                format!("{noun}_{}", thing.part_name())
            });
            let new = free(self, &name.unwrap_or_default());
            if let Some(thing) = self.world.find_mut(&id) {
                if let Body::Shape { form, .. } = &mut thing.body {
                    form.scaled(DVec3::splat(scale), hat.foot());
                }
                thing.moved(seat - hat.foot());
                if let Some(group) = &group {
                    thing.id.clone_from(&new);
                    thing.group = Some(group.clone());
                }
                worn.push(thing.id.clone());
            }
        }
        Ok(worn)
    }

    fn head_of(&self, owner: &[String]) -> Option<Bounds> {
        let things: Vec<&Thing> = owner.iter().filter_map(|id| self.world.find(id)).collect();
        let head = things.iter().find(|thing| is_named(thing, "head"));
        let top = |thing: &&&Thing| thing.bounds().max.y;
        let highest = things.iter().max_by(|a, b| top(a).total_cmp(&top(b)));
        head.or(highest).map(|thing| thing.bounds())
    }

    /// Alternating colours: on the stages of a tower, or on bands that its main part is cut into.
    fn stripe(&mut self, owner: &[String], part: &Phrase) -> Result<Vec<String>, Problem> {
        let stages = self.stages(owner);
        let stages = if stages.len() > 2 { stages } else { self.cut_into_bands(owner)? };
        let own = stages.first().and_then(|id| self.world.find(id)?.material()?.colour());
        let mut colours: Vec<DVec3> = part.colours.iter().map(|colour| colour.rgb).collect();
        if let ([_], Some(own)) = (colours.as_slice(), own) {
            colours.push(own);
        }
        for (index, id) in stages.iter().enumerate() {
            let colour = colours.get(index % colours.len().max(1)).copied();
            if let (Some(colour), Some(Thing { body: Body::Shape { material, .. }, .. })) =
                (colour, self.world.find_mut(id))
            {
                *material = material.coloured(colour);
            }
        }
        Ok(stages)
    }

    /// Parts of one name that stand upon each other, from below: `stage_1`, `stage_2`.
    fn stages(&self, owner: &[String]) -> Vec<String> {
        let stem = |id: &String| crate::resolve::stem(id).to_owned();
        let upright = |id: &&String| {
            let form = self.world.find(id).and_then(Thing::form);
            form.is_some_and(|form| matches!(form, Form::Cylinder { .. } | Form::Cone { .. }))
        };
        let mut best: Vec<String> = Vec::new();
        for id in owner.iter().filter(upright) {
            let same: Vec<String> = owner
                .iter()
                .filter(upright)
                .filter(|other| stem(other) == stem(id))
                .cloned()
                .collect();
            let level = |id: &String| self.world.find(id).map_or(0.0, |t| t.bounds().min.y);
            let heights: Vec<f64> = same.iter().map(level).collect();
            let rises = heights.windows(2).all(|pair| pair[1] > pair[0] + 1e-3);
            if rises && same.len() > best.len() {
                best = same;
            }
        }
        best
    }

    /// Cuts the main part into bands; only what stands upright can be cut so.
    fn cut_into_bands(&mut self, owner: &[String]) -> Result<Vec<String>, Problem> {
        let size = |id: &&String| {
            let bounds = self.world.find(id).map(Thing::bounds);
            bounds.map_or(0.0, |bounds| bounds.size().max(DVec3::splat(1e-3)).element_product())
        };
        let main = owner.iter().max_by(|a, b| size(a).total_cmp(&size(b))).cloned();
        let main = main.unwrap_or_default();
        let thing = self.world.find(&main).cloned();
        let bands = thing.as_ref().and_then(|thing| Some(bands(thing.form()?))).unwrap_or_default();
        let Some(thing) = thing.filter(|_| !bands.is_empty()) else {
            return Err(Problem::Cannot(format!(
                "I can put stripes only on what is a cylinder, a cone or a box that stands \
                 upright; {main} is none."
            )));
        };
        let Body::Shape { material, .. } = &thing.body else { return Ok(Vec::new()) };
        self.world.things.retain(|other| other.id != main);
        let group = thing.group.clone().unwrap_or_else(|| main.clone());
        let mut ids = Vec::new();
        for form in bands {
            let id = self.world.free_id(&format!("{main}_band_{}", ids.len() + 1));
            let body = Body::Shape { form, material: material.clone() };
            self.world.things.push(Thing {
                id: id.clone(),
                origin: None,
                group: Some(group.clone()),
                body,
            });
            ids.push(id);
        }
        Ok(ids)
    }
}

/// An upright shape cut into bands of equal height, from below; none for other shapes.
fn bands(form: &Form) -> Vec<Form> {
    let share = |index: usize| index as f64 / BANDS as f64;
    let cut = |index: usize| match form {
        Form::Cylinder { base, top, radius, capped } => Some(Form::Cylinder {
            base: base.lerp(*top, share(index)),
            top: base.lerp(*top, share(index + 1)),
            radius: *radius,
            capped: *capped,
        }),
        Form::Cone { base, base_radius, top, top_radius, capped } => {
            let radius = |share: f64| base_radius + (top_radius - base_radius) * share;
            Some(Form::Cone {
                base: base.lerp(*top, share(index)),
                base_radius: radius(share(index)),
                top: base.lerp(*top, share(index + 1)),
                top_radius: radius(share(index + 1)),
                capped: *capped,
            })
        }
        Form::Box { center, size, rotation } if rotation.x == 0.0 && rotation.z == 0.0 => {
            let height = size.y / BANDS as f64;
            let low = center.y - size.y / 2.0 + height * (index as f64 + 0.5);
            Some(Form::Box {
                center: center.with_y(low),
                size: size.with_y(height),
                rotation: *rotation,
            })
        }
        _ => None,
    };
    (0..BANDS).filter_map(cut).collect()
}

fn is_named(thing: &Thing, noun: &str) -> bool {
    names_part(thing.part_name(), noun)
}

fn article(noun: &str) -> String {
    format!("{} {noun}", crate::answer::article(noun))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_fill_what_they_are_cut_from() {
        let cone = Form::Cone {
            base: DVec3::ZERO,
            base_radius: 2.0,
            top: DVec3::Y * 3.0,
            top_radius: 1.0,
            capped: true,
        };
        let bands = bands(&cone);
        assert_eq!(bands.len(), BANDS);
        let all = bands.iter().map(Form::bounds).reduce(Bounds::union).expect("bands");
        assert!((all.size() - cone.bounds().size()).length() < 1e-9);
        assert!(super::bands(&Form::Sphere { center: DVec3::ZERO, radius: 1.0 }).is_empty());
    }
}
