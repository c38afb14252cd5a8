//! What a thing is to get: "give him a red hat", "the house needs a chimney", "with red and white
//! stripes", "add a door to the house"; and requests in the form of a question: "could two of them
//! be black?".

use crate::language::acts::changes::changes;
use crate::language::acts::clause::it;
use crate::language::acts::commands::directed;
use crate::language::acts::creations::creations;
use crate::language::acts::intent::{Change, Intent, Target};
use crate::language::phrases::noun_phrase::target;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::tail::Tail;
use crate::language::words::reader::{Reader, as_verb};
use crate::language::words::vocabulary::{Comparison, Glue, Noun, Sense, Tone, Verb};

/// "him a red hat" after "give".
pub(in crate::language) fn give(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let owner = target(reader, Tail::BARE).filter(is_known)?;
    parts(reader).map(|parts| vec![Intent::Furnish { target: owner, parts }])
}

/// "with red and white stripes", "with a chimney": of what was spoken of.
pub(in crate::language) fn with_parts(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    if !reader.glue(Glue::With) {
        return None;
    }
    parts(reader).map(|parts| vec![Intent::Furnish { target: it(), parts }])
}

/// "to the snowman", "for the house" after the things that were named.
pub(in crate::language) fn given_to(
    reader: &mut Reader<'_>,
    made: &[Intent],
) -> Option<Vec<Intent>> {
    let [Intent::Create(parts)] = made else { return None };
    let start = reader.at;
    let to = reader.glue(Glue::To) || {
        let told = reader.peek().is_some_and(|token| token.text == "for");
        reader.at += usize::from(told);
        told
    };
    let owner = if to { target(reader, Tail::BARE).filter(is_known) } else { None };
    let told = owner.filter(|owner| {
        let thing = |phrase: &Phrase| !matches!(phrase.head, Some(Noun::Scene | Noun::Floor));
        reader.clause_ends() && owner.0.iter().all(thing) && parts.iter().all(is_object)
    });
    if told.is_none() {
        reader.at = start;
    }
    told.map(|target| vec![Intent::Furnish { target, parts: parts.clone() }])
}

/// "a red hat and a scarf": objects and parts, nothing that only looks some way.
fn parts(reader: &mut Reader<'_>) -> Option<Vec<Phrase>> {
    let made = creations(reader).filter(|_| reader.clause_ends())?;
    match made.as_slice() {
        [Intent::Create(phrases)] if phrases.iter().all(is_object) => Some(phrases.clone()),
        _ => None,
    }
}

fn is_object(phrase: &Phrase) -> bool {
    phrase.places.is_empty()
        && phrase.pattern.is_none()
        && matches!(
            phrase.head,
            Some(Noun::Assembly(_) | Noun::Later(_) | Noun::Named(_) | Noun::Thing)
        )
}

fn is_known(target: &Target) -> bool {
    let known = |phrase: &Phrase| !phrase.is_new() && phrase.determiner != Determiner::Bare;
    target.0.iter().all(known)
}

/// "could two of them be black?", "can the lamp go to the other side of the sofa?".
pub(in crate::language) fn requested(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let asks = ["can", "could", "would", "will", "may", "might"];
    if !reader.peek().is_some_and(|token| asks.contains(&token.text.as_str())) {
        return None;
    }
    reader.skip();
    let subject = target(reader, Tail::SUBJECT)
        .filter(|target| target.0.iter().all(|phrase| !phrase.is_new()))?;
    let goes = ["go", "come", "stand", "sit", "move", "get", "become", "have", "turn"];
    let verb = reader.glue(Glue::Is)
        || reader
            .peek()
            .is_some_and(|token| goes.contains(&token.text.as_str()) || token.text == "go to")
            && {
                reader.skip();
                true
            };
    if !verb {
        return None;
    }
    to_be(reader, subject)
}

/// What a thing is to be, to have or to give: "blue", "a chimney", "a warm light".
pub(in crate::language) fn to_be(reader: &mut Reader<'_>, subject: Target) -> Option<Vec<Intent>> {
    let start = reader.at;
    let gives = reader.take(|sense| as_verb(sense).filter(|verb| *verb == Verb::Give)).is_some();
    let _ = gives || reader.take(|s| as_verb(s).filter(|verb| *verb == Verb::Glow)).is_some();
    if reader.at > start {
        let light = target(reader, Tail::BARE);
        return given_off(light.as_ref()).map(|found| directed(subject, found));
    }
    if let Some(parts) = parts(reader) {
        return Some(vec![Intent::Furnish { target: subject, parts }]);
    }
    reader.at = start;
    let found = changes(reader);
    (!found.is_empty()).then(|| directed(subject, found))
}

/// "a warm light", or nothing said of it: how a lamp is to shine.
fn given_off(light: Option<&Target>) -> Option<Vec<Change>> {
    let mut found = vec![Change::SwitchOn];
    let compare = |comparison| Change::Compare { comparison, degree: None, factor: None };
    for phrase in light.into_iter().flat_map(|target| &target.0) {
        if !matches!(phrase.head, Some(Noun::Light(_))) {
            return None;
        }
        found.extend(phrase.colours.iter().cloned().map(Change::Colour));
        found.extend(phrase.tones.iter().filter_map(|tone| match tone {
            Tone::Warm => Some(compare(Comparison::Warmer)),
            Tone::Cool => Some(compare(Comparison::Cooler)),
            Tone::Dim => Some(compare(Comparison::Darker)),
            Tone::Bright => Some(compare(Comparison::Brighter)),
            Tone::Soft | Tone::Hard => None,
        }));
    }
    Some(found)
}

/// "softer, warmer light", "a bit more light": how all light is to be.
pub(in crate::language) fn light_so(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let mut found = Vec::new();
    loop {
        let degree = reader.take(crate::language::places::place::as_degree);
        match reader.take(crate::language::acts::changes::as_comparison) {
            Some(comparison) => found.push(Change::Compare { comparison, degree, factor: None }),
            None => break,
        }
        let start = reader.at;
        if !reader.take_joint() {
            reader.at = start;
        }
    }
    let light = |sense: &Sense| matches!(sense, Sense::Noun(Noun::Light(_))).then_some(());
    if found.is_empty() || reader.take(light).is_none() {
        return None;
    }
    let mut all = Phrase::new(Determiner::All);
    all.head = Some(Noun::Light(crate::language::words::vocabulary::LightKind::Any));
    all.words.push("lights".to_owned());
    all.plural = true;
    Some(vec![Intent::Change { target: Target::of(all), changes: found }])
}
