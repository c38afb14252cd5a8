//! What a message means after those before it. A correction or a follow-up is an earlier frame with
//! slots laid over; it is planned again from the scene before that frame.

mod asked;
mod back;
mod candidate;
mod clauses;
mod complete;
mod degree;
mod follow;
mod interpret;
mod interpretation;
mod made;
mod overlay;
mod reasons;
mod replay;
mod reverse;
mod selected;
mod sentences;
mod state;
mod taken;
mod within;

pub(crate) use interpret::{interpret, traced};
pub(crate) use interpretation::Interpretation;
pub(crate) use replay::states;
pub(crate) use state::State;
pub(crate) use taken::{forget_unused, in_use};
