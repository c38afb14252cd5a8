//! The objects of the server's user: their files, and the meshes and pictures these are made of.

use std::sync::Arc;

use assets::{Library, LibraryError, SessionAssets};
use catalogue::{About, OwnObject, OwnObjects};
use own_objects::{
    Entry, FileProblem, ObjectFile, OnTaken, OwnObjectError, OwnObjectStore, attach, with_assets,
};
use session::now_ms;

use crate::config::Storage;

/// Why an object was not kept or found.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ObjectsError {
    /// The object or its file.
    #[error(transparent)]
    Object(#[from] OwnObjectError),
    /// One of its meshes or pictures.
    #[error(transparent)]
    Asset(#[from] LibraryError),
    /// The work itself failed.
    #[error("reading the object failed; please report it")]
    Internal,
}

/// The objects of the server's user. Their assets are in the library as long as the objects are there.
#[derive(Debug)]
pub(crate) struct UserObjects {
    store: Arc<OwnObjectStore>,
    library: Arc<Library>,
}

impl UserObjects {
    /// Those beside the sessions' file. A server whose sessions belong to different people has none. A
    /// directory that cannot be read stops nothing: it is told in the log.
    pub(crate) async fn open(storage: &Storage, is_one_users: bool, library: Arc<Library>) -> Self {
        let directory = storage.directory().filter(|_| is_one_users);
        let directory = directory.map(|path| path.join("objects"));
        let opened = tokio::task::spawn_blocking(move || match directory {
            Some(directory) => OwnObjectStore::open(&directory),
            None => Ok(OwnObjectStore::in_memory()),
        });
        let store = opened.await.unwrap_or_else(|_| Ok(OwnObjectStore::in_memory()));
        let store = store.unwrap_or_else(|error| {
            tracing::error!(%error, "objects of the user's own are in memory only");
            OwnObjectStore::in_memory()
        });
        let objects = Self { store: Arc::new(store), library };
        objects.attach_all().await;
        objects
    }

    /// The objects as sessions see them.
    pub(crate) fn list(&self) -> &Arc<OwnObjects> {
        self.store.list()
    }

    /// All of them, and the files that are none, as they are on disk now.
    pub(crate) async fn look(&self) -> Result<(Vec<Entry>, Vec<FileProblem>), ObjectsError> {
        if self.work(|store| store.refresh()).await? {
            self.attach_all().await;
        }
        Ok((self.store.entries(), self.store.problems()))
    }

    /// The object of this name.
    pub(crate) fn entry(&self, name: &str) -> Result<Entry, ObjectsError> {
        Ok(self.store.entry(name)?)
    }

    /// Keeps an object whose assets are in the library.
    pub(crate) async fn save(&self, object: OwnObject) -> Result<Entry, ObjectsError> {
        let file = with_assets(&self.library, object).await?;
        self.add(file, OnTaken::Refuse).await
    }

    /// Keeps the object of a file, under another name if its own is taken.
    pub(crate) async fn import(&self, content: bytes::Bytes) -> Result<Entry, ObjectsError> {
        let read = tokio::task::spawn_blocking(move || ObjectFile::read(&content));
        let file = read.await.map_err(|_| ObjectsError::Internal)??;
        attach(&self.library, file.assets.clone(), now_ms()).await?;
        let assets = SessionAssets::new(Arc::clone(&self.library), false, []);
        file.object.parts().check_assets(&assets).map_err(OwnObjectError::from)?;
        self.add(file, OnTaken::Number).await
    }

    async fn add(&self, file: ObjectFile, on_taken: OnTaken) -> Result<Entry, ObjectsError> {
        let entry = self.work(move |store| store.add(file, on_taken)).await?;
        self.keep_assets();
        Ok(entry)
    }

    /// The file of an object.
    pub(crate) async fn export(&self, name: &str) -> Result<Vec<u8>, ObjectsError> {
        let name = name.to_owned();
        self.work(move |store| store.export(&name)).await
    }

    /// Gives an object another name, words, category or note.
    pub(crate) async fn change(
        &self,
        name: &str,
        change: impl FnOnce(&mut About) + Send + 'static,
    ) -> Result<Entry, ObjectsError> {
        let name = name.to_owned();
        self.work(move |store| store.change(&name, change)).await
    }

    /// Deletes an object. What scenes have of it stays.
    pub(crate) async fn delete(&self, name: &str) -> Result<(), ObjectsError> {
        let name = name.to_owned();
        self.work(move |store| store.delete(&name)).await?;
        self.keep_assets();
        Ok(())
    }

    /// After reading the directory: logs files that could not be read, and puts assets that the library lacks into it.
    /// An object whose assets are missing is an error only when it is added.
    async fn attach_all(&self) {
        for FileProblem { file, message } in self.store.problems() {
            tracing::warn!(%file, %message, "a file is left out of the objects of the user's own");
        }
        self.keep_assets();
        for entry in self.store.entries() {
            let mut names = entry.object.asset_names().into_iter();
            if names.all(|name| self.library.asset(name.as_str()).is_some()) {
                continue;
            }
            let name = entry.object.name().to_owned();
            let file = self.work(move |store| store.file(&name)).await;
            let attached = async {
                Ok::<(), ObjectsError>(attach(&self.library, file?.assets, now_ms()).await?)
            };
            if let Err(error) = attached.await {
                tracing::warn!(%error, object = entry.object.name(), "an object lacks its assets");
            }
        }
    }

    fn keep_assets(&self) {
        self.library.keep(self.store.asset_names());
    }

    /// Does what waits for the disk on a thread of its own.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&OwnObjectStore) -> Result<T, OwnObjectError> + Send + 'static,
    ) -> Result<T, ObjectsError> {
        let store = Arc::clone(&self.store);
        let done = tokio::task::spawn_blocking(move || work(&store)).await;
        Ok(done.map_err(|_| ObjectsError::Internal)??)
    }
}
