//! New things: "a red ball, two cubes and a lamp".

use super::intent::Intent;
use super::noun_phrase::phrase_with;
use super::phrase::{Determiner, Phrase};
use super::reader::Reader;
use super::tail::Tail;
use super::vocabulary::{Noun, Pattern};

/// New things joined by commas and "and".
pub(crate) fn creations(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let mut phrases: Vec<Phrase> = Vec::new();
    loop {
        phrases.push(phrase_with(reader, Tail::FULL)?);
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
