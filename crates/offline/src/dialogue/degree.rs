//! More, less, too much, as much: what was done, by another amount.

use crate::frames::{
    Act, Amount, Dimension, Frame, Head, Number, Phrase, Quality, Shift, View, Way,
};

use super::overlay::{is_exception, is_it, lessened, put_quality, repeated};
use super::reverse::reversed;
use super::state::Base;

/// "taller. maybe 20 %": the change of before, by that amount.
pub(super) fn by_amount(frame: &Frame, earlier: Option<&Frame>) -> Option<Frame> {
    let earlier = earlier.filter(|earlier| earlier.act == Some(Act::Change))?;
    let shift = frame.shift.as_ref().filter(|shift| {
        shift.way.is_none()
            && shift.toward.is_none()
            && shift.axis.is_none()
            && shift.more.is_none()
    });
    let amount = shift.and_then(|shift| shift.amount).or(frame.amount.filter(|_| frame.fix))?;
    if !frame.fragment || !frame.theme.is_empty() || !frame.qualities.is_empty() {
        return None;
    }
    let mut changed = earlier.clone();
    let mut is_found = false;
    for quality in &mut changed.qualities {
        if let Quality::Compared { amount: old, .. } = quality {
            *old = Some(amount);
            is_found = true;
        }
    }
    if earlier.dimension.is_some() && earlier.to.is_none() {
        changed.amount = Some(amount);
        is_found = true;
    }
    is_found.then_some(changed)
}

/// "they are too small, double them": where sizes are spoken of, they are doubled and not the number.
pub(super) fn sized(frame: &Frame, earlier: &Frame) -> Option<Frame> {
    let Some(Number::Times(factor)) = frame.number else { return None };
    let of_size = |quality: &Quality| match quality {
        Quality::Size { dimension, .. }
        | Quality::Compared { dimension, .. }
        | Quality::Scaled { dimension, .. } => dimension.is_length(),
        _ => false,
    };
    let is_size = earlier.number.is_none()
        && earlier.act != Some(Act::Create)
        && earlier.qualities.iter().any(of_size);
    let of_them = !frame.theme.is_empty() && frame.theme.iter().all(is_it);
    (is_size && of_them).then(|| Frame {
        act: Some(Act::Change),
        theme: frame.theme.clone(),
        qualities: vec![Quality::Scaled { dimension: Dimension::Size, factor, than: None }],
        tokens: frame.tokens,
        ..Frame::default()
    })
}

/// "a foot less" after "taller": back by that much.
fn back_by(frame: &Frame, earlier: &Frame, amount: Amount) -> Option<Frame> {
    let mut changed = Frame { tokens: frame.tokens, ..earlier.clone() };
    let mut is_found = false;
    for quality in &mut changed.qualities {
        if let Quality::Compared { more, amount: old, .. } = quality {
            (*more, *old, is_found) = (!*more, Some(amount), true);
        }
    }
    if let Some(shift) = changed.shift.as_mut().filter(|shift| shift.way.is_some()) {
        shift.way = shift.way.map(Way::opposite);
        shift.amount = Some(amount);
        is_found = true;
    }
    is_found.then_some(changed)
}

/// "make the cone twice as tall and the cylinder three times": the change of before, by another amount.
pub(super) fn changed_as_much(frame: &Frame, earlier: Option<&Frame>) -> Option<Frame> {
    let shift = frame
        .shift
        .as_ref()
        .filter(|shift| shift.way.is_none() && shift.toward.is_none() && shift.axis.is_none())?;
    let (earlier, amount) =
        (earlier.filter(|earlier| earlier.act == Some(Act::Change))?, shift.amount?);
    let mut changed = Frame { theme: frame.theme.clone(), tokens: frame.tokens, ..earlier.clone() };
    let mut is_found = false;
    for quality in &mut changed.qualities {
        match (quality, amount) {
            (Quality::Scaled { factor, .. }, Amount::Times(times)) => *factor = times,
            (Quality::Measured { amount: old, .. }, _) => *old = amount,
            (Quality::Compared { amount: old, .. }, _) => *old = Some(amount),
            _ => continue,
        }
        is_found = true;
    }
    (is_found && frame.places.is_empty() && !frame.theme.is_empty()).then_some(changed)
}

/// "too far", "less", "the other way", "again": the earlier frame by another amount, or without what is spared.
pub(super) fn by_degree(frame: &Frame, earlier: &Frame) -> Option<(Frame, Base)> {
    if frame.reverse {
        return Some((reversed(earlier), Base::Checkpoint));
    }
    if is_exception(frame) && earlier.act != Some(Act::Create) {
        return Some((Frame { except: frame.except.clone(), ..earlier.clone() }, Base::Checkpoint));
    }
    // Nothing is taken away by half, nor all of it for a word.
    let takes = matches!(earlier.act, Some(Act::Remove | Act::Keep));
    let is_all = |phrase: &Phrase| matches!(phrase.head, Head::Everything { .. });
    if takes && frame.theme.iter().any(is_all) {
        return Some((frame.clone(), Base::Now));
    }
    if takes && !frame.reverse && frame.except.is_empty() {
        return None;
    }
    let went_too_far = earlier.act == Some(Act::Camera) && frame.shift.is_none();
    if frame.too && frame.theme.is_empty() && went_too_far {
        return Some((lessened(earlier, 0.5), Base::Checkpoint));
    }
    if frame.too
        && let Some(shift) = &frame.shift
    {
        if earlier.act == Some(Act::Camera) {
            let zoom = match shift.way {
                Some(Way::Near | Way::Front) => Some("out"),
                Some(Way::Far | Way::Back) => Some("in"),
                _ => None,
            };
            let view = View { zoom, ..View::default() };
            let back = zoom
                .is_none()
                .then(|| Shift { way: shift.way.map(Way::opposite), ..shift.clone() });
            return Some((
                Frame {
                    act: Some(Act::Camera),
                    view,
                    shift: back,
                    tokens: frame.tokens,
                    ..Frame::default()
                },
                Base::Now,
            ));
        }
        let is_same_way = earlier.shift.as_ref().is_some_and(|old| old.way == shift.way);
        let is_side =
            matches!(shift.way, Some(Way::Left | Way::Right | Way::Up | Way::Down | Way::Back));
        if is_same_way || !is_side || !earlier.places.is_empty() {
            return Some((lessened(earlier, 0.5), Base::Checkpoint));
        }
        // "too far to the left" of what was not moved there: it goes the other way.
        let way = shift.way.map(Way::opposite);
        let shift = Some(Shift { way, ..shift.clone() });
        let (act, theme, tokens) = (Some(Act::Move), frame.theme.clone(), frame.tokens);
        return Some((Frame { act, theme, shift, tokens, ..Frame::default() }, Base::Now));
    }
    if frame.too {
        return Some((
            Frame { act: Some(Act::Change), fragment: false, ..frame.clone() },
            Base::Now,
        ));
    }
    if let Some(amount) = frame.amount.filter(|_| frame.less) {
        return Some((back_by(frame, earlier, amount)?, Base::Now));
    }
    if frame.less {
        // What was come close to is left by half a step.
        let zoom = match earlier.view.zoom {
            Some("in") => Some("out"),
            Some(_) => Some("in"),
            None => None,
        };
        if earlier.act == Some(Act::Camera) && zoom.is_some() && !earlier.view.look.is_empty() {
            let view = View { zoom, ..View::default() };
            let amount = Some(Amount::Degree(0.5));
            let act = Some(Act::Camera);
            let tokens = frame.tokens;
            return Some((Frame { act, view, amount, tokens, ..Frame::default() }, Base::Now));
        }
        return Some((lessened(earlier, 0.5), Base::Checkpoint));
    }
    if frame.again {
        let mut again = repeated(earlier, frame.amount);
        // "the same but red".
        if let (Some(Act::Create), Some(made)) = (again.act, again.theme.first_mut()) {
            for quality in &frame.qualities {
                put_quality(&mut made.qualities, quality);
            }
        }
        // "the same on the other side".
        if !frame.places.is_empty() {
            again.theme.iter_mut().for_each(|made| made.at.clear());
            again.places.clone_from(&frame.places);
        }
        return Some((again, Base::Now));
    }
    None
}
