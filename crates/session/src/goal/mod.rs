//! Goals in a session: the live goal, the criteria over the scene, and the tools for a model.

mod criteria;
mod live;
mod notice;
mod tools;
mod workflows;

pub(crate) use criteria::{Examination, Faults, SceneCriteria, faults_of};
pub(crate) use live::LiveGoal;
pub(crate) use notice::notice;
pub(crate) use tools::goal_tools;
pub use workflows::built_in_workflows;
