//! What belongs to the stage, and what it is for.

use crate::space::{Body, Space};

/// The group of the stage's parts.
pub const STAGE: &str = "stage";

pub(super) fn is_staged(body: &Body<'_>) -> bool {
    body.group().is_some_and(|group| group.as_str() == STAGE)
}

/// The shapes that are there to be seen, with those that somebody put under them.
pub(super) fn own<'a, 'b>(space: &'b Space<'a>) -> impl Iterator<Item = &'b Body<'a>> {
    space.shapes().map(|(_, body)| body).filter(|body| !is_staged(body))
}
