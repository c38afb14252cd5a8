//! Finds the things of the scene that a person's words mean.

mod age;
mod category;
mod kind;
mod likeness;
mod pile;
mod rank;
mod several;
mod together;
mod unit;

use kind::is_lamp;
pub(crate) use kind::{pattern_name, shape_name};
use unit::{Unit, all_ids};

use crate::language::{
    Determiner, LightKind, Noun, Phrase, Rank, ShapeKind, Share, Target, id_like, id_words,
};
use crate::world::{Thing, World};

/// Words for parts, and what the parts of objects are called.
const OTHER_WORDS: [(&str, &str); 7] = [
    ("leaf", "crown"),
    ("foliage", "crown"),
    ("treetop", "crown"),
    ("tire", "tyre"),
    ("lampshade", "shade"),
    ("windshield", "windscreen"),
    ("fire", "flame"),
];

/// What the dialogue adds to the words.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Context {
    /// What the last change touched: what "it" means.
    pub(crate) focus: Vec<String>,
    /// What the person has selected.
    pub(crate) selection: Vec<String>,
    /// The answer to the question which one was meant.
    pub(crate) answer: Option<Target>,
    /// What the changes before the last touched, the latest first.
    pub(crate) before: Vec<Vec<String>>,
    /// What was made in this conversation, a list for each message, the last last.
    pub(crate) made: Vec<Vec<String>>,
    /// What the last messages named beside what they changed: "a cone next to the red ball", the latest first.
    pub(crate) named: Vec<Vec<String>>,
    /// The kind of thing that was spoken of last: what "the others" are.
    pub(crate) kind: Option<Noun>,
}

/// Why words could not be matched with things.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Lost {
    /// Nothing fits; the words.
    NotFound(String),
    /// Several fit where one is meant; the words and the ids.
    Ambiguous(String, Vec<String>),
    /// "it", but nothing was spoken of.
    NoIt,
}

/// A view of the scene for resolving words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Resolver<'a> {
    pub(crate) world: &'a World,
    pub(crate) context: &'a Context,
}

impl Resolver<'_> {
    /// The ids of everything `target` means, each once, in the order of the scene.
    pub(crate) fn resolve(&self, target: &Target) -> Result<Vec<String>, Lost> {
        let mut ids = Vec::new();
        for phrase in &target.0 {
            for id in self.phrase(phrase)? {
                if !ids.contains(&id) {
                    ids.push(id);
                }
            }
        }
        Ok(ids)
    }

    fn phrase(&self, phrase: &Phrase) -> Result<Vec<String>, Lost> {
        let found = match phrase.determiner {
            Determiner::Them if let Some(all) = self.all_there_are() => all,
            Determiner::It if phrase.whole => self.whole_of(&self.it()?),
            Determiner::Focus if phrase.whole => self.whole_of(&self.them()?),
            Determiner::It => self.it().or_else(|lost| self.answered(lost))?,
            Determiner::Them if let Some(count) = phrase.together => self.so_many_of_them(count)?,
            Determiner::Them if phrase.plural && phrase.share.is_none() => self.all_of_them()?,
            Determiner::Them if matches!(phrase.share, Some(Share::Every(_))) => {
                self.all_of_kind().map_or_else(|| self.them(), Ok)?
            }
            Determiner::Focus => self.them().or_else(|lost| self.answered(lost))?,
            Determiner::Them => self.several().or_else(|lost| self.answered(lost))?,
            Determiner::This if phrase.head.is_none() && phrase.colours.is_empty() => {
                if self.selected().is_empty() { self.it()? } else { self.selected() }
            }
            // "everything on the table".
            Determiner::Everything if !phrase.places.is_empty() => {
                let mut there = phrase.clone();
                (there.determiner, there.head, there.plural) =
                    (Determiner::All, Some(Noun::Thing), true);
                there.words = vec!["thing there".to_owned()];
                self.described(&there)?
            }
            Determiner::Everything => self.all(|_| true),
            Determiner::Rest if self.others_of_kind().is_some() => {
                self.others_of_kind().unwrap_or_default()
            }
            Determiner::Rest => {
                let but = self.them().unwrap_or_default();
                self.all(|thing| !but.contains(&thing.id) && !thing.is_floor() && !thing.is_light())
            }
            _ => self.described(phrase)?,
        };
        let found = self.portion(found, phrase);
        let except = match phrase.except.as_slice() {
            [] => Vec::new(),
            phrases => {
                // "everything except the boxes": all of them, however many.
                let all = phrases.iter().map(|phrase| {
                    let mut phrase = phrase.clone();
                    if phrase.determiner == Determiner::The && phrase.rank.is_none() {
                        phrase.determiner = Determiner::All;
                    }
                    phrase
                });
                self.resolve(&Target(all.collect()))?
            }
        };
        Ok(found.into_iter().filter(|id| !except.contains(id)).collect())
    }

    fn all(&self, keep: impl Fn(&Thing) -> bool) -> Vec<String> {
        ids(self.world.things.iter().filter(|thing| keep(thing)))
    }

    fn existing(&self, wanted: &[String]) -> Vec<String> {
        self.all(|thing| wanted.contains(&thing.id))
    }

    /// What is selected, by the ids of things or of groups.
    fn selected(&self) -> Vec<String> {
        let selected = &self.context.selection;
        self.all(|thing| {
            let group = thing.group.as_ref().is_some_and(|group| selected.contains(group));
            group || selected.contains(&thing.id)
        })
    }

    fn them(&self) -> Result<Vec<String>, Lost> {
        let selected = self.selected();
        let found = if selected.is_empty() { self.existing(&self.context.focus) } else { selected };
        if found.is_empty() { self.only_object() } else { Ok(found) }
    }

    /// The last thing spoken of, with all that belongs to it: the rest of its group, or the others
    /// that were made with it under the same name ("three boxes").
    fn it(&self) -> Result<Vec<String>, Lost> {
        let all = self.them()?;
        if !self.selected().is_empty() {
            return Ok(all);
        }
        let last = self.context.focus.iter().rev().find(|id| all.contains(id));
        let Some(last) = last.and_then(|id| self.world.find(id)) else { return Ok(all) };
        let belongs = |id: &String| {
            let group = self.world.find(id).and_then(|thing| thing.group.as_ref());
            match (&last.group, group) {
                (Some(own), Some(other)) => own == other,
                _ => stem(id) == stem(&last.id),
            }
        };
        Ok(all.into_iter().filter(belongs).collect())
    }

    fn only_object(&self) -> Result<Vec<String>, Lost> {
        match ids(self.world.objects()).as_slice() {
            [only] => Ok(vec![only.clone()]),
            _ => Err(Lost::NoIt),
        }
    }

    fn described(&self, phrase: &Phrase) -> Result<Vec<String>, Lost> {
        if let Some(ordinal) = phrase.ordinal {
            let units = Unit::gathered(self.world.things.iter(), Thing::assembly);
            return match units.get(ordinal.saturating_sub(1)) {
                Some(unit) => Ok(unit.ids()),
                None => Err(Lost::NotFound(phrase.text())),
            };
        }
        let other = matches!(phrase.rank, Some(Rank::Other | Rank::Others));
        let kind = self.context.kind.as_ref().filter(|_| other);
        if let (Some(kind), None | Some(Noun::Thing)) = (kind, &phrase.head) {
            // "the other one" is another of the same kind.
            let same = Phrase { head: Some(kind.clone()), ..phrase.clone() };
            if let Ok(ids) = self.described(&same) {
                return Ok(ids);
            }
        }
        if let Some(found) = self.of_age(phrase) {
            return found;
        }
        if let Some(ids) = self.of_last_kind(phrase) {
            return Ok(ids);
        }
        if let Some(found) = self.of_unknown_kind(phrase) {
            return found;
        }
        if let Some(ids) = self.so_many(phrase) {
            return Ok(ids);
        }
        if let Some(ids) = self.named_company(phrase) {
            return Ok(ids);
        }
        let text = phrase.text();
        let exact = id_like(&phrase.words).join("_");
        let of_category = if phrase.owner.is_none() { self.of_category(phrase) } else { None };
        let many = phrase.plural || of_category.as_ref().is_some_and(|(_, many)| *many);
        let mut fitting = match (&phrase.owner, of_category) {
            (Some(owner), _) => self.parts_of(owner, phrase)?,
            (None, Some((units, _))) => units,
            (None, None) => self.fitting(phrase),
        };
        if fitting.is_empty() {
            fitting = self.world.find(&exact).into_iter().map(Unit::single).collect();
        }
        if fitting.is_empty() && phrase.owner.is_none() {
            // "the blue car" goes by its name when it is blue no more.
            let of_group = |thing: &&Thing| thing.group.as_deref() == Some(exact.as_str());
            let group = self.world.things.iter().filter(of_group).collect();
            fitting = Unit::of(group).into_iter().collect();
        }
        if fitting.is_empty()
            && phrase.owner.is_none()
            && let Some(last) = id_like(&phrase.words).last()
        {
            // "the door" of the house, where no door stands by itself.
            let parts = self.named(last).into_iter();
            fitting = parts.filter(|unit| self.is_described(unit, phrase)).collect();
        }
        let tower = phrase.pattern == Some(crate::language::Pattern::Stack)
            && matches!(phrase.head, None | Some(Noun::Thing));
        if tower
            && phrase.determiner == Determiner::The
            && let Some(pile) = self.pile()
        {
            // With what was put on it, or as it was piled up by hand.
            let whole = fitting.iter().flat_map(|unit| &unit.things);
            let within = |thing: &&&Thing| {
                pile.iter().any(|unit| unit.things.iter().any(|own| own.id == thing.id))
            };
            if fitting.is_empty() || whole.into_iter().any(|thing| within(&thing)) {
                return Ok(all_ids(pile));
            }
        }
        fitting = self.sized(self.as_coloured(fitting, phrase), phrase);
        if fitting.is_empty() {
            return Err(Lost::NotFound(text));
        }
        if let Some(rank) = phrase.rank {
            let ranked = self.ranked(fitting, rank, phrase);
            return if ranked.is_empty() { Err(Lost::NotFound(text)) } else { Ok(ranked) };
        }
        if let Some(last) = self.last_together(&fitting, phrase) {
            return Ok(last);
        }
        let one = phrase.count == Some(1) && phrase.determiner == Determiner::Bare;
        if let Some(nearest) = self.nearest(&fitting, phrase) {
            return Ok(nearest);
        }
        if fitting.len() > 1 && !many && phrase.determiner != Determiner::All && !one {
            return self.one_of(fitting, phrase, &exact);
        }
        let count = match (phrase.count, phrase.determiner) {
            (Some(count), Determiner::Bare | Determiner::The) if count > 0 => count,
            _ => fitting.len(),
        };
        Ok(all_ids(fitting.into_iter().take(count)))
    }

    /// Everything a phrase describes, counted as people count: an object of many parts is one,
    /// and its parts are meant only where nothing that stands alone is.
    fn fitting(&self, phrase: &Phrase) -> Vec<Unit<'_>> {
        let things = self.world.things.iter();
        let units = match &phrase.head {
            Some(Noun::Named(name)) => self.named(name),
            Some(Noun::Assembly(_) | Noun::Later(_)) => {
                let whole =
                    Unit::gathered(things.filter(|thing| self.is_kind(thing, phrase)), |thing| {
                        thing.group.as_deref()
                    });
                match &phrase.head {
                    // "the hat" of a snowman, where no hat stands alone.
                    Some(Noun::Assembly(assembly)) if whole.is_empty() => self.named(assembly.0),
                    // "the candles" of a cake and the one beside it.
                    Some(Noun::Assembly(assembly)) if whole.len() == 1 && phrase.plural => {
                        let alone: Vec<String> = whole.iter().flat_map(Unit::ids).collect();
                        let mut all = whole;
                        let parts = self.parts_called(assembly.0).into_iter();
                        all.extend(parts.filter(|part| !alone.contains(&part.things[0].id)));
                        all
                    }
                    _ => whole,
                }
            }
            None | Some(Noun::Thing) if phrase.pattern.is_none() => {
                let solid = things.filter(|thing| self.is_kind(thing, phrase));
                Unit::gathered(solid, Thing::assembly)
            }
            Some(Noun::Light(LightKind::Any)) if self.lamps(phrase).is_some() => {
                self.lamps(phrase).unwrap_or_default()
            }
            _ => {
                let fit: Vec<Unit<'_>> = things
                    .filter(|thing| self.is_kind(thing, phrase))
                    .map(Unit::single)
                    .filter(|unit| self.is_described(unit, phrase))
                    .collect();
                let alone =
                    |unit: &&Unit<'_>| unit.things.iter().all(|thing| thing.assembly().is_none());
                let loose: Vec<Unit<'_>> = fit.iter().filter(alone).cloned().collect();
                return if loose.is_empty() { fit } else { loose };
            }
        };
        units.into_iter().filter(|unit| self.is_described(unit, phrase)).collect()
    }

    /// "the snowman's hat", "the legs of the table".
    fn parts_of(&self, owner: &Phrase, phrase: &Phrase) -> Result<Vec<Unit<'_>>, Lost> {
        let owners = self.phrase(owner)?;
        // "its buttons" after its nose was spoken of: those of the whole snowman.
        let assemblies: Vec<&str> =
            owners.iter().filter_map(|id| self.world.find(id)?.assembly()).collect();
        let words: Vec<String> = id_like(&phrase.words);
        let own = |thing: &&Thing| {
            owners.contains(&thing.id)
                || thing.assembly().is_some_and(|group| assemblies.contains(&group))
        };
        let is_part = |thing: &&Thing| {
            let parts = id_words(thing.part_name());
            let same = |word: &String, part: &String| {
                word == part || word.strip_suffix('s') == Some(part.as_str())
            };
            let named = words.iter().any(|word| parts.iter().any(|part| same(word, part)));
            named || (matches!(phrase.head, Some(Noun::Shape(_))) && self.is_kind(thing, phrase))
        };
        let found: Vec<&Thing> = self.world.things.iter().filter(own).filter(is_part).collect();
        if found.is_empty() {
            return Err(Lost::NotFound(format!("{} of {}", phrase.text(), owner.text())));
        }
        if phrase.rank.is_some() || phrase.count.is_some() {
            return Ok(found.into_iter().map(Unit::single).collect());
        }
        // "the hat" is all that is called hat.
        Ok(Unit::of(found).into_iter().collect())
    }

    /// Every part of an object that is called so, whatever else is.
    fn parts_called(&self, name: &str) -> Vec<Unit<'_>> {
        let wanted = id_like(&[name.to_owned()]);
        let called = |thing: &&Thing| {
            let words = id_like(&id_words(thing.part_name()));
            thing.assembly().is_some() && wanted.iter().all(|word| words.contains(word))
        };
        self.world.things.iter().filter(called).map(Unit::single).collect()
    }

    /// An id, a group, a group above groups, or part of an id.
    fn named(&self, name: &str) -> Vec<Unit<'_>> {
        let things = || self.world.things.iter();
        if let Some(thing) = things().find(|thing| thing.id.eq_ignore_ascii_case(name)) {
            return vec![Unit::single(thing)];
        }
        let same = |group: &str| group.eq_ignore_ascii_case(name);
        let grouped: Vec<&Thing> = things()
            .filter(|thing| {
                let group = thing.group.as_deref();
                group.is_some_and(|group| same(group) || self.world.is_within(group, name))
            })
            .collect();
        if let Some(unit) = Unit::of(grouped) {
            return vec![unit];
        }
        let words = id_like(&[name.to_owned()]);
        let has = |id: &str| {
            // "the walls" of `house_walls`.
            let own = id_like(&id_words(id));
            words.iter().all(|word| own.contains(word))
        };
        // The group of that name rather than each of its parts.
        let groups: Vec<&Thing> =
            things().filter(|thing| thing.group.as_deref().is_some_and(has)).collect();
        if !groups.is_empty() {
            return Unit::gathered(groups.into_iter(), |thing| thing.group.as_deref());
        }
        let mut parts: Vec<&Thing> = things().filter(|thing| has(&thing.id)).collect();
        if let (true, [word]) = (parts.is_empty(), words.as_slice()) {
            // "the leaves" of a tree.
            let other = OTHER_WORDS.iter().find(|(said, _)| said == word).map(|(_, part)| *part);
            let is = |thing: &&Thing| {
                other.is_some_and(|part| id_words(thing.part_name()).iter().any(|own| own == part))
            };
            parts = things().filter(is).collect();
        }
        let assembly = parts.first().and_then(|thing| thing.assembly());
        // "the hat" of the only snowman is all that is called hat.
        if assembly.is_some() && parts.iter().all(|thing| thing.assembly() == assembly) {
            return Unit::of(parts).into_iter().collect();
        }
        parts.into_iter().map(Unit::single).collect()
    }

    /// Whether a thing is of the kind that the head of a phrase names.
    fn is_kind(&self, thing: &Thing, phrase: &Phrase) -> bool {
        match &phrase.head {
            None | Some(Noun::Thing) => match phrase.pattern {
                Some(pattern) => thing.group.as_deref().is_some_and(|group| {
                    group.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_')
                        == pattern_name(pattern)
                }),
                None => !thing.is_light() && !thing.is_floor() && !thing.is_wall(),
            },
            Some(Noun::Shape(kind)) => {
                let quad = *kind == ShapeKind::Quad && thing.is_floor();
                thing.form().is_some_and(|form| form.type_name() == shape_name(*kind)) && !quad
            }
            Some(Noun::Floor) => thing.is_floor(),
            Some(Noun::Wall) => thing.is_wall(),
            Some(Noun::Light(kind)) => is_lamp(thing, *kind),
            Some(Noun::Assembly(assembly)) => {
                let group = thing.group.as_deref().unwrap_or(&thing.id);
                let (own, words) = (id_words(group), id_words(assembly.0));
                own.windows(words.len()).any(|run| run == words)
            }
            Some(Noun::Later(word)) => {
                let group = thing.group.clone().unwrap_or_default();
                id_words(&thing.id).contains(word) || id_words(&group).contains(word)
            }
            Some(Noun::Named(_) | Noun::Scene | Noun::Sky | Noun::Camera | Noun::Lens) => false,
        }
    }
}

fn ids<'a>(things: impl Iterator<Item = &'a Thing>) -> Vec<String> {
    things.map(|thing| thing.id.clone()).collect()
}

/// An id without its number: `green_box` of `green_box_2`.
pub(crate) fn stem(id: &str) -> &str {
    id.trim_end_matches(|letter: char| letter.is_ascii_digit()).trim_end_matches('_')
}
