//! What the sentences of one message say of each other: reasons, details, exceptions.

use catalogue::catalogue;

use crate::frames::{Act, Determiner, Frame, Head, Phrase, Quality};
use crate::plan::is_part_of as has_part;

use super::overlay::{is_exception, is_it, laid_over, put_quality};
use super::reasons::without_reasons;

/// The frames of a message as what they mean together.
pub(super) fn joined(frames: &[Frame]) -> Vec<Frame> {
    let mut whole: Vec<Frame> = Vec::new();
    for mut frame in without_reasons(frames).into_iter().filter(|frame| !is_empty(frame)) {
        // "the third one from the left, move it": what is named first is what is spoken of.
        if let Some(topic) = whole.last().filter(|last| is_topic(last))
            && frame.act.is_some_and(|act| act != Act::Say)
            && !frame.theme.is_empty()
            && frame.theme.iter().all(is_it)
        {
            frame.theme.clone_from(&topic.theme);
            whole.pop();
        }
        let frame = match whole.last_mut() {
            Some(last) => without_details(frame, last),
            None => frame,
        };
        match whole.last_mut() {
            Some(last) if frame.theme.is_empty() && frame.act == Some(Act::Create) => {
                last.bare &= frame.bare;
            }
            Some(last) if tells_more(&frame, last) => detail(last, &frame),
            Some(last) if tells_quality(&frame, last) => {
                for made in &mut last.theme {
                    frame.qualities.iter().for_each(|told| put_quality(&mut made.qualities, told));
                }
            }
            Some(last) if tells_which(&frame, last) => {
                let mut which = frame.theme;
                which[0].head.clone_from(&last.theme[0].head);
                last.theme = which;
            }
            Some(last) if names_only(last) && is_named_more(&frame, last) => *last = frame,
            Some(last) if is_exception(last) && says_what(&frame) => {
                let about_it = frame.theme.iter().all(is_it);
                let theme = if about_it { spared(last) } else { frame.theme.clone() };
                let act = frame.act.or(Some(Act::Change));
                whole.push(Frame { theme, act, fragment: false, told: false, ..frame });
            }
            _ => whole.push(frame),
        }
    }
    whole.iter_mut().for_each(name_the_parallel);
    whole
}

/// "roses in the left bed and cabbages in the right one": of those that were told apart before.
fn name_the_parallel(frame: &mut Frame) {
    let mut named: Option<(Head, String)> = None;
    let places = frame.theme.iter_mut().flat_map(|phrase| &mut phrase.at);
    for target in places.filter_map(|place| place.target.as_deref_mut()) {
        if target.superlative.is_none() && target.ordinal.is_none() {
            continue;
        }
        match &named {
            Some((head, word)) if target.is_one => {
                target.head.clone_from(head);
                target.word.clone_from(word);
                target.is_one = false;
            }
            _ => named = Some((target.head.clone(), target.word.clone())),
        }
    }
}

/// "a fridge. A big one, steel, two doors": what begins with "one" tells of what the sentence before asked for, and so do
/// its parts. What is left.
fn without_details(mut frame: Frame, before: &mut Frame) -> Frame {
    if frame.theme.len() < 2 || !frame.theme[0].is_one {
        return frame;
    }
    let first = Frame { theme: vec![frame.theme[0].clone()], ..frame.clone() };
    if !tells_more(&first, before) {
        return frame;
    }
    detail(before, &first);
    frame.theme.remove(0);
    let object = before.theme.last().and_then(|made| match &made.head {
        Head::Object { name, .. } => catalogue().find(name),
        _ => None,
    });
    if let (Some(object), Some(made)) = (object, before.theme.last_mut()) {
        let is_own = |phrase: &Phrase| has_part(object, phrase) && phrase.at.is_empty();
        made.with.extend(frame.theme.iter().filter(|phrase| is_own(phrase)).cloned());
        frame.theme.retain(|phrase| !is_own(phrase));
    }
    frame
}

/// "A car. Red.": the second tells what the first is like.
fn tells_quality(frame: &Frame, before: &Frame) -> bool {
    let is_bare = frame.fragment && frame.theme.is_empty() && !frame.qualities.is_empty();
    let nothing_else = frame.places.is_empty()
        && frame.shift.is_none()
        && frame.pattern.is_empty()
        && !(frame.fix || frame.too || frame.less || frame.again || frame.reverse);
    let looks = |quality: &Quality| {
        matches!(
            quality,
            Quality::Colour(_)
                | Quality::Material { .. }
                | Quality::Size { .. }
                | Quality::Measured { .. }
        )
    };
    // Right after it but for a mark, and with nothing left out.
    let words = frame.tokens.1 - frame.tokens.0;
    let follows = frame.tokens.0 <= before.tokens.1 + 1 && words <= 2 * frame.qualities.len();
    is_bare
        && follows
        && nothing_else
        && frame.qualities.iter().all(looks)
        && before.bare
        && before.act == Some(Act::Create)
        && matches!(before.theme.as_slice(), [made] if !matches!(made.head, Head::Theme(_)))
}

/// What is spared, out of all of its kind: those that are not will be spoken of by then.
fn spared(exception: &Frame) -> Vec<Phrase> {
    let all = Phrase {
        determiner: Some(Determiner::All),
        is_one: true,
        plural: true,
        ..Phrase::of(Head::Thing)
    };
    let among = |phrase: &Phrase| match phrase.head {
        Head::Thing => Phrase { of_them: Some(Box::new(all.clone())), ..phrase.clone() },
        _ => phrase.clone(),
    };
    exception.except.iter().map(among).collect()
}

/// Whether it tells what becomes of what is spared: "that's green".
fn says_what(frame: &Frame) -> bool {
    !frame.theme.is_empty() || (frame.fragment && !frame.qualities.is_empty())
}

/// "Oh, and ants! Five little black ants.", "a barrel, an old one made of wood": the second tells what the
/// first is like.
fn tells_more(frame: &Frame, before: &Frame) -> bool {
    let creates = |frame: &Frame| frame.act == Some(Act::Create);
    let ([new], Some(old)) = (frame.theme.as_slice(), before.theme.last()) else { return false };
    if !creates(frame) || !creates(before) || frame.joined || old.count.is_some() {
        return false;
    }
    let is_more = matches!(new.determiner, Some(Determiner::Another | Determiner::More));
    let of_kind = old.plural
        && old.determiner.is_none()
        && before.bare
        && (new.head == old.head || new.is_one)
        && (new.count.is_some() || !new.plural);
    // "a black box. 1 metre cube."
    let is_measured_cube = new.determiner.is_none()
        && !new.qualities.is_empty()
        && matches!((&new.head, &old.head), (Head::Shape { name: one, .. }, Head::Shape { name: other, .. }) if one == other);
    let is_same_one = !old.plural
        && (new.is_one || is_measured_cube || (is_named_more(frame, before) && old.at.is_empty()))
        && !new.plural
        && new.count.is_none()
        && frame.bare
        && new.qualities.iter().all(|quality| {
            let mut kept = old.qualities.clone();
            put_quality(&mut kept, quality);
            kept.len() > old.qualities.len()
        });
    // "more dogs! 5 more": the number of those.
    let was_more = matches!(old.determiner, Some(Determiner::Another | Determiner::More));
    if is_more && was_more {
        return (new.headless || new.is_one || new.head == old.head) && new.count.is_some();
    }
    !is_more && (of_kind || is_same_one)
}

/// "Lose one chair. The one nearest the door": which of them goes is told after.
fn tells_which(frame: &Frame, before: &Frame) -> bool {
    let ([which], [one]) = (frame.theme.as_slice(), before.theme.as_slice()) else { return false };
    before.act == Some(Act::Remove)
        && is_topic(frame)
        && which.is_one
        && which.is_definite()
        && one.count == Some(1.0)
        && !one.is_one
}

/// "the van. A white delivery van": the first only names what the second tells.
fn names_only(frame: &Frame) -> bool {
    frame.fragment && frame.act.is_none() && frame.theme.len() == 1 && frame.places.is_empty()
}

/// "a wheel. Just a bike wheel": whether the noun of the second is that of the first, with more before it.
fn is_named_more(frame: &Frame, before: &Frame) -> bool {
    let (Some(new), Some(old)) = (frame.theme.first(), before.theme.last()) else { return false };
    frame.bare
        && frame.act == Some(Act::Create)
        && !old.word.is_empty()
        && new.count.is_none()
        && new
            .word
            .strip_suffix(&old.word)
            .is_some_and(|more| more.is_empty() || more.ends_with(' '))
        && (new.word != old.word || !new.qualities.is_empty() || !old.plural)
}

fn detail(before: &mut Frame, frame: &Frame) {
    let ([new], Some(old)) = (frame.theme.as_slice(), before.theme.last_mut()) else { return };
    let places = if new.at.is_empty() { old.at.clone() } else { new.at.clone() };
    // "a little red stool. Just a stool."
    let is_again = new.word == old.word && new.qualities.is_empty();
    let whole = match new.is_one {
        true => laid_over(old, new),
        false if is_again => old.clone(),
        false => new.clone(),
    };
    *old = Phrase { plural: new.plural, at: places, ..whole };
    before.bare &= frame.bare;
    before.places.extend(frame.places.iter().cloned());
}

/// Whether a frame says nothing but what it is about: "the third one from the left, ...".
pub(super) fn is_topic(frame: &Frame) -> bool {
    frame.fragment
        && !frame.fix
        && frame.act.is_none()
        && !frame.theme.is_empty()
        && frame.qualities.is_empty()
        && frame.places.is_empty()
        && frame.shift.is_none()
        && frame.except.is_empty()
        && frame.pattern.is_empty()
        && !(frame.too || frame.less || frame.again)
}

/// Whether nothing is told of what it is about: "the others can stay as they are".
fn is_empty(frame: &Frame) -> bool {
    let tokens = frame.tokens;
    *frame == Frame { fragment: true, tokens, ..Frame::default() }
}
