//! From a person's words to typed intents. Knows no scene beyond the names that stand in it.

mod age;
mod air;
mod arrangement;
mod asked;
mod bare;
mod brightness;
mod camera;
mod changes;
mod clause;
mod colon;
mod commands;
mod company;
mod complaint;
mod copying;
mod correcting;
mod counting;
mod courtesy;
mod creations;
mod facing;
mod follow_up;
mod foreign;
mod formation;
mod fragments;
mod gap;
mod gist;
mod giving;
mod handing_out;
mod headless;
mod hearing;
mod intent;
mod lexicon;
mod likeness;
mod motion;
mod names;
mod noun_phrase;
mod number_anew;
mod owner;
mod parting;
mod passing;
mod pattern;
mod phrase;
mod place;
mod portion;
mod printing;
mod property;
mod question;
mod reader;
mod relative;
mod rewording;
mod sharpness;
mod short_forms;
mod size;
mod slips;
mod small_talk;
mod staging;
mod surroundings;
mod tail;
mod taking_back;
mod tokens;
mod unfinished;
mod vantage;
mod vocabulary;
mod ways_of_speaking;

pub(crate) use camera::camera_move;
pub(crate) use clause::{Clause, Heard, exposure};
pub(crate) use follow_up::{FollowUp, follow_up, kind_spoken_of, mentioned, reference_points};
pub(crate) use foreign::is_foreign;
pub(crate) use hearing::{hear, hear_as_said, is_nonsense};
pub(crate) use intent::{
    Air, Angle, Arrangement, CameraMove, Change, Correction, Excess, Exchanged, Intent, Place,
    Question, Shift, Sides, Staging, Target, Wanted,
};
pub(crate) use lexicon::{id_words, warm};
pub(crate) use names::Names;
pub(crate) use noun_phrase::id_like;
pub(crate) use number_anew::{unit_in, with_length, with_number};
pub(crate) use phrase::{Age, Determiner, Phrase, Share};
pub(crate) use size::{Like, Size};
pub(crate) use tail::{outermost, rank_of};
pub(crate) use vocabulary::{
    Assembly, Comparison, Degree, Finish, LightKind, Mood, Noun, Pattern, Print, Rank, Relation,
    Setup, ShapeKind, Surface, Tone, Way,
};

#[cfg(test)]
mod tests;
