//! OpenAI's responses API: what is sent and what comes back.
//!
//! Nothing is stored with OpenAI: a request holds the whole conversation, reasoning included, which
//! comes encrypted and goes back as it came.

mod events;
mod wire;

pub(super) use events::Events;
pub(super) use wire::body;
