//! Answers to what was asked: the description that was open gets what is said now, wherever it stands in
//! the frame.

use crate::frames::{Act, Determiner, Frame, Head, Phrase, Place, Quality};

use crate::resolve::singulars;
use crate::tokens::words_of;

use super::overlay::overwritten;
use super::state::Asked;

/// The frame that was asked about with the answer in it; `None` when something else was said.
pub(super) fn answered(frame: &Frame, asked: &Asked) -> Option<Frame> {
    let plain = frame.bare && frame.act == Some(Act::Create);
    if !(frame.fragment || plain) {
        return None;
    }
    let Some(open) = &asked.open else { return filled(frame, asked) };
    // What was not found is named anew, and "bigger" tells no thing apart.
    let is_compared = |quality: &Quality| matches!(quality, Quality::Compared { .. });
    let named = frame.theme.first().filter(|_| !frame.joined);
    let is_named = named.is_some_and(|named| !named.qualities.iter().any(is_compared));
    let is_answer = match asked.among.is_empty() {
        true => is_named && frame.fragment,
        false => is_named || !frame.qualities.iter().any(is_compared),
    };
    if !is_answer || named.is_some_and(|named| is_another(named, &asked.among)) {
        return None;
    }
    let answer = said(frame, asked)?;
    let mut whole = asked.frame.clone();
    if !replace(&mut whole, open, &answer) {
        whole.theme = vec![answer];
    }
    Some(whole)
}

/// Whether a noun is none of the things that were asked about.
fn is_another(named: &Phrase, among: &[String]) -> bool {
    let noun = named.word.split(' ').next_back().unwrap_or_default();
    let forms = singulars(noun);
    let has = |id: &String| words_of(id).iter().any(|word| forms.contains(word));
    matches!(named.head, Head::Object { .. } | Head::Unknown(_) | Head::Theme(_))
        && !among.is_empty()
        && !among.iter().any(has)
}

/// What a question about a slot is answered with.
fn filled(frame: &Frame, asked: &Asked) -> Option<Frame> {
    let says = !frame.qualities.is_empty()
        || !frame.theme.is_empty()
        || !frame.places.is_empty()
        || frame.shift.is_some()
        || frame.name.is_some();
    let mut answer = frame.clone();
    if asked.frame.act == Some(Act::Change) && answer.qualities.is_empty() {
        // "a red one" tells the quality, too.
        let told = answer.theme.first().map(|phrase| phrase.qualities.clone()).unwrap_or_default();
        if asked.frame.qualities.is_empty() && !told.is_empty() {
            answer.theme.clear();
            answer.qualities = told;
        }
    }
    says.then(|| overwritten(&asked.frame, &answer))
}

/// The description that the answer is.
fn said(frame: &Frame, asked: &Asked) -> Option<Phrase> {
    let among = || Phrase { plural: true, ..Phrase::of(Head::These(asked.among.clone())) };
    let mut answer = match frame.theme.first() {
        Some(phrase) => phrase.clone(),
        None if !frame.qualities.is_empty() => {
            Phrase { qualities: frame.qualities.clone(), headless: true, ..Phrase::of(Head::Thing) }
        }
        None if !frame.places.is_empty() => {
            Phrase { places: frame.places.clone(), headless: true, ..Phrase::of(Head::Thing) }
        }
        None => return None,
    };
    if asked.among.is_empty() {
        answer.determiner.get_or_insert(Determiner::Definite);
        return Some(answer);
    }
    match answer.head {
        Head::Pronoun("both" | "them" | "each" | "all") | Head::Everything { .. } => {
            return Some(among());
        }
        Head::Pronoun(_) => {}
        // "the small one" is one of those that were asked about.
        Head::Thing => answer.of_them = Some(Box::new(among())),
        _ => answer.of_them = Some(Box::new(among())).filter(|_| answer.of_them.is_none()),
    }
    if !answer.is_definite() {
        answer.determiner = Some(Determiner::Definite);
    }
    Some(answer)
}

/// Puts a description in the place of another; whether it was there.
fn replace(frame: &mut Frame, old: &Phrase, new: &Phrase) -> bool {
    let mut found = false;
    for list in [
        &mut frame.theme,
        &mut frame.other,
        &mut frame.with,
        &mut frame.around,
        &mut frame.inside,
        &mut frame.out_of,
        &mut frame.view.look,
        &mut frame.view.frame,
    ] {
        for phrase in list {
            found |= replace_in(phrase, old, new);
        }
    }
    found |= in_places(&mut frame.places, old, new);
    found |= in_qualities(&mut frame.qualities, old, new);
    if let Some((_, toward)) = frame.shift.as_mut().and_then(|shift| shift.toward.as_mut()) {
        found |= replace_in(toward, old, new);
    }
    found
}

fn replace_in(phrase: &mut Phrase, old: &Phrase, new: &Phrase) -> bool {
    let (own, known) = (phrase.tokens, old.tokens);
    let same_words = own.0 == known.0 && own.1 == known.1 && own.1 > own.0;
    if phrase == old || (same_words && phrase.head == old.head) {
        *phrase = new.clone();
        return true;
    }
    let mut found = in_places(&mut phrase.places, old, new);
    found |= in_places(&mut phrase.at, old, new);
    found |= in_qualities(&mut phrase.qualities, old, new);
    let inner = [&mut phrase.part_of, &mut phrase.of_them, &mut phrase.like];
    for inner in inner.into_iter().flatten() {
        found |= replace_in(inner, old, new);
    }
    found
}

fn in_places(places: &mut [Place], old: &Phrase, new: &Phrase) -> bool {
    let targets = places.iter_mut().flat_map(|place| [&mut place.target, &mut place.other]);
    targets.flatten().fold(false, |found, target| found | replace_in(target, old, new))
}

fn in_qualities(qualities: &mut [Quality], old: &Phrase, new: &Phrase) -> bool {
    let mut found = false;
    for quality in qualities {
        if let Quality::Compared { than: Some(other), .. }
        | Quality::Scaled { than: Some(other), .. }
        | Quality::Same { other: Some(other), .. } = quality
        {
            found |= replace_in(other, old, new);
        }
    }
    found
}
