//! The reading of a message that is chosen: by its score and by whether it can be carried out.

use std::sync::{Arc, OnceLock};

use scene::Scene;

use crate::chart::{Chart, grammar, readings};
use crate::frames::{Act, Frame, Say, Tokens};
use crate::plan::{Remark, plan};
use crate::tokens::{Lattice, SceneNames, Skip};

use super::candidate::{Candidates, words_of};
use super::interpretation::Interpretation;
use super::state::State;

/// The most characters of a message that are read.
const MAX_MESSAGE: usize = 2_000;

/// Gets lines that are made only if they are looked at.
type Trace<'a> = dyn FnMut(&dyn Fn() -> Vec<String>) + 'a;

/// Reads a message over a scene after what was said before.
pub(crate) fn interpret(
    message: &str,
    selection: &[String],
    scene: &Arc<Scene>,
    state: &State,
) -> Interpretation {
    traced(message, selection, scene, state, &mut |_| ())
}

/// The same; `trace` gets what each reading was and came to, for those who want to see it.
pub(crate) fn traced(
    message: &str,
    selection: &[String],
    scene: &Arc<Scene>,
    state: &State,
    trace: &mut Trace<'_>,
) -> Interpretation {
    let end = message.char_indices().nth(MAX_MESSAGE).map(|(end, _)| end);
    let message = end.map_or(message, |end| &message[..end]);
    let lattice = Lattice::read(message, &SceneNames::of(scene));
    let chart = Chart::of(&lattice, grammar());
    let mut candidates = Candidates::new(message, &lattice, selection, scene, state);
    let mut best: Option<Interpretation> = None;
    for reading in &readings(&chart, &lattice, grammar()) {
        if candidates.is_enough(reading, best.as_ref()) {
            continue;
        }
        let Some(candidate) = candidates.carry_out(reading) else { continue };
        trace(&|| {
            let plan = candidate.outcome.cost;
            let mut lines = vec![format!(
                "reading {:.2} + plan {plan:.2} = {:.2}",
                reading.cost, candidate.cost
            )];
            for (utterance, item) in reading.utterances.iter().zip(&reading.items) {
                lines.push(format!("  {utterance}"));
                chart.derivation(*item, 2, &mut lines);
            }
            lines
        });
        if best.as_ref().is_none_or(|best| candidate.cost < best.cost) {
            best = Some(candidate);
        }
    }
    let mut best = best.unwrap_or_else(|| Interpretation {
        frames: Vec::new(),
        outcome: plan(&[], &candidates.here, &candidates.context, &|_| String::new()),
        scene: (**scene).clone(),
        base: Arc::clone(scene),
        turned: false,
        read: 0,
        unread: vec![words_of(message, &lattice, Tokens(0, lattice.tokens.len()))],
        left_out: lattice.tokens.len(),
        missed: (0..lattice.tokens.len()).collect(),
        strange: lattice.tokens.len(),
        foreign: false,
        is_cut: false,
        is_fix: false,
        news: OnceLock::new(),
        cost: f32::INFINITY,
    });
    best.is_cut = end.is_some();
    judge(&mut best, scene, &candidates, &lattice);
    best
}

/// Takes back what is too little understood.
fn judge(
    best: &mut Interpretation,
    scene: &Arc<Scene>,
    candidates: &Candidates<'_>,
    lattice: &Lattice,
) {
    // What begins like a question and was not read as one is none of the things to do.
    let asks = |frame: &Frame| matches!(frame.act, Some(Act::Ask | Act::Say));
    let wishes = lattice.wishes(0);
    let is_question = lattice.skips.first().is_some_and(|skip| *skip != Skip::Never);
    let is_asked = lattice.turning.first() == Some(&true)
        && (best.left_out > 0 || (is_question && !wishes))
        && !best.frames.iter().any(asks);
    best.turned |= is_asked;
    // Of another language half the words are enough to guess wrong.
    let is_strange = match lattice.is_foreign() {
        true => 2 * best.strange > best.read,
        false => best.strange > best.read,
    };
    let is_strange = is_strange && best.strange > 1;
    if best.scene != **scene {
        if is_beyond(best) {
            only_beyond(best, scene);
        } else if is_guess(best, is_strange) {
            let in_part = candidates.in_part(best, is_asked);
            match in_part.filter(|_| !lattice.is_foreign()) {
                Some(part) => *best = part,
                None => take_back(best, scene),
            }
        }
    }
    let is_answered = best.outcome.remarks.iter().any(|remark| matches!(remark, Remark::Answer(_)));
    let is_fruitless = best.left_out > 0 && best.scene == **scene && !is_answered;
    best.foreign = lattice.is_other_script()
        || (lattice.is_foreign() && (best.left_out > best.read || is_fruitless));
}

fn says_beyond(frame: &Frame) -> bool {
    frame.say == Some(Say::Beyond)
}

/// Whether it asks for what is beyond a scene.
fn is_beyond(best: &Interpretation) -> bool {
    let mut frames = best.frames.iter();
    best.frames.iter().any(says_beyond) && frames.all(|frame| frame.bare || says_beyond(frame))
}

fn only_beyond(best: &mut Interpretation, scene: &Scene) {
    best.scene = scene.clone();
    best.outcome.made.clear();
    best.outcome.remarks.retain(|remark| matches!(remark, Remark::Answer(_)));
    best.frames.retain(says_beyond);
}

fn take_back(best: &mut Interpretation, scene: &Scene) {
    best.scene = scene.clone();
    best.outcome.made.clear();
    best.outcome.remarks.clear();
    best.frames.clear();
}

/// Whether so little was understood that what comes of it is a guess.
fn is_guess(best: &Interpretation, is_strange: bool) -> bool {
    /// Words left out beyond which a reading is a guess.
    const MAX_UNREAD: usize = 5;
    let removes =
        best.frames.iter().any(|frame| matches!(frame.act, Some(Act::Remove | Act::Keep)));
    // Of what alters things no more is left out than was read.
    let makes = |frame: &Frame| matches!(frame.act, Some(Act::Create | Act::Furnish));
    let alters = |frame: &Frame| !makes(frame) && !matches!(frame.act, Some(Act::Ask | Act::Say));
    let most = match best.frames.iter().any(alters) {
        true => MAX_UNREAD.min(best.read.max(2)),
        false => MAX_UNREAD,
    };
    let limit = if removes { 2 } else { most };
    // What stands alone and asks for nothing by itself is a guess where verbs were left out.
    let guessed = best
        .frames
        .iter()
        .any(|frame| frame.bare || matches!(frame.act, Some(Act::Mood | Act::Fog)));
    // Something more is made at worst.
    let limit = match guessed {
        true if best.frames.iter().all(makes) => limit.min(3.max(best.read / 2)),
        true => 2,
        false => limit,
    };
    // Where it is open what was meant, a word that is not known may tell.
    let is_open = best.outcome.doubtful && best.strange > 0;
    is_open || best.left_out > limit || (guessed && is_strange) || best.turned
}
