//! Where new things stand whose places are told by what is not known yet.

use crate::frames::{Head, Phrase, Place, Region, Relation};
use crate::resolve::is_member;

use crate::plan::planner::{Done, Planner, Remark, Stopped};

/// What stands on tables, by categories of the catalogue.
const FOR_TABLES: [&str; 7] =
    ["tableware", "kitchenware", "food", "electronics", "office", "lighting", "valuables"];

/// What is higher stands on the floor.
const MAX_HEIGHT: f64 = 0.8;

impl Planner<'_> {
    /// "a teapot and two cups on it": what was spoken of carries them where the teapot does not.
    pub(super) fn on_what_was_spoken_of(&self, theme: &[Phrase]) -> Vec<Phrase> {
        let mut whole = theme.to_vec();
        let carries = |phrase: &Phrase| match &phrase.head {
            Head::Object { name, .. } => {
                let object = catalogue::catalogue().find(name);
                object.is_none_or(|object| object.carries().is_some())
            }
            _ => true,
        };
        let [.., before, last] = whole.as_mut_slice() else { return whole };
        if carries(before) {
            return whole;
        }
        for place in last.at.iter_mut().filter(|place| place.relation == Some(Relation::On)) {
            if let Some(target) = &mut place.target
                && matches!(target.head, Head::Pronoun("it" | "them"))
                && let Ok(ids) = self.find(target)
            {
                target.head = Head::These(ids);
            }
        }
        whole
    }

    /// Puts what is new in its place, or beside the rest where the place is nowhere to be found.
    pub(in crate::plan) fn settle_or_stand(
        &mut self,
        phrase: &Phrase,
        made: Vec<String>,
        places: &[Place],
        beside: &[String],
        problems: &mut Vec<Stopped>,
    ) -> Done<Vec<String>> {
        let carrier = self.carrier_for(phrase, &made, places);
        let places = carrier.as_ref().map_or(places, std::slice::from_ref);
        let kept = self.draft.clone();
        match self.settle_new(phrase, made.clone(), places, beside) {
            Err(stopped) if self.stands_without(&stopped) => {
                problems.push(stopped);
                self.draft = kept;
                self.settle_new(phrase, made, &[], beside)
            }
            settled => settled,
        }
    }

    /// "a desk, a lamp, a mug", "a teapot in the middle" of the table that was spoken of: what is for tables goes on one.
    fn carrier_for(&self, phrase: &Phrase, made: &[String], places: &[Place]) -> Option<Place> {
        let is_middle = |place: &Place| {
            place.region == Some(Region::Middle)
                && place.target.is_none()
                && place.relation.is_none()
        };
        if !matches!(phrase.head, Head::Object { .. }) || !places.iter().all(is_middle) {
            return None;
        }
        let state = self.state();
        let world = state.world();
        let is_of = |id: &String, kinds: &[&str]| {
            world.find(id).is_some_and(|thing| kinds.iter().any(|kind| is_member(thing, kind)))
        };
        if made.is_empty() || !made.iter().all(|id| is_of(id, &FOR_TABLES)) {
            return None;
        }
        let own = world.extent_of(&made[..1])?;
        let spoken = self.context.focus.iter().enumerate();
        let mut tables =
            spoken.filter(|(at, ids)| *at == 0 || self.is_new(ids)).map(|(_, ids)| ids);
        let carrier = tables.find(|ids| {
            let extent = world.extent_of(ids.iter());
            ids.len() == 1
                && is_of(&ids[0], &["furniture"])
                && !is_of(&ids[0], &["seats"])
                && extent.is_some_and(|extent| self.bears(ids, own, extent))
                && own.size().y < MAX_HEIGHT
        })?;
        let target = Some(Box::new(Phrase::of(Head::These(carrier.clone()))));
        let empty = places.first().cloned().unwrap_or_default();
        Some(Place { relation: Some(Relation::On), region: None, target, ..empty })
    }

    /// Whether a new thing is made though its place is not known: nobody knows the word for it, or there is nothing
    /// yet that could be meant.
    pub(super) fn stands_without(&self, stopped: &Stopped) -> bool {
        let is_bare = self.known.world().contents().next().is_none();
        match &stopped.0 {
            Remark::Unknown(_) => true,
            Remark::Missing(..) | Remark::Whom(..) | Remark::Which(..) => is_bare,
            _ => false,
        }
    }
}
