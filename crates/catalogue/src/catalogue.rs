//! All objects and themed scenes, and the words they are found by.

use std::sync::LazyLock;

use crate::error::CatalogueError;
use crate::library::{Library, library};
use crate::object::Object;
use crate::theme::Theme;
use crate::words::{Category, MAX_NAME_WORDS, NameIndex, StandIn, normalised};

/// All objects and themed scenes.
#[derive(Debug)]
pub struct Catalogue {
    library: &'static Library,
    objects: Vec<Object>,
    object_names: NameIndex,
    themes: Vec<Theme>,
    theme_names: NameIndex,
}

/// What stands in for a thing that the catalogue has not.
#[derive(Debug, Clone, Copy)]
pub enum Nearest<'a> {
    /// An object of a similar kind.
    Object(&'a Object),
    /// No object is similar: a plain shape of this type, its longest edge in metres.
    Shape {
        /// Its type in the document.
        shape: &'static str,
        /// Its longest edge.
        size: f64,
    },
}

/// The catalogue, read at the first call.
pub fn catalogue() -> &'static Catalogue {
    static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::new(library()));
    &CATALOGUE
}

impl Catalogue {
    fn new(library: &'static Library) -> Self {
        let objects: Vec<Object> =
            library.objects.iter().map(|file| Object::new(file, library)).collect();
        let themes: Vec<Theme> =
            library.scenes.iter().map(|file| Theme::new(file, library)).collect();
        let object_names = NameIndex::new(objects.iter().map(Object::names));
        let theme_names = NameIndex::new(themes.iter().map(Theme::names));
        Self { library, objects, object_names, themes, theme_names }
    }

    /// Another one for every other state of the object files.
    pub fn version(&self) -> &str {
        &self.library.version
    }

    /// All objects, sorted by the names of their files.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// One name for each object.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.objects.iter().map(Object::name)
    }

    /// The object whose name or synonym is exactly these words, in any case, singular or plural.
    pub fn find(&self, words: &str) -> Option<&Object> {
        self.objects.get(self.object_names.find(words)?)
    }

    /// The object whose name `words` begin with, the longest name first, and how many words the name
    /// has: for "pine tree behind it" the pine tree and 2.
    pub fn find_first(&self, words: &[&str]) -> Option<(&Object, usize)> {
        (1..=words.len().min(MAX_NAME_WORDS)).rev().find_map(|count| {
            let object = self.find(&words.get(..count)?.join(" "))?;
            Some((object, count))
        })
    }

    /// All themed scenes, sorted by the names of their files.
    pub fn themes(&self) -> &[Theme] {
        &self.themes
    }

    /// The themed scene whose name or synonym is exactly these words, in any case.
    pub fn theme(&self, words: &str) -> Option<&Theme> {
        self.themes.get(self.theme_names.find(words)?)
    }

    /// All adjectives that scenes understand.
    pub fn adjectives(&self) -> impl Iterator<Item = &str> {
        self.library.adjectives.keys().map(String::as_str)
    }

    /// The adjective a word stands for, e.g. "cosy" for "snug"; `None` for other words.
    pub fn adjective(&self, word: &str) -> Option<&str> {
        let word = word.to_lowercase();
        let known = self
            .library
            .adjectives
            .iter()
            .find(|(name, adjective)| **name == word || adjective.words.contains(&word));
        known.map(|(name, _)| name.as_str())
    }

    /// All categories.
    pub fn categories(&self) -> impl Iterator<Item = &Category> {
        self.library.categories.values()
    }

    /// The categories that objects are sorted into, by name; not those of forms ("round") or of parts ("the planets").
    pub fn named_categories(&self) -> impl Iterator<Item = (&str, &Category)> {
        let categories = self.library.categories.iter();
        categories
            .filter(|(_, category)| category.is_listed())
            .map(|(name, category)| (name.as_str(), category))
    }

    /// The category of this name, in any case; it may be one of the category's words.
    ///
    /// # Errors
    /// There is none.
    pub fn category_named(&self, name: &str) -> Result<&Category, CatalogueError> {
        let word = normalised(name);
        // The words of "camping" are "camping gear" and "camping equipment".
        let listed = self.named_categories().find(|(listed, _)| normalised(listed) == word);
        let found = listed.map(|(_, category)| category);
        let found = found.or_else(|| self.category(&word).map(|(category, _)| category));
        found.ok_or_else(|| {
            let known: Vec<&str> = self.named_categories().map(|(name, _)| name).collect();
            let name = name.chars().take(60).collect();
            CatalogueError::UnknownCategory { name, known: known.join(", ") }
        })
    }

    /// The category a word names, and whether the word means several members.
    pub fn category(&self, word: &str) -> Option<(&Category, bool)> {
        self.categories().find_map(|category| Some((category, category.is_plural(word)?)))
    }

    /// The object nearest to a word that has none of its own: the crab for "lobster".
    pub fn stand_in(&self, word: &str) -> Option<&Object> {
        let listed = self.library.stand_ins.find(word).and_then(|name| self.find(name));
        listed.or_else(|| match self.nearest(word)?.1 {
            Nearest::Object(object) => Some(object),
            Nearest::Shape { .. } => None,
        })
    }

    /// What is nearest to an English noun that is neither the name of an object nor among
    /// [`stand_ins`](Self::stand_ins): the noun in the singular, and the cat for "otters".
    pub fn nearest(&self, noun: &str) -> Option<(&'static str, Nearest<'_>)> {
        let (word, stand_in) = self.library.nouns.find(noun)?;
        let nearest = match stand_in {
            StandIn::Object(name) => Nearest::Object(self.find(name)?),
            StandIn::Shape(shape, size) => Nearest::Shape { shape, size },
        };
        Some((word, nearest))
    }

    /// The words that have no object of their own, each with the object that stands in for it.
    pub fn stand_ins(&self) -> impl Iterator<Item = (&str, &Object)> {
        self.library.stand_ins.all().filter_map(|(word, name)| Some((word, self.find(name)?)))
    }

    /// Synonyms for parts besides the names of the parts.
    pub fn part_words(&self) -> impl Iterator<Item = &str> {
        self.library.part_words.all()
    }

    /// Whether a noun names a part, or a word of its name: "icing" names the cream, "hats" the hat.
    pub fn names_part(&self, part: &str, noun: &str) -> bool {
        self.library.part_words.names(part, noun)
    }
}
