//! All objects of a user's own, and what is done to them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use assets::AssetHash;
use catalogue::{About, OwnObject, OwnObjects, Theme, catalogue};

use crate::error::OwnObjectError;
use crate::file::ObjectFile;
use crate::folder::{FileProblem, Stamp, content, free_path, read, stamps, write};
use crate::limits::{MAX_FILE_BYTES, MAX_OBJECTS, MAX_TOTAL_BYTES};

/// What is done when an object of the same name is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnTaken {
    /// The new one is refused.
    Refuse,
    /// The new one gets a number: "lamp 2".
    Number,
}

/// An object that is kept.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The object.
    pub object: Arc<OwnObject>,
    /// Another one for every other content of its file.
    pub version: String,
    /// The size of its file.
    pub bytes: u64,
    place: Place,
}

#[derive(Debug, Clone, PartialEq)]
enum Place {
    File(PathBuf),
    Memory(Arc<[u8]>),
}

/// The objects of a user's own: a directory of files, or memory. Cheap to ask, slow to change.
#[derive(Debug)]
pub struct OwnObjectStore {
    directory: Option<PathBuf>,
    /// What everybody else sees.
    list: Arc<OwnObjects>,
    /// Locked while a file is read or written, so that changes are one after the other.
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    entries: Vec<Entry>,
    problems: Vec<FileProblem>,
    /// The files as they were when they were read.
    seen: Vec<Stamp>,
}

impl OwnObjectStore {
    /// Objects that are forgotten with the process.
    pub fn in_memory() -> Self {
        Self { directory: None, list: Arc::default(), state: Mutex::default() }
    }

    /// The objects of a directory, which is made when the first is added. Files that are no objects are
    /// [`problems`](Self::problems).
    pub fn open(directory: &Path) -> Result<Self, OwnObjectError> {
        let store = Self { directory: Some(directory.to_owned()), ..Self::in_memory() };
        store.refresh()?;
        Ok(store)
    }

    /// The objects as everybody else sees them.
    pub fn list(&self) -> &Arc<OwnObjects> {
        &self.list
    }

    /// Reads the directory again if its files were changed by somebody else; returns whether they were.
    pub fn refresh(&self) -> Result<bool, OwnObjectError> {
        let Some(directory) = &self.directory else { return Ok(false) };
        let mut state = self.state();
        let found = stamps(directory)?;
        if found == state.seen {
            return Ok(false);
        }
        *state = State::read(directory, found);
        self.publish(&state);
        Ok(true)
    }

    /// All objects, sorted by name.
    pub fn entries(&self) -> Vec<Entry> {
        self.state().entries.clone()
    }

    /// Files that are no objects.
    pub fn problems(&self) -> Vec<FileProblem> {
        self.state().problems.clone()
    }

    /// The object of this name or with this other word.
    pub fn entry(&self, name: &str) -> Result<Entry, OwnObjectError> {
        self.state().find(&self.list, name)
    }

    /// The file of an object, as it is exported.
    pub fn export(&self, name: &str) -> Result<Vec<u8>, OwnObjectError> {
        match self.entry(name)?.place {
            Place::File(path) => read(&path),
            Place::Memory(content) => Ok(content.to_vec()),
        }
    }

    /// An object with its meshes and pictures.
    pub fn file(&self, name: &str) -> Result<ObjectFile, OwnObjectError> {
        ObjectFile::read(&self.export(name)?)
    }

    /// Keeps a new object; it is on disk when this returns.
    pub fn add(&self, file: ObjectFile, on_taken: OnTaken) -> Result<Entry, OwnObjectError> {
        let mut state = self.state();
        if state.entries.len() >= MAX_OBJECTS {
            return Err(OwnObjectError::TooMany(state.entries.len()));
        }
        let file = match on_taken {
            OnTaken::Refuse => {
                state.check_name(file.object.name(), None)?;
                file
            }
            OnTaken::Number => state.numbered(file)?,
        };
        let place = match &self.directory {
            Some(directory) => {
                let is_taken = |path: &Path| path.symlink_metadata().is_ok();
                Place::File(free_path(directory, file.object.name(), is_taken))
            }
            None => Place::Memory(Arc::default()),
        };
        let entry = state.put(&file, place, None)?;
        self.changed(&mut state);
        Ok(entry)
    }

    /// Gives an object another name, other words, another category or note.
    pub fn change(
        &self,
        name: &str,
        change: impl FnOnce(&mut About),
    ) -> Result<Entry, OwnObjectError> {
        let mut state = self.state();
        let old = state.find(&self.list, name)?;
        let mut about = old.object.about().clone();
        change(&mut about);
        let content = match &old.place {
            Place::File(path) => read(path)?,
            Place::Memory(content) => content.to_vec(),
        };
        let file = ObjectFile::read(&content)?;
        let object = file.object.with_about(about)?;
        state.check_name(object.name(), Some(old.object.name()))?;
        // The file keeps its place: its name says nothing.
        let entry =
            state.put(&ObjectFile { object, ..file }, old.place, Some(old.object.name()))?;
        self.changed(&mut state);
        Ok(entry)
    }

    /// Deletes an object with its file.
    pub fn delete(&self, name: &str) -> Result<(), OwnObjectError> {
        let mut state = self.state();
        let old = state.find(&self.list, name)?;
        if let Place::File(path) = &old.place {
            match std::fs::remove_file(path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(OwnObjectError::disk(path)(error));
                }
                _ => {}
            }
        }
        state.entries.retain(|entry| entry.object.name() != old.object.name());
        self.changed(&mut state);
        Ok(())
    }

    /// The hashes of all meshes and pictures that objects are made of.
    pub fn asset_names(&self) -> Vec<String> {
        let entries = self.entries();
        let names = entries.iter().flat_map(|entry| entry.object.asset_names());
        names.map(ToString::to_string).collect()
    }

    fn changed(&self, state: &mut State) {
        // What cannot be listed now is read again the next time.
        let found = self.directory.as_deref().map(stamps);
        state.seen = found.and_then(Result::ok).unwrap_or_default();
        self.publish(state);
    }

    fn publish(&self, state: &State) {
        self.list.publish(state.entries.iter().map(|entry| Arc::clone(&entry.object)).collect());
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Entries are put in and taken out whole, so after a panic the others are intact.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn read(directory: &Path, found: Vec<Stamp>) -> Self {
        let mut state = Self::default();
        for stamp in &found {
            if let Err(message) = state.read_file(directory, stamp) {
                let file = stamp.name.to_string_lossy().into_owned();
                state.problems.push(FileProblem { file, message });
            }
        }
        state.seen = found;
        state
    }

    fn read_file(&mut self, directory: &Path, stamp: &Stamp) -> Result<(), String> {
        if self.entries.len() >= MAX_OBJECTS {
            return Err(OwnObjectError::TooMany(self.entries.len()).to_string());
        }
        if stamp.bytes <= MAX_FILE_BYTES && self.bytes() + stamp.bytes > MAX_TOTAL_BYTES {
            let (used, most) = (self.bytes(), MAX_TOTAL_BYTES);
            return Err(OwnObjectError::NoRoom { used, most }.to_string());
        }
        let content = content(directory, stamp)?;
        let file = ObjectFile::read(&content).map_err(|error| error.to_string())?;
        let name = file.object.name();
        if let Some(other) = self.named(name) {
            return Err(format!(
                "another file has an object '{}' already; change 'name' in one of them",
                other.object.name()
            ));
        }
        let place = Place::File(directory.join(&stamp.name));
        self.entries.push(Entry::new(file.object, &content, place));
        self.sort();
        Ok(())
    }

    fn find(&self, list: &OwnObjects, name: &str) -> Result<Entry, OwnObjectError> {
        let found = list.named(name).or_else(|| list.find(name));
        let found = found.and_then(|object| self.named(object.name()));
        if let Some(entry) = found {
            return Ok(entry.clone());
        }
        if let Some(object) = catalogue().find(name) {
            return Err(OwnObjectError::BuiltIn(object.name().to_owned()));
        }
        let names: Vec<&str> =
            self.entries.iter().take(20).map(|entry| entry.object.name()).collect();
        let known = match &names[..] {
            [] => "; none is saved yet".to_owned(),
            names => format!("; there are: {}", names.join(", ")),
        };
        Err(OwnObjectError::Unknown { name: name.chars().take(60).collect(), known })
    }

    fn named(&self, name: &str) -> Option<&Entry> {
        let name = name.to_lowercase();
        self.entries.iter().find(|entry| entry.object.name().to_lowercase() == name)
    }

    /// Whether a new object, or the one called `old`, may have a name.
    fn check_name(&self, name: &str, old: Option<&str>) -> Result<(), OwnObjectError> {
        let other = self.named(name).map(|entry| entry.object.name());
        if let Some(other) = other.filter(|other| Some(*other) != old) {
            return Err(OwnObjectError::Taken(other.to_owned()));
        }
        // A synonym of one may be taken: the user's own name is meant before it.
        let names = catalogue().themes().iter().map(Theme::name).chain(catalogue().names());
        let is_built_in = { names }.any(|built_in| built_in == name.to_lowercase());
        // One that had the name before there was such a built-in object keeps it.
        if is_built_in && old != Some(name) {
            return Err(OwnObjectError::BuiltInName(name.to_owned()));
        }
        Ok(())
    }

    /// The object of a file under a name that is free.
    fn numbered(&self, file: ObjectFile) -> Result<ObjectFile, OwnObjectError> {
        let name = file.object.name().to_owned();
        if self.check_name(&name, None).is_ok() {
            return Ok(file);
        }
        // Long names lose their end, not the number.
        let stem: String = name.chars().take(54).collect();
        let numbers = 2..=MAX_OBJECTS + 2;
        let mut names = numbers.map(|number| format!("{} {number}", stem.trim_end()));
        let free = names.find(|name| self.check_name(name, None).is_ok());
        let name = free.ok_or(OwnObjectError::Taken(name))?;
        let about = About { name, ..file.object.about().clone() };
        Ok(ObjectFile { object: file.object.with_about(about)?, ..file })
    }

    /// Writes an object in place of the one called `old`.
    fn put(
        &mut self,
        file: &ObjectFile,
        place: Place,
        old: Option<&str>,
    ) -> Result<Entry, OwnObjectError> {
        let content = file.write()?;
        let replaced = self.entries.iter().find(|entry| Some(entry.object.name()) == old);
        let used = self.bytes() - replaced.map_or(0, |entry| entry.bytes);
        if used + content.len() as u64 > MAX_TOTAL_BYTES {
            return Err(OwnObjectError::NoRoom { used, most: MAX_TOTAL_BYTES });
        }
        let place = match place {
            Place::File(path) => {
                write(&path, &content)?;
                Place::File(path)
            }
            Place::Memory(_) => Place::Memory(content.as_slice().into()),
        };
        let entry = Entry::new(file.object.clone(), &content, place);
        self.entries.retain(|entry| Some(entry.object.name()) != old);
        self.entries.push(entry.clone());
        self.sort();
        Ok(entry)
    }

    fn sort(&mut self) {
        self.entries.sort_by(|one, other| one.object.name().cmp(other.object.name()));
    }

    fn bytes(&self) -> u64 {
        self.entries.iter().map(|entry| entry.bytes).sum()
    }
}

impl Entry {
    fn new(object: OwnObject, content: &[u8], place: Place) -> Self {
        let version = AssetHash::of(content).as_str()[..16].to_owned();
        Self { object: Arc::new(object), version, bytes: content.len() as u64, place }
    }
}
