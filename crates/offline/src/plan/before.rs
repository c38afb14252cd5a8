//! What the frames of one message mean before any of them is carried out.

use scene::Scene;

use crate::frames::{Act, Frame, Head, Phrase};
use crate::resolve::{Context, World, resolve};

/// "make the red ball white and the white one red": what several changes are about is told from the
/// scene before them.
pub(super) fn as_before(frames: &[Frame], scene: &Scene, context: &Context) -> Vec<Frame> {
    let changes = |frame: &Frame| frame.act == Some(Act::Change) && !frame.theme.is_empty();
    let mut whole = frames.to_vec();
    if frames.len() < 2 || !frames.iter().all(changes) {
        return whole;
    }
    let world = World::of(scene);
    for phrase in whole.iter_mut().flat_map(|frame| &mut frame.theme) {
        let is_named = phrase.is_definite()
            && !phrase.qualities.is_empty()
            && !matches!(phrase.head, Head::Pronoun(_));
        if let Some(ids) = is_named.then(|| resolve(phrase, &world, context).ok()).flatten() {
            *phrase = Phrase { tokens: phrase.tokens, ..Phrase::of(Head::These(ids)) };
        }
    }
    whole
}
