//! Reports on goals, for people and machines.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use serde::{Serialize, Serializer};

/// The results of all goals.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The model's name.
    pub model: String,
    /// In the order of their files.
    pub goals: Vec<GoalResult>,
}

/// The result of one goal.
#[derive(Debug, Clone, Serialize)]
pub struct GoalResult {
    /// The goal's name.
    pub name: String,
    /// Its category.
    pub category: String,
    /// Its messages, up to an aborted one.
    pub messages: Vec<MessageResult>,
    /// Why the goal was aborted: the model gave no answer, or the run did not end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broke_off: Option<String>,
}

/// The result of one message.
#[derive(Debug, Clone, Default, Serialize)]
pub struct MessageResult {
    /// The message.
    pub say: String,
    /// The model's answer.
    pub answer: String,
    /// Model calls.
    pub turns: u32,
    /// Tool calls.
    pub calls: u32,
    /// Rejected tool calls.
    pub invalid_calls: u32,
    /// Sequences of rejected calls that ended with an accepted call of the same tool.
    pub recoveries: u32,
    /// Tokens sent, if the provider counts them.
    pub input_tokens: u64,
    /// Tokens received.
    pub output_tokens: u64,
    /// From the message to the end of the run.
    #[serde(rename = "milliseconds", serialize_with = "milliseconds")]
    pub duration: Duration,
    /// The number of expectations.
    pub expectations: usize,
    /// The expectations that failed.
    pub failures: Vec<Failure>,
}

/// A failed expectation.
#[derive(Debug, Clone, Serialize)]
pub struct Failure {
    /// Its text.
    pub expected: String,
    /// The actual state.
    pub found: String,
}

/// A share of passed items.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// The number of passed items.
    pub passed: usize,
    /// The number of all items.
    pub of: usize,
}

fn milliseconds<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((duration.as_secs_f64() * 1e5).round() / 1e2)
}

impl GoalResult {
    /// Whether all expectations hold.
    pub fn passed(&self) -> bool {
        self.broke_off.is_none() && self.messages.iter().all(|message| message.failures.is_empty())
    }
}

impl Share {
    /// The percentage; 100 if there are no items.
    pub fn percent(self) -> f64 {
        if self.of == 0 { 100.0 } else { 100.0 * self.passed as f64 / self.of as f64 }
    }

    fn add(&mut self, passed: bool) {
        self.of += 1;
        self.passed += usize::from(passed);
    }
}

impl Report {
    /// The share of passed goals.
    pub fn share(&self) -> Share {
        let mut share = Share::default();
        self.goals.iter().for_each(|goal| share.add(goal.passed()));
        share
    }

    /// The share of passed goals in each category.
    pub fn by_category(&self) -> BTreeMap<&str, Share> {
        let mut shares: BTreeMap<&str, Share> = BTreeMap::new();
        for goal in &self.goals {
            shares.entry(&goal.category).or_default().add(goal.passed());
        }
        shares
    }

    /// The report as JSON: `{"model", "passed", "of", "percent", "categories", "goals"}`.
    pub fn to_json(&self) -> serde_json::Value {
        let share = self.share();
        serde_json::json!({
            "model": self.model,
            "passed": share.passed,
            "of": share.of,
            "percent": (share.percent() * 100.0).round() / 100.0,
            "categories": self.by_category(),
            "goals": self.goals,
        })
    }

    /// The failures of all goals: message, expectation, actual state.
    pub fn failures(&self) -> impl Display {
        Failures(self)
    }
}

/// A table with a line for each category, and one for all.
impl Display for Report {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let mut lines: Vec<(&str, Vec<&GoalResult>)> = Vec::new();
        for category in self.by_category().into_keys() {
            lines.push((
                category,
                self.goals.iter().filter(|goal| goal.category == category).collect(),
            ));
        }
        lines.push(("all", self.goals.iter().collect()));
        let width = lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(8);
        writeln!(
            out,
            "{:width$}  {:>9} {:>7} {:>6} {:>6} {:>8} {:>10} {:>9} {:>9}",
            self.model,
            "passed",
            "percent",
            "turns",
            "calls",
            "invalid",
            "recovered",
            "tokens",
            "ms each"
        )?;
        for (name, goals) in lines {
            let passed = goals.iter().filter(|goal| goal.passed()).count();
            let share = Share { passed, of: goals.len() };
            let messages: Vec<&MessageResult> =
                goals.iter().flat_map(|goal| &goal.messages).collect();
            let sum = |of: &dyn Fn(&MessageResult) -> u64| {
                messages.iter().map(|message| of(message)).sum::<u64>()
            };
            let time: Duration = messages.iter().map(|message| message.duration).sum();
            writeln!(
                out,
                "{name:width$}  {:>9} {:>7.1} {:>6} {:>6} {:>8} {:>10} {:>9} {:>9.1}",
                format!("{}/{}", share.passed, share.of),
                share.percent(),
                sum(&|message| message.turns.into()),
                sum(&|message| message.calls.into()),
                sum(&|message| message.invalid_calls.into()),
                sum(&|message| message.recoveries.into()),
                sum(&|message| message.input_tokens + message.output_tokens),
                1e3 * time.as_secs_f64() / messages.len().max(1) as f64,
            )?;
        }
        Ok(())
    }
}

struct Failures<'a>(&'a Report);

impl Display for Failures<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for goal in self.0.goals.iter().filter(|goal| !goal.passed()) {
            writeln!(out, "FAILED {}: {}", goal.category, goal.name)?;
            for (number, message) in goal.messages.iter().enumerate() {
                for failure in &message.failures {
                    writeln!(out, "  {}. “{}”", number + 1, message.say)?;
                    writeln!(out, "     expected: {}", failure.expected)?;
                    writeln!(out, "     found:    {}", failure.found)?;
                }
            }
            if let Some(reason) = &goal.broke_off {
                writeln!(out, "  broke off: {reason}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goal(name: &str, category: &str, failures: &[(&str, &str)]) -> GoalResult {
        let failures = failures
            .iter()
            .map(|(expected, found)| Failure {
                expected: (*expected).into(),
                found: (*found).into(),
            })
            .collect();
        let message = MessageResult {
            say: name.into(),
            turns: 2,
            calls: 3,
            invalid_calls: 1,
            duration: Duration::from_micros(1_500),
            failures,
            ..MessageResult::default()
        };
        GoalResult {
            name: name.into(),
            category: category.into(),
            messages: vec![message],
            broke_off: None,
        }
    }

    #[test]
    fn a_report_counts_and_tells_what_failed() {
        let mut report = Report {
            model: "offline".into(),
            goals: vec![
                goal("a ball", "create", &[]),
                goal("a cube", "create", &[("1 cube", "0")]),
            ],
        };
        assert_eq!(report.share(), Share { passed: 1, of: 2 });
        let table = report.to_string();
        assert!(
            table.contains("1/2") && table.contains("50.0") && table.contains("create"),
            "{table}"
        );
        let failures = report.failures().to_string();
        assert!(failures.contains("1. “a cube”") && failures.contains("found:    0"), "{failures}");
        assert!(!failures.contains("a ball"), "{failures}");
        let json = report.to_json();
        assert_eq!(
            (&json["percent"], &json["categories"]["create"]["of"]),
            (&50.0.into(), &2.into())
        );
        assert_eq!(json["goals"][0]["messages"][0]["milliseconds"], 1.5);
        report.goals[0].broke_off = Some("no answer".into());
        assert_eq!(report.share().passed, 0);
    }
}
