//! Goals in a session: the live goal, the criteria over the scene, and the tools for a model.

mod criteria;
mod live;
mod look;
mod notice;
mod tools;
mod verification;
mod workflows;

pub(crate) use criteria::{Examination, Faults, SceneCriteria, faults_of};
pub(crate) use live::LiveGoal;
pub(crate) use look::{Eyes, Meter, Spent};
pub(crate) use notice::notice;
pub(crate) use tools::goal_tools;
pub(crate) use verification::{Verification, Verified};
pub use workflows::built_in_workflows;
