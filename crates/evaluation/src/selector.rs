//! Selectors of things: `red sphere`, `~table`, `created light`, `biggest box`.

use scene::read::nearest;
use scene::{Geometry, Light};
use spatial::{Object, Space, View};

use crate::colour::ColourTerm;
use crate::moment::Moment;
use crate::name::Name;
use crate::substance::{self, SUBSTANCES};
use crate::thing::{self, Thing};

/// A selector; a thing matches if all terms match.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Selector {
    terms: Vec<Term>,
}

/// The scene to select from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    Before,
    After,
}

#[derive(Debug, Clone, PartialEq)]
enum Term {
    /// A type of shape or light.
    Type(&'static str),
    /// A box of equal edges.
    Cube,
    Shape,
    Light,
    /// A light or an emissive shape.
    Shining,
    /// A group, or a shape without a group.
    Thing,
    Colour(ColourTerm),
    Substance(&'static str),
    /// New since the message.
    Created,
    /// It existed before the message and has changed.
    Changed,
    /// It existed before the message and is unchanged.
    Kept,
    Named(Vec<Name>),
    Id(Vec<String>),
    Most(Superlative),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Superlative {
    Biggest,
    Smallest,
    Tallest,
    Highest,
    Lowest,
    Leftmost,
    Rightmost,
    Nearest,
    Farthest,
}

const SUPERLATIVES: [(&str, Superlative); 9] = [
    ("biggest", Superlative::Biggest),
    ("smallest", Superlative::Smallest),
    ("tallest", Superlative::Tallest),
    ("highest", Superlative::Highest),
    ("lowest", Superlative::Lowest),
    ("leftmost", Superlative::Leftmost),
    ("rightmost", Superlative::Rightmost),
    ("nearest", Superlative::Nearest),
    ("farthest", Superlative::Farthest),
];

const PLAIN: [(&str, Term); 8] = [
    ("cube", Term::Cube),
    ("shape", Term::Shape),
    ("light", Term::Light),
    ("shining", Term::Shining),
    ("thing", Term::Thing),
    ("created", Term::Created),
    ("changed", Term::Changed),
    ("kept", Term::Kept),
];

/// The minimum share of a thing's surface that gives it a colour or a material.
const ENOUGH: f64 = 0.3;

impl Term {
    fn parse(word: &str) -> Result<Self, String> {
        if let Some(names) = word.strip_prefix('~') {
            let names: Option<Vec<Name>> = names.split('|').map(Name::new).collect();
            return names.map(Self::Named).ok_or_else(|| format!("'{word}' names nothing"));
        }
        if let Some(ids) = word.strip_prefix("id:") {
            return Ok(Self::Id(ids.split('|').map(str::to_owned).collect()));
        }
        let types = || Geometry::TYPES.iter().chain(Light::TYPES).copied();
        if let Some((_, term)) = PLAIN.iter().find(|(name, _)| *name == word) {
            return Ok(term.clone());
        }
        if let Some(known) = types().find(|known| *known == word) {
            return Ok(Self::Type(known));
        }
        if let Some(known) = SUBSTANCES.iter().copied().find(|known| *known == word) {
            return Ok(Self::Substance(known));
        }
        if let Some((_, superlative)) = SUPERLATIVES.iter().find(|(name, _)| *name == word) {
            return Ok(Self::Most(*superlative));
        }
        if let Some(colour) = ColourTerm::parse(word) {
            return Ok(Self::Colour(colour));
        }
        let known =
            PLAIN.iter().map(|(name, _)| *name).chain(types()).chain(SUBSTANCES.iter().copied());
        let known =
            known.chain(SUPERLATIVES.iter().map(|(name, _)| *name)).chain(ColourTerm::words());
        let near = nearest(word, known);
        Err(format!(
            "'{word}' describes nothing; did you mean '{near}', or '~{word}' for things called so?"
        ))
    }

    fn fits(&self, thing: &Thing, at: When, moment: &Moment<'_>, space: &Space<'_>) -> bool {
        let all = |is_so: &dyn Fn(&spatial::Body<'_>) -> bool| thing.bodies(space).all(is_so);
        let any = |is_so: &dyn Fn(&spatial::Body<'_>) -> bool| thing.bodies(space).any(is_so);
        let is_light = |body: &spatial::Body<'_>| body.shape().is_none();
        match self {
            // A rounded box is a box.
            Self::Type("box") => any(&|body| type_name(body).ends_with("box")),
            Self::Type(name) => any(&|body| type_name(body) == *name),
            Self::Cube => any(&is_cube),
            Self::Shape => any(&|body| !is_light(body)),
            Self::Light => any(&is_light),
            Self::Shining => any(&|body| {
                body.shape().is_none_or(|shape| substance::is_of(&shape.material, "glowing"))
            }),
            // Handled by the selection.
            Self::Thing | Self::Named(_) | Self::Id(_) | Self::Most(_) => true,
            Self::Colour(colour) if all(&is_light) => {
                thing.colour(space).is_some_and(|light| colour.fits(light))
            }
            Self::Colour(colour) => {
                let part = |shape: &scene::Shape| {
                    let own = substance::colours_of(shape);
                    let fitting = own.iter().filter(|own| colour.fits(**own)).count();
                    fitting as f64 / own.len().max(1) as f64
                };
                thing.share(space, part) >= ENOUGH
            }
            Self::Substance(word) => {
                let part =
                    |shape: &scene::Shape| f64::from(substance::is_of(&shape.material, word));
                thing.share(space, part) >= ENOUGH
            }
            Self::Created => {
                at == When::After && all(&|body| moment.before.place_of(body.id).is_none())
            }
            Self::Changed => {
                let is_old = any(&|body| moment.before.place_of(body.id).is_some());
                at == When::After && is_old && any(&|body| !is_kept(body, moment))
            }
            Self::Kept => at == When::After && all(&|body| is_kept(body, moment)),
        }
    }
}

/// Whether the body existed before the message, unchanged.
fn is_kept(body: &spatial::Body<'_>, moment: &Moment<'_>) -> bool {
    let Some(at) = moment.before.place_of(body.id) else { return false };
    match (moment.before.bodies()[at].object, body.object) {
        (Object::Shape(old), Object::Shape(new)) => old == new,
        (Object::Light(old), Object::Light(new)) => old == new,
        _ => false,
    }
}

fn type_name(body: &spatial::Body<'_>) -> &'static str {
    match body.object {
        Object::Shape(shape) => shape.geometry.type_name(),
        Object::Light(light) => light.light.type_name(),
    }
}

fn is_cube(body: &spatial::Body<'_>) -> bool {
    let edges = match body.shape().map(|shape| &shape.geometry) {
        Some(Geometry::Box(cuboid)) => cuboid.dimensions.get(),
        Some(Geometry::RoundedBox(cuboid)) => cuboid.dimensions.get(),
        _ => return false,
    };
    let most = edges.iter().copied().fold(0.0, f64::max);
    edges.iter().all(|edge| *edge >= 0.95 * most)
}

impl Selector {
    /// Parses `words`, at least one.
    pub(crate) fn parse(words: &[&str]) -> Result<Self, String> {
        if words.is_empty() {
            return Err("it does not say of what, e.g. 'red sphere', '~table', 'thing'".into());
        }
        let terms: Result<Vec<Term>, String> = words.iter().map(|word| Term::parse(word)).collect();
        Ok(Self { terms: terms? })
    }

    /// The matching things of the scene before or after the message.
    pub(crate) fn select(&self, moment: &Moment<'_>, at: When) -> Vec<Thing> {
        let space = match at {
            When::Before => &moment.before,
            When::After => &moment.after,
        };
        let mut things = self.candidates(space);
        things.retain(|thing| self.terms.iter().all(|term| term.fits(thing, at, moment, space)));
        for term in &self.terms {
            if let Term::Most(superlative) = term {
                things = superlative.of(things, &View::of(&space.scene.camera));
            }
        }
        things
    }

    /// Whether a thing of the scene after the message matches.
    pub(crate) fn fits(&self, thing: &Thing, moment: &Moment<'_>) -> bool {
        self.terms.iter().all(|term| match term {
            Term::Named(_) | Term::Id(_) => {
                self.candidates(&moment.after).iter().any(|one| one.members == thing.members)
            }
            term => term.fits(thing, When::After, moment, &moment.after),
        })
    }

    /// What the terms choose from.
    fn candidates(&self, space: &Space<'_>) -> Vec<Thing> {
        for term in &self.terms {
            match term {
                Term::Named(names) => return thing::named(space, names),
                Term::Id(ids) => {
                    return ids.iter().filter_map(|id| Thing::of_id(space, id)).collect();
                }
                _ => {}
            }
        }
        let is_type = |types: &[&str]| {
            self.terms.iter().any(|term| matches!(term, Term::Type(name) if types.contains(name)))
        };
        if self.terms.contains(&Term::Light) || is_type(Light::TYPES) {
            thing::lights(space)
        } else if self.terms.contains(&Term::Shining) {
            let mut things = thing::shapes(space);
            things.extend(thing::lights(space));
            things
        } else if is_type(Geometry::TYPES)
            || [Term::Cube, Term::Shape].iter().any(|term| self.terms.contains(term))
        {
            thing::shapes(space)
        } else {
            thing::whole_things(space)
        }
    }
}

impl Superlative {
    fn of(self, things: Vec<Thing>, view: &View) -> Vec<Thing> {
        let measure = |thing: &Thing| {
            let (extent, center) = (thing.extent(), thing.center());
            let size = extent.size();
            match self {
                Self::Biggest => size.x * size.y * size.z + 1e-3 * size.max_element(),
                Self::Smallest => -(size.x * size.y * size.z + 1e-3 * size.max_element()),
                Self::Tallest => size.y,
                Self::Highest => center.y,
                Self::Lowest => -center.y,
                Self::Leftmost => -center.dot(view.right()),
                Self::Rightmost => center.dot(view.right()),
                Self::Nearest => -(center - view.center()).length(),
                Self::Farthest => (center - view.center()).length(),
            }
        };
        things
            .into_iter()
            .max_by(|one, other| measure(one).total_cmp(&measure(other)))
            .into_iter()
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use scene::{NoAssets, Scene};
    use serde_json::json;

    use super::*;

    fn select(words: &str) -> Vec<String> {
        let scene = |extra: serde_json::Value| {
            let mut shapes = vec![
                json!({ "id": "floor", "type": "quad", "properties": { "corner": [-9, 0, 9], "u": [18, 0, 0], "v": [0, 0, -18] } }),
                json!({ "id": "ball", "type": "sphere", "properties": { "center": [-2, 1, 0], "radius": 1,
                    "material": { "type": "lambertian", "albedo": [0.8, 0.1, 0.1] } } }),
                json!({ "id": "crate", "type": "box", "properties": { "center": [2, 0.5, 0], "dimensions": [1, 1, 1], "material": "gold" } }),
            ];
            shapes.extend(extra.as_array().cloned().unwrap_or_default());
            Scene::from_json(&json!({ "version": 1, "shapes": shapes, "lights": [{ "id": "sun", "type": "point_spot_light",
                "properties": { "center": [0, 9, 0], "emission": [9, 6, 3] } }] }))
            .unwrap()
        };
        let before = scene(json!([]));
        let after = scene(
            json!([{ "id": "pearl", "type": "sphere", "properties": { "center": [4, 0.2, 0], "radius": 0.2 } }]),
        );
        let moment = Moment::new(&before, &after, None, "", &NoAssets);
        let words: Vec<&str> = words.split(' ').collect();
        let things = Selector::parse(&words).unwrap().select(&moment, When::After);
        things.into_iter().map(|thing| thing.name).collect()
    }

    #[test]
    fn descriptions_find_what_they_describe() {
        for (words, names) in [
            ("sphere", &["ball", "pearl"][..]),
            ("red sphere", &["ball"]),
            ("red", &["ball"]),
            ("gold metal cube", &["crate"]),
            ("~ball|crate", &["ball", "crate"]),
            ("id:floor", &["floor"]),
            ("created", &["pearl"]),
            ("kept sphere", &["ball"]),
            ("biggest sphere", &["ball"]),
            ("rightmost shape", &["pearl"]),
            ("light", &["sun"]),
            ("warm light", &["sun"]),
            ("point_spot_light", &["sun"]),
            ("shining", &["sun"]),
            ("blue sphere", &[]),
            ("~table", &[]),
        ] {
            assert_eq!(select(words), names, "{words}");
        }
    }

    #[test]
    fn unknown_words_are_told_with_a_way_out() {
        let error = Selector::parse(&["spere"]).unwrap_err();
        assert!(error.contains("'sphere'") && error.contains("'~spere'"), "{error}");
    }
}
