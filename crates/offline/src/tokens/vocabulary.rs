//! The one lexicon of the program: the words of the data files with the names of the catalogue.

use std::sync::LazyLock;

use catalogue::catalogue;

use super::forms::plural;
use super::lexicon::Lexicon;
use super::names::add_names;

/// The lexicon, read at the first call.
pub(crate) fn lexicon() -> &'static Lexicon {
    static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
        let mut lexicon = Lexicon::read();
        add_names(&mut lexicon);
        lexicon.index();
        lexicon
    });
    &LEXICON
}

/// How plurals end, and their singulars.
pub(crate) const ENDINGS: [(&str, &str); 10] = [
    ("men", "man"),
    ("mice", "mouse"),
    ("geese", "goose"),
    ("children", "child"),
    ("ies", "y"),
    ("ives", "ife"),
    ("ves", "f"),
    ("ves", "fe"),
    ("es", ""),
    ("s", ""),
];

/// The singular of a noun that may be a plural: the form that is a word, else without its ending.
pub(crate) fn singular(noun: &str) -> String {
    if let Some((form, _)) = catalogue().nearest(noun).filter(|_| !lexicon().has(noun, "Noun")) {
        return form.to_owned();
    }
    let is_noun = |form: &str| lexicon().has(form, "Noun") && plural(form) == noun;
    for (ending, instead) in ENDINGS {
        if let Some(stem) = noun.strip_suffix(ending) {
            let form = format!("{stem}{instead}");
            if is_noun(&form) {
                return form;
            }
        }
    }
    noun.to_owned()
}
