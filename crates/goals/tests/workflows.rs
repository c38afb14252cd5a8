//! Workflows with parameters.

use std::collections::BTreeMap;

use goals::{Workflow, Workflows};

use super::*;

const TEXT: &str = r#"
name = "shot"
description = "A shot of {thing}."
triggers = ["product shot", "photo|picture product"]
criteria = ["{count} ~{thing}"]

[parameters.thing]
description = "what is shown"
type = "text"
default = "vase"

[parameters.count]
description = "how many"
type = "integer"
default = "1"
min = 1
max = 9

[[task]]
id = "place"
description = "Put {count} {thing} on the ground."
otherwise = "a {thing}"
criteria = ["{count} ~{thing}"]
"#;

fn values(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
}

#[test]
fn parameters_are_filled_in_everywhere() {
    let workflow = Workflow::parse("shot.toml", TEXT).unwrap();
    let filled = workflow.filled(&values(&[("thing", "bottle"), ("count", "3")])).unwrap();
    assert_eq!(filled.criteria, ["3 ~bottle"]);
    assert_eq!(filled.tasks[0].description, "Put 3 bottle on the ground.");
    assert_eq!(filled.tasks[0].otherwise.as_deref(), Some("a bottle"));
    assert_eq!(workflow.filled(&values(&[])).unwrap().tasks[0].criteria, ["1 ~vase"]);
}

#[test]
fn values_that_do_not_fit_are_refused_with_what_would() {
    let workflow = Workflow::parse("shot.toml", TEXT).unwrap();
    for (name, value, words) in [
        ("count", "ten", "a whole number from 1 to 9, got 'ten'"),
        ("count", "10", "from 1 to 9"),
        ("thing", "", "1 to 200 characters"),
        ("thing", "a [note]", "without brackets"),
        ("colour", "red", "no parameter 'colour'; it has: count, thing"),
    ] {
        let error = workflow.filled(&values(&[(name, value)])).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn a_file_that_cannot_be_used_is_refused_with_the_reason() {
    for (from, to, words) in [
        ("[[task]]", "[[tusk]]", "unknown field `tusk`"),
        ("{count} {thing} on", "{number} {thing} on", "'{number}' is no parameter"),
        ("default = \"1\"", "default = \"none\"", "'count' must be a whole number"),
    ] {
        let error = Workflow::parse("shot.toml", &TEXT.replace(from, to)).unwrap_err().to_string();
        assert!(error.contains(words) && error.contains("shot.toml"), "{error}");
    }
}

#[test]
fn the_workflow_whose_trigger_says_most_serves_an_objective() {
    let mut workflows = Workflows::default();
    workflows.add(Workflow::parse("shot.toml", TEXT).unwrap());
    let room = TEXT.replace("\"shot\"", "\"room\"").replace("\"product shot\"", "\"product\"");
    workflows.add(Workflow::parse("room.toml", &room).unwrap());
    let named = |text: &str| workflows.fitting(text).map(|workflow| workflow.name.as_str());
    assert_eq!(named("A product shot, please."), Some("shot"));
    assert_eq!(named("one product"), Some("room"));
    assert_eq!(named("productive"), None);
    assert!(workflows.get("shoot").unwrap_err().to_string().contains("room, shot"));
}

#[test]
fn a_goal_follows_a_workflow() {
    let workflow = Workflow::parse("shot.toml", TEXT).unwrap().filled(&values(&[])).unwrap();
    let mut goal = goal(&["lit"], &[]);
    goal.follow(&workflow, &Words::default()).unwrap();
    assert_eq!(goal.workflow.as_deref(), Some("shot"));
    assert_eq!(goal.criteria.len(), 2);
    assert_eq!(goal.plan.tasks().len(), 1);
}
