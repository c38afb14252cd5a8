//! Messages that go on from what was done: the rest of what they mean is in the frame before.

use crate::frames::{
    Act, Amount, Dimension, Frame, Head, Phrase, Place, Quality, Relation, Shift, Way,
};

use super::overlay::set_count;
use super::reverse::back;
use super::state::Base;

/// What was moved, moved on or back.
pub(super) fn moved_on(frame: &Frame, earlier: &Frame) -> Frame {
    let amount = frame.amount;
    let own = frame.view.look.first().map(|look| (true, Box::new(look.clone())));
    let nearer = frame.view.zoom == Some("in");
    let toward = own.or_else(|| Some((nearer, put_to(earlier)?)));
    let shift = match (&earlier.shift, frame.view.zoom, toward) {
        (_, _, Some(toward)) => {
            Shift { way: None, amount, toward: Some(toward), axis: None, more: None }
        }
        (Some(old), Some("out"), None) => {
            let toward = old.toward.clone().map(|(_, target)| (false, target));
            Shift { amount, more: None, toward, ..old.clone() }
        }
        (_, zoom, None) => {
            let way = if zoom == Some("in") { Way::Near } else { Way::Far };
            Shift { way: Some(way), amount, toward: None, axis: None, more: None }
        }
    };
    let theme = match earlier.act {
        // What was made is spoken of.
        Some(Act::Create) => vec![Phrase::it()],
        _ => earlier.theme.clone(),
    };
    Frame {
        act: Some(Act::Move),
        theme,
        shift: Some(shift),
        tokens: frame.tokens,
        ..Frame::default()
    }
}

/// What something was put beside: "closer" is closer to that.
pub(super) fn put_to(earlier: &Frame) -> Option<Box<Phrase>> {
    let of_theme = || earlier.theme.last().into_iter().flat_map(|phrase| &phrase.at);
    let beside = |place: &&Place| {
        !matches!(place.relation, Some(Relation::On | Relation::Inside | Relation::Above) | None)
    };
    let mut places = earlier.places.iter().chain(of_theme()).filter(beside);
    let target = places.find_map(|place| place.target.clone());
    target.filter(|target| target.is_definite())
}

/// A fragment without anything before it.
pub(super) fn alone(frame: &Frame) -> Frame {
    let act = if !frame.qualities.is_empty() {
        Some(Act::Change)
    } else if !frame.places.is_empty() || frame.shift.is_some() {
        Some(Act::Move)
    } else if !frame.pattern.is_empty() {
        Some(Act::Arrange)
    } else {
        None
    };
    Frame { act, fragment: false, ..frame.clone() }
}

/// A fragment that goes on from what was done.
pub(super) fn follow_up(frame: &Frame, earlier: &Frame) -> (Frame, Base) {
    let of_camera = earlier.act == Some(Act::Camera);
    let mut plain = Frame { fragment: false, ..frame.clone() };
    // "and the same colour": as the thing that was compared with, or gone to.
    for quality in &mut plain.qualities {
        if let Quality::Same { other: other @ None, .. } = quality {
            *other = compared_with(earlier);
        }
    }
    let plain = plain;
    if let Some(count) = frame.count {
        let makes = matches!(earlier.act, Some(Act::Create | Act::Copy)) && !earlier.exact;
        if makes && !frame.exact {
            let mut again = earlier.clone();
            set_count(&mut again, count);
            if let (false, Some(made)) = (frame.pattern.is_empty(), again.theme.first_mut()) {
                made.pattern = frame.pattern.clone();
            }
            return (again, Base::Checkpoint);
        }
        let of_number = earlier.act == Some(Act::Remove) || frame.total || earlier.exact;
        if frame.exact || of_number || !frame.pattern.is_empty() {
            let one = Phrase { is_one: true, plural: true, ..Phrase::of(Head::Thing) };
            let theme = vec![Phrase { count: Some(count), ..one }];
            let act = Some(Act::Create);
            return (Frame { act, total: true, exact: true, theme, ..plain }, Base::Now);
        }
        return (plain, Base::Now);
    }
    // "a bit higher" after the camera was moved is said of the camera.
    if let (true, [Quality::Compared { dimension: Dimension::Height, more, amount, than: None }]) =
        (of_camera && frame.theme.is_empty(), frame.qualities.as_slice())
    {
        let way = Some(if *more { Way::Up } else { Way::Down });
        let shift = Some(Shift { way, amount: *amount, toward: None, axis: None, more: None });
        let act = Some(Act::Camera);
        return (Frame { act, shift, tokens: frame.tokens, ..Frame::default() }, Base::Now);
    }
    if !frame.qualities.is_empty() {
        // "darker" after a thing was painted is said of the thing, not of the light.
        let looks = |quality: &Quality| {
            matches!(
                quality,
                Quality::Colour(_)
                    | Quality::Material { .. }
                    | Quality::Compared { dimension: Dimension::Lightness, .. }
            )
        };
        let painted = earlier.act == Some(Act::Change)
            && earlier.qualities.iter().any(looks)
            && !matches!(earlier.theme.first().map(|theme| &theme.head), Some(Head::Scene(_)));
        if painted && frame.theme.is_empty() && !earlier.of_light {
            let mut shade = plain;
            for quality in &mut shade.qualities {
                if let Quality::Compared { dimension, .. } = quality
                    && *dimension == Dimension::Brightness
                {
                    *dimension = Dimension::Lightness;
                }
            }
            // The thing itself, not the light on it.
            let theme = vec![Phrase { head: Head::Pronoun("itself"), ..Phrase::it() }];
            return (Frame { act: Some(Act::Change), theme, ..shade }, Base::Now);
        }
        if earlier.of_light && frame.theme.is_empty() {
            return (Frame { act: Some(Act::Change), of_light: true, ..plain }, Base::Now);
        }
        return (Frame { act: Some(Act::Change), ..plain }, Base::Now);
    }
    let shown = match frame.places.iter().find_map(|place| place.target.as_deref()) {
        Some(target) => vec![target.clone()],
        None => frame.theme.clone(),
    };
    if of_camera && !shown.is_empty() && frame.shift.is_none() {
        let mut whole = Frame { tokens: frame.tokens, ..earlier.clone() };
        let slot = match whole.view.frame.is_empty() {
            true => &mut whole.view.look,
            false => &mut whole.view.frame,
        };
        *slot = shown;
        return (whole, Base::Now);
    }
    if frame.shift.is_some() && of_camera && frame.theme.is_empty() {
        return (Frame { act: Some(Act::Camera), ..plain }, Base::Now);
    }
    if frame.shift.is_some() || !frame.places.is_empty() {
        // "back a bit" goes back the way it came.
        let is_back = frame.shift.as_ref().is_some_and(|shift| shift.way == Some(Way::Back));
        if let Some(old) = earlier.shift.as_ref().filter(|_| is_back)
            && matches!(old.way, Some(Way::Left | Way::Right | Way::Up | Way::Down))
        {
            let amount = frame.shift.as_ref().and_then(|shift| shift.amount).or(old.amount);
            let shift = Some(Shift { amount, ..back(old) });
            let theme =
                if frame.theme.is_empty() { earlier.theme.clone() } else { frame.theme.clone() };
            return (Frame { act: Some(Act::Move), shift, theme, ..plain }, Base::Now);
        }
        let amount_only =
            frame.shift.as_ref().is_some_and(|shift| shift.way.is_none() && shift.toward.is_none());
        let no_way = Shift { way: earlier.way, amount: None, toward: None, axis: None, more: None };
        let old = earlier.shift.as_ref().or(earlier.way.map(|_| &no_way));
        if amount_only && let Some(old) = old {
            let amount = frame.shift.as_ref().and_then(|shift| shift.amount);
            // "and the fourth one twice that".
            let amount = match (amount, old.amount) {
                (Some(Amount::Times(times)), Some(Amount::Metres(old) | Amount::Plain(old))) => {
                    Some(Amount::Metres(times * old))
                }
                (amount, _) => amount,
            };
            let shift = Shift { amount, ..old.clone() };
            return (
                Frame {
                    act: Some(Act::Move),
                    shift: Some(shift),
                    way: earlier.way,
                    theme: match frame.theme.is_empty() {
                        true => earlier.theme.clone(),
                        false => frame.theme.clone(),
                    },
                    ..plain
                },
                Base::Now,
            );
        }
        return (Frame { act: Some(Act::Move), ..plain }, Base::Now);
    }
    if !frame.pattern.is_empty() {
        let theme = vec![Phrase { plural: true, ..Phrase::of(Head::Pronoun("them")) }];
        return (Frame { act: Some(Act::Arrange), theme, ..plain }, Base::Now);
    }
    if !frame.without.is_empty() {
        return (
            Frame { act: Some(Act::Remove), theme: frame.without.clone(), ..plain },
            Base::Now,
        );
    }
    if !frame.with.is_empty() {
        return (Frame { act: Some(Act::Furnish), ..plain }, Base::Now);
    }
    if frame.name.is_some() {
        return (Frame { act: Some(Act::Name), ..plain }, Base::Now);
    }
    // "everything but the sofa, the floor": what follows is spared, too; nothing is taken away for it.
    // Nothing is taken away that was not named with the verb.
    let removes = matches!(earlier.act, Some(Act::Remove | Act::Keep));
    let spares = removes
        || !earlier.except.is_empty()
        || earlier.theme.iter().any(|phrase| !phrase.except.is_empty());
    let is_one = |phrase: &Phrase| matches!(phrase.head, Head::Thing) && phrase.is_definite();
    let spares = spares && !(earlier.act == Some(Act::Remove) && frame.theme.iter().all(is_one));
    if !frame.theme.is_empty() && !spares {
        let theme = frame.theme.clone();
        return match earlier.act {
            Some(Act::Create) | Some(Act::Say) | None => {
                let look = crate::frames::Frame { act: None, theme, ..plain };
                (look, Base::Now)
            }
            _ => {
                (Frame { theme, tokens: frame.tokens, fix: false, ..as_change(earlier) }, Base::Now)
            }
        };
    }
    (plain, Base::Now)
}

/// The thing that another was made alike to or put to.
fn compared_with(earlier: &Frame) -> Option<Box<Phrase>> {
    let of_quality = earlier.qualities.iter().find_map(|quality| match quality {
        Quality::Same { other, .. } => other.clone(),
        Quality::Compared { than, .. } | Quality::Scaled { than, .. } => than.clone(),
        _ => None,
    });
    let places = || earlier.places.iter().chain(earlier.theme.iter().flat_map(|phrase| &phrase.at));
    of_quality.or_else(|| places().find_map(|place| place.target.clone()))
}

/// What was done, to be done to something else.
pub(super) fn as_change(earlier: &Frame) -> Frame {
    if earlier.act == Some(Act::Create)
        && let Some(made) = earlier.theme.first()
    {
        return Frame {
            act: Some(Act::Change),
            qualities: made.qualities.clone(),
            ..Frame::default()
        };
    }
    earlier.clone()
}
