//! Objects of the user's own: what somebody made in a scene and saved under a name, to be found and
//! added like the built-in ones.

mod about;
mod build;
mod form;
mod list;
mod object;

pub use about::About;
pub use list::OwnObjects;
pub use object::{MAX_OWN_SHAPES, OwnObject};
