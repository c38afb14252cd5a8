//! The names of the catalogue, of colours and of materials as words.

use std::collections::HashSet;
use std::sync::Arc;

use catalogue::{catalogue, colour};

use super::lexicon::{Feature, Lexicon, Slots};

/// Adds the names of objects, scenes, categories, colours and materials. A name that the lexicon has
/// itself keeps its meaning there, and this one beside it.
pub(crate) fn add_names(lexicon: &mut Lexicon) {
    // Nouns that are only near something carry it: `nearest.rs`.
    lexicon.symbols.feature("nearest");
    let text = |slot: &'static str, name: &str| {
        let slots: Slots = vec![(slot, Feature::Text(name.into()))];
        Arc::new(slots)
    };
    let mut taken: HashSet<String> = HashSet::new();
    let adjective = lexicon.symbols.number("Adj");
    let verb = lexicon.symbols.number("Verb");
    let quality = lexicon.symbols.feature("quality");
    for object in catalogue().objects() {
        // What people type is read in small letters: "a TV".
        for name in object.names().iter().map(|name| name.to_lowercase()) {
            let name = name.as_str();
            if taken.insert(name.to_owned()) {
                let slots = text("object", object.name());
                // "can" is hardly ever a tin, and "glass" by itself is a material, "a glass" none.
                let others: Vec<_> = lexicon.meanings(name).map(|entry| entry.category).collect();
                let is_noun = lexicon.has(name, "Noun");
                let is_quality =
                    !others.is_empty() && others.iter().all(|one| Some(*one) == adjective);
                let is_verb = others.contains(&verb.unwrap_or_default());
                let (features, cost) = match (is_noun, is_quality) {
                    // What a shape is called as well is more often the shape.
                    (true, _) => (0, 0.3),
                    (false, true) => (quality, 0.9),
                    (false, false) if others.is_empty() => (0, 0.0),
                    (false, false) if is_verb => (0, 0.6),
                    (false, false) => (0, 3.0),
                };
                lexicon.add("Noun", "object", features, cost, &slots, name);
                // "a curtain" of "curtains".
                let one = name.strip_suffix('s').filter(|one| !one.ends_with(['s', 'u', 'i']));
                // "a chest of drawers" has several.
                let one = one.filter(|one| !one.contains(" of "));
                if let Some(one) = one.filter(|one| !lexicon.has(one, "Noun") && one.len() > 3) {
                    let form = format!("{one}/");
                    lexicon.add("Noun", "object", features, cost, &slots, &form);
                }
            }
        }
    }
    for (word, object) in catalogue().stand_ins() {
        if taken.insert(word.to_owned()) && !lexicon.has(word, "Noun") {
            let mut slots = Arc::unwrap_or_clone(text("object", object.name()));
            slots.push(("stands_for", Feature::Text(word.into())));
            let is_other = lexicon.meanings(word).next().is_some();
            let cost = if is_other { 1.8 } else { 0.4 };
            lexicon.add("Noun", "object", 0, cost, &Arc::new(slots), word);
        }
    }
    for theme in catalogue().themes() {
        for name in theme.names() {
            let cost = if taken.contains(name) { 0.15 } else { 0.1 };
            lexicon.add("Noun", "theme", 0, cost, &text("theme", theme.name()), name);
        }
    }
    let several = lexicon.symbols.feature("pl");
    for (name, category) in catalogue().named_categories() {
        for word in category.words() {
            let features = if category.is_plural(word) == Some(true) { several } else { 0 };
            let form = format!("{word}/");
            lexicon.add("Noun", "category", features, 0.2, &text("category", name), &form);
        }
    }
    for named in colour::all() {
        if !lexicon.has(named.name, "Adj") {
            lexicon.add("Adj", "colour", 0, 0.0, &text("colour", named.name), named.name);
        }
        for spaced in spaced(named.name) {
            if !lexicon.has(&spaced, "Adj") {
                lexicon.add("Adj", "colour", 0, 0.0, &text("colour", named.name), &spaced);
            }
        }
    }
    let mut parts: Vec<&str> = catalogue().part_words().collect();
    parts.extend(
        catalogue()
            .objects()
            .iter()
            .flat_map(|object| object.part_names())
            .flat_map(|name| name.split('_')),
    );
    for part in parts {
        if part.len() > 2
            && taken.insert(part.to_owned())
            && lexicon.meanings(part).next().is_none()
        {
            lexicon.add("Noun", "part", 0, 0.3, &text("part", part), part);
        }
    }
    for preset in scene::presets() {
        let name = preset.name.replace('_', " ");
        if !lexicon.has(&name, "Adj") {
            // "on grass" is a place, "a grass hat" a hat of it.
            let cost = if lexicon.has(&name, "Noun") { 1.2 } else { 0.1 };
            lexicon.add("Adj", "material", 0, cost, &text("material", preset.name), &name);
        }
    }
    for name in catalogue().adjectives() {
        if !lexicon.has(name, "Adj") {
            lexicon.add("Adj", "mood", 0, 0.3, &text("mood", name), name);
        }
    }
}

/// The name of a colour with spaces before the colour that it ends with: "sky blue".
fn spaced(name: &str) -> Vec<String> {
    let ends = |end: &&colour::NamedColour| name.len() > end.name.len() && name.ends_with(end.name);
    colour::all()
        .iter()
        .filter(ends)
        .map(|end| {
            let front = &name[..name.len() - end.name.len()];
            format!("{} {}", front.trim(), end.name)
        })
        .collect()
}
