//! Descriptions of objects, for lists and searches.

use serde::Serialize;

use crate::catalogue::Catalogue;
use crate::error::CatalogueError;
use crate::object::{LIGHT_OPTION, Object};

/// What there is to know of an object before it is built.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ObjectInfo<'a> {
    /// What it is called.
    pub name: &'a str,
    /// Its name and its synonyms.
    pub names: &'a [String],
    /// The names of the categories it belongs to.
    pub categories: Vec<&'a str>,
    /// Its natural width, height and depth in metres, to the millimetre.
    pub size: [f64; 3],
    /// The number of its shapes.
    pub shapes: usize,
    /// What may be left out or added.
    pub options: Vec<OptionInfo<'a>>,
    /// What it is painted with by name: `body`, `accent` and others.
    pub roles: Vec<&'a str>,
    /// The names of its parts.
    pub parts: Vec<&'a str>,
}

/// Something that may be left out or added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct OptionInfo<'a> {
    /// What it is called.
    pub name: &'a str,
    /// Whether it is there by default.
    pub usual: bool,
}

impl Catalogue {
    /// The description of an object.
    pub fn info<'a>(&'a self, object: &'a Object) -> ObjectInfo<'a> {
        let natural = object.natural();
        let mut parts: Vec<&str> = Vec::new();
        for part in object.part_names() {
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        ObjectInfo {
            name: object.name(),
            names: object.names(),
            categories: self.categories_of(object),
            size: natural.size.map(|side| (side * 1e3).round() / 1e3),
            shapes: natural.shapes,
            options: object.option_infos(),
            roles: object.roles().collect(),
            parts,
        }
    }
}

impl Object {
    /// What may be left out or added. What shines has a light to turn off.
    pub fn option_infos(&self) -> Vec<OptionInfo<'_>> {
        let own = self.options().map(|(name, _)| OptionInfo { name, usual: self.is_usual(name) });
        let mut options: Vec<OptionInfo<'_>> = own.collect();
        if self.natural().shines && options.iter().all(|option| option.name != LIGHT_OPTION) {
            options.push(OptionInfo { name: LIGHT_OPTION, usual: true });
        }
        options
    }

    /// The option that a word names, as [`option_infos`](Self::option_infos) lists it.
    ///
    /// # Errors
    /// It has no such option.
    pub fn option_named(&self, word: &str) -> Result<&str, CatalogueError> {
        let options = self.option_infos();
        let listed = options.iter().find(|option| option.name == word).map(|option| option.name);
        self.option(word).or(listed).ok_or_else(|| {
            let known: Vec<&str> = options.iter().map(|option| option.name).collect();
            CatalogueError::UnknownOption {
                object: self.name().to_owned(),
                option: word.chars().take(60).collect(),
                known: if known.is_empty() { "none".to_owned() } else { known.join(", ") },
            }
        })
    }
}
