//! What attacks get: each row of `docs/security.md` names its test.

mod access;
mod agents;
mod arriving;
mod doors;
mod fuzz;
mod hostile_text;
mod injection;
mod readers;
mod stalled;
