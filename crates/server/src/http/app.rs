//! What every route works with.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assets::Library;
use session::{Sessions, StandingApprovals};
use studio::Renderer;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::intake::Intake;
use super::jobs::Jobs;
use super::problem::Problem;
use super::scene_text::SceneTexts;
use super::thumbnails::Thumbnails;
use super::token::OperatorToken;
use crate::admission::Admission;
use crate::models::Models;
use crate::run_host::{MeteredModels, ServerRuns};
use crate::wire::AboutServer;

/// The address a connection comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) std::net::IpAddr);

/// What every route works with.
pub(crate) struct App {
    /// The sessions.
    pub(crate) sessions: Sessions,
    /// The models.
    pub(crate) models: Arc<Models>,
    /// What all runs share.
    pub(crate) runs: Arc<ServerRuns>,
    /// Counts requests to models.
    pub(crate) metered: Arc<MeteredModels>,
    /// What the user has approved for all sessions, where sessions have one user.
    pub(crate) standing: Option<Arc<StandingApprovals>>,
    /// What clients are told of the server.
    pub(crate) about: AboutServer,
    /// The renderer.
    pub(crate) renderer: Renderer,
    /// Small pictures of sessions.
    pub(crate) thumbnails: Thumbnails,
    /// Uploaded files.
    pub(crate) library: Arc<Library>,
    /// Where large bodies wait.
    pub(crate) intake: Intake,
    /// The queue of exports and imports.
    pub(crate) jobs: Jobs,
    /// The text of scenes.
    pub(crate) scene_texts: SceneTexts,
    /// Bytes of one uploaded file.
    pub(crate) most_asset_bytes: usize,
    /// Whether sessions and assets may be listed.
    pub(crate) lists_sessions: bool,
    /// Host names browsers may use, besides IP addresses and localhost.
    pub(crate) allowed_hosts: Vec<String>,
    /// What the operator's doors ask for.
    pub(crate) token: Option<OperatorToken>,
    /// Where sessions are kept, when on disk.
    pub(crate) data_dir: Option<PathBuf>,
    /// Counts connections.
    pub(crate) admission: Arc<Admission>,
    /// Owns the sockets' tasks.
    pub(crate) tracker: TaskTracker,
    /// Turns when the server stops.
    pub(crate) cancel: CancellationToken,
    /// True while the server drains.
    pub(crate) draining: AtomicBool,
}

impl App {
    /// Refuses where `what` there is must not be listed.
    pub(super) fn may_list(&self, what: &str) -> Result<(), Problem> {
        if self.lists_sessions { Ok(()) } else { Err(Problem::not_listed(what)) }
    }
}
