//! The sentences of a message: what one leaves unread turns nothing of the others.

use std::ops::Range;

use crate::frames::{Act, Frame, Tokens};
use crate::tokens::{Lattice, Skip};

/// The tokens of the sentence that a token is in.
pub(super) fn sentence_around(at: usize, lattice: &Lattice) -> Range<usize> {
    let is_end = |at: &usize| matches!(lattice.skips[*at], Skip::End);
    let from = (0..at).rev().find(is_end).map_or(0, |end| end + 1);
    from..(at..lattice.skips.len()).find(is_end).unwrap_or(lattice.skips.len())
}

/// Whether any of a frame is said in a sentence.
pub(super) fn is_in(frame: &Frame, sentence: &Range<usize>) -> bool {
    frame.tokens.0 < sentence.end && frame.tokens.1 > sentence.start
}

/// Sets sentences aside of which a negation or a question word was not read: what they say is about something else, if they
/// say enough. "One red ball, 40 cm in diameter. Diameter, mind you, not radius." Where things are removed nothing is.
pub(super) fn set_aside(
    raw: Vec<Frame>,
    unread: &mut Vec<usize>,
    lattice: &Lattice,
) -> (Vec<Frame>, Vec<Range<usize>>) {
    /// The fewest words that tell what a sentence is about: "no, don't" tells nothing.
    const MIN_WORDS: usize = 2;
    let turning = unread.iter().filter(|at| lattice.turning.get(**at) == Some(&true));
    let mut turned: Vec<Range<usize>> = turning.map(|at| sentence_around(*at, lattice)).collect();
    turned.dedup();
    let says = |at: &usize| matches!(lattice.skips[*at], Skip::Cost(cost) if cost > 1.0);
    let tells = |sentence: &Range<usize>| sentence.clone().filter(says).count() >= MIN_WORDS;
    let is_aside = |frame: &Frame| turned.iter().any(|sentence| is_in(frame, sentence));
    let does =
        |frame: &Frame| !is_aside(frame) && !matches!(frame.act, None | Some(Act::Ask | Act::Say));
    let removes = |frame: &Frame| matches!(frame.act, Some(Act::Remove | Act::Keep));
    // "The star's not lit. Make it glow": what comes first may tell what the rest is about.
    let comes_last = |sentence: &Range<usize>| {
        raw.iter().filter(|frame| does(frame)).all(|frame| frame.tokens.1 <= sentence.start)
    };
    let is_harmless = turned.iter().all(|sentence| tells(sentence) && comes_last(sentence))
        && !raw.iter().any(removes);
    if turned.is_empty() || !is_harmless || !raw.iter().any(does) {
        return (raw, Vec::new());
    }
    let (aside, kept): (Vec<Frame>, Vec<Frame>) = raw.into_iter().partition(is_aside);
    unread.extend(aside.iter().flat_map(|Frame { tokens: Tokens(from, to), .. }| *from..*to));
    unread.sort_unstable();
    unread.dedup();
    (kept, turned)
}
