//! "the other way round": ways turned back, things and places exchanged.

use crate::frames::{Act, Amount, Frame, Place, Quality, Region, Relation, Shift, Way};

/// The earlier frame the other way round.
pub(super) fn reversed(earlier: &Frame) -> Frame {
    let mut frame = earlier.clone();
    if let Some(shift) = &mut frame.shift {
        *shift = back(shift);
        return frame;
    }
    match frame.act {
        Some(Act::Turn) => {
            let way = match frame.way {
                None | Some(Way::Counterclockwise) => Way::Clockwise,
                Some(way @ (Way::Left | Way::Right | Way::Front | Way::Back)) => way.opposite(),
                _ => Way::Counterclockwise,
            };
            frame.way = Some(way);
        }
        Some(Act::Sort) => {
            let largest_first = matches!(frame.superlative, Some("big" | "tall" | "wide" | "long"));
            frame.superlative = Some(if largest_first { "small" } else { "big" });
        }
        Some(Act::Move) => exchange(&mut frame),
        Some(Act::Create) => {
            for phrase in &mut frame.theme {
                phrase.at.iter_mut().for_each(turn_round);
            }
            exchange(&mut frame);
        }
        Some(Act::Camera) => frame.view.pan = frame.view.pan.map(Way::opposite),
        _ => {}
    }
    frame.way = match frame.act {
        Some(Act::Turn) => frame.way,
        _ => frame.way.map(Way::opposite),
    };
    frame.more = frame.more.map(|more| !more);
    for quality in &mut frame.qualities {
        match quality {
            Quality::Compared { more, .. } => *more = !*more,
            Quality::Scaled { factor, .. } | Quality::Size { factor, .. } => {
                *factor = 1.0 / *factor
            }
            _ => {}
        }
    }
    frame
}

/// The way back.
pub(super) fn back(shift: &Shift) -> Shift {
    let amount = match (shift.axis, shift.amount) {
        (Some(_), Some(Amount::Metres(way) | Amount::Plain(way))) => Some(Amount::Metres(-way)),
        (_, amount) => amount,
    };
    let toward = shift.toward.clone().map(|(to, target)| (!to, target));
    Shift { way: shift.way.map(Way::opposite), amount, toward, ..shift.clone() }
}

/// What went to a thing gets the thing to it, where the thing can be moved; else the other side.
fn exchange(frame: &mut Frame) {
    let [place] = frame.places.as_mut_slice() else { return };
    match (&mut place.target, frame.theme.as_slice()) {
        (Some(target), [own]) if frame.act == Some(Act::Move) => {
            let moved = std::mem::replace(&mut **target, own.clone());
            frame.theme = vec![moved];
        }
        _ => turn_round(place),
    }
}

fn turn_round(place: &mut Place) {
    place.relation = place.relation.map(|relation| match relation {
        Relation::LeftOf => Relation::RightOf,
        Relation::RightOf => Relation::LeftOf,
        Relation::InFrontOf => Relation::Behind,
        Relation::Behind => Relation::InFrontOf,
        Relation::EdgeLeft => Relation::EdgeRight,
        Relation::EdgeRight => Relation::EdgeLeft,
        Relation::On | Relation::Above => Relation::Under,
        Relation::Under => Relation::On,
        other => other,
    });
    place.region = place.region.map(|region| match region {
        Region::Left => Region::Right,
        Region::Right => Region::Left,
        Region::Front => Region::Back,
        Region::Back | Region::Behind => Region::Front,
        other => other,
    });
}
