//! Objects of the catalogue with their options, paints and what comes with them.

use catalogue::{Object, catalogue};
use serde_json::{Map, Value, json};

use crate::frames::{Head, Phrase, Quality};
use crate::looks;
use crate::resolve::singulars;
use crate::tokens::lexicon;
use crate::wording::indefinite;

use super::measures::height;
use super::shapes;
use crate::plan::planner::{Done, Planner, Remark, Stopped};

impl Planner<'_> {
    /// Adds an object of the catalogue; the id of its group.
    pub(crate) fn make_object(&mut self, phrase: &Phrase, name: &str) -> Done<String> {
        let Some(object) = catalogue().find(name) else {
            return Err(Stopped(Remark::Unknown(name.to_owned())));
        };
        if let Head::Object { stands_for: Some(word), .. } = &phrase.head {
            self.remarks.push(Remark::Note(format!(
                "I have no {word} of my own; {} stands in for it.",
                indefinite(&object.name().replace('_', " "))
            )));
        }
        let mut plain = Phrase { qualities: Vec::new(), ..phrase.clone() };
        // What was mistyped is called as it is spelt.
        if !singulars(&plain.word).iter().any(|word| lexicon().has(word, "Noun"))
            && catalogue().nearest(&plain.word).is_none()
        {
            plain.word.clear();
        }
        let id = self.new_id(&plain, object.name());
        let mut qualities = phrase.qualities.clone();
        self.resolve_same(&mut qualities)?;
        let mut args = Map::new();
        args.insert("object".into(), json!(object.name()));
        args.insert("id".into(), json!(id));
        args.insert("at".into(), json!([0.0, 0.0, 0.0]));
        if let Some(height) = height(object, &qualities) {
            args.insert("height".into(), json!(height));
        }
        let mut paints = paints(object, &qualities);
        let options = options(object, phrase, &mut paints);
        if !paints.is_empty() {
            args.insert("materials".into(), Value::Object(paints));
        }
        if !options.is_empty() {
            args.insert("options".into(), Value::Object(options));
        }
        self.call("add_object", Value::Object(args))?;
        self.paint_in_turn(&id, &qualities)?;
        // "a blue vase with yellow flowers": what has a colour of its own keeps it.
        if phrase.with.iter().all(|company| company.qualities.is_empty()) {
            self.ensure_painted(&id, &qualities)?;
        }
        self.take_measures(object, &id, &qualities)?;
        self.take_relative_size(&id, &qualities)?;
        self.take_posture(&id, &qualities)?;
        if qualities.iter().any(is_measure) {
            self.sized.push(id.clone());
        }
        Ok(id)
    }

    /// "a red and yellow kite": its parts in turn.
    pub(in crate::plan) fn paint_in_turn(&mut self, id: &str, qualities: &[Quality]) -> Done {
        let colours: Vec<Quality> = qualities
            .iter()
            .filter(|quality| matches!(quality, Quality::Colour(_)))
            .cloned()
            .collect();
        let plain = qualities.iter().all(|quality| !matches!(quality, Quality::Texture { .. }));
        if colours.len() < 2 || !plain {
            return Ok(());
        }
        let scene = self.scene();
        let is_part = |group: &scene::Id| group.as_str() == id;
        let parts = scene.shapes.iter().filter(|shape| shape.group.as_ref().is_some_and(is_part));
        let parts: Vec<String> = parts.map(|shape| shape.id.as_str().to_owned()).collect();
        for (at, part) in parts.iter().enumerate() {
            self.change_all(std::slice::from_ref(part), &colours[at % colours.len()..][..1])?;
        }
        Ok(())
    }

    /// Where the body is only a small part of an object, more of it takes the colour that was asked for.
    fn ensure_painted(&mut self, id: &str, qualities: &[Quality]) -> Done {
        let state = self.state();
        let world = state.world();
        let Some(thing) = world.find(id) else { return Ok(()) };
        let missing = qualities.iter().any(|quality| {
            matches!(quality, Quality::Colour(_) | Quality::Material { .. })
                && crate::resolve::has_quality(quality, thing, world) == Some(false)
        });
        if missing {
            let wanted = qualities.to_vec();
            self.repaint(id, &|old| shapes::surface(&wanted, old))?;
        }
        Ok(())
    }
}

/// A description of a thing by its id.
pub(crate) fn named(id: &str) -> Phrase {
    let word = crate::tokens::words_of(id).join(" ");
    let phrase = Phrase::of(Head::These(vec![id.to_owned()]));
    Phrase { determiner: Some(crate::frames::Determiner::Definite), word, ..phrase }
}

/// Whether a quality is a measure.
fn is_measure(quality: &Quality) -> bool {
    matches!(quality, Quality::Measured { .. } | Quality::Measures(_))
}

/// What an object's body and accent are painted with.
fn paints(object: &Object, qualities: &[Quality]) -> Map<String, Value> {
    let mut paints = Map::new();
    let roles: Vec<&str> = object.roles().collect();
    let colours: Vec<&Quality> =
        qualities.iter().filter(|quality| matches!(quality, Quality::Colour(_))).collect();
    let main = roles.iter().find(|role| **role == "body").or(roles.first());
    let Some(main) = main else { return paints };
    let old = object.body_material().unwrap_or_default();
    if let Some(surface) = shapes::surface(qualities, &old) {
        paints.insert((*main).to_owned(), surface);
    }
    if colours.len() == 2 && roles.contains(&"accent") {
        for (role, quality) in ["body", "accent"].iter().zip(colours) {
            if let Some(surface) = looks::of_quality(quality, &old) {
                paints.insert((*role).to_owned(), surface);
            }
        }
    }
    paints
}

/// Whether something that comes with an object is one of its parts or options.
pub(crate) fn is_part_of(object: &Object, phrase: &Phrase) -> bool {
    let words = crate::resolve::singulars(&phrase.word);
    words.iter().any(|word| object.option(word).is_some() || object.has_part(word))
}

/// The options that "with" and "without" name; parts of a colour of their own are painted.
fn options(
    object: &Object,
    phrase: &Phrase,
    paints: &mut Map<String, Value>,
) -> Map<String, Value> {
    let mut options = Map::new();
    let part = |word: &str| {
        object
            .part_names()
            .find(|name| name.split('_').any(|own| catalogue().names_part(own, word)))
    };
    for (company, wanted) in phrase
        .with
        .iter()
        .map(|with| (with, true))
        .chain(phrase.without.iter().map(|without| (without, false)))
    {
        if wanted && !is_part_of(object, company) {
            continue;
        }
        let words = crate::resolve::singulars(&company.word);
        if let Some(option) = words.iter().find_map(|word| object.option(word)) {
            let choice = match company.count {
                Some(_) if wanted => json!(company.number().min(400)),
                _ => json!(wanted),
            };
            options.insert(option.to_owned(), choice);
        }
        let named = words.iter().find_map(|word| part(word));
        let role = words
            .iter()
            .find_map(|word| object.roles().find(|role| catalogue().names_part(role, word)));
        if let Some(name) = role.or(named)
            && let Some(surface) =
                shapes::surface(&company.qualities, &object.body_material().unwrap_or_default())
        {
            paints.insert(name.to_owned(), surface);
        }
    }
    options
}
