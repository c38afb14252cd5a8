//! What surrounds the scene: its sky, its mood, a setup of lights.

use crate::language::acts::intent::{Change, Intent};
use crate::language::phrases::noun_phrase::{target, tone};
use crate::language::phrases::tail::Tail;
use crate::language::places::place::place;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{Glue, Mood, Noun, Sense, Setup};

/// "sunset", "a dark background", "the sky blue", "night sky", "the background to black".
pub(crate) fn surroundings(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let (mut mood, mut colour, mut sky, mut lit) = (None, None, false, None);
    let mut horizon = None;
    let _ = reader.any_glue(&[Glue::A, Glue::The, Glue::It]);
    // "dark red", "sky blue": a colour, no sky.
    if reader.colour_length() > 1 && reader.previous() != Some("the") {
        return None;
    }
    loop {
        reader.skip_fillers();
        let small = [
            Glue::To,
            Glue::With,
            Glue::A,
            Glue::Is,
            Glue::Possessive,
            Glue::Into,
            Glue::LookLike,
            Glue::At,
        ];
        while reader.any_glue(&small).is_some() {}
        // "night and a starry sky".
        let joint = reader.at;
        let more = mood.is_some() && reader.glue(Glue::And);
        let _ = reader.glue(Glue::A);
        if !more || reader.look(0, as_mood).is_none() {
            reader.at = joint;
        }
        if let Some(found) = reader.take(as_setup) {
            lit = Some(found);
        } else if let Some(found) = reader.take(as_mood) {
            mood = Some(found);
        } else if mood.is_some() && tone(reader).is_some() {
            // "without hard shadows": as an overcast sky is anyway.
        } else if reader.take(as_surrounding).is_some() {
            sky = true;
        } else if let Some(found) = reader.colour() {
            // "an orange sky with a pink horizon".
            let below = |token: &crate::language::words::lexicon::Token| {
                ["horizon", "bottom"].contains(&token.text.as_str())
            };
            if colour.is_some() && reader.peek().is_some_and(below) {
                horizon = Some(found);
            } else {
                colour = Some(found);
            }
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
    if !told {
        return None;
    }
    if mood == Some(Mood::Nothing) {
        only_the_lamps(reader);
    }
    let mut intents = vec![Intent::Surround { mood, colour }];
    intents.extend(horizon.map(Intent::Horizon));
    intents.extend(switched_with(reader));
    Some(intents)
}

/// ", with the light on": a lamp that shines or not besides.
fn switched_with(reader: &mut Reader<'_>) -> Option<Intent> {
    let start = reader.at;
    let _ = reader.take_joint();
    let lamp = if reader.glue(Glue::With) { target(reader, Tail::BARE) } else { None };
    let change = match (lamp.is_some(), reader.peek().map(|token| token.text.as_str())) {
        (true, Some("on")) => Some(Change::SwitchOn),
        (true, Some("off")) => Some(Change::Brightness(0.0)),
        _ => None,
    };
    match (lamp, change) {
        (Some(target), Some(change)) => {
            reader.skip();
            Some(Intent::Change { target, changes: vec![change] })
        }
        _ => {
            reader.at = start;
            None
        }
    }
}

/// ", only the lamp" after "no environment light": the lamps are left as they are.
fn only_the_lamps(reader: &mut Reader<'_>) {
    let start = reader.at;
    let only = |token: &crate::language::words::lexicon::Token| {
        ["only", "just"].contains(&token.text.as_str())
    };
    let joined = reader.sees(0, &Sense::Comma);
    reader.at += usize::from(joined);
    let told = reader.peek().is_some_and(only);
    reader.skip_fillers();
    let lamps = target(reader, Tail::BARE).is_some_and(|target| {
        target.0.iter().all(|phrase| matches!(phrase.head, Some(Noun::Light(_))))
    });
    if !told || !lamps {
        reader.at = start;
    }
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

pub(in crate::language) fn as_mood(sense: &Sense) -> Option<Mood> {
    match sense {
        Sense::Mood(mood) => Some(*mood),
        _ => None,
    }
}

fn as_surrounding(sense: &Sense) -> Option<()> {
    matches!(sense, Sense::Noun(Noun::Sky | Noun::Scene)).then_some(())
}
