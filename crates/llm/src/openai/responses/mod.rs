//! OpenAI's responses API: requests and events.
//!
//! OpenAI stores nothing (`store: false`): a request contains the whole conversation with its
//! reasoning, which is encrypted and sent back verbatim.

mod events;
mod wire;

pub(super) use events::Events;
pub(super) use wire::body;
