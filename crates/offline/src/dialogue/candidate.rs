//! The readings of a message carried out on drafts, one after the other.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use scene::Scene;

use crate::chart::Reading;
use crate::frames::{Act, Determiner, Frame, Head, Phrase, Say, Tokens, description, frames};
use crate::plan::{Outcome, Remark, plan};
use crate::resolve::{Context, SceneWorld, resolve};
use crate::tokens::{Lattice, Skip, TokenKind};

use super::back::{brought_back, gone_back, keeping, restored};
use super::complete::complete;
use super::interpretation::Interpretation;
use super::sentences::{is_in, sentence_around, set_aside};
use super::state::{Base, State};

/// What a word costs that a reading leaves out, besides its own price.
const UNREAD: f32 = 0.2;
/// What it costs that something is named of which nobody knows what is to be done with it.
const STRAY: f32 = 2.0;
/// What a reading loses that is of no use, and one that says nothing.
const VAIN: f32 = 1.5;
const NOTHING: f32 = 4.0;
/// What it costs that a correction looks from elsewhere where something else was done.
const OTHER_ACT: f32 = 2.0;
/// What a reading gains that answers the question that was asked.
const ANSWERS: f32 = 1.0;
/// No more readings are planned once their plans have had so many calls; while something speaks against the best plan,
/// twice as many.
const MAX_EFFORT: usize = 15;

/// A message over a scene, and what was planned of it so far.
pub(super) struct Candidates<'a> {
    pub(super) message: &'a str,
    pub(super) lattice: &'a Lattice,
    scene: &'a Arc<Scene>,
    state: &'a State,
    selection: Vec<String>,
    pub(super) context: Context,
    pub(super) here: Rc<SceneWorld>,
    /// The scene before the message before.
    before: OnceCell<Rc<SceneWorld>>,
    /// Readings that differ in their derivations only come to the same.
    planned: Vec<(Vec<Frame>, usize)>,
    effort: usize,
}

/// A reading as frames.
struct Read {
    raw: Vec<Frame>,
    /// Completed from what was said before.
    frames: Vec<Frame>,
    base: Base,
    /// How many things are named of which nobody knows what is to be done with them.
    strays: usize,
    /// The tokens that were not read.
    unread: Vec<usize>,
    /// What it leaves out would turn it.
    is_vain: bool,
    /// Sentences about something else, that turn nothing of the others.
    aside: Vec<Range<usize>>,
}

impl<'a> Candidates<'a> {
    pub(super) fn new(
        message: &'a str,
        lattice: &'a Lattice,
        selection: &[String],
        scene: &'a Arc<Scene>,
        state: &'a State,
    ) -> Self {
        let mut context = state.context.clone();
        // What is gone is selected no more.
        let is_there = |id: &&String| scene.kind_of(id).is_some();
        let selection: Vec<String> = selection.iter().filter(is_there).cloned().collect();
        // What is selected comes before all that was spoken of.
        if !selection.is_empty() {
            context.selection.clone_from(&selection);
            context.focus.insert(0, selection.clone());
            context.gone = None;
        }
        context.past.clone_from(&state.past);
        let is_more = |phrase: &Phrase| {
            matches!(phrase.determiner, Some(Determiner::Another | Determiner::More))
        };
        context.added_to = state.frames.iter().any(|frame| frame.theme.iter().any(is_more));
        let here = SceneWorld::of(Arc::clone(scene));
        let (before, planned) = (OnceCell::new(), Vec::new());
        Self {
            message,
            lattice,
            scene,
            state,
            selection,
            context,
            here,
            before,
            planned,
            effort: 0,
        }
    }

    /// Whether a reading cannot be better than the best, or enough was planned.
    pub(super) fn is_enough(&self, reading: &Reading, best: Option<&Interpretation>) -> bool {
        let bonus = if self.state.asked.is_some() { ANSWERS } else { 0.0 };
        // No plan makes it cheaper than it is already.
        let least = reading.cost + UNREAD * reading.unread.len() as f32 - bonus;
        best.is_some_and(|best| {
            let limit = if best.outcome.cost < 1.0 { MAX_EFFORT } else { 2 * MAX_EFFORT };
            best.cost <= least || self.effort > limit
        })
    }

    /// What a reading comes to; `None` where that is known already.
    pub(super) fn carry_out(&mut self, reading: &Reading) -> Option<Interpretation> {
        let read = self.read(reading)?;
        let Read { frames, base, .. } = &read;
        let is_fix = *base == Base::Checkpoint && self.state.checkpoint.is_some();
        let context = self.context_of(&read, reading, is_fix);
        let base = match &self.state.checkpoint {
            Some(checkpoint) if is_fix => {
                self.before.get_or_init(|| SceneWorld::of(Arc::clone(checkpoint)))
            }
            _ => &self.here,
        };
        let (message, lattice) = (self.message, self.lattice);
        let words = |stretch| words_of(message, lattice, stretch);
        let now = if read.is_vain { &[][..] } else { &frames[..] };
        let mut outcome = plan(now, base, &context, &words);
        outcome.cost += if read.is_vain { VAIN } else { 0.0 };
        // Over many things each call costs more, and so does each thing that is made.
        let (shapes, after) = (self.scene.shapes.len(), outcome.scene.shapes.len());
        self.effort += outcome.calls.len() * (1 + shapes / 60) + after.saturating_sub(shapes) / 60;
        self.tell_idle(&mut outcome);
        let base = Arc::clone(base.scene());
        let after = self.scene_after(frames, &base, &mut outcome);
        let cost = reading.cost + outcome.cost + self.cost_of(&read);
        let (turned, missed) = self.left_out(&read);
        let strange = |at: &&usize| is_strange(lattice, **at);
        Some(Interpretation {
            outcome,
            scene: after,
            base,
            turned,
            read: reading.read,
            unread: self.told_as_unread(reading, &read.unread),
            left_out: missed.len(),
            strange: missed.iter().filter(strange).count(),
            missed,
            foreign: false,
            is_cut: false,
            is_fix,
            news: OnceLock::new(),
            cost,
            frames: if read.is_vain { Vec::new() } else { read.frames },
        })
    }

    /// What was read and changed nothing is told, where it says more than a word between others.
    pub(super) fn tell_idle(&self, outcome: &mut Outcome) {
        let mut told: Vec<String> = Vec::new();
        for Tokens(mut from, to) in std::mem::take(&mut outcome.idle) {
            while from < to && self.lattice.edge_at(from, "Link").is_some() {
                from += 1;
            }
            let says = |at: usize| matches!(self.lattice.skips.get(at), Some(Skip::Cost(cost)) if *cost >= 2.0);
            if (from..to).any(|at| says(at) && self.lattice.edge_at(at, "Det").is_none()) {
                let words = words_of(self.message, self.lattice, Tokens(from, to));
                if !told.contains(&words) {
                    outcome.remarks.push(Remark::Note(format!("“{words}” changed nothing.")));
                    told.push(words);
                }
            }
        }
    }

    /// What was left out, in the order in which it was said.
    fn told_as_unread(&self, reading: &Reading, unread: &[usize]) -> Vec<String> {
        let mut all: Vec<usize> = unread.to_vec();
        all.extend(reading.asides.iter().flat_map(|(from, to)| *from..*to));
        all.sort_unstable();
        all.dedup();
        let words = |stretch| words_of(self.message, self.lattice, stretch);
        stretches(&all).into_iter().map(words).collect()
    }

    /// A reading as frames, unless one that comes to the same was planned.
    fn read(&mut self, reading: &Reading) -> Option<Read> {
        let raw: Vec<Frame> = reading.utterances.iter().map(frames).collect();
        let (raw, strays) = without_strays(raw, self.lattice);
        let stray = |at: &usize| strays.iter().any(|Tokens(from, to)| (*from..*to).contains(at));
        let all = 0..self.lattice.tokens.len();
        let mut unread: Vec<usize> =
            all.filter(|at| reading.unread.contains(at) || stray(at)).collect();
        let (raw, aside) = set_aside(raw, &mut unread, self.lattice);
        let is_content = |at: &usize| matches!(self.lattice.skips.get(*at), Some(Skip::Cost(cost)) if *cost > 1.0);
        let is_whole = !unread.iter().any(is_content);
        let (frames, base) = complete(&raw, &self.selection, self.state, self.scene, is_whole);
        let is_known =
            |(known, left): &(Vec<Frame>, usize)| *known == frames && *left <= unread.len();
        if self.planned.iter().any(is_known) {
            return None;
        }
        self.planned.push((frames.clone(), unread.len()));
        // What leaves out a negation or a question word does nothing anyhow.
        let is_aside = |at: &usize| aside.iter().any(|sentence| sentence.contains(at));
        let turns =
            unread.iter().any(|at| self.lattice.turning.get(*at) == Some(&true) && !is_aside(at));
        // What is only made does no harm where the condition does not hold.
        let makes =
            |frame: &Frame| asks(frame) || matches!(frame.act, Some(Act::Create | Act::Furnish));
        let is_vain =
            turns && !frames.iter().any(asks) || (reading.conditional && !frames.iter().all(makes));
        Some(Read { raw, frames, base, strays: strays.len(), unread, is_vain, aside })
    }

    /// What the words of a reading may refer to.
    fn context_of(&self, read: &Read, reading: &Reading, is_fix: bool) -> Context {
        let mut context = self.context.clone();
        // What was made and is corrected is not there, so that "it" is what it was then.
        if is_fix && read.frames.iter().all(|frame| frame.act == Some(Act::Create)) {
            context.focus.clone_from(&self.state.spoken_before);
            let checkpoint = self.state.checkpoint.as_ref();
            let was_there =
                |id: &String| checkpoint.is_some_and(|scene| scene.kind_of(id).is_some());
            context.made.retain(|made| made.iter().any(was_there));
        }
        // "The floor looks dull. Make it green."
        for topic in reading.topics.iter().map(description) {
            if let Ok(ids) = resolve(&topic, self.here.world(), &context) {
                context.focus.insert(0, ids);
            }
        }
        context
    }

    /// The scene as it is to be, with what a step back or forward leads to.
    fn scene_after(&self, frames: &[Frame], base: &Scene, outcome: &mut Outcome) -> Scene {
        let Some(said) = outcome.say else {
            // A correction that comes to nothing takes nothing away.
            let is_vain_fix = outcome.stopped.is_some() && outcome.scene == *base;
            return if is_vain_fix { (**self.scene).clone() } else { outcome.scene.clone() };
        };
        let back = frames.iter().find(|frame| frame.say == Some(Say::BringBack));
        let only = frames.iter().find(|frame| {
            frame.say == Some(Say::Undo)
                && (!frame.theme.is_empty() || (frame.exact && frame.dimension.is_some()))
        });
        let brought = match (back, only) {
            (Some(frame), _) => brought_back(&frame.theme, self.scene, self.state),
            (None, Some(frame)) => restored(frame, &outcome.scene, self.state)
                .or_else(|| brought_back(&frame.theme, self.scene, self.state)),
            (None, None) => None,
        };
        let after = match brought {
            Some((whole, ids)) => {
                outcome.focus = ids;
                outcome.say = None;
                whole
            }
            None => gone_back(said, self.scene, self.state, outcome),
        };
        let spares = |frame: &&Frame| {
            !frame.except.is_empty() || (frame.dimension.is_some() && !frame.exact)
        };
        let undone = frames.iter().find(|frame| frame.say == Some(Say::Undo));
        match undone.filter(spares) {
            Some(frame) => keeping(frame, after, self.scene, self.state),
            None => after,
        }
    }

    /// What a reading costs besides its derivation and its plan.
    fn cost_of(&self, read: &Read) -> f32 {
        // What answers the question that was asked is likelier meant so.
        let answers = self.state.asked.is_some()
            && read.raw.iter().any(|frame| {
                frame.fragment && (!frame.theme.is_empty() || !frame.qualities.is_empty())
            });
        let acts = |frame: &Frame| frame.act == Some(Act::Camera);
        let looks_away = self.state.frames.last().is_some_and(|last| !acts(last))
            && read.raw.iter().any(|frame| frame.fix && acts(frame));
        UNREAD * read.unread.len() as f32
            + if looks_away { OTHER_ACT } else { 0.0 }
            + STRAY * read.strays as f32
            + if read.frames.is_empty() { NOTHING } else { 0.0 }
            - if answers { ANSWERS } else { 0.0 }
    }

    /// Whether words were left out that matter, and those that were missed: a sentence of which nothing was read is
    /// beside the matter where another one was read.
    fn left_out(&self, read: &Read) -> (bool, Vec<usize>) {
        let lattice = self.lattice;
        let frames = if read.is_vain { &[][..] } else { &read.frames[..] };
        let removes = frames.iter().any(|frame| matches!(frame.act, Some(Act::Remove | Act::Keep)));
        // "a glass on the table" asks for something new.
        let alters = !frames.is_empty()
            && frames.iter().all(|frame| {
                matches!(frame.act, Some(Act::Change | Act::Move | Act::Become | Act::Turn))
            });
        let is_aside = |at: &usize| read.aside.iter().any(|sentence| sentence.contains(at));
        let matters = |at: &usize| {
            let content = matches!(lattice.skips.get(*at), Some(Skip::Cost(cost)) if *cost > 1.0);
            (lattice.turning.get(*at) == Some(&true) && !is_aside(at))
                || (removes && content)
                || (alters && lattice.is_indefinite(*at))
        };
        let is_unknown = |frame: &Frame| {
            let unknown = |phrase: &Phrase| matches!(phrase.head, Head::Unknown(_));
            !frame.theme.is_empty() && frame.theme.iter().all(unknown)
        };
        let is_beside = |at: &usize| {
            let sentence = sentence_around(*at, lattice);
            !frames.is_empty()
                && read.raw.iter().all(|frame| !is_in(frame, &sentence) || is_unknown(frame))
        };
        let missed = read.unread.iter().copied().filter(|at| !is_beside(at)).collect();
        (read.unread.iter().any(matters), missed)
    }
}

fn asks(frame: &Frame) -> bool {
    matches!(frame.act, Some(Act::Ask | Act::Say))
}

/// The words of a stretch of tokens as they were said. What joins them to those after them is none of them.
pub(super) fn words_of(message: &str, lattice: &Lattice, Tokens(from, to): Tokens) -> String {
    let mut tokens = lattice.tokens.get(from..to.max(from)).unwrap_or_default();
    while let Some((_, before)) = tokens.split_last().filter(|(_, before)| {
        let at = from + before.len();
        !before.is_empty()
            && (lattice.tokens[at].kind == TokenKind::Mark || lattice.edge_at(at, "Conj").is_some())
    }) {
        tokens = before;
    }
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => message[first.span.start..last.span.end].to_owned(),
        _ => String::new(),
    }
}

/// What is only named is what goes on with the act before it where a word or a mark joins the two; else nobody knows
/// what is to be done with it. The frames without those, and from where to where they were.
fn without_strays(frames: Vec<Frame>, lattice: &Lattice) -> (Vec<Frame>, Vec<Tokens>) {
    let mut strays = Vec::new();
    let mut kept: Vec<Frame> = Vec::with_capacity(frames.len());
    for frame in frames {
        let joins = |at: usize| {
            lattice.tokens[at].kind != TokenKind::Word || lattice.edge_at(at, "Link").is_some()
        };
        let only_named = frame.fragment
            && frame.theme.len() == 1
            && frame.qualities.is_empty()
            && frame.places.is_empty()
            && frame.shift.is_none()
            && !frame.too;
        let is_end = |at: usize| matches!(lattice.skips[at], Skip::End);
        // "how high is the lamp | above the floor?" asks for nothing to be done.
        let is_asked = frame.fragment
            && frame.qualities.is_empty()
            && kept.last().is_some_and(|last| {
                last.act == Some(Act::Ask) && !(last.tokens.1..frame.tokens.0).any(is_end)
            });
        let is_stray = is_asked
            || only_named
                && kept.last().is_some_and(|last| !(last.tokens.1..frame.tokens.0).any(joins));
        if is_stray { strays.push(frame.tokens) } else { kept.push(frame) }
    }
    (kept, strays)
}

/// Whether a word that was left out is more than one between others.
pub(super) fn is_strange(lattice: &Lattice, at: usize) -> bool {
    !matches!(lattice.skips.get(at), Some(Skip::Cost(cost)) if *cost < 2.0)
}

/// Runs of numbers that follow each other, each from its first to before its end.
pub(super) fn stretches(numbers: &[usize]) -> Vec<Tokens> {
    let mut runs: Vec<Tokens> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some(Tokens(_, end)) if *end == *number => *end += 1,
            _ => runs.push(Tokens(*number, number + 1)),
        }
    }
    runs
}
