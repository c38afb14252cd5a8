//! What is said around a wish: greetings, thanks and refusals, the order of wishes, for whom they are, and
//! what a person only speaks of.

use crate::language::acts::intent::Intent;
use crate::language::phrases::noun_phrase::target;
use crate::language::phrases::tail::Tail;
use crate::language::words::lexicon::Token;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{Glue, Noun, Sense, Social, Verb};

/// "no, ...": what comes is meant instead.
pub(in crate::language) fn says_no(reader: &Reader<'_>) -> bool {
    let no = reader.peek().is_some_and(|token| {
        token.text == "no" || token.senses.contains(&Sense::Social(Social::No))
    });
    no && reader.ahead(1).is_some_and(|token| !token.senses.contains(&Sense::Stop))
}

/// "first, make ...", "secondly ...": only the order of what is wanted.
pub(in crate::language) fn skip_order(reader: &mut Reader<'_>) {
    let orders = |token: &Token| {
        ["first", "firstly", "second", "secondly", "third", "thirdly", "last", "lastly"]
            .contains(&token.text.as_str())
    };
    if !reader.peek().is_some_and(orders) {
        return;
    }
    let start = reader.at;
    reader.skip();
    let comma = reader.sees(0, &Sense::Comma);
    reader.at += usize::from(comma);
    reader.skip_fillers();
    let verb = reader.peek().and_then(|token| token.senses.first());
    let article = reader.sees_glue(Glue::A) || reader.sees_glue(Glue::The);
    if !comma && !article && !matches!(verb, Some(Sense::Verb(_))) {
        reader.at = start;
    }
}

/// "for the playground put ...", "for my garden, I'd like ...": a purpose says nothing of the scene.
pub(in crate::language) fn skip_purpose(reader: &mut Reader<'_>) {
    const LONGEST: usize = 5;
    if reader.peek().is_none_or(|token| token.text != "for") {
        return;
    }
    let makes = |token: &Token| {
        let verb = token.senses.first();
        matches!(verb, Some(Sense::Verb(Verb::Create | Verb::Put | Verb::Make | Verb::Give)))
    };
    let acts = |token: &Token| matches!(token.senses.first(), Some(Sense::Verb(_) | Sense::Ask(_)));
    let Some(at) = (2..=LONGEST).find(|at| reader.ahead(*at).is_some_and(acts)) else { return };
    let says = |token: &Token| {
        let part = |sense: &Sense| {
            matches!(sense, Sense::Number(_) | Sense::Noun(Noun::Shape(_) | Noun::Named(_)))
        };
        token.senses.iter().any(part)
    };
    if reader.ahead(at).is_some_and(makes) && !reader.rest()[1..at].iter().any(says) {
        reader.at += at;
    }
}

/// "my wife wants ...", "for my talk I need ...": for whom or what it is says nothing of the scene.
pub(in crate::language) fn skip_whom(reader: &mut Reader<'_>) {
    const LONGEST: usize = 5;
    let of_someone = reader
        .peek()
        .is_some_and(|token| ["for", "my", "our", "the"].contains(&token.text.as_str()));
    let wishes = |token: &Token| {
        token.senses.first() == Some(&Sense::Verb(Verb::Create))
            && ["want", "would", "need", "asked", "i need", "i want", "we need", "i'd like"]
                .iter()
                .any(|wish| token.text.starts_with(wish))
    };
    let Some(at) = (1..LONGEST).find(|at| reader.ahead(*at).is_some_and(wishes)) else { return };
    let strange = reader.rest()[1..at].iter().all(|token| {
        let thing = |sense: &Sense| matches!(sense, Sense::Noun(Noun::Shape(_) | Noun::Named(_)));
        !token.senses.iter().any(thing)
    });
    if of_someone && strange {
        reader.at += at;
    }
}

/// "hello", "thanks", "ok", "no".
pub(in crate::language) fn social(reader: &mut Reader<'_>) -> Option<Intent> {
    let start = reader.at;
    if reader.peek().is_some_and(|token| token.text == "no") {
        reader.skip();
        reader.skip_fillers();
        if reader.clause_ends() {
            return Some(Intent::Nothing);
        }
        reader.at = start;
    }
    let social = reader.take(|sense| match sense {
        Sense::Social(social) => Some(*social),
        _ => None,
    })?;
    // "that's it, thanks".
    let more = |sense: &Sense| matches!(sense, Sense::Social(_) | Sense::Comma).then_some(());
    while reader.take(more).is_some() {}
    reader.skip_fillers();
    if !reader.clause_ends() {
        reader.at = start;
        return None;
    }
    Some(match social {
        Social::Hello => Intent::Hello,
        Social::Thanks => Intent::Thanks,
        Social::Yes | Social::No => Intent::Nothing,
    })
}

/// "I don't like the colour of the cone": what the next words are about.
pub(in crate::language) fn mention(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    if !reader.glue(Glue::Dislike) {
        return None;
    }
    let start = reader.at;
    let _ = reader.glue(Glue::The);
    let measured =
        reader.take(crate::language::phrases::size::as_measure).is_some() && reader.glue(Glue::Of);
    if !measured {
        reader.at = start;
    }
    let subject = target(reader, Tail::SUBJECT)?;
    while !reader.clause_ends() {
        reader.skip();
    }
    Some(vec![Intent::Mention(subject)])
}
