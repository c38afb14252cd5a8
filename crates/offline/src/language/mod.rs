//! From a person's words to typed intents. Knows no scene beyond the names that stand in it.

mod acts;
mod dialogue;
mod phrases;
mod places;
mod words;

pub(crate) use acts::clause::{Clause, Heard, exposure};
pub(crate) use acts::intent::{
    Air, Angle, Arrangement, CameraMove, Change, Correction, Excess, Exchanged, Intent, Place,
    Question, Shift, Sides, Staging, Target, Wanted,
};
pub(crate) use dialogue::follow_up::{
    FollowUp, follow_up, kind_spoken_of, mentioned, reference_points,
};
pub(crate) use dialogue::hearing::{hear, hear_as_said, is_nonsense};
pub(crate) use dialogue::number_anew::{unit_in, with_length, with_number};
pub(crate) use phrases::noun_phrase::id_like;
pub(crate) use phrases::phrase::{Age, Determiner, Phrase, Share};
pub(crate) use phrases::size::{Like, Size};
pub(crate) use phrases::tail::{outermost, rank_of};
pub(crate) use places::camera::camera_move;
pub(crate) use words::foreign::is_foreign;
pub(crate) use words::lexicon::{id_words, warm};
pub(crate) use words::names::Names;
pub(crate) use words::vocabulary::{
    Assembly, Comparison, Degree, Finish, LightKind, Mood, Noun, Pattern, Print, Rank, Relation,
    Setup, ShapeKind, Surface, Tone, Way,
};

#[cfg(test)]
mod tests;
