//! The configuration of one server.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

/// The default timeout of a call.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// One server.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerConfig {
    /// Its transport.
    pub transport: Transport,
    /// Whether it is disabled.
    pub disabled: bool,
    /// The calls that need the user's approval.
    pub ask: Ask,
    /// The timeout of a call, and of the handshake.
    pub timeout: Duration,
    /// The allowed tools; `None` for all.
    pub include_tools: Option<BTreeSet<String>>,
    /// The excluded tools.
    pub exclude_tools: BTreeSet<String>,
}

impl ServerConfig {
    /// An enabled server with the defaults of the file.
    pub fn new(transport: Transport) -> Self {
        Self {
            transport,
            disabled: false,
            ask: Ask::Always,
            timeout: DEFAULT_TIMEOUT,
            include_tools: None,
            exclude_tools: BTreeSet::new(),
        }
    }

    /// Whether the tool `name` is enabled.
    pub(crate) fn wants(&self, name: &str) -> bool {
        self.include_tools.as_ref().is_none_or(|tools| tools.contains(name))
            && !self.exclude_tools.contains(name)
    }
}

/// The calls of a server that need the user's approval.
#[derive(Debug, Clone, PartialEq)]
pub enum Ask {
    /// All calls.
    Always,
    /// All calls except those of these tools.
    Except(BTreeSet<String>),
    /// No calls.
    Never,
}

impl Ask {
    /// Whether a call of the tool `name` needs approval.
    pub(crate) fn applies_to(&self, name: &str) -> bool {
        match self {
            Self::Always => true,
            Self::Except(tools) => !tools.contains(name),
            Self::Never => false,
        }
    }
}

/// The transport of a server. `${NAME}` in its texts is expanded from our environment.
#[derive(Debug, Clone, PartialEq)]
pub enum Transport {
    /// A child process over stdin and stdout; it is stopped with this program.
    Process {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Its environment variables, besides the base of every process.
        env: BTreeMap<String, String>,
        /// Its working directory; ours if `None`.
        cwd: Option<PathBuf>,
    },
    /// Streamable HTTP.
    Http {
        /// The address.
        url: String,
        /// Headers of every request, e.g. `Authorization`.
        headers: BTreeMap<String, String>,
    },
}
