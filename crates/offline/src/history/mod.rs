//! Reads the history: what the person still waits for, what was done about it, what "it" is.
//!
//! This model keeps nothing between requests; all it knows stands in the history, which may also
//! hold answers of other models, calls that were interrupted, and notes in brackets.

mod deed;
mod job;

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

use llm::{Content, Role};
use serde_json::Value;

use crate::answer::{Outcome, question_in};
use crate::check::CHECK;
use crate::language::{FollowUp, Names, follow_up, kind_spoken_of};
use crate::plan::is_moderated;
use crate::resolve::Context;
use crate::world::{Thing, World};

pub(crate) use deed::Deed;
pub(crate) use job::{Job, Look, Step};

use deed::Done;
use job::Touched;

/// The name of the tool that shows the scene.
pub(crate) const LOOK: &str = "get_scene_state";

/// Everything the history tells. It borrows from the history: a scene of hundreds of things stands there
/// once for every look, and is read only where something asks for it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Situation<'a> {
    /// What is to be done now; none when nobody asked for anything.
    pub(crate) job: Option<Job<'a>>,
    /// What was done since the last answer for messages before this one.
    pub(crate) unreported: Vec<Job<'a>>,
    /// The last message that was cut off, for "continue".
    pub(crate) unfinished: Option<Job<'a>>,
    /// The clause this model asked about in its last answer.
    pub(crate) question: Option<String>,
    /// What failed last and why: a call, or a wish that was not understood.
    pub(crate) failure: Option<String>,
    /// The last messages that were answered, the last last: for what they spoke of, and for what
    /// "and the box" repeats.
    pub(crate) recent: Vec<Job<'a>>,
    /// What was done and can be taken back, the last last.
    deeds: Vec<Done<'a>>,
    /// What was taken back and can be done again, the last last.
    undone: Vec<Done<'a>>,
    /// What jobs took away: the scene before, and the names; the last job last.
    gone: Vec<(Look<'a>, Vec<&'a str>)>,
    /// The things every earlier job touched, the last job last.
    touched: Vec<Vec<Touched<'a>>>,
}

/// A call that has no result yet: its id, its name and its arguments.
type Awaited<'a> = (Option<&'a str>, &'a str, &'a Value);

/// How many earlier messages tell what is spoken of.
const MOST_RECENT: usize = 3;

/// How many messages that took something away are kept in mind.
const MOST_GONE: usize = 5;

/// How many messages back "both" and "them" look for what they mean.
const MOST_SPOKEN_OF: usize = 12;

/// How many deeds are kept in mind.
const MOST_DEEDS: usize = 50;

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

impl<'a> Situation<'a> {
    /// Reads a history of any origin.
    pub(crate) fn read(contents: &'a [Content]) -> Self {
        let mut situation = Self::default();
        let mut awaited: VecDeque<Awaited> = VecDeque::new();
        for content in contents {
            match content.role {
                // The scene is looked at where it is needed.
                Role::User if content.is_context() => {}
                Role::User => {
                    // Some services put results into the person's turn.
                    situation.take_results(content, &mut awaited);
                    situation.hear(&content.visible_text());
                }
                Role::Model => {
                    situation.lose(&mut awaited);
                    awaited = content
                        .calls()
                        .map(|call| (call.id, call.name, call.args.unwrap_or(&Value::Null)))
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
        if let Some(complaint) = complaint_in(text) {
            self.failure = Some(format!("I could not do it as it was said. {complaint}"));
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
    fn lose(&mut self, awaited: &mut VecDeque<Awaited<'a>>) {
        let outcomes = awaited.drain(..).map(|(_, name, args)| {
            let result = Err("the call was interrupted".into());
            Outcome { name, args, result }
        });
        self.record(outcomes.collect());
    }

    fn take_results(&mut self, content: &'a Content, awaited: &mut VecDeque<Awaited<'a>>) {
        let mut outcomes = Vec::new();
        for response in content.responses() {
            let by_id = awaited.iter().position(|(id, ..)| id.is_some() && *id == response.id);
            let by_name = || awaited.iter().position(|(_, name, _)| *name == response.name);
            let Some(index) = by_id.or_else(by_name) else { continue };
            let Some((_, name, args)) = awaited.remove(index) else { continue };
            outcomes.push(Outcome { name, args, result: result_of(response.response) });
        }
        self.record(outcomes);
    }

    fn record(&mut self, outcomes: Vec<Outcome<'a>>) {
        if outcomes.is_empty() {
            return;
        }
        let named = |name: &'static str| move |outcome: &Outcome| outcome.name == name;
        let (looks, others): (Vec<Outcome>, Vec<Outcome>) =
            outcomes.into_iter().partition(named(LOOK));
        let (checks, changes): (Vec<Outcome>, Vec<Outcome>) =
            others.into_iter().partition(named(CHECK));
        for outcome in looks.iter().chain(&checks).chain(&changes) {
            if let Err(error) = &outcome.result {
                self.failure = Some(format!("The last call that failed said: {error}"));
                if tells_of_interruption(error) {
                    self.cut_off();
                }
            }
        }
        let job = self.job.get_or_insert_default();
        for look in looks {
            job.steps.push(match look.result {
                Ok(scene) => Step::Look(Look::new(scene)),
                Err(error) => Step::Blind(error),
            });
        }
        let changes: Vec<Outcome> =
            changes.into_iter().filter(|outcome| changes_scene(outcome.name)).collect();
        if !changes.is_empty() {
            job.steps.push(Step::Wave(changes));
        }
        let reports = checks.into_iter().map(|check| check.result.unwrap_or(&Value::Null));
        job.steps.extend(reports.map(Step::Check));
    }

    /// Keeps in mind what a job did, so that it can be taken back or done differently.
    fn keep_deed(&mut self, job: &Job<'a>, asked: Option<&str>) {
        let Some(mut deed) = job.deed() else { return };
        match follow_up(&job.message) {
            FollowUp::Undo(steps) => {
                let steps = self.steps_back(&job.message, steps);
                let kept = self.deeds.len().saturating_sub(steps);
                let undone = self.deeds.drain(kept..).next_back();
                // Done again it leads back to how the scene was before it was taken back.
                self.undone.extend(undone.map(|undone| Done { message: undone.message, ..deed }));
            }
            FollowUp::Redo => {
                let message = self.undone.pop().map_or(deed.message, |undone| undone.message);
                deed = Done { message, ..deed };
                self.deeds.push(deed);
            }
            FollowUp::Amount | FollowUp::Correction if asked.is_none() => {
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
            FollowUp::Answer | FollowUp::Amount | FollowUp::Correction => {
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
    fn remember(&mut self, job: &Job<'a>, asked: Option<&str>) {
        let corrected = self.deeds.last().map(|deed| deed.ids.clone()).unwrap_or_default();
        self.keep_deed(job, asked);
        if let Some(gone) = job.taken_away() {
            self.gone.push(gone);
            let surplus = self.gone.len().saturating_sub(MOST_GONE);
            self.gone.drain(..surplus);
        }
        let mut touched = job.touched();
        if asked.is_none() && follow_up(&job.message) == FollowUp::Correction {
            // "no, the box": what is only as it was before is not what was spoken of.
            let meant = |touched: &Touched| !corrected.contains(&touched.id);
            if touched.iter().any(|touched| meant(touched) && !touched.new) {
                touched.retain(meant);
            }
            // "no, only the left one": nor is what was put back.
            let kept = |earlier: &Touched| !touched.iter().any(|touched| touched.id == earlier.id);
            let last = self.touched.last().cloned().unwrap_or_default();
            let back = !touched.is_empty() && touched.iter().all(|touched| !meant(touched));
            if back && last.iter().any(kept) {
                touched = last.into_iter().filter(kept).collect();
            }
        }
        for outcome in job.outcomes().filter(|outcome| outcome.result.is_ok()) {
            if let (Some(old), Some(new)) = (outcome.id(), outcome.new_id()) {
                for earlier in self.touched.iter_mut().flatten().filter(|t| t.id == old) {
                    earlier.id = new;
                }
            }
        }
        if !touched.is_empty() {
            self.touched.push(touched);
        }
    }

    /// How many deeds "the other way round was better" takes back: all that one wish was said of.
    fn steps_back(&self, message: &str, steps: usize) -> usize {
        let message = message.to_lowercase();
        if steps != 1 || !message.contains("better") || !message.contains("way") {
            return steps;
        }
        let wish = self.deeds.last().map(|deed| &deed.message);
        let same = self.deeds.iter().rev().take_while(|deed| Some(&deed.message) == wish);
        same.count().max(1)
    }

    /// Whether anything was done that could be done differently.
    pub(crate) fn has_acted(&self) -> bool {
        !self.deeds.is_empty()
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
            return last.deed();
        }
        let mut ids: Vec<&str> = meant.iter().flat_map(|deed| deed.ids.iter().copied()).collect();
        ids.dedup();
        let renamed = meant.iter().rev().flat_map(|deed| deed.renamed.iter().copied()).collect();
        Done { before: first.before.clone(), ids, renamed, ..last.clone() }.deed()
    }

    /// The deed that was taken back last.
    pub(crate) fn undone(&self) -> Option<Deed> {
        self.undone.last()?.deed()
    }

    /// What every job took away, as it was, the last job last.
    pub(crate) fn gone(&self) -> Vec<Vec<Thing>> {
        let things = |(look, ids): &(Look, Vec<&str>)| {
            let before = look.world().unwrap_or_default();
            let gone = before.things.iter().filter(|thing| ids.contains(&thing.id.as_str()));
            gone.cloned().collect()
        };
        self.gone.iter().map(things).collect()
    }

    /// What the words of the job may refer to in this scene.
    pub(crate) fn context(&self, world: &World) -> Context {
        let known: HashMap<&str, &Thing> =
            world.things.iter().map(|thing| (thing.id.as_str(), thing)).collect();
        let exists = |touched: &&Touched| known.contains_key(touched.id);
        let is_scenery = |touched: &Touched| {
            touched.light
                || known.get(touched.id).is_some_and(|thing| thing.is_floor() || thing.is_wall())
        };
        let ids = |touched: &[&Touched]| -> Vec<String> {
            touched.iter().map(|touched| touched.id.to_owned()).collect()
        };
        let mut spoken_of = self.touched.iter().rev().filter_map(|job| {
            let there: Vec<&Touched> = job.iter().filter(exists).collect();
            let main = there.iter().copied().filter(|touched| !is_scenery(touched));
            let main: Vec<&Touched> = main.collect();
            let meant = if main.is_empty() { there } else { main };
            (!meant.is_empty()).then(|| ids(&meant))
        });
        let focus = spoken_of.next();
        let before: Vec<Vec<String>> = spoken_of.take(MOST_SPOKEN_OF).collect();
        let selection = self.job.as_ref().map(|job| job.selection.clone()).unwrap_or_default();
        let names = Names::of(world);
        let kind = self.recent.iter().rev().find_map(|job| kind_spoken_of(&job.message, &names));
        let there = |touched: &&Touched| touched.new && exists(touched);
        let made =
            self.touched.iter().map(|job| ids(&job.iter().filter(there).collect::<Vec<_>>()));
        let made = made.filter(|ids| !ids.is_empty()).collect();
        let focus = focus.unwrap_or_default();
        Context { focus, before, selection, answer: None, kind, made, named: Vec::new() }
    }
}

/// What an answer says was not understood or cannot be done.
fn complaint_in(answer: &str) -> Option<&str> {
    const OPENINGS: [&str; 4] = ["I did not understand", "I found no", "I cannot", "I don't know"];
    let openings = OPENINGS.iter().filter_map(|opening| answer.find(opening));
    openings.min().map(|start| answer[start..].trim())
}

/// `{"success": true, "result": ...}` or `{"success": false, "error": "..."}`.
fn result_of(response: Option<&Value>) -> Result<&Value, Cow<'_, str>> {
    let Some(response) = response else { return Err("the call got no result".into()) };
    if response.get("success").and_then(Value::as_bool) == Some(true) {
        return Ok(response.get("result").unwrap_or(&Value::Null));
    }
    let error = response.get("error");
    let text = error.and_then(Value::as_str).map(Cow::Borrowed);
    Err(text.unwrap_or_else(|| error.unwrap_or(response).to_string().into()))
}

fn changes_scene(name: &str) -> bool {
    ["create_", "update_", "remove_", "set_"].iter().any(|prefix| name.starts_with(prefix))
}
