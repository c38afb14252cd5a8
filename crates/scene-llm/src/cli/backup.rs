//! `scene-llm backup` and `scene-llm restore`.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use server::{CopyReport, back_up, restore};
use store::DatabaseUrl;

use super::serve::default_storage;
use super::settings::ConfigArgument;

/// Copy all sessions, their uploaded files and the server's own files to a new directory.
///
/// The server may go on meanwhile: the copy holds everything that was acknowledged before it began, and
/// nothing by halves. It has the keys that were saved in the page, so keep it as safe as the original.
#[derive(Debug, Args)]
pub(super) struct Backup {
    /// The directory to make.
    #[arg(value_name = "DIR")]
    to: PathBuf,
    #[command(flatten)]
    data: DataDirectory,
}

/// Make a data directory of a backup, after checking all of it.
///
/// The data directory must not exist yet: stop the server and move the old one away first.
#[derive(Debug, Args)]
pub(super) struct Restore {
    /// The directory that `backup` made.
    #[arg(value_name = "DIR")]
    from: PathBuf,
    #[command(flatten)]
    data: DataDirectory,
}

#[derive(Debug, Args)]
struct DataDirectory {
    /// Where the server keeps its sessions, as for `serve`.
    #[arg(long, env = "SCENE_LLM_DATA_DIR", value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// The database of sessions, as for `serve`: this command does not copy it, and says what does.
    #[arg(long, env = "SCENE_LLM_DATABASE_URL", hide_env_values = true, value_name = "URL")]
    database_url: Option<String>,
    #[command(flatten)]
    _config: ConfigArgument,
}

impl DataDirectory {
    fn path(self) -> anyhow::Result<PathBuf> {
        let given = self.data_dir.filter(|path| !path.as_os_str().is_empty());
        let usual = || default_storage(None).directory().map(Path::to_owned);
        let Some(path) = given.or_else(usual) else {
            bail!("there is no data directory: name it with --data-dir");
        };
        if let Some(url) = self.database_url.filter(|url| !url.trim().is_empty()) {
            bail!(
                "the sessions are in the database {}: copy it with pg_dump, then the directory '{}', \
                 and restore it with pg_restore; this command copies directories with sessions only",
                DatabaseUrl::new(url),
                path.display()
            );
        }
        Ok(path)
    }
}

impl Backup {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let data = self.data.path()?;
        let report = tokio::runtime::Runtime::new()?.block_on(back_up(&data, &self.to))?;
        tell(&report, &format!("copied {} to {}", data.display(), self.to.display()))
    }
}

impl Restore {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let data = self.data.path()?;
        let report = tokio::runtime::Runtime::new()?.block_on(restore(&self.from, &data))?;
        tell(&report, &format!("restored {} from {}", data.display(), self.from.display()))
    }
}

fn tell(report: &CopyReport, done: &str) -> anyhow::Result<()> {
    for hash in &report.damaged {
        eprintln!("warning: the uploaded file '{hash}' is missing or damaged; upload it again");
    }
    writeln!(std::io::stdout(), "{done}, with {} uploaded files", report.assets)?;
    Ok(())
}
