//! Writer: a scene as OBJ, with its materials in an MTL file.

mod material;

use std::collections::HashMap;
use std::fmt::Write;

use media::MeshData;
use scene::Scene;

use crate::SceneFileError;
use crate::export::{
    Bounds, Exported, InstanceTextures, Instances, Sources, Surface, TextWriter, TextureExporter,
};
use crate::mesh_transform::in_world;
use material::{material, texture_lines};

pub(crate) fn write(
    scene: &Scene,
    name: &str,
    sources: &mut Sources<'_>,
    bounds: &Bounds,
) -> Result<Exported, SceneFileError> {
    let mut instances = Instances::of(scene);
    let mut exported = Exported::default();
    let mut textures = TextureExporter::new(scene, &instances);
    textures.note_losses(&mut exported);
    exported
        .note("OBJ holds neither camera nor surroundings, and lights without an area are left out");
    exported.note_losses(scene);
    let mut materials = Materials::default();
    let mut text = TextWriter::default();
    text.chunk = format!("# A scene of scene-llm, in metres, y up.\nmtllib {name}.mtl\n");
    let mut first = 1;
    for at in 0..instances.list.len() {
        if instances.list[at].is_hidden {
            exported.note("lights that the camera does not see are left out");
            continue;
        }
        let own = textures.export(at, &mut instances, sources, bounds, &mut exported)?;
        let instance = &instances.list[at];
        let matrix = instance.matrix;
        let geometry = own.as_ref().map_or(instance.geometry, |own| own.geometry);
        let material = materials.index(&instance.surface, own.as_ref());
        let id = instance.id.replace(char::is_whitespace, "_");
        let _ = writeln!(text.chunk, "o {id}\nusemtl material_{material}");
        let mesh = in_world((*instances.mesh(geometry, sources)?).clone(), matrix);
        first += write_mesh(&mut text, &mesh, first, sources)?;
    }
    let materials: String = materials
        .list
        .iter()
        .enumerate()
        .map(|(at, (surface, own))| {
            let path = |image| textures.path(image, name);
            let lines = own.as_ref().map(|own| texture_lines(&own.material, &path, &mut exported));
            material(&format!("material_{at}"), surface, &lines.unwrap_or_default())
        })
        .collect();
    exported.files = vec![
        (format!("{name}.obj"), text.finish()),
        (format!("{name}.mtl"), materials.into_bytes().into()),
    ];
    exported.files.extend(textures.into_files(name));
    Ok(exported)
}

/// The materials of a file.
#[derive(Default)]
struct Materials {
    list: Vec<(Surface, Option<InstanceTextures>)>,
    /// Indices into `list`, by the JSON of the material and the number of its textures.
    indices: HashMap<(String, Option<usize>), usize>,
}

impl Materials {
    /// The index of a material, which is added if it is new.
    fn index(&mut self, surface: &Surface, textures: Option<&InstanceTextures>) -> usize {
        let text = match surface {
            Surface::Material(material) => material.to_json().to_string(),
            Surface::Light(radiance) => format!("{radiance:?}"),
        };
        let next = self.list.len();
        let key = (text, textures.map(|textures| textures.number));
        let index = *self.indices.entry(key).or_insert(next);
        if index == next {
            self.list.push((surface.clone(), textures.cloned()));
        }
        index
    }
}

/// Writes a mesh and returns the number of its vertices. Writing to a string cannot fail.
fn write_mesh(
    text: &mut TextWriter,
    data: &MeshData,
    first: usize,
    sources: &Sources<'_>,
) -> Result<usize, SceneFileError> {
    let vertices = data.positions.len();
    for (at, [x, y, z]) in data.positions.iter().enumerate() {
        sources.check_cancelled_at(at)?;
        let _ = writeln!(text.chunk, "v {x} {y} {z}");
        text.flush_full();
    }
    let has_uv = data.uv.len() == vertices;
    let has_normals = data.normals.len() == vertices;
    for [u, v] in data.uv.iter().filter(|_| has_uv) {
        let _ = writeln!(text.chunk, "vt {u} {v}");
        text.flush_full();
    }
    for (at, [x, y, z]) in data.normals.iter().filter(|_| has_normals).enumerate() {
        sources.check_cancelled_at(at)?;
        let _ = writeln!(text.chunk, "vn {x} {y} {z}");
        text.flush_full();
    }
    for (at, corners) in data.triangles.iter().enumerate() {
        sources.check_cancelled_at(at)?;
        text.chunk.push('f');
        for corner in corners {
            let at = *corner as usize + first;
            // UV coordinates and normals have numbers of their own: negative ones count from the last.
            let back = *corner as i64 - vertices as i64;
            let _ = match (has_uv, has_normals) {
                (true, true) => write!(text.chunk, " {at}/{back}/{back}"),
                (true, false) => write!(text.chunk, " {at}/{back}"),
                (false, true) => write!(text.chunk, " {at}//{back}"),
                (false, false) => write!(text.chunk, " {at}"),
            };
        }
        text.chunk.push('\n');
        text.flush_full();
    }
    Ok(vertices)
}
