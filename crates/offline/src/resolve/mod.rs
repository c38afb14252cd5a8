//! Finds the things of the scene that a person's words mean.

mod rank;

use glam::DVec3;

use crate::colour;
use crate::language::{
    Determiner, LightKind, Noun, Pattern, Phrase, Place, Rank, Relation, ShapeKind, Target,
    id_like, id_words,
};
use crate::world::{Body, LampForm, Thing, World};

/// What the dialogue adds to the words.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Context {
    /// What the last change touched: what "it" means.
    pub(crate) focus: Vec<String>,
    /// What the person has selected.
    pub(crate) selection: Vec<String>,
    /// The answer to the question which one was meant.
    pub(crate) answer: Option<Target>,
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
            Determiner::It => self.it()?,
            Determiner::Them => self.them()?,
            Determiner::This if phrase.head.is_none() && phrase.colours.is_empty() => {
                if self.selected().is_empty() { self.it()? } else { self.selected() }
            }
            Determiner::Everything => self.all(|_| true),
            Determiner::Rest => {
                let but = self.them().unwrap_or_default();
                self.all(|thing| !but.contains(&thing.id) && !thing.is_floor() && !thing.is_light())
            }
            _ => self.described(phrase)?,
        };
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

    fn selected(&self) -> Vec<String> {
        self.existing(&self.context.selection)
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
            let found = self.world.things.get(ordinal.saturating_sub(1));
            return match found {
                Some(thing) => Ok(vec![thing.id.clone()]),
                None => Err(Lost::NotFound(phrase.text())),
            };
        }
        let text = phrase.text();
        let exact = id_like(&phrase.words).join("_");
        let mut fitting: Vec<&Thing> = match &phrase.head {
            Some(Noun::Named(name)) => self.named(name),
            _ => self.world.things.iter().filter(|thing| self.fits(thing, phrase)).collect(),
        };
        if fitting.is_empty() {
            fitting = self.world.find(&exact).into_iter().collect();
        }
        fitting = self.sized(fitting, phrase);
        if fitting.is_empty() {
            return Err(Lost::NotFound(text));
        }
        if let Some(rank) = phrase.rank {
            let ranked = self.ranked(fitting, rank, phrase.count, phrase.plural);
            return if ranked.is_empty() { Err(Lost::NotFound(text)) } else { Ok(ranked) };
        }
        if fitting.len() > 1 && !phrase.plural && phrase.determiner != Determiner::All {
            return self.one_of(&fitting, phrase, &exact);
        }
        let count = match (phrase.count, phrase.determiner) {
            (Some(count), Determiner::Bare | Determiner::The) if count > 0 => count,
            _ => fitting.len(),
        };
        Ok(ids(fitting.into_iter().take(count)))
    }

    /// One thing is meant and several fit: an exact name, the selection, a group that is one
    /// thing, or the answer to the question that was asked about it.
    fn one_of(
        &self,
        fitting: &[&Thing],
        phrase: &Phrase,
        exact: &str,
    ) -> Result<Vec<String>, Lost> {
        let all = ids(fitting.iter().copied());
        if let Some(thing) = fitting.iter().find(|thing| thing.id == exact) {
            return Ok(vec![thing.id.clone()]);
        }
        let selected = self.selected();
        if let [only] = all.iter().filter(|id| selected.contains(id)).collect::<Vec<_>>()[..] {
            return Ok(vec![only.clone()]);
        }
        let group = fitting.first().and_then(|thing| thing.group.as_ref());
        let whole = group.is_some() && fitting.iter().all(|thing| thing.group.as_ref() == group);
        let one_thing = !matches!(phrase.head, Some(Noun::Shape(_) | Noun::Thing) | None);
        if whole && (one_thing || phrase.pattern.is_some()) {
            return Ok(all);
        }
        if matches!(phrase.head, Some(Noun::Named(_))) && phrase.words.len() == 1 && whole {
            return Ok(all);
        }
        if matches!(phrase.determiner, Determiner::A) {
            return Ok(all.last().cloned().into_iter().collect());
        }
        match &self.context.answer {
            Some(answer) => self.among(&all, answer),
            None => Err(Lost::Ambiguous(phrase.text(), all)),
        }
    }

    /// The candidates that an answer picks ("the left one", "all of them", "ball_2").
    fn among(&self, candidates: &[String], answer: &Target) -> Result<Vec<String>, Lost> {
        let mut world = self.world.clone();
        world.things.retain(|thing| candidates.contains(&thing.id));
        let context = Context { focus: candidates.to_vec(), ..Context::default() };
        Resolver { world: &world, context: &context }.resolve(answer)
    }

    /// An id, a group, or part of an id.
    fn named(&self, name: &str) -> Vec<&Thing> {
        let things = || self.world.things.iter();
        if let Some(thing) = things().find(|thing| thing.id.eq_ignore_ascii_case(name)) {
            return vec![thing];
        }
        let grouped: Vec<&Thing> =
            things().filter(|thing| thing.group.as_deref() == Some(name)).collect();
        if !grouped.is_empty() {
            return grouped;
        }
        let words = id_like(&[name.to_owned()]);
        let has = |thing: &Thing| {
            let own = id_words(&thing.id);
            words.iter().all(|word| own.contains(word))
        };
        things().filter(|thing| has(thing)).collect()
    }

    fn fits(&self, thing: &Thing, phrase: &Phrase) -> bool {
        let own_words = id_words(&thing.id);
        let head = match &phrase.head {
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
                id_words(group).join(" ").starts_with(assembly.0)
            }
            Some(Noun::Later(word)) => {
                let group = thing.group.clone().unwrap_or_default();
                own_words.contains(word) || id_words(&group).contains(word)
            }
            Some(Noun::Named(_) | Noun::Scene | Noun::Sky | Noun::Camera | Noun::Lens) => false,
        };
        head && self.looks(thing, phrase, &own_words)
            && phrase.places.iter().all(|place| self.stands(thing, place))
    }

    fn looks(&self, thing: &Thing, phrase: &Phrase, own_words: &[String]) -> bool {
        let coloured = phrase.colours.is_empty()
            || phrase.colours.iter().any(|wanted| match thing.material() {
                Some(material) => {
                    let same = |rgb: DVec3| {
                        colour::describe(rgb) == colour::describe(wanted.rgb)
                            || colour::alike(rgb, wanted.rgb)
                    };
                    material.colour().is_some_and(same)
                }
                None => wanted.name.split(' ').all(|word| own_words.iter().any(|own| own == word)),
            });
        let finished = phrase
            .finish
            .is_none_or(|finish| thing.material().is_some_and(|material| material.is(finish)));
        coloured && finished
    }

    /// Whether a thing stands where a description says ("the box on the table").
    pub(crate) fn stands(&self, thing: &Thing, place: &Place) -> bool {
        let Place::Relative { relation, target, .. } = place else { return true };
        let Ok(targets) = self.resolve(target) else { return false };
        if targets.contains(&thing.id) {
            return false;
        }
        let others = self.world.things.iter().filter(|other| targets.contains(&other.id));
        let Some(other) = World::bounds_of(others) else { return false };
        let (own, camera) = (thing.bounds(), &self.world.camera);
        let away = own.center() - other.center();
        let touching = own.widened(0.01).overlaps(other.moved(DVec3::Y * 0.01));
        match relation {
            Relation::On => touching && own.min.y >= other.max.y - 0.02,
            Relation::Under => own.max.y <= other.min.y + 0.02,
            Relation::Above => own.min.y >= other.max.y - 0.02,
            Relation::Left => away.dot(camera.right()) < 0.0,
            Relation::Right => away.dot(camera.right()) > 0.0,
            Relation::Front => away.dot(camera.towards()) > 0.0,
            Relation::Behind => away.dot(camera.towards()) < 0.0,
            Relation::Inside => other.overlaps(own),
            Relation::Beside | Relation::Around | Relation::Between => {
                let gap = (away.abs() - (own.size() + other.size()) * 0.5).max(DVec3::ZERO);
                gap.length() < own.extent().max(other.extent())
            }
        }
    }

    /// "the big one", "the small boxes".
    fn sized<'a>(&self, fitting: Vec<&'a Thing>, phrase: &Phrase) -> Vec<&'a Thing> {
        let factor = phrase.size.factors.element_product();
        let said = |thing: &&Thing| {
            let own = id_words(&thing.id);
            phrase.size.words.iter().all(|word| own.contains(word))
        };
        if phrase.size.words.is_empty() || fitting.len() < 2 {
            return fitting;
        }
        let named: Vec<&Thing> = fitting.iter().copied().filter(said).collect();
        if !named.is_empty() {
            return named;
        }
        let extent = |thing: &Thing| thing.bounds().extent();
        if !phrase.plural {
            let rank = if factor < 1.0 { Rank::Smallest } else { Rank::Biggest };
            let wanted = self.ranked(fitting.clone(), rank, None, false);
            return fitting.into_iter().filter(|thing| wanted.contains(&thing.id)).collect();
        }
        let mean = fitting.iter().map(|thing| extent(thing)).sum::<f64>() / fitting.len() as f64;
        fitting.into_iter().filter(|thing| (extent(thing) < mean) == (factor < 1.0)).collect()
    }
}

fn ids<'a>(things: impl Iterator<Item = &'a Thing>) -> Vec<String> {
    things.map(|thing| thing.id.clone()).collect()
}

/// An id without its number: `green_box` of `green_box_2`.
pub(crate) fn stem(id: &str) -> &str {
    id.trim_end_matches(|letter: char| letter.is_ascii_digit()).trim_end_matches('_')
}

/// The name of a shape as the tools know it.
pub(crate) fn shape_name(kind: ShapeKind) -> &'static str {
    match kind {
        ShapeKind::Sphere => "sphere",
        ShapeKind::Box => "box",
        ShapeKind::Quad => "quad",
        ShapeKind::Disc => "disc",
        ShapeKind::Cylinder => "cylinder",
        ShapeKind::Cone => "cone",
        ShapeKind::Torus => "torus",
    }
}

/// The group of things made in a pattern.
pub(crate) fn pattern_name(pattern: Pattern) -> &'static str {
    match pattern {
        Pattern::Row => "row",
        Pattern::Column => "column",
        Pattern::Circle => "circle",
        Pattern::Arc => "arc",
        Pattern::Grid => "grid",
        Pattern::Wall => "wall",
        Pattern::Stack => "tower",
        Pattern::Steps => "steps",
        Pattern::Pyramid => "pyramid",
        Pattern::Spiral => "spiral",
        Pattern::Scatter => "cluster",
    }
}

fn is_lamp(thing: &Thing, kind: LightKind) -> bool {
    let Body::Light(lamp) = &thing.body else { return false };
    match kind {
        LightKind::Any => true,
        LightKind::Point => matches!(lamp.form, LampForm::Point { .. }),
        LightKind::Spot => {
            matches!(lamp.form, LampForm::Point { .. } | LampForm::SpotDisc { .. })
        }
        LightKind::Sphere => matches!(lamp.form, LampForm::Sphere { .. }),
        LightKind::Quad => matches!(lamp.form, LampForm::Quad { .. }),
        LightKind::Disc => {
            matches!(lamp.form, LampForm::Disc { .. } | LampForm::SpotDisc { .. })
        }
    }
}
