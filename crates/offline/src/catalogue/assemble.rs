//! From the parts of a file to shapes in their places.

use std::collections::BTreeSet;

use glam::DVec3;
use scene::Motion;

use super::copies::{copies, images, mirrored, thrown, whole};
use super::draw::Draw;
use super::form::shape_of;
use super::paint::Palette;
use super::piece::{Piece, bounds_of, moved};
use super::recipe::{Part, Recipe, Scatter};
use super::spot::{Neighbours, placed};
use super::{Catalogue, CatalogueFault};
use crate::world::Bounds;

/// How deep objects may be built of objects; a file that uses itself ends here.
const DEEPEST: usize = 6;

/// What the parts of one file are built with.
#[derive(Debug, Clone)]
pub(super) struct Workshop<'a> {
    pub(super) catalogue: &'a Catalogue,
    pub(super) palette: Palette,
    /// Options of the file that hold.
    pub(super) options: BTreeSet<String>,
    /// Adjectives that hold, for the file and for what it uses: snow lies on everything.
    pub(super) adjectives: BTreeSet<String>,
    /// Colours that objects are given where nothing is said: "colourful".
    pub(super) bodies: Vec<DVec3>,
    /// How many copies of a part, or of the parts of an option, were wished for.
    pub(super) counts: Vec<(String, usize)>,
    pub(super) depth: usize,
}

impl Workshop<'_> {
    /// Builds the parts of an object.
    pub(super) fn assemble(
        &self,
        parts: &[Part],
        draw: &Draw,
    ) -> Result<Vec<Piece>, CatalogueFault> {
        Ok(self.assembled(parts, draw, false)?.0)
    }

    /// Builds `parts` and tells where they are; in a scene each that is made of several pieces is a
    /// group of its own.
    pub(super) fn assembled(
        &self,
        parts: &[Part],
        draw: &Draw,
        is_scene: bool,
    ) -> Result<(Vec<Piece>, Neighbours), CatalogueFault> {
        let mut done = Vec::new();
        let mut neighbours = Neighbours::default();
        for part in parts.iter().filter(|part| self.is_wanted(part)) {
            let units = self.units(part, &neighbours, draw, &done).map_err(|fault| {
                CatalogueFault::Part { name: part.name.clone(), fault: fault.into() }
            })?;
            for (name, mut pieces) in units {
                neighbours.add(&part.name, &pieces);
                let is_group = is_scene && (part.parts.is_some() || part.uses.is_some());
                for piece in &mut pieces {
                    piece.group = is_group.then(|| name.clone());
                    piece.backdrop |= part.backdrop;
                    piece.floats |= part.floats;
                }
                done.extend(pieces);
            }
        }
        Ok((done, neighbours))
    }

    fn is_wanted(&self, part: &Part) -> bool {
        self.holds(part.only_if.as_deref(), part.unless.as_deref())
    }

    /// Whether what asks for one word and against another is wanted.
    pub(super) fn holds(&self, only_if: Option<&str>, unless: Option<&str>) -> bool {
        let holds = |word: &str| self.options.contains(word) || self.adjectives.contains(word);
        only_if.is_none_or(holds) && !unless.is_some_and(holds)
    }

    /// All copies and mirror images of a part, each in its place, with their names.
    fn units(
        &self,
        part: &Part,
        neighbours: &Neighbours,
        draw: &Draw,
        done: &[Piece],
    ) -> Result<Vec<(String, Vec<Piece>)>, CatalogueFault> {
        let draw = draw.branch(&part.name, 0);
        if let Some(scatter) = &part.scatter {
            return self.scattered(part, scatter, neighbours, &draw, done);
        }
        let wished = self
            .counts
            .iter()
            .find(|(name, _)| part.name == *name || part.only_if.as_deref() == Some(name.as_str()));
        let wished = wished.map(|(_, count)| *count);
        let motions = copies(part, wished, &mut draw.branch("copies", 0));
        let many = motions.len() > 1;
        let mut units = Vec::new();
        for (at, motion) in motions.iter().enumerate() {
            let mut draw = draw.branch("copy", at);
            let pieces = self.pieces(part, neighbours, &mut draw)?;
            let pieces = placed(part, pieces, neighbours, &mut draw)?;
            let number = if many { format!("_{}", at + 1) } else { String::new() };
            for (suffix, axes) in images(part.mirror) {
                let motion = match axes.as_deref().and_then(mirrored) {
                    Some(mirror) => motion.then(mirror),
                    None => *motion,
                };
                let name = format!("{}{number}{suffix}", part.name);
                units.push((name.clone(), renamed(moved(&pieces, &motion)?, &part.name, &name)));
            }
        }
        Ok(units)
    }

    fn scattered(
        &self,
        part: &Part,
        scatter: &Scatter,
        neighbours: &Neighbours,
        draw: &Draw,
        done: &[Piece],
    ) -> Result<Vec<(String, Vec<Piece>)>, CatalogueFault> {
        let count = whole(scatter.count.value(&mut draw.branch("copies", 0)));
        // What lies flat is stood upon.
        let flat = |bounds: &Bounds| bounds.size().y < 1e-6;
        let mut taken: Vec<Bounds> =
            done.iter().map(Piece::bounds).filter(|bounds| !flat(bounds)).collect();
        let mut units = Vec::new();
        for at in 0..count {
            let mut draw = draw.branch("copy", at);
            let pieces = self.pieces(part, neighbours, &mut draw)?;
            let mut pieces = placed(part, pieces, neighbours, &mut draw)?;
            if scatter.turned {
                let degrees = [0.0, draw.between(0.0, 360.0), 0.0];
                pieces = moved(&pieces, &Motion::turn(degrees, [0.0; 3]))?;
            }
            let Some(own) = bounds_of(&pieces) else { continue };
            let Some(by) = thrown(scatter, own, &taken, &mut draw) else { continue };
            taken.push(own.moved(by));
            let name = format!("{}_{}", part.name, units.len() + 1);
            let pieces = moved(&pieces, &Motion::shift(by.to_array()))?;
            units.push((name.clone(), renamed(pieces, &part.name, &name)));
        }
        Ok(units)
    }

    /// What a part is made of, at the origin. Names begin with the name of the part.
    fn pieces(
        &self,
        part: &Part,
        neighbours: &Neighbours,
        draw: &mut Draw,
    ) -> Result<Vec<Piece>, CatalogueFault> {
        let ends = neighbours.ends(part, draw)?;
        if let Some(geometry) = shape_of(part, ends, draw)? {
            let role = part.role.as_deref().unwrap_or("body");
            let material = self.palette.material(role, draw)?;
            let name = part.name.clone();
            return Ok(vec![Piece {
                name,
                group: None,
                geometry,
                material,
                backdrop: false,
                floats: false,
            }]);
        }
        let inner = match (&part.parts, &part.uses) {
            (Some(parts), _) => self.assemble(parts, draw)?,
            (None, Some(name)) => {
                let recipe = self.catalogue.recipe(name);
                let recipe = recipe.ok_or_else(|| CatalogueFault::Reference(name.clone()))?;
                self.used(part, recipe, draw)?
            }
            (None, None) => return Err(CatalogueFault::Shape("it has no form".to_owned())),
        };
        let within = |mut piece: Piece| {
            piece.name = format!("{}_{}", part.name, piece.name);
            piece
        };
        Ok(inner.into_iter().map(within).collect())
    }

    /// Another object as a part.
    fn used(
        &self,
        part: &Part,
        recipe: &Recipe,
        draw: &mut Draw,
    ) -> Result<Vec<Piece>, CatalogueFault> {
        if self.depth >= DEEPEST {
            return Err(CatalogueFault::Depth(recipe.names[0].clone()));
        }
        let mut palette = Palette::of(&recipe.roles, draw, false)?;
        if let (false, false, Some(rgb)) =
            (recipe.natural, part.roles.contains_key("body"), draw.clone().pick(&self.bodies))
            && palette.has("body")
        {
            palette.wear("body", palette.recoloured("body", *rgb, draw)?);
        }
        for (role, paint) in &part.roles {
            palette.set(role, paint, draw)?;
        }
        let options = recipe.chosen(&part.with, &part.without);
        let inner = Workshop {
            palette,
            options,
            counts: Vec::new(),
            depth: self.depth + 1,
            ..self.clone()
        };
        let pieces = inner.assemble(&recipe.parts, draw)?;
        let height = part.height.map(|height| height.value(draw));
        match (height, bounds_of(&pieces)) {
            (Some(height), Some(bounds)) => {
                let scale = height / bounds.size().y.max(1e-9);
                moved(&pieces, &Motion::scale(scale, [0.0; 3]))
            }
            _ => Ok(pieces),
        }
    }
}

/// The pieces of a copy under its own name.
fn renamed(mut pieces: Vec<Piece>, from: &str, to: &str) -> Vec<Piece> {
    for piece in &mut pieces {
        if let Some(rest) = piece.name.strip_prefix(from) {
            piece.name = format!("{to}{rest}");
        }
    }
    pieces
}
