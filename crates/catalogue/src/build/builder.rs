//! From the parts of a file to placed shapes.

use std::collections::BTreeSet;

use glam::DVec3;
use scene::Motion;

use super::bounds::Bounds;
use super::built_shape::{BuiltShape, bounds_of, moved};
use super::copies::{copies, images, mirrored, scattered, whole};
use super::palette::Palette;
use super::placement::{PlacedParts, placed};
use super::primitives::geometry_of;
use super::random::Random;
use crate::error::CatalogueError;
use crate::files::{ObjectFile, Part, Scatter};
use crate::library::Library;

/// How deep objects may be nested in each other; a file that uses itself ends here.
const MAX_DEPTH: usize = 6;

/// Builds the parts of one file.
#[derive(Debug, Clone)]
pub(crate) struct Builder<'a> {
    pub(crate) library: &'a Library,
    pub(crate) palette: Palette,
    /// The options of the file that are there.
    pub(crate) options: BTreeSet<String>,
    /// The adjectives of the scene, for the file and for what it uses: snow lies on everything.
    pub(crate) adjectives: BTreeSet<String>,
    /// Colours for objects whose paint is not given: "colourful".
    pub(crate) bodies: Vec<DVec3>,
    /// The number of copies of a part, or of the parts of an option, that was asked for.
    pub(crate) counts: Vec<(String, usize)>,
    pub(crate) depth: usize,
}

impl Builder<'_> {
    /// Builds the parts of an object.
    pub(crate) fn shapes(
        &self,
        parts: &[Part],
        random: &Random,
    ) -> Result<Vec<BuiltShape>, CatalogueError> {
        Ok(self.placed_parts(parts, random, false)?.0)
    }

    /// Builds `parts` and returns their places as well; in a scene each part made of several shapes is
    /// a group.
    pub(crate) fn placed_parts(
        &self,
        parts: &[Part],
        random: &Random,
        is_scene: bool,
    ) -> Result<(Vec<BuiltShape>, PlacedParts), CatalogueError> {
        let mut done = Vec::new();
        let mut places = PlacedParts::default();
        for part in parts.iter().filter(|part| self.is_there(part)) {
            let units = self.units(part, &places, random, &done).map_err(|error| {
                CatalogueError::Part { name: part.name.clone(), error: error.into() }
            })?;
            for (name, mut shapes) in units {
                places.add(&part.name, &shapes);
                let is_group = is_scene && (part.parts.is_some() || part.uses.is_some());
                for shape in &mut shapes {
                    shape.group = is_group.then(|| name.clone());
                    shape.backdrop |= part.backdrop;
                    shape.floats |= part.floats;
                }
                done.extend(shapes);
            }
        }
        Ok((done, places))
    }

    fn is_there(&self, part: &Part) -> bool {
        self.holds(part.only_if.as_deref(), part.unless.as_deref())
    }

    /// Whether something with these conditions, each an option or an adjective, is there.
    pub(crate) fn holds(&self, only_if: Option<&str>, unless: Option<&str>) -> bool {
        let holds = |word: &str| self.options.contains(word) || self.adjectives.contains(word);
        only_if.is_none_or(holds) && !unless.is_some_and(holds)
    }

    /// All copies and mirror images of a part in their places, each with its name.
    fn units(
        &self,
        part: &Part,
        places: &PlacedParts,
        random: &Random,
        done: &[BuiltShape],
    ) -> Result<Vec<(String, Vec<BuiltShape>)>, CatalogueError> {
        let random = random.branch(&part.name, 0);
        if let Some(scatter) = &part.scatter {
            return self.scattered_copies(part, scatter, places, &random, done);
        }
        let count = self
            .counts
            .iter()
            .find(|(name, _)| part.name == *name || part.only_if.as_deref() == Some(name.as_str()));
        let count = count.map(|(_, count)| *count);
        let motions = copies(part, count, &mut random.branch("copies", 0));
        let many = motions.len() > 1;
        let mut units = Vec::new();
        for (at, motion) in motions.iter().enumerate() {
            let mut random = random.branch("copy", at);
            let shapes = self.shapes_of(part, places, &mut random)?;
            let shapes = placed(part, shapes, places, &mut random)?;
            let number = if many { format!("_{}", at + 1) } else { String::new() };
            for (suffix, axes) in images(part.mirror) {
                let motion = match axes.as_deref().and_then(mirrored) {
                    Some(mirror) => motion.then(mirror),
                    None => *motion,
                };
                let name = format!("{}{number}{suffix}", part.name);
                units.push((name.clone(), renamed(moved(&shapes, &motion)?, &part.name, &name)));
            }
        }
        Ok(units)
    }

    fn scattered_copies(
        &self,
        part: &Part,
        scatter: &Scatter,
        places: &PlacedParts,
        random: &Random,
        done: &[BuiltShape],
    ) -> Result<Vec<(String, Vec<BuiltShape>)>, CatalogueError> {
        let count = whole(scatter.count.sample(&mut random.branch("copies", 0)));
        // Things stand on what is flat.
        let flat = |bounds: &Bounds| bounds.size().y < 1e-6;
        let mut taken: Vec<Bounds> =
            done.iter().map(BuiltShape::bounds).filter(|bounds| !flat(bounds)).collect();
        let mut units = Vec::new();
        for at in 0..count {
            let mut random = random.branch("copy", at);
            let shapes = self.shapes_of(part, places, &mut random)?;
            let mut shapes = placed(part, shapes, places, &mut random)?;
            if scatter.turned {
                let degrees = [0.0, random.between(0.0, 360.0), 0.0];
                shapes = moved(&shapes, &Motion::turn(degrees, [0.0; 3]))?;
            }
            let Some(own) = bounds_of(&shapes) else { continue };
            let Some(by) = scattered(scatter, own, &taken, &mut random) else { continue };
            taken.push(own.moved(by));
            let name = format!("{}_{}", part.name, units.len() + 1);
            let shapes = moved(&shapes, &Motion::shift(by.to_array()))?;
            units.push((name.clone(), renamed(shapes, &part.name, &name)));
        }
        Ok(units)
    }

    /// The shapes of one copy of a part, at the origin. Their names begin with the name of the part.
    fn shapes_of(
        &self,
        part: &Part,
        places: &PlacedParts,
        random: &mut Random,
    ) -> Result<Vec<BuiltShape>, CatalogueError> {
        let ends = places.ends(part, random)?;
        if let Some(geometry) = geometry_of(part, ends, random)? {
            let role = part.role.as_deref().unwrap_or("body");
            let material = self.palette.material(role, random)?;
            let name = part.name.clone();
            return Ok(vec![BuiltShape {
                name,
                group: None,
                geometry,
                material,
                backdrop: false,
                floats: false,
            }]);
        }
        let inner = match (&part.parts, &part.uses) {
            (Some(parts), _) => self.shapes(parts, random)?,
            (None, Some(name)) => {
                let file = self.library.object(name);
                let file = file.ok_or_else(|| CatalogueError::Reference(name.clone()))?;
                self.nested(part, file, random)?
            }
            (None, None) => return Err(CatalogueError::Shape("it has no form".to_owned())),
        };
        let within = |mut shape: BuiltShape| {
            shape.name = format!("{}_{}", part.name, shape.name);
            shape
        };
        Ok(inner.into_iter().map(within).collect())
    }

    /// Another object as a part.
    fn nested(
        &self,
        part: &Part,
        file: &ObjectFile,
        random: &mut Random,
    ) -> Result<Vec<BuiltShape>, CatalogueError> {
        if self.depth >= MAX_DEPTH {
            return Err(CatalogueError::Depth(file.name().to_owned()));
        }
        let mut palette = Palette::new(&file.roles, random, false)?;
        if let (false, false, Some(rgb)) =
            (file.natural, part.roles.contains_key("body"), random.clone().pick(&self.bodies))
            && palette.has("body")
        {
            palette.set_material("body", palette.recoloured("body", *rgb, random)?);
        }
        for (role, paint) in &part.roles {
            palette.set_paint(role, paint, random)?;
        }
        let options = file.chosen(&part.with, &part.without);
        let inner =
            Builder { palette, options, counts: Vec::new(), depth: self.depth + 1, ..self.clone() };
        let shapes = inner.shapes(&file.parts, random)?;
        let height = part.height.map(|height| height.sample(random));
        match (height, bounds_of(&shapes)) {
            (Some(height), Some(bounds)) => {
                let scale = height / bounds.size().y.max(1e-9);
                moved(&shapes, &Motion::scale(scale, [0.0; 3]))
            }
            _ => Ok(shapes),
        }
    }
}

/// The shapes of a copy under its own name.
fn renamed(mut shapes: Vec<BuiltShape>, from: &str, to: &str) -> Vec<BuiltShape> {
    for shape in &mut shapes {
        if let Some(rest) = shape.name.strip_prefix(from) {
            shape.name = format!("{to}{rest}");
        }
    }
    shapes
}
