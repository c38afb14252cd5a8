//! Commands: a verb and what belongs to it.

use super::arrangement;
use super::camera::{self, camera_move};
use super::changes::changes;
use super::clause::it;
use super::copying::{copies, multiplied};
use super::intent::{CameraMove, Change, Exchanged, Intent, Place, Shift, Target};
use super::motion::{angle, flip, relocate, resize, rotate, scale, vertical};
use super::noun_phrase::{phrase_with, target};
use super::phrase::{Determiner, Phrase};
use super::place::{as_degree, place, shift};
use super::property::{property, property_or_light};
use super::reader::{Reader, as_verb};
use super::size::{as_measure, times};
use super::tail::{Tail, exception, new_name};
use super::vocabulary::{Comparison, Glue, Measure, Mood, Noun, Sense, Setup, Verb, Way};

/// Reads a command.
pub(crate) fn command(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let verb = reader.take(as_verb)?;
    reader.skip_fillers();
    let compare = |comparison| Change::Compare { comparison, degree: None, factor: None };
    match verb {
        Verb::Create => surroundings_or(reader, create),
        Verb::Make | Verb::Turn | Verb::Set | Verb::Give => surroundings_or(reader, make_new_or),
        Verb::Put | Verb::Move => relocate(reader),
        Verb::Raise => vertical(reader, Way::Up),
        Verb::Lower => vertical(reader, Way::Down),
        Verb::Rotate => rotate(reader),
        Verb::Scale => scale(reader),
        Verb::Enlarge => resize(reader, Comparison::Bigger, None),
        Verb::Shrink => resize(reader, Comparison::Smaller, None),
        Verb::Double => resize(reader, Comparison::Bigger, Some(2.0)),
        Verb::Triple => resize(reader, Comparison::Bigger, Some(3.0)),
        Verb::Halve => resize(reader, Comparison::Bigger, Some(0.5)),
        Verb::Remove => remove(reader),
        Verb::Clear => clear(reader),
        Verb::Duplicate => duplicate(reader),
        Verb::Rename => rename(reader),
        Verb::Replace | Verb::Paint => make(reader),
        Verb::Increase => property_or_light(reader, 1.25, Comparison::Brighter),
        Verb::Decrease => property_or_light(reader, 0.8, Comparison::Darker),
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
        Verb::Align => arrangement::align(reader),
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
        Verb::Ditto => Some(vec![Intent::Answer(target(reader, Tail::NO_WITH)?)]),
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

/// "sunset", "a dark background", "the sky blue", "night sky", "the background to black".
pub(crate) fn surroundings(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let (mut mood, mut colour, mut sky, mut lit) = (None, None, false, None);
    let _ = reader.any_glue(&[Glue::A, Glue::The, Glue::It]);
    // "dark red", "sky blue": a colour, no sky.
    if reader.colour_length() > 1 && reader.previous() != Some("the") {
        return None;
    }
    loop {
        reader.skip_fillers();
        let _ = reader.any_glue(&[
            Glue::To,
            Glue::With,
            Glue::A,
            Glue::Is,
            Glue::Into,
            Glue::LookLike,
            Glue::At,
        ]);
        if let Some(found) = reader.take(as_setup) {
            lit = Some(found);
        } else if let Some(found) = reader.take(as_mood) {
            mood = Some(found);
        } else if reader.take(as_surrounding).is_some() {
            sky = true;
        } else if let Some(found) = reader.colour() {
            colour = Some(found);
        } else {
            break;
        }
    }
    if let Some(setup) = lit {
        // "on the scene", "for the box": where else.
        let start = reader.at;
        if place(reader).is_none() {
            reader.at = start;
        }
        let mut intents = vec![Intent::Light(setup)];
        if mood.is_some() {
            intents.insert(0, Intent::Surround { mood, colour: None });
        }
        return Some(intents);
    }
    let told = mood.is_some() || (sky && colour.is_some());
    // "sunset lighting".
    let _ = told && reader.take(as_light).is_some();
    told.then(|| vec![Intent::Surround { mood, colour }])
}

fn as_light(sense: &Sense) -> Option<()> {
    matches!(sense, Sense::Noun(Noun::Light(_))).then_some(())
}

fn as_setup(sense: &Sense) -> Option<Setup> {
    match sense {
        Sense::Setup(setup) => Some(*setup),
        _ => None,
    }
}

pub(super) fn as_mood(sense: &Sense) -> Option<Mood> {
    match sense {
        Sense::Mood(mood) => Some(*mood),
        _ => None,
    }
}

fn as_surrounding(sense: &Sense) -> Option<()> {
    matches!(sense, Sense::Noun(Noun::Sky | Noun::Scene)).then_some(())
}

fn create(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let start = reader.at;
    if let Some(copies) = copies(reader).filter(|_| reader.clause_ends()) {
        return Some(copies);
    }
    reader.at = start;
    if let Some(made) = creations(reader) {
        return Some(made);
    }
    // "I want it blue".
    let farthest = reader.at;
    reader.at = start;
    let known = phrase_with(&mut reader.clone(), Tail::BARE).is_some_and(|first| !first.is_new());
    if known {
        return make(reader);
    }
    reader.at = farthest;
    None
}

/// New things joined by commas and "and".
pub(crate) fn creations(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let mut phrases: Vec<Phrase> = Vec::new();
    loop {
        phrases.push(phrase_with(reader, Tail::FULL)?);
        if reader.clause_ends() || !reader.take_joint() {
            break;
        }
    }
    share_heads(&mut phrases);
    let new = |phrase: &Phrase| {
        phrase.is_new() || (phrase.determiner == Determiner::The && phrase.head.is_some())
    };
    let first_is_new = phrases.first().is_some_and(Phrase::is_new);
    (first_is_new && phrases.iter().all(new)).then_some(vec![Intent::Create(phrases)])
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
        let found = changes(reader);
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
        Some(Noun::Sky | Noun::Scene) => one_by_one(|change| match change {
            Change::Colour(colour) => {
                Some(Intent::Surround { mood: None, colour: Some(colour.clone()) })
            }
            Change::Compare { comparison: Comparison::Brighter | Comparison::Darker, .. }
            | Change::Brightness(_) => Some(Intent::Expose(super::clause::exposure(change))),
            _ => None,
        }),
        _ => None,
    };
    special.unwrap_or_else(|| vec![Intent::Change { target, changes }])
}

fn remove(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let subject = target(reader, Tail::NO_WITH)?;
    if subject.0.iter().all(|phrase| phrase.head == Some(Noun::Sky)) {
        return Some(vec![Intent::Surround { mood: Some(Mood::Nothing), colour: None }]);
    }
    Some(vec![Intent::Remove(subject)])
}

fn clear(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
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

/// "reset the camera", "reset the scene", "reset".
fn reset(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
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
    reader.at = start;
    clear(reader)
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
    let places = place(reader).into_iter().collect();
    Some(vec![Intent::Duplicate { target: subject, count: count.unwrap_or(1), places, shift }])
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
    // "swap them back": a swap is its own way back.
    let _ = reader.take(|sense| matches!(sense, Sense::Way(Way::Back)).then_some(()));
    Some(vec![Intent::Exchange { target: both, what: what.unwrap_or(Exchanged::Position) }])
}

fn rename(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let subject = target(reader, Tail::BARE)?;
    let _ = reader.any_glue(&[Glue::To, Glue::As, Glue::Into]);
    let name = new_name(reader)?;
    Some(vec![Intent::Change { target: subject, changes: vec![Change::Rename(name)] }])
}

pub(super) fn lighting(reader: &mut Reader<'_>, change: Change) -> Option<Vec<Intent>> {
    let subject = target(reader, Tail::NO_WITH);
    let by = reader.glue(Glue::By);
    let percent = reader.look(1, |sense| {
        matches!(sense, Sense::Unit(super::vocabulary::Unit::Percent)).then_some(())
    });
    let share = if by { times(reader).or_else(|| reader.number()) } else { None };
    let change = match (change, reader.take(as_degree)) {
        (Change::Compare { comparison, .. }, _) if share.is_some() => {
            let share = share.unwrap_or(1.0);
            let factor = match (comparison == Comparison::Darker, percent.is_some()) {
                (true, true) => (1.0 - share).max(0.02),
                (true, false) if share > 1.0 => 1.0 / share,
                (true, false) => share,
                (false, true) => 1.0 + share,
                (false, false) => share.max(1.0 + share.min(1.0)),
            };
            Change::Brightness(factor)
        }
        (Change::Compare { comparison, factor, .. }, degree) => {
            Change::Compare { comparison, degree, factor }
        }
        (other, _) => other,
    };
    let whole = subject.as_ref().is_none_or(is_scene_noun);
    Some(if whole {
        vec![Intent::Expose(super::clause::exposure(&change))]
    } else {
        vec![Intent::Change { target: subject.unwrap_or_else(it), changes: vec![change] }]
    })
}

fn is_scene_noun(target: &Target) -> bool {
    target.0.iter().all(|phrase| {
        matches!(phrase.head, Some(Noun::Scene | Noun::Sky))
            || phrase.determiner == Determiner::Everything
    })
}

fn undo(reader: &mut Reader<'_>, redo: bool) -> Option<Vec<Intent>> {
    // "put it back on the floor".
    let start = reader.at;
    if let Some(to) = place(reader).filter(|_| reader.clause_ends()) {
        return Some(vec![Intent::Change { target: it(), changes: vec![Change::Place(to)] }]);
    }
    reader.at = start;
    let _ = target(reader, Tail::BARE);
    while !reader.clause_ends() {
        reader.skip();
    }
    Some(vec![Intent::Undo { redo }])
}
