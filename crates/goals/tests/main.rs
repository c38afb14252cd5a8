//! Goals without a scene: criteria are words that hold or not.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod goal;
mod plans;
mod recoveries;
mod texts;
mod workflows;

use std::cell::RefCell;
use std::collections::BTreeSet;

use goals::{Criteria, Goal, NewGoal, Source, Verdict, WantedTask, check_criteria};

/// Criteria that hold because a test says so. Words with a `?` cannot be read.
#[derive(Default)]
struct Words(RefCell<BTreeSet<String>>);

impl Words {
    fn holding(words: &[&str]) -> Self {
        Self(RefCell::new(words.iter().map(ToString::to_string).collect()))
    }

    fn now(&self, word: &str) {
        self.0.borrow_mut().insert(word.to_owned());
    }
}

impl Criteria for Words {
    fn read(&self, criterion: &str) -> Result<(), String> {
        match criterion.contains('?') {
            true => Err(format!("'{criterion}' cannot be read")),
            false => Ok(()),
        }
    }

    fn check(&self, criterion: &str) -> Result<(), String> {
        match self.0.borrow().contains(criterion) {
            true => Ok(()),
            false => Err(format!("no {criterion}")),
        }
    }
}

fn task(id: &str, depends_on: &[&str]) -> WantedTask {
    WantedTask {
        id: id.into(),
        description: format!("do {id}"),
        depends_on: depends_on.iter().map(ToString::to_string).collect(),
        ..WantedTask::default()
    }
}

fn with_criterion(id: &str, criterion: &str) -> WantedTask {
    WantedTask { criteria: vec![criterion.into()], ..task(id, &[]) }
}

fn goal(criteria: &[&str], tasks: &[WantedTask]) -> Goal {
    let words = Words::default();
    let wanted = NewGoal {
        id: "g1".into(),
        objective: "a room".into(),
        criteria: criteria.iter().map(ToString::to_string).collect(),
        ..NewGoal::default()
    };
    let mut goal = Goal::new(wanted, &words).unwrap();
    if !tasks.is_empty() {
        goal.set_plan(tasks, &[], Source::Workflow, "test", &words).unwrap();
    }
    goal
}

fn verdicts(goal: &Goal, words: &Words) -> Vec<Verdict> {
    check_criteria(&goal.criteria, words)
}
