//! The wire protocol: all messages of the WebSocket and the preview frames, with their JSON Schema and
//! TypeScript types. Within a protocol number, names never change; new ones may be added.

mod client;
mod decode;
mod entries;
mod export;
mod goal;
mod goal_request;
mod kinds;
mod parts;
mod server;
mod welcome;

pub use client::{
    CameraView, ClientMessage, ClientRequest, EditCall, ImageAttachment, Quality, Remember,
    ViewRequest,
};
pub use decode::{DecodeError, decode};
pub use entries::ChatEntry;
pub use export::{schema, typescript};
pub use goal::{
    Goal, GoalBudget, GoalChange, GoalCriterion, GoalQuestion, GoalSource, GoalStatus, GoalTask,
    GoalTaskStatus, GoalUsage, GoalVariant, GoalVariants, GoalVerify,
};
pub use goal_request::{GoalEdit, GoalRequest, GoalTaskRequest, VariantChoice};
pub use kinds::kinds_typescript;
pub use parts::{
    Access, ApprovalRequest, Bookmark, ChangeKind, ChangeOperation, Effort, ErrorCode, HistoryStep,
    Limits, ModelInfo, ModelPrices, PresentPerson, PreviewHeader, ProgressAction,
    RunFinishedReason, SceneChange, ShownImage, ToolResponse, Usage,
};
pub use server::ServerMessage;
pub use welcome::Welcome;

/// The protocol number this code speaks.
pub const PROTOCOL_VERSION: u32 = 1;
