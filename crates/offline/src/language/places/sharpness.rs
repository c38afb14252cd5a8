//! What is to be sharp and what is not: "I want the red ball sharp and everything behind it blurry".

use crate::language::acts::intent::{Blur, CameraMove, Intent};
use crate::language::phrases::noun_phrase::target;
use crate::language::phrases::phrase::Phrase;
use crate::language::phrases::tail::Tail;
use crate::language::places::camera::is_whole;
use crate::language::words::reader::{Reader, as_verb};
use crate::language::words::vocabulary::{BlurWord, Glue, Sense, Verb};

/// The most words that say what is blurred.
const LONGEST_REST: usize = 8;

/// "(I want) the red ball sharp (and the rest blurred)", "keep the cone in focus".
pub(in crate::language) fn sharpness(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let wished = |verb: &Verb| matches!(verb, Verb::Create | Verb::Make | Verb::Set | Verb::Put);
    let _ = reader.take(|sense| as_verb(sense).filter(wished));
    let subject = target(reader, Tail::BARE)?;
    let _ = reader.any_glue(&[Glue::Is, Glue::Should]);
    let word = reader.take(as_blur)?;
    if is_whole(&subject) {
        return Some(vec![Intent::Camera(match word {
            BlurWord::Blurred => CameraMove::Blur(Blur::of(None)),
            BlurWord::Sharp => CameraMove::Sharp,
        })]);
    }
    if word == BlurWord::Blurred || subject.0.iter().any(Phrase::is_new) {
        return None;
    }
    let mut moves = vec![Intent::Camera(CameraMove::LookAt(subject))];
    if rest_is_blurred(reader) {
        moves.push(Intent::Camera(CameraMove::Blur(Blur::of(None))));
    }
    Some(moves)
}

/// ", everything behind it blurred", "and the rest out of focus".
fn rest_is_blurred(reader: &mut Reader<'_>) -> bool {
    let start = reader.at;
    if reader.clause_ends() || !reader.take_joint() {
        reader.at = start;
        return false;
    }
    for _ in 0..LONGEST_REST {
        if reader.take(as_blur) == Some(BlurWord::Blurred) {
            return true;
        }
        reader.skip();
    }
    reader.at = start;
    false
}

fn as_blur(sense: &Sense) -> Option<BlurWord> {
    match sense {
        Sense::Blur(blur) => Some(*blur),
        _ => None,
    }
}
