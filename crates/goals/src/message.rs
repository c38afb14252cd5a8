//! What a model reads: requests for a plan, and tasks. Lines in brackets are notes of the program; the
//! other lines ask as a user would, so a model without knowledge of goals does the right thing, too.

use crate::goal::{Goal, told};
use crate::plan::{Task, TaskStatus};

impl Goal {
    /// The request for a plan, or for a change of it. `outlines` are workflows that may serve as examples.
    pub fn planning_message(&self, outlines: &[String]) -> String {
        let mut lines = vec![format!("[Goal: {}]", line(&self.objective))];
        lines.push(match self.plan.tasks() {
            [] => "[Make a plan for it with set_plan: small tasks, each with the ids of those it \
                   depends on and with criteria that a computation can check. Do not begin the work \
                   yet.]"
                .into(),
            _ => "[The plan does not lead there. Change it with set_plan: other tasks for what is not \
                  done; completed ones stay. Do not begin the work yet.]"
                .into(),
        });
        lines.extend(self.variants_line().map(|text| format!("[{}]", line(&text))));
        lines.extend(self.notes.iter().map(|note| format!("[{}]", line(note))));
        lines.extend(self.criteria_line());
        if !self.plan.tasks().is_empty() {
            lines.push(self.progress_line());
        }
        lines.extend(
            outlines.iter().map(|outline| format!("[A workflow like it: {}]", line(outline))),
        );
        lines.push(format!("Make a plan for this goal: {}", self.objective));
        lines.join("\n")
    }

    /// The task `id` as it is put to a model; `None` if there is no such task.
    pub fn task_message(&self, id: &str) -> Option<String> {
        let task = self.plan.task(id)?;
        let mut lines = vec![
            format!("[Goal: {}]", line(&self.objective)),
            self.progress_line(),
            format!(
                "[Now task '{id}' only. It is done when its criteria hold, which is computed. \
                     update_task tells early; ask_user asks what only the user knows; \
                     report_blocked tells that it cannot be done.]"
            ),
        ];
        lines.extend(self.variants_line().map(|text| format!("[{}]", line(&text))));
        if !task.criteria.is_empty() {
            let criteria: Vec<String> =
                task.criteria.iter().map(|c| format!("'{}'", c.text)).collect();
            lines.push(format!("[Criteria of the task: {}]", line(&criteria.join("; "))));
        }
        lines.extend(self.criteria_line());
        if let Some(error) = &task.error {
            let how = match task.attempts {
                0 | 1 => "The attempt before",
                2 => "Try it again. The attempt before",
                _ => "Try another, simpler way. The attempts before",
            };
            lines.push(format!("[{how} did not work: {}]", line(error)));
        }
        lines.push(self.budget_line());
        lines.push(task.request().to_owned());
        Some(lines.join("\n"))
    }

    fn criteria_line(&self) -> Option<String> {
        let criteria: Vec<String> = self
            .criteria
            .iter()
            .map(|criterion| match criterion.met {
                Some(true) => format!("'{}' (met)", criterion.text),
                _ => told(criterion),
            })
            .collect();
        (!criteria.is_empty())
            .then(|| format!("[Criteria of the goal, in the end: {}]", line(&criteria.join("; "))))
    }

    fn progress_line(&self) -> String {
        let tasks: Vec<String> = self
            .plan
            .tasks()
            .iter()
            .map(|task| format!("{} ({})", task.id, crate::goal::task_status_name(task.status)))
            .collect();
        let done = self.plan.count(TaskStatus::Completed);
        format!("[{done} of {} tasks are completed: {}]", tasks.len(), line(&tasks.join(", ")))
    }

    fn budget_line(&self) -> String {
        let left = |name: &str, most: Option<u64>, used: u64| {
            most.map(|most| format!("{} {name}", most.saturating_sub(used)))
        };
        let lefts: Vec<String> = [
            left("model calls", self.budget.turns, self.used.turns),
            left("tokens", self.budget.tokens, self.used.tokens),
            left("tool calls", self.budget.tool_calls, self.used.tool_calls),
        ]
        .into_iter()
        .flatten()
        .collect();
        match lefts.as_slice() {
            [] => "[The budget has no limit.]".into(),
            lefts => format!("[Left of the budget: {}]", lefts.join(", ")),
        }
    }
}

impl Task {
    /// What to ask for in the present attempt: the user's answer, other words after two failures, or the
    /// description.
    pub fn request(&self) -> &str {
        match (&self.answer, &self.otherwise) {
            (Some(answer), _) => answer,
            (None, Some(otherwise)) if self.attempts >= 3 => otherwise,
            _ => &self.description,
        }
    }
}

/// A text as one line without the brackets that mark notes, shortened.
fn line(text: &str) -> String {
    /// Characters of a note: an error of a task may be long.
    const MAX_LINE: usize = 4_000;
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut line = words.join(" ");
    if let Some((end, _)) = line.char_indices().nth(MAX_LINE) {
        line.truncate(end);
        line.push('…');
    }
    line
}
