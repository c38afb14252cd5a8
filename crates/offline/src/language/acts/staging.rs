//! Whole scenes: "a cosy living room with a red sofa", "a forest at night", "a cabin in the woods".

use catalogue::{Theme, catalogue};

use crate::language::acts::creations::creations;
use crate::language::acts::intent::{Intent, Place, Staging};
use crate::language::phrases::noun_phrase::phrase_with;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::tail::Tail;
use crate::language::places::surroundings::as_mood;
use crate::language::words::lexicon::Token;
use crate::language::words::reader::{Reader, as_noun, as_verb};
use crate::language::words::slips::is_one_slip;
use crate::language::words::vocabulary::{Glue, Mood, Noun, Relation, Sense, Verb};

/// The most words a scene's name takes.
const LONGEST_NAME: usize = 5;

/// The most unknown words that may describe a scene: "a mysterious old forest".
const MOST_UNKNOWN: usize = 2;

/// Words that say no more than that a scene is wanted.
const SCENE_WORDS: [&str; 12] = [
    "scene",
    "picture",
    "image",
    "view",
    "landscape",
    "setting",
    "scenery",
    "setup",
    "environment",
    "world",
    "diorama",
    "render",
];

/// Reads a wish for a whole scene.
pub(crate) fn staging(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let verb = wished(reader)?;
    let start = reader.at;
    let staging = themed(reader, verb).or_else(|| {
        reader.at = start;
        things_in_a_scene(reader, verb)
    })?;
    Some(vec![Intent::Stage(Box::new(staging))])
}

/// "make it snow", "make it a winter scene", "let it snow", "turn it into winter".
pub(crate) fn season(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let makes = |verb: &Verb| matches!(verb, Verb::Make | Verb::Turn | Verb::Set);
    let _ = reader.take(|sense| as_verb(sense).filter(makes))?;
    reader.skip_fillers();
    let whole = reader.any_glue(&[Glue::It, Glue::This, Glue::Everything]).is_some()
        || (reader.glue(Glue::The) && {
            reader.skip();
            true
        });
    if !whole {
        return None;
    }
    let _ = reader.any_glue(&[Glue::Into, Glue::LookLike, Glue::To, Glue::Is]);
    let _ = reader.glue(Glue::A);
    let snows = |token: &Token| {
        ["snow", "winter", "wintry", "wintery", "snowing", "winter time", "wintertime"]
            .contains(&token.text.as_str())
    };
    let autumn = reader.peek().is_some_and(|token| {
        ["autumn", "fall", "autumnal", "autumn time"].contains(&token.text.as_str())
    });
    if !autumn && !reader.peek().is_some_and(snows) {
        return None;
    }
    reader.skip();
    while reader.peek().is_some_and(|token| is_scene_word(token) || is_time_word(token)) {
        reader.skip();
    }
    Some(vec![if autumn { Intent::Autumn } else { Intent::Snow }])
}

/// Takes the verb before a wish for a scene, if there is one; `None` where another verb stands.
fn wished(reader: &mut Reader<'_>) -> Option<Option<Verb>> {
    reader.skip_fillers();
    let Some(verb) = reader.look(0, as_verb) else { return Some(None) };
    let first = reader.peek()?.senses.first()?;
    if !matches!(first, Sense::Verb(_)) {
        return Some(None);
    }
    let text = reader.peek()?.text.as_str();
    let adds = ["add", "also add", "insert"].contains(&text);
    let makes = matches!(
        verb,
        Verb::Create | Verb::Make | Verb::Frame | Verb::Look | Verb::Paint | Verb::Set | Verb::Turn
    );
    if adds || !makes {
        return None;
    }
    reader.skip();
    reader.skip_fillers();
    // "turn this into a beach", "make it look like a forest".
    let start = reader.at;
    let whole = reader.any_glue(&[Glue::It, Glue::This, Glue::Everything]).is_some()
        || (reader.glue(Glue::The) && reader.take(as_whole).is_some());
    let becomes = whole && reader.any_glue(&[Glue::Into, Glue::LookLike, Glue::To]).is_some();
    if becomes {
        reader.skip_fillers();
        let _ = reader.peek().is_some_and(|token| token.text == "like") && {
            reader.skip();
            true
        };
    } else {
        reader.at = start;
        if matches!(verb, Verb::Turn | Verb::Set) && text != "set up" {
            return None;
        }
    }
    Some(Some(verb))
}

fn as_whole(sense: &Sense) -> Option<()> {
    matches!(sense, Sense::Noun(Noun::Scene)).then_some(())
}

/// "a cosy living room with ...", "a picture of a forest at night".
fn themed(reader: &mut Reader<'_>, verb: Option<Verb>) -> Option<Staging> {
    let mut staging = Staging::default();
    named(reader, verb, &mut staging)?;
    tails(reader, &mut staging)?;
    Some(staging)
}

/// The determiner, what describes the scene, and its name.
fn named(reader: &mut Reader<'_>, verb: Option<Verb>, staging: &mut Staging) -> Option<()> {
    loop {
        reader.skip_fillers();
        if reader.glue(Glue::The) {
            // "the room" is one that is there; "build the solar system" wishes for it.
            if verb != Some(Verb::Create) {
                return None;
            }
            continue;
        }
        if reader.any_glue(&[Glue::A, Glue::Another, Glue::Possessive]).is_some() {
            continue;
        }
        if let Some((name, length)) = name_here(reader) {
            staging.theme = name;
            reader.at += length;
            break;
        }
        let token = reader.peek()?;
        if is_scene_word(token) && reader.ahead(1).is_some_and(joins_name) {
            reader.at += 2;
            continue;
        }
        describe(token, staging)?;
        reader.skip();
    }
    while reader.peek().is_some_and(is_scene_word) {
        reader.skip();
    }
    // "a kitchen table", "a street lamp" are things.
    let unknown = |token: &Token| token.senses.is_empty() && token.text != "for";
    let compound = reader.look(0, as_noun).is_some() || reader.peek().is_some_and(unknown);
    (!compound).then_some(())
}

fn joins_name(token: &Token) -> bool {
    let joins = |sense: &Sense| matches!(sense, Sense::Glue(Glue::Of | Glue::With | Glue::In));
    token.senses.iter().any(joins)
}

fn is_scene_word(token: &Token) -> bool {
    SCENE_WORDS.contains(&token.text.as_str())
}

/// The theme whose name starts here, the longest, and how many tokens it takes.
fn name_here(reader: &Reader<'_>) -> Option<(&'static str, usize)> {
    (1..=LONGEST_NAME).rev().find_map(|length| {
        let tokens = reader.rest().get(..length)?;
        let words: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
        let mistyped = tokens.iter().any(|token| token.senses.is_empty());
        let words = words.join(" ");
        let theme = catalogue()
            .theme(&words)
            .or_else(|| mistyped.then(|| mistyped_theme(&words)).flatten())?;
        Some((theme.name(), length))
    })
}

/// The theme whose name of six letters or more is these words but for one letter.
fn mistyped_theme(words: &str) -> Option<&'static Theme> {
    let near = |name: &String| name.len() > 5 && is_one_slip(name, words);
    catalogue().themes().iter().find(|theme| theme.names().iter().any(near))
}

/// Takes a word that describes a scene; none for one that cannot.
fn describe(token: &Token, staging: &mut Staging) -> Option<()> {
    if let Some(adjective) = catalogue().adjective(&token.text) {
        staging.adjectives.push(adjective.to_owned());
        return Some(());
    }
    let harmless = |sense: &Sense| {
        matches!(
            sense,
            Sense::Size(_)
                | Sense::Tone(_)
                | Sense::Mood(_)
                | Sense::Setup(_)
                | Sense::Filler
                | Sense::Comma
        )
    };
    let looks =
        |sense: &Sense| matches!(sense, Sense::Colour(_) | Sense::Finish(_) | Sense::Noun(_));
    let noun = token.senses.iter().any(|sense| matches!(sense, Sense::Noun(_)));
    if token.senses.iter().any(harmless) {
        return Some(());
    }
    if !token.senses.is_empty() && !token.senses.iter().any(looks) {
        return None;
    }
    if noun && staging.unknown.contains(&token.text) {
        return None;
    }
    staging.unknown.push(token.text.clone());
    (staging.unknown.len() <= MOST_UNKNOWN).then_some(())
}

/// What follows the name, in any order: times of day, what is in it, what is not. None where words
/// follow that mean something else: "a forest behind the house", "space the boxes".
fn tails(reader: &mut Reader<'_>, staging: &mut Staging) -> Option<()> {
    while !reader.clause_ends() {
        let start = reader.at;
        reader.skip_fillers();
        let taken = circumstance(reader, staging)
            || for_whom(reader)
            || list(reader, staging)
            || without(reader, staging)
            || afterthought(reader, staging);
        if !taken {
            reader.at = start;
            if let Some(token) = reader.peek() {
                let of_scene = |sense: &Sense| {
                    matches!(sense, Sense::Comma | Sense::Filler | Sense::Noun(Noun::Later(_)))
                };
                let strange = !token.senses.iter().all(of_scene);
                if strange || staging.unknown.len() >= 2 * MOST_UNKNOWN {
                    return None;
                }
                if !token.senses.contains(&Sense::Comma) {
                    staging.unknown.push(token.text.clone());
                }
                reader.skip();
            }
        }
    }
    Some(())
}

/// "at night", "in the winter", "on a sunny day", "during a storm".
fn circumstance(reader: &mut Reader<'_>, staging: &mut Staging) -> bool {
    let preposition = |token: &Token| {
        ["at", "in", "during", "on", "by", "under", "around", "into"].contains(&token.text.as_str())
    };
    if !reader.peek().is_some_and(preposition) {
        return false;
    }
    let start = reader.at;
    reader.skip();
    let before = staging.adjectives.len();
    for _ in 0..4 {
        reader.skip_fillers();
        let _ = reader.any_glue(&[Glue::A, Glue::The]);
        let Some(token) = reader.peek() else { break };
        if let Some(adjective) = catalogue().adjective(&token.text) {
            staging.adjectives.push(adjective.to_owned());
            reader.skip();
        } else if let Some(mood) = reader.look(0, as_mood) {
            staging.adjectives.extend(adjective_of(mood).map(str::to_owned));
            reader.skip();
        } else if is_time_word(token) && staging.adjectives.len() > before {
            reader.skip();
        } else {
            break;
        }
    }
    if staging.adjectives.len() == before {
        reader.at = start;
    }
    staging.adjectives.len() > before
}

/// "for kids", "for one person", "for a birthday": nothing that is to be in it.
fn for_whom(reader: &mut Reader<'_>) -> bool {
    const LONGEST: usize = 4;
    if reader.peek().is_none_or(|token| token.text != "for") {
        return false;
    }
    let start = reader.at;
    reader.skip();
    let shown =
        phrase_with(&mut reader.clone(), Tail::BARE).is_some_and(|phrase| match phrase.head {
            Some(Noun::Assembly(assembly)) => assembly.0 != "person",
            head => matches!(head, Some(Noun::Shape(_))),
        });
    let goes_on = |token: &Token| !joins_name(token) && !token.senses.contains(&Sense::Comma);
    let mut taken = 0;
    while !shown && taken < LONGEST && !reader.clause_ends() && reader.peek().is_some_and(goes_on) {
        reader.skip();
        taken += 1;
    }
    if taken == 0 {
        reader.at = start;
    }
    taken > 0
}

/// The adjective that goes with a time of day, if there is one.
fn adjective_of(mood: Mood) -> Option<&'static str> {
    match mood {
        Mood::Sunset => Some("sunset"),
        Mood::Night => Some("night"),
        Mood::Dark => Some("dark"),
        Mood::Day => Some("bright"),
        Mood::Studio | Mood::Overcast | Mood::Space | Mood::Nothing => None,
    }
}

fn is_time_word(token: &Token) -> bool {
    ["day", "light", "time", "weather", "season", "style", "sky", "evening", "morning", "lighting"]
        .contains(&token.text.as_str())
}

/// "with a red sofa and two lamps", "of a bottle", ", a tent and a campfire".
fn list(reader: &mut Reader<'_>, staging: &mut Staging) -> bool {
    let start = reader.at;
    if reader.glue(Glue::Of) {
        let subject = phrase_with(reader, Tail::FULL).filter(is_thing);
        // "a forest of 12 trees" has them, "a portrait of a cat" presents it.
        match subject {
            Some(phrase) if phrase.plural => staging.with.push(phrase),
            Some(phrase) => staging.subject = Some(phrase),
            None => reader.at = start,
        }
        return reader.at > start;
    }
    let introduces = reader.any_glue(&[Glue::With, Glue::And]).is_some()
        || reader.take(|sense| (*sense == Sense::Comma).then_some(())).is_some()
        || reader.peek().is_some_and(|token| {
            ["containing", "including", "for", "where", "and there"].contains(&token.text.as_str())
        }) && {
            reader.skip();
            true
        };
    if !introduces {
        return false;
    }
    let mut found = false;
    loop {
        let start = reader.at;
        reader.skip_fillers();
        let phrase = phrase_with(reader, Tail::FULL).filter(is_thing);
        match phrase {
            Some(phrase) => {
                staging.with.push(phrase);
                found = true;
            }
            None => {
                reader.at = start;
                return found;
            }
        }
        let joint = reader.at;
        if reader.clause_ends() || !reader.take_joint() {
            return true;
        }
        // "..., at night": not another thing.
        if phrase_with(&mut reader.clone(), Tail::BARE).is_none_or(|next| !is_thing(&next)) {
            reader.at = joint;
            return true;
        }
    }
}

fn is_thing(phrase: &Phrase) -> bool {
    phrase.head.is_some() || phrase.pattern.is_some()
}

/// "without people", "no cars".
fn without(reader: &mut Reader<'_>, staging: &mut Staging) -> bool {
    if !reader.glue(Glue::Without) {
        return false;
    }
    while let Some(phrase) = phrase_with(reader, Tail::BARE).filter(is_thing) {
        staging.without.push(phrase);
        if reader.clause_ends() || !reader.take_joint() {
            break;
        }
    }
    true
}

/// ", cosy and warm".
fn afterthought(reader: &mut Reader<'_>, staging: &mut Staging) -> bool {
    let _ = reader.take_joint();
    let Some(token) = reader.peek() else { return false };
    match catalogue().adjective(&token.text) {
        Some(adjective) => {
            staging.adjectives.push(adjective.to_owned());
            reader.skip();
            true
        }
        None => false,
    }
}

/// "a cabin in the woods", "two chairs on a beach": things first, then the scene they are in.
fn things_in_a_scene(reader: &mut Reader<'_>, verb: Option<Verb>) -> Option<Staging> {
    let start = reader.at;
    let end = (1..12).find(|steps| {
        let within = |sense: &Sense| {
            matches!(
                sense,
                Sense::Glue(Glue::In | Glue::MadeOf | Glue::At)
                    | Sense::Relation(Relation::On | Relation::Inside)
            )
        };
        let here = reader.ahead(*steps).is_some_and(|token| token.senses.iter().any(within));
        here && {
            let mut probe = reader.clone();
            probe.at += steps + 1;
            let mut scene = Staging::default();
            let _ = probe.glue(Glue::The);
            named(&mut probe, verb, &mut scene).is_some() && scene.unknown.is_empty()
        }
    })?;
    let things = reader.only(end);
    let mut within = Reader::new(things);
    let made = creations(&mut within).filter(|_| within.peek().is_none())?;
    let [Intent::Create(phrases)] = made.as_slice() else { return None };
    let known = |phrase: &Phrase| {
        matches!(phrase.determiner, Determiner::The)
            || phrase.places.iter().any(|place| !matches!(place, Place::Relative { .. }))
    };
    if phrases.iter().any(known) {
        return None;
    }
    reader.at = start + end + 1;
    let known = reader.glue(Glue::The);
    let mut staging = Staging { with: phrases.clone(), known, ..Staging::default() };
    named(reader, verb, &mut staging)?;
    tails(reader, &mut staging)?;
    Some(staging)
}

/// "a lighthouse at night": when it is in what is to be made.
pub(in crate::language) fn with_mood(
    reader: &mut Reader<'_>,
    mut intents: Vec<Intent>,
) -> Vec<Intent> {
    let buildable = |phrase: &Phrase| !matches!(phrase.head, Some(Noun::Later(_)));
    let new = |intent: &Intent| match intent {
        Intent::Create(phrases) => phrases.iter().all(buildable),
        other => *other == Intent::Snow,
    };
    if reader.clause_ends() || !intents.iter().all(new) {
        return intents;
    }
    let mut ahead = reader.clone();
    let _ = ahead.take_joint();
    let _ = ahead.any_glue(&[Glue::At, Glue::In, Glue::MadeOf]);
    let _ = ahead.glue(Glue::The);
    if let Some(mood) = ahead.take(as_mood).filter(|_| ahead.clause_ends()) {
        intents.push(Intent::Surround { mood: Some(mood), colour: None });
        reader.at = ahead.at;
    }
    intents
}
