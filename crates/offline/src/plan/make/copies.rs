//! More of what is there.

use glam::DVec3;
use serde_json::json;

use crate::frames::{Frame, Head, Layout, Phrase, Place, Quality, Region, Relation};
use crate::resolve::Sides;

use super::shapes::is_long;
use crate::plan::planner::{Done, Planner, Remark, Stopped};

impl Planner<'_> {
    /// "make two copies of the box to its left".
    pub(crate) fn copy(&mut self, frame: &Frame) -> Done {
        let ids = self.theme(frame)?;
        let count = frame.count.map_or(1, |count| count.max(1.0) as usize).min(200);
        let mut made = Vec::new();
        self.context.focus.insert(0, ids.clone());
        for id in &ids {
            let copies = self.copies_of(id, count)?;
            if frame.places.is_empty() && frame.shift.is_none() {
                made.extend(copies);
                continue;
            }
            for place in &frame.places {
                self.put(&copies, place, true)?;
            }
            if let Some(shift) = &frame.shift {
                let moved = Frame { act: None, shift: Some(shift.clone()), ..Frame::default() };
                self.context.focus.insert(0, copies.clone());
                self.move_things(&moved)?;
            }
            made.extend(copies);
        }
        self.made.extend(made.iter().cloned());
        self.focus = made;
        Ok(())
    }

    /// Copies of a thing side by side, the next one to its right.
    pub(in crate::plan) fn copies_of(&mut self, id: &str, count: usize) -> Done<Vec<String>> {
        let state = self.state();
        let world = state.world();
        let scene = world.scene;
        let sides = Sides::of(scene);
        let size = world.find(id).map_or(DVec3::ONE, |thing| thing.extent.size());
        let mut known: Vec<String> = world.wholes().map(|thing| thing.id.clone()).collect();
        let step = size.x.max(1e-3) * 1.2 + 0.05;
        let mut made = Vec::new();
        for at in 1..=count {
            let offset = sides.right * step * at as f64;
            self.call("duplicate", json!({ "ids": [id], "offset": offset.to_array() }))?;
            let new: Vec<String> = self.since(&known, id).into_iter().skip(1).collect();
            let state = self.state();
            let world = state.world();
            let clear = world
                .extent_of(&new)
                .is_none_or(|extent| crate::plan::layout::spot::is_free(world, extent, &new));
            if !clear {
                self.put_free(&new, None)?;
            }
            known.extend(new.iter().cloned());
            made.extend(new);
        }
        Ok(made)
    }

    /// As many more as a description says of what `models` are, with its own qualities.
    pub(crate) fn more_of(&mut self, models: &[String], phrase: &Phrase) -> Done<Vec<String>> {
        let Some(model) = models.first() else { return Ok(Vec::new()) };
        let count = if phrase.count.is_some() || phrase.plural { phrase.number() } else { 1 };
        let made = self.copies_of(model, count.max(1))?;
        let qualities: Vec<Quality> = phrase.qualities.clone();
        self.change_all(&made, &qualities)?;
        Ok(made)
    }

    pub(in crate::plan) fn make_several_kinds(
        &mut self,
        phrase: &Phrase,
        name: &str,
    ) -> Done<Vec<String>> {
        let Ok(category) = catalogue::catalogue().category_named(name) else {
            return Err(Stopped(Remark::Unknown(name.to_owned())));
        };
        // "six tomato plants" are of one kind.
        if phrase.extra.is_some() {
            let own = catalogue::catalogue().find(&crate::tokens::singular(&phrase.word));
            let name = own.map(catalogue::Object::name);
            if let Some(name) = name.or(category.objects().first().map(String::as_str)) {
                let head = Head::Object { name: name.to_owned(), stands_for: None };
                return self.make_counted(&Phrase { head, ..phrase.clone() });
            }
        }
        let number = if phrase.count.is_some() {
            phrase.number()
        } else if phrase.plural || phrase.determiner.is_none() {
            3
        } else {
            1
        };
        let mut ids: Vec<String> = Vec::new();
        for member in category.objects().iter().take(number.clamp(1, 12)) {
            let head = Head::Object { name: member.clone(), stands_for: None };
            let one =
                Phrase { head, count: None, plural: false, word: member.clone(), ..phrase.clone() };
            let id = self.make_one(&one)?;
            if let Some(last) = ids.last() {
                self.call(
                    "place",
                    json!({ "ids": [id], "relation": "right_of", "to": [last], "gap": 0.15 }),
                )?;
            }
            ids.push(id);
        }
        Ok(ids)
    }

    /// How many are to be made: as said; where only a plural says it, a few.
    pub(in crate::plan) fn count_for(&self, phrase: &Phrase) -> usize {
        if let (Some(rows), Some(columns)) = (phrase.pattern.rows, phrase.pattern.columns) {
            return (rows * columns).min(500);
        }
        let around = phrase.at.iter().any(|place| {
            place.relation == Some(Relation::Around) || place.region == Some(Region::Around)
        });
        let corners = phrase.at.iter().any(|place| {
            place.relation == Some(Relation::Corners) || place.region == Some(Region::Corners)
        });
        let in_line = phrase.at.iter().any(|place| {
            matches!(place.relation, Some(Relation::Along | Relation::Rim | Relation::Span))
        });
        let pair = phrase.at.iter().any(|place| {
            matches!(place.relation, Some(Relation::Flanking | Relation::Ends))
                || matches!(place.region, Some(Region::Flanking | Region::Ends))
        });
        let number = phrase.number();
        match (phrase.count, phrase.pattern.rows) {
            (Some(_), Some(rows)) if phrase.pattern.per_row => (number * rows).min(500),
            (Some(_), Some(_)) => number,
            // "four houses on each side": on both together twice as many.
            (Some(_), None) if phrase.at.iter().any(|place| place.each_side) => 2 * number,
            (Some(_), None) => number,
            _ if corners => 4,
            // "poplars on both sides of the road".
            _ if pair && phrase.plural && phrase.at.iter().any(is_along) => 6,
            _ if pair => 2,
            (None, _) if in_line && phrase.plural => 6,
            (None, _) if around && phrase.plural => 8,
            (None, _) if phrase.pattern.layout == Some(Layout::Pyramid) => 6,
            // "sheep dotted about": more than one.
            (None, _)
                if phrase.pattern.layout == Some(Layout::Scatter)
                    && phrase.determiner.is_none() =>
            {
                5
            }
            (None, _) if phrase.pattern.layout.is_some() && phrase.plural => 5,
            _ => number,
        }
    }

    /// "a lamp every five metres": as many as have room along what they stand at.
    pub(super) fn count_along(&mut self, phrase: &mut Phrase, places: &[Place]) {
        self.pitch = phrase.pattern.step.filter(|step| *step > 0.0);
        let Some(step) = self.pitch.filter(|_| phrase.count.is_none()) else { return };
        let relation =
            |place: &Place| place.relation.or_else(|| place.region.and_then(Relation::of_region));
        let sides = places.iter().find_map(|place| match relation(place)? {
            Relation::Along => Some((1.0, place)),
            Relation::Flanking => Some((2.0, place)),
            _ => None,
        });
        let Some((sides, place)) = sides else { return };
        let target = place.target.as_deref().and_then(|target| self.find(target).ok());
        let Some(extent) = target.and_then(|ids| self.extent_of(&ids)) else { return };
        let length = extent.size().x.max(extent.size().z);
        phrase.count = Some(sides * (1.0 + (length / step).floor()).clamp(1.0, 60.0));
    }

    /// "the same ring at the bottom": the one that is there.
    pub(super) fn same_as(&self, phrase: &Phrase) -> Option<Phrase> {
        let determiner = Some(crate::frames::Determiner::Definite);
        let known = Phrase { determiner, same: false, at: Vec::new(), ..phrase.clone() };
        let is_asked = phrase.same && phrase.like.is_none() && !matches!(phrase.head, Head::Thing);
        (is_asked && self.find(&known).is_ok()).then_some(known)
    }

    fn untold(&self, phrase: &Phrase) -> Stopped {
        Stopped(Remark::Question(format!("What shall “{}” be?", self.words_of(phrase))))
    }

    /// "one more", "another": as what was spoken of or is called so.
    pub(in crate::plan) fn make_alike(&mut self, phrase: &Phrase) -> Done<Vec<String>> {
        let model = match &phrase.head {
            Head::Named(_) => self.find(&Phrase {
                qualities: Vec::new(),
                determiner: Some(crate::frames::Determiner::All),
                ..phrase.clone()
            })?,
            // "put a blue one there": of the kind that was taken away.
            _ if self.context.gone.is_some() => {
                let noun = self.context.gone.as_ref().and_then(|gone| gone.noun());
                let object = noun.and_then(crate::plan::targets::object_called);
                let left = Phrase {
                    determiner: Some(crate::frames::Determiner::All),
                    is_one: true,
                    ..Phrase::of(Head::Thing)
                };
                match (object, self.find(&left)) {
                    (Some(name), _) => {
                        let word = noun.unwrap_or_default().to_owned();
                        let head = Head::Object { name, stands_for: None };
                        return self.make_counted(&Phrase { head, word, ..phrase.clone() });
                    }
                    (None, found) => found?,
                }
            }
            _ if phrase.plural || phrase.count.is_some_and(|count| count > 1.0) => self
                .find(&Phrase::of(Head::Pronoun("set")))
                .or_else(|_| self.find(&Phrase::it()))
                .map_err(|_| self.untold(phrase))?,
            _ => self.find(&Phrase::it()).map_err(|_| self.untold(phrase))?,
        };
        let model: Vec<String> = model.into_iter().take(1).collect();
        self.more_of(&model, phrase)
    }
}

/// Whether a place is at the sides of something long: a road, a river.
fn is_along(place: &crate::frames::Place) -> bool {
    let target = place.target.as_ref();
    target.is_some_and(|target| match &target.head {
        Head::Object { name, .. } => is_long(name),
        _ => false,
    })
}
