//! The words of an answer: what was done, from the difference of the scenes; what was not understood,
//! in the user's words; questions last.

use std::collections::BTreeMap;

use scene::{Kind, Operation, Scene, diff};
use serde_json::Value;

use crate::plan::Remark;

/// The most names in one list.
const MAX_NAMES: usize = 6;

/// What was done and what there is to say.
pub(crate) fn answer(
    before: &Scene,
    after: &Scene,
    remarks: &[Remark],
    unread: &[String],
    understood: bool,
) -> String {
    let mut sentences = done(before, after);
    let acted = !sentences.is_empty();
    let mut questions = Vec::new();
    for remark in remarks {
        match remark {
            Remark::Answer(text) | Remark::Note(text) => sentences.push(text.clone()),
            Remark::Courtesy(text) if !acted => sentences.push(text.clone()),
            Remark::Courtesy(_) => {}
            Remark::Missing(..) | Remark::Unknown(_) | Remark::Refused(_) => {
                sentences.extend(trouble(remark));
            }
            Remark::Whom(words, _) => questions.push(format!("What do you mean by “{words}”?")),
            Remark::Which(words, ids, _) => {
                questions
                    .push(format!("Which one do you mean by “{words}”: {}?", listed(ids, "or")));
            }
            Remark::Question(text) => questions.push(text.clone()),
        }
    }
    if !unread.is_empty() {
        sentences.push(format!("I did not understand “{}”.", unread.join(" ")));
    }
    sentences.extend(questions);
    if sentences.is_empty() {
        sentences.push(match understood {
            true => "That is how it is already, so there was nothing to change.".to_owned(),
            false => "I did not understand that, so I changed nothing. Try for example “a red sphere on a wooden table”.".to_owned(),
        });
    }
    sentences.join(" ")
}

/// What went wrong, if a remark tells of that.
pub(crate) fn trouble(remark: &Remark) -> Option<String> {
    Some(match remark {
        Remark::Missing(words, _) => format!("I found no “{words}” in the scene."),
        Remark::Unknown(word) => format!("I don't know what “{word}” is, so I left it out."),
        Remark::Refused(text) => text.clone(),
        _ => return None,
    })
}

/// What is different, in sentences.
pub(crate) fn done(before: &Scene, after: &Scene) -> Vec<String> {
    let mut by_operation: BTreeMap<u8, Vec<String>> = BTreeMap::new();
    let (mut sky, mut camera) = (false, false);
    for change in diff(before, after) {
        let group = |value: &Option<Value>| {
            value.as_ref().and_then(|value| value["group"].as_str().map(str::to_owned))
        };
        let whole = group(&change.after).or(group(&change.before)).or(change.id.clone());
        let key = match (change.kind, change.operation) {
            (Kind::Environment, _) => {
                sky = true;
                continue;
            }
            (Kind::Camera, _) => {
                camera = true;
                continue;
            }
            (Kind::Group, _) => continue,
            (_, Operation::Create) => 0,
            (_, Operation::Update) => 1,
            (_, Operation::Remove) => 2,
        };
        let names = by_operation.entry(key).or_default();
        if let Some(name) = whole.filter(|name| !names.contains(name)) {
            names.push(name);
        }
    }
    let verbs = ["added", "changed", "removed"];
    let mut sentences: Vec<String> = by_operation
        .into_iter()
        .map(|(key, names)| {
            format!("I {} {}.", verbs[usize::from(key.min(2))], listed(&names, "and"))
        })
        .collect();
    if sky {
        sentences.push("I changed the light from all around.".to_owned());
    }
    if camera && sentences.is_empty() {
        sentences.push("I moved the camera.".to_owned());
    }
    sentences
}

fn listed(names: &[String], last: &str) -> String {
    let mut shown: Vec<String> = names.iter().take(MAX_NAMES).cloned().collect();
    if names.len() > MAX_NAMES {
        shown.push(format!("{} more", names.len() - MAX_NAMES));
    }
    match shown.split_last() {
        Some((end, rest)) if !rest.is_empty() => format!("{} {last} {end}", rest.join(", ")),
        _ => shown.join(""),
    }
}
