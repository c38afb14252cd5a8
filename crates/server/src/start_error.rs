//! Why a server does not start.

use std::net::SocketAddr;

use store::{DatabaseUrl, StoreError};

use crate::models::ModelsError;

/// Why the server could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Binding the address failed.
    #[error(
        "cannot listen on {addr}: {reason}; choose another with --addr (port 0 takes a free one)"
    )]
    Listen {
        /// The address.
        addr: SocketAddr,
        /// The error of the system.
        reason: std::io::Error,
    },
    /// The server would be open to others who could spend its keys.
    #[error(
        "refusing to listen on {addr}{}: whoever reaches it could spend the keys that are set. Give a \
         token that they have to know (--token or SCENE_LLM_TOKEN), listen on 127.0.0.1 without \
         --allow-host, or say --open if everybody may",
        under(hosts)
    )]
    OpenWallet {
        /// The address.
        addr: SocketAddr,
        /// The host names that are allowed.
        hosts: String,
    },
    /// The configuration of models is invalid.
    #[error(transparent)]
    Models(#[from] ModelsError),
    /// The store could not be opened.
    #[error(
        "sessions cannot be kept in '{directory}': {reason}. Choose another directory with \
         --data-dir, or keep them in memory only with --in-memory"
    )]
    Store {
        /// Where.
        directory: String,
        /// Why not.
        reason: String,
    },
    /// The database could not be opened.
    #[error("sessions cannot be kept in the database {url}: {reason}")]
    Database {
        /// Which, without its password.
        url: DatabaseUrl,
        /// Why not.
        reason: StoreError,
    },
    /// The renderer's threads could not be started.
    #[error("the renderer could not start: {0}")]
    Renderer(#[from] rayon::ThreadPoolBuildError),
}

/// The host names of a server as a part of a sentence.
fn under(hosts: &str) -> String {
    if hosts.is_empty() { String::new() } else { format!(" as {hosts}") }
}
