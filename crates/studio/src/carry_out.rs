//! Applying calls to a draft of the scene: single calls, atomic batches, and batches that stop at
//! the first failed call and continue when it is corrected.

use std::collections::HashSet;

use catalogue::OwnObjects;
use scene::{Draft, Edit, Kind, Scene, Violations};
use serde_json::{Map, Value, json};
use spatial::{BATCH_NAME, Batch, Call, OnFault, Space, several};

/// Rejects edits of objects that somebody else changed.
pub(crate) type Refuse<'a> = &'a dyn Fn(&[Edit]) -> Result<(), Violations>;

/// Rejects changes from one scene to another outside of what their author may change.
pub(crate) type StaysWithin<'a> = &'a dyn Fn(&Scene, &Scene) -> Result<(), Violations>;

/// On what terms calls are carried out.
#[derive(Clone, Copy)]
pub(crate) struct Terms<'a> {
    pub(crate) refuse: Refuse<'a>,
    /// The objects of the user's own that calls may add.
    pub(crate) own: &'a OwnObjects,
    /// Rejects a call that changed the scene from the first to the second.
    pub(crate) stays_within: StaysWithin<'a>,
}

/// The result of a call in a draft.
pub(crate) struct Done {
    pub(crate) result: Value,
    pub(crate) about: Vec<(Kind, String)>,
    /// The call's own information beside the result, e.g. how many copies found room.
    said: Option<Value>,
}

/// Applies a call; a batch is atomic. After an error, the draft is only used to find more errors.
pub(crate) fn carry_out(
    draft: &mut Draft,
    call: &Call,
    terms: Terms<'_>,
) -> Result<Done, Violations> {
    let Call::Batch(batch) = call else { return one(draft, call, terms) };
    if batch.is_correction() || batch.on_fault == Some(OnFault::Stop) {
        return Err(Violations::one(format!(
            "{BATCH_NAME}: edits by hand are all or nothing; leave out 'on_fault' and 'index'"
        )));
    }
    if let Some(violations) = Violations::joined(batch.unreadable(1)) {
        return Err(violations);
    }
    let (mut report, mut violations) = (Report::default(), Vec::new());
    for (number, step) in (1..).zip(&batch.steps) {
        let Some(Ok(call)) = &step.call else { continue };
        if let Err(error) = report.step(number, &step.name, draft, call, terms) {
            violations.push(error.prefixed(&format!("call {number} ({}): ", step.name)));
        }
    }
    Violations::joined(violations).map_or_else(|| Ok(report.finish()), Err)
}

/// A partially applied batch.
#[derive(Debug, Clone)]
pub(crate) struct Progress {
    batch: Batch<Call>,
    done: usize,
}

/// A stopped batch.
pub(crate) struct Stop {
    /// The message for the model.
    pub(crate) message: String,
    /// The progress, to continue from.
    pub(crate) progress: Progress,
}

impl Progress {
    /// The start of `batch`, or, if it is a correction, the progress of `stopped`.
    pub(crate) fn of(batch: &Batch<Call>, stopped: Option<&Self>) -> Result<Self, Violations> {
        if !batch.is_correction() {
            return Ok(Self { batch: batch.clone(), done: 0 });
        }
        let stopped = stopped.ok_or_else(|| {
            Violations::one(format!(
                "{BATCH_NAME}: no batch waits for a correction: another one stopped after it, or it was long ago; \
                 send the calls that are left without 'index'"
            ))
        })?;
        let corrected = stopped.batch.clone().corrected(stopped.done, batch)?;
        Ok(Self { batch: corrected, done: stopped.done })
    }

    /// Applies the remaining calls until one fails. The draft keeps the applied ones.
    pub(crate) fn go_on(mut self, draft: &mut Draft, terms: Terms<'_>) -> (Done, Option<Stop>) {
        let mut report = Report::default();
        while let Some(step) = self.batch.steps.get(self.done) {
            let number = self.done + 1;
            let done = match &step.call {
                None => Ok(()),
                Some(Ok(call)) => report.step(number, &step.name, draft, call, terms),
                Some(Err(unreadable)) => Err(unreadable.clone()),
            };
            if let Err(error) = done {
                let message = self.explain(&error);
                return (report.finish(), Some(Stop { message, progress: self }));
            }
            self.done += 1;
        }
        (report.finish(), None)
    }

    /// What failed, what was kept, and how to continue.
    fn explain(&self, error: &Violations) -> String {
        let (failed, count) = (self.done + 1, self.batch.steps.len());
        let name = &self.batch.steps[self.done].name;
        let stays = match self.done {
            0 => "Nothing was changed".to_owned(),
            1 => "Call 1 is done and stays".to_owned(),
            done => format!("Calls 1 to {done} are done and stay"),
        };
        let rest = match count - failed {
            0 => String::new(),
            1 => format!("; call {count} follows by itself then"),
            _ => format!("; calls {} to {count} follow by themselves then", failed + 1),
        };
        let mut text = format!(
            "call {failed} ({name}): {error}. {stays}. Send only the corrected call: {BATCH_NAME} {{\"calls\": \
             [{{\"index\": {failed}, \"name\": ..., \"args\": ...}}]}}, or {{\"index\": {failed}, \"skip\": \
             true}}{rest}"
        );
        if let Some(more) = Violations::joined(self.batch.unreadable(failed + 1)) {
            text = format!("{text}. Correct with it: {more}");
        }
        text
    }
}

/// The results of a batch.
#[derive(Default)]
struct Report {
    done: usize,
    calls: Vec<Value>,
    about: Vec<(Kind, String)>,
}

impl Report {
    fn step(
        &mut self,
        number: usize,
        name: &str,
        draft: &mut Draft,
        call: &Call,
        terms: Terms<'_>,
    ) -> Result<(), Violations> {
        let before = draft.clone();
        let done = one(draft, call, terms)?;
        self.done += 1;
        let step = AppliedCall { number, name, call, done: &done };
        self.calls.extend(step.told(before.scene(), draft.scene()));
        self.about.extend(done.about);
        Ok(())
    }

    fn finish(mut self) -> Done {
        let mut told = HashSet::new();
        self.about.retain(|thing| told.insert(thing.clone()));
        let mut result = json!({ "done": self.done });
        if !self.calls.is_empty() {
            result["calls"] = self.calls.into();
        }
        Done { result, about: self.about, said: None }
    }
}

/// An applied call of a batch.
struct AppliedCall<'a> {
    number: usize,
    name: &'a str,
    call: &'a Call,
    done: &'a Done,
}

impl AppliedCall<'_> {
    /// Information that the arguments do not contain: the names of created objects, the position of
    /// the camera.
    fn told(&self, before: &Scene, after: &Scene) -> Option<Value> {
        let about = &self.done.about;
        let is_edit = matches!(self.call, Call::Edit(_));
        let facts = match &about[..] {
            [(Kind::Camera, _)] if !is_edit => {
                Map::from_iter([("camera".to_owned(), after.camera.to_json())])
            }
            [] | [(Kind::Camera | Kind::Environment | Kind::Animation, _)] => return None,
            [(_, id)] if is_edit || before.kind_of(id).is_some() => return None,
            about => names(before, after, about),
        };
        let mut told = Map::new();
        told.insert("index".into(), self.number.into());
        told.insert("name".into(), self.name.into());
        told.extend(facts);
        if let Some(Value::Object(said)) = &self.done.said {
            told.extend(said.iter().map(|(name, value)| (name.clone(), value.clone())));
        }
        Some(told.into())
    }
}

/// The number of affected objects, their names, and new groups.
fn names(before: &Scene, after: &Scene, about: &[(Kind, String)]) -> Map<String, Value> {
    let objects = about.iter().filter(|(kind, _)| *kind != Kind::Group);
    let ids: Vec<&str> = objects.map(|(_, id)| id.as_str()).collect();
    let mut names = Map::new();
    names.insert("count".into(), ids.len().into());
    names.insert("ids".into(), several(&ids));
    let known: HashSet<&str> = before.group_ids().collect();
    let mut seen = HashSet::new();
    let new = after.group_ids().filter(|group| !known.contains(group));
    let new: Vec<&str> = new.filter(|group| seen.insert(*group)).collect();
    if !new.is_empty() {
        names.insert("new_groups".into(), several(&new));
    }
    names
}

/// Plans `call` on the draft and applies its edits. After an error the draft is unchanged.
fn one(draft: &mut Draft, call: &Call, terms: Terms<'_>) -> Result<Done, Violations> {
    let plan = if call.needs_space(draft.scene()) {
        let assets = std::sync::Arc::clone(draft.assets());
        call.plan(&Space::of(draft.scene(), &*assets).with_own_objects(terms.own))?
    } else {
        call.plan_alone()
    };
    (terms.refuse)(&plan.edits)?;
    let before = draft.clone();
    let (mut last, mut violations) = (Value::Null, Vec::new());
    for edit in &plan.edits {
        match draft.apply(edit) {
            Ok(result) => last = result,
            Err(error) => violations.push(error),
        }
    }
    if let Some(violations) = Violations::joined(violations) {
        *draft = before;
        return Err(violations);
    }
    if let Err(violations) = (terms.stays_within)(before.scene(), draft.scene()) {
        *draft = before;
        return Err(violations);
    }
    let said =
        plan.result.as_ref().and_then(|result| Some(json!({ "fitted": result.get("fitted")? })));
    let result = match (plan.result, &plan.about[..]) {
        (Some(result), _) => result,
        // The result of a single edit is the most precise one.
        (None, _) if !last.is_null() && plan.edits.len() == 1 => last,
        (None, [(kind, id)]) => draft.scene().thing(*kind, id).unwrap_or_default(),
        (None, about) => names(before.scene(), draft.scene(), about).into(),
    };
    Ok(Done { result, about: plan.about, said })
}
