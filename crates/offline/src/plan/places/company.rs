//! What comes with a thing: "a desk with a mug and a laptop".

use catalogue::{Carries, Object, ObjectParameters, catalogue};

use crate::language::{Assembly, Determiner, LightKind, Noun, Phrase, Place, Relation, Target};
use crate::plan::scenery::assembly::parts;
use crate::world::World;

/// The most a thing measures that is put on what it comes with, in metres: a chair stands beside its desk.
const SMALL: f64 = 0.65;

/// The most it measures on an island, against the island.
const GROUND_SHARE: f64 = 0.4;

/// "a desk with a computer, a mug and a plant": what is listed after what comes with the first comes with it,
/// too, where the first can carry it.
pub(in crate::plan) fn share_company(phrases: &mut Vec<Phrase>) {
    let Some((first, others)) = phrases.split_first() else { return };
    let Some(carrier) = carrier(first) else { return };
    if first.companions.is_empty() {
        return;
    }
    let carried = |phrase: &Phrase| is_carried(carrier, phrase);
    let placed = |phrase: &Phrase| {
        let told = phrase.places.iter().all(|place| matches!(place, Place::Aside(_)));
        told && !phrase.places.is_empty() && put_on(carrier, phrase).is_some()
    };
    // "a table with four chairs around it and a vase in the middle".
    let in_its_middle = |phrase: &Phrase| {
        phrase.places.as_slice() == [Place::Origin] && put_on(carrier, phrase).is_some()
    };
    let all_carried = first.companions.iter().all(carried);
    let all_placed = first.companions.iter().all(|phrase| placed(phrase) || in_its_middle(phrase));
    let goes_along = |phrase: &&Phrase| {
        in_its_middle(phrase) || all_carried && carried(phrase) || all_placed && placed(phrase)
    };
    let along = others.iter().take_while(goes_along).count();
    let company: Vec<Phrase> = phrases.drain(1..=along).collect();
    if let Some(first) = phrases.first_mut() {
        first.companions.extend(company);
    }
}

/// "a bed, a nightstand and a lamp": the lamp is one that stands there, on what carries it.
pub(in crate::plan) fn lamps_among_furniture(phrases: &mut [Phrase]) {
    let furniture = catalogue().category("furniture").map(|(category, _)| category.objects());
    let is_furniture = |object: &Object| {
        furniture.unwrap_or_default().iter().any(|name| object.names().contains(name))
    };
    let object = |phrase: &Phrase| match &phrase.head {
        Some(Noun::Assembly(assembly)) => catalogue().find(assembly.0),
        _ => None,
    };
    if !phrases.iter().filter_map(object).any(is_furniture) {
        return;
    }
    let top = |object: &Object| object.carries() == Some(Carries::Top);
    let carrier = phrases.iter().find(|phrase| object(phrase).is_some_and(top)).map(|phrase| {
        let the = Phrase::new(Determiner::The);
        Phrase { head: phrase.head.clone(), words: phrase.words.clone(), ..the }
    });
    for lamp in phrases.iter_mut().filter(|phrase| is_lamp(phrase) && phrase.places.is_empty()) {
        let name = if carrier.is_some() { "table lamp" } else { "floor lamp" };
        lamp.head = catalogue().find(name).map(|object| Noun::Assembly(Assembly(object.name())));
        lamp.places.extend(carrier.clone().map(|carrier| Place::Relative {
            relation: Relation::On,
            target: Target::of(carrier),
            metres: None,
        }));
    }
}

fn is_lamp(phrase: &Phrase) -> bool {
    let lamp = phrase.words.last().is_some_and(|word| word.starts_with("lamp"));
    lamp && phrase.head == Some(Noun::Light(LightKind::Any))
}

/// What comes with something that carries it, to be put on it.
pub(in crate::plan) fn put_upon(phrase: &Phrase, companion: &Phrase) -> Option<Phrase> {
    put_on(carrier(phrase)?, companion)
}

/// What such an object carries, placed upon it.
fn put_on(carrier: &Object, companion: &Phrase) -> Option<Phrase> {
    // "a desk with a lamp on the right", "a table with a vase in the middle": there upon it.
    let upon = |place: &Place| matches!(place, Place::Aside(_) | Place::Origin);
    let sides = companion.places.iter().all(upon);
    let placeless = Phrase { places: Vec::new(), ..companion.clone() };
    if !sides || !is_carried(carrier, &placeless) {
        return None;
    }
    let target = Target::of(Phrase::new(Determiner::It));
    let mut places = vec![Place::Relative { relation: Relation::On, target, metres: None }];
    let aside = companion.places.iter().filter(|place| **place != Place::Origin);
    places.extend(aside.cloned());
    Some(Phrase { places, ..placeless })
}

/// Whether this is put on such an object rather than beside it.
pub(in crate::plan) fn carries(carrier: &Object, phrase: &Phrase) -> bool {
    carrier.carries().is_some() && is_carried(carrier, phrase)
}

fn carrier(phrase: &Phrase) -> Option<&'static Object> {
    let Some(Noun::Assembly(assembly)) = &phrase.head else { return None };
    catalogue().find(assembly.0).filter(|object| object.carries().is_some())
}

fn is_carried(carrier: &Object, phrase: &Phrase) -> bool {
    let new = matches!(phrase.determiner, Determiner::A | Determiner::Bare);
    if !new || !phrase.places.is_empty() || phrase.pattern.is_some() {
        return false;
    }
    match &phrase.head {
        Some(Noun::Shape(_)) => true,
        Some(Noun::Light(_)) => is_lamp(phrase) && carrier.carries() == Some(Carries::Top),
        Some(Noun::Assembly(assembly)) => catalogue().find(assembly.0).is_some_and(|object| {
            let most = match carrier.carries() {
                Some(Carries::Ground) => GROUND_SHARE * extent(carrier),
                _ => SMALL,
            };
            extent(object) <= most && !are_laid_together(carrier, object)
        }),
        _ => false,
    }
}

fn extent(object: &Object) -> f64 {
    let things = parts(object, &ObjectParameters::default()).unwrap_or_default();
    World::bounds_of(things.iter()).map_or(f64::INFINITY, |bounds| bounds.extent())
}

/// Forks lie beside plates.
fn are_laid_together(one: &Object, other: &Object) -> bool {
    let tableware = catalogue().category("tableware").map(|(category, _)| category.objects());
    let belongs = |object: &Object| {
        tableware.unwrap_or_default().iter().any(|name| object.names().contains(name))
    };
    belongs(one) && belongs(other)
}
