//! Where new things stand whose places are told by what is not known yet.

use crate::frames::{Head, Phrase, Place, Region, Relation};
use crate::resolve::{is_listed, is_member};
use crate::tokens::lexicon;

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
        // A room stands where it was built.
        if places.is_empty() && made.len() == 1 && self.rooms().contains(&made[0]) {
            return Ok(made);
        }
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
        if !matches!(phrase.head, Head::Object { .. }) {
            return None;
        }
        if let Some(table) = self.table_of(made, places) {
            let target = Some(Box::new(Phrase::of(Head::These(vec![table]))));
            return Some(Place { relation: Some(Relation::Around), target, ..Place::default() });
        }
        if !places.iter().all(is_middle) {
            return None;
        }
        let state = self.state();
        let world = state.world();
        let is_of = |id: &String, kinds: &[&str]| {
            world.find(id).is_some_and(|thing| kinds.iter().any(|kind| is_member(thing, kind)))
        };
        if made.is_empty() {
            return None;
        }
        let on = |carrier: Vec<String>| {
            let target = Some(Box::new(Phrase::of(Head::These(carrier))));
            let empty = places.first().cloned().unwrap_or_default();
            Place { relation: Some(Relation::On), region: None, target, ..empty }
        };
        if let Some(water) = self.water_for(phrase) {
            return Some(on(vec![water]));
        }
        if !made.iter().all(|id| is_of(id, &FOR_TABLES)) {
            return None;
        }
        let own = world.extent_of(&made[..1])?;
        let spoken = self.context.focus.iter().enumerate();
        let spoken = spoken.filter(|(at, ids)| *at == 0 || self.is_new(ids));
        // "a pie on a table. Plates, a jug": on what carries what was spoken of last.
        let last = self.context.focus.first().into_iter().flatten();
        let below = last.filter_map(|id| world.support_of(world.find(id)?));
        let mut tables =
            spoken.map(|(_, ids)| ids.clone()).chain(below.map(|below| vec![below.id.clone()]));
        let carrier = tables.find(|ids| {
            let extent = world.extent_of(ids.iter());
            ids.len() == 1
                && is_of(&ids[0], &["furniture"])
                && !is_of(&ids[0], &["seats"])
                && extent.is_some_and(|extent| self.bears(ids, own, extent))
                && own.size().y < MAX_HEIGHT
        })?;
        Some(on(carrier))
    }

    /// "a table and four chairs": the table that was made just before, around which seats stand, also where both are on a patio.
    fn table_of(&self, made: &[String], places: &[Place]) -> Option<String> {
        let state = self.state();
        let world = state.world();
        let is_seat = |id: &String| world.find(id).is_some_and(|thing| is_member(thing, "seats"));
        if made.len() < 2 || !made.iter().all(is_seat) {
            return None;
        }
        let mut before = self.made.iter().rev().filter(|id| !made.contains(id));
        let spoken = self.context.focus.first().and_then(|ids| match ids.as_slice() {
            [only] => Some(only),
            _ => None,
        });
        let is_table = |id: &&String| {
            world.find(id).is_some_and(|thing| is_listed(thing, "Table"))
                && self.is_new(&[(*id).clone()])
        };
        let table = spoken.filter(is_table).or_else(|| before.next().filter(is_table))?;
        let below = world.support_of(world.find(table)?).map(|below| below.id.clone());
        let is_shared = |place: &Place| {
            let target = place.target.as_deref().and_then(|target| self.find(target).ok());
            place.relation == Some(Relation::On)
                && target.is_some_and(|ids| ids.first() == below.as_ref())
        };
        places.iter().all(is_shared).then(|| table.clone())
    }

    /// The water that something swims on by its kind: ducks on the pond that was spoken of, or on the only one.
    fn water_for(&self, phrase: &Phrase) -> Option<String> {
        if !is_afloat(phrase) {
            return None;
        }
        let state = self.state();
        let world = state.world();
        let is_water = |id: &&String| world.find(id).is_some_and(|thing| is_listed(thing, "Water"));
        let spoken = self.context.focus.iter().flatten().find(is_water);
        let mut all = world.wholes().map(|thing| &thing.id).filter(is_water);
        let only = all.next().filter(|_| all.next().is_none());
        spoken.or(only).cloned()
    }

    /// Whether something swims on what it comes with: "a pond with ducks".
    pub(super) fn floats_on(&self, phrase: &Phrase, owner: &str) -> bool {
        let state = self.state();
        let owner = state.world().find(owner);
        is_afloat(phrase) && owner.is_some_and(|owner| is_listed(owner, "Water"))
    }

    /// Whether a new thing is made though its place is not known: nobody knows the word for it, or there is nothing
    /// yet that could be meant.
    pub(super) fn stands_without(&self, stopped: &Stopped) -> bool {
        let is_bare = self.known.world().contents().next().is_none();
        match &stopped.0 {
            Remark::Unknown(_) => true,
            // "up to the ceiling", where there is none.
            Remark::Missing(_, phrase) if matches!(phrase.head, Head::Part(_)) => true,
            Remark::Missing(..) | Remark::Whom(..) | Remark::Which(..) => is_bare,
            _ => false,
        }
    }
}

/// Whether things of this kind are on water, or in it.
fn is_afloat(phrase: &Phrase) -> bool {
    let word = phrase.word.rsplit(' ').next().unwrap_or_default();
    let forms = crate::resolve::singulars(&phrase.word).into_iter();
    let mut forms = forms.chain(crate::resolve::singulars(word));
    forms.any(|form| lexicon().has(&form, "Afloat"))
}
