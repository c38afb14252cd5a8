//! What is told of what was made or asked for: its kind, its number, its color.

use crate::frames::{Act, Determiner, Frame, Head, Phrase, Quality};

use super::overlay::is_it;
use super::overlay::{laid_over, overwritten};
use super::state::State;

/// "is there a pond? Then make one": what was asked about.
pub(super) fn made_after_question(frame: &Frame, state: &State) -> Option<Frame> {
    let ([told], Some(asked)) = (frame.theme.as_slice(), &state.inquired) else { return None };
    (frame.act == Some(Act::Create) && (told.is_one || is_it(told))).then(|| {
        let count = told.count.or(asked.count);
        let made =
            Phrase { determiner: Some(Determiner::Indefinite), count, ..laid_over(asked, told) };
        Frame { theme: vec![made], ..frame.clone() }
    })
}

/// "red canoe" after "put a canoe on the lake": the colour of that one.
pub(super) fn named_again(frame: &Frame, earlier: &Frame) -> Option<Frame> {
    let [told] = frame.theme.as_slice() else { return None };
    let is_look =
        |quality: &Quality| matches!(quality, Quality::Colour(_) | Quality::Material { .. });
    let is_plain = |made: &&Phrase| {
        made.head == told.head && made.plural == told.plural && !made.qualities.iter().any(is_look)
    };
    let made = earlier.theme.iter().rev().find(is_plain)?;
    let is_bare = frame.bare
        && told.determiner.is_none()
        && (told.count.is_none() || told.count == made.count)
        && told.at.is_empty()
        && told.with.is_empty()
        && told.extra.is_none();
    let is_told = is_bare
        && frame.act == Some(Act::Create)
        && earlier.act == Some(Act::Create)
        && !told.qualities.is_empty()
        && told.qualities.iter().all(is_look)
        && !matches!(told.head, Head::Light(_) | Head::Scene(_) | Head::Thing);
    let theme = vec![Phrase {
        determiner: Some(Determiner::Definite),
        qualities: Vec::new(),
        count: None,
        ..told.clone()
    }];
    let (act, qualities) = (Some(Act::Change), told.qualities.clone());
    is_told.then(|| Frame { act, theme, qualities, bare: false, ..frame.clone() })
}

/// "a red one", "i want three cars", "make it five trees": what was made, with what is said of it now.
pub(super) fn told_of_made(frame: &Frame, earlier: &Frame) -> Option<Frame> {
    let [made] = earlier.theme.as_slice() else { return None };
    let told = match frame.act {
        Some(Act::Create) => frame.theme.as_slice(),
        Some(Act::Become) if frame.theme.iter().all(is_it) => frame.other.as_slice(),
        _ => &[],
    };
    let [told] = told else { return None };
    let is_new =
        frame.joined || matches!(told.determiner, Some(Determiner::Another | Determiner::More));
    if earlier.act != Some(Act::Create) || is_new {
        return None;
    }
    let tells_kind = told.is_one
        && told.plural == made.plural
        && frame.bare
        && !told.qualities.is_empty()
        && told.at.is_empty();
    let counts = told.count.is_some() && told.count != made.count;
    let is_same = told.head == made.head || told.is_one || is_it(told);
    let tells_number =
        counts && is_same && (frame.total || frame.fix || frame.act == Some(Act::Become));
    let later = Frame {
        act: None,
        theme: vec![Phrase { is_one: true, head: Head::Thing, ..told.clone() }],
        pattern: told.pattern.clone(),
        ..frame.clone()
    };
    // "make that a cube" keeps the rest of what was said.
    let is_other = frame.act == Some(Act::Become) && made.plural == told.plural;
    if is_other && !tells_number {
        return Some(Frame { theme: vec![laid_over(made, told)], ..earlier.clone() });
    }
    (tells_kind || tells_number).then(|| overwritten(earlier, &later))
}
