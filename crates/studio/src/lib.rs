//! The live document: the scene that model and user share, its tools, and its pictures. Only this crate
//! uses both tokio and rayon.

mod asset_cache;
mod attention;
mod bound;
mod carry_out;
mod client;
mod context;
mod error;
mod films;
mod instruction;
mod job;
mod look;
mod movie;
mod passes;
mod picture;
mod preview;
mod render;
mod rendering;
mod schedule;
mod shared;
mod sheet;
mod stage;
mod surface;
mod tools;
mod view;
mod viewpoint;
mod workers;
mod workspace;

pub use asset_cache::{AssetError, AssetSource};
pub use attention::{Attention, Key};
pub use bound::Bound;
pub use client::RenderClient;
pub use context::{CurrentScene, SceneContext, revision_told};
pub use error::RenderError;
pub use instruction::INSTRUCTION;
pub use job::{
    Denoise, Job, MAX_DEPTH, MAX_SAMPLES, MAX_SIDE, Rendered, SAMPLES_TO_THRESHOLD, Statistics,
};
pub use movie::{
    FrameDone, MAX_FRAMES, MAX_MOVIE_BYTES, Movie, MovieEncoder, MovieFile, MovieFormat,
};
pub use oidn::OidnError;
pub use picture::{Display, EncodeError, Format, MAX_EXPOSURE, check_attachment};
pub use preview::{Frame, PREVIEW_FORMAT, Previews, Viewer};
pub use render::{RenderLimits, Renderer, Seen};
pub use shared::{Author, EditError, Made, Published, SharedScene, Steps, Untold};
pub use surface::Surface;
pub use tools::{findings, tool_names, toolbox, toolbox_within};
pub use tracer::{Film, Integrator, ToneMap};
pub use view::View;
pub use viewpoint::Viewpoint;
pub use workers::{
    FromWorker, MAX_WORKER_FRAME, Task, TaskAssets, TaskHeader, TaskRenderer, TaskResult,
    TaskSettings, ToWorker, WireError, Worker, Workers, decode_frame, encode_frame,
};
pub use workspace::{Scope, Workspace};
