//! D4: sub-agents over scripted models and a real scene.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod borders;
mod bounds;
mod files;
mod stage;
