//! New things: "a red ball, two cubes and a lamp".

use crate::language::acts::intent::Intent;
use crate::language::phrases::noun_phrase::phrase_with;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::tail::{Tail, look};
use crate::language::words::lexicon::Token;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{Glue, Noun, Sense};

/// New things joined by commas and "and".
pub(crate) fn creations(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let mut probe = reader.clone();
    if let Some(alike) = crate::language::words::likeness::like_another(&mut probe) {
        reader.at = probe.at;
        return Some(alike);
    }
    let mut phrases: Vec<Phrase> = Vec::new();
    let mut aside = false;
    loop {
        let mut next = phrase_with(reader, Tail::FULL)?;
        if !phrases.is_empty() && is_bare_part(&next) {
            // "chair, seat red, legs black".
            let start = reader.at;
            let looks =
                look(reader, &mut next) && (reader.clause_ends() || reader.clone().take_joint());
            if !looks {
                reader.at = start;
            }
        }
        // "a car, red, four black wheels".
        let looks = aside && is_look(&next) && reader.sees(0, &Sense::Comma);
        match phrases
            .last_mut()
            .filter(|last| aside && (looks && is_plain(last) || describes(&next, last)))
        {
            Some(last) => {
                last.colours.clone_from(&next.colours);
                last.finish = next.finish;
            }
            None => phrases.push(next),
        }
        if said_of_all(reader, &mut phrases) {
            break;
        }
        aside = reader.sees(0, &Sense::Comma) && reader.ahead(1).is_some_and(|next| !is_and(next));
        if reader.clause_ends() || !(reader.take_joint() || starts_another(reader, &phrases)) {
            break;
        }
    }
    share_heads(&mut phrases);
    let skies = skies_among(&mut phrases);
    let new = |phrase: &Phrase| {
        phrase.is_new() || (phrase.determiner == Determiner::The && phrase.head.is_some())
    };
    let first_is_new = phrases.first().is_some_and(Phrase::is_new);
    (first_is_new && phrases.iter().all(new))
        .then(|| std::iter::once(Intent::Create(phrases)).chain(skies).collect())
}

/// ", black sky" among things: what surrounds them.
fn skies_among(phrases: &mut Vec<Phrase>) -> Vec<Intent> {
    let sky = |phrase: &Phrase| phrase.head == Some(Noun::Sky) && phrase.colours.len() == 1;
    if phrases.iter().all(sky) {
        return Vec::new();
    }
    let (skies, things) = std::mem::take(phrases).into_iter().partition(sky);
    *phrases = things;
    let skies: Vec<Phrase> = skies;
    let around =
        |sky: Phrase| Intent::Surround { mood: None, colour: sky.colours.first().cloned() };
    skies.into_iter().map(around).collect()
}

/// A colour or a material alone.
fn is_look(phrase: &Phrase) -> bool {
    phrase.determiner == Determiner::Bare
        && phrase.head.is_none()
        && phrase.pattern.is_none()
        && phrase.count.is_none()
        && (!phrase.colours.is_empty() || phrase.finish.is_some())
}

fn is_plain(phrase: &Phrase) -> bool {
    phrase.head.is_some() && phrase.colours.is_empty() && phrase.finish.is_none()
}

/// "seat", "hat" in a list: what may be said of it behind it.
fn is_bare_part(phrase: &Phrase) -> bool {
    phrase.determiner == Determiner::Bare
        && matches!(phrase.head, Some(Noun::Later(_) | Noun::Assembly(_)))
        && !phrase.has_adjective()
        && phrase.places.is_empty()
        && phrase.companions.is_empty()
}

fn is_and(token: &Token) -> bool {
    let joins = |sense: &Sense| matches!(sense, Sense::Glue(Glue::And | Glue::Then | Glue::But));
    token.senses.iter().any(joins)
}

/// ", green ones" behind "three balls on the table", ", a blue one" behind a car: how those are to look.
fn describes(ones: &Phrase, thing: &Phrase) -> bool {
    let looks = |phrase: &Phrase| !phrase.colours.is_empty() || phrase.finish.is_some();
    let plain = ones.size.is_unsaid() && ones.places.is_empty() && ones.companions.is_empty();
    let several = |phrase: &Phrase| phrase.plural || phrase.count.is_some_and(|count| count > 1);
    let one = matches!(ones.determiner, Determiner::A | Determiner::Bare)
        && ones.head == Some(Noun::Thing)
        && ones.count.is_none();
    one && plain && looks(ones) && !looks(thing) && several(ones) == several(thing)
}

/// "a red ball a blue cube": another thing without a joint between them.
fn starts_another(reader: &Reader<'_>, before: &[Phrase]) -> bool {
    let whole = |phrase: &Phrase| matches!(phrase.head, Some(Noun::Shape(_) | Noun::Assembly(_)));
    let next = phrase_with(&mut reader.clone(), Tail::BARE);
    before.iter().all(whole) && next.is_some_and(|next| next.is_new() && whole(&next))
}

/// ", all white", "both of glass", "each 20 cm high" behind a list: said of everything in it.
fn said_of_all(reader: &mut Reader<'_>, phrases: &mut [Phrase]) -> bool {
    const ALL: [&str; 8] = [
        "all",
        "both",
        "each",
        "each one",
        "all of them",
        "both of them",
        "each of them",
        "everything",
    ];
    let start = reader.at;
    let _ = reader.take_joint();
    if !reader.peek().is_some_and(|token| ALL.contains(&token.text.as_str())) {
        reader.at = start;
        return false;
    }
    reader.skip();
    let _ = reader.any_glue(&[Glue::In, Glue::MadeOf, Glue::Of]);
    let mut said = Phrase::new(Determiner::A);
    let looks = look(reader, &mut said);
    let sized = said.size.modifier(reader) || said.size.adjective(reader);
    if !(looks || sized) || !reader.clause_ends() {
        reader.at = start;
        return false;
    }
    for phrase in phrases {
        if phrase.colours.is_empty() && phrase.finish.is_none() {
            phrase.colours.clone_from(&said.colours);
            phrase.finish = said.finish;
        }
        if phrase.size.is_unsaid() {
            phrase.size = said.size.clone();
        }
    }
    true
}

/// "a red and a blue sphere": the noun stands for both.
fn share_heads(phrases: &mut [Phrase]) {
    let mut following = None;
    for phrase in phrases.iter_mut().rev() {
        if phrase.head.is_none() && phrase.pattern.is_none() {
            phrase.head.clone_from(&following);
        }
        following.clone_from(&phrase.head);
    }
}
