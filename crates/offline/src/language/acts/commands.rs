//! Commands: a verb and what belongs to it.

use crate::language::acts::changes::{changes, coordinate};
use crate::language::acts::clause::it;
use crate::language::acts::copying::{copies, multiplied};
use crate::language::acts::creations::creations;
use crate::language::acts::giving::{give, given_to};
use crate::language::acts::intent::{CameraMove, Change, Exchanged, Intent, Place, Shift, Target};
use crate::language::acts::taking_back::{gaps, reset, shown, undo};
use crate::language::dialogue::unfinished::unfinished;
use crate::language::phrases::noun_phrase::{phrase_with, target};
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::property::{property, property_or_light};
use crate::language::phrases::size::{as_measure, times};
use crate::language::phrases::tail::{Tail, exception, new_name};
use crate::language::places::arrangement;
use crate::language::places::brightness::lighting;
use crate::language::places::camera::{self, camera_move};
use crate::language::places::motion::{
    angle, flip, relocate, resize, rotate, scale, turned, vertical,
};
use crate::language::places::place::{as_degree, place, shift};
use crate::language::places::surroundings::surroundings;
use crate::language::words::lexicon::Token;
use crate::language::words::reader::{Reader, as_verb};
use crate::language::words::vocabulary::{Comparison, Glue, Measure, Mood, Noun, Sense, Verb, Way};

/// Reads a command.
pub(crate) fn command(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let verb = reader.take(as_verb)?;
    reader.skip_fillers();
    let start = reader.at;
    commanded(reader, verb).or_else(|| {
        let farthest = std::mem::replace(&mut reader.at, start);
        let unfinished = unfinished(reader, verb);
        reader.at = if unfinished.is_some() { reader.at } else { farthest };
        unfinished
    })
}

fn commanded(reader: &mut Reader<'_>, verb: Verb) -> Option<Vec<Intent>> {
    let compare = |comparison| Change::Compare { comparison, degree: None, factor: None };
    match verb {
        Verb::Create => surroundings_or(reader, create),
        Verb::Give => {
            let start = reader.at;
            give(reader).or_else(|| {
                reader.at = start;
                surroundings_or(reader, make_new_or)
            })
        }
        Verb::Set if reader.previous() == Some("set") => {
            let start = reader.at;
            surroundings_or(reader, make_new_or).filter(|_| reader.clause_ends()).or_else(|| {
                // "set the ball on the box".
                let farthest = std::mem::replace(&mut reader.at, start);
                let puts = |intent: &Intent| match intent {
                    Intent::Change { changes, .. } => {
                        changes.iter().all(|change| matches!(change, Change::Place(_)))
                    }
                    _ => false,
                };
                let put =
                    relocate(reader).filter(|put| put.iter().all(puts) && reader.clause_ends());
                reader.at = if put.is_some() { reader.at } else { farthest };
                put
            })
        }
        Verb::Turn if turned(&mut reader.clone()).is_some() => turned(reader),
        Verb::Make | Verb::Turn | Verb::Set => surroundings_or(reader, make_new_or),
        Verb::Put | Verb::Move => relocate(reader),
        Verb::Raise => vertical(reader, Way::Up),
        Verb::Lower => vertical(reader, Way::Down),
        Verb::Rotate => rotate(reader),
        Verb::Scale => scale(reader),
        Verb::Enlarge => resize(reader, Comparison::Bigger, None),
        Verb::Shrink if reader.previous() == Some("shorten") => {
            resize(reader, Comparison::Shorter, None)
        }
        Verb::Shrink => resize(reader, Comparison::Smaller, None),
        Verb::Double => gaps(reader, 2.0).or_else(|| resize(reader, Comparison::Bigger, Some(2.0))),
        Verb::Triple => gaps(reader, 3.0).or_else(|| resize(reader, Comparison::Bigger, Some(3.0))),
        Verb::Halve => gaps(reader, 0.5).or_else(|| resize(reader, Comparison::Bigger, Some(0.5))),
        Verb::Remove => remove(reader),
        Verb::Clear => clear(reader),
        Verb::Duplicate => duplicate(reader),
        Verb::Rename => rename(reader),
        Verb::Replace | Verb::Paint => make(reader),
        Verb::Increase => {
            gaps(reader, 1.5).or_else(|| property_or_light(reader, 1.25, Comparison::Brighter))
        }
        Verb::Decrease => {
            gaps(reader, 0.67).or_else(|| property_or_light(reader, 0.8, Comparison::Darker))
        }
        Verb::Brighten => lighting(reader, compare(Comparison::Brighter)),
        Verb::Dim => lighting(reader, compare(Comparison::Darker)),
        Verb::TurnOff => lighting(reader, Change::Brightness(0.0)),
        Verb::Undo => undo(reader, false),
        Verb::Redo => undo(reader, true),
        Verb::Look | Verb::Frame => camera::watch(reader),
        Verb::ZoomIn => camera::zoom(reader, true),
        Verb::ZoomOut => camera::zoom(reader, false),
        Verb::Orbit => camera::orbit(reader),
        Verb::Blur => camera::blur(reader),
        Verb::Sharpen => camera::sharpen(reader),
        Verb::Reset => reset(reader),
        Verb::Glow => None,
        Verb::Continue => Some(vec![Intent::Continue]),
        Verb::Exchange => exchange(reader),
        Verb::Align => straighten(reader).or_else(|| arrangement::align(reader)),
        Verb::Arrange => arrangement::arrange(reader),
        Verb::Stack => arrangement::stack(reader),
        Verb::Scatter => arrangement::scatter(reader),
        Verb::Spread => arrangement::spread(reader),
        Verb::Gather => arrangement::gather(reader),
        Verb::Distribute => arrangement::distribute(reader),
        Verb::Mirror => arrangement::mirror(reader),
        Verb::Flip => flip(reader),
        Verb::Group => arrangement::group(reader),
        Verb::Ungroup => arrangement::ungroup(reader),
        Verb::TurnOn => {
            let target = target(reader, Tail::NO_WITH)?;
            Some(vec![Intent::Change { target, changes: vec![Change::SwitchOn] }])
        }
        Verb::Center => {
            let target = target(reader, Tail::BARE)?;
            Some(vec![Intent::Change { target, changes: vec![Change::Place(Place::Origin)] }])
        }
        Verb::Ditto => Some(vec![Intent::Repeat(target(reader, Tail::NO_WITH)?)]),
        // Known, so that it starts a clause, but nothing this model can do.
        Verb::Beyond => None,
    }
}

fn surroundings_or(
    reader: &mut Reader<'_>,
    otherwise: fn(&mut Reader<'_>) -> Option<Vec<Intent>>,
) -> Option<Vec<Intent>> {
    let start = reader.at;
    if let Some(intents) = surroundings(reader).filter(|_| reader.clause_ends()) {
        return Some(intents);
    }
    reader.at = start;
    // "set the field of view to 30", "give me a close-up of the cone".
    if let Some(views) = camera::bare_view(reader).filter(|_| reader.clause_ends()) {
        let lenses =
            views.iter().all(|view| !matches!(view, Intent::Camera(CameraMove::Distance(_))));
        if lenses {
            return Some(views);
        }
    }
    reader.at = start;
    otherwise(reader)
}

fn create(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let start = reader.at;
    if let Some(copies) = copies(reader).filter(|_| reader.clause_ends()) {
        return Some(copies);
    }
    reader.at = start;
    if let Some(made) = creations(reader) {
        return given_to(reader, &made).or(Some(made));
    }
    if let Some(shown) = shown(reader, start) {
        return Some(shown);
    }
    // "I want it blue".
    let farthest = reader.at;
    reader.at = start;
    let known = phrase_with(&mut reader.clone(), Tail::BARE).is_some_and(|first| !first.is_new());
    if known {
        let made = make(reader).filter(|_| reader.clause_ends());
        return made.or_else(|| {
            // "I want the lamp next to the sofa".
            reader.at = start;
            relocate(reader)
        });
    }
    reader.at = farthest;
    None
}

/// "make a cake with three candles": something new, where all of it can be read so.
fn make_new_or(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let start = reader.at;
    let new = |intent: &Intent| match intent {
        Intent::Create(phrases) => phrases
            .iter()
            .all(|phrase| phrase.determiner == Determiner::A && phrase.head != Some(Noun::Thing)),
        _ => false,
    };
    let made = creations(reader).filter(|made| made.iter().all(new) && reader.clause_ends());
    if made.is_some() {
        return made;
    }
    reader.at = start;
    make(reader)
}

/// "make it blue", "make a red sphere", "set its radius to 2", "turn it 45 degrees".
fn make(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let start = reader.at;
    // "a white sphere with radius 1", "a snowman with a black hat": all of it is new.
    let indefinite = |phrase: &Phrase| {
        matches!(phrase.determiner, Determiner::A | Determiner::Another) && phrase.is_new()
    };
    if phrase_with(&mut reader.clone(), Tail::BARE).is_some_and(|first| indefinite(&first)) {
        if let Some(made) = creations(reader).filter(|_| reader.clause_ends()) {
            return Some(made);
        }
        reader.at = start;
    }
    if let Some(changed) = property(reader, None).filter(|_| reader.clause_ends()) {
        return Some(changed);
    }
    reader.at = start;
    let subject = target(reader, Tail::SUBJECT);
    if let Some(mut subject) = subject {
        let behind = reader.at;
        if let Some(how) = arrangement::arrangement(reader).filter(|_| reader.clause_ends()) {
            return Some(vec![Intent::Arrange { target: subject, how }]);
        }
        reader.at = behind;
        let found = changes(reader);
        if !found.is_empty() {
            lit_with(reader);
        }
        if let Some(first) = subject.0.first_mut() {
            // "paint everything white except the cone".
            let _ = exception(reader, first);
        }
        if !found.is_empty() {
            let mut intents = directed(subject, found);
            intents.extend(more_changes(reader));
            return Some(intents);
        }
        if let Some(change) = switched(reader) {
            return Some(directed(subject, vec![change]));
        }
        let at = reader.at;
        if let Some(angle) = angle(reader) {
            return Some(directed(subject, vec![Change::Rotate(angle)]));
        }
        reader.at = at;
        if let Some(sky) = surroundings(reader) {
            return is_scene(&subject).then_some(sky);
        }
    }
    let farthest = reader.at;
    reader.at = start;
    if let Some(multiplied) = multiplied(reader).filter(|_| reader.clause_ends()) {
        return Some(multiplied);
    }
    reader.at = start;
    if let Some(copies) = copies(reader) {
        return Some(copies);
    }
    reader.at = start;
    let made = creations(reader);
    if made.is_none() {
        reader.at = reader.at.max(farthest);
    }
    made
}

/// "off", "down", "up" behind the light that is turned so.
fn switched(reader: &mut Reader<'_>) -> Option<Change> {
    let compare = |comparison| Change::Compare { comparison, degree: None, factor: None };
    let change = match reader.peek()?.text.as_str() {
        "off" => Change::Brightness(0.0),
        "down" | "down low" => compare(Comparison::Darker),
        "up" => compare(Comparison::Brighter),
        _ => return None,
    };
    reader.skip();
    let _ = reader.glue(Glue::Low) || reader.take(as_degree).is_some();
    reader.clause_ends().then_some(change)
}

/// ", the cone green and the cube blue" after "make the sphere red".
fn more_changes(reader: &mut Reader<'_>) -> Vec<Intent> {
    let mut intents = Vec::new();
    loop {
        let start = reader.at;
        let next = reader.take_joint().then(|| target(reader, Tail::SUBJECT)).flatten();
        let found = if next.is_some() { changes(reader) } else { Vec::new() };
        match next {
            Some(subject) if !found.is_empty() => intents.extend(directed(subject, found)),
            _ => {
                reader.at = start;
                return intents;
            }
        }
    }
}

fn is_scene(target: &Target) -> bool {
    target.0.iter().all(|phrase| {
        matches!(phrase.head, Some(Noun::Scene | Noun::Sky))
            || matches!(phrase.determiner, Determiner::It | Determiner::Everything)
    })
}

/// Changes of the camera, the sky and the light as a whole are intents of their own.
pub(crate) fn directed(target: Target, changes: Vec<Change>) -> Vec<Intent> {
    let head = target.0.first().and_then(|phrase| phrase.head.clone());
    let one_by_one = |intent: fn(&Change) -> Option<Intent>| -> Option<Vec<Intent>> {
        changes.iter().map(intent).collect()
    };
    let special = match head {
        Some(Noun::Camera) => one_by_one(|change| camera_move(change).map(Intent::Camera)),
        Some(Noun::Later(ref word)) if word == "room" => one_by_one(of_scene),
        Some(Noun::Sky | Noun::Scene) => one_by_one(of_scene),
        _ => None,
    };
    special.unwrap_or_else(|| vec![Intent::Change { target, changes }])
}

/// A change of the scene or its sky as a whole.
fn of_scene(change: &Change) -> Option<Intent> {
    match change {
        Change::Colour(colour) => {
            Some(Intent::Surround { mood: None, colour: Some(colour.clone()) })
        }
        Change::Compare { comparison: Comparison::Brighter | Comparison::Darker, .. }
        | Change::Brightness(_) => {
            Some(Intent::Expose(crate::language::acts::clause::exposure(change)))
        }
        Change::Compare {
            comparison: Comparison::Warmer | Comparison::Cooler | Comparison::Softer,
            ..
        } => {
            let mut lights = Phrase::new(Determiner::All);
            lights.head = Some(Noun::Light(crate::language::words::vocabulary::LightKind::Any));
            lights.words.push("lights".to_owned());
            Some(Intent::Change { target: Target::of(lights), changes: vec![change.clone()] })
        }
        _ => None,
    }
}

/// "with warm light" after how the room is to be.
pub(in crate::language) fn lit_with(reader: &mut Reader<'_>) {
    let start = reader.at;
    reader.skip_fillers();
    let comma = reader.sees(0, &Sense::Comma);
    reader.at += usize::from(comma);
    let with = reader.glue(Glue::With);
    let _ = reader.glue(Glue::A);
    while crate::language::phrases::noun_phrase::tone(reader).is_some()
        || reader.take(crate::language::acts::changes::as_comparison).is_some()
    {}
    let light = |sense: &Sense| matches!(sense, Sense::Noun(Noun::Light(_))).then_some(());
    if !with || reader.take(light).is_none() {
        reader.at = start;
    }
}

fn remove(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let hides = reader.previous() == Some("hide");
    let mut subject = target(reader, Tail::NO_WITH)?;
    if subject.0.iter().all(|phrase| phrase.head == Some(Noun::Sky)) {
        return Some(vec![Intent::Surround { mood: Some(Mood::Nothing), colour: None }]);
    }
    // "hide the ball behind the box": it stays, elsewhere.
    if let (true, [only]) = (hides, subject.0.as_mut_slice())
        && !only.places.is_empty()
    {
        if only.determiner == Determiner::A {
            return Some(vec![Intent::Create(subject.0)]);
        }
        let places = std::mem::take(&mut only.places);
        return Some(directed(subject, places.into_iter().map(Change::Place).collect()));
    }
    Some(vec![Intent::Remove(subject)])
}

pub(in crate::language) fn clear(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let everything = || Target::of(Phrase::new(Determiner::Everything));
    // "start again with a blue cube".
    if reader.glue(Glue::With) {
        let mut intents = vec![Intent::Remove(everything())];
        intents.extend(creations(reader)?);
        return Some(intents);
    }
    let subject = if reader.clause_ends() { everything() } else { target(reader, Tail::NO_WITH)? };
    let scene = subject.0.iter().any(|phrase| phrase.head == Some(Noun::Scene));
    Some(vec![Intent::Remove(if scene { everything() } else { subject })])
}

fn duplicate(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let subject = target(reader, Tail::BARE).unwrap_or_else(it);
    let start = reader.at;
    let count = times(reader).or_else(|| reader.number()).map(|n| n.clamp(1.0, 1000.0) as usize);
    if count.is_none() {
        reader.at = start;
    }
    let _ = reader.any_glue(&[Glue::And, Glue::Then]);
    let _ = reader.take(as_verb).map(|_| reader.glue(Glue::It) || reader.glue(Glue::Them));
    // "in a row": side by side.
    let before = reader.at;
    let shift = match arrangement::arrangement(reader) {
        Some(_) => Some(Shift { way: Way::Right, metres: None, degree: None }),
        None => {
            reader.at = before;
            shift(reader)
        }
    };
    reader.skip_fillers();
    let places: Vec<Place> = place(reader).into_iter().collect();
    let at = reader.at;
    let spot = if places.is_empty() { coordinate(reader) } else { None };
    if spot.is_none() {
        reader.at = at;
    }
    let copied = Intent::Duplicate { target: subject, count: count.unwrap_or(1), places, shift };
    // "copy it to x = -4": the copy goes there.
    let moved = spot.map(|spot| Intent::Change { target: it(), changes: vec![spot] });
    Some(std::iter::once(copied).chain(moved).collect())
}

/// "straighten it", "straighten the picture out": one thing that is tilted; several are aligned.
fn straighten(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    if !reader.previous().is_some_and(|verb| verb.starts_with("straighten")) {
        return None;
    }
    let start = reader.at;
    let one = |phrase: &Phrase| !phrase.plural && phrase.determiner != Determiner::Them;
    let subject = target(reader, Tail::BARE).unwrap_or_else(it);
    let _ = reader.take(|sense| matches!(sense, Sense::Way(Way::Up)).then_some(()));
    let _ = reader.glue(Glue::Out);
    let alone = matches!(subject.0.as_slice(), [only] if one(only));
    if !alone || !reader.clause_ends() {
        reader.at = start;
        return None;
    }
    Some(vec![Intent::Change { target: subject, changes: vec![Change::Straight] }])
}

/// "swap the colours of the cube and the sphere", "swap the cube and the sphere".
fn exchange(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let start = reader.at;
    let theirs = reader.any_glue(&[Glue::The, Glue::Its]) == Some(Glue::Its);
    let what = reader.take(|sense| match as_measure(sense)? {
        Measure::Colour => Some(Exchanged::Colour),
        Measure::Material => Some(Exchanged::Material),
        Measure::Position => Some(Exchanged::Position),
        _ => None,
    });
    if what.is_none() {
        reader.at = start;
    }
    let mut both = if what.is_some() && theirs {
        Target::of(Phrase::new(Determiner::Them))
    } else {
        let _ = what.is_some() && reader.glue(Glue::Of);
        target(reader, Tail::BARE)?
    };
    if reader.glue(Glue::With) {
        both.0.extend(target(reader, Tail::BARE)?.0);
    }
    both.as_pair();
    // "swap them back": a swap is its own way back.
    let _ = reader.take(|sense| matches!(sense, Sense::Way(Way::Back)).then_some(()));
    Some(vec![Intent::Exchange { target: both, what: what.unwrap_or(Exchanged::Position) }])
}

fn rename(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let subject = target(reader, Tail::BARE)?;
    let told = reader.any_glue(&[Glue::To, Glue::As, Glue::Into]).is_some();
    let mut name = new_name(reader)?;
    // "to party hat": words that mean something else name it as well.
    while told && let Some(token) = reader.peek().filter(|token| may_be_in_name(token)) {
        name = format!("{name} {}", token.text);
        reader.skip();
    }
    Some(vec![Intent::Change { target: subject, changes: vec![Change::Rename(name)] }])
}

fn may_be_in_name(token: &Token) -> bool {
    let joins = |sense: &Sense| {
        matches!(
            sense,
            Sense::Glue(_) | Sense::Comma | Sense::Stop | Sense::Verb(_) | Sense::Filler
        )
    };
    !token.senses.first().is_some_and(joins)
}
