//! Plans as graphs of tasks.

use goals::{GoalError, Source, Step, TaskEnd, TaskStatus};
use proptest::prelude::*;

use super::*;

fn refused(tasks: &[WantedTask]) -> String {
    let mut goal = goal(&[], &[]);
    let before = goal.clone();
    let error = goal.set_plan(tasks, &[], Source::Model, "", &Words::default()).unwrap_err();
    assert_eq!(goal, before, "a refused plan changes nothing");
    error.to_string()
}

#[test]
fn a_cyclic_plan_is_refused_and_the_circle_is_named() {
    let tasks = [task("a", &["c"]), task("b", &["a"]), task("c", &["b"]), task("d", &["a"])];
    let error = refused(&tasks);
    assert!(error.contains("a -> c -> b -> a"), "{error}");
    assert!(refused(&[task("a", &["a"])]).contains("a -> a"));
}

#[test]
fn a_dangling_dependency_is_refused_and_named() {
    let error = refused(&[task("a", &[]), task("b", &["walls"])]);
    assert!(error.contains("'b' depends on 'walls'") && error.contains("a, b"), "{error}");
}

#[test]
fn what_else_is_wrong_with_a_plan_is_told() {
    for (tasks, words) in [
        (vec![], "no task"),
        (vec![task("a", &[]), task("a", &[])], "two tasks 'a'"),
        (vec![task("a b", &[])], "'a b' cannot be used"),
        (vec![WantedTask { description: " ".into(), ..task("a", &[]) }], "description of task 'a'"),
        (vec![with_criterion("a", "4 what?")], "task 'a': '4 what?' cannot be read"),
        ((0..61).map(|n| task(&format!("t{n}"), &[])).collect(), "at most 60"),
    ] {
        let error = refused(&tasks);
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn only_tasks_whose_dependencies_are_done_are_ready() {
    let mut goal = goal(&[], &[task("c", &["a", "b"]), task("b", &["a"]), task("a", &[])]);
    for id in ["a", "b", "c"] {
        let ready: Vec<&str> = goal.plan.ready().map(|task| task.id.as_str()).collect();
        assert_eq!(ready, [id]);
        assert_eq!(goal.next_step(true), Step::Act(id.into()));
        assert!(goal.start_task("c", 1).is_some() == (id == "c"));
        if id != "c" {
            goal.start_task(id, 1).unwrap();
        }
        goal.task_ended(id, TaskEnd::default(), true);
    }
    assert_eq!(goal.next_step(true), Step::Judge);
}

#[test]
fn a_new_plan_keeps_what_is_done_and_repeats_nothing() {
    let mut goal = goal(&[], &[task("a", &[]), task("b", &["a"]), task("c", &["b"])]);
    goal.start_task("a", 1).unwrap();
    goal.task_ended("a", TaskEnd::default(), true);
    let tasks = [task("a", &[]), task("x", &["a"])];
    goal.set_plan(&tasks, &[], Source::Model, "better", &Words::default()).unwrap();
    let told: Vec<_> = goal.plan.tasks().iter().map(|t| (t.id.as_str(), t.status)).collect();
    assert_eq!(told, [("a", TaskStatus::Completed), ("x", TaskStatus::Pending)]);
}

#[test]
fn a_new_plan_weakens_no_criterion() {
    let words = Words::default();
    let mut goal = goal(&["2 desks"], &[with_criterion("a", "1 desk")]);
    let tasks = [task("a", &[])];
    goal.set_plan(&tasks, &["1 lamp".into()], Source::Model, "", &words).unwrap();
    let texts: Vec<&str> = goal.criteria.iter().map(|c| c.text.as_str()).collect();
    assert_eq!(texts, ["2 desks", "1 lamp"]);
    assert_eq!(goal.plan.task("a").unwrap().criteria[0].text, "1 desk");
    let error = goal.set_plan(&tasks, &["what?".into()], Source::Model, "", &words).unwrap_err();
    assert!(matches!(error, GoalError::Criterion(_)), "{error}");
}

#[test]
fn what_depends_on_a_task_that_was_given_up_is_blocked() {
    let mut goal =
        goal(&[], &[task("a", &[]), task("b", &["a"]), task("c", &["b"]), task("d", &[])]);
    for _ in 0..3 {
        goal.start_task("a", 1).unwrap();
        let end = TaskEnd { broke_off: Some("no".into()), ..TaskEnd::default() };
        goal.task_ended("a", end, false);
    }
    let told: Vec<_> = goal.plan.tasks().iter().map(|task| task.status).collect();
    use TaskStatus::{Blocked, Failed, Pending};
    assert_eq!(told, [Failed, Blocked, Blocked, Pending]);
    assert_eq!(goal.next_step(false), Step::Act("d".into()));
}

/// Names that plans of models have, and worse ones.
const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "a b", "", "\u{202e}x"];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// A plan is refused in words and changes nothing, or all its tasks can be done, one after the other.
    #[test]
    fn any_plan_is_refused_or_can_be_done_to_its_end(
        plan in prop::collection::vec((0..NAMES.len(), prop::collection::vec(0..NAMES.len(), 0..3)), 0..7),
    ) {
        let tasks: Vec<WantedTask> = plan
            .iter()
            .map(|(name, needs)| task(NAMES[*name], &needs.iter().map(|at| NAMES[*at]).collect::<Vec<_>>()))
            .collect();
        let mut goal = goal(&[], &[]);
        let before = goal.clone();
        if let Err(error) = goal.set_plan(&tasks, &[], Source::Model, "", &Words::default()) {
            prop_assert_eq!(&goal, &before);
            prop_assert!(!error.to_string().is_empty());
            return Ok(());
        }
        for done in 0..tasks.len() {
            let ready = goal.plan.ready().next().map(|task| task.id.clone());
            let Some(id) = ready else { panic!("{done} of {} tasks are done, none is ready", tasks.len()) };
            goal.start_task(&id, 1);
            goal.task_ended(&id, TaskEnd::default(), true);
        }
        prop_assert_eq!(goal.plan.count(TaskStatus::Completed), tasks.len());
    }
}
