//! Several that were spoken of one after the other: "both", "them", "all of them", "those three".

use super::unit::{Unit, all_ids};
use super::{Context, Lost, Resolver, stem};
use crate::language::{Determiner, Phrase};
use crate::world::{Material, Thing};

/// What was made by one message and has more things is a scene rather than a step of one.
const MOST_MADE_AT_ONCE: usize = 6;

impl Resolver<'_> {
    fn units_of(&self, ids: &[String]) -> Vec<Unit<'_>> {
        let things = self.world.things.iter().filter(|thing| ids.contains(&thing.id));
        Unit::gathered(things, Thing::assembly)
    }

    /// All parts of the objects that these are parts of.
    pub(super) fn whole_of(&self, ids: &[String]) -> Vec<String> {
        let own = |thing: &Thing| ids.contains(&thing.id);
        let things = self.world.things.iter();
        let objects: Vec<&str> =
            things.filter(|thing| own(thing)).filter_map(Thing::assembly).collect();
        self.all(|thing| own(thing) || thing.assembly().is_some_and(|it| objects.contains(&it)))
    }

    /// "them": those spoken of last; where that was one, those it was spoken of together with.
    pub(super) fn several(&self) -> Result<Vec<String>, Lost> {
        let them = self.them()?;
        if self.units_of(&them).len() != 1 || !self.selected().is_empty() {
            return Ok(them);
        }
        Ok(self.made_with(&them).unwrap_or(them))
    }

    /// "all of them": those spoken of with those made like them, or where that was one, all of its kind.
    pub(super) fn all_of_them(&self) -> Result<Vec<String>, Lost> {
        let them = self.them().or_else(|lost| self.answered(lost));
        let known = them.clone().unwrap_or_default();
        if self.units_of(&known).len() > 1 {
            return Ok(self.with_those_like_them(known));
        }
        let of_kind = self.all_of_spoken_kind().filter(|ids| self.units_of(ids).len() > 1);
        if let Some(several) = of_kind.or_else(|| self.made_with(&known)) {
            return Ok(several);
        }
        self.last_spoken_of(2).or_else(|| self.only_pair()).map_or(them, Ok)
    }

    /// "spread them out", where nothing was spoken of yet: all that stands there, if it is several things.
    pub(super) fn all_there_are(&self) -> Option<Vec<String>> {
        let Context { focus, before, selection, answer, made, .. } = self.context;
        let fresh = focus.is_empty() && before.is_empty() && selection.is_empty();
        if !fresh || answer.is_some() || !made.is_empty() {
            return None;
        }
        let all: Vec<String> = self.world.objects().map(|thing| thing.id.clone()).collect();
        (self.units_of(&all).len() > 1).then_some(all)
    }

    /// "both", "all three": those spoken of last, if they are so many.
    pub(super) fn so_many_of_them(&self, count: usize) -> Result<Vec<String>, Lost> {
        let exactly = |ids: &Vec<String>| self.units_of(ids).len() == count;
        let them = self.them().ok().filter(exactly);
        let of_kind = || self.all_of_spoken_kind().filter(exactly);
        let carried = || self.with_its_carrier(&self.them().ok()?).filter(exactly);
        let found = them.or_else(|| self.last_spoken_of(count)).or_else(of_kind).or_else(carried);
        found.map_or_else(|| self.all_of_them(), Ok)
    }

    /// The last so many things, as one message after the other spoke of them.
    pub(super) fn last_spoken_of(&self, count: usize) -> Option<Vec<String>> {
        let mut ids = self.them().ok()?;
        let mut before = self.context.before.iter();
        while self.units_of(&ids).len() < count {
            ids.extend(self.existing(before.next()?));
        }
        let units = self.units_of(&ids);
        (units.len() == count).then(|| all_ids(units))
    }

    /// "those two" after one was put on another: it and what it stands on.
    fn with_its_carrier(&self, ids: &[String]) -> Option<Vec<String>> {
        let units = self.units_of(ids);
        let [one] = units.as_slice() else { return None };
        let loose = |thing: &&Thing| !thing.is_floor() && !thing.is_wall() && !thing.is_light();
        let all = Unit::gathered(self.world.things.iter().filter(loose), Thing::assembly);
        let carrier = all.into_iter().find(|unit| {
            let own = std::slice::from_ref(one);
            unit.name() != one.name()
                && carries_any(unit, own)
                && (unit.bounds.max.y - one.bounds.min.y).abs() < 0.01
        })?;
        Some(all_ids([one.clone(), carrier]))
    }

    /// "both boxes" where there are more: those spoken of last.
    pub(super) fn last_together(
        &self,
        fitting: &[Unit<'_>],
        phrase: &Phrase,
    ) -> Option<Vec<String>> {
        let count = phrase.together.filter(|count| fitting.len() > *count)?;
        let spoken = std::iter::once(&self.context.focus).chain(&self.context.before);
        let mut last: Vec<Unit<'_>> = Vec::new();
        for ids in spoken {
            let among = |unit: &&Unit<'_>| unit.things.iter().any(|thing| ids.contains(&thing.id));
            for unit in fitting.iter().filter(among) {
                if last.iter().all(|known| known.name() != unit.name()) {
                    last.push(unit.clone());
                }
            }
            if last.len() >= count {
                break;
            }
        }
        (last.len() == count).then(|| all_ids(last))
    }

    /// All things of the kind that was spoken of last.
    fn all_of_spoken_kind(&self) -> Option<Vec<String>> {
        let mut phrase = Phrase::new(Determiner::All);
        phrase.head = Some(self.context.kind.clone()?);
        phrase.plural = true;
        self.described(&phrase).ok()
    }

    /// "a cone", "two more", "all of them": the one that was there first belongs to them.
    fn with_those_like_them(&self, them: Vec<String>) -> Vec<String> {
        let units = self.units_of(&them);
        let name = units.first().map(|unit| stem(&unit.name()).to_owned()).unwrap_or_default();
        if !units.iter().all(|unit| stem(&unit.name()) == name) {
            return them;
        }
        let looks = |unit: &Unit<'_>| -> Vec<Option<Material>> {
            unit.things.iter().map(|thing| thing.material().cloned()).collect()
        };
        let model = units.first().map(looks);
        let named_so = self.all(|thing| stem(thing.assembly().unwrap_or(&thing.id)) == name);
        let mut alike = self.units_of(&named_so);
        alike.retain(|unit| Some(looks(unit)) == model || them.contains(&unit.things[0].id));
        all_ids(alike)
    }

    /// "a red cube", "a blue ball", "put them in a row": what was made one by one with the last thing. None
    /// where it was not made in this conversation, or alone.
    fn made_with(&self, last: &[String]) -> Option<Vec<String>> {
        let made: Vec<String> = self
            .context
            .made
            .iter()
            .map(|ids| self.existing(ids))
            .filter(|ids| self.units_of(ids).len() <= MOST_MADE_AT_ONCE)
            .flatten()
            .collect();
        if last.is_empty() || !last.iter().any(|id| made.contains(id)) {
            return None;
        }
        let units = self.units_of(&made);
        // What the others stand on is where they are rather than one of them.
        let free: Vec<Unit<'_>> =
            units.iter().filter(|unit| !carries_any(unit, &units)).cloned().collect();
        let meant = if free.len() > 1 { free } else { units };
        (meant.len() > 1).then(|| all_ids(meant))
    }

    /// "both", where there are no more than two.
    fn only_pair(&self) -> Option<Vec<String>> {
        let loose = |thing: &Thing| !thing.is_floor() && !thing.is_wall() && !thing.is_light();
        let all = self.all(loose);
        (self.units_of(&all).len() == 2).then_some(all)
    }
}

/// Whether one of the others stands on a thing or in it.
fn carries_any(unit: &Unit<'_>, others: &[Unit<'_>]) -> bool {
    const TOUCHING: f64 = 0.01;
    others.iter().filter(|other| other.name() != unit.name()).any(|other| {
        let foot = other.bounds.foot();
        let over = (unit.bounds.min.x..=unit.bounds.max.x).contains(&foot.x)
            && (unit.bounds.min.z..=unit.bounds.max.z).contains(&foot.z);
        let above = foot.y > unit.bounds.min.y + TOUCHING;
        over && above && foot.y < unit.bounds.max.y + TOUCHING
    })
}
