//! What the things of a scene are called, as words.

use std::collections::HashMap;
use std::sync::Arc;

use scene::Scene;

use super::lexicon::{Feature, Lexicon, Slots};
use super::symbols::Features;
use super::vocabulary::lexicon;

/// The names of things by their words: "floor lamp" for `floor_lamp_2`.
#[derive(Debug, Clone, Default)]
pub(crate) struct SceneNames(HashMap<String, Vec<String>>);

impl SceneNames {
    /// Of the shapes, lights and groups of a scene.
    pub(crate) fn of(scene: &Scene) -> Self {
        let mut names: HashMap<String, Vec<String>> = HashMap::new();
        let shapes = scene.shapes.iter().map(|shape| shape.id.as_str());
        let lights = scene.lights.iter().map(|light| light.id.as_str());
        for id in shapes.chain(lights).chain(scene.group_ids()) {
            let mut put = |words: String| {
                let ids = names.entry(words).or_default();
                if !ids.iter().any(|known| known == id) {
                    ids.push(id.to_owned());
                }
            };
            let words = words_of(id);
            put(words.join(" "));
            put(id.to_lowercase());
            let numbers = |word: &&String| word.chars().all(|letter| letter.is_ascii_digit());
            let bare: Vec<String> =
                words.iter().take_while(|word| !numbers(word)).cloned().collect();
            // Any tail of a name is what it is called, too: "lamp" for "floor lamp"; of a ball that is called by
            // something else, that: "jupiter" for "solar system jupiter ball".
            for start in 0..bare.len() {
                put(bare[start..].join(" "));
            }
            let named = without_shape(&bare);
            for start in 0..named.len() {
                put(named[start..].join(" "));
            }
        }
        Self(names)
    }

    /// Whether something is called so.
    pub(super) fn has(&self, words: &str) -> bool {
        self.0.contains_key(words)
    }

    /// The slots for the words as a name: whether exactly, as a tail, or in the plural.
    pub(super) fn find(&self, words: &str, lexicon: &Lexicon) -> Vec<(Arc<Slots>, Features)> {
        let symbols = &lexicon.symbols;
        let mut found = Vec::new();
        let singular = words.strip_suffix('s');
        let es = words.strip_suffix("es");
        for (form, feature) in [(Some(words), "sg"), (singular, "pl"), (es, "pl")] {
            let Some(form) = form.filter(|form| self.0.contains_key(*form)) else { continue };
            // "red balls" are those that are red, whatever they are called.
            if form.split_once(' ').is_some_and(|(first, _)| lexicon.has(first, "Adj")) {
                continue;
            }
            let slots: Slots = vec![("named", Feature::Text(form.into()))];
            let features = symbols.feature_named(feature) | symbols.feature_named("known");
            found.push((Arc::new(slots), features));
        }
        found
    }
}

/// The words before the one that only tells the shape.
pub(crate) fn without_shape(words: &[String]) -> &[String] {
    let lexicon = lexicon();
    let (noun, shape) = (lexicon.symbols.number("Noun"), lexicon.symbols.number("shape"));
    match words.split_last() {
        Some((last, before))
            // "red" of "red ball" is what it is like.
            if before.last().is_some_and(|name| !lexicon.has(name, "Adj"))
                && lexicon.find(last).any(|entry| {
                    Some(entry.category) == noun && Some(entry.sense) == shape
                }) =>
        {
            before
        }
        _ => &[],
    }
}

/// The words of an id: `redBall_2` is "red ball 2".
pub(crate) fn words_of(id: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in id.chars() {
        let is_new = !letter.is_alphanumeric()
            || (letter.is_uppercase() && before.is_lowercase())
            || letter.is_ascii_digit() != before.is_ascii_digit();
        if is_new {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}
