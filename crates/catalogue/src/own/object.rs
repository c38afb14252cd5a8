//! What an object of the user's own is.

use std::collections::BTreeSet;

use scene::{AssetName, Id, MAX_COORDINATE, Material, Scene, Violations};

use super::about::About;
use crate::info::OptionInfo;
use crate::object::LIGHT_OPTION;

/// The most shapes and lights of one object together.
pub const MAX_OWN_SHAPES: usize = 2_000;

/// The longest name of a part, so that the name of the object fits before it.
const MAX_PART_CHARS: usize = 60;

/// An object of the user's own, checked. Its shapes stand on y = 0 around the origin and face +z; the
/// meshes and pictures they name are not in it.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnObject {
    pub(super) about: About,
    /// Its name, then its words.
    pub(super) names: Vec<String>,
    /// Its width, height and depth in metres.
    pub(super) size: [f64; 3],
    /// Its shapes, lights and the groups inside it. Ids are the names of its parts.
    pub(super) parts: Scene,
}

impl OwnObject {
    /// An object of `parts`: the shapes, lights and groups of a scene that stand on y = 0 around the
    /// origin and face +z. `size` is what they measure, in metres. Names of shared materials are dropped:
    /// in another scene the same name may mean another material.
    ///
    /// # Errors
    /// All rules that it violates.
    pub fn new(about: About, mut parts: Scene, size: [f64; 3]) -> Result<Self, Violations> {
        for shape in &mut parts.shapes {
            if shape.material_name.is_some() {
                std::sync::Arc::make_mut(shape).material_name = None;
            }
        }
        let about = about.checked();
        let content = check_parts(&parts, size);
        let violations =
            Violations::joined(about.as_ref().err().cloned().into_iter().chain(content.err()));
        match (violations, about) {
            (None, Ok(about)) => {
                let names = names_of(&about);
                Ok(Self { about, names, size, parts })
            }
            (Some(violations), _) | (None, Err(violations)) => Err(violations),
        }
    }

    /// The same object under other names.
    ///
    /// # Errors
    /// All rules that they violate.
    pub fn with_about(&self, about: About) -> Result<Self, Violations> {
        let about = about.checked()?;
        let names = names_of(&about);
        Ok(Self { about, names, ..self.clone() })
    }

    /// Its names, category and note.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.about.name
    }

    /// Its name, then the other words it is found by.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Its natural width, height and depth in metres.
    pub fn size(&self) -> [f64; 3] {
        self.size
    }

    /// Its shapes, lights and the groups inside it.
    pub fn parts(&self) -> &Scene {
        &self.parts
    }

    /// The number of its shapes.
    pub fn shapes(&self) -> usize {
        self.parts.shapes.len()
    }

    /// The meshes and pictures it is made of.
    pub fn asset_names(&self) -> BTreeSet<&AssetName> {
        self.parts.asset_names()
    }

    /// The names of what can be recoloured: `body`, which is most of it, then groups inside it and shapes.
    pub fn part_names(&self) -> Vec<&str> {
        let groups: BTreeSet<&str> = self.parts.group_ids().collect();
        let shapes = self.parts.shapes.iter().map(|shape| shape.id.as_str());
        let mut names = vec![BODY];
        for name in groups.into_iter().chain(shapes) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// What may be left out: the light of what shines.
    pub fn option_infos(&self) -> Vec<OptionInfo<'static>> {
        let is_lit = !self.parts.lights.is_empty()
            || self.parts.shapes.iter().any(|shape| shines(&shape.material));
        let light = OptionInfo { name: LIGHT_OPTION, usual: true };
        is_lit.then_some(light).into_iter().collect()
    }

    /// The groups that something belongs to, from the innermost out.
    pub(super) fn groups_of<'a>(&'a self, group: Option<&'a Id>) -> Vec<&'a str> {
        let mut groups: Vec<&str> = group.map(Id::as_str).into_iter().collect();
        // A checked document has no circles among its groups.
        while let Some(last) = groups.last()
            && let Some(listed) = self.parts.groups.iter().find(|it| it.id.as_str() == *last)
            && let Some(parent) = &listed.parent
        {
            groups.push(parent.as_str());
        }
        groups
    }
}

/// The name for most of an object, as with the built-in ones.
pub(super) const BODY: &str = "body";

pub(super) fn shines(material: &Material) -> bool {
    matches!(material.main_part(), Material::Emissive(_))
}

fn names_of(about: &About) -> Vec<String> {
    std::iter::once(&about.name).chain(&about.words).cloned().collect()
}

/// Whether these parts make an object.
fn check_parts(parts: &Scene, size: [f64; 3]) -> Result<(), Violations> {
    let mut errors: Vec<String> =
        parts.check().err().map(|it| it.to_string()).into_iter().collect();
    let count = parts.shapes.len() + parts.lights.len();
    if parts.shapes.is_empty() {
        errors.push("'shapes' must have at least one shape".to_owned());
    }
    if count > MAX_OWN_SHAPES {
        errors.push(format!(
            "an object may have at most {MAX_OWN_SHAPES} shapes and lights, and this has {count}; save fewer, \
             or a mesh"
        ));
    }
    let shapes = parts.shapes.iter().map(|shape| shape.id.as_str());
    let lights = parts.lights.iter().map(|light| light.id.as_str());
    let ids = shapes.chain(lights).chain(parts.group_ids());
    if let Some(long) = ids.into_iter().find(|id| id.chars().count() > MAX_PART_CHARS) {
        errors.push(format!(
            "the name of the part '{long}' may have at most {MAX_PART_CHARS} characters; rename it"
        ));
    }
    // What is flat has no height, and nothing has less than nothing.
    let is_length = |side: &f64| side.is_finite() && (0.0..=2.0 * MAX_COORDINATE).contains(side);
    if !size.iter().all(is_length) || size.iter().all(|side| *side <= 0.0) {
        errors.push("'size' must be [width, height, depth] in meters, none below 0".to_owned());
    }
    Violations::joined(errors.into_iter().map(Violations::one)).map_or(Ok(()), Err)
}
