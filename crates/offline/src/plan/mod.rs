//! Frames carried out on a draft of the scene, as calls of `spatial` and edits; what there is to say of
//! it. A frame that cannot be carried out leaves the draft as it was.

mod anchors;
mod animate;
mod ask;
mod before;
mod camera;
mod change;
mod difference;
mod draft;
mod find;
mod front;
mod in_view;
mod layout;
mod lens;
mod make;
mod new_fog;
mod planner;
mod targets;
mod viewpoint;
mod wish;
mod wishes;

pub(crate) use change::opposite::opposite;
pub(crate) use difference::{ToolCall, is_renaming, tool_calls};
pub(crate) use make::objects::is_part_of;
pub(crate) use planner::{Outcome, Remark, plan};
