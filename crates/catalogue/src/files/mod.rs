//! The data files as they are written; `data/README.md` describes each field.

mod object;
mod scene;

pub use object::Carries;
pub(crate) use object::{Axis, Finish, Mirror, Number, ObjectFile, Paint, Part, Point, Scatter};
pub(crate) use scene::{Adjective, LightFile, SceneFile, Sky};
