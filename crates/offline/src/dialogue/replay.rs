//! The messages so far, read one after the other: what state they leave behind.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use scene::Scene;
use serde_json::Value;

use crate::answer::trouble;
use crate::frames::{Act, Ask, Dimension, Frame, Quality, Say};
use crate::history::Turn;
use crate::plan::Remark;

use super::interpret::interpret;
use super::interpretation::Interpretation;
use super::state::{Asked, State};
use super::taken::{self, Taken};

/// What is remembered of earlier lists.
const MAX_FOCUS: usize = 6;
const MAX_PAST: usize = 30;
/// Older messages are not read again.
const MAX_TURNS: usize = 12;

/// The scene that the last turn is about, and what it was taken for.
pub(crate) fn states(turns: &[Turn<'_>]) -> Option<(Arc<Scene>, Arc<Interpretation>)> {
    let began = Instant::now();
    let first = turns.len().saturating_sub(MAX_TURNS);
    let (last, earlier) = turns.get(first..)?.split_last()?;
    let mut state = State::default();
    let mut unfinished: Option<&Turn<'_>> = None;
    for turn in earlier {
        let Some((key, taken)) = taken_for(turn, &state, unfinished, began) else {
            state.follow(turn);
            continue;
        };
        unfinished = Some(turn).filter(|turn| turn.is_unfinished());
        if unfinished.is_none() {
            state.advance(&taken.interpretation, &taken.scene, key);
        }
    }
    let (_, last) = taken_for(last, &state, unfinished, began)?;
    Some((last.scene, last.interpretation))
}

/// What a turn is taken for, or the one that was stopped, where the message is to go on with it; with a hash of all
/// that led to it. `None` where the scene was not looked at.
fn taken_for(
    turn: &Turn<'_>,
    state: &State,
    unfinished: Option<&Turn<'_>>,
    began: Instant,
) -> Option<(u64, Taken)> {
    let look = turn.look()?;
    let (key, text) = fingerprint(turn, look, state);
    let found = remembered(turn, key, text, state, began, || turn.before().map(Arc::new))?;
    let frames = found.interpretation.frames.as_slice();
    let goes_on = matches!(frames, [frame] if frame.say == Some(Say::Continue));
    let Some(stopped) = unfinished.filter(|_| goes_on) else { return Some((key, found)) };
    let mut hasher = DefaultHasher::new();
    (key, &stopped.message, &stopped.selection).hash(&mut hasher);
    let scene = || Some(found.scene);
    Some((key, remembered(stopped, hasher.finish(), text, state, began, scene)?))
}

/// What a message is taken for over the scene that `scene` gives, unless that is known already.
fn remembered(
    turn: &Turn<'_>,
    key: u64,
    text: usize,
    state: &State,
    began: Instant,
    scene: impl FnOnce() -> Option<Arc<Scene>>,
) -> Option<Taken> {
    if let Some(found) = taken::find(key) {
        return Some(found);
    }
    let scene = scene()?;
    let interpretation = Arc::new(interpret(&turn.message, &turn.selection, &scene, state));
    let made = Taken { scene, interpretation };
    taken::keep(key, &made, text, began);
    Some(made)
}

/// A hash of a message, of the scene and of all before it, and the bytes of the scene as JSON.
fn fingerprint(turn: &Turn<'_>, look: &Value, state: &State) -> (u64, usize) {
    let mut text = Hashed { hasher: DefaultHasher::new(), bytes: 0 };
    (state.key, &turn.message, &turn.selection).hash(&mut text.hasher);
    // Neither a value nor a hasher fails.
    let _ = serde_json::to_writer(&mut text, look);
    (text.hasher.finish(), text.bytes)
}

/// Hashes and counts what is written, which is kept nowhere.
struct Hashed {
    hasher: DefaultHasher,
    bytes: usize,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.hasher.write(bytes);
        self.bytes += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The dimension that is asked about, or that was set.
fn measured(frame: &Frame) -> Option<Dimension> {
    let of_quality = frame.qualities.iter().find_map(|quality| match quality {
        Quality::Exceeds { dimension, .. }
        | Quality::Compared { dimension, .. }
        | Quality::Measured { dimension, .. } => Some(*dimension),
        _ => None,
    });
    let is_so =
        frame.act == Some(Act::Ask) || (frame.act == Some(Act::Change) && frame.to.is_some());
    frame.dimension.or(of_quality).filter(|dimension| is_so && dimension.is_length())
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
                // What could not be done is nothing to go on from.
                let is_done = |frame: &&Frame| !done.outcome.failed.contains(frame);
                self.frames = done.frames.iter().filter(is_done).cloned().collect();
                if !done.is_fix {
                    self.spoken_before.clone_from(&self.context.focus);
                }
                self.checkpoint = Some(Arc::clone(&done.base));
            }
            _ => {}
        }
        let wishes = |frame: &Frame| !matches!(frame.act, Some(Act::Ask | Act::Say));
        let is_missed = !changed && (done.frames.is_empty() || done.frames.iter().any(wishes));
        self.missed = is_missed.then(|| done.frames.clone());
        let inquired = done.frames.iter().find_map(|frame| match frame.theme.as_slice() {
            [asked] if frame.act == Some(Act::Ask) && !asked.is_definite() => Some(asked.clone()),
            _ => None,
        });
        self.inquired = inquired;
        let counts = |frame: &&Frame| frame.ask == Some(Ask::Count);
        let counted = done.frames.iter().find(counts).map(|frame| frame.theme.clone());
        self.counted = counted.unwrap_or_default();
        self.measured = done.frames.iter().find_map(measured);
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
            self.context.done = done.news(scene).to_vec();
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
