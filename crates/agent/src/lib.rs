//! The agentic loop: tools, waves, limits, cancel, events. Knows nothing of 3D and opens no socket.

mod event;
mod inbox;
mod run;
mod tool;
mod wave;

pub use event::Event;
pub use inbox::Inbox;
pub use run::{DEFAULT_MAX_TURNS, Outcome, Reason, Run, run};
pub use tool::{Access, Tool, ToolOutput, Toolbox};
