//! What the sentences of a message tell before they tell what is to be done: why, what is wrong, where something is now.

use crate::frames::{Act, Determiner, Dimension, Frame, Number, Phrase, Quality, Say, Shift};

use super::degree::sized;
use super::overlay::is_it;

/// "too big, half of that": what follows tells what to do about it.
pub(super) fn without_reasons(frames: &[Frame]) -> Vec<Frame> {
    let frames = of_this_scene(frames);
    let mut reasons = Reasons { frames: &frames, kept: Vec::new() };
    for at in 0..frames.len() {
        reasons.take_in(at);
    }
    reasons.kept
}

/// Without courtesies between wishes, and without what is asked for beside what nobody can do here.
fn of_this_scene(frames: &[Frame]) -> Vec<Frame> {
    let is_beyond = frames.iter().any(|frame| frame.say == Some(Say::Beyond));
    let is_own = |frame: &&Frame| {
        frame.say == Some(Say::Beyond)
            || !(is_beyond && (frame.act == Some(Act::Create) || frame.theme.iter().all(is_it)))
    };
    // "That's all" between two wishes parts nothing.
    let wishes = |frame: &Frame| frame.act.is_some_and(|act| act != Act::Say);
    let is_courtesy = |frame: &&Frame| {
        frame.say == Some(Say::Thanks) && frame.theme.is_empty() && frames.iter().any(wishes)
    };
    frames.iter().filter(is_own).filter(|frame| !is_courtesy(frame)).cloned().collect()
}

/// The frames of a message, and those that are more than reasons.
struct Reasons<'a> {
    frames: &'a [Frame],
    kept: Vec<Frame>,
}

impl Reasons<'_> {
    fn take_in(&mut self, at: usize) {
        let frame = &self.frames[at];
        if self.is_beside(frame) || self.is_complaint(at) {
            return;
        }
        // "I can't see the chairs, slightly brighter".
        let compared: Vec<Quality> = frame.view.frame.iter().flat_map(compared).collect();
        if tells_why(frame) && !compared.is_empty() {
            let tokens = frame.tokens;
            let qualities = compared;
            self.kept.push(Frame { fragment: true, qualities, tokens, ..Frame::default() });
            return;
        }
        // "take the ball off and put it on the floor": it is only moved; "take it away and throw it out": once.
        if let Some(taken) = self.kept.last_mut().filter(|last| last.act == Some(Act::Remove))
            && is_about_it(frame)
            && !is_of_others(frame)
        {
            let theme = taken.theme.clone();
            *taken = Frame { theme, ..frame.clone() };
            return;
        }
        // "one monitor is enough, remove the new one": which one goes is told after.
        let removes = |next: &Frame| next.act == Some(Act::Remove);
        if frame.exact && self.after(at).is_some_and(removes) {
            return;
        }
        if let Some(half) = self.after(at).filter(|next| is_told(frame) && is_half(next)) {
            self.kept.push(halved(frame, half));
        } else if !self.is_reason(at) {
            self.kept.push(self.with_reason(at));
        }
    }

    fn before(&self, at: usize) -> Option<&Frame> {
        at.checked_sub(1).and_then(|at| self.frames.get(at))
    }

    fn after(&self, at: usize) -> Option<&Frame> {
        self.frames.get(at + 1)
    }

    /// Beside a question a thing that is only named is not asked for; "I can't see the tent, a bit brighter" tells why.
    fn is_beside(&self, frame: &Frame) -> bool {
        let asks = self.frames.iter().any(|frame| frame.act == Some(Act::Ask));
        let named_only = asks && frame.bare && frame.act == Some(Act::Create);
        named_only || (tells_why(frame) && self.frames.iter().any(is_wish))
    }

    /// "The tree is blocking the door, move it", "take it off, it is in the way": what is wrong is told.
    fn is_complaint(&self, at: usize) -> bool {
        let frame = &self.frames[at];
        let acts = |other: &Frame| other.act.is_some() && !other.theme.is_empty();
        let is_after = self.kept.last().is_some_and(acts) && frame.theme.iter().all(is_it);
        let is_answer = |next: &Frame| next.act.is_some() && is_wish(next) && is_about_it(next);
        frame.complains() && (is_after || self.after(at).is_some_and(is_answer))
    }

    /// Whether what is to be done about it, or by how much, is told by the frame after it, or was by the one before.
    fn is_reason(&self, at: usize) -> bool {
        let frame = &self.frames[at];
        let told = self.before(at).filter(|_| is_half(frame));
        if told.is_some_and(|told| told.too && !told.theme.is_empty()) {
            return true;
        }
        // What was not as it should be is put back.
        let goes_back = |next: &Frame| matches!(next.say, Some(Say::Undo | Say::BringBack));
        if frame.fragment && frame.too && self.after(at).is_some_and(goes_back) {
            return true;
        }
        let next = self.after(at).filter(|next| {
            !matches!(next.act, Some(Act::Say | Act::Ask))
                && !tells_why(next)
                && (frame.theme.is_empty() || next.theme.iter().all(is_it))
        });
        let Some(next) = next else { return false };
        // "The ball is rather near the box, shift it to the left": where it is now is told.
        let moves = |frame: &Frame| frame.act == Some(Act::Move);
        frame.too
            || frame.less
            || (frame.told && moves(frame) && moves(next) && !next.theme.is_empty())
            || (tells_quality(frame) && next.act.is_some() && !next.theme.is_empty())
    }

    /// A frame with what the reason before it tells of it.
    fn with_reason(&self, at: usize) -> Frame {
        let frame = &self.frames[at];
        let reason = self.before(at);
        let mut frame = reason.and_then(|reason| sized(frame, reason)).unwrap_or(frame.clone());
        // "not a cone, it should be a box": the cone.
        if !frame.fragment && !frame.wrong.is_empty() && frame.theme.iter().all(is_it) {
            frame.theme = std::mem::take(&mut frame.wrong);
            for phrase in &mut frame.theme {
                phrase.determiner = Some(Determiner::Definite);
            }
        }
        let Some(reason) = reason else { return frame };
        if tells_quality(reason) && is_about_it(&frame) {
            take_subject(&mut frame, reason);
        }
        let moves = |frame: &Frame| frame.act == Some(Act::Move);
        let tells = reason.too
            || reason.complains()
            || (reason.told && moves(reason) && moves(&frame) && !frame.theme.is_empty());
        if tells && !reason.theme.is_empty() && frame.theme.iter().all(is_it) {
            take_complaint(&mut frame, reason);
        }
        frame
    }
}

/// What is done to those that are left, or is not to be done.
fn is_of_others(frame: &Frame) -> bool {
    let arranges =
        matches!(frame.act, Some(Act::Arrange | Act::Align | Act::Distribute | Act::Spread));
    arranges || matches!(frame.act, Some(Act::Create | Act::Ask | Act::Say | Act::Back) | None)
}

/// "I can't see the tent".
fn tells_why(frame: &Frame) -> bool {
    frame.told && frame.act == Some(Act::Camera)
}

fn is_wish(frame: &Frame) -> bool {
    !tells_why(frame) && !matches!(frame.act, Some(Act::Ask | Act::Say)) || frame.too
}

fn is_about_it(frame: &Frame) -> bool {
    !frame.theme.is_empty() && frame.theme.iter().all(is_it)
}

/// "The middle one is a bit dull".
fn tells_quality(frame: &Frame) -> bool {
    frame.told
        && frame.act == Some(Act::Change)
        && !frame.theme.is_empty()
        && frame.places.is_empty()
}

/// "the right one is too bright".
fn is_told(frame: &Frame) -> bool {
    frame.too && !frame.theme.is_empty() && !frame.theme.iter().all(is_it)
}

/// "Half that": by how much is told after what is wrong.
fn is_half(frame: &Frame) -> bool {
    frame.less && frame.theme.is_empty() && frame.amount.is_none()
}

/// "they are bigger than the reeds, so make those taller": the reeds.
fn take_subject(frame: &mut Frame, reason: &Frame) {
    let than = reason.qualities.iter().find_map(|quality| match quality {
        Quality::Compared { than, .. } => than.as_deref().cloned(),
        _ => None,
    });
    match than.filter(|than| than.plural == frame.theme[0].plural) {
        Some(than) => frame.theme = vec![than],
        None if !reason.theme.iter().all(is_it) => frame.theme.clone_from(&reason.theme),
        None => {}
    }
}

/// "too low, make it 90 cm" is about the height of what was named.
fn take_complaint(frame: &mut Frame, reason: &Frame) {
    let told = reason.qualities.iter().find_map(|quality| match quality {
        Quality::Size { dimension, .. } => Some(*dimension),
        _ => None,
    });
    if let (Some(told), Some(Dimension::Size)) = (told, frame.dimension) {
        frame.dimension = Some(told);
    }
    frame.theme.clone_from(&reason.theme);
    frame.act = frame.act.or(Some(Act::Change));
    frame.fragment = false;
    // "..., scoot it to the left": so far that it is in the way no more.
    let is_open =
        |shift: &Shift| shift.amount.is_none() && shift.toward.is_none() && shift.way.is_some();
    if frame.act == Some(Act::Move) && frame.shift.as_ref().is_some_and(is_open) {
        frame.clear.clone_from(&reason.clear);
        frame.hides = reason.hides;
    }
}

/// What is said of a thing by comparison.
fn compared(phrase: &Phrase) -> Vec<Quality> {
    let is_compared = |quality: &&Quality| matches!(quality, Quality::Compared { .. });
    phrase.qualities.iter().filter(is_compared).cloned().collect()
}

/// "the cubes are too big, half that": half as big; "..., less" is only smaller.
fn halved(complaint: &Frame, half: &Frame) -> Frame {
    let Some(Number::Times(factor)) = half.number else { return complaint.clone() };
    let scaled = |quality: &Quality| match quality {
        Quality::Size { dimension, factor: size } => Quality::Scaled {
            dimension: *dimension,
            factor: if *size < 1.0 { 1.0 / factor } else { factor },
            than: None,
        },
        other => other.clone(),
    };
    let qualities: Vec<Quality> = complaint.qualities.iter().map(scaled).collect();
    let too = qualities == complaint.qualities;
    let act = complaint.act.or(Some(Act::Change));
    Frame { qualities, too, act, fragment: complaint.fragment && too, ..complaint.clone() }
}
