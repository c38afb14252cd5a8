//! The loop with scripted models and tools.

mod long_conversations;
mod recovery;
mod scenarios;
mod the_loop;
