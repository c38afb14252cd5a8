//! The reading of a message that is chosen: by its score and by whether it can be carried out.

use std::sync::Arc;

use scene::Scene;

use crate::answer::news;
use crate::chart::{Chart, grammar, readings};
use crate::frames::{Act, Determiner, Frame, Head, Phrase, Say, description, frames};
use crate::plan::{Outcome, Remark, plan};
use crate::resolve::{World, resolve};
use crate::tokens::{Lattice, SceneNames, Skip, TokenKind};

use super::back::{brought_back, gone_back, keeping};
use super::complete::complete;
use super::state::{Base, State};

/// What a message was taken for, and what it comes to.
#[derive(Debug, Clone)]
pub(crate) struct Interpretation {
    /// The frames, completed.
    pub(crate) frames: Vec<Frame>,
    pub(crate) outcome: Outcome,
    /// The scene as it is to be.
    pub(crate) scene: Scene,
    /// The scene the frames were carried out on.
    pub(crate) base: Arc<Scene>,
    /// Whether a negation, a condition or a question word is among them, or a word that matters where
    /// things are taken away.
    turned: bool,
    /// How many words were.
    read: usize,
    /// The words that were not understood, each stretch by itself.
    pub(crate) unread: Vec<String>,
    /// How many they are, and how many of them are more than words between others.
    left_out: usize,
    strange: usize,
    /// Whether most of the words are of no use here, as in another language.
    pub(crate) foreign: bool,
    /// Whether the message was too long to be read as a whole.
    pub(crate) is_cut: bool,
    /// Whether it was carried out anew from where the message before began.
    pub(crate) is_fix: bool,
    /// What it comes to, in sentences.
    pub(crate) news: Vec<String>,
    /// What the reading and its plan cost.
    pub(crate) cost: f32,
    /// For those who want to see how it came to be.
    pub(crate) trace: Vec<String>,
}

/// The most characters of a message that are read.
const MAX_MESSAGE: usize = 2_000;
/// What a word costs that a reading leaves out, besides its own price.
const UNREAD: f32 = 0.2;

/// What it costs that something is named of which nobody knows what is to be done with it.
const STRAY: f32 = 2.0;

/// No more readings are planned once their plans have had so many calls.
const MAX_EFFORT: usize = 15;
/// What a reading loses that is of no use.
const VAIN: f32 = 1.5;

/// Reads a message over a scene after what was said before.
pub(crate) fn interpret(
    message: &str,
    selection: &[String],
    scene: &Arc<Scene>,
    state: &State,
) -> Interpretation {
    let end = message.char_indices().nth(MAX_MESSAGE).map(|(end, _)| end);
    let is_cut = end.is_some();
    let message = end.map_or(message, |end| &message[..end]);
    let names = SceneNames::new(
        scene
            .shapes
            .iter()
            .map(|shape| shape.id.as_str())
            .chain(scene.lights.iter().map(|light| light.id.as_str()))
            .chain(scene.group_ids()),
    );
    let lattice = Lattice::read(message, &names);
    let chart = Chart::of(&lattice, grammar());
    let readings = readings(&chart, &lattice, grammar());
    let words = |(from, to): (usize, usize)| {
        let mut tokens = lattice.tokens.get(from..to.max(from)).unwrap_or_default();
        // What joins the words to those after them is none of them.
        while let Some((_, before)) = tokens.split_last().filter(|(_, before)| {
            let at = from + before.len();
            !before.is_empty()
                && (lattice.tokens[at].kind == TokenKind::Mark
                    || lattice.edge_at(at, "Conj").is_some())
        }) {
            tokens = before;
        }
        match (tokens.first(), tokens.last()) {
            (Some(first), Some(last)) => message[first.span.start..last.span.end].to_owned(),
            _ => String::new(),
        }
    };
    let mut context = state.context.clone();
    // What is gone is selected no more.
    let is_there = |id: &&String| scene.kind_of(id).is_some();
    let selection: Vec<String> = selection.iter().filter(is_there).cloned().collect();
    let selection = selection.as_slice();
    // What is selected comes before all that was spoken of.
    if !selection.is_empty() {
        context.selection = selection.to_vec();
        context.focus.insert(0, selection.to_vec());
        context.gone = None;
    }
    context.past.clone_from(&state.past);
    let is_more =
        |phrase: &Phrase| matches!(phrase.determiner, Some(Determiner::Another | Determiner::More));
    context.added_to = state.frames.iter().any(|frame| frame.theme.iter().any(is_more));
    let mut best: Option<Interpretation> = None;
    let mut trace: Vec<String> = Vec::new();
    // Readings that differ in their derivations only come to the same.
    let mut planned: Vec<(Vec<Frame>, usize)> = Vec::new();
    let mut effort = 0;
    for reading in &readings {
        let bonus = if state.asked.is_some() { 1.0 } else { 0.0 };
        // No plan makes it cheaper than it is already.
        let least = reading.cost + UNREAD * reading.unread.len() as f32 - bonus;
        if best.as_ref().is_some_and(|best| best.cost <= least || effort > MAX_EFFORT) {
            continue;
        }
        let raw: Vec<Frame> = reading.utterances.iter().map(frames).collect();
        let (raw, strays) = without_strays(raw, &lattice);
        let unread: Vec<usize> = {
            let stray = |at: &usize| strays.iter().any(|(from, to)| (*from..*to).contains(at));
            let all = 0..lattice.tokens.len();
            all.filter(|at| reading.unread.contains(at) || stray(at)).collect()
        };
        let (completed, base) = complete(&raw, selection, state, scene);
        // What was made and is corrected is not there, so that "it" is what it was then.
        let is_fix = base == Base::Checkpoint && state.checkpoint.is_some();
        let mut context = context.clone();
        if is_fix && completed.iter().all(|frame| frame.act == Some(Act::Create)) {
            context.focus.clone_from(&state.spoken_before);
            let was_there = |id: &String| {
                state.checkpoint.as_ref().is_some_and(|scene| scene.kind_of(id).is_some())
            };
            context.made.retain(|made| made.iter().any(was_there));
        }
        // "The floor looks dull. Make it green."
        for topic in reading.topics.iter().map(description) {
            if let Ok(ids) = resolve(&topic, &World::of(scene), &context) {
                context.focus.insert(0, ids);
            }
        }
        let base = match (base, &state.checkpoint) {
            (Base::Checkpoint, Some(checkpoint)) => Arc::clone(checkpoint),
            _ => Arc::clone(scene),
        };
        let known =
            planned.iter().any(|(frames, left)| *frames == completed && *left <= unread.len());
        if known {
            continue;
        }
        planned.push((completed.clone(), unread.len()));
        // What leaves out a negation or a question word does nothing anyhow.
        let asks = |frame: &Frame| matches!(frame.act, Some(Act::Ask | Act::Say));
        let is_vain = unread.iter().any(|at| lattice.turning.get(*at) == Some(&true))
            && !completed.iter().any(asks);
        // What is only made does no harm where the condition does not hold.
        let makes =
            |frame: &Frame| asks(frame) || matches!(frame.act, Some(Act::Create | Act::Furnish));
        let is_vain = is_vain || (reading.conditional && !completed.iter().all(makes));
        let frames_now = if is_vain { &[][..] } else { &completed[..] };
        let mut outcome = plan(frames_now, &base, &context, &words);
        outcome.cost += if is_vain { VAIN } else { 0.0 };
        // Over many things each call costs more.
        effort += outcome.calls.len() * (1 + scene.shapes.len() / 60) + outcome.made.len() / 20;
        // A correction that comes to nothing takes nothing away.
        let is_vain_fix = outcome.stopped.is_some() && outcome.scene == *base;
        let mut after = if is_vain_fix { (**scene).clone() } else { outcome.scene.clone() };
        if let Some(said) = outcome.say {
            let back = completed.iter().find(|frame| frame.say == Some(Say::BringBack));
            let brought = back.and_then(|frame| brought_back(&frame.theme, scene, state));
            after = match brought {
                Some((whole, ids)) => {
                    outcome.focus = ids;
                    outcome.say = None;
                    whole
                }
                None => gone_back(said, scene, state, &mut outcome),
            };
            let spares = |frame: &&Frame| !frame.except.is_empty() || frame.dimension.is_some();
            let undone = completed.iter().find(|frame| frame.say == Some(Say::Undo));
            if let Some(frame) = undone.filter(spares) {
                after = keeping(frame, after, scene, state);
            }
        }
        // What answers the question that was asked is likelier meant so.
        let answers = state.asked.is_some()
            && raw.iter().any(|frame| {
                frame.fragment && (!frame.theme.is_empty() || !frame.qualities.is_empty())
            });
        let expected = if answers { -1.0 } else { 0.0 };
        let nothing = completed.is_empty();
        let cost = reading.cost
            + expected
            + outcome.cost
            + UNREAD * unread.len() as f32
            + STRAY * strays.len() as f32
            + if nothing { 4.0 } else { 0.0 };
        trace.push(format!("reading {:.2} + plan {:.2} = {cost:.2}", reading.cost, outcome.cost));
        for (utterance, item) in reading.utterances.iter().zip(&reading.items) {
            trace.push(format!("  {utterance}"));
            let mut lines = Vec::new();
            chart.derivation(*item, 2, &mut lines);
            trace.extend(lines);
        }
        if best.as_ref().is_none_or(|best| cost < best.cost) {
            let frames: Vec<Frame> = if is_vain { Vec::new() } else { completed };
            let read = reading.read;
            let removes =
                frames.iter().any(|frame| matches!(frame.act, Some(Act::Remove | Act::Keep)));
            // "a glass on the table" asks for something new.
            let alters = !frames.is_empty()
                && frames.iter().all(|frame| {
                    matches!(frame.act, Some(Act::Change | Act::Move | Act::Become | Act::Turn))
                });
            let matters = |at: &usize| {
                let content =
                    matches!(lattice.skips.get(*at), Some(Skip::Cost(cost)) if *cost > 1.0);
                lattice.turning.get(*at) == Some(&true)
                    || (removes && content)
                    || (alters && lattice.is_indefinite(*at))
            };
            let turned = unread.iter().any(matters);
            // A sentence of which nothing was read is beside the matter where another one was read.
            let is_unknown = |frame: &Frame| {
                let unknown = |phrase: &Phrase| matches!(phrase.head, Head::Unknown(_));
                !frame.theme.is_empty() && frame.theme.iter().all(unknown)
            };
            let is_beside = |at: usize| {
                let is_end = |at: &usize| matches!(lattice.skips[*at], Skip::End);
                let from = (0..at).rev().find(is_end).map_or(0, |end| end + 1);
                let to = (at..lattice.skips.len()).find(is_end).unwrap_or(lattice.skips.len());
                !frames.is_empty()
                    && raw.iter().all(|frame| {
                        frame.tokens.1 <= from || frame.tokens.0 >= to || is_unknown(frame)
                    })
            };
            let missed: Vec<usize> = unread.iter().copied().filter(|at| !is_beside(*at)).collect();
            best = Some(Interpretation {
                frames,
                outcome,
                scene: after,
                base,
                turned,
                read,
                unread: stretches(&unread).into_iter().map(&words).collect(),
                left_out: missed.len(),
                strange: missed.iter().filter(|at| is_strange(&lattice, **at)).count(),
                foreign: false,
                is_cut,
                is_fix,
                news: Vec::new(),
                cost,
                trace: Vec::new(),
            });
        }
    }
    let mut best = best.unwrap_or_else(|| Interpretation {
        frames: Vec::new(),
        outcome: plan(&[], scene, &context, &words),
        scene: (**scene).clone(),
        base: Arc::clone(scene),
        turned: false,
        read: 0,
        unread: vec![words((0, lattice.tokens.len()))],
        left_out: lattice.tokens.len(),
        strange: lattice.tokens.len(),
        foreign: false,
        is_cut,
        is_fix: false,
        news: Vec::new(),
        cost: f32::INFINITY,
        trace: Vec::new(),
    });
    best.trace = trace;
    // What begins like a question and was not read as one is none of the things to do.
    let asks = |frame: &Frame| matches!(frame.act, Some(Act::Ask | Act::Say));
    let wishes = lattice.wishes(0);
    let is_question = lattice.skips.first().is_some_and(|skip| *skip != Skip::Never);
    best.turned |= lattice.turning.first() == Some(&true)
        && (best.left_out > 0 || (is_question && !wishes))
        && !best.frames.iter().any(asks);
    // Of another language half the words are enough to guess wrong.
    let is_strange = match lattice.is_foreign() {
        true => 2 * best.strange > best.read,
        false => best.strange > best.read,
    };
    let is_strange = is_strange && best.strange > 1;
    cautious(&mut best, scene, is_strange);
    let is_answered = best.outcome.remarks.iter().any(|remark| matches!(remark, Remark::Answer(_)));
    let is_fruitless = best.left_out > 0 && best.scene == **scene && !is_answered;
    best.foreign = lattice.is_other_script()
        || (lattice.is_foreign() && (best.left_out > best.read || is_fruitless));
    best.news = news(scene, &best.scene);
    best
}

/// What is only named is what goes on with the act before it where a word or a mark joins the two; else nobody knows
/// what is to be done with it. The frames without those, and from where to where they were.
fn without_strays(frames: Vec<Frame>, lattice: &Lattice) -> (Vec<Frame>, Vec<(usize, usize)>) {
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
        let is_stray = only_named
            && kept.last().is_some_and(|last| !(last.tokens.1..frame.tokens.0).any(joins));
        if is_stray { strays.push(frame.tokens) } else { kept.push(frame) }
    }
    (kept, strays)
}

/// Whether a word that was left out is more than one between others.
fn is_strange(lattice: &Lattice, at: usize) -> bool {
    !matches!(lattice.skips.get(at), Some(Skip::Cost(cost)) if *cost < 2.0)
}

/// Runs of numbers that follow each other, each from its first to before its end.
fn stretches(numbers: &[usize]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, end)) if *end == *number => *end += 1,
            _ => runs.push((*number, number + 1)),
        }
    }
    runs
}

/// A message of which little was understood changes nothing, nor does one that asks for what is beyond a
/// scene.
fn cautious(best: &mut Interpretation, scene: &Arc<Scene>, is_strange: bool) {
    let is_beyond = |frame: &Frame| frame.say == Some(Say::Beyond);
    let beside = best.frames.iter().any(is_beyond)
        && best.frames.iter().all(|frame| frame.bare || is_beyond(frame));
    if beside && best.scene != **scene {
        best.scene = (**scene).clone();
        best.outcome.made.clear();
        best.outcome.remarks.retain(|remark| matches!(remark, Remark::Answer(_)));
        best.frames.retain(is_beyond);
        return;
    }
    /// Words left out beyond which a reading is a guess.
    const MAX_UNREAD: usize = 5;
    let removes =
        best.frames.iter().any(|frame| matches!(frame.act, Some(Act::Remove | Act::Keep)));
    let limit = if removes { 2 } else { MAX_UNREAD };
    // What stands alone and asks for nothing by itself is a guess where verbs were left out.
    let guessed = best
        .frames
        .iter()
        .any(|frame| frame.bare || matches!(frame.act, Some(Act::Mood | Act::Fog)));
    // Something more is made at worst.
    let makes = |frame: &Frame| matches!(frame.act, Some(Act::Create | Act::Furnish));
    let limit = match guessed {
        true if best.frames.iter().all(makes) => limit.min(3.max(best.read / 2)),
        true => 2,
        false => limit,
    };
    let limit = if best.outcome.doubtful { 0 } else { limit };
    let is_guess = guessed && is_strange;
    if (best.left_out > limit || is_guess || best.turned) && best.scene != **scene {
        best.scene = (**scene).clone();
        best.outcome.made.clear();
        best.outcome.remarks.clear();
        best.frames.clear();
    }
}
