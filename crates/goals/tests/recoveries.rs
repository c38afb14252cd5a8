//! The order of recoveries, and how goals end.

use goals::{Budget, GoalChange, GoalStatus, Limit, Step, TaskEnd, TaskStatus, Used};

use super::*;

fn failing() -> TaskEnd {
    TaskEnd { broke_off: Some("the tool failed".into()), ..TaskEnd::default() }
}

/// One attempt of task `a` that fails; what follows.
fn attempt(goal: &mut Goal, can_plan: bool) -> String {
    goal.start_task("a", 1).unwrap();
    let changes = goal.task_ended("a", failing(), can_plan);
    let next = changes.iter().find_map(|change| match change {
        GoalChange::TaskFailed { next, .. } => Some(next.clone()),
        _ => None,
    });
    next.unwrap()
}

#[test]
fn a_failing_task_is_retried_tried_otherwise_planned_anew_asked_about_and_given_up() {
    let mut goal = goal(&[], &[task("a", &[])]);
    goal.may_ask = true;
    let words = Words::default();
    let mut told = Vec::new();
    for round in 0..4 {
        told.push(attempt(&mut goal, true));
        told.push(attempt(&mut goal, true));
        told.push(attempt(&mut goal, true));
        if round < 3 {
            assert_eq!(goal.next_step(true), Step::Plan { ask_model: true });
            goal.set_plan(&[task("a", &[])], &[], Source::Model, "", &words).unwrap();
        }
    }
    let cycle = ["it is tried again with what was found", "it is tried in another way"];
    for (at, next) in told.iter().enumerate() {
        let expected = match (at % 3, at) {
            (0, _) => cycle[0],
            (1, _) => cycle[1],
            (_, 11) => "you are asked",
            _ => "the plan is changed",
        };
        assert_eq!(next, expected, "attempt {at}");
    }
    assert_eq!(goal.status, GoalStatus::WaitingForUser);
    assert!(goal.question.as_ref().unwrap().text.contains("the tool failed"));
    for _ in 0..3 {
        goal.answer("put it left").unwrap();
        assert_eq!(goal.plan.task("a").unwrap().request(), "put it left");
        for _ in 0..3 {
            told.push(attempt(&mut goal, true));
        }
    }
    assert_eq!(told.last().unwrap(), "it is given up");
    assert_eq!(goal.plan.task("a").unwrap().status, TaskStatus::Failed);
}

#[test]
fn without_a_planner_and_a_user_a_task_is_given_up_after_three_attempts() {
    let mut goal = goal(&[], &[task("a", &[])]);
    attempt(&mut goal, false);
    attempt(&mut goal, false);
    assert_eq!(attempt(&mut goal, false), "it is given up");
    let changes = goal.judged(&[], false);
    assert_eq!(goal.status, GoalStatus::Failed);
    let GoalChange::Finished { .. } = &changes[1] else { panic!("{changes:?}") };
}

#[test]
fn another_wording_is_used_for_the_third_attempt() {
    let wanted = WantedTask { otherwise: Some("simpler".into()), ..task("a", &[]) };
    let mut goal = goal(&[], &[wanted]);
    attempt(&mut goal, false);
    goal.start_task("a", 1).unwrap();
    assert!(goal.task_message("a").unwrap().ends_with("\ndo a"));
    goal.task_ended("a", failing(), false);
    goal.start_task("a", 1).unwrap();
    assert!(goal.task_message("a").unwrap().ends_with("\nsimpler"));
}

#[test]
fn a_claim_completes_nothing_and_the_end_says_what_is_unmet() {
    let words = Words::default();
    let mut goal = goal(&["2 desks", "1 lamp"], &[task("a", &[])]);
    words.now("1 lamp");
    goal.start_task("a", 1).unwrap();
    let end = TaskEnd { said: Some("All done, both desks stand.".into()), ..TaskEnd::default() };
    goal.task_ended("a", end, false);
    goal.judged(&verdicts(&goal, &words), false);
    assert_eq!(goal.status, GoalStatus::Failed);
    let reason = goal.reason.unwrap();
    assert!(reason.contains("'2 desks' (no 2 desks)") && !reason.contains("lamp"), "{reason}");
}

#[test]
fn a_task_is_done_when_its_criteria_hold_whatever_its_run_says() {
    let words = Words::holding(&["1 desk"]);
    let mut goal = goal(&[], &[with_criterion("a", "1 desk")]);
    goal.start_task("a", 1).unwrap();
    let task = goal.plan.task("a").unwrap();
    let verdicts = check_criteria(&task.criteria, &words);
    let end = TaskEnd { verdicts, ..failing() };
    assert_eq!(goal.task_ended("a", end, true), [GoalChange::TaskFinished { task: "a".into() }]);
}

#[test]
fn a_goal_ends_after_three_rounds_without_progress() {
    let words = Words::default();
    let mut goal = goal(&["x", "y"], &[task("a", &[])]);
    goal.may_ask = true;
    goal.start_task("a", 1).unwrap();
    goal.task_ended("a", TaskEnd::default(), true);
    let mut rounds = 0;
    while !goal.status.is_over() {
        rounds += 1;
        goal.judged(&verdicts(&goal, &words), true);
        if goal.status == GoalStatus::Planning {
            let id = format!("r{rounds}");
            goal.set_plan(&[task(&id, &[])], &[], Source::Model, "", &words).unwrap();
            goal.start_task(&id, 1).unwrap();
            goal.task_ended(&id, TaskEnd::default(), true);
        }
    }
    assert_eq!((rounds, goal.status), (4, GoalStatus::Failed));
    assert!(goal.reason.unwrap().starts_with("no progress in 3 rounds; unmet: 'x'"));
}

#[test]
fn progress_in_a_round_starts_the_count_anew() {
    let words = Words::default();
    let mut goal = goal(&["x", "y", "z"], &[task("a", &[])]);
    goal.replans = 0;
    for word in ["", "", "x", "", "y", ""] {
        words.now(word);
        goal.judged(&verdicts(&goal, &words), true);
        if goal.replans == 3 {
            goal.replans = 0;
        }
        assert_eq!(goal.status, GoalStatus::Planning, "{word}");
        goal.plan_not_changed();
        goal.replans = 0;
    }
}

#[test]
fn each_limit_of_the_budget_ends_a_goal_with_a_plain_sentence() {
    let all =
        |turns, tokens, milliseconds, tool_calls| Used { turns, tokens, milliseconds, tool_calls };
    let budget =
        Budget { turns: Some(5), tokens: Some(500), seconds: Some(50), tool_calls: Some(7) };
    for (used, limit, words) in [
        (all(5, 0, 0, 0), Limit::Turns(5), "its 5 model calls are used up"),
        (all(0, 501, 0, 0), Limit::Tokens(500), "its 500 tokens are used up"),
        (all(0, 0, 50_000, 0), Limit::Seconds(50), "its 50 seconds are over"),
        (all(0, 0, 0, 7), Limit::ToolCalls(7), "its 7 tool calls are used up"),
    ] {
        let mut goal = goal(&["x"], &[task("a", &[])]);
        goal.budget = budget;
        goal.spend(all(4, 499, 49_999, 6));
        assert_eq!(goal.next_step(true), Step::Act("a".into()));
        goal.used = used;
        assert_eq!(budget.reached(&used), Some(limit));
        let Step::End(reason) = goal.next_step(true) else { panic!("{words}") };
        goal.end_for(reason);
        assert_eq!(goal.status, GoalStatus::OutOfBudget);
        assert_eq!(goal.reason.unwrap(), format!("{words}; unmet: 'x' (not checked)"));
    }
    assert_eq!(budget.turns_left(&all(3, 0, 0, 0), 10), 2);
    assert_eq!(Budget { turns: None, ..budget }.turns_left(&all(3, 0, 0, 0), 10), 10);
}

#[test]
fn an_interrupted_task_begins_anew_and_that_is_no_failed_attempt() {
    let mut goal = goal(&[], &[task("a", &[])]);
    for _ in 0..5 {
        goal.start_task("a", 7).unwrap();
        assert_eq!(goal.next_step(true), Step::Recover("a".into()));
        goal.task_interrupted("a").unwrap();
    }
    let task = goal.plan.task("a").unwrap();
    assert_eq!((task.status, task.attempts, task.interruptions), (TaskStatus::Pending, 0, 5));
    assert_eq!(goal.next_step(true), Step::Act("a".into()));
}
