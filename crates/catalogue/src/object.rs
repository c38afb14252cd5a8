//! One object, and the parameters it is built with.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use glam::DVec3;
use scene::{Material, Motion, Shape};

use crate::build::{Builder, BuiltShape, Palette, Random, bounds_of, moved, recoloured};
use crate::error::CatalogueError;
use crate::files::{Carries, ObjectFile};
use crate::library::Library;

/// An everyday object.
#[derive(Debug)]
pub struct Object {
    file: &'static ObjectFile,
    library: &'static Library,
    /// Computed when first asked for: it takes building the object.
    natural: OnceLock<Natural>,
}

/// An object as it usually is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Natural {
    /// Its width, height and depth in metres.
    pub size: [f64; 3],
    /// The number of its shapes.
    pub shapes: usize,
    /// Whether a part of it shines.
    pub shines: bool,
}

/// The option of every object that shines; `false` turns its light off.
pub(crate) const LIGHT_OPTION: &str = "light";

/// The size of an object. Its proportions stay.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ObjectSize {
    /// A factor of its natural size.
    Factor(f64),
    /// Its height, in metres.
    Height(f64),
    /// Its width (along x), in metres.
    Width(f64),
    /// Its depth (along z), in metres.
    Depth(f64),
    /// Its longest edge, in metres.
    Longest(f64),
}

/// What a role or a part is painted with.
#[derive(Debug, Clone, PartialEq)]
pub enum PartPaint {
    /// This material.
    Material(Box<Material>),
    /// Its usual material in this colour, linear sRGB.
    Colour([f64; 3]),
}

impl PartPaint {
    /// The material in place of the usual one.
    pub(crate) fn over(&self, usual: &Material) -> Result<Material, CatalogueError> {
        match self {
            Self::Material(material) => Ok((**material).clone()),
            Self::Colour(rgb) => recoloured(usual, (*rgb).into()),
        }
    }
}

/// The parameters of an object; [`Default`] is the object as it usually looks.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectParameters {
    /// Its size.
    pub size: ObjectSize,
    /// Linear sRGB: the first colours its body, the second its accents.
    pub colours: Vec<[f64; 3]>,
    /// The material of its body; takes precedence over `colours`.
    pub material: Option<Material>,
    /// What roles and parts are painted with by name; takes precedence over everything else.
    pub materials: Vec<(String, PartPaint)>,
    /// The seed of its variant; 0 is what it usually looks like.
    pub seed: u64,
    /// Its rotation about y, in degrees; at 0 it faces +z.
    pub turn_degrees: f64,
    /// Options it has: "a chess board with pieces".
    pub with: Vec<String>,
    /// Options it does not have: "a snowman without a hat".
    pub without: Vec<String>,
    /// The number of copies of an option or a part: "a cake with three candles".
    pub counts: Vec<(String, usize)>,
}

impl Default for ObjectParameters {
    fn default() -> Self {
        Self {
            size: ObjectSize::Factor(1.0),
            colours: Vec::new(),
            material: None,
            materials: Vec::new(),
            seed: 0,
            turn_degrees: 0.0,
            with: Vec::new(),
            without: Vec::new(),
            counts: Vec::new(),
        }
    }
}

impl Object {
    pub(crate) fn new(file: &'static ObjectFile, library: &'static Library) -> Self {
        Self { file, library, natural: OnceLock::new() }
    }

    /// Its size and the like when nothing is asked for.
    pub fn natural(&self) -> Natural {
        *self.natural.get_or_init(|| {
            let shapes = self.shapes(&ObjectParameters::default()).unwrap_or_default();
            let size = bounds_of(&shapes).map_or(DVec3::ZERO, |bounds| bounds.size());
            let shines = shapes.iter().any(BuiltShape::shines);
            Natural { size: size.to_array(), shapes: shapes.len(), shines }
        })
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        self.file.name()
    }

    /// Its names: [`name`](Self::name), then its synonyms.
    pub fn names(&self) -> &[String] {
        &self.file.names
    }

    /// Whether it is at home under the sky, on grass: a tree, a house, a sheep.
    pub fn is_outdoors(&self) -> bool {
        self.file.outdoors
    }

    /// Where it carries the small things that come with it, if it does.
    pub fn carries(&self) -> Option<Carries> {
        self.file.carries
    }

    /// The parts that may be left out or added, by the name of the option, with its synonyms.
    pub fn options(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.file.options.iter().map(|(name, option)| (name.as_str(), option.words.as_slice()))
    }

    /// Whether an option is there when nothing is asked for.
    pub(crate) fn is_usual(&self, option: &str) -> bool {
        self.file.options.get(option).is_some_and(|option| option.usual)
    }

    /// The names of what it is painted with: `body`, `accent` and others of its own.
    pub fn roles(&self) -> impl Iterator<Item = &str> {
        self.file.roles.keys().map(String::as_str)
    }

    /// The option a word names, e.g. "hat" for "hat" or "top hat".
    pub fn option(&self, word: &str) -> Option<&str> {
        let exact = |(name, words): &(&str, &[String])| {
            *name == word || words.iter().any(|known| known == word)
        };
        let similar = |(name, words): &(&str, &[String])| {
            self.library.part_words.names(name, word)
                || words.iter().any(|known| self.library.part_words.names(known, word))
        };
        self.options().find(exact).or_else(|| self.options().find(similar)).map(|(name, _)| name)
    }

    /// The names of its parts, nested parts included, without those of other objects it is made of.
    pub fn part_names(&self) -> impl Iterator<Item = &str> {
        self.file.part_names().into_iter()
    }

    /// Whether a noun names one of its parts.
    pub fn has_part(&self, noun: &str) -> bool {
        let named =
            |name: &str| name.split('_').any(|word| self.library.part_words.names(word, noun));
        self.part_names().any(named)
    }

    /// Whether a shape of it, by the rest of its id, belongs to a part that is painted as its body.
    pub fn is_body(&self, shape: &str) -> bool {
        let parts = self.file.parts.iter().filter(|part| shape.starts_with(&part.name));
        parts
            .max_by_key(|part| part.name.len())
            .is_some_and(|part| part.role.as_deref().unwrap_or("body") == "body")
    }

    /// The material of its body as it usually looks; `None` for what has no body to paint.
    pub fn body_material(&self) -> Option<Material> {
        let random = self.random(0);
        let palette = self.palette(&ObjectParameters::default(), &random).ok()?;
        palette.material("body", &mut random.branch("body", 0)).ok()
    }

    /// Its shapes, standing on y = 0 around the origin. Each has the group `group` and an id that
    /// begins with it: `snowman_hat_brim`.
    ///
    /// # Errors
    /// A size out of the range of the document, or a group that cannot be an id.
    pub fn build(
        &self,
        group: &str,
        parameters: &ObjectParameters,
    ) -> Result<Vec<Shape>, CatalogueError> {
        let shapes = self.shapes(parameters)?;
        let named =
            |shape: &BuiltShape| shape.shape(&format!("{group}_{}", shape.name), Some(group));
        shapes.iter().map(named).collect()
    }

    fn shapes(&self, parameters: &ObjectParameters) -> Result<Vec<BuiltShape>, CatalogueError> {
        let random = self.random(parameters.seed);
        let builder = Builder {
            library: self.library,
            palette: self.palette(parameters, &random)?,
            options: self.file.chosen(&parameters.with, &parameters.without),
            adjectives: BTreeSet::new(),
            bodies: Vec::new(),
            counts: parameters.counts.clone(),
            depth: 0,
        };
        let mut shapes = builder.shapes(&self.file.parts, &random)?;
        self.paint_parts(&mut shapes, &parameters.materials)?;
        let own_light = self.file.options.contains_key(LIGHT_OPTION);
        if !own_light && parameters.without.iter().any(|option| option == LIGHT_OPTION) {
            shapes.iter_mut().for_each(BuiltShape::turn_off);
        }
        let Some(bounds) = bounds_of(&shapes) else { return Ok(shapes) };
        let size = bounds.size().max(DVec3::splat(1e-9));
        let scale = match parameters.size {
            ObjectSize::Factor(factor) => factor,
            ObjectSize::Height(metres) => metres / size.y,
            ObjectSize::Width(metres) => metres / size.x,
            ObjectSize::Depth(metres) => metres / size.z,
            ObjectSize::Longest(metres) => metres / size.max_element(),
        };
        // Its lowest part stands on the ground.
        let down = Motion::shift([0.0, -bounds.min.y, 0.0]);
        let turn = Motion::turn([0.0, parameters.turn_degrees, 0.0], [0.0; 3]);
        moved(&shapes, &down.then(Motion::scale(scale, [0.0; 3])).then(turn))
    }

    /// Paints the parts that are no roles. A part's name paints the copies of the part as well.
    fn paint_parts(
        &self,
        shapes: &mut [BuiltShape],
        materials: &[(String, PartPaint)],
    ) -> Result<(), CatalogueError> {
        for (name, paint) in materials.iter().filter(|(name, _)| !self.has_role(name)) {
            let mut painted = false;
            for shape in shapes.iter_mut().filter(|shape| shape.is_part(name)) {
                shape.material = paint.over(&shape.material)?;
                painted = true;
            }
            if !painted {
                let known: BTreeSet<&str> = self.roles().chain(self.part_names()).collect();
                let known: Vec<&str> = known.into_iter().collect();
                return Err(CatalogueError::UnknownPart {
                    object: self.name().to_owned(),
                    part: name.clone(),
                    known: known.join(", "),
                });
            }
        }
        Ok(())
    }

    fn has_role(&self, name: &str) -> bool {
        self.file.roles.contains_key(name)
    }

    fn random(&self, seed: u64) -> Random {
        Random::new(seed).branch(self.name(), 0)
    }

    fn palette(
        &self,
        parameters: &ObjectParameters,
        random: &Random,
    ) -> Result<Palette, CatalogueError> {
        let mut palette = Palette::new(&self.file.roles, random, parameters.seed == 0)?;
        for (role, rgb) in ["body", "accent"].into_iter().zip(&parameters.colours) {
            if palette.has(role) {
                let random = &mut random.branch(role, 0);
                let material = palette.recoloured(role, (*rgb).into(), random)?;
                palette.set_material(role, material);
            }
        }
        if let Some(material) = &parameters.material {
            palette.set_material("body", material.clone());
        }
        for (role, paint) in parameters.materials.iter().filter(|(name, _)| self.has_role(name)) {
            let usual = palette.material(role, &mut random.branch(role, 0))?;
            palette.set_material(role, paint.over(&usual)?);
        }
        Ok(palette)
    }
}
