//! Themed scenes: what stands where, the lights and the camera.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::DVec3;
use scene::{Scene, Shape};
use serde_json::{Value, json};

use crate::build::{Builder, BuiltShape, Palette, PlacedParts, Random, Viewpoint};
use crate::build::{light, rounded, sample};
use crate::colour;
use crate::error::CatalogueError;
use crate::files::{Adjective, SceneFile, Sky};
use crate::library::Library;

/// A themed scene.
#[derive(Debug)]
pub struct Theme {
    pub(crate) file: &'static SceneFile,
    library: &'static Library,
}

/// The variant of a themed scene.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mood {
    /// The same seed and adjectives give the same scene.
    pub seed: u64,
    /// Adjectives as [`Catalogue::adjective`](crate::Catalogue::adjective) names them. Others count as
    /// options of the scene, or have no effect.
    pub adjectives: Vec<String>,
}

impl Theme {
    pub(crate) fn new(file: &'static SceneFile, library: &'static Library) -> Self {
        Self { file, library }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        self.file.names.first().map_or("", String::as_str)
    }

    /// Its names: [`name`](Self::name), then its synonyms.
    pub fn names(&self) -> &[String] {
        &self.file.names
    }

    /// The whole scene; each thing of several shapes is a group.
    ///
    /// # Errors
    /// None for the files of the catalogue: they are tested.
    pub fn build(&self, mood: &Mood) -> Result<Scene, CatalogueError> {
        let random = Random::new(mood.seed).branch(self.name(), 0);
        let names: BTreeSet<String> =
            mood.adjectives.iter().chain(&self.file.is).cloned().collect();
        let adjectives: Vec<&Adjective> =
            names.iter().filter_map(|name| self.library.adjectives.get(name)).collect();
        let builder = self.builder(&adjectives, names.clone(), mood, &random)?;
        let (shapes, parts) = builder.placed_parts(&self.file.parts, &random, true)?;
        let surroundings = json!({
            "version": 1,
            "shapes": [],
            "lights": self.lights(&adjectives, &builder, &parts, &random)?,
            "environment": self.environment(&adjectives, mood),
            "camera": self.camera(&shapes, &parts, &random)?,
        });
        let invalid = |violations: scene::Violations| CatalogueError::Scene {
            name: self.name().to_owned(),
            violations,
        };
        let surroundings = Scene::from_json(&surroundings).map_err(invalid)?;
        let of_document =
            |shape: &BuiltShape| shape.shape(&shape.name, shape.group.as_deref()).map(Arc::new);
        let shapes: Result<Vec<Arc<Shape>>, CatalogueError> =
            shapes.iter().map(of_document).collect();
        let scene = Scene { shapes: shapes?, ..surroundings };
        scene.check().map_err(invalid)?;
        Ok(scene)
    }

    fn builder(
        &self,
        adjectives: &[&Adjective],
        names: BTreeSet<String>,
        mood: &Mood,
        random: &Random,
    ) -> Result<Builder<'static>, CatalogueError> {
        let mut palette = Palette::new(&self.file.roles, random, mood.seed == 0)?;
        for (role, paint) in adjectives.iter().flat_map(|adjective| &adjective.roles) {
            if palette.has(role) {
                palette.set_paint(role, paint, &mut random.branch(role, 1))?;
            }
        }
        let bodies = adjectives.iter().flat_map(|adjective| &adjective.bodies);
        let usual = self.file.options.iter().filter(|(_, option)| option.usual);
        Ok(Builder {
            library: self.library,
            palette,
            options: usual.map(|(name, _)| name.clone()).collect(),
            adjectives: names,
            bodies: bodies.filter_map(|name| colour::named(name)).collect(),
            counts: Vec::new(),
            depth: 0,
        })
    }

    fn lights(
        &self,
        adjectives: &[&Adjective],
        builder: &Builder<'_>,
        parts: &PlacedParts,
        random: &Random,
    ) -> Result<Vec<Value>, CatalogueError> {
        let brightness: f64 = adjectives.iter().map(|adjective| adjective.lights).product();
        let tints = adjectives.iter().filter_map(|adjective| adjective.tint);
        let tint = tints.fold(DVec3::splat(brightness), |tint, more| tint * DVec3::from(more));
        let lights = self.file.lights.iter();
        lights
            .filter(|file| builder.holds(file.only_if.as_deref(), file.unless.as_deref()))
            .map(|file| light(file, parts, tint, &mut random.branch(&file.name, 1)))
            .collect()
    }

    fn environment(&self, adjectives: &[&Adjective], mood: &Mood) -> Value {
        // Adjectives that always hold for the scene do not replace its sky.
        let asked = mood.adjectives.iter().filter_map(|name| self.library.adjectives.get(name));
        let replaced = asked.filter_map(|adjective| adjective.set_sky.as_ref()).next();
        let sky: &Sky = replaced.unwrap_or(&self.file.sky);
        let factor: f64 = adjectives.iter().map(|adjective| adjective.sky).product();
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
        shapes: &[BuiltShape],
        parts: &PlacedParts,
        random: &Random,
    ) -> Result<Value, CatalogueError> {
        let file = &self.file.camera;
        let mut random = random.branch("camera", 0);
        let from = DVec3::from(sample(&file.from, &mut random));
        let look_at = parts.point(&file.look_at, &mut random)?;
        let viewpoint = Viewpoint { from, look_at, vfov_degrees: file.vfov };
        let in_view = shapes.iter().filter(|shape| !shape.backdrop).map(BuiltShape::bounds);
        let center = viewpoint.moved_back(in_view);
        Ok(json!({
            "center": rounded(center).to_array(),
            "look_at": rounded(look_at).to_array(),
            "vfov": file.vfov,
        }))
    }
}
