//! Another of what was spoken of: of the same kind, on top of it, facing it.

use glam::DVec3;

use crate::language::{
    Assembly, Determiner, LightKind, Like, Noun, Phrase, Place, Relation, ShapeKind, Target,
};
use crate::plan::{Done, Planner, Problem};
use crate::world::{Body, Material, Thing};

impl Planner {
    /// "a smaller blue one": of the kind that was made or spoken of last, sized against it.
    pub(crate) fn like_the_last(&self, phrase: &Phrase) -> Option<Phrase> {
        let counted = phrase.determiner == Determiner::Bare
            && (phrase.count.is_some() || !phrase.places.is_empty());
        let told =
            phrase.head == Some(Noun::Thing) && (phrase.determiner == Determiner::A || counted);
        if !told {
            return None;
        }
        let mut like = phrase.clone();
        let last = self.context.focus.last().and_then(|id| self.world.find(id));
        // "put one next to the sofa", after it was asked where a plant could stand.
        let asked_for = self.context.kind.clone().filter(|kind| {
            matches!(kind, Noun::Assembly(_))
                && last.is_some_and(|last| !self.is_of_kind(last, kind))
        });
        if let (Some(kind), true) = (asked_for, self.asked_for_room()) {
            like.head = Some(kind);
            return Some(like);
        }
        let Some(last) = last.filter(|thing| !thing.is_light()) else {
            // A light, or what is there no more: another of the kind.
            let light = last.is_some().then_some(Noun::Light(LightKind::Any));
            like.head = Some(light.or_else(|| self.context.kind.clone())?);
            return Some(like);
        };
        let model = match last.assembly() {
            Some(group) => {
                let kind = crate::resolve::stem(group).replace('_', " ");
                let words: Vec<&str> = kind.split(' ').collect();
                let object = (0..words.len())
                    .find_map(|first| catalogue::catalogue().find(&words[first..].join(" ")))?;
                like.head = Some(Noun::Assembly(Assembly(object.name())));
                group.to_owned()
            }
            // "two smaller ones" of a pyramid made of boxes.
            None if self.is_pattern(last) => return None,
            None => {
                let kind = ShapeKind::of_type(last.type_name())?;
                like.head = Some(Noun::Shape(kind));
                last.id.clone()
            }
        };
        if like.size.is_unsaid() || like.size.factors != DVec3::ONE {
            let factor = like.size.factors.element_product().cbrt();
            like.size.factors = DVec3::ONE;
            let model = Box::new(Phrase::named(model));
            like.size.like = Some(Like { factor, model, than: false });
        }
        Some(like)
    }

    /// "another chair facing it": turned to it, a step away.
    pub(in crate::plan) fn turn_to_face(&mut self, phrase: &Phrase, ids: &[String]) -> Done {
        let faced = phrase.places.iter().find_map(|place| match place {
            Place::Relative { relation: Relation::Front, target, .. } => Some(target),
            _ => None,
        });
        let Some(target) = faced.filter(|_| phrase.facing) else { return Ok(()) };
        let goal = self.resolve(target)?;
        let goal: Vec<String> = goal.into_iter().filter(|id| !ids.contains(id)).collect();
        let (Some(own), Some(other)) = (self.bounds_of(ids), self.bounds_of(&goal)) else {
            return Ok(());
        };
        let away = (own.center() - other.center()).with_y(0.0).normalize_or(DVec3::Z);
        let step = 0.8 * own.extent().max(other.extent());
        let by = away * step;
        let own_and = ids.to_vec();
        if self.is_free(own.moved(by), &own_and) {
            for thing in self.world.things.iter_mut().filter(|thing| ids.contains(&thing.id)) {
                thing.moved(by);
            }
        }
        let goal = Target(goal.into_iter().map(Phrase::named).collect());
        self.face(ids, &goal)
    }

    /// "a second, identical ball": the last of those that are there.
    pub(in crate::plan) fn twin_of(&self, phrase: &Phrase) -> Option<Vec<String>> {
        if !phrase.identical {
            return None;
        }
        let mut all = Phrase::new(Determiner::All);
        (all.head, all.plural) = (phrase.head.clone(), true);
        let ids = self.resolve(&Target::of(all)).ok()?;
        self.wholes(&ids).pop()
    }

    /// "another lamp", where a lamp stands that is more than a light.
    pub(in crate::plan) fn lamp_like(&self, phrase: &Phrase) -> Option<Vec<String>> {
        let lamp = phrase.words.last().is_some_and(|word| word.starts_with("lamp"));
        if phrase.determiner != Determiner::Another || !lamp {
            return None;
        }
        let all = Phrase {
            determiner: Determiner::All,
            plural: true,
            count: None,
            places: Vec::new(),
            ..phrase.clone()
        };
        let lamps = self.resolve(&Target::of(all)).ok()?;
        let last = self.wholes(&lamps).pop()?;
        let object = last.iter().any(|id| self.is_plain_object(id));
        object.then_some(last)
    }

    /// "add another one": what was spoken of last, once more.
    pub(in crate::plan) fn another(
        &mut self,
        phrase: &Phrase,
        places: &[Place],
    ) -> Result<Vec<String>, Problem> {
        // Of the whole object, though a part of it was spoken of.
        let whole = Phrase { whole: true, ..Phrase::new(Determiner::It) };
        let it = self.resolve(&Target::of(whole))?;
        let mut last = self.wholes(&it).pop().unwrap_or_default();
        if phrase.pattern.is_some() {
            // "a second tower": all of it.
            let the = Phrase { determiner: Determiner::The, ..phrase.clone() };
            let bare = Phrase { places: Vec::new(), count: None, ..the };
            last = self.resolve(&Target::of(bare)).unwrap_or(last);
        }
        let ids = if places.is_empty() && self.is_stacked(&last) {
            self.stack_upon(&last, phrase.count.unwrap_or(1))?
        } else {
            self.copies(&last, phrase.count.unwrap_or(1), places, None)?
        };
        for id in &ids {
            let colour = phrase.colours.first().map(|colour| colour.rgb);
            if let Some(Thing { body: Body::Shape { material, .. }, .. }) = self.world.find_mut(id)
            {
                *material = match (phrase.finish, colour) {
                    (Some(finish), colour) => Material::made_of(finish, colour),
                    (None, Some(colour)) => material.coloured(colour),
                    (None, None) => material.clone(),
                };
            }
        }
        Ok(ids)
    }

    /// Whether it was made in a pattern that goes by one name.
    pub(in crate::plan) fn is_pattern(&self, thing: &Thing) -> bool {
        thing.assembly().is_none()
            && thing.group.as_deref().is_some_and(|group| {
                ["pyramid", "tower", "stack", "wall"].iter().any(|name| group.contains(name))
            })
    }

    pub(in crate::plan) fn spoke_of_pattern(&self) -> bool {
        let last = self.context.focus.last().and_then(|id| self.world.find(id));
        last.is_some_and(|last| self.is_pattern(last))
    }

    /// Whether it stands on another of its size: "and another" goes on top of it.
    pub(in crate::plan) fn is_stacked(&self, ids: &[String]) -> bool {
        let Some(own) = self.bounds_of(ids) else { return false };
        let below = |thing: &&Thing| {
            let other = thing.bounds();
            let near = (other.max.y - own.min.y).abs() < 0.01
                && (other.center() - own.center()).with_y(0.0).length() < 0.3 * own.extent();
            let alike = (other.size() - own.size()).length() < 0.5 * own.extent();
            near && alike && !ids.contains(&thing.id)
        };
        self.world.objects().any(|thing| below(&thing))
    }

    /// Copies, each on top of the one before.
    pub(in crate::plan) fn stack_upon(
        &mut self,
        ids: &[String],
        count: usize,
    ) -> Result<Vec<String>, Problem> {
        let mut last = ids.to_vec();
        let mut made = Vec::new();
        for _ in 0..count {
            let place = Place::Relative {
                relation: Relation::On,
                target: Target(last.iter().cloned().map(Phrase::named).collect()),
                metres: None,
            };
            last = self.copies(&last, 1, &[place], None)?;
            made.extend(last.clone());
        }
        Ok(made)
    }

    pub(in crate::plan) fn copy_named(
        &mut self,
        name: &str,
        places: &[Place],
    ) -> Result<Vec<String>, Problem> {
        let ids = self.resolve(&Target::of(Phrase::named(name.to_owned())))?;
        self.copies(&ids, 1, places, None)
    }
}
