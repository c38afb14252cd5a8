//! `edit_scene`: several calls in order, and how a batch that stopped goes on.

use scene::Violations;
use scene::read::{ObjectReader, PropertyPath, ReadErrors};
use serde_json::{Value, json};

use crate::args::choice;

/// The name of the call that holds others.
pub const BATCH_NAME: &str = "edit_scene";

/// The most calls of one batch.
pub const MAX_CALLS: usize = 2_000;

choice! {
    /// What happens when a call of a batch fails.
    pub enum OnFault {
        /// What came before stays; the batch can be corrected and goes on.
        Stop = "stop",
        /// Nothing is changed.
        AllOrNothing = "all_or_nothing",
    }
}

/// What reads a call from its name and arguments.
type Parser<C> = fn(&str, &Value) -> Result<C, Violations>;

/// Several calls of type `C`, each planned against what those before it have made.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch<C> {
    /// The calls in order.
    pub steps: Vec<Step<C>>,
    /// What a failure does, if the batch says so.
    pub on_fault: Option<OnFault>,
}

/// One call of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct Step<C> {
    /// In a correction, the number in the stopped batch of the call it stands for, from 1.
    pub index: Option<usize>,
    /// The name of the call; empty for one that is skipped.
    pub name: String,
    /// The call, or why it cannot be read; `None` for one that is skipped.
    pub call: Option<Result<C, Violations>>,
}

impl<C: Clone> Batch<C> {
    /// Reads the arguments of `edit_scene`, whose calls are read by `parse`. A call that cannot be read is an
    /// error of its step, not of the batch.
    pub(crate) fn parse(args: &Value, parse: Parser<C>) -> Result<Self, Violations> {
        let mut errors = ReadErrors::default();
        let batch = read(args, parse, &mut errors);
        errors.finish(batch)
    }

    /// Whether it corrects a batch that stopped.
    pub fn is_correction(&self) -> bool {
        self.steps.iter().any(|step| step.index.is_some())
    }

    /// What is wrong with the steps that cannot be read, from number `from` on.
    pub fn unreadable(&self, from: usize) -> Vec<Violations> {
        let numbered = (1..).zip(&self.steps).skip_while(|(number, _)| *number < from);
        let faults = numbered.filter_map(|(number, step)| match &step.call {
            Some(Err(violations)) => Some((number, violations.clone())),
            _ => None,
        });
        faults.map(|(number, fault)| fault.prefixed(&format!("call {number}: "))).collect()
    }

    /// This batch, of which the first `done` calls are done, with some of the others replaced by the steps of
    /// `correction`.
    pub fn corrected(mut self, done: usize, correction: &Self) -> Result<Self, Violations> {
        let (count, mut faults) = (self.steps.len(), Vec::new());
        for step in &correction.steps {
            let fault = match step.index {
                Some(index) if (done + 1..=count).contains(&index) => {
                    self.steps[index - 1] = Step { index: None, ..step.clone() };
                    continue;
                }
                Some(index) if (1..=done).contains(&index) => format!(
                    "call {index} is done already; change what it made by a batch without indices"
                ),
                Some(index) => format!("there is no call {index}: the batch has {count}"),
                None => "either all calls of a batch have an index, which corrects the batch that stopped, or \
                         none has"
                    .to_owned(),
            };
            faults.push(Violations::one(format!("{BATCH_NAME}: {fault}")));
        }
        Violations::joined(faults).map_or(Ok(self), Err)
    }
}

fn read<C>(args: &Value, parse: Parser<C>, errors: &mut ReadErrors) -> Option<Batch<C>> {
    let mut reader = ObjectReader::new(args, PropertyPath::of(BATCH_NAME), errors)?;
    reader.reject_unknown(&["calls", "on_fault"]);
    let on_fault = reader.optional("on_fault", None);
    let calls = match reader.get("calls") {
        Some(Value::Array(calls)) if (1..=MAX_CALLS).contains(&calls.len()) => calls,
        other => {
            let got = other.cloned().unwrap_or_default();
            let expected = format!("a list of 1 to {MAX_CALLS} calls {{name, args}}");
            reader.path().property("calls").must_be(&expected, &got, reader.errors());
            return None;
        }
    };
    Some(Batch { steps: calls.iter().map(|call| step(call, parse)).collect(), on_fault: on_fault? })
}

fn step<C>(call: &Value, parse: Parser<C>) -> Step<C> {
    let (index, number) = match call.get("index") {
        None | Some(Value::Null) => (None, Ok(())),
        Some(given) => {
            let index = given.as_u64().and_then(|index| usize::try_from(index).ok());
            let fault = || Violations::one(format!("'index' must be a whole number, got {given}"));
            (index.or(Some(0)), index.map(|_| ()).ok_or_else(fault))
        }
    };
    if index.is_some() && call.get("skip") == Some(&Value::Bool(true)) {
        return Step { index, name: String::new(), call: None };
    }
    let name = call.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let read = number.and_then(|()| read_call(call, &name, parse));
    Step { index, name, call: Some(read) }
}

fn read_call<C>(call: &Value, name: &str, parse: Parser<C>) -> Result<C, Violations> {
    match name {
        "" => Err(Violations::one("requires 'name' (of a tool that changes the scene)")),
        BATCH_NAME => {
            Err(Violations::one(format!("{BATCH_NAME} cannot hold itself; list its calls here")))
        }
        name => parse(name, call.get("args").unwrap_or(&json!({}))),
    }
}
