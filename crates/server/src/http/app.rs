//! The shared state of all routes.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assets::Library;
use axum::http::{HeaderMap, StatusCode};
use goals::Workflows;
use session::{Sessions, StandingApprovals};
use studio::{Bound, Renderer};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::forward::Nodes;
use super::jobs::Jobs;
use super::problem::Problem;
use super::texts::{MissedEvents, SceneTexts};
use super::thumbnails::Thumbnails;
use super::token::{OperatorToken, TierTokens, WorkerToken};
use crate::admission::Admission;
use crate::models::Models;
use crate::own_objects::UserObjects;
use crate::run_host::{MeteredModels, ServerRuns};
use crate::shares::Shares;
use crate::wire::AboutServer;

/// The remote address of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) std::net::IpAddr);

/// The shared state of all routes.
pub(crate) struct App {
    /// The sessions.
    pub(crate) sessions: Arc<Sessions>,
    /// The other servers on the same database; `None` for a server with a store of its own.
    pub(crate) nodes: Option<Nodes>,
    /// The models.
    pub(crate) models: Arc<Models>,
    /// The resources shared by all runs.
    pub(crate) runs: Arc<ServerRuns>,
    /// Counts requests to models.
    pub(crate) metered: Arc<MeteredModels>,
    /// Standing approvals, if all sessions belong to one user.
    pub(crate) standing: Option<Arc<StandingApprovals>>,
    /// The information about the server for clients.
    pub(crate) about: AboutServer,
    /// The renderer.
    pub(crate) renderer: Renderer,
    /// The workflows that goals may follow.
    pub(crate) workflows: Arc<Workflows>,
    /// Small pictures of sessions.
    pub(crate) thumbnails: Thumbnails,
    /// Uploaded files.
    pub(crate) library: Arc<Library>,
    /// The objects of the server's user.
    pub(crate) own_objects: UserObjects,
    /// What addresses may have.
    pub(crate) shares: Shares,
    /// The queue of exports and imports.
    pub(crate) jobs: Jobs,
    /// The text of scenes.
    pub(crate) scene_texts: SceneTexts,
    /// Events that clients missed.
    pub(crate) missed: MissedEvents,
    /// Bytes of one uploaded file.
    pub(crate) most_asset_bytes: usize,
    /// Whether sessions and assets may be listed.
    pub(crate) lists_sessions: bool,
    /// Allowed host names besides IP addresses and localhost.
    pub(crate) allowed_hosts: Vec<String>,
    /// The operator's token.
    pub(crate) token: Option<OperatorToken>,
    /// The token of render workers; without it none is let in.
    pub(crate) worker_token: Option<WorkerToken>,
    /// Tokens by which sessions get other limits.
    pub(crate) tiers: TierTokens,
    /// The data directory, if there is one.
    pub(crate) data_dir: Option<PathBuf>,
    /// Counts connections.
    pub(crate) admission: Arc<Admission>,
    /// Owns the sockets' tasks.
    pub(crate) tracker: TaskTracker,
    /// Cancelled when the server stops.
    pub(crate) cancel: CancellationToken,
    /// True while the server is stopping.
    pub(crate) draining: AtomicBool,
}

impl App {
    /// The limits that all clients share.
    pub(super) fn bounds(&self) -> Vec<Bound> {
        let mut bounds = vec![self.admission.bound(), self.shares.bound()];
        bounds.extend(self.sessions.bounds());
        bounds.push(self.scene_texts.bound());
        bounds.extend(self.metered.bounds());
        bounds.extend(self.jobs.bounds());
        bounds.extend(self.renderer.bounds());
        let bound = |name, (used, limit): (usize, usize)| Bound {
            name,
            used: used as u64,
            limit: limit as u64,
        };
        bounds.push(bound("offline_bytes", offline::Offline::kept_bytes()));
        let writes = self.sessions.store().writes_waiting();
        bounds.extend(writes.map(|writes| bound("writes_waiting", writes)));
        bounds
    }

    /// Fails for whoever must not see the objects of the server's user: they are one person's, as the list of
    /// sessions is. The catalogue itself is open, so the token is asked for here.
    pub(super) fn may_see_own_objects(&self, headers: &HeaderMap) -> Result<(), Problem> {
        self.may_list("objects")?;
        match &self.token {
            Some(token) if !token.is_borne_by(headers) => {
                let detail = "objects of the user's own need the operator's token: send \
                              'Authorization: Bearer TOKEN'";
                Err(Problem::new(StatusCode::UNAUTHORIZED, detail))
            }
            _ => Ok(()),
        }
    }

    /// Fails if `what` must not be listed.
    pub(super) fn may_list(&self, what: &str) -> Result<(), Problem> {
        if self.lists_sessions { Ok(()) } else { Err(Problem::not_listed(what)) }
    }
}
