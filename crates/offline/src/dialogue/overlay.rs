//! Slots laid over those of an earlier frame.

use crate::frames::{Act, Amount, Frame, Head, Phrase, Quality, Shift};
use crate::plan::opposite;

/// Whether a description is a pronoun.
pub(super) fn is_it(phrase: &Phrase) -> bool {
    matches!(phrase.head, Head::Pronoun(_))
}

/// Whether a frame only spares something: "except the top one".
pub(super) fn is_exception(frame: &Frame) -> bool {
    frame.fragment && !frame.except.is_empty() && frame.theme.is_empty()
}

/// The earlier frame with the slots that the later one fills.
pub(super) fn overwritten(earlier: &Frame, later: &Frame) -> Frame {
    let mut frame = earlier.clone();
    frame.tokens = later.tokens;
    // "not the box, the cylinder": where the box stood in the frame.
    if let ([wrong], [right]) = (later.wrong.as_slice(), later.theme.as_slice()) {
        let told = |phrase: &Phrase| phrase.head == wrong.head || phrase.word == wrong.word;
        let target = frame.places.iter_mut().find_map(|place| place.target.as_mut());
        if let Some(target) = target.filter(|target| told(target)) {
            **target = right.clone();
            return frame;
        }
    }
    // What was said last is what is corrected: "move the ball behind the box" "no, the cone".
    if let ([right], Some(Act::Move), true) = (
        later.theme.as_slice(),
        later.act.or(earlier.act),
        later.fragment && later.places.is_empty(),
    ) && later.wrong.is_empty()
        && !matches!(right.head, Head::Thing | Head::Pronoun(_))
        && let [place] = frame.places.as_mut_slice()
        && let Some(target) = &mut place.target
    {
        **target = right.clone();
        return frame;
    }
    if !later.wrong.is_empty() && later.theme.is_empty() {
        frame.except = later.wrong.clone();
        for phrase in &mut frame.theme {
            phrase.plural = true;
        }
    }
    if !later.theme.is_empty() {
        frame.theme = match (earlier.act, earlier.theme.first(), later.theme.as_slice()) {
            (Some(Act::Create), Some(old), [new]) => vec![laid_over(old, new)],
            _ => later.theme.clone(),
        };
    }
    if !later.qualities.is_empty() {
        match (frame.act, frame.theme.first_mut()) {
            (Some(Act::Create), Some(made)) => {
                for quality in &later.qualities {
                    put_quality(&mut made.qualities, quality);
                }
            }
            (Some(Act::Change), _) => {
                for quality in &later.qualities {
                    put_quality(&mut frame.qualities, quality);
                }
            }
            _ => {
                frame.act = Some(Act::Change);
                frame.qualities.clone_from(&later.qualities);
            }
        }
    }
    if !later.places.is_empty() {
        match frame.act {
            Some(Act::Create) => {
                for phrase in &mut frame.theme {
                    phrase.at.clear();
                }
            }
            Some(Act::Copy | Act::Move) => frame.shift = None,
            _ => frame.act = Some(Act::Move),
        }
        frame.places.clone_from(&later.places);
    }
    if let Some(shift) = &later.shift {
        let old = frame.shift.clone();
        let was = old.as_ref().and_then(|old| old.amount);
        let amount = shift.amount.map(|new| in_unit_of(was, new)).or(was);
        let way = shift
            .way
            .or_else(|| old.as_ref().filter(|_| shift.toward.is_none()).and_then(|old| old.way));
        frame.shift = Some(Shift { amount, way, ..shift.clone() });
        match frame.act {
            Some(Act::Move) => frame.places.clear(),
            Some(Act::Camera | Act::Copy) => {}
            _ => {
                frame.act = Some(Act::Move);
                frame.theme.clear();
            }
        }
    }
    if let Some(count) = later.count {
        set_count(&mut frame, count);
    }
    if !later.pattern.is_empty() {
        frame.pattern = later.pattern.clone();
        for phrase in &mut frame.theme {
            phrase.pattern = later.pattern.clone();
        }
    }
    if later.name.is_some() {
        frame.name.clone_from(&later.name);
    }
    for (own, new) in [(&mut frame.with, &later.with), (&mut frame.without, &later.without)] {
        if !new.is_empty() {
            own.clone_from(new);
        }
    }
    if let Some(made) = frame.theme.first_mut().filter(|_| frame.act == Some(Act::Create)) {
        made.with.extend(later.with.iter().cloned());
        made.without.extend(later.without.iter().cloned());
    }
    frame.mood = later.mood.or(frame.mood);
    frame.setup = later.setup.or(frame.setup);
    frame.to = later.to.or(frame.to);
    frame
}

/// "no, a blue one": what is not said anew stays.
pub(super) fn laid_over(old: &Phrase, new: &Phrase) -> Phrase {
    let is_one = matches!(new.head, Head::Thing | Head::Pronoun(_));
    if !is_one {
        let mut whole = new.clone();
        if whole.at.is_empty() {
            whole.at.clone_from(&old.at);
        }
        // "no, a cube" after "a red ball" is to be red.
        let look =
            |quality: &&Quality| matches!(quality, Quality::Colour(_) | Quality::Material { .. });
        if !whole.qualities.iter().any(|quality| look(&quality)) {
            whole.qualities.extend(old.qualities.iter().filter(look).cloned());
        }
        if whole.count.is_none() && whole.plural == old.plural {
            whole.count = old.count;
        }
        return whole;
    }
    let mut whole = old.clone();
    for quality in &new.qualities {
        put_quality(&mut whole.qualities, quality);
    }
    if !new.at.is_empty() {
        whole.at.clone_from(&new.at);
    }
    // "a dresser with plates, six of them": of the plates.
    match whole.with.as_mut_slice() {
        [held] if !whole.plural && whole.count.is_none() && held.plural && new.count.is_some() => {
            held.count = new.count;
        }
        _ => whole.count = new.count.or(whole.count),
    }
    whole
}

/// Puts a quality in the place of one of its kind.
pub(super) fn put_quality(qualities: &mut Vec<Quality>, quality: &Quality) {
    let is_size = |quality: &Quality| {
        matches!(
            quality,
            Quality::Size { .. }
                | Quality::Measured { .. }
                | Quality::Compared { .. }
                | Quality::Scaled { .. }
                | Quality::Measures(_)
        )
    };
    let alike = |old: &Quality| match (old, quality) {
        (
            Quality::Colour(_) | Quality::Material { .. } | Quality::Texture { .. },
            Quality::Colour(_),
        ) => !matches!(old, Quality::Material { .. }),
        (
            Quality::Colour(_) | Quality::Material { .. } | Quality::Texture { .. },
            Quality::Material { .. } | Quality::Texture { .. },
        ) => true,
        (Quality::Measured { dimension: one, .. }, Quality::Measured { dimension: other, .. }) => {
            one == other
        }
        (old, new) => is_size(old) && is_size(new),
    };
    qualities.retain(|old| !alike(old));
    qualities.push(quality.clone());
}

pub(super) fn set_count(frame: &mut Frame, count: f64) {
    if frame.act == Some(Act::Copy) {
        frame.count = Some(count);
    } else if let Some(phrase) = frame.theme.first_mut() {
        // "a bowl of oranges. Five of them": of what is in it.
        let held = match phrase.with.as_mut_slice() {
            [held] if !phrase.plural && phrase.count.is_none() && held.plural => Some(held),
            _ => None,
        };
        if let Some(held) = held {
            held.count = Some(count);
            return;
        }
        phrase.count = Some(count);
        phrase.plural = count > 1.0;
    }
}

/// The same again, from where things are now.
pub(super) fn repeated(earlier: &Frame, amount: Option<Amount>) -> Frame {
    let mut frame = earlier.clone();
    if let Some(amount) = amount {
        if let Some(shift) = &mut frame.shift {
            shift.amount = Some(in_unit_of(shift.amount, amount));
        }
        frame.amount = Some(amount);
        for quality in &mut frame.qualities {
            if let Quality::Compared { amount: own, .. } = quality {
                *own = Some(amount);
            }
        }
    }
    frame
}

/// "another 50" after 50 cm is in centimetres, too.
pub(super) fn in_unit_of(old: Option<Amount>, new: Amount) -> Amount {
    match (old, new) {
        (Some(Amount::Metres(old)), Amount::Plain(value)) if old > 0.0 && value > 0.0 => {
            let off = |factor: &f64| (value * factor / old).ln().abs();
            let factors = [1.0, 0.01, 0.001];
            let best = factors.into_iter().min_by(|one, other| off(one).total_cmp(&off(other)));
            Amount::Metres(value * best.unwrap_or(1.0))
        }
        // "the third one a metre, the fourth one twice that".
        (Some(Amount::Metres(old) | Amount::Plain(old)), Amount::Times(times)) => {
            Amount::Metres(old * times)
        }
        _ => new,
    }
}

/// The same by less.
pub(super) fn lessened(earlier: &Frame, factor: f64) -> Frame {
    let mut frame = earlier.clone();
    // "too big" asked for a step back.
    if earlier.too {
        frame.qualities = frame.qualities.iter().flat_map(opposite).collect();
        frame.too = false;
    }
    // Less steep.
    frame.view.from = frame.view.from.map(|from| if from == "above" { "high" } else { from });
    let lessened =
        |amount: Option<Amount>| Some(amount.unwrap_or(Amount::Degree(1.0)).scaled(factor));
    if let Some(shift) = &mut frame.shift {
        shift.amount = lessened(shift.amount);
    }
    if frame.shift.is_none() {
        // Less near is further off.
        let places = frame.theme.iter_mut().flat_map(|phrase| &mut phrase.at);
        for place in frame.places.iter_mut().chain(places) {
            let near = place.gap.and_then(Amount::metres).unwrap_or(0.25);
            place.gap = Some(Amount::Metres(near / factor));
        }
    }
    frame.amount = frame
        .amount
        .map(|amount| amount.scaled(factor))
        .or(frame.view.zoom.map(|_| Amount::Degree(factor)));
    for quality in frame
        .qualities
        .iter_mut()
        .chain(frame.theme.iter_mut().flat_map(|phrase| &mut phrase.qualities))
    {
        match quality {
            Quality::Compared { amount, .. } => *amount = lessened(*amount),
            Quality::Scaled { factor: own, .. } | Quality::Size { factor: own, .. } => {
                *own = own.powf(factor)
            }
            _ => {}
        }
    }
    frame
}
