//! What this model says.

mod describe;
mod object;
mod summary;

use crate::plan::{Call, Saying};

pub(crate) use describe::{
    article, describe_contents, describe_object, describe_sky, describe_thing, list, metres, point,
};
pub(crate) use summary::{Outcome, summary};

/// What this model can do, and what not.
pub(crate) fn help() -> String {
    let objects: Vec<String> = catalogue::catalogue().names().map(str::to_owned).collect();
    format!(
        "I am the built-in model: I understand plain requests in English. I can make spheres, boxes, \
         cylinders, cones, discs, rings, capsules, ellipsoids, triangles, floors and walls, one or \
         many of them in rows, circles, grids, towers, pyramids, stairs, spirals or scattered \
         (“three small green boxes to the left of it”), and objects: {}. Lights (“a soft light above \
         it”, “three-point lighting”, “candle light”), skies (“sunset”, “dark background”) and the \
         camera (“from above”, “a close-up of the red sphere with a blurred background”). I can \
         recolour, resize, move, turn, align, mirror, group, rename, copy, replace and remove things, \
         make them of any material by name (gold, frosted glass, velvet, oak, ...), undo what I did, \
         and tell you what is in the scene. For anything that needs more understanding, set up a key \
         for a bigger model.",
        joined(&objects, "and")
    )
}

/// The start of every question this model asks; the clause it is about stands in the quotes.
const QUESTION_OPENING: &str = "To “";
const QUESTION_MIDDLE: &str = "”, which ";

/// The clause that `text`, an earlier answer of this model, asked about.
pub(crate) fn question_in(text: &str) -> Option<String> {
    let (_, rest) = text.rsplit_once(QUESTION_OPENING)?;
    let (clause, _) = rest.split_once(QUESTION_MIDDLE)?;
    Some(clause.to_owned())
}

/// What to try instead of what was not understood.
const HINT: &str = "I can create, recolour, resize, move, turn and remove shapes and lights, set the \
sky and the camera, and say what is in the scene; try “make the sphere blue” or “add a box next to it”.";

/// What to wish for instead of what cannot be built.
pub(crate) const BUILDABLE: &str = "I can build shapes, patterns of them, and objects such as a \
table, a chair, a house, a tree, a car or a snowman; “what can you make” lists them all.";

/// One sentence or two for each thing there is to say.
pub(crate) fn say(sayings: &[Saying]) -> Vec<String> {
    let mut told: Vec<&Saying> = Vec::new();
    for saying in sayings {
        if !told.contains(&saying) {
            told.push(saying);
        }
    }
    let mut sentences: Vec<String> = told
        .into_iter()
        .map(|saying| match saying {
            Saying::Answer(text)
            | Saying::Courtesy(text)
            | Saying::Remark(text)
            | Saying::Refused(text) => text.clone(),
            Saying::Unclear { clause, words } => unclear(clause, words),
            Saying::Question { clause, words, candidates } => question(clause, words, candidates),
        })
        .collect();
    let helped = sentences.iter().any(|sentence| *sentence == help());
    if !helped && sayings.iter().any(|saying| matches!(saying, Saying::Unclear { .. })) {
        sentences.push(HINT.to_owned());
    }
    // What can be built is told once, after the last thing that cannot.
    let last = sentences.iter().rposition(|sentence| sentence.ends_with(BUILDABLE));
    for sentence in &mut sentences[..last.unwrap_or(0)] {
        if let Some(first) = sentence.strip_suffix(BUILDABLE) {
            *sentence = first.trim_end().to_owned();
        }
    }
    sentences
}

fn unclear(clause: &str, words: &[String]) -> String {
    let quoted: Vec<String> =
        words.iter().take(6).map(|word| format!("“{}”", cut(word, 60))).collect();
    let clause = cut(clause, 120);
    let whole = words.len() == 1 && words.iter().all(|word| word.eq_ignore_ascii_case(&clause));
    let part = if whole { String::new() } else { format!(" in “{clause}”") };
    format!("I did not understand {}{part}, so I changed nothing for that.", quoted.join(", "))
}

fn question(clause: &str, words: &str, candidates: &[String]) -> String {
    const MOST: usize = 8;
    let choice = if candidates.len() > MOST {
        format!(
            "there are {}, from {} to {}. Say for example “the leftmost” or “all of them”",
            candidates.len(),
            candidates.first().map_or("", String::as_str),
            candidates.last().map_or("", String::as_str)
        )
    } else {
        joined(candidates, "or")
    };
    let clause = clause.trim_end_matches(['.', '!', '?']);
    format!("{QUESTION_OPENING}{clause}{QUESTION_MIDDLE}“{words}” do you mean: {choice}?")
}

/// What the next calls will do, before they are made.
pub(crate) fn announcement(calls: &[Call]) -> String {
    let ids = |prefix: &str| -> Vec<String> {
        let named = calls.iter().filter(|call| call.name.starts_with(prefix));
        named.filter_map(Call::id).map(str::to_owned).collect()
    };
    let mut steps = Vec::new();
    for (verb, prefix) in [("remove", "remove_"), ("change", "update_"), ("make", "create_")] {
        let ids = ids(prefix);
        if !ids.is_empty() {
            steps.push(format!("{verb} {}", list(&ids)));
        }
    }
    if calls.iter().any(|call| call.name == "set_environment_lighting") {
        steps.push("set the surroundings".to_owned());
    }
    if calls.iter().any(|call| call.name == "set_camera") {
        steps.push("set the camera".to_owned());
    }
    format!("I'll {}.", joined(&steps, "and"))
}

/// "a, b and c".
pub(crate) fn joined(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [start @ .., last] => format!("{} {word} {last}", start.join(", ")),
    }
}

/// At most `most` characters, with an ellipsis when there is more.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
