//! Reads the history: what the person still waits for, what was done about it, what "it" is.
//!
//! This model keeps nothing between requests; all it knows stands in the history, which may also
//! hold answers of other models, calls that were interrupted, and notes in brackets.

use llm::{Content, Role};
use serde_json::Value;

use crate::answer::{Outcome, question_in};
use crate::check::CHECK;
pub(crate) use crate::deed::Deed;
use crate::language::{FollowUp, follow_up, kind_spoken_of};
use crate::plan::{Call, is_moderated};
use crate::resolve::Context;
use crate::world::{Thing, World};

/// The name of the tool that shows the scene.
pub(crate) const LOOK: &str = "get_scene_state";

/// What happened for a message, in order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    /// The scene was looked at.
    Look(Value),
    /// Looking failed; the error.
    Blind(String),
    /// Calls that change the scene, and how they ended.
    Wave(Vec<Outcome>),
    /// The scene was looked over for mistakes; what was found, null where that failed.
    Check(Value),
}

/// One message of the person (or several that came before anything was done) and its steps.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Job {
    pub(crate) message: String,
    pub(crate) selection: Vec<String>,
    pub(crate) steps: Vec<Step>,
    /// The clause this model had asked about before it.
    pub(crate) answers: Option<String>,
    /// Whether it was cut off: what is left of it is done only when the person says so.
    interrupted: bool,
}

/// Everything the history tells.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Situation {
    /// What is to be done now; none when nobody asked for anything.
    pub(crate) job: Option<Job>,
    /// What was done since the last answer for messages before this one.
    pub(crate) unreported: Vec<Job>,
    /// The last message that was cut off, for "continue".
    pub(crate) unfinished: Option<Job>,
    /// The clause this model asked about in its last answer.
    pub(crate) question: Option<String>,
    /// The error of the last call that failed.
    pub(crate) failure: Option<String>,
    /// What was done and can be taken back, the last last.
    pub(crate) deeds: Vec<Deed>,
    /// What was taken back and can be done again, the last last.
    pub(crate) undone: Vec<Deed>,
    /// The last messages that were answered, the last last: for what they spoke of, and for what
    /// "and the box" repeats.
    pub(crate) recent: Vec<Job>,
    /// What every job took away, the last job last.
    pub(crate) gone: Vec<Vec<Thing>>,
    /// The things every earlier job touched, the last job last.
    touched: Vec<Vec<Touched>>,
}

/// How many earlier messages tell what is spoken of.
const MOST_RECENT: usize = 3;

/// How many messages that took something away are kept in mind.
const MOST_GONE: usize = 5;

/// How many deeds are kept in mind.
const MOST_DEEDS: usize = 50;

#[derive(Debug, Clone, PartialEq)]
struct Touched {
    id: String,
    /// A floor, a wall or a light.
    scenery: bool,
    /// Whether it was made then.
    new: bool,
}

/// The text of a message and the selection in its first line.
fn read_message(text: &str) -> (String, Vec<String>) {
    let trimmed = text.trim_start();
    let selected = trimmed.strip_prefix("[selected:").and_then(|rest| rest.split_once(']'));
    match selected {
        Some((ids, rest)) => {
            let ids = ids.split(',').map(|id| id.trim().to_owned()).filter(|id| !id.is_empty());
            (rest.trim().to_owned(), ids.collect())
        }
        None => (text.trim().to_owned(), Vec::new()),
    }
}

/// A note of the machinery, not a wish of the person.
fn is_note(text: &str) -> bool {
    let text = text.trim();
    !text.starts_with("[selected:")
        && ((text.starts_with('[') && text.ends_with(']'))
            || (text.starts_with('(') && text.ends_with(')')))
}

fn tells_of_interruption(text: &str) -> bool {
    let text = text.to_lowercase();
    ["interrupt", "cancel", "aborted", "stopped by"].iter().any(|word| text.contains(word))
}

impl Situation {
    /// Reads a history of any origin.
    pub(crate) fn read(contents: &[Content]) -> Self {
        let mut situation = Self::default();
        let mut awaited: Vec<(Option<String>, Call)> = Vec::new();
        for content in contents {
            match content.role {
                Role::User => {
                    // Some services put results into the person's turn.
                    situation.take_results(content, &mut awaited);
                    situation.hear(&content.visible_text());
                }
                Role::Model => {
                    situation.lose(&mut awaited);
                    awaited = content
                        .calls()
                        .map(|call| {
                            let args = call.args.cloned().unwrap_or(Value::Null);
                            (call.id.map(str::to_owned), Call::new(call.name, args))
                        })
                        .collect();
                    if awaited.is_empty() {
                        situation.answered(&content.visible_text());
                    }
                }
                Role::Function => situation.take_results(content, &mut awaited),
            }
        }
        situation.lose(&mut awaited);
        situation
    }

    fn hear(&mut self, text: &str) {
        if is_note(text) {
            if tells_of_interruption(text) {
                self.cut_off();
            }
            return;
        }
        let (message, selection) = read_message(text);
        if message.is_empty() && selection.is_empty() {
            return;
        }
        let acted = |job: &Job| job.steps.iter().any(|step| matches!(step, Step::Wave(_)));
        match self.job.take() {
            Some(mut job) if !job.interrupted && !acted(&job) => {
                job.message = [job.message.as_str(), message.as_str()].join("\n");
                job.selection.extend(selection);
                self.job = Some(job);
            }
            earlier => {
                if let Some(earlier) = earlier {
                    self.remember(&earlier, None);
                    if earlier.interrupted {
                        self.unfinished = Some(earlier.clone());
                    }
                    self.unreported.push(earlier);
                }
                self.job = Some(Job { message, selection, ..Job::default() });
            }
        }
    }

    /// A model answered with text alone: whatever was asked before is settled.
    fn answered(&mut self, text: &str) {
        // An answer that was cut off ends with a note in brackets.
        let note = text.trim_end().strip_suffix(']').and_then(|text| text.rsplit_once('['));
        if note.is_some_and(|(_, note)| tells_of_interruption(note)) {
            self.cut_off();
        }
        let asked = std::mem::replace(&mut self.question, question_in(text));
        self.unfinished = None;
        if let Some(mut job) = self.job.take() {
            self.remember(&job, asked.as_deref());
            job.answers = asked;
            self.recent.push(job.clone());
            let surplus = self.recent.len().saturating_sub(MOST_RECENT);
            self.recent.drain(..surplus);
            let nothing_done = job.steps.is_empty();
            self.unfinished = (nothing_done || job.interrupted).then_some(job);
        }
        self.unreported.clear();
    }

    fn cut_off(&mut self) {
        if let Some(job) = &mut self.job {
            job.interrupted = true;
        }
    }

    /// Calls that never got a result.
    fn lose(&mut self, awaited: &mut Vec<(Option<String>, Call)>) {
        let lost = std::mem::take(awaited);
        let outcomes = lost.into_iter().map(|(_, call)| {
            let result = Err("the call was interrupted".to_owned());
            Outcome { call, result }
        });
        self.record(outcomes.collect());
    }

    fn take_results(&mut self, content: &Content, awaited: &mut Vec<(Option<String>, Call)>) {
        let mut outcomes = Vec::new();
        for response in content.responses() {
            let by_id =
                awaited.iter().position(|(id, _)| id.is_some() && id.as_deref() == response.id);
            let by_name = || awaited.iter().position(|(_, call)| call.name == response.name);
            let Some(index) = by_id.or_else(by_name) else { continue };
            let (_, call) = awaited.remove(index);
            outcomes.push(Outcome { call, result: result_of(response.response) });
        }
        self.record(outcomes);
    }

    fn record(&mut self, outcomes: Vec<Outcome>) {
        if outcomes.is_empty() {
            return;
        }
        let named = |name: &'static str| move |outcome: &Outcome| outcome.call.name == name;
        let (looks, others): (Vec<Outcome>, Vec<Outcome>) =
            outcomes.into_iter().partition(named(LOOK));
        let (checks, changes): (Vec<Outcome>, Vec<Outcome>) =
            others.into_iter().partition(named(CHECK));
        for outcome in looks.iter().chain(&checks).chain(&changes) {
            if let Err(error) = &outcome.result {
                self.failure = Some(error.clone());
                if tells_of_interruption(error) {
                    self.cut_off();
                }
            }
        }
        let job = self.job.get_or_insert_default();
        for look in looks {
            job.steps.push(match look.result {
                Ok(scene) => Step::Look(scene),
                Err(error) => Step::Blind(error),
            });
        }
        let changes: Vec<Outcome> =
            changes.into_iter().filter(|outcome| changes_scene(&outcome.call.name)).collect();
        if !changes.is_empty() {
            job.steps.push(Step::Wave(changes));
        }
        let reports = checks.into_iter().map(|check| check.result.unwrap_or_default());
        job.steps.extend(reports.map(Step::Check));
    }

    /// Keeps in mind what a job did, so that it can be taken back or done differently.
    fn keep_deed(&mut self, job: &Job, asked: Option<&str>) {
        let Some(mut deed) = job.deed() else { return };
        match follow_up(&job.message) {
            FollowUp::Undo(steps) => {
                let steps = self.steps_back(&job.message, steps);
                let kept = self.deeds.len().saturating_sub(steps);
                let undone = self.deeds.drain(kept..).next_back();
                // Done again it leads back to how the scene was before it was taken back.
                self.undone.extend(undone.map(|undone| Deed { message: undone.message, ..deed }));
            }
            FollowUp::Redo => {
                let message = self.undone.pop().map_or(deed.message, |undone| undone.message);
                deed = Deed { message, ..deed };
                self.deeds.push(deed);
            }
            FollowUp::Correction => {
                if let Some(last) = self.deeds.last() {
                    deed.corrects(last);
                }
                self.deeds.push(deed);
            }
            FollowUp::Excess => {
                let last = self.deeds.last();
                if let Some(last) = last.filter(|last| is_moderated(&last.message, &deed.message)) {
                    deed.corrects(last);
                }
                self.undone.clear();
                self.deeds.push(deed);
            }
            FollowUp::Answer => {
                // What was asked about, or the same done to something else.
                let wish = asked.or(self.deeds.last().map(|last| last.message.as_str()));
                if let Some(wish) = wish {
                    deed.message = wish.to_owned();
                }
                self.undone.clear();
                self.deeds.push(deed);
            }
            FollowUp::None => {
                self.undone.clear();
                self.deeds.push(deed);
            }
        }
        let surplus = self.deeds.len().saturating_sub(MOST_DEEDS);
        self.deeds.drain(..surplus);
    }

    /// Notes what a job touched, so that "it" can be found later.
    fn remember(&mut self, job: &Job, asked: Option<&str>) {
        self.keep_deed(job, asked);
        let gone = job.taken_away();
        if !gone.is_empty() {
            self.gone.push(gone);
            let surplus = self.gone.len().saturating_sub(MOST_GONE);
            self.gone.drain(..surplus);
        }
        let touched = job.touched();
        for outcome in job.outcomes().filter(|outcome| outcome.result.is_ok()) {
            let new_id = outcome.call.args.pointer("/updates/id").and_then(Value::as_str);
            if let (Some(old), Some(new)) = (outcome.call.id(), new_id) {
                for earlier in self.touched.iter_mut().flatten().filter(|t| t.id == old) {
                    earlier.id = new.to_owned();
                }
            }
        }
        if !touched.is_empty() {
            self.touched.push(touched);
        }
    }

    /// How many deeds "the other way round was better" takes back: all that one wish was said of.
    fn steps_back(&self, message: &str, steps: usize) -> usize {
        if steps != 1 || !message.to_lowercase().contains("better") {
            return steps;
        }
        let wish = self.deeds.last().map(|deed| &deed.message);
        let same = self.deeds.iter().rev().take_while(|deed| Some(&deed.message) == wish);
        same.count().max(1)
    }

    /// The deed that `message` takes back or does differently: the last, or the last few as one.
    pub(crate) fn last_deed(&self, message: &str) -> Option<Deed> {
        let steps = match follow_up(message) {
            FollowUp::Undo(steps) => self.steps_back(message, steps),
            _ => 1,
        };
        let meant = &self.deeds[self.deeds.len().saturating_sub(steps)..];
        let (first, last) = (meant.first()?, meant.last()?);
        if meant.len() == 1 {
            return Some(last.clone());
        }
        let mut ids: Vec<String> = meant.iter().flat_map(|deed| deed.ids.clone()).collect();
        ids.dedup();
        let renamed = meant.iter().rev().flat_map(|deed| deed.renamed.clone()).collect();
        Some(Deed { before: first.before.clone(), ids, renamed, ..last.clone() })
    }

    /// What the words of the job may refer to in this scene.
    pub(crate) fn context(&self, world: &World) -> Context {
        let exists = |touched: &&Touched| world.find(&touched.id).is_some();
        let mut spoken_of = self.touched.iter().rev().filter_map(|job| {
            let there: Vec<&Touched> = job.iter().filter(exists).collect();
            let main = there.iter().filter(|touched| !touched.scenery);
            let main: Vec<String> = main.map(|touched| touched.id.clone()).collect();
            let all = || there.iter().map(|touched| touched.id.clone()).collect();
            if there.is_empty() {
                None
            } else if main.is_empty() {
                Some(all())
            } else {
                Some(main)
            }
        });
        let focus = spoken_of.next();
        let earlier = spoken_of.next().unwrap_or_default();
        let selection = self.job.as_ref().map(|job| job.selection.clone()).unwrap_or_default();
        let names = world.names();
        let kind = self.recent.iter().rev().find_map(|job| kind_spoken_of(&job.message, &names));
        let there = |touched: &&Touched| touched.new && exists(touched);
        let made = self.touched.iter().map(|job| {
            job.iter().filter(there).map(|touched| touched.id.clone()).collect::<Vec<_>>()
        });
        let made = made.filter(|ids| !ids.is_empty()).collect();
        Context { focus: focus.unwrap_or_default(), earlier, selection, answer: None, kind, made }
    }
}

impl Job {
    /// Every call that was made for it, with its result.
    pub(crate) fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.steps.iter().flat_map(|step| match step {
            Step::Wave(outcomes) => outcomes.as_slice(),
            Step::Look(_) | Step::Blind(_) | Step::Check(_) => &[],
        })
    }

    /// What was found when it was looked over after the last change.
    pub(crate) fn last_check(&self) -> Option<&Value> {
        match self.steps.last() {
            Some(Step::Check(report)) => Some(report),
            _ => None,
        }
    }

    /// The scene as it was first looked at.
    pub(crate) fn first_look(&self) -> Option<&Value> {
        self.steps.iter().find_map(|step| match step {
            Step::Look(scene) => Some(scene),
            _ => None,
        })
    }

    /// The calls that were cut off.
    pub(crate) fn interrupted_calls(&self) -> Vec<Call> {
        let cut = |outcome: &&Outcome| {
            outcome.result.as_ref().is_err_and(|error| tells_of_interruption(error))
        };
        self.outcomes().filter(cut).map(|outcome| outcome.call.clone()).collect()
    }

    /// What it did to the scene; none when nothing, or when the scene was not looked at.
    fn deed(&self) -> Option<Deed> {
        let before = self.first_look()?.clone();
        let done: Vec<&Outcome> =
            self.outcomes().filter(|outcome| outcome.result.is_ok()).collect();
        if done.is_empty() {
            return None;
        }
        let ids = done.iter().filter_map(|outcome| outcome.call.id().map(str::to_owned));
        let renamed = done.iter().filter_map(|outcome| {
            let new = outcome.call.args.pointer("/updates/id").and_then(Value::as_str)?;
            Some((outcome.call.id()?.to_owned(), new.to_owned()))
        });
        let (ids, renamed) = (ids.collect(), renamed.collect());
        let (message, said) = (self.message.clone(), self.message.clone());
        Some(Deed { message, said, before, origin: None, ids, renamed })
    }

    /// The things it removed, as they were.
    fn taken_away(&self) -> Vec<Thing> {
        let removed =
            |outcome: &&Outcome| outcome.result.is_ok() && outcome.call.name.starts_with("remove_");
        let ids: Vec<&str> = self.outcomes().filter(removed).filter_map(|o| o.call.id()).collect();
        if ids.is_empty() {
            return Vec::new();
        }
        let before = self.first_look().and_then(World::read).unwrap_or_default();
        before.things.into_iter().filter(|thing| ids.contains(&thing.id.as_str())).collect()
    }

    /// Whether it made or changed things.
    pub(crate) fn touches(&self) -> bool {
        !self.touched().is_empty()
    }

    fn touched(&self) -> Vec<Touched> {
        let mut touched: Vec<Touched> = Vec::new();
        for outcome in self.outcomes() {
            let Ok(result) = &outcome.result else { continue };
            let light = outcome.call.name.ends_with("_light");
            let created = outcome.call.name.starts_with("create_");
            let updated = outcome.call.name.starts_with("update_");
            if !created && !updated {
                continue;
            }
            let thing = Thing::read(result, light);
            let id = thing.as_ref().map(|thing| thing.id.clone());
            let scenery = light || thing.is_some_and(|thing| thing.is_floor() || thing.is_wall());
            if let Some(id) = id.or_else(|| outcome.call.id().map(str::to_owned)) {
                touched.retain(|known| known.id != id);
                touched.push(Touched { id, scenery, new: created });
            }
        }
        touched
    }
}

/// `{"success": true, "result": ...}` or `{"success": false, "error": "..."}`.
fn result_of(response: Option<&Value>) -> Result<Value, String> {
    let Some(response) = response else { return Err("the call got no result".to_owned()) };
    if response.get("success").and_then(Value::as_bool) == Some(true) {
        return Ok(response.get("result").cloned().unwrap_or(Value::Null));
    }
    let error = response.get("error");
    let text = error.and_then(Value::as_str).map(str::to_owned);
    Err(text.unwrap_or_else(|| error.unwrap_or(response).to_string()))
}

fn changes_scene(name: &str) -> bool {
    ["create_", "update_", "remove_", "set_"].iter().any(|prefix| name.starts_with(prefix))
}
