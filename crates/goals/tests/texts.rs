//! What a model reads, and plans from text.

use goals::{TaskEnd, tasks_of_text};

use super::*;

#[test]
fn a_text_becomes_one_task_a_sentence_in_order() {
    let tasks = tasks_of_text("A table. Put a vase on it, then add a lamp;\nframe everything.");
    let told: Vec<_> = tasks.iter().map(|t| (&*t.description, t.depends_on.len())).collect();
    let expected =
        [("A table", 0), ("Put a vase on it", 1), ("add a lamp", 1), ("frame everything", 1)];
    assert_eq!(told, expected);
    assert_eq!(tasks_of_text("make it 1.5 m wide").len(), 1);
    assert!(goal(&[], &tasks).plan.tasks().len() == 4);
}

#[test]
fn a_task_is_put_in_notes_and_one_plain_request() {
    let mut goal = goal(&["2 desks"], &[with_criterion("a", "1 desk"), task("b", &["a"])]);
    goal.start_task("a", 1).unwrap();
    let text = goal.task_message("a").unwrap();
    let plain: Vec<&str> = text.lines().filter(|line| !line.starts_with('[')).collect();
    assert_eq!(plain, ["do a"]);
    for words in ["'1 desk'", "'2 desks'", "0 of 2 tasks", "100 model calls"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn findings_go_back_with_the_next_attempt() {
    let mut goal = goal(&[], &[task("a", &[])]);
    goal.start_task("a", 1).unwrap();
    let end = TaskEnd { findings: vec!["the vase\nfloats".into()], ..TaskEnd::default() };
    goal.task_ended("a", end, true);
    goal.start_task("a", 1).unwrap();
    let text = goal.task_message("a").unwrap();
    assert!(text.contains("did not work: the vase floats]"), "{text}");
}
