//! Wishes in the form of a question or of what should be: "could the sphere be made of marble?", "can the
//! ball glow?", "the block needs to go 75 cm to the right", "the cone should be removed".

use crate::language::acts::changes::changes;
use crate::language::acts::commands::{command, directed};
use crate::language::acts::intent::{Change, Intent, Target};
use crate::language::phrases::noun_phrase::target;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::tail::Tail;
use crate::language::words::lexicon::{Token, lemma};
use crate::language::words::reader::{Reader, as_verb};
use crate::language::words::vocabulary::{Glue, Noun, Sense, Verb};

/// Verbs that ask whether something may be so.
const MODALS: [&str; 6] = ["could", "can", "may", "might", "should", "would"];

/// The most words of what is spoken of.
const LONGEST_SUBJECT: usize = 8;

/// Reads what should be done to a thing that is named before what should be done.
pub(in crate::language) fn asked(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let modal = reader.peek().is_some_and(|token| MODALS.contains(&token.text.as_str()));
    if modal {
        reader.skip();
    }
    let start = reader.at;
    let subject = target(reader, Tail::BARE).filter(is_known)?;
    let middle = reader.at;
    if middle - start > LONGEST_SUBJECT {
        return None;
    }
    let wished = reader.glue(Glue::Should);
    if !modal && !wished {
        return None;
    }
    let _ = reader.glue(Glue::To);
    let _ = reader.glue(Glue::Is);
    reader.skip_fillers();
    let rest = reader.at;
    if let Some(done) = acted(reader, start, middle) {
        return Some(done);
    }
    reader.at = rest;
    let found = changes(reader);
    (modal && !found.is_empty()).then(|| directed(subject, found))
}

/// Only what is there can be spoken of so.
fn is_known(target: &Target) -> bool {
    let camera = |phrase: &Phrase| matches!(phrase.head, Some(Noun::Camera));
    target
        .0
        .iter()
        .all(|phrase| phrase.determiner != Determiner::Bare && !phrase.is_new() && !camera(phrase))
}

/// "go 75 cm to the right", "moved to the left", "be removed": the verb, then what it is about.
fn acted(reader: &mut Reader<'_>, start: usize, middle: usize) -> Option<Vec<Intent>> {
    let token = reader.peek()?;
    let verb = reader.look(0, as_verb).map(|_| token.clone()).or_else(|| participle(token))?;
    let goes = token.text == "go";
    reader.skip();
    let rest = reader.rest().to_vec();
    let subject = reader.only_from(start, middle);
    let said: Vec<Token> =
        std::iter::once(verb).chain(subject.iter().cloned()).chain(rest).collect();
    let mut inner = Reader::new(&said);
    if goes && reader.clause_ends() {
        // "the cone has to go".
        return target(&mut Reader::new(subject), Tail::BARE)
            .map(|gone| vec![Intent::Remove(gone)]);
    }
    let done = command(&mut inner).filter(|_| inner.clause_ends())?;
    reader.at = (inner.at + reader.at).saturating_sub(1 + subject.len());
    Some(done)
}

/// "moved", "removed": the verb it comes from.
fn participle(token: &Token) -> Option<Token> {
    let senses = lemma(&token.text)?;
    matches!(senses.first(), Some(Sense::Verb(verb)) if *verb != Verb::Beyond)
        .then(|| Token { senses, ..token.clone() })
}

/// "matte black for all the balls": the look before what is to have it.
pub(in crate::language) fn given(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let found = changes(reader);
    let look = |change: &Change| {
        matches!(change, Change::Colour(_) | Change::Finish(_) | Change::Look(..) | Change::Size(_))
    };
    let joined =
        reader.peek().is_some_and(|token| ["for", "on", "to"].contains(&token.text.as_str()));
    if found.is_empty() || !joined || !found.iter().all(look) {
        return None;
    }
    reader.skip();
    let subject = target(reader, Tail::BARE).filter(is_known)?;
    Some(directed(subject, found))
}
