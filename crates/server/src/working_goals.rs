//! Which sessions have a goal to work on, as files: after a restart they go on without being opened. A
//! file too many only opens a session for nothing.

use std::path::{Path, PathBuf};

/// Beside the sessions' file.
const DIRECTORY: &str = "working-goals";

/// The marks of sessions with work to do.
pub(crate) struct WorkingGoals {
    /// `None` for sessions that end with the process.
    directory: Option<PathBuf>,
}

impl WorkingGoals {
    pub(crate) fn new(data_dir: Option<&Path>) -> Self {
        Self { directory: data_dir.map(|directory| directory.join(DIRECTORY)) }
    }

    /// Sets or removes the mark of a session.
    pub(crate) fn mark(&self, session: &str, is_working: bool) {
        let Some(directory) = &self.directory else { return };
        let file = directory.join(session);
        let marked = match is_working {
            true => std::fs::create_dir_all(directory).and_then(|()| std::fs::write(&file, "")),
            false => match std::fs::remove_file(&file) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
                removed => removed,
            },
        };
        if let Err(error) = marked {
            tracing::warn!(%error, "a goal may not go on by itself after a restart");
        }
    }

    /// The marked sessions.
    pub(crate) fn sessions(&self) -> Vec<String> {
        let entries =
            self.directory.as_ref().and_then(|directory| std::fs::read_dir(directory).ok());
        let name =
            |entry: std::io::Result<std::fs::DirEntry>| entry.ok()?.file_name().into_string().ok();
        entries.into_iter().flatten().filter_map(name).collect()
    }
}
