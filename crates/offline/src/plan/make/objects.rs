//! Objects of the catalogue with their options, paints and what comes with them.

use catalogue::{Carries, Object, catalogue};
use serde_json::{Map, Value, json};

use crate::frames::{Dimension, Frame, Head, Phrase, Place, Quality, Region, Relation};
use crate::looks;
use crate::resolve::singulars;
use crate::tokens::lexicon;
use crate::wording::indefinite;

use super::create::related;
use super::shapes::{self, is_long};
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
        let measures: Vec<&Quality> = qualities
            .iter()
            .filter(|quality| {
                matches!(
                    quality,
                    Quality::Measured {
                        dimension: Dimension::Width
                            | Dimension::Height
                            | Dimension::Depth
                            | Dimension::Length,
                        ..
                    }
                )
            })
            .collect();
        let edges = qualities.iter().find_map(|quality| match quality {
            Quality::Measures(edges) => Some(*edges),
            _ => None,
        });
        if let Some([x, y, z]) = edges {
            let sides = [(Dimension::Width, x), (Dimension::Height, y), (Dimension::Depth, z)];
            for (dimension, metres) in sides.into_iter().filter(|(_, metres)| *metres > 0.0) {
                let amount = crate::frames::Amount::Metres(metres);
                self.resize(std::slice::from_ref(&id), &Quality::Measured { dimension, amount })?;
            }
        } else if measures.len() > 1 {
            for quality in measures {
                self.resize(std::slice::from_ref(&id), quality)?;
            }
        }
        self.take_relative_size(&id, &qualities)?;
        self.take_posture(&id, &qualities)?;
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

    /// Makes what comes with a thing and is no part of it: "a desk with a lamp on it".
    pub(crate) fn add_company(&mut self, phrase: &Phrase, made: &[String]) -> Done {
        let object = match &phrase.head {
            Head::Object { name, .. } => catalogue().find(name),
            _ => None,
        };
        for company in &phrase.with {
            if object.is_some_and(|object| is_part_of(object, company)) {
                continue;
            }
            // "two chairs with a table in between": one for both.
            if company.at.iter().any(|place| place.region == Some(Region::Between)) {
                let ids = self.make(company)?;
                self.made.extend(ids.iter().cloned());
                self.context.focus.insert(0, made.to_vec());
                let ids = self.settle_new(company, ids, &company.at, &[])?;
                self.add_company(company, &ids)?;
                continue;
            }
            // Each of several has its own: "two tables with a lamp".
            // "a road with lamps on both sides": more than one on each.
            let flanks = |place: &Place| place.region == Some(Region::Flanking);
            let is_row = company.plural
                && company.count.is_none()
                && company.at.iter().any(flanks)
                && object.is_some_and(|object| is_long(object.name()));
            let several = Phrase { count: Some(6.0), ..company.clone() };
            let company = if is_row { &several } else { company };
            for owner in made.iter().take(12) {
                let ids = match self.make(company) {
                    Ok(ids) => ids,
                    Err(Stopped(remark)) => {
                        self.remarks.push(remark);
                        continue;
                    }
                };
                if ids.is_empty() {
                    continue;
                }
                self.made.extend(ids.iter().cloned());
                let places = if company.at.is_empty() {
                    let holds = object.is_some_and(|object| {
                        let containers = catalogue().category_named("containers").ok();
                        containers.is_some_and(|kind| {
                            kind.objects().iter().any(|name| name == object.name())
                        })
                    });
                    let relation = match object.and_then(Object::carries) {
                        // "a bowl with three apples".
                        None if holds => Relation::Inside,
                        None => Relation::NextTo,
                        Some(_) => Relation::On,
                    };
                    // What stands on an island may be higher than that.
                    let is_ground =
                        matches!(object.and_then(Object::carries), Some(Carries::Ground));
                    let large =
                        !is_ground && ids.first().is_some_and(|id| self.is_larger(id, owner));
                    let relation = match ids.len() {
                        _ if !large => relation,
                        _ if relation == Relation::NextTo || !company.pattern.is_empty() => {
                            Relation::NextTo
                        }
                        1 => Relation::NextTo,
                        2 => Relation::Flanking,
                        _ => Relation::Around,
                    };
                    vec![related(relation, Some(named(owner)))]
                } else {
                    let whose = |place: &Place| match place.target {
                        None if place.region.is_some_and(Region::is_side) => {
                            Place { target: Some(Box::new(named(owner))), ..place.clone() }
                        }
                        _ => place.clone(),
                    };
                    company.at.iter().map(whose).collect()
                };
                self.context.focus.insert(0, vec![owner.clone()]);
                let ids = self.settle_new(company, ids, &places, &[])?;
                self.add_company(company, &ids)?;
            }
        }
        Ok(())
    }

    /// Whether a thing is too wide or too high to stand on the other: chairs with a table.
    fn is_larger(&self, one: &str, other: &str) -> bool {
        let state = self.state();
        let world = state.world();
        match (world.find(one), world.find(other)) {
            (Some(one), Some(other)) => {
                let width = |thing: &crate::resolve::Thing| {
                    let size = thing.extent.size();
                    size.x.max(size.z)
                };
                let height = |thing: &crate::resolve::Thing| thing.extent.size().y;
                width(one) > width(other) || height(one) > height(other)
            }
            _ => false,
        }
    }

    /// "give the snowman a red hat": a part it has is painted, another thing is put on it.
    pub(crate) fn furnish(&mut self, frame: &Frame) -> Done {
        let targets = self.theme(frame)?;
        for phrase in &frame.with {
            let part = Phrase {
                part_of: Some(Box::new(Phrase {
                    plural: true,
                    ..Phrase::of(Head::These(targets.clone()))
                })),
                qualities: Vec::new(),
                count: None,
                plural: true,
                ..phrase.clone()
            };
            // "give it a ball": what only has that form is no part called so.
            let of_form = matches!(phrase.head, Head::Shape { .. });
            if !of_form
                && !phrase.qualities.is_empty()
                && let Ok(parts) = self.find(&part)
            {
                self.change_all(&parts, &phrase.qualities)?;
                self.focus = parts;
                continue;
            }
            for target in targets.iter().take(20) {
                let made = self.make(phrase)?;
                let places = if phrase.at.is_empty() {
                    vec![related(Relation::On, Some(named(target)))]
                } else {
                    phrase.at.clone()
                };
                let made = self.settle_new(phrase, made, &places, &[])?;
                self.made.extend(made.iter().cloned());
                self.focus = made;
            }
        }
        Ok(())
    }

    /// Whether "lamp" means the piece of furniture and not a light alone.
    pub(crate) fn is_lamp(&self, phrase: &Phrase) -> bool {
        let hangs = |place: &Place| place.relation == Some(Relation::Above);
        // "three lamps above the table" are pieces of furniture.
        matches!(phrase.head, Head::Light("lamp"))
            && (phrase.plural || !phrase.at.iter().any(hangs))
            && phrase.qualities.iter().all(|quality| !matches!(quality, Quality::Tone(_)))
    }
}

/// A description of a thing by its id.
pub(crate) fn named(id: &str) -> Phrase {
    let word = crate::tokens::words_of(id).join(" ");
    let phrase = Phrase::of(Head::These(vec![id.to_owned()]));
    Phrase { determiner: Some(crate::frames::Determiner::Definite), word, ..phrase }
}

/// The height that words of size and measures come to; `None` where nothing was said.
fn height(object: &Object, qualities: &[Quality]) -> Option<f64> {
    let natural = object.natural().size;
    let [width, tall, depth] = natural;
    let longest = width.max(tall).max(depth);
    let mut height = None;
    for quality in qualities {
        match quality {
            Quality::Size { factor, .. } if *factor != 1.0 => {
                height = Some(height.unwrap_or(tall) * factor);
            }
            Quality::Measured { dimension, amount } => {
                let Some(metres) = amount.metres().filter(|metres| *metres > 0.0) else { continue };
                let own = match dimension {
                    Dimension::Height => tall,
                    Dimension::Width | Dimension::Diameter => width,
                    Dimension::Depth => depth,
                    Dimension::Radius => 0.5 * width,
                    Dimension::Thickness => continue,
                    Dimension::Length => width.max(depth),
                    _ => longest,
                };
                // What is said of the height counts most.
                if height.is_none() || *dimension == Dimension::Height {
                    height = Some(tall * metres / own.max(1e-6));
                }
            }
            Quality::Measures([x, y, _]) => {
                height = Some(if *y > 0.0 { *y } else { tall * x / width.max(1e-6) });
            }
            _ => {}
        }
    }
    height.map(|height| height.clamp(1e-3, 5e3))
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
