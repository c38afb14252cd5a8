//! Messages from a client to the server.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::parts::Effort;

/// A message of a client. Unknown fields are ignored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ClientMessage {
    /// Echoed on direct replies and on errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "string | number")]
    pub request_id: Option<Value>,
    /// What is asked for.
    #[serde(flatten)]
    pub request: ClientRequest,
}

/// What a client asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClientRequest {
    /// The user says something; starts a run or is queued into the one that goes.
    UserMessage {
        /// What is said.
        text: String,
        /// Ids of the selected objects.
        #[serde(default)]
        #[ts(optional, as = "Option<Vec<String>>")]
        selection: Vec<String>,
        /// Pictures for the model.
        #[serde(default)]
        #[ts(optional, as = "Option<Vec<ImageAttachment>>")]
        images: Vec<ImageAttachment>,
        /// Says it in place of this earlier message: the scene goes back to what it was then, and the
        /// conversation goes on from there in a new branch. The old branch is kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        replaces: Option<String>,
    },
    /// Goes to a branch of the conversation, and to the scene it led to.
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
        /// The revision the edit was made for. When given, an edit of a thing that differs from what
        /// it was then is refused with `stale`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        base_revision: Option<u64>,
    },
    /// Takes the last change back.
    Undo,
    /// Makes the change that was taken back again.
    Redo,
    /// Makes an earlier revision the current one, as a new revision.
    Restore {
        /// The revision to go back to.
        revision: u64,
    },
    /// Changes what this client's previews show.
    View(ViewRequest),
    /// Asks what is seen at a point of the view.
    Pick {
        /// From 0 (left) to 1 (right).
        x: f64,
        /// From 0 (top) to 1 (bottom).
        y: f64,
    },
    /// Allows or refuses a tool call that waits for it.
    Approve {
        /// As in `approval_needed`.
        call_id: String,
        /// Whether it may run.
        allow: bool,
        /// How long further calls of the same tool may run without being asked about; this call
        /// alone without it. Counts only where `allow` is true.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        remember: Option<Remember>,
    },
    /// Chooses the model of the next run.
    SelectModel {
        /// Its id in `welcome.models`.
        model: String,
        /// How hard it is to think; the provider's default when left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        effort: Option<Effort>,
        /// Sampling temperature, 0 to 2; the provider's default when left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        temperature: Option<f64>,
    },
    /// Asks for a `pong`.
    Ping,
}

/// How long an approval counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Remember {
    /// In this session.
    Session,
    /// In all sessions of this server, until it is taken back.
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

/// A change of the view; what is left out stays as it is.
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
    /// A private look at the scene, not an edit; null goes back to the scene's camera.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "CameraView | null")]
    pub camera: Option<Option<CameraView>>,
    /// Ids of shapes and lights that this client does not want to see for now; replaces the list
    /// before. Nobody else's pictures change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hidden: Option<Vec<String>>,
    /// Whether previews stop for now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub paused: Option<bool>,
}

/// Tells a field that is null from one that is left out.
fn present<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<CameraView>>, D::Error> {
    Option::<CameraView>::deserialize(deserializer).map(Some)
}

/// A camera in the form of the scene file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(transparent)]
#[ts(type = "Record<string, unknown>")]
pub struct CameraView(pub Value);

/// How far previews refine: samples per pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    /// A few samples.
    Draft,
    /// Good to look at.
    Preview,
    /// As good as a final picture.
    Final,
}
