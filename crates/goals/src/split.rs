//! A plan from the text of a goal, for models that make none: its sentences one after the other.

use crate::plan::{MAX_TASKS, WantedTask};

/// The sentences of `text` as tasks, each after the one before.
pub fn tasks_of_text(text: &str) -> Vec<WantedTask> {
    let mut tasks: Vec<WantedTask> = Vec::new();
    for (index, sentence) in sentences(text).into_iter().enumerate() {
        let before = tasks.last().map(|task| task.id.clone());
        tasks.push(WantedTask {
            id: format!("step_{}", index + 1),
            description: sentence,
            depends_on: before.into_iter().collect(),
            ..WantedTask::default()
        });
    }
    tasks
}

/// Sentences, and the parts of a sentence that "then" puts one after the other.
fn sentences(text: &str) -> Vec<String> {
    let mut sentences: Vec<String> = Vec::new();
    for line in text.lines() {
        let mut rest = line;
        while let Some(end) = end_of_sentence(rest) {
            add(&mut sentences, &rest[..end.0]);
            rest = &rest[end.1..];
        }
        add(&mut sentences, rest);
    }
    if sentences.len() > MAX_TASKS {
        let last = sentences.split_off(MAX_TASKS - 1).join(". ");
        sentences.push(last);
    }
    sentences
}

/// Where the first sentence ends, and where the next one begins.
fn end_of_sentence(text: &str) -> Option<(usize, usize)> {
    let marks = [". ", "; ", "! ", ", then ", ", and then ", " and then "];
    let found = |mark: &str| text.find(mark).map(|at| (at, at + mark.len()));
    marks.into_iter().filter_map(found).min_by_key(|(at, next)| (*at, usize::MAX - next))
}

fn add(sentences: &mut Vec<String>, text: &str) {
    let sentence = text.trim().trim_end_matches(['.', ';', '!']).trim();
    if !sentence.is_empty() {
        sentences.push(sentence.to_owned());
    }
}
