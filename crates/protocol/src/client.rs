//! Messages from a client to the server.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::goal_request::{GoalEdit, GoalRequest, VariantChoice};
use crate::parts::{Bookmark, Effort};

/// A message of a client. Unknown fields are ignored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ClientMessage {
    /// Echoed on direct replies and on errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "string | number")]
    pub request_id: Option<Value>,
    /// The request.
    #[serde(flatten)]
    pub request: ClientRequest,
}

/// A request of a client.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClientRequest {
    /// A message of the user; starts a run, or is queued into the current one.
    UserMessage {
        /// The text.
        text: String,
        /// Ids of the selected objects.
        #[serde(default)]
        #[ts(optional, as = "Option<Vec<String>>")]
        selection: Vec<String>,
        /// Pictures for the model.
        #[serde(default)]
        #[ts(optional, as = "Option<Vec<ImageAttachment>>")]
        images: Vec<ImageAttachment>,
        /// Replaces this earlier message: the scene returns to its state of that time, and the conversation
        /// continues in a new branch. The old branch is kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        replaces: Option<String>,
    },
    /// Selects a branch of the conversation, and its scene.
    SelectBranch {
        /// From 0.
        branch: usize,
    },
    /// Stops the run.
    Cancel,
    /// The user's own edits: all or nothing, one undo step.
    Edit {
        /// The calls, by the names of the tools.
        calls: Vec<EditCall>,
        /// The revision the edit was made for. When given, an edit of an object that has changed since is
        /// refused with `stale`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        base_revision: Option<u64>,
    },
    /// Replaces the bookmarks of the session, at most 100.
    SetBookmarks {
        /// All of them, in order.
        bookmarks: Vec<Bookmark>,
    },
    /// Undoes the last step.
    Undo,
    /// Redoes the last undone step.
    Redo,
    /// Makes an earlier revision the current one, as a new revision.
    Restore {
        /// The revision to go back to.
        revision: u64,
    },
    /// Changes the view of this client's previews.
    View(ViewRequest),
    /// Picks the object at a point of the view.
    Pick {
        /// From 0 (left) to 1 (right).
        x: f64,
        /// From 0 (top) to 1 (bottom).
        y: f64,
    },
    /// Approves or refuses a tool call that waits for approval.
    Approve {
        /// As in `approval_needed`.
        call_id: String,
        /// Whether it may run.
        allow: bool,
        /// How long the approval is valid for further calls of the same tool; without it, only for this
        /// call. Ignored unless `allow` is true.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        remember: Option<Remember>,
    },
    /// Chooses the model of the next run.
    SelectModel {
        /// Its id in `welcome.models`.
        model: String,
        /// Its reasoning effort; the provider's default when left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        effort: Option<Effort>,
        /// Sampling temperature, 0 to 2; the provider's default when left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        temperature: Option<f64>,
    },
    /// Sets a goal, which is worked on until its criteria hold.
    StartGoal(GoalRequest),
    /// Pauses the goal; the task under way stops.
    PauseGoal,
    /// Goes on with a paused goal, or with one that ended short of completion.
    ResumeGoal,
    /// Changes the goal. Only the user takes criteria back.
    EditGoal(GoalEdit),
    /// Ends the goal; what was done stays.
    CancelGoal,
    /// Chooses a variant of the goal: its branch becomes the active one.
    ChooseVariant(VariantChoice),
    /// Tells the others who look at the session of this client; it gets `presence` from then on. What is
    /// left out stays.
    Presence {
        /// What the user wants to be called.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        name: Option<String>,
        /// Ids of the selected objects.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        selection: Option<Vec<String>>,
    },
    /// Asks for a `pong`.
    Ping,
}

/// How long an approval is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Remember {
    /// In this session.
    Session,
    /// In all sessions of this server, until it is revoked.
    Always,
}

/// A picture for the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ImageAttachment {
    /// `image/png`, `image/jpeg` or `image/webp`.
    pub mime_type: String,
    /// The file in base64.
    pub data: String,
}

/// One call of an edit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct EditCall {
    /// A tool that changes the scene.
    pub name: String,
    /// Its arguments.
    #[serde(default)]
    #[ts(type = "unknown")]
    pub args: Value,
}

/// A change of the view; fields that are left out stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ViewRequest {
    /// Width of previews in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub width: Option<u32>,
    /// Height of previews in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub height: Option<u32>,
    /// How far previews refine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub quality: Option<Quality>,
    /// A private camera, not an edit; null returns to the scene's camera.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "CameraView | null")]
    pub camera: Option<Option<CameraView>>,
    /// Width over height of the shape that pictures are composed for: a narrower preview shows as much from side to
    /// side as one of this shape, and more above and below. Without it, it shows less from side to side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fit_aspect: Option<f64>,
    /// Ids of shapes and lights that this client hides; replaces the previous list. Pictures of other
    /// clients do not change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hidden: Option<Vec<String>>,
    /// The time of the animation, in seconds, at which the scene is shown; null returns to the scene at rest.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number | null")]
    pub at_time: Option<Option<f64>>,
    /// Whether previews are paused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub paused: Option<bool>,
}

/// Tells a field that is null from one that is left out.
fn present<'de, T: Deserialize<'de>, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::<T>::deserialize(deserializer).map(Some)
}

/// A camera in the form of the scene file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(transparent)]
#[ts(type = "Record<string, unknown>")]
pub struct CameraView(pub Value);

/// How far previews refine: samples per pixel at the least, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    /// A few samples.
    Draft,
    /// Good quality.
    Preview,
    /// The quality of a final picture.
    Final,
}
