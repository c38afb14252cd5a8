//! Workflows: plans with parameters, as files. Which one serves a goal is told by its triggers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::criterion::Criteria;
use crate::goal::{Goal, GoalError};
use crate::plan::WantedTask;
use crate::{GoalChange, Source};

/// A plan with parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Workflow {
    /// Unique among the workflows.
    pub name: String,
    /// What it does, in a sentence.
    pub description: String,
    /// Words of an objective that it serves: each is a list of words separated by spaces, all of which
    /// have to occur; `a|b` is either.
    #[serde(default)]
    pub triggers: Vec<String>,
    /// Its parameters.
    #[serde(default)]
    pub parameters: BTreeMap<String, Parameter>,
    /// What has to hold at the end.
    #[serde(default)]
    pub criteria: Vec<String>,
    /// Its tasks; texts may name parameters as `{name}`.
    #[serde(rename = "task")]
    pub tasks: Vec<WantedTask>,
}

/// A parameter of a workflow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// What it is for.
    pub description: String,
    /// What its values are.
    #[serde(rename = "type")]
    pub kind: ParameterKind,
    /// The value when none is given.
    pub default: String,
    /// The smallest value of a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The largest value of a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// The values that variants of a goal take, one after the other, if none is given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<String>,
    /// The values of a choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
}

/// What the values of a parameter are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ParameterKind {
    /// Any words.
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// One of `values`.
    Choice,
}

/// Why a workflow cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorkflowError {
    /// The file is not one of a workflow.
    #[error("the workflow {file}: {reason}")]
    Malformed {
        /// The file.
        file: String,
        /// What is wrong.
        reason: String,
    },
    /// There is no such workflow.
    #[error("there is no workflow '{name}'; the workflows are: {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// There is no such parameter.
    #[error("the workflow '{workflow}' has no parameter '{name}'; it has: {known}")]
    UnknownParameter {
        /// The workflow.
        workflow: String,
        /// What was given.
        name: String,
        /// The parameters it has.
        known: String,
    },
    /// A value does not fit its parameter.
    #[error("the parameter '{name}' must be {expected}, got '{got}'")]
    Value {
        /// The parameter.
        name: String,
        /// What would be accepted.
        expected: String,
        /// What was given.
        got: String,
    },
}

impl Workflow {
    /// Reads a file. Every `{name}` in it must be a parameter, and every default must fit.
    pub fn parse(file: &str, text: &str) -> Result<Self, WorkflowError> {
        let malformed = |reason: String| WorkflowError::Malformed { file: file.to_owned(), reason };
        let workflow: Self = toml::from_str(text).map_err(|error| malformed(error.to_string()))?;
        if workflow.tasks.is_empty() {
            return Err(malformed("it has no task; give at least one [[task]]".into()));
        }
        let filled =
            workflow.filled(&BTreeMap::new()).map_err(|error| malformed(error.to_string()))?;
        let texts = filled.texts();
        for (name, parameter) in &workflow.parameters {
            for value in &parameter.variants {
                parameter.check(name, value).map_err(|error| malformed(error.to_string()))?;
            }
        }
        if let Some(name) = texts.iter().find_map(|text| named_parameter(text)) {
            return Err(malformed(format!(
                "'{{{name}}}' is no parameter; give it under [parameters.{name}]"
            )));
        }
        Ok(workflow)
    }

    /// Whether `objective` is one it serves, and how well: the number of words of the best trigger.
    pub fn fit(&self, objective: &str) -> usize {
        let objective = objective.to_lowercase();
        let words: Vec<&str> = objective
            .split(|letter: char| !letter.is_alphanumeric() && letter != '-')
            .filter(|word| !word.is_empty())
            .collect();
        let occurs = |either: &str| either.split('|').any(|word| words.contains(&word));
        let fits = |trigger: &&String| trigger.split_whitespace().all(occurs);
        let lengths = self.triggers.iter().filter(fits).map(|t| t.split_whitespace().count());
        lengths.max().unwrap_or(0)
    }

    /// This workflow with values in place of its parameters; defaults for those that are not given.
    pub fn filled(&self, values: &BTreeMap<String, String>) -> Result<Self, WorkflowError> {
        self.filled_for(values, 1)
    }

    /// As [`Workflow::filled`], for the variant of this number, from 1.
    pub fn filled_for(
        &self,
        values: &BTreeMap<String, String>,
        variant: u32,
    ) -> Result<Self, WorkflowError> {
        if let Some(name) = values.keys().find(|name| !self.parameters.contains_key(*name)) {
            let known: Vec<&str> = self.parameters.keys().map(String::as_str).collect();
            return Err(WorkflowError::UnknownParameter {
                workflow: self.name.clone(),
                name: name.clone(),
                known: if known.is_empty() { "none".into() } else { known.join(", ") },
            });
        }
        let mut filled = self.clone();
        for (name, parameter) in &self.parameters {
            let value = values.get(name).unwrap_or_else(|| parameter.for_variant(variant)).trim();
            parameter.check(name, value)?;
            let place = format!("{{{name}}}");
            for text in filled.texts_mut() {
                if text.contains(&place) {
                    *text = text.replace(&place, value);
                }
            }
        }
        Ok(filled)
    }

    /// Its tasks in a line, as an example for a model.
    pub fn outline(&self) -> String {
        let tasks: Vec<String> =
            self.tasks.iter().map(|task| format!("{}: {}", task.id, task.description)).collect();
        format!("{} ({}): {}", self.name, self.description, tasks.join("; "))
    }

    fn texts(&self) -> Vec<&String> {
        let of_tasks = self.tasks.iter().flat_map(|task| {
            std::iter::once(&task.description)
                .chain(&task.otherwise)
                .chain(&task.unless)
                .chain(&task.criteria)
        });
        of_tasks.chain(&self.criteria).collect()
    }

    fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let of_tasks = self.tasks.iter_mut().flat_map(|task| {
            std::iter::once(&mut task.description)
                .chain(&mut task.otherwise)
                .chain(&mut task.unless)
                .chain(&mut task.criteria)
        });
        of_tasks.chain(&mut self.criteria)
    }
}

impl Parameter {
    /// The value of the variant of this number when none is given.
    fn for_variant(&self, variant: u32) -> &String {
        let index = (variant as usize).saturating_sub(1);
        match index {
            0 => &self.default,
            _ => {
                self.variants.get((index - 1) % self.variants.len().max(1)).unwrap_or(&self.default)
            }
        }
    }

    fn check(&self, name: &str, value: &str) -> Result<(), WorkflowError> {
        /// Characters of a value: it becomes part of a sentence.
        const MAX_VALUE: usize = 200;
        let in_range = |number: f64| {
            number.is_finite()
                && self.min.is_none_or(|min| number >= min)
                && self.max.is_none_or(|max| number <= max)
        };
        let range = match (self.min, self.max) {
            (Some(min), Some(max)) => format!(" from {min} to {max}"),
            (Some(min), None) => format!(" of at least {min}"),
            (None, Some(max)) => format!(" of at most {max}"),
            (None, None) => String::new(),
        };
        let (fits, expected) = match self.kind {
            ParameterKind::Text => {
                let length = value.chars().count();
                let fits = (1..=MAX_VALUE).contains(&length)
                    && !value
                        .contains(|letter: char| letter.is_control() || "{}[]".contains(letter));
                (fits, format!("a line of 1 to {MAX_VALUE} characters without brackets"))
            }
            ParameterKind::Integer => {
                let number = value.parse::<i32>().ok().map(f64::from);
                (number.is_some_and(in_range), format!("a whole number{range}"))
            }
            ParameterKind::Number => {
                (value.parse().is_ok_and(in_range), format!("a number{range}"))
            }
            ParameterKind::Choice => {
                let fits = self.values.iter().any(|known| known == value);
                (fits, format!("one of {}", self.values.join(", ")))
            }
        };
        match fits {
            true => Ok(()),
            false => Err(WorkflowError::Value {
                name: name.to_owned(),
                expected,
                got: value.chars().take(MAX_VALUE).collect(),
            }),
        }
    }
}

/// The first `{name}` in a text.
fn named_parameter(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('{')?;
    rest.split_once('}').map(|(name, _)| name)
}

/// All workflows, by name.
#[derive(Debug, Clone, Default)]
pub struct Workflows {
    all: BTreeMap<String, Workflow>,
}

impl Workflows {
    /// Adds a workflow; one of the same name gives way.
    pub fn add(&mut self, workflow: Workflow) {
        self.all.insert(workflow.name.clone(), workflow);
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Workflow> {
        self.all.values()
    }

    /// The workflow of this name.
    pub fn get(&self, name: &str) -> Result<&Workflow, WorkflowError> {
        self.all.get(name).ok_or_else(|| WorkflowError::Unknown {
            name: name.to_owned(),
            known: self.all.keys().map(String::as_str).collect::<Vec<_>>().join(", "),
        })
    }

    /// The workflow that serves an objective best.
    pub fn fitting(&self, objective: &str) -> Option<&Workflow> {
        let fits = self.all.values().map(|workflow| (workflow.fit(objective), workflow));
        fits.filter(|(fit, _)| *fit > 0).max_by_key(|(fit, _)| *fit).map(|(_, workflow)| workflow)
    }
}

impl Goal {
    /// Takes the plan and the criteria of a workflow whose parameters are filled in.
    pub fn follow(
        &mut self,
        workflow: &Workflow,
        by: &dyn Criteria,
    ) -> Result<GoalChange, GoalError> {
        let why = format!("it follows the workflow '{}'", workflow.name);
        let change =
            self.set_plan(&workflow.tasks, &workflow.criteria, Source::Workflow, &why, by)?;
        self.workflow = Some(workflow.name.clone());
        Ok(change)
    }
}
