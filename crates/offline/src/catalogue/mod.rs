//! Everyday objects and themed scenes, as data: `data/things/` and `data/scenes/`, one file each,
//! compiled in and read once. `data/README.md` says how a file is written.
//!
//! ```text
//! catalogue().find("pine trees") ─▶ &Object ─ build(group, &Wishes) ─▶ shapes of the document
//! catalogue().theme("cosy living room") ─▶ &Theme ─ build(&Mood) ─▶ a whole scene file
//! ```
//!
//! Deterministic: the same wishes and the same seed give the same shapes. Metres, degrees, y up,
//! objects stand on y = 0 around the origin and face +z.

mod assemble;
mod category;
mod copies;
mod draw;
mod form;
mod lamp;
mod object;
mod paint;
mod part_words;
mod piece;
mod recipe;
mod spot;
mod stand_in;
mod theme;
mod viewpoint;
mod words;

use std::collections::BTreeMap;
use std::sync::LazyLock;

pub(crate) use category::Category;
use rust_embed::RustEmbed;
use serde::de::DeserializeOwned;

pub use object::{Extent, Object, Wishes};
use part_words::PartWords;
pub(crate) use recipe::Carries;
use recipe::Recipe;
use stand_in::StandIns;
use theme::{Adjective, Plan};
pub use theme::{Mood, Theme};
use words::Index;
pub(crate) use words::is_one_slip;

/// The files of the objects.
#[derive(RustEmbed)]
#[folder = "data/things"]
struct Things;

/// The files of the themed scenes.
#[derive(RustEmbed)]
#[folder = "data/scenes"]
struct Scenes;

/// Why a file cannot be built. Files are tested, so a fault tells of a wish that is out of range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CatalogueFault {
    /// The file is not written as files are.
    #[error("{file}: {message}")]
    File {
        /// Its name.
        file: String,
        /// What is wrong, with the line.
        message: String,
    },
    /// A fault in a part.
    #[error("part '{name}': {fault}")]
    Part {
        /// The part's name.
        name: String,
        /// What is wrong.
        fault: Box<CatalogueFault>,
    },
    /// Numbers that make no shape.
    #[error("{0}")]
    Shape(String),
    /// Neither a preset nor a colour.
    #[error("'{0}' is no preset, CSS colour or code like #d02020")]
    Paint(String),
    /// A part, object or point that is not there.
    #[error("there is no '{0}' before it; name an earlier part or an object of the catalogue")]
    Reference(String),
    /// A name that no id can be.
    #[error("'{0}' cannot be an id")]
    Name(String),
    /// An object that is made of itself.
    #[error("'{0}' is built of too many objects within each other")]
    Depth(String),
    /// It would leave the range of the document.
    #[error("'{name}' cannot be made so: {fault}")]
    Motion {
        /// The piece.
        name: String,
        /// What is out of range.
        fault: scene::MotionError,
    },
}

/// All objects and themed scenes.
#[derive(Debug)]
pub struct Catalogue {
    objects: Vec<Object>,
    object_names: Index,
    themes: Vec<Theme>,
    theme_names: Index,
    adjectives: BTreeMap<String, Adjective>,
    categories: BTreeMap<String, Category>,
    stand_ins: StandIns,
    part_words: PartWords,
}

/// The catalogue, read when it is first asked for.
pub fn catalogue() -> &'static Catalogue {
    // A file that does not read is left out here and fails its test.
    static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| read().0);
    &CATALOGUE
}

/// Everything that reads, and the faults of the files that do not.
fn read() -> (Catalogue, Vec<CatalogueFault>) {
    let mut faults = Vec::new();
    let objects = files::<Things, Recipe>(&mut faults);
    let plans = files::<Scenes, Plan>(&mut faults);
    let adjectives = include_str!("../../data/adjectives.json");
    let adjectives = table("adjectives.json", adjectives, &mut faults);
    let categories = include_str!("../../data/categories.json");
    let categories = table("categories.json", categories, &mut faults);
    let stand_ins = StandIns::read(include_str!("../../data/stand_ins.txt"));
    let objects: Vec<Object> = objects.into_iter().map(|recipe| Object { recipe }).collect();
    let themes: Vec<Theme> = plans.into_iter().map(|plan| Theme { plan }).collect();
    let object_names = Index::of(objects.iter().map(Object::names));
    let theme_names = Index::of(themes.iter().map(Theme::names));
    let part_words = PartWords::read(include_str!("../../data/part_words.txt"));
    let catalogue = Catalogue {
        objects,
        object_names,
        themes,
        theme_names,
        adjectives,
        categories,
        stand_ins,
        part_words,
    };
    (catalogue, faults)
}

/// A table of named entries, empty where it does not read.
fn table<Entry: DeserializeOwned>(
    file: &str,
    text: &str,
    faults: &mut Vec<CatalogueFault>,
) -> BTreeMap<String, Entry> {
    serde_json::from_str(text).unwrap_or_else(|error: serde_json::Error| {
        faults.push(CatalogueFault::File { file: file.to_owned(), message: error.to_string() });
        BTreeMap::new()
    })
}

/// The files of a folder by their names, as they read.
fn files<Folder: RustEmbed, File: DeserializeOwned>(faults: &mut Vec<CatalogueFault>) -> Vec<File> {
    let mut names: Vec<String> = Folder::iter().map(|name| name.into_owned()).collect();
    names.sort();
    let mut files = Vec::new();
    for file in names {
        let text = Folder::get(&file).map(|file| file.data.into_owned()).unwrap_or_default();
        match serde_json::from_slice(&text) {
            Ok(read) => files.push(read),
            Err(error) => faults.push(CatalogueFault::File { file, message: error.to_string() }),
        }
    }
    files
}

impl Catalogue {
    /// All objects, by the names of their files.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// The object these words name, all of them: by its name or a synonym, also as a plural, in any
    /// case. `None` when there is none.
    pub fn find(&self, words: &str) -> Option<&Object> {
        self.objects.get(self.object_names.find(words)?)
    }

    /// The object whose name the first of `words` are, the longest name first, and how many words
    /// it took: for "pine tree behind it" the pine and 2.
    pub fn find_first(&self, words: &[&str]) -> Option<(&Object, usize)> {
        (1..=words.len().min(words::LONGEST)).rev().find_map(|count| {
            let object = self.find(&words.get(..count)?.join(" "))?;
            Some((object, count))
        })
    }

    /// All themed scenes, by the names of their files.
    pub fn themes(&self) -> &[Theme] {
        &self.themes
    }

    /// The scene these words name, all of them: by its name or a synonym, in any case.
    pub fn theme(&self, words: &str) -> Option<&Theme> {
        self.themes.get(self.theme_names.find(words)?)
    }

    /// The scene whose name of six letters or more is these words but for one letter.
    pub fn theme_like(&self, words: &str) -> Option<&Theme> {
        let near = |name: &String| name.len() > 5 && is_one_slip(name, words);
        self.themes.iter().find(|theme| theme.names().iter().any(near))
    }

    /// The adjective a word stands for, e.g. "cosy" for "snug"; `None` for other words.
    pub fn adjective(&self, word: &str) -> Option<&str> {
        let word = word.to_lowercase();
        let known = self
            .adjectives
            .iter()
            .find(|(name, adjective)| **name == word || adjective.words.contains(&word));
        known.map(|(name, _)| name.as_str())
    }

    /// The category a word names, and whether the word means more than one thing of it.
    pub(crate) fn category(&self, word: &str) -> Option<(&Category, bool)> {
        self.categories.values().find_map(|category| Some((category, category.is_many(word)?)))
    }

    /// All categories.
    pub(crate) fn categories(&self) -> impl Iterator<Item = &Category> {
        self.categories.values()
    }

    /// The object that is nearest to what nobody made, where one is: the crab for "lobster".
    pub(crate) fn stand_in(&self, word: &str) -> Option<&Object> {
        self.find(self.stand_ins.for_word(word)?)
    }

    /// What nobody made, with the object that is nearest to it.
    pub(crate) fn stand_ins(&self) -> impl Iterator<Item = (&str, &Object)> {
        self.stand_ins.all().filter_map(|(word, name)| Some((word, self.find(name)?)))
    }

    /// Whether a word of a part's name is meant by this noun: "icing" for cream, "hats" for hat.
    pub(crate) fn is_called(&self, part: &str, noun: &str) -> bool {
        self.part_words.go_together(part, noun)
    }

    /// Words for parts beside the parts' own names.
    pub(crate) fn part_words(&self) -> impl Iterator<Item = &str> {
        self.part_words.all()
    }

    /// All adjectives.
    pub fn adjectives(&self) -> impl Iterator<Item = &str> {
        self.adjectives.keys().map(String::as_str)
    }

    /// One name for each object, for "what can you make".
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.objects.iter().map(Object::name)
    }

    fn recipe(&self, name: &str) -> Option<&Recipe> {
        self.objects.iter().map(|object| &object.recipe).find(|recipe| recipe.names[0] == name)
    }
}

#[cfg(test)]
mod tests;
