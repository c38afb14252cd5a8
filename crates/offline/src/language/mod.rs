//! From a person's words to typed intents. Knows no scene beyond the names that stand in it.

mod arrangement;
mod camera;
mod changes;
mod clause;
mod commands;
mod copying;
mod follow_up;
mod formation;
mod gap;
mod intent;
mod lexicon;
mod motion;
mod noun_phrase;
mod phrase;
mod place;
mod portion;
mod property;
mod question;
mod reader;
mod size;
mod staging;
mod tail;
mod tokens;
mod vocabulary;

pub(crate) use clause::{Clause, Heard, hear, is_nonsense};
pub(crate) use follow_up::{FollowUp, follow_up, kind_spoken_of};
pub(crate) use intent::{
    Angle, Arrangement, CameraMove, Change, Correction, Exchanged, Intent, Place, Question, Shift,
    Staging, Target,
};
pub(crate) use lexicon::id_words;
pub(crate) use noun_phrase::id_like;
pub(crate) use phrase::{Determiner, Phrase, Share};
pub(crate) use size::{Like, Size};
pub(crate) use vocabulary::{
    Assembly, Comparison, Degree, Finish, LightKind, Mood, Noun, Pattern, Rank, Relation, Setup,
    ShapeKind, Surface, Tone, Way,
};
