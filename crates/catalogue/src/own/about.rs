//! What people know of an object of the user's own.

use scene::{Violations, is_hidden};

use crate::catalogue::catalogue;
use crate::error::CatalogueError;

/// The longest name, in characters.
const MAX_NAME_CHARS: usize = 60;
/// The most other words.
const MAX_WORDS: usize = 12;
/// The longest note, in characters.
const MAX_NOTE_CHARS: usize = 500;

/// The names of an object, where it is sorted, what its author says of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// What it is called.
    pub name: String,
    /// Other words it is found by.
    pub words: Vec<String>,
    /// The name of the category it belongs to, one of the catalogue's.
    pub category: Option<String>,
    /// What its author says of it.
    pub note: String,
}

impl About {
    /// The same by the rules: spaces trimmed, the category by its own name.
    pub(super) fn checked(self) -> Result<Self, Violations> {
        let mut errors = Vec::new();
        let name = spaced(&self.name);
        if let Err(rule) = check_name(&name) {
            errors.push(format!("'name' {rule}"));
        }
        let mut words: Vec<String> = Vec::new();
        for word in self.words.iter().map(|word| spaced(word)).filter(|word| !word.is_empty()) {
            if let Err(rule) = check_name(&word) {
                errors.push(format!("'words' {rule}"));
            }
            if word != name && !words.contains(&word) {
                words.push(word);
            }
        }
        if words.len() > MAX_WORDS {
            errors.push(format!("'words' may have at most {MAX_WORDS} entries"));
        }
        let category = self.category.filter(|category| !category.trim().is_empty());
        let category = category.and_then(|given| match listed_name(&given) {
            Ok(name) => Some(name),
            Err(error) => {
                errors.push(format!("'category': {error}"));
                None
            }
        });
        let is_hidden = |letter: char| is_hidden(letter) || (letter.is_control() && letter != '\n');
        let note: String = self.note.trim().chars().filter(|letter| !is_hidden(*letter)).collect();
        if note.chars().count() > MAX_NOTE_CHARS {
            errors.push(format!("'note' may have at most {MAX_NOTE_CHARS} characters"));
        }
        match Violations::joined(errors.into_iter().map(Violations::one)) {
            Some(violations) => Err(violations),
            None => Ok(About { name, words, category, note }),
        }
    }
}

fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn check_name(name: &str) -> Result<(), String> {
    let is_allowed =
        |letter: char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '\'' | '’');
    let is_good = name.chars().any(char::is_alphanumeric)
        && name.chars().all(|letter| is_allowed(letter) && !is_hidden(letter))
        && name.chars().count() <= MAX_NAME_CHARS;
    if is_good {
        return Ok(());
    }
    let shown: String = scene::shown(name).chars().take(MAX_NAME_CHARS).collect();
    Err(format!(
        "must be 1 to {MAX_NAME_CHARS} letters, digits, spaces, hyphens and apostrophes, got '{shown}'"
    ))
}

/// The catalogue's own name of a category.
fn listed_name(given: &str) -> Result<String, CatalogueError> {
    let category = catalogue().category_named(given)?;
    let mut listed = catalogue().named_categories();
    let name = listed.find(|(_, listed)| std::ptr::eq(*listed, category)).map(|(name, _)| name);
    Ok(name.unwrap_or(given).to_owned())
}
