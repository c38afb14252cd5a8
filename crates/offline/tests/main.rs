//! The offline model through its outermost door: whole requests on real scenes.

mod checking;
mod conversations;
mod outsider;
mod phrases;
mod properties;
mod recovery;
mod scenes;
mod stage;
