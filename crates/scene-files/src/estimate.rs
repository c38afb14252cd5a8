//! How much an export will take.

use std::collections::HashSet;

use scene::Scene;

use crate::bounds::{AssetSize, Estimate};
use crate::parts::Parts;
use crate::plainer::without_mixes;
use crate::textures::{LaidOut, Painter};
use crate::{Format, pbrt};

/// Bytes of memory for a triangle that is laid out flat.
const LAYOUT_BYTES: u64 = 250;

impl Estimate {
    /// Of a scene in a format; `asset` tells what it knows of the assets the scene names.
    pub fn of(scene: &Scene, format: Format, asset: &dyn Fn(&str) -> AssetSize) -> Self {
        if let Some(plain) = without_mixes(scene) {
            return Self::of(&plain, format, asset);
        }
        let objects = (scene.shapes.len() + scene.lights.len()) as u64 * OBJECT_BYTES;
        if format == Format::Scene {
            return Self { memory: LEAST_BYTES + objects, ..Self::default() };
        }
        let parts = Parts::of(scene);
        let painter = Painter::of(scene, &parts);
        let mut found = Self::default();
        count(&parts, format, &painter, asset, &mut found);
        painter.count(asset, &mut found);
        // In OBJ numbers are text. Elsewhere a vertex has place, normal, u and v in single precision;
        // the largest mesh is there twice, before and after it is written.
        let [vertex, triangle] = if format == Format::Obj { [110, 60] } else { [48, 18] };
        found.memory = LEAST_BYTES
            .saturating_add(objects)
            .saturating_add(found.vertices.saturating_mul(vertex))
            .saturating_add(found.triangles.saturating_mul(triangle))
            // A painted image is a file of no more than its pixels.
            .saturating_add(found.pixels.saturating_mul(4))
            .saturating_add(found.memory);
        found
    }
}

/// Bytes of memory for an object of the scene, besides its triangles.
const OBJECT_BYTES: u64 = 4 << 10;

/// Bytes of memory for what every export needs.
const LEAST_BYTES: u64 = 4 << 20;

/// Adds the vertices and triangles that a file will hold.
fn count(
    parts: &Parts,
    format: Format,
    painter: &Painter<'_>,
    asset: &dyn Fn(&str) -> AssetSize,
    found: &mut Estimate,
) {
    let sizes = parts.sizes(asset);
    // The forms that are written, each with what tells whether it is another one.
    let mut written = HashSet::new();
    for (at, part) in parts.parts.iter().enumerate() {
        if format == Format::Pbrt && painter.is_plain(at) && pbrt::is_exact(part, parts) {
            continue;
        }
        let layout = painter.layout(at, part);
        let is_flat = layout == Some(LaidOut::Flat);
        if format == Format::Obj || written.insert((part.form, layout)) {
            let [vertices, triangles] = sizes[part.form];
            found.vertices = found.vertices.saturating_add(vertices);
            found.triangles = found.triangles.saturating_add(triangles);
            if is_flat {
                found.memory = found.memory.saturating_add(LAYOUT_BYTES * triangles);
            }
        }
    }
}
