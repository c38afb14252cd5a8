//! What the frames of one message mean before any of them is carried out.

use crate::frames::{Act, Determiner, Frame, Head, Phrase};
use crate::resolve::{Context, World, resolve};

use super::make::composed::told::names_part_of;

/// "make the red ball white and the white one red": what several changes are about is told from the
/// scene before them.
pub(super) fn as_before(frames: &[Frame], world: &World<'_>, context: &Context) -> Vec<Frame> {
    let frames = &with_their_scene(frames);
    let changes = |frame: &Frame| frame.act == Some(Act::Change) && !frame.theme.is_empty();
    let mut whole = frames.to_vec();
    if frames.len() < 2 || !frames.iter().all(changes) {
        return whole;
    }
    for phrase in whole.iter_mut().flat_map(|frame| &mut frame.theme) {
        let is_named = phrase.is_definite()
            && !phrase.qualities.is_empty()
            && !matches!(phrase.head, Head::Pronoun(_));
        if let Some(ids) = is_named.then(|| resolve(phrase, world, context).ok()).flatten() {
            *phrase = Phrase { tokens: phrase.tokens, ..Phrase::of(Head::These(ids)) };
        }
    }
    whole
}

/// "Let's do a bedroom. Start with a double bed.": what is asked for after a scene belongs to it, so that a scene
/// that has a bed gets no second one.
fn with_their_scene(frames: &[Frame]) -> Vec<Frame> {
    let is_scene = |phrase: &Phrase| matches!(phrase.head, Head::Theme(_));
    let makes = |frame: &Frame| frame.act == Some(Act::Create) && !frame.theme.is_empty();
    let mut joined: Vec<Frame> = Vec::with_capacity(frames.len());
    for frame in frames {
        let belongs = makes(frame)
            && frame.places.is_empty()
            && frame.around.is_empty()
            && frame.inside.is_empty()
            && frame
                .theme
                .iter()
                .all(|phrase| !is_scene(phrase) && phrase.determiner != Some(Determiner::Another));
        let scene = joined
            .last_mut()
            .filter(|last| belongs && makes(last) && last.theme.first().is_some_and(is_scene));
        if let Some(scene) = scene {
            scene.theme.extend(frame.theme.iter().cloned());
            continue;
        }
        // "a staircase. Nine steps.": the steps are the staircase's.
        let owner = joined.last_mut().filter(|last| {
            let owner = last.theme.last().filter(|_| makes(last));
            belongs
                && owner.is_some_and(|owner| frame.theme.iter().all(|it| names_part_of(owner, it)))
        });
        match owner {
            Some(owner) => owner.theme.extend(frame.theme.iter().cloned()),
            None => joined.push(frame.clone()),
        }
    }
    joined
}
