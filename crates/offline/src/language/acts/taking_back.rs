//! Taking back and starting anew: "undo the last two", "reset everything to how it was"; gaps that
//! are doubled, and what the camera is to show.

use crate::language::acts::clause::it;
use crate::language::acts::commands::clear;
use crate::language::acts::intent::{CameraMove, Change, Intent, Target};
use crate::language::phrases::noun_phrase::target;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::size::times;
use crate::language::phrases::tail::Tail;
use crate::language::places::place::place;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{Glue, Mood, Noun, Sense, Verb};

pub(in crate::language) fn undo(reader: &mut Reader<'_>, redo: bool) -> Option<Vec<Intent>> {
    // "put it back on the floor".
    let start = reader.at;
    if let Some(to) = place(reader).filter(|_| reader.clause_ends()) {
        return Some(vec![Intent::Change { target: it(), changes: vec![Change::Place(to)] }]);
    }
    reader.at = start;
    let undone = target(reader, Tail::BARE);
    let steps = undone.and_then(|target| steps_of(&target)).or_else(|| {
        let twice = times(reader)?;
        Some(twice.clamp(1.0, 1e3) as usize)
    });
    while !reader.clause_ends() {
        reader.skip();
    }
    Some(vec![Intent::Undo { redo, steps: steps.unwrap_or(1) }])
}

/// "undo both", "undo the last two", "undo everything": how many.
pub(in crate::language) fn steps_of(target: &Target) -> Option<usize> {
    let [only] = target.0.as_slice() else { return None };
    match only.determiner {
        Determiner::Everything => Some(usize::MAX),
        Determiner::Them if only.plural => Some(only.count.unwrap_or(2)),
        Determiner::All => Some(only.count.unwrap_or(usize::MAX)),
        _ => only.count,
    }
}

/// "reset the camera", "reset the scene", "reset".
pub(in crate::language) fn reset(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let start = reader.at;
    let subject = target(reader, Tail::BARE);
    let of = |noun: Noun| {
        subject
            .as_ref()
            .is_some_and(|target| target.0.iter().all(|phrase| phrase.head.as_ref() == Some(&noun)))
    };
    if of(Noun::Camera) {
        return Some(vec![Intent::Camera(CameraMove::From(
            glam::DVec3::new(0.35, 0.4, 1.0),
            None,
        ))]);
    }
    if of(Noun::Sky) {
        return Some(vec![Intent::Surround { mood: Some(Mood::Day), colour: None }]);
    }
    // "reset everything to how it was": nothing is taken away.
    let as_before =
        reader.peek().is_some_and(|token| token.senses.contains(&Sense::Verb(Verb::Undo)));
    if as_before {
        reader.skip();
        return Some(vec![Intent::Undo { redo: false, steps: usize::MAX }]);
    }
    reader.at = start;
    clear(reader)
}

/// "double the gaps", "halve the spacing between the boxes".
pub(in crate::language) fn gaps(reader: &mut Reader<'_>, factor: f64) -> Option<Vec<Intent>> {
    if !reader.glue(Glue::Gaps) {
        return None;
    }
    let between = |sense: &Sense| {
        matches!(sense, Sense::Relation(crate::language::words::vocabulary::Relation::Between))
            .then_some(())
    };
    let of = reader.take(between).is_some() || reader.glue(Glue::Of);
    let named = if of { target(reader, Tail::BARE) } else { None };
    let mut them = Phrase::new(Determiner::Them);
    them.plural = true;
    let target = named.unwrap_or_else(|| Target::of(them));
    let how = crate::language::acts::intent::Arrangement::Spread(factor);
    Some(vec![Intent::Arrange { target, how }])
}

/// "I want both in the picture": what the camera is to show.
pub(in crate::language) fn shown(reader: &mut Reader<'_>, start: usize) -> Option<Vec<Intent>> {
    let mut probe = reader.clone();
    probe.at = start;
    let subject = target(&mut probe, Tail::BARE)?;
    let told = probe.previous().is_some_and(|text| {
        let picture = ["picture", "view", "shot", "frame", "screen", "image"];
        let within = text.starts_with("in ") || text.starts_with("on ");
        within && picture.iter().any(|word| text.ends_with(word))
    });
    if !told || !probe.clause_ends() || subject.0.iter().any(Phrase::is_new) {
        return None;
    }
    reader.at = probe.at;
    Some(vec![Intent::Camera(CameraMove::Show(subject))])
}
