//! More, less, too much, as much: what was done, by another amount.

use crate::frames::{Act, Amount, Frame, Quality, Shift, View, Way};

use super::overlay::{lessened, put_quality, repeated};
use super::reverse::reversed;
use super::state::Base;
use super::within::is_exception;

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
        return Some((lessened(earlier, 0.5), Base::Checkpoint));
    }
    if frame.too {
        return Some((
            Frame { act: Some(Act::Change), fragment: false, ..frame.clone() },
            Base::Now,
        ));
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
