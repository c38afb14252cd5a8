//! The messages so far, read one after the other: what state they leave behind.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use scene::Scene;

use crate::answer::trouble;
use crate::frames::Say;
use crate::history::Turn;
use crate::plan::Remark;

use super::interpret::{Interpretation, interpret};
use super::state::{Asked, State};

/// What is remembered of earlier lists.
const MAX_FOCUS: usize = 6;
const MAX_PAST: usize = 30;
/// Older messages are not read again.
const MAX_TURNS: usize = 12;
/// Interpretations that are kept: those of a few sessions at a time.
const MAX_KEPT: usize = 96;

/// The last interpretations by what led to them. A mutex, since requests of several sessions come at a
/// time; it is held to look and to put in only.
static KEPT: Mutex<VecDeque<(u64, Arc<Interpretation>)>> = Mutex::new(VecDeque::new());

/// The scene that the last turn is about, and what it was taken for.
pub(crate) fn states(turns: &[Turn<'_>]) -> Option<(Arc<Scene>, Arc<Interpretation>)> {
    let first = turns.len().saturating_sub(MAX_TURNS);
    let (last, earlier) = turns.get(first..)?.split_last()?;
    let mut state = State::default();
    let mut unfinished: Option<&Turn<'_>> = None;
    for turn in earlier {
        let Some((scene, key)) = scene_of(turn, &state) else {
            state.follow(turn);
            continue;
        };
        let interpretation = gone_on_with(turn, &scene, &state, key, unfinished);
        unfinished = Some(turn).filter(|turn| turn.is_unfinished());
        if unfinished.is_none() {
            state.advance(&interpretation, &scene, key);
        }
    }
    let (scene, key) = scene_of(last, &state)?;
    let interpretation = gone_on_with(last, &scene, &state, key, unfinished);
    Some((scene, interpretation))
}

/// The interpretation of a turn, or of the one that was stopped, where the message is to go on with it.
fn gone_on_with(
    turn: &Turn<'_>,
    scene: &Arc<Scene>,
    state: &State,
    key: u64,
    unfinished: Option<&Turn<'_>>,
) -> Arc<Interpretation> {
    let found = remembered(turn, scene, state, key);
    let goes_on = matches!(found.frames.as_slice(), [frame] if frame.say == Some(Say::Continue));
    match unfinished.filter(|_| goes_on) {
        Some(stopped) => {
            let mut hasher = DefaultHasher::new();
            (key, &stopped.message, &stopped.selection).hash(&mut hasher);
            remembered(stopped, scene, state, hasher.finish())
        }
        None => found,
    }
}

fn scene_of(turn: &Turn<'_>, state: &State) -> Option<(Arc<Scene>, u64)> {
    let look = turn.look()?;
    let mut hasher = DefaultHasher::new();
    (state.key, &turn.message, &turn.selection, look.to_string()).hash(&mut hasher);
    Some((Arc::new(turn.before()?), hasher.finish()))
}

fn remembered(turn: &Turn<'_>, scene: &Arc<Scene>, state: &State, key: u64) -> Arc<Interpretation> {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, found)) = kept.iter().find(|(known, _)| *known == key) {
        return Arc::clone(found);
    }
    drop(kept);
    let made = Arc::new(interpret(&turn.message, &turn.selection, scene, state));
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.push_back((key, Arc::clone(&made)));
    let surplus = kept.len().saturating_sub(MAX_KEPT);
    kept.drain(..surplus);
    made
}

impl State {
    /// Takes in what another model did, without having read why.
    fn follow(&mut self, turn: &Turn<'_>) {
        let ids = turn.touched();
        if !ids.is_empty() {
            self.context.focus.insert(0, ids);
            self.context.focus.truncate(MAX_FOCUS);
        }
    }

    /// Takes a message in.
    pub(crate) fn advance(&mut self, done: &Interpretation, scene: &Arc<Scene>, key: u64) {
        self.key = key;
        self.asked = None;
        let changed = done.scene != **scene;
        match done.outcome.say {
            Some((Say::BringBack, _)) if changed && self.undone.is_empty() => {
                self.past.pop();
                self.undone.push(Arc::clone(scene));
            }
            Some((Say::Undo, steps)) if changed => {
                for _ in 0..steps {
                    self.past.pop();
                }
                self.undone.push(Arc::clone(scene));
            }
            Some((Say::Redo | Say::BringBack, _)) if changed => {
                self.undone.pop();
                self.past.push(Arc::clone(scene));
            }
            _ if changed => {
                self.past.push(Arc::clone(scene));
                self.undone.clear();
                self.frames.clone_from(&done.frames);
                if !done.is_fix {
                    self.spoken_before.clone_from(&self.context.focus);
                }
                self.checkpoint = Some(Arc::clone(&done.base));
            }
            _ => {}
        }
        let surplus = self.past.len().saturating_sub(MAX_PAST);
        self.past.drain(..surplus);
        let asked = done.outcome.remarks.iter().rev().find_map(|remark| match remark {
            Remark::Which(_, ids, open) => Some((Some(open), ids.clone())),
            Remark::Whom(_, open) | Remark::Missing(_, open) => Some((Some(open), Vec::new())),
            Remark::Question(_) => Some((None, Vec::new())),
            _ => None,
        });
        let stopped = done.outcome.stopped.as_ref().filter(|frame| frame.act.is_some());
        if let (Some((open, among)), Some(frame)) = (asked, stopped) {
            let open = open.map(|open| (**open).clone());
            if among.len() > 1 {
                self.context.among.clone_from(&among);
            }
            self.asked = Some(Asked { frame: frame.clone(), open, among });
        }
        self.context.gone.clone_from(&done.outcome.gone);
        if changed {
            self.context.done.clone_from(&done.news);
        }
        let troubles: Vec<String> = done.outcome.remarks.iter().filter_map(trouble).collect();
        if changed || !troubles.is_empty() {
            self.context.trouble = troubles;
        }
        if !done.outcome.made.is_empty() {
            self.context.among.clear();
        }
        if changed {
            self.context.mentioned.clone_from(&done.outcome.mentioned);
        }
        if !done.outcome.focus.is_empty() {
            self.context.focus.insert(0, done.outcome.focus.clone());
            self.context.focus.truncate(MAX_FOCUS);
        }
        if !done.outcome.made.is_empty() {
            self.context.made.push(done.outcome.made.clone());
        }
    }
}
