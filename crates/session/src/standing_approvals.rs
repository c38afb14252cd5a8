//! Standing approvals: tools of MCP servers that the user approved for all sessions, stored in the
//! data directory.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use agent::ToolIdentity;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

/// The file name in the data directory.
const FILE: &str = "approvals.json";

/// The approved tools. Only the user changes them: by `approve` and `DELETE /api/approvals`.
#[derive(Default)]
pub struct StandingApprovals {
    /// `None` keeps them in memory only.
    file: Option<PathBuf>,
    /// Locked only to read or replace the set.
    tools: RwLock<BTreeSet<ToolIdentity>>,
    /// Serialises changes: each is written to disk before it takes effect.
    changing: Mutex<()>,
}

/// The file's form.
#[derive(Default, Serialize, Deserialize)]
struct File {
    always: BTreeSet<ToolIdentity>,
}

impl StandingApprovals {
    /// Loads the approvals of a directory, or keeps them in memory. An unreadable file approves nothing.
    pub fn open(directory: Option<&Path>) -> Self {
        let Some(directory) = directory else { return Self::default() };
        let path = directory.join(FILE);
        let tools = match std::fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_else(|error| {
                tracing::error!(
                    "'{}' cannot be read, so nothing is approved: {error}",
                    path.display()
                );
                File::default()
            }),
            Err(error) => {
                if error.kind() != std::io::ErrorKind::NotFound {
                    tracing::error!("'{}' cannot be read: {error}", path.display());
                }
                File::default()
            }
        };
        Self { file: Some(path), tools: RwLock::new(tools.always), changing: Mutex::default() }
    }

    /// Whether a tool is approved.
    pub fn contains(&self, tool: &ToolIdentity) -> bool {
        self.tools.read().unwrap_or_else(PoisonError::into_inner).contains(tool)
    }

    /// All of them.
    pub fn list(&self) -> BTreeSet<ToolIdentity> {
        self.tools.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Approves a tool; it is on the disk when this returns.
    pub async fn add(&self, tool: ToolIdentity) -> std::io::Result<()> {
        self.change(|tools| tools.insert(tool)).await.map(drop)
    }

    /// Revokes an approval; returns whether it existed.
    pub async fn remove(&self, tool: &ToolIdentity) -> std::io::Result<bool> {
        self.change(|tools| tools.remove(tool)).await
    }

    async fn change(
        &self,
        change: impl FnOnce(&mut BTreeSet<ToolIdentity>) -> bool,
    ) -> std::io::Result<bool> {
        let _one_at_a_time = self.changing.lock().await;
        let mut tools = self.list();
        if !change(&mut tools) {
            return Ok(false);
        }
        let file = File { always: tools };
        if let Some(path) = self.file.clone() {
            let text = serde_json::to_string_pretty(&file)?;
            tokio::task::spawn_blocking(move || write(&path, &text))
                .await
                .unwrap_or_else(|panic| Err(std::io::Error::other(panic)))?;
        }
        *self.tools.write().unwrap_or_else(PoisonError::into_inner) = file.always;
        Ok(true)
    }
}

/// Writes the file atomically.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let beside = path.with_extension("json.new");
    let mut file = std::fs::File::create(&beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(&beside, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str) -> ToolIdentity {
        ToolIdentity { source: "files".into(), name: name.into() }
    }

    #[tokio::test]
    async fn approvals_outlive_the_server_until_they_are_taken_back() {
        let directory = tempfile::tempdir().unwrap();
        let approvals = StandingApprovals::open(Some(directory.path()));
        assert!(!approvals.contains(&tool("read")));
        approvals.add(tool("read")).await.unwrap();
        approvals.add(tool("write")).await.unwrap();
        assert!(approvals.remove(&tool("write")).await.unwrap());
        assert!(!approvals.remove(&tool("write")).await.unwrap());
        let again = StandingApprovals::open(Some(directory.path()));
        assert_eq!(again.list(), BTreeSet::from([tool("read")]));
        // An approval that cannot be written does not take effect.
        drop(directory);
        assert!(again.add(tool("list")).await.is_err());
        assert!(!again.contains(&tool("list")));
    }

    #[test]
    fn a_file_that_cannot_be_read_approves_nothing() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join(FILE), "{\"always\": 5}").unwrap();
        assert!(StandingApprovals::open(Some(directory.path())).list().is_empty());
    }
}
