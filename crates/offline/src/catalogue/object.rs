//! One everyday object, and what people wish of it.

use std::collections::BTreeSet;

use glam::DVec3;
use scene::{Material, Motion};
use serde_json::Value;

use super::assemble::Workshop;
use super::draw::Draw;
use super::paint::Palette;
use super::piece::{Piece, bounds_of, material, moved};
use super::recipe::{Carries, Part, Recipe};
use super::{CatalogueFault, catalogue};
use crate::world::Thing;

/// An everyday object.
#[derive(Debug)]
pub struct Object {
    pub(super) recipe: Recipe,
}

/// How large something is to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Extent {
    /// This many times its natural size.
    Factor(f64),
    /// This high, in metres; the rest in proportion.
    Height(f64),
    /// This wide (along x), in metres; the rest in proportion.
    Width(f64),
    /// This deep (along z), in metres; the rest in proportion.
    Depth(f64),
    /// Its longest side, in metres; the rest in proportion.
    Longest(f64),
}

/// What is wished of an object; [`Default`] wishes nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Wishes {
    /// How large it is to be.
    pub size: Extent,
    /// Linear sRGB: the first colours its body, the second its accents.
    pub colours: Vec<[f64; 3]>,
    /// The material of its body in the form of the document, e.g. `"gold"`; goes before `colours`.
    pub material: Option<Value>,
    /// Which of its variants it is; 0 is what it usually looks like.
    pub seed: u64,
    /// How far it is turned about y, in degrees; at 0 it faces +z.
    pub turn_degrees: f64,
    /// Options it is to have: "a chess board with pieces".
    pub with: Vec<String>,
    /// Options it is not to have: "a snowman without a hat".
    pub without: Vec<String>,
    /// How many it is to have of its options or parts: "a cake with three candles".
    pub counts: Vec<(String, usize)>,
}

impl Default for Wishes {
    fn default() -> Self {
        Self {
            size: Extent::Factor(1.0),
            colours: Vec::new(),
            material: None,
            seed: 0,
            turn_degrees: 0.0,
            with: Vec::new(),
            without: Vec::new(),
            counts: Vec::new(),
        }
    }
}

impl Recipe {
    /// The options that hold when these are wished for and those are not. Options go by their name
    /// or one of their words.
    pub(super) fn chosen(&self, with: &[String], without: &[String]) -> BTreeSet<String> {
        let named = |wishes: &[String], name: &String, words: &[String]| {
            wishes.iter().any(|wish| wish == name || words.contains(wish))
        };
        let holds = |name: &String, words: &[String], usual: bool| {
            named(with, name, words) || (usual && !named(without, name, words))
        };
        self.options
            .iter()
            .filter(|(name, choice)| holds(name, &choice.words, choice.usual))
            .map(|(name, _)| name.clone())
            .collect()
    }
}

impl Object {
    /// What it is called.
    pub fn name(&self) -> &str {
        self.recipe.names.first().map_or("", String::as_str)
    }

    /// Everything it is called, its [`name`](Self::name) first.
    pub fn names(&self) -> &[String] {
        &self.recipe.names
    }

    /// What of it carries the small things that come with it; nothing of a house.
    pub(crate) fn carries(&self) -> Option<Carries> {
        self.recipe.carries
    }

    /// What may be left out or added, with the words for it.
    pub fn options(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.recipe.options.iter().map(|(name, choice)| (name.as_str(), choice.words.as_slice()))
    }

    /// The option a word names, e.g. "hat" for "hat" or "top hat".
    pub fn option(&self, word: &str) -> Option<&str> {
        let known = |(name, words): &(&str, &[String])| {
            *name == word || words.iter().any(|known| known == word)
        };
        let meant = |(name, words): &(&str, &[String])| {
            catalogue().is_called(name, word)
                || words.iter().any(|known| catalogue().is_called(known, word))
        };
        self.options().find(known).or_else(|| self.options().find(meant)).map(|(name, _)| name)
    }

    /// Its shapes as files and tools write them, standing on y = 0 around the origin. Each has the
    /// group `group` and an id that begins with it: `snowman_hat_brim`.
    ///
    /// # Errors
    /// A size that the document has no room for.
    pub fn build(&self, group: &str, wishes: &Wishes) -> Result<Vec<Value>, CatalogueFault> {
        let pieces = self.pieces(wishes)?;
        let named = |piece: &Piece| piece.document(&format!("{group}_{}", piece.name), Some(group));
        pieces.iter().map(named).collect()
    }

    /// Its shapes as this model sees them, else as [`build`](Self::build) has them.
    pub(crate) fn things(
        &self,
        group: &str,
        wishes: &Wishes,
    ) -> Result<Vec<Thing>, CatalogueFault> {
        let pieces = self.pieces(wishes)?;
        let named = |piece: &Piece| piece.thing(&format!("{group}_{}", piece.name), Some(group));
        Ok(pieces.iter().map(named).collect())
    }

    /// What the file calls its parts, those within parts included; objects it is made of have names of
    /// their own.
    pub(crate) fn part_names(&self) -> impl Iterator<Item = &str> {
        fn names<'a>(parts: &'a [Part], found: &mut Vec<&'a str>) {
            for part in parts {
                found.push(&part.name);
                names(part.parts.as_deref().unwrap_or_default(), found);
            }
        }
        let mut found = Vec::new();
        names(&self.recipe.parts, &mut found);
        found.into_iter()
    }

    /// Whether one of its parts is called so, or goes by that word.
    pub(crate) fn has_part(&self, noun: &str) -> bool {
        let named = |name: &str| name.split('_').any(|word| catalogue().is_called(word, noun));
        self.part_names().any(named)
    }

    /// The colour of its body as it usually is, linear sRGB: "the colour of a lemon". `None` for what
    /// has none of its own.
    pub(crate) fn colour(&self) -> Option<DVec3> {
        let draw = Draw::new(0).branch(self.name(), 0);
        let palette = self.palette(&Wishes::default(), &draw).ok()?;
        let body = palette.material("body", &mut draw.branch("body", 0)).ok()?;
        crate::world::read::read_material(&body.to_json()).colour()
    }

    pub(super) fn pieces(&self, wishes: &Wishes) -> Result<Vec<Piece>, CatalogueFault> {
        let draw = Draw::new(wishes.seed).branch(self.name(), 0);
        let workshop = Workshop {
            catalogue: catalogue(),
            palette: self.palette(wishes, &draw)?,
            options: self.recipe.chosen(&wishes.with, &wishes.without),
            adjectives: BTreeSet::new(),
            bodies: Vec::new(),
            counts: wishes.counts.clone(),
            depth: 0,
        };
        let pieces = workshop.assemble(&self.recipe.parts, &draw)?;
        let Some(bounds) = bounds_of(&pieces) else { return Ok(pieces) };
        let size = bounds.size().max(DVec3::splat(1e-9));
        let scale = match wishes.size {
            Extent::Factor(factor) => factor,
            Extent::Height(metres) => metres / size.y,
            Extent::Width(metres) => metres / size.x,
            Extent::Depth(metres) => metres / size.z,
            Extent::Longest(metres) => metres / size.max_element(),
        };
        // Whatever its lowest part is, it stands on it.
        let down = Motion::shift([0.0, -bounds.min.y, 0.0]);
        let turn = Motion::turn([0.0, wishes.turn_degrees, 0.0], [0.0; 3]);
        moved(&pieces, &down.then(Motion::scale(scale, [0.0; 3])).then(turn))
    }

    fn palette(&self, wishes: &Wishes, draw: &Draw) -> Result<Palette, CatalogueFault> {
        let mut palette = Palette::of(&self.recipe.roles, draw, wishes.seed == 0)?;
        let roles = ["body", "accent"];
        for (role, rgb) in roles.into_iter().zip(&wishes.colours) {
            if palette.has(role) {
                let coat = palette.recoloured(role, (*rgb).into(), &mut draw.branch(role, 0))?;
                palette.wear(role, coat);
            }
        }
        if let Some(value) = &wishes.material {
            let coat: Material = material(value)?;
            palette.wear("body", coat);
        }
        Ok(palette)
    }
}
