//! Texts for clients, shared by all who are sent the same: scenes, conversations, and events that were missed.

mod missed;
mod room;
mod scene_texts;

pub(super) use self::missed::Gap;
pub(crate) use self::missed::MissedEvents;
pub(crate) use self::scene_texts::SceneTexts;
pub(super) use self::scene_texts::{object_response, object_with};
