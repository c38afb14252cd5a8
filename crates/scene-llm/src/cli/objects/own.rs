//! Objects of the user's own on the command line.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow};
use assets::{Blobs, Library, SessionAssets};
use clap::Args;
use own_objects::{MAX_FILE_BYTES, ObjectFile, OnTaken, OwnObjectError, OwnObjectStore, attach};
use store::MemoryStore;
use studio::{Format, Job, Renderer};
use tokio_util::task::TaskTracker;

use super::super::serve::default_storage;

/// Where the objects of the user's own are.
#[derive(Debug, Args)]
pub(in crate::cli) struct Directory {
    /// The data directory; without it, that of the user, as with `serve`.
    #[arg(long, env = "SCENE_LLM_DATA_DIR", value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Import {
    /// Files of exported objects.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    directory: Directory,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Export {
    /// The object's name.
    #[arg(value_name = "NAME")]
    name: String,
    /// The file to write, e.g. lamp.object.json.
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    directory: Directory,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Delete {
    /// The object's name.
    #[arg(value_name = "NAME")]
    name: String,
    #[command(flatten)]
    directory: Directory,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Rename {
    /// The object's name.
    #[arg(value_name = "NAME")]
    name: String,
    /// Its new name.
    #[arg(value_name = "NEW_NAME")]
    new_name: String,
    /// Another word it is found by, in place of the present ones; may be given several times.
    #[arg(long, value_name = "WORD")]
    word: Option<Vec<String>>,
    /// The category it belongs to; "" for none.
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    #[command(flatten)]
    directory: Directory,
}

impl Directory {
    /// The objects there. Files that are none are told on stderr.
    pub(super) fn open(&self) -> anyhow::Result<OwnObjectStore> {
        let place = self.place();
        let place = place.ok_or_else(|| anyhow!("there is no home directory; use --data-dir"))?;
        let store = OwnObjectStore::open(&place)?;
        for problem in store.problems() {
            eprintln!("'{}' is left out: {}", problem.file, problem.message);
        }
        Ok(store)
    }

    /// The same to look only: without a home directory there are none.
    pub(super) fn look(&self) -> anyhow::Result<OwnObjectStore> {
        match self.place() {
            Some(_) => self.open(),
            None => Ok(OwnObjectStore::in_memory()),
        }
    }

    fn place(&self) -> Option<PathBuf> {
        let given = self.data_dir.clone().filter(|path| !path.as_os_str().is_empty());
        let directory = given.or_else(|| default_storage(None).directory().map(Path::to_owned));
        directory.map(|directory| directory.join("objects"))
    }
}

pub(super) fn import(arguments: &Import) -> anyhow::Result<()> {
    let store = arguments.directory.open()?;
    for path in &arguments.files {
        let place = || format!("'{}' cannot be imported", path.display());
        let file = read(path).with_context(place)?;
        with_library(&file, async |_| Ok(())).with_context(place)?;
        let entry = store.add(file, OnTaken::Number).with_context(place)?;
        writeln!(std::io::stdout().lock(), "{}", entry.object.name())?;
    }
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<ObjectFile> {
    let bytes = std::fs::metadata(path)?.len();
    if bytes > MAX_FILE_BYTES {
        return Err(OwnObjectError::TooLarge(bytes).into());
    }
    Ok(ObjectFile::read(&std::fs::read(path)?)?)
}

pub(super) fn export(arguments: &Export) -> anyhow::Result<()> {
    let content = arguments.directory.open()?.export(&arguments.name)?;
    let path = &arguments.output;
    std::fs::write(path, content).with_context(|| format!("cannot write '{}'", path.display()))
}

pub(super) fn delete(arguments: &Delete) -> anyhow::Result<()> {
    Ok(arguments.directory.open()?.delete(&arguments.name)?)
}

pub(super) fn rename(arguments: &Rename) -> anyhow::Result<()> {
    let store = arguments.directory.open()?;
    store.change(&arguments.name, |about| {
        about.name.clone_from(&arguments.new_name);
        about.words = arguments.word.clone().unwrap_or_else(|| about.words.clone());
        about.category = arguments.category.clone().or_else(|| about.category.clone());
    })?;
    Ok(())
}

/// A picture of what `job` shows, with the meshes and pictures of an object.
pub(super) fn rendered(file: &ObjectFile, job: Job, format: Format) -> anyhow::Result<Vec<u8>> {
    with_library(file, async |library| {
        let renderer = Renderer::new(0)?.with_assets(library as _);
        let client = renderer.client("objects");
        Ok(renderer.render(&client, job, format).await?)
    })
}

/// Does something with a library of the meshes and pictures of an object, which are checked by that.
fn with_library<T>(
    file: &ObjectFile,
    work: impl AsyncFnOnce(Arc<Library>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let (store, tracker) = (Arc::new(MemoryStore::default()), TaskTracker::new());
        let library = Library::open(store, Blobs::in_memory(), MAX_FILE_BYTES, tracker).await?;
        let library = Arc::new(library);
        attach(&library, file.assets.clone(), session::now_ms()).await?;
        let assets = SessionAssets::new(Arc::clone(&library), false, []);
        file.object.parts().check_assets(&assets)?;
        work(library).await
    })
}
