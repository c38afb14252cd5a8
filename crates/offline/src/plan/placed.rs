//! New things by what they are placed by: one on each, one on either side, and what has to be made first.

use glam::DVec3;

use super::{Done, Planner, Problem};
use crate::language::{Determiner, Noun, Phrase, Place, Relation, Share, Target};
use crate::resolve::Lost;
use crate::world::Bounds;

impl Planner {
    /// "a ball on each box": one for every target.
    pub(super) fn one_for_each(
        &mut self,
        phrase: &Phrase,
        places: &[Place],
    ) -> Result<Option<Vec<String>>, Problem> {
        let [Place::Relative { relation, target, metres }] = places else { return Ok(None) };
        if *relation == Relation::Flanking && phrase.count.unwrap_or(2) == 2 {
            return self.one_on_either_side(phrase, target, *metres).map(Some);
        }
        let each = target.0.iter().all(|phrase| {
            phrase.determiner == Determiner::All || phrase.share == Some(Share::Every(1))
        });
        let one = phrase.count.is_none() && !phrase.plural && phrase.pattern.is_none();
        if !each || !one || matches!(relation, Relation::Around | Relation::Between) {
            return Ok(None);
        }
        let mut made = Vec::new();
        let ids = self.resolve(target)?;
        for unit in self.wholes(&ids) {
            let target = Target(unit.into_iter().map(Phrase::named).collect());
            let room = self.resolve(&target).ok().and_then(|ids| self.bounds_of(&ids));
            let place = Place::Relative { relation: *relation, target, metres: *metres };
            let new = self.make(&Phrase { places: vec![place], ..phrase.clone() })?;
            if *relation == Relation::On && !self.size_told {
                self.shrink_onto(&new, room)?;
            }
            made.extend(new);
        }
        Ok(Some(made))
    }

    /// No wider than what it stands on: the next one has its own.
    fn shrink_onto(&mut self, new: &[String], room: Option<Bounds>) -> Done {
        let width = |bounds: Bounds| bounds.size().x.max(bounds.size().z);
        let share = room.zip(self.bounds_of(new)).map(|(room, new)| width(room) / width(new));
        match share.filter(|share| *share < 1.0) {
            Some(share) => self.scale_by(new, DVec3::splat(0.8 * share)),
            None => Ok(()),
        }
    }

    /// "rest it on a wooden block", where there is none: it is made first.
    pub(super) fn with_support(&mut self, place: &Place) -> Result<Place, Problem> {
        let Place::Relative { relation, target, metres } = place else { return Ok(place.clone()) };
        let mut known = Vec::new();
        for phrase in &target.0 {
            let new = phrase.determiner == Determiner::A && phrase.is_new();
            let there = Phrase { determiner: Determiner::The, ..phrase.clone() };
            let missing =
                matches!(self.resolve(&Target::of(there)), Err(Problem::Lost(Lost::NotFound(_))));
            if !new || !missing {
                known.push(phrase.clone());
                continue;
            }
            let size_told = self.size_told;
            known.extend(self.make(phrase)?.into_iter().map(Phrase::named));
            self.size_told = size_told;
        }
        Ok(Place::Relative { relation: *relation, target: Target(known), metres: *metres })
    }

    /// "a nightstand on either side of it".
    fn one_on_either_side(
        &mut self,
        phrase: &Phrase,
        target: &Target,
        metres: Option<f64>,
    ) -> Result<Vec<String>, Problem> {
        // "it" is the same for both, whatever is made first.
        let ids = self.resolve(target)?;
        let target = Target(ids.into_iter().map(Phrase::named).collect());
        let mut made = Vec::new();
        for relation in [Relation::Left, Relation::Right] {
            let place = Place::Relative { relation, target: target.clone(), metres };
            let one = Phrase { places: vec![place], count: None, plural: false, ..phrase.clone() };
            made.extend(self.make(&one)?);
        }
        Ok(made)
    }

    /// Makes what the places need first: "on a grey floor".
    pub(super) fn places(&mut self, places: &[Place]) -> Result<Vec<Place>, Problem> {
        let mut ready = Vec::new();
        for place in places {
            let Place::Relative { relation, target, metres } = place else {
                ready.push(place.clone());
                continue;
            };
            let mut known = Vec::new();
            for phrase in &target.0 {
                let object = matches!(phrase.head, Some(Noun::Assembly(_)));
                // "a boat on the lake", where nothing is yet: the lake is to be made.
                let first = object && self.world.objects().next().is_none();
                if first && phrase.determiner == Determiner::The {
                    let new = Phrase { determiner: Determiner::A, ..phrase.clone() };
                    known.extend(self.make(&new)?.into_iter().map(Phrase::named));
                    continue;
                }
                let no_floor = phrase.head == Some(Noun::Floor) && self.world.floor().is_none();
                if phrase.is_new() && phrase.determiner != Determiner::Bare || no_floor {
                    for id in self.make(phrase)? {
                        known.push(Phrase::named(id));
                    }
                } else {
                    known.push(phrase.clone());
                }
            }
            let (relation, metres) = (*relation, *metres);
            ready.push(Place::Relative { relation, target: Target(known), metres });
        }
        Ok(ready)
    }
}
