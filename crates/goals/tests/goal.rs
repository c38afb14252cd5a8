//! What the user does to a goal.

use goals::{Budget, GoalChange, GoalEdit, GoalError, GoalStatus, Step, TaskEnd, TaskStatus};

use super::*;

#[test]
fn a_paused_goal_waits_and_goes_on_where_it_was() {
    let mut goal = goal(&["x"], &[task("a", &[])]);
    goal.pause(None).unwrap();
    assert_eq!(goal.next_step(true), Step::Wait);
    assert!(matches!(goal.pause(None), Err(GoalError::Status { status: "paused", .. })));
    goal.resume().unwrap();
    assert_eq!(goal.next_step(true), Step::Act("a".into()));
}

#[test]
fn a_cancelled_goal_is_over() {
    let mut goal = goal(&["x"], &[task("a", &[])]);
    goal.start_task("a", 1).unwrap();
    goal.cancel().unwrap();
    assert_eq!(goal.status, GoalStatus::Cancelled);
    assert_eq!(goal.next_step(true), Step::Wait);
    assert!(goal.resume().is_err() && goal.cancel().is_err());
}

#[test]
fn a_goal_out_of_budget_goes_on_with_a_larger_one() {
    let mut goal = goal(&["x"], &[task("a", &[])]);
    goal.budget.turns = Some(3);
    goal.used.turns = 3;
    let Step::End(reason) = goal.next_step(true) else { panic!() };
    goal.end_for(reason);
    let error = goal.resume().unwrap_err().to_string();
    assert!(error.contains("larger budget"), "{error}");
    let budget = Some(Budget { turns: Some(9), ..goal.budget });
    goal.edit(&GoalEdit { budget, ..GoalEdit::default() }, &Words::default()).unwrap();
    goal.resume().unwrap();
    assert_eq!(goal.next_step(true), Step::Act("a".into()));
}

#[test]
fn only_the_user_takes_criteria_back_and_an_edit_is_all_or_nothing() {
    let words = Words::default();
    let mut goal = goal(&["x", "y"], &[task("a", &[]), task("b", &[])]);
    goal.judged(&verdicts(&goal, &words), true);
    let before = goal.clone();
    let edit = GoalEdit {
        criteria: Some(vec!["y".into(), "z".into()]),
        skip: vec!["nothing".into()],
        ..GoalEdit::default()
    };
    assert_eq!(goal.edit(&edit, &words), Err(GoalError::UnknownTask("nothing".into())));
    assert_eq!(goal, before);
    goal.edit(&GoalEdit { skip: vec!["a".into()], ..edit }, &words).unwrap();
    let told: Vec<_> = goal.criteria.iter().map(|c| (c.text.as_str(), c.met)).collect();
    assert_eq!(told, [("y", Some(false)), ("z", None)]);
    assert_eq!(goal.plan.task("a").unwrap().status, TaskStatus::Skipped);
}

#[test]
fn work_goes_on_with_the_answer_to_a_question() {
    let mut goal = goal(&[], &[task("a", &[])]);
    goal.start_task("a", 1).unwrap();
    goal.ask("Which colour?", Some("a".into())).unwrap();
    assert_eq!(goal.next_step(true), Step::Wait);
    assert_eq!(goal.answer("red"), Some(GoalChange::Answered { answer: "red".into() }));
    assert_eq!(goal.answer("blue"), None);
    goal.start_task("a", 1).unwrap();
    assert_eq!(goal.plan.task("a").unwrap().attempts, 1);
    assert!(goal.task_message("a").unwrap().ends_with("\nred"));
}

#[test]
fn a_goal_is_completed_when_all_criteria_hold_also_if_a_task_failed() {
    let words = Words::holding(&["x"]);
    let mut goal = goal(&["x"], &[task("a", &[])]);
    for _ in 0..3 {
        goal.start_task("a", 1).unwrap();
        let end = TaskEnd { broke_off: Some("no".into()), ..TaskEnd::default() };
        goal.task_ended("a", end, false);
    }
    goal.judged(&verdicts(&goal, &words), false);
    assert_eq!(goal.status, GoalStatus::Completed);
}

#[test]
fn a_goal_that_cannot_be_set_is_refused_with_the_reason() {
    let new = |objective: &str, criteria: &[&str], budget| {
        let criteria = criteria.iter().map(ToString::to_string).collect();
        let wanted =
            NewGoal { objective: objective.into(), criteria, budget, ..NewGoal::default() };
        Goal::new(wanted, &Words::default()).unwrap_err().to_string()
    };
    assert!(new(" ", &[], None).contains("'objective'"));
    assert!(new("x", &["4 what?"], None).contains("'4 what?' cannot be read"));
    let budget = Budget { tokens: Some(0), ..Budget::default() };
    assert!(new("x", &[], Some(budget)).contains("'tokens' must be at least 1"));
}

#[test]
fn a_goal_is_read_back_as_it_was_written() {
    let mut goal = goal(&["x"], &[task("a", &[]), task("b", &["a"])]);
    goal.start_task("a", 3).unwrap();
    goal.ask("Why?", Some("a".into())).unwrap();
    let text = serde_json::to_string(&goal).unwrap();
    assert_eq!(serde_json::from_str::<Goal>(&text).unwrap(), goal);
}
