//! Estimates of exports, before anything is written.

use std::collections::HashSet;

use scene::Scene;

use super::instances::Instances;
use super::simplify::without_mixes;
use super::textures::{TextureExporter, Unwrapping};
use super::{AssetSize, Estimate};
use crate::{Format, pbrt};

/// Bytes of memory for a triangle of an atlas.
const ATLAS_BYTES: u64 = 250;

impl Estimate {
    /// Estimates the export of a scene. `asset` gives the sizes of its assets.
    pub fn of(scene: &Scene, format: Format, asset: &dyn Fn(&str) -> AssetSize) -> Self {
        if let Some(simple) = without_mixes(scene) {
            return Self::of(&simple, format, asset);
        }
        let objects = (scene.shapes.len() + scene.lights.len()) as u64 * OBJECT_BYTES;
        if format == Format::Scene {
            return Self { memory: BASE_BYTES + objects, ..Self::default() };
        }
        let instances = Instances::of(scene);
        let textures = TextureExporter::new(scene, &instances);
        let mut found = Self::default();
        count(&instances, format, &textures, asset, &mut found);
        textures.count(asset, &mut found);
        // OBJ writes numbers as text. Elsewhere a vertex has position, normal and UV coordinates in single
        // precision. The largest mesh is in memory twice, before and after it is written.
        let [vertex, triangle] = if format == Format::Obj { [110, 60] } else { [48, 18] };
        found.memory = BASE_BYTES
            .saturating_add(objects)
            .saturating_add(found.vertices.saturating_mul(vertex))
            .saturating_add(found.triangles.saturating_mul(triangle))
            // The file of a baked texture is no larger than its pixels.
            .saturating_add(found.pixels.saturating_mul(4))
            .saturating_add(found.memory);
        found
    }
}

/// Bytes of memory for an object of the scene, besides its triangles.
const OBJECT_BYTES: u64 = 4 << 10;

/// Bytes of memory that every export needs.
const BASE_BYTES: u64 = 4 << 20;

/// Adds the vertices and triangles of a file.
fn count(
    instances: &Instances,
    format: Format,
    textures: &TextureExporter<'_>,
    asset: &dyn Fn(&str) -> AssetSize,
    found: &mut Estimate,
) {
    let sizes = instances.sizes(asset);
    // Geometries are written once for each unwrapping.
    let mut written = HashSet::new();
    for (at, instance) in instances.list.iter().enumerate() {
        let is_exact = || pbrt::is_exact(instance, instances);
        if format == Format::Pbrt && !textures.is_textured(at) && is_exact() {
            continue;
        }
        let unwrapping = textures.unwrapping(at, instance);
        let has_atlas = unwrapping == Some(Unwrapping::Atlas);
        if format == Format::Obj || written.insert((instance.geometry, unwrapping)) {
            let [vertices, triangles] = sizes[instance.geometry];
            found.vertices = found.vertices.saturating_add(vertices);
            found.triangles = found.triangles.saturating_add(triangles);
            if has_atlas {
                found.memory = found.memory.saturating_add(ATLAS_BYTES * triangles);
            }
        }
    }
}
