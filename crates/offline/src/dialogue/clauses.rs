//! What of a message is understood well enough to be done though the whole is not: each frame is judged by the words in
//! it and around it that were not read.

use std::ops::Range;

use crate::frames::{Act, Frame, Tokens};
use crate::plan::plan;
use crate::tokens::{Lattice, Skip};

use super::candidate::{Candidates, is_strange, stretches, words_of};
use super::interpretation::Interpretation;

/// Words left out beyond which a frame is a guess: of the light, and of what is only made, unless more than that was read.
const MAX_OF_RISKY: usize = 2;
const MAX_OF_NEW: usize = 3;

impl Candidates<'_> {
    /// The same message with those of its frames alone that are no guesses; `None` where there are none. `asks` tells
    /// whether the first sentence begins as a question does.
    pub(super) fn in_part(&self, whole: &Interpretation, asks: bool) -> Option<Interpretation> {
        if whole.is_fix {
            return None;
        }
        let is_bare = self.here.world().contents().next().is_none();
        let words = |stretch| words_of(self.message, self.lattice, stretch);
        // What is there may have been meant where something new is made.
        let is_doubtful = |frame: &Frame| {
            let alone = || plan(std::slice::from_ref(frame), &self.here, &self.context, &words);
            whole.outcome.doubtful && !is_bare && alone().doubtful
        };
        let lattice = self.lattice;
        let is_sound = |at: &usize| {
            let clause = clause(*at, &whole.frames, lattice);
            let is_first = !(0..clause.start).any(|at| matches!(lattice.skips[at], Skip::End));
            let frame = &whole.frames[*at];
            !(asks && is_first)
                && is_sound(frame, clause, &whole.missed, is_bare, lattice)
                && !is_doubtful(frame)
        };
        let (sound, rest): (Vec<usize>, Vec<usize>) =
            (0..whole.frames.len()).partition(|at| is_sound(at));
        let frames: Vec<Frame> = sound.iter().map(|at| whole.frames[*at].clone()).collect();
        let does = |frame: &Frame| !matches!(frame.act, None | Some(Act::Ask | Act::Say));
        if !frames.iter().any(does) {
            return None;
        }
        let mut outcome = plan(&frames, &self.here, &self.context, &words);
        self.tell_idle(&mut outcome);
        let mut unread = whole.missed.clone();
        unread.extend(rest.iter().flat_map(|at| {
            let Tokens(from, to) = whole.frames[*at].tokens;
            from..to
        }));
        unread.sort_unstable();
        unread.dedup();
        Some(Interpretation {
            scene: outcome.scene.clone(),
            base: std::sync::Arc::clone(self.here.scene()),
            unread: stretches(&unread).into_iter().map(words).collect(),
            turned: false,
            read: whole.read,
            left_out: unread.len(),
            strange: unread.iter().filter(|at| is_strange(lattice, **at)).count(),
            missed: unread,
            foreign: false,
            is_cut: whole.is_cut,
            is_fix: false,
            news: std::sync::OnceLock::new(),
            cost: whole.cost,
            frames,
            outcome,
        })
    }
}

/// The tokens of a frame with those beside it that belong to no other, within its sentence.
fn clause(at: usize, frames: &[Frame], lattice: &Lattice) -> Range<usize> {
    let Tokens(from, to) = frames[at].tokens;
    let length = lattice.tokens.len();
    let is_end = |at: &usize| matches!(lattice.skips[*at], Skip::End);
    let opens = (0..from).rev().find(is_end).map_or(0, |end| end + 1);
    let closes = (to..length).find(is_end).unwrap_or(length);
    let spans = || frames.iter().map(|frame| frame.tokens);
    let before = spans().map(|Tokens(_, end)| end).filter(|end| *end <= from).max();
    let after = spans().map(|Tokens(start, _)| start).filter(|start| *start >= to).min();
    opens.max(before.unwrap_or(0))..closes.min(after.unwrap_or(length))
}

fn makes(frame: &Frame) -> bool {
    matches!(frame.act, Some(Act::Create | Act::Furnish))
}

/// Whether a frame is understood well enough to be carried out.
fn is_sound(
    frame: &Frame,
    clause: Range<usize>,
    missed: &[usize],
    is_bare: bool,
    lattice: &Lattice,
) -> bool {
    let Tokens(from, to) = frame.tokens;
    let missed: Vec<usize> = missed.iter().copied().filter(|at| clause.contains(at)).collect();
    // In an empty scene nothing comes to harm.
    let read = (clause.len() - missed.len()) * if is_bare { 2 } else { 1 };
    let makes = makes(frame);
    // A negation after what is made is about something else: "four chairs, none of them alike".
    let turns = |at: &usize| lattice.turning[*at] && !(makes && *at >= to);
    if from >= to || missed.iter().any(turns) {
        return false;
    }
    let strange = missed.iter().filter(|at| is_strange(lattice, **at)).count();
    match frame.act {
        Some(Act::Ask | Act::Say) => true,
        Some(Act::Mood | Act::Fog) => missed.len() <= MAX_OF_RISKY,
        _ if makes => missed.len() <= MAX_OF_NEW.max(read) && strange <= MAX_OF_RISKY.max(read),
        // All that is there was made by the same message.
        _ if is_bare => missed.len() <= 1 && strange == 0,
        _ => missed.is_empty(),
    }
}
