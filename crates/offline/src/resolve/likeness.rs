//! Whether things are as a phrase describes them: how they look, where they stand, how large they are.

use glam::DVec3;

use super::Resolver;
use super::unit::Unit;
use crate::colour::{self, Colour};
use crate::language::{Determiner, Phrase, Place, Rank, Relation, id_words};
use crate::world::{Bounds, Thing, World};

impl Resolver<'_> {
    /// Whether a unit looks and stands as a phrase says.
    pub(super) fn is_described(&self, unit: &Unit<'_>, phrase: &Phrase) -> bool {
        let looks = unit.main_parts().any(|thing| {
            let own_words = id_words(thing.group.as_deref().unwrap_or(&thing.id));
            self.looks(thing, phrase, &own_words)
        });
        let stands = |place: &Place| {
            let Some(first) = unit.things.first() else { return false };
            match unit.things.as_slice() {
                [only] => self.stands(only, place),
                _ => self.stands_at(&unit.ids(), unit.bounds, first.is_floor(), place),
            }
        };
        looks && phrase.places.iter().all(stands)
    }

    fn looks(&self, thing: &Thing, phrase: &Phrase, own_words: &[String]) -> bool {
        let coloured = phrase.colours.is_empty()
            || phrase.colours.iter().any(|wanted| match thing.material() {
                Some(material) => material.colour().is_some_and(|rgb| is_of_colour(rgb, wanted)),
                None => wanted.name.split(' ').all(|word| own_words.iter().any(|own| own == word)),
            });
        let finished = phrase
            .finish
            .is_none_or(|finish| thing.material().is_some_and(|material| material.is(finish)));
        coloured && finished
    }

    /// Whether a thing stands where a description says ("the box on the table").
    pub(crate) fn stands(&self, thing: &Thing, place: &Place) -> bool {
        self.stands_at(std::slice::from_ref(&thing.id), thing.bounds(), thing.is_floor(), place)
    }

    fn stands_at(&self, ids: &[String], own: Bounds, floor: bool, place: &Place) -> bool {
        let Place::Relative { relation, target, .. } = place else { return true };
        let Ok(targets) = self.resolve(target) else { return false };
        if floor || ids.iter().any(|id| targets.contains(id)) {
            return false;
        }
        let others = self.world.things.iter().filter(|other| targets.contains(&other.id));
        let Some(other) = World::bounds_of(others) else { return false };
        let camera = &self.world.camera;
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
            Relation::Beside
            | Relation::Around
            | Relation::Between
            | Relation::Against
            | Relation::Along
            | Relation::Flanking
            | Relation::Ends
            | Relation::LongSides
            | Relation::Corners
            | Relation::Across
            | Relation::Middle => {
                let gap = (away.abs() - (own.size() + other.size()) * 0.5).max(DVec3::ZERO);
                gap.length() < own.extent().max(other.extent())
            }
        }
    }

    /// "the big one", "the small boxes".
    pub(super) fn sized<'a>(&self, fitting: Vec<Unit<'a>>, phrase: &Phrase) -> Vec<Unit<'a>> {
        let factor = phrase.size.factors.element_product();
        let said = |unit: &&Unit<'_>| {
            let own = id_words(&unit.name());
            phrase.size.words.iter().all(|word| own.contains(word))
        };
        if phrase.size.words.is_empty() || fitting.len() < 2 {
            return fitting;
        }
        let named: Vec<Unit<'a>> = fitting.iter().filter(said).cloned().collect();
        if !named.is_empty() {
            return named;
        }
        let extent = |unit: &Unit<'_>| unit.bounds.extent();
        if !phrase.plural {
            let tall = phrase.size.factors.y != phrase.size.factors.x;
            let rank = match (factor < 1.0, tall) {
                (true, _) => Rank::Smallest,
                (false, true) => Rank::Tallest,
                (false, false) => Rank::Biggest,
            };
            let bare = Phrase::new(Determiner::The);
            let wanted = self.ranked(fitting.clone(), rank, &bare);
            return fitting
                .into_iter()
                .filter(|unit| unit.things.iter().all(|thing| wanted.contains(&thing.id)))
                .collect();
        }
        let mean = fitting.iter().map(extent).sum::<f64>() / fitting.len() as f64;
        fitting.into_iter().filter(|unit| (extent(unit) < mean) == (factor < 1.0)).collect()
    }
}

/// Whether people would name a linear colour so: "blue" is any blue.
pub(super) fn is_of_colour(rgb: DVec3, wanted: &Colour) -> bool {
    is_just(rgb, wanted) || colour::is_called(&wanted.name, rgb)
}

/// Whether a linear colour looks like the one that was named.
pub(super) fn is_just(rgb: DVec3, wanted: &Colour) -> bool {
    colour::describe(rgb) == colour::describe(wanted.rgb) || colour::alike(rgb, wanted.rgb)
}
