//! Clauses without a verb that say where, what light there is to be, or how all of them are to look.

use crate::language::acts::changes::changes;
use crate::language::acts::commands::directed;
use crate::language::acts::creations::creations;
use crate::language::acts::intent::{Change, Intent, Target};
use crate::language::phrases::noun_phrase::target;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::tail::Tail;
use crate::language::places::place::place;
use crate::language::words::reader::{Reader, as_verb};
use crate::language::words::vocabulary::{Degree, Glue, Sense, Verb};

/// "only the fire gives light", "the fire should be the only light".
pub(in crate::language) fn only_light(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let only = reader.previous() == Some("only") || reader.peek()?.text == "only";
    reader.skip_fillers();
    let source = target(reader, Tail::BARE).filter(|_| only)?;
    let _ = reader.glue(Glue::Should);
    let known = source.0.iter().all(|phrase| !phrase.is_new());
    (known && reader.glue(Glue::GivesLight)).then(|| vec![Intent::OnlyLight(source)])
}

/// "it looks gloomy", "this is a bit too dim": of the picture as a whole.
pub(in crate::language) fn impression(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    reader.any_glue(&[Glue::It, Glue::This, Glue::Everything])?;
    reader.any_glue(&[Glue::LookLike])?;
    reader.skip_fillers();
    let _ = reader.take(crate::language::places::place::as_degree);
    reader.skip_fillers();
    let dim = reader.peek().is_some_and(|token| {
        ["dark", "gloomy", "dim", "dull", "murky"].contains(&token.text.as_str())
    });
    if !dim {
        return None;
    }
    reader.skip();
    Some(vec![Intent::Expose(1.6)])
}

/// "on the other side, a little table", "next to it put a chair": the place first.
pub(in crate::language) fn placed_first(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let there = place(reader)?;
    let comma = reader.sees(0, &Sense::Comma);
    reader.at += usize::from(comma);
    reader.skip_fillers();
    let makes = |verb: &Verb| matches!(verb, Verb::Create | Verb::Put | Verb::Make);
    let verb = reader.take(|sense| as_verb(sense).filter(makes)).is_some();
    // "on it a computer and a cup".
    let counted = reader.look(0, |sense| matches!(sense, Sense::Number(_)).then_some(())).is_some();
    if !comma && !verb && !counted && !reader.sees_glue(Glue::A) {
        return None;
    }
    let mut made = creations(reader)?;
    if let [Intent::Create(phrases)] = made.as_mut_slice() {
        for phrase in phrases.iter_mut().filter(|phrase| phrase.places.is_empty()) {
            phrase.places.push(there.clone());
        }
    }
    Some(made)
}

/// "on the blue one", "next to the sofa": where to look, or where what was spoken of is to be.
pub(in crate::language) fn bare_place(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let strongly = reader.take(crate::language::places::place::as_degree) == Some(Degree::Strong);
    let nearer = reader
        .peek()
        .is_some_and(|token| ["closer to", "nearer to"].contains(&token.text.as_str()));
    if strongly && nearer {
        // "much closer to the ring": the camera, since things do not come much closer than beside.
        reader.skip();
        return target(reader, Tail::BARE).map(|seen| {
            vec![Intent::Camera(crate::language::acts::intent::CameraMove::Close(seen))]
        });
    }
    place(reader).map(|place| vec![Intent::Whereabouts(place)])
}

/// "both in chrome": what was spoken of, and what it is to be.
pub(in crate::language) fn all_so(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let start = reader.at;
    // "and all black": no thing is named.
    if reader.glue(Glue::All) {
        let found = changes(reader);
        let looks = |change: &Change| {
            matches!(change, Change::Colour(_) | Change::Finish(_) | Change::Look(..))
        };
        if !found.is_empty() && found.iter().all(looks) && reader.clause_ends() {
            let mut them = Phrase::new(Determiner::Them);
            them.plural = true;
            return Some(directed(Target::of(them), found));
        }
    }
    reader.at = start;
    let pointed = [Glue::Them, Glue::This].iter().any(|glue| reader.sees_glue(*glue));
    if !pointed && !reader.sees_glue(Glue::All) {
        return None;
    }
    let subject = target(reader, Tail::BARE)?;
    let found = changes(reader);
    let plain = |change: &Change| !matches!(change, Change::Become(_) | Change::Rename(_));
    (!found.is_empty() && found.iter().all(plain)).then(|| directed(subject, found))
}
