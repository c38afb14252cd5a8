//! Themed scenes: what stands where, under what light, seen from where.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use serde::Deserialize;
use serde_json::{Value, json};

use super::assemble::Workshop;
use super::draw::Draw;
use super::lamp::{Lamp, rounded};
use super::paint::Palette;
use super::piece::Piece;
use super::recipe::{Choice, Number, Paint, Part, Point};
use super::spot::Neighbours;
use super::viewpoint::Viewpoint;
use super::{CatalogueFault, catalogue};
use crate::colour::Colour;
use crate::world::World;

/// A themed scene.
#[derive(Debug)]
pub struct Theme {
    pub(super) plan: Plan,
}

/// How a scene is to be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mood {
    /// Which of its variants; the same seed and adjectives give the same scene.
    pub seed: u64,
    /// Adjectives as [`Catalogue::adjective`](super::Catalogue::adjective) names them; others count
    /// as options of the scene or for nothing.
    pub adjectives: Vec<String>,
}

/// The file of a scene.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Plan {
    pub(super) names: Vec<String>,
    #[serde(default)]
    pub(super) roles: BTreeMap<String, Paint>,
    #[serde(default)]
    pub(super) options: BTreeMap<String, Choice>,
    /// Adjectives that hold without being said: a snowy village is snowy.
    #[serde(default)]
    pub(super) is: Vec<String>,
    pub(super) sky: Sky,
    pub(super) camera: Camera,
    #[serde(default)]
    pub(super) lights: Vec<Lamp>,
    pub(super) parts: Vec<Part>,
}

/// What surrounds a scene: radiance straight up and straight down; none is black.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Sky {
    top: Option<[f64; 3]>,
    bottom: Option<[f64; 3]>,
}

/// From where a scene is seen. The camera goes back along its line of sight until all that is no
/// backdrop lies in the picture.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Camera {
    pub(super) from: [Number; 3],
    pub(super) look_at: Point,
    pub(super) vfov: f64,
}

/// What an adjective does to a scene.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Adjective {
    /// The words for it, its name aside.
    #[serde(default)]
    pub(super) words: Vec<String>,
    /// What it makes of all light from lamps.
    #[serde(default = "one")]
    lights: f64,
    /// What it makes of all light from the sky.
    #[serde(default = "one")]
    sky: f64,
    /// The colour it gives to the light of lamps.
    tint: Option<[f64; 3]>,
    /// Another sky.
    set_sky: Option<Sky>,
    /// Paint for roles of scenes that have them.
    #[serde(default)]
    roles: BTreeMap<String, Paint>,
    /// Colours for objects whose nature is not theirs.
    #[serde(default)]
    bodies: Vec<String>,
}

/// What stands in a scene, and a file of the rest.
struct Composed {
    pieces: Vec<Piece>,
    surroundings: Value,
}

fn one() -> f64 {
    1.0
}

impl Theme {
    /// What it is called.
    pub fn name(&self) -> &str {
        self.plan.names.first().map_or("", String::as_str)
    }

    /// Everything it is called, its [`name`](Self::name) first.
    pub fn names(&self) -> &[String] {
        &self.plan.names
    }

    /// The whole scene as a file of version 1: shapes, each thing of several a group; lights,
    /// environment, camera.
    ///
    /// # Errors
    /// None for the files of the catalogue: they are tested.
    pub fn build(&self, mood: &Mood) -> Result<Value, CatalogueFault> {
        let composed = self.composed(mood)?;
        let documents =
            composed.pieces.iter().map(|piece| piece.document(&piece.name, piece.group.as_deref()));
        let shapes = documents.collect::<Result<Vec<Value>, CatalogueFault>>()?;
        let mut file = composed.surroundings;
        file["shapes"] = shapes.into();
        Ok(file)
    }

    /// The whole scene as this model sees it, else as [`build`](Self::build) has it.
    pub(crate) fn world(&self, mood: &Mood) -> Result<World, CatalogueFault> {
        let Composed { pieces, surroundings } = self.composed(mood)?;
        let none = || CatalogueFault::Reference(self.name().to_owned());
        let rest = World::read(&surroundings).ok_or_else(none)?;
        let things = pieces.iter().map(|piece| piece.thing(&piece.name, piece.group.as_deref()));
        let floating = pieces.iter().filter(|piece| piece.floats);
        Ok(World {
            things: things.chain(rest.things).collect(),
            marks: floating.map(|piece| (piece.name.clone(), json!(["floating"]))).collect(),
            ..rest
        })
    }

    fn composed(&self, mood: &Mood) -> Result<Composed, CatalogueFault> {
        let draw = Draw::new(mood.seed).branch(self.name(), 0);
        let adjectives: BTreeSet<String> =
            mood.adjectives.iter().chain(&self.plan.is).cloned().collect();
        let known: Vec<&Adjective> =
            adjectives.iter().filter_map(|name| catalogue().adjectives.get(name)).collect();
        // What a scene is anyway has its own sky.
        let said = mood.adjectives.iter().filter_map(|name| catalogue().adjectives.get(name));
        let other_sky = said.filter_map(|adjective| adjective.set_sky.as_ref()).next();
        let workshop = self.workshop(&known, adjectives.clone(), mood, &draw)?;
        let (pieces, neighbours) = workshop.assembled(&self.plan.parts, &draw, true)?;
        let brightness: f64 = known.iter().map(|adjective| adjective.lights).product();
        let tints = known.iter().filter_map(|adjective| adjective.tint);
        let tint = tints.fold(DVec3::splat(brightness), |tint, more| tint * DVec3::from(more));
        let lamps = self.plan.lights.iter().filter(|lamp| lamp.is_wanted(&workshop));
        let lights: Result<Vec<Value>, CatalogueFault> = lamps
            .map(|lamp| lamp.document(&neighbours, tint, &mut draw.branch(&lamp.name, 1)))
            .collect();
        let surroundings = json!({
            "version": 1,
            "shapes": [],
            "lights": lights?,
            "environment": self.environment(&known, other_sky),
            "camera": self.camera(&pieces, &neighbours, &draw)?,
        });
        Ok(Composed { pieces, surroundings })
    }

    fn workshop(
        &self,
        known: &[&Adjective],
        adjectives: BTreeSet<String>,
        mood: &Mood,
        draw: &Draw,
    ) -> Result<Workshop<'static>, CatalogueFault> {
        let mut palette = Palette::of(&self.plan.roles, draw, mood.seed == 0)?;
        for (role, paint) in known.iter().flat_map(|adjective| &adjective.roles) {
            if palette.has(role) {
                palette.set(role, paint, &mut draw.branch(role, 1))?;
            }
        }
        let colours = known.iter().flat_map(|adjective| &adjective.bodies);
        let bodies = colours.filter_map(|name| Colour::named(name)).map(|colour| colour.rgb);
        let usual = self.plan.options.iter().filter(|(_, choice)| choice.usual);
        Ok(Workshop {
            catalogue: catalogue(),
            palette,
            options: usual.map(|(name, _)| name.clone()).collect(),
            adjectives,
            bodies: bodies.collect(),
            counts: Vec::new(),
            depth: 0,
        })
    }

    fn environment(&self, known: &[&Adjective], other_sky: Option<&Sky>) -> Value {
        let sky = other_sky.unwrap_or(&self.plan.sky);
        let factor: f64 = known.iter().map(|adjective| adjective.sky).product();
        let radiance = |rgb: [f64; 3]| rounded(DVec3::from(rgb) * factor).to_array();
        match (sky.top, sky.bottom) {
            (None, None) => json!({ "type": "none" }),
            (top, bottom) => json!({
                "type": "gradient",
                "top_color": radiance(top.or(bottom).unwrap_or_default()),
                "bottom_color": radiance(bottom.or(top).unwrap_or_default()),
            }),
        }
    }

    fn camera(
        &self,
        pieces: &[Piece],
        neighbours: &Neighbours,
        draw: &Draw,
    ) -> Result<Value, CatalogueFault> {
        let plan = &self.plan.camera;
        let mut draw = draw.branch("camera", 0);
        let from = DVec3::from(super::form::values(&plan.from, &mut draw));
        let look_at = neighbours.point(&plan.look_at, &mut draw)?;
        let viewpoint = Viewpoint { from, look_at, vfov_degrees: plan.vfov };
        let seen = pieces.iter().filter(|piece| !piece.backdrop).map(Piece::bounds);
        let center = viewpoint.far_enough(seen);
        Ok(json!({
            "center": rounded(center).to_array(),
            "look_at": rounded(look_at).to_array(),
            "vfov": plan.vfov,
        }))
    }
}
