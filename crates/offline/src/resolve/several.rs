//! Which of several: "all of them", "the others", "half of them", the red one of two reddish ones.

use super::likeness::is_just;
use super::unit::{Unit, all_ids};
use super::{Context, Lost, Resolver};
use crate::language::{Determiner, Noun, Phrase, Place, Rank, Share, Target, id_words};
use crate::world::{Material, Thing, World};

impl Resolver<'_> {
    /// What the person answered when asked which thing was meant.
    pub(super) fn answered(&self, lost: Lost) -> Result<Vec<String>, Lost> {
        let Some(answer) = &self.context.answer else { return Err(lost) };
        let context = Context { answer: None, ..self.context.clone() };
        Resolver { world: self.world, context: &context }.resolve(answer)
    }

    /// "the red one", "the bigger one": of the kind that was spoken of last, where there are several
    /// of it and one fits.
    pub(super) fn of_last_kind(&self, phrase: &Phrase) -> Option<Vec<String>> {
        let one = phrase.words.last().is_some_and(|word| word == "one" || word == "ones");
        // "the first", "the last two".
        let ranked = phrase.head.is_none() && phrase.rank.is_some();
        let told = phrase.rank.is_some() || phrase.has_adjective() || !phrase.places.is_empty();
        if !(phrase.head == Some(Noun::Thing) && one && told || ranked) {
            return None;
        }
        let kind = self.context.kind.clone()?;
        if !matches!(kind, Noun::Shape(_) | Noun::Assembly(_) | Noun::Light(_)) {
            return None;
        }
        let head = Some(kind);
        let all = Phrase { head: head.clone(), plural: true, ..Phrase::new(Determiner::All) };
        let all = self.described(&all).ok()?;
        let things = self.world.things.iter().filter(|thing| all.contains(&thing.id));
        if Unit::gathered(things, Thing::assembly).len() < 2 {
            return None;
        }
        self.described(&Phrase { head, ..phrase.clone() }).ok()
    }

    /// "the third one" among many kinds of things, where none was spoken of: anything could be meant.
    pub(super) fn of_unknown_kind(&self, phrase: &Phrase) -> Option<Result<Vec<String>, Lost>> {
        const FEW_KINDS: usize = 3;
        let one = phrase.words.last().is_some_and(|word| word == "one" || word == "ones");
        let counted = matches!(
            phrase.rank,
            Some(
                Rank::First | Rank::Second | Rank::Third | Rank::Fourth | Rank::Last | Rank::Middle
            )
        );
        let told =
            phrase.has_adjective() && !phrase.colours.is_empty() || !phrase.places.is_empty();
        if phrase.head != Some(Noun::Thing)
            || !one
            || !counted
            || told
            || self.context.kind.is_some()
        {
            return None;
        }
        let loose = |thing: &&Thing| !thing.is_light() && !thing.is_floor() && !thing.is_wall();
        let units = Unit::gathered(self.world.things.iter().filter(loose), Thing::assembly);
        let names: Vec<String> = units.iter().map(Unit::name).collect();
        let mut kinds: Vec<&str> = names.iter().map(|name| super::stem(name)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        (kinds.len() > FEW_KINDS).then(|| match &self.context.answer {
            Some(answer) => self.among(&all_ids(units), answer),
            None => Err(Lost::Ambiguous(phrase.text(), names)),
        })
    }

    /// "the block right beneath it", "the one on its left": of several that stand so the nearest.
    pub(super) fn nearest(&self, fitting: &[Unit<'_>], phrase: &Phrase) -> Option<Vec<String>> {
        let several = phrase.plural || phrase.count.is_some() || phrase.rank.is_some();
        let of_it = |target: &Target| {
            target.0.iter().all(|phrase| matches!(phrase.determiner, Determiner::It))
        };
        let target = phrase.places.iter().find_map(|place| match place {
            Place::Relative { target, .. } if of_it(target) => Some(target),
            _ => None,
        })?;
        if several || fitting.len() < 2 || phrase.determiner != Determiner::The {
            return None;
        }
        let ids = self.resolve(target).ok()?;
        let others = self.world.things.iter().filter(|thing| ids.contains(&thing.id));
        let middle = World::bounds_of(others)?.center();
        let away = |unit: &&Unit<'_>| unit.bounds.center().distance(middle);
        let nearest = fitting.iter().min_by(|a, b| away(a).total_cmp(&away(b)))?;
        Some(nearest.ids())
    }

    /// All of the kind of what was spoken of, where that is among them: "every second one".
    pub(super) fn all_of_kind(&self) -> Option<Vec<String>> {
        let focus = self.them().ok()?;
        let model = self.world.find(focus.first()?)?;
        let mut all = Phrase::new(Determiner::All);
        all.plural = true;
        all.head = match (&self.context.kind, model.assembly()) {
            (Some(kind), _) => Some(kind.clone()),
            (None, None) => crate::language::ShapeKind::of_type(model.type_name()).map(Noun::Shape),
            (None, Some(_)) => None,
        };
        let all = self.described(&Phrase { head: Some(all.head.clone()?), ..all }).ok()?;
        focus.iter().all(|id| all.contains(id)).then_some(all)
    }

    /// "the friend": what was made as one, under that name.
    pub(super) fn named_company(&self, phrase: &Phrase) -> Option<Vec<String>> {
        let word = phrase.words.last()?;
        let plain = ["one", "ones", "thing", "things", "object", "objects"];
        if phrase.head != Some(Noun::Thing) || plain.contains(&word.as_str()) {
            return None;
        }
        let units = Unit::gathered(self.world.things.iter(), Thing::assembly).into_iter();
        let mut named = units.filter(|unit| id_words(&unit.name()).contains(word));
        named.next().map(|unit| unit.ids())
    }

    /// "the two", "the other two": those that were spoken of where they are so many, or what is left.
    pub(super) fn so_many(&self, phrase: &Phrase) -> Option<Vec<String>> {
        let count = phrase.count.filter(|count| *count > 1)?;
        let bare = matches!(phrase.head, None | Some(Noun::Thing)) && phrase.pattern.is_none();
        let plain =
            phrase.colours.is_empty() && phrase.finish.is_none() && phrase.places.is_empty();
        if phrase.determiner != Determiner::The || !bare || !plain {
            return None;
        }
        let focus = self.them().unwrap_or_default();
        let spoken = |unit: &Unit<'_>| unit.things.iter().any(|thing| focus.contains(&thing.id));
        let loose = |thing: &&Thing| !thing.is_light() && !thing.is_floor() && !thing.is_wall();
        let all = Unit::gathered(self.world.things.iter().filter(loose), Thing::assembly);
        let exactly = |units: Vec<Unit<'_>>| (units.len() == count).then(|| all_ids(units));
        if matches!(phrase.rank, Some(Rank::Other | Rank::Others)) {
            let others: Vec<Unit<'_>> = all.into_iter().filter(|unit| !spoken(unit)).collect();
            // Those that do not look like what was spoken of.
            let looks = |unit: &Unit<'_>| {
                unit.main_parts().next().and_then(|thing| thing.material().cloned())
            };
            let model = self.world.things.iter().find(|thing| focus.contains(&thing.id));
            let model = model.and_then(|thing| thing.material().cloned());
            let unlike: Vec<Unit<'_>> =
                others.iter().filter(|unit| looks(unit) != model).cloned().collect();
            return exactly(others).or_else(|| exactly(unlike));
        }
        if phrase.rank.is_some() {
            return None;
        }
        let them: Vec<Unit<'_>> = all.iter().filter(|unit| spoken(unit)).cloned().collect();
        if them.len() == count {
            return Some(all_ids(them));
        }
        if let Some(last) = self.last_spoken_of(count) {
            return Some(last);
        }
        let mut kind = Phrase::new(Determiner::All);
        (kind.head, kind.plural) = (self.context.kind.clone(), true);
        let of_kind = kind.head.as_ref().and_then(|_| self.described(&kind).ok());
        let of_kind = of_kind.unwrap_or_default();
        let of_kind: Vec<Unit<'_>> = all
            .iter()
            .filter(|unit| unit.things.iter().all(|thing| of_kind.contains(&thing.id)))
            .cloned()
            .collect();
        if of_kind.len() == count {
            return Some(all_ids(of_kind));
        }
        (all.len() == count).then(|| all_ids(all))
    }

    /// "the others", "the rest": the others of the kind that was spoken of.
    pub(super) fn others_of_kind(&self) -> Option<Vec<String>> {
        let mut phrase = Phrase::new(Determiner::All);
        phrase.head = Some(self.context.kind.clone()?);
        phrase.plural = true;
        let all = self.described(&phrase).ok()?;
        let things = self.world.things.iter().filter(|thing| all.contains(&thing.id));
        let spoken_of = |unit: &Unit<'_>| {
            unit.things.iter().any(|thing| self.context.focus.contains(&thing.id))
        };
        let mut others = Unit::gathered(things, Thing::assembly);
        others.retain(|unit| !spoken_of(unit));
        // After some were removed, the rest are all that are left.
        Some(if others.is_empty() { all } else { all_ids(others) })
    }

    /// "two of them", "half of them", "every second one".
    pub(super) fn portion(&self, found: Vec<String>, phrase: &Phrase) -> Vec<String> {
        let many = matches!(phrase.determiner, Determiner::Them | Determiner::This);
        let count = phrase.count.filter(|_| many);
        if phrase.share.is_none() && count.is_none() {
            return found;
        }
        let things = self.world.things.iter().filter(|thing| found.contains(&thing.id));
        let units = Unit::gathered(things, Thing::assembly);
        let most = count.unwrap_or(units.len());
        let part = match phrase.share {
            None => units.into_iter().take(most).collect::<Vec<_>>(),
            Some(Share::Part(part)) => {
                let share = (units.len() as f64 * part).round() as usize;
                units.into_iter().take(share.max(1)).collect()
            }
            Some(Share::Every(every)) => {
                let every = every.max(1);
                units.into_iter().skip(every - 1).step_by(every).collect()
            }
        };
        all_ids(part)
    }

    /// "the red one" of a scarlet and a brownish one is the scarlet.
    pub(super) fn as_coloured<'a>(&self, fitting: Vec<Unit<'a>>, phrase: &Phrase) -> Vec<Unit<'a>> {
        let many = phrase.plural || phrase.determiner == Determiner::All;
        if phrase.colours.is_empty() || many || fitting.len() < 2 {
            return fitting;
        }
        let just = |unit: &&Unit<'_>| {
            unit.main_parts().any(|thing| {
                let own = thing.material().and_then(Material::colour);
                own.is_some_and(|rgb| phrase.colours.iter().any(|wanted| is_just(rgb, wanted)))
            })
        };
        let just: Vec<Unit<'a>> = fitting.iter().filter(just).cloned().collect();
        if just.is_empty() { fitting } else { just }
    }

    /// "the lamp" that stands in the room, rather than what only shines.
    pub(super) fn lamps(&self, phrase: &Phrase) -> Option<Vec<Unit<'_>>> {
        let lamp = phrase.words.last().is_some_and(|word| word.starts_with("lamp"));
        let grouped = |thing: &&Thing| {
            let group = thing.group.as_deref().unwrap_or_default();
            !thing.is_light() && id_words(group).iter().any(|word| word == "lamp")
        };
        let things: Vec<&Thing> = self.world.things.iter().filter(grouped).collect();
        let units = Unit::gathered(things.into_iter(), |thing| thing.group.as_deref());
        (lamp && !units.is_empty()).then_some(units)
    }

    /// One thing is meant and several fit: an exact name, the selection, a group that is one
    /// thing, or the answer to the question that was asked about it.
    pub(super) fn one_of(
        &self,
        fitting: Vec<Unit<'_>>,
        phrase: &Phrase,
        exact: &str,
    ) -> Result<Vec<String>, Lost> {
        if let Some(unit) = fitting.iter().find(|unit| unit.name() == exact) {
            return Ok(unit.ids());
        }
        let selected = self.selected();
        let is_selected =
            |unit: &&Unit<'_>| unit.things.iter().any(|thing| selected.contains(&thing.id));
        if let [only] = fitting.iter().filter(is_selected).collect::<Vec<_>>()[..] {
            return Ok(only.ids());
        }
        let group = fitting.first().and_then(|unit| unit.things.first()?.group.as_ref());
        let whole = group.is_some()
            && fitting.iter().flat_map(|unit| &unit.things).all(|t| t.group.as_ref() == group);
        let one_thing = !matches!(phrase.head, Some(Noun::Shape(_) | Noun::Thing) | None);
        if whole && (one_thing || phrase.pattern.is_some()) {
            return Ok(all_ids(fitting));
        }
        if matches!(phrase.determiner, Determiner::A) {
            return Ok(fitting.last().map(Unit::ids).unwrap_or_default());
        }
        match &self.context.answer {
            Some(answer) => self.among(&all_ids(fitting), answer),
            None if self.just_spoken_of(&fitting, phrase).is_some() => {
                Ok(self.just_spoken_of(&fitting, phrase).unwrap_or_default())
            }
            None => {
                let names = fitting.iter().map(Unit::name).collect();
                Err(Lost::Ambiguous(phrase.text(), names))
            }
        }
    }

    /// "the ball", where the last message changed or named just one of the balls.
    fn just_spoken_of(&self, fitting: &[Unit<'_>], phrase: &Phrase) -> Option<Vec<String>> {
        let told = matches!(phrase.determiner, Determiner::The | Determiner::Bare);
        let last = self.context.named.first().into_iter().flatten();
        let last: Vec<String> = self.context.focus.iter().chain(last).cloned().collect();
        let mut spoken_of = std::iter::once(&last).chain(self.context.named.iter().skip(1));
        let found = spoken_of.find_map(|ids| {
            let among = |unit: &&Unit<'_>| unit.things.iter().any(|thing| ids.contains(&thing.id));
            let found: Vec<_> = fitting.iter().filter(among).collect();
            (!found.is_empty()).then_some(found)
        })?;
        match found[..] {
            [only] if told => Some(only.ids()),
            _ => None,
        }
    }

    /// The candidates that an answer picks ("the left one", "all of them", "ball_2").
    pub(super) fn among(
        &self,
        candidates: &[String],
        answer: &Target,
    ) -> Result<Vec<String>, Lost> {
        // "the one on the table" is told by what is not among them.
        let places: Vec<&Place> = answer.0.iter().flat_map(|phrase| &phrase.places).collect();
        // What they are told by is to be known without the answer.
        let without_answer = Context { answer: None, ..self.context.clone() };
        let known = Resolver { world: self.world, context: &without_answer };
        let stands = |thing: &Thing| places.iter().all(|place| known.stands(thing, place));
        let mut world = self.world.clone();
        world.things.retain(|thing| candidates.contains(&thing.id) && stands(thing));
        let bare = answer.0.iter().map(|phrase| Phrase { places: Vec::new(), ..phrase.clone() });
        let answer = &Target(bare.collect());
        let context = Context { focus: candidates.to_vec(), ..Context::default() };
        Resolver { world: &world, context: &context }.resolve(answer)
    }
}
