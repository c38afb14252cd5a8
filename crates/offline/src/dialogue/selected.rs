//! What is selected is what a message is about where it names nothing.

use crate::frames::{Frame, Head, Phrase};

use super::follow::alone;

/// Puts what is selected in the place of pronouns, and of what is left out, until something is named. An
/// earlier message has no say in what is meant then.
pub(super) fn of_selection(frames: &mut [Frame], selection: &[String]) {
    let selected =
        Phrase { plural: selection.len() > 1, ..Phrase::of(Head::These(selection.to_vec())) };
    for frame in frames {
        if goes_on(frame) {
            return;
        }
        if frame.fragment && frame.theme.is_empty() && tells_change(frame) {
            *frame = Frame { theme: vec![selected.clone()], ..alone(frame) };
        }
        for phrase in frame.theme.iter_mut().filter(|phrase| is_pointed_at(phrase)) {
            *phrase = Phrase { tokens: phrase.tokens, ..selected.clone() };
        }
        if frame.theme.iter().any(|phrase| !matches!(phrase.head, Head::These(_))) {
            return;
        }
    }
}

/// Whether a frame only makes sense after an earlier one.
fn goes_on(frame: &Frame) -> bool {
    frame.fix || frame.less || frame.again || frame.reverse || !frame.except.is_empty()
}

/// Whether it is told what something becomes, or where it goes.
fn tells_change(frame: &Frame) -> bool {
    !frame.too
        && frame.count.is_none()
        && (!frame.qualities.is_empty() || !frame.places.is_empty() || frame.shift.is_some())
}

/// "it", "this", "them".
fn is_pointed_at(phrase: &Phrase) -> bool {
    matches!(phrase.head, Head::Pronoun(pronoun) if !matches!(pronoun, "both" | "arranged" | "all"))
}
