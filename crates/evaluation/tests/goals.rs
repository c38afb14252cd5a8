//! The goals of this repository can be parsed, and their number is as expected.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::Path;

use evaluation::{Goal, goals};

fn of_repository(folder: &str) -> Vec<Goal> {
    goals(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evals").join(folder)).unwrap()
}

#[test]
fn there_are_goals_for_any_model() {
    let goals = of_repository("goals");
    assert!(goals.len() >= 60, "{}", goals.len());
    assert!(goals.iter().any(|goal| goal.dialogue.len() >= 3));
}

#[test]
fn the_corpus_has_requests_and_dialogues() {
    let goals = of_repository("offline");
    let dialogues = goals.iter().filter(|goal| goal.dialogue.len() >= 3).count();
    assert!(goals.len() >= 600 && dialogues >= 150, "{} goals, {dialogues} dialogues", goals.len());
}
