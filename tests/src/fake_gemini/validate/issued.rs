//! Answers must come back as they were given.
//!
//! The real API checks its signatures by cryptography; here the answers are remembered instead,
//! which also finds parts that were merged, dropped or reworded.

use serde_json::Value;

use super::common::list;

/// The documented signature for calls of other models.
const SKIP_VALIDATION: &str = "skip_thought_signature_validator";

/// An answer that was given.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Issued {
    pub(in super::super) parts: Vec<Value>,
    /// Whether it was given to its end. If not, the client may keep some of its parts and add a
    /// note, or nothing of it.
    pub(in super::super) whole: bool,
    /// Whether its reader may have kept only the beginning of it all the same.
    pub(in super::super) reader_may_have_died: bool,
}

pub(super) fn check(
    body: &Value,
    issued: &[Issued],
    foreign_answers: bool,
    errors: &mut Vec<String>,
) {
    let mut rest = issued;
    for (index, content) in list(body, "contents").iter().enumerate() {
        if content["role"] != "model" {
            continue;
        }
        let parts: Vec<Value> = list(content, "parts").iter().map(without_skip).collect();
        let came_from = rest.iter().position(|answer| {
            if answer.reader_may_have_died {
                // A note alone belongs to no answer: it must not use one up.
                is_same_start(&parts, &answer.parts) && is_abridged(&parts, &answer.parts, issued)
            } else if answer.whole {
                same(&parts, &answer.parts)
            } else {
                is_abridged(&parts, &answer.parts, issued)
            }
        });
        match came_from {
            Some(answer) => rest = &rest[answer + 1..],
            None if foreign_answers && !parts.iter().any(|part| is_traced(part, issued)) => {}
            None => errors.push(format!("contents[{index}]: {}", explain(&parts, issued))),
        }
    }
}

/// Without the stand-in for a signature: it may stand where none was given, nowhere else.
fn without_skip(part: &Value) -> Value {
    let mut part = part.clone();
    if part["thoughtSignature"] == SKIP_VALIDATION
        && let Value::Object(fields) = &mut part
    {
        fields.remove("thoughtSignature");
    }
    part
}

fn same(parts: &[Value], given: &[Value]) -> bool {
    parts.len() == given.len() && parts.iter().zip(given).all(|(part, given)| is_same(part, given))
}

fn is_same_start(parts: &[Value], given: &[Value]) -> bool {
    parts.first().zip(given.first()).is_some_and(|(part, given)| is_same(part, given))
}

/// A signature that came without data can go back only with some: an empty text.
fn is_same(part: &Value, given: &Value) -> bool {
    let is_bare = given.as_object().is_some_and(|fields| {
        fields.keys().all(|key| key == "thoughtSignature" || key == "thought")
    });
    if is_bare {
        let mut given = given.clone();
        given["text"] = "".into();
        return *part == given;
    }
    part == given
}

/// Some of the given parts in their order, then at most one text that nobody gave.
fn is_abridged(parts: &[Value], given: &[Value], issued: &[Issued]) -> bool {
    let mut rest = given.iter();
    let kept = parts.iter().take_while(|part| rest.any(|given| is_same(part, given))).count();
    match &parts[kept..] {
        [] => kept > 0,
        [note] => {
            let is_text = note.as_object().is_some_and(|fields| fields.len() == 1)
                && note["text"].is_string();
            let is_given =
                issued.iter().flat_map(|answer| &answer.parts).any(|given| is_same(note, given));
            is_text && !is_given
        }
        _ => false,
    }
}

/// Whether the part holds a signature or a call id of an answer given here.
fn is_traced(part: &Value, issued: &[Issued]) -> bool {
    issued.iter().flat_map(|answer| &answer.parts).any(|given| {
        let same_at = |pointer: &str| {
            given.pointer(pointer).is_some_and(|value| part.pointer(pointer) == Some(value))
        };
        same_at("/thoughtSignature") || same_at("/functionCall/id")
    })
}

fn explain(parts: &[Value], issued: &[Issued]) -> String {
    let unsigned = |part: &Value| {
        let mut part = part.clone();
        if let Value::Object(fields) = &mut part {
            fields.remove("thoughtSignature");
        }
        part
    };
    let plain: Vec<Value> = parts.iter().map(unsigned).collect();
    for answer in issued {
        if plain != answer.parts.iter().map(unsigned).collect::<Vec<_>>() {
            continue;
        }
        for (index, (part, given)) in parts.iter().zip(&answer.parts).enumerate() {
            if !is_same(part, given) {
                return format!(
                    "the thoughtSignature of part {index} was {}, not {}",
                    given["thoughtSignature"], part["thoughtSignature"]
                );
            }
        }
    }
    format!(
        "these parts are not those of an answer given here (merged, dropped, altered or out of \
         order): {}",
        Value::from(parts)
    )
}
