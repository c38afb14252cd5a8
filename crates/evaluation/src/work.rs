//! Goals that are worked on until their criteria hold: what is set, what goes wrong by plan, and what came of
//! them.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::path::Path;

use scene::Scene;
use serde::{Deserialize, Serialize};

use crate::expectation::Expectation;
use crate::goal::{GoalError, files, load};

/// A goal to work on.
#[derive(Debug, Clone)]
pub struct Work {
    /// By default the objective.
    pub name: String,
    /// What is wanted.
    pub objective: String,
    /// What has to hold in the end.
    pub criteria: Vec<String>,
    /// The workflow to follow.
    pub workflow: Option<String>,
    /// Values of its parameters.
    pub parameters: BTreeMap<String, String>,
    /// The scene it begins with.
    pub start: Scene,
    /// What goes wrong by plan.
    pub planted: Option<String>,
    /// The status in which it has to end.
    pub expect: String,
    /// What a scripted model answers; without it the evaluated model works.
    pub script: Option<String>,
    /// Whether the session is stopped in the middle of a task and opened again.
    pub crash: bool,
    /// The most model calls.
    pub turns: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WorkFile {
    work: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: Option<String>,
    #[serde(default)]
    objective: String,
    #[serde(default)]
    criteria: Vec<String>,
    workflow: Option<String>,
    #[serde(default)]
    parameters: BTreeMap<String, String>,
    scene: Option<String>,
    planted: Option<String>,
    #[serde(default = "completed")]
    expect: String,
    script: Option<String>,
    #[serde(default)]
    crash: bool,
    turns: Option<u64>,
}

/// Whether a criterion is a sentence of this language rather than one of the session's own.
fn is_computed(criterion: &&String) -> bool {
    !["check_scene", "picture:"].iter().any(|own| criterion.starts_with(own))
}

fn completed() -> String {
    "completed".into()
}

/// The goals to work on, of a `.toml` file or of all such files in a folder. `None` if the first file holds
/// dialogues.
pub fn works(path: &Path) -> Result<Option<Vec<Work>>, GoalError> {
    let mut works = Vec::new();
    for (file, text) in files(path)? {
        match read(&file, &text)? {
            Some(read) => works.extend(read),
            None => return Ok(None),
        }
    }
    Ok((!works.is_empty()).then_some(works))
}

/// The works of a file, `None` if it holds none but perhaps dialogues.
fn read(file: &Path, text: &str) -> Result<Option<Vec<Work>>, GoalError> {
    let path = file.display().to_string();
    let malformed = |reason: String| GoalError::Malformed { path: path.clone(), reason };
    let table: toml::Table = toml::from_str(text).map_err(|error| malformed(error.to_string()))?;
    if !table.contains_key("work") {
        return Ok(None);
    }
    let read: WorkFile = toml::from_str(text).map_err(|error| malformed(error.to_string()))?;
    let work = |entry: Entry| {
        let name =
            entry.name.or_else(|| entry.workflow.clone().filter(|_| entry.objective.is_empty()));
        let name = name.unwrap_or_else(|| entry.objective.clone());
        let wrong =
            |reason: String| GoalError::Goal { path: path.clone(), goal: name.clone(), reason };
        if entry.objective.trim().is_empty() && entry.workflow.is_none() {
            return Err(wrong("has neither an 'objective' nor a 'workflow'".into()));
        }
        for criterion in entry.criteria.iter().filter(is_computed) {
            Expectation::parse(criterion).map_err(|error| wrong(error.to_string()))?;
        }
        let start = match &entry.scene {
            Some(scene) => load(file, scene)?,
            None => Scene::default(),
        };
        Ok(Work {
            name,
            objective: entry.objective,
            criteria: entry.criteria,
            workflow: entry.workflow,
            parameters: entry.parameters,
            start,
            planted: entry.planted,
            expect: entry.expect,
            script: entry.script,
            crash: entry.crash,
            turns: entry.turns,
        })
    };
    read.work.into_iter().map(work).collect::<Result<_, _>>().map(Some)
}

/// What came of a goal.
#[derive(Debug, Clone, Serialize)]
pub struct WorkResult {
    /// The goal.
    pub name: String,
    /// What went wrong by plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planted: Option<String>,
    /// The status in which it had to end.
    pub expected: String,
    /// The status in which it ended.
    pub status: String,
    /// Why, with what is unmet.
    pub reason: String,
    /// Criteria that hold.
    pub met: usize,
    /// All of them.
    pub criteria: usize,
    /// Tasks of the plan.
    pub tasks: usize,
    /// Attempts of all tasks.
    pub attempts: u32,
    /// Model calls.
    pub turns: u64,
    /// Tool calls.
    pub tool_calls: u64,
    /// Attempts and plans that did not work.
    pub failures: u32,
    /// Time of work.
    pub milliseconds: u64,
}

impl WorkResult {
    /// Whether it ended as it had to.
    pub fn is_as_expected(&self) -> bool {
        self.status == self.expected
    }
}

/// What came of all goals that were worked on.
#[derive(Debug, Clone, Serialize)]
pub struct WorkReport {
    /// The model's name.
    pub model: String,
    /// In the order of their files.
    pub works: Vec<WorkResult>,
}

impl WorkReport {
    /// The share of goals that ended as they had to, in percent.
    pub fn percent(&self) -> f64 {
        percent(self.works.iter().filter(|work| work.is_as_expected()).count(), self.works.len())
    }

    /// Criteria that are met, and all of them.
    pub fn criteria(&self) -> (usize, usize) {
        let sum = |count: fn(&WorkResult) -> usize| self.works.iter().map(count).sum();
        (sum(|work| work.met), sum(|work| work.criteria))
    }

    /// How many goals with a planted failure there are, and how many of them ended as they had to.
    pub fn recovered(&self) -> (usize, usize) {
        let planted = || self.works.iter().filter(|work| work.planted.is_some());
        (planted().filter(|work| work.is_as_expected()).count(), planted().count())
    }
}

fn percent(part: usize, all: usize) -> f64 {
    if all == 0 { 100.0 } else { 100.0 * part as f64 / all as f64 }
}

impl Display for WorkReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for work in &self.works {
            let mark = if work.is_as_expected() { "ok " } else { "NOT" };
            let planted = work.planted.as_deref().map(|planted| format!(" [{planted}]"));
            writeln!(
                f,
                "{mark} {:<48} {:<13} {}/{} criteria, {} tasks, {} attempts, {} failures, {} turns, {} calls, {} ms",
                format!("{}{}", work.name, planted.unwrap_or_default()),
                work.status,
                work.met,
                work.criteria,
                work.tasks,
                work.attempts,
                work.failures,
                work.turns,
                work.tool_calls,
                work.milliseconds
            )?;
            if !work.is_as_expected() {
                writeln!(f, "      {}", work.reason)?;
            }
        }
        let all = self.works.len();
        let completed = self.works.iter().filter(|work| work.status == "completed").count();
        let attempts: u32 = self.works.iter().map(|work| work.attempts).sum();
        let turns: u64 = self.works.iter().map(|work| work.turns).sum();
        let (recovered, planted) = self.recovered();
        let (met, criteria) = self.criteria();
        writeln!(
            f,
            "{}: {completed} of {all} completed ({:.1} %), {met} of {criteria} criteria met, {:.1} % ended as they \
             had to; {:.1} attempts and {:.1} turns a goal; {recovered} of {planted} planted failures survived",
            self.model,
            percent(completed, all),
            self.percent(),
            f64::from(attempts) / all.max(1) as f64,
            turns as f64 / all.max(1) as f64,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn works_are_read_and_what_is_wrong_with_them_is_told() {
        let file = Path::new("evals/work/x.toml");
        let text =
            "[[work]]\nobjective = 'a ball'\ncriteria = ['1 sphere', 'check_scene']\nplanted = 'x'";
        let works = read(file, text).unwrap().unwrap();
        assert_eq!((&*works[0].name, &*works[0].expect), ("a ball", "completed"));
        assert!(read(file, "[[goal]]\nsay = 'x'").unwrap().is_none());
        for (text, words) in [
            ("[[work]]\ncriteria = []", "neither an 'objective'"),
            ("[[work]]\nobjective = 'x'\ncriteria = ['1 spere']", "did you mean 'sphere'"),
            ("[[work]]\nobject = 'x'", "object"),
        ] {
            let error = read(file, text).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
