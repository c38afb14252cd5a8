//! Shapes as solids: distances, contacts and likely mistakes of a scene, and calls that put things in
//! their places by computation.
//!
//! ```text
//! scene::Scene ─ Space::of ─▶ Space (bodies with their solids)
//!                               ├─ measure, select, check ─▶ answers
//! Call::parse ─▶ Call ─ plan ──▶ Plan (scene::Edit ...) ─ facts ─▶ what it came to
//! ```
//!
//! Pure: no I/O, no threads, no clock, no rays. Right-handed, y up, metres, degrees.

mod animated;
mod args;
mod arrange;
mod batch;
mod calls;
mod check;
mod colour;
mod facts;
mod guide;
mod measure;
mod plan;
mod select;
mod shine;
mod solid;
mod solids;
mod space;
mod specs;
mod stage;
mod tree;
mod view;

pub use args::{Axis, Coordinate, Count, Counts, Goal, Ids, MAX_IDS, Seed, Word, several};
pub use arrange::copy::{Duplicate, Mirror};
pub use arrange::group::{Grouping, Remove, Ungrouping};
pub use arrange::look::{Frame, Framing, From, LookAt};
pub use arrange::motion::{Anchor, Move, Resize, Rotate};
pub use arrange::object::AddObject;
pub use arrange::object_args::{Choice, Materials, Options, Spot};
pub use arrange::own_parts::{front_of, own_object};
pub use arrange::pattern::{Array, Pattern};
pub use arrange::place::{Level, Place, Where};
pub use arrange::share::ShareMaterial;
pub use arrange::spread::{Align, Distribute, Edge};
pub use batch::{BATCH_NAME, Batch, MAX_CALLS, OnFault, Step};
pub use calls::{COMPUTED_NAMES, Call, Question};
pub use check::{Finding, Findings, Sight, check, check_unseen, is_surroundings, points_to_see};
pub use colour::Colour;
pub use facts::facts;
pub use guide::{guide, guided_names};
pub use measure::Measure;
pub use plan::Plan;
pub use select::Select;
pub use solid::{Cast, Extent, Relation, Solid};
pub use solids::Solids;
pub use space::{Body, Object, Space, Unit};
pub use specs::{computed_tools, question_tools};
pub use stage::{STAGE, StageRule, concerns_stage, stage_edits};
pub use view::{ASPECT, Coverage, View};
