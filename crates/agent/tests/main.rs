//! The loop with scripted models and tools.

mod long_conversations;
mod recovery;
mod scenarios;
mod stage;
mod the_loop;
