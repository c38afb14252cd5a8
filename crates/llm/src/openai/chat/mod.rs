//! The chat completions API: requests and events.

mod calls;
mod events;
mod reasoning;
mod tags;
mod wire;

pub(super) use calls::{malformed, read_arguments};
pub(super) use events::Events;
pub(super) use wire::body;
