//! New things: "a red ball, two cubes and a lamp".

use super::intent::Intent;
use super::lexicon::Token;
use super::noun_phrase::phrase_with;
use super::phrase::{Determiner, Phrase};
use super::reader::Reader;
use super::tail::Tail;
use super::vocabulary::{Glue, Noun, Pattern, Sense};

/// New things joined by commas and "and".
pub(crate) fn creations(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let mut phrases: Vec<Phrase> = Vec::new();
    let mut aside = false;
    loop {
        let next = phrase_with(reader, Tail::FULL)?;
        match phrases.last_mut().filter(|last| aside && describes(&next, last)) {
            Some(last) => {
                last.colours.clone_from(&next.colours);
                last.finish = next.finish;
            }
            None => phrases.push(next),
        }
        aside = reader.sees(0, &Sense::Comma) && reader.ahead(1).is_some_and(|next| !is_and(next));
        if reader.clause_ends() || !(reader.take_joint() || starts_another(reader, &phrases)) {
            break;
        }
    }
    share_heads(&mut phrases);
    share_row(&mut phrases);
    let new = |phrase: &Phrase| {
        phrase.is_new() || (phrase.determiner == Determiner::The && phrase.head.is_some())
    };
    let first_is_new = phrases.first().is_some_and(Phrase::is_new);
    (first_is_new && phrases.iter().all(new)).then_some(vec![Intent::Create(phrases)])
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

/// "a fridge, a stove and a sink, side by side": all of them stand so, as new objects do anyway.
fn share_row(phrases: &mut [Phrase]) {
    let shapes = phrases.iter().all(|phrase| matches!(phrase.head, Some(Noun::Shape(_)) | None));
    let single = |phrase: &Phrase| !phrase.plural && phrase.count.is_none_or(|count| count == 1);
    if let [.., _, last] = phrases
        && last.pattern == Some(Pattern::Row)
        && !shapes
        && last.head.is_some()
        && single(last)
    {
        last.pattern = None;
    }
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
