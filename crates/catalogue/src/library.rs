//! Everything the crate's data files hold, parsed.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use rust_embed::RustEmbed;
use serde::de::DeserializeOwned;

use crate::error::CatalogueError;
use crate::files::{Adjective, ObjectFile, SceneFile};
use crate::words::{Category, Nouns, PartWords, StandIns};

/// The files of the objects.
#[derive(RustEmbed)]
#[folder = "data/objects"]
struct Objects;

/// The files of the themed scenes.
#[derive(RustEmbed)]
#[folder = "data/scenes"]
struct Scenes;

/// The parsed files.
#[derive(Debug)]
pub(crate) struct Library {
    pub(crate) objects: Vec<ObjectFile>,
    pub(crate) scenes: Vec<SceneFile>,
    pub(crate) adjectives: BTreeMap<String, Adjective>,
    pub(crate) categories: BTreeMap<String, Category>,
    pub(crate) stand_ins: StandIns,
    pub(crate) nouns: Nouns,
    pub(crate) part_words: PartWords,
    /// A hash of the objects' files.
    pub(crate) version: String,
}

/// The files compiled into the crate, parsed at the first call.
pub(crate) fn library() -> &'static Library {
    // A file that does not parse is left out here and fails its test.
    static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::read().0);
    &LIBRARY
}

impl Library {
    /// Everything that parses, and the errors of the files that do not.
    pub(crate) fn read() -> (Self, Vec<CatalogueError>) {
        let mut errors = Vec::new();
        let adjectives = include_str!("../data/adjectives.json");
        let categories = include_str!("../data/categories.json");
        let library = Self {
            objects: folder::<Objects, ObjectFile>(&mut errors)
                .into_iter()
                .flat_map(ObjectFile::with_variants)
                .collect(),
            scenes: folder::<Scenes, _>(&mut errors),
            adjectives: table("adjectives.json", adjectives, &mut errors),
            categories: table("categories.json", categories, &mut errors),
            stand_ins: StandIns::read(include_str!("../data/stand_ins.txt")),
            nouns: Nouns::read(include_str!("../data/nouns.txt")),
            part_words: PartWords::read(include_str!("../data/part_words.txt")),
            version: version::<Objects>(),
        };
        (library, errors)
    }

    /// The file of the object with this name.
    pub(crate) fn object(&self, name: &str) -> Option<&ObjectFile> {
        self.objects.iter().find(|file| file.name() == name)
    }
}

/// A table of named entries; empty where it does not parse.
fn table<Entry: DeserializeOwned>(
    file: &str,
    text: &str,
    errors: &mut Vec<CatalogueError>,
) -> BTreeMap<String, Entry> {
    serde_json::from_str(text).unwrap_or_else(|error: serde_json::Error| {
        errors.push(CatalogueError::File { file: file.to_owned(), message: error.to_string() });
        BTreeMap::new()
    })
}

/// A hash of a folder's files.
fn version<Folder: RustEmbed>() -> String {
    let mut names: Vec<_> = Folder::iter().collect();
    names.sort();
    let mut hasher = DefaultHasher::new();
    for name in names {
        Folder::get(&name).map(|file| file.metadata.sha256_hash()).hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

/// The files of a folder that parse, sorted by their names.
fn folder<Folder: RustEmbed, File: DeserializeOwned>(
    errors: &mut Vec<CatalogueError>,
) -> Vec<File> {
    let mut names: Vec<String> = Folder::iter().map(|name| name.into_owned()).collect();
    names.sort();
    let mut files = Vec::new();
    for file in names {
        let text = Folder::get(&file).map(|file| file.data.into_owned()).unwrap_or_default();
        match serde_json::from_slice(&text) {
            Ok(parsed) => files.push(parsed),
            Err(error) => errors.push(CatalogueError::File { file, message: error.to_string() }),
        }
    }
    files
}
