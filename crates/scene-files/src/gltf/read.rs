//! A scene of a file's nodes, meshes, materials, lights and cameras.

use std::collections::HashMap;

use glam::DVec3;
use gltf::camera::Projection;
use media::MeshData;
use mesh_files::{GltfFile, Limits, Placed};
use scene::Aabb;
use serde_json::{Value, json};

use super::light::{self, PlacedLight};
use super::material::from_gltf;
use super::texture::Textures;
use crate::draft::{Draft, Imported};
use crate::placement::{Placement, bent, camera, in_world, matrix, parallelogram, tidy};
use crate::work::go_on;
use crate::{Beside, Cancelled, SceneFileFault};

/// The environment an exported scene carries.
pub(super) const ENVIRONMENT: &str = "scene_llm_environment";

pub(crate) fn read(
    bytes: &[u8],
    name: &str,
    limits: &Limits,
    beside: Beside<'_>,
    cancelled: Cancelled<'_>,
) -> Result<Imported, SceneFileFault> {
    let file = GltfFile::open(bytes, beside)?;
    let mut reader = Reader {
        materials: vec![None; file.document.materials().len() + 1],
        meshes: HashMap::new(),
        groups: HashMap::new(),
        left: *limits,
        draft: Draft::default(),
        textures: Textures::new(&file, beside),
        file: &file,
    };
    let nodes = file.placed_nodes()?;
    let uses = uses(&nodes);
    for placed in &nodes {
        go_on(cancelled)?;
        reader.take_node(placed, name, &uses)?;
    }
    reader.look_and_light(&nodes)?;
    reader.note_the_rest();
    reader.draft.finish()
}

/// The accessors of positions, normals, u and v and indices: primitives of several materials may have
/// the same.
type Made = (u32, [Option<usize>; 4]);

fn made_of(primitive: &gltf::Primitive<'_>) -> Made {
    use gltf::Semantic::{Normals, Positions, TexCoords};
    let [positions, normals, uv] = [Positions, Normals, TexCoords(0)]
        .map(|what| primitive.get(&what).map(|accessor| accessor.index()));
    (
        primitive.mode().as_gl_enum(),
        [positions, normals, uv, primitive.indices().map(|it| it.index())],
    )
}

/// How many nodes show each mesh.
fn uses(nodes: &[Placed<'_>]) -> HashMap<usize, usize> {
    let mut uses = HashMap::new();
    for mesh in nodes.iter().filter_map(|placed| placed.node.mesh()) {
        *uses.entry(mesh.index()).or_default() += 1;
    }
    uses
}

struct Reader<'a> {
    file: &'a GltfFile,
    textures: Textures<'a>,
    draft: Draft,
    /// As scene files have them, by index; the last is the one of primitives without.
    materials: Vec<Option<Value>>,
    /// The kept meshes, by what they are made of, with the names shapes use and their extents.
    meshes: HashMap<Made, (String, Aabb)>,
    /// The groups, by the node they stand for.
    groups: HashMap<usize, String>,
    /// What may still be read.
    left: Limits,
}

impl Reader<'_> {
    fn take_node(
        &mut self,
        placed: &Placed<'_>,
        file_name: &str,
        uses: &HashMap<usize, usize>,
    ) -> Result<(), SceneFileFault> {
        let Placed { node, parent, matrix: columns } = placed;
        let mesh = node.mesh();
        let name = node.name().or_else(|| mesh.as_ref()?.name()).unwrap_or(file_name).to_owned();
        let primitives = mesh.as_ref().map_or(0, |mesh| mesh.primitives().len());
        let outer = parent.and_then(|parent| self.groups.get(&parent)).cloned();
        let has_parts = node.children().len() > 0 || primitives > 1;
        let group = if has_parts {
            let group = self.draft.group(&name, outer.as_deref());
            self.groups.insert(node.index(), group.clone());
            Some(group)
        } else {
            outer
        };
        let Some(mesh) = mesh else { return Ok(()) };
        let matrix = matrix(*columns);
        for primitive in mesh.primitives() {
            let material = self.material(&primitive.material());
            if self.is_lamp(&primitive, &material) {
                let data = in_world(self.triangles(&primitive)?, matrix);
                if let Some(mut lamp) = parallelogram(&data) {
                    lamp.insert("emission".into(), material["emission"].clone());
                    self.draft.light(&name, "area_quad_light", lamp)?;
                    continue;
                }
            }
            let key = made_of(&primitive);
            let part = match primitive.material().name() {
                Some(material) if primitives > 1 => format!("{name} {material}"),
                _ => name.clone(),
            };
            let alone = uses.get(&mesh.index()) == Some(&1);
            match Placement::of(matrix) {
                Some(placement) => {
                    let Some((asset, local)) = self.kept(key, &part, &primitive)? else { continue };
                    let (group, draft) = (group.as_deref(), &mut self.draft);
                    draft.mesh_at(&part, group, &asset, &placement, local, material)?;
                }
                None if alone => {
                    let data = in_world(self.triangles(&primitive)?, matrix);
                    self.draft.mesh_in_world(&part, group.as_deref(), data, material)?;
                }
                None => {
                    let data = bent(&self.triangles(&primitive)?, matrix);
                    let Some(local) = self.draft.sound(&part, &data) else { continue };
                    let asset = self.draft.mesh(&part, data);
                    let placement = Placement::at(matrix.w_axis.truncate());
                    let (group, draft) = (group.as_deref(), &mut self.draft);
                    draft.mesh_at(&part, group, &asset, &placement, local, material)?;
                }
            }
        }
        Ok(())
    }

    /// Whether a primitive may be a light with an area: a glowing quadrilateral, seen from its front
    /// only.
    fn is_lamp(&self, primitive: &gltf::Primitive<'_>, material: &Value) -> bool {
        let small = primitive.indices().is_some_and(|indices| indices.count() == 6);
        small && !primitive.material().double_sided() && material["type"] == "emissive"
    }

    /// A primitive as a mesh of its own, kept once for all nodes that show it.
    fn kept(
        &mut self,
        key: Made,
        name: &str,
        primitive: &gltf::Primitive<'_>,
    ) -> Result<Option<(String, Aabb)>, SceneFileFault> {
        if let Some(known) = self.meshes.get(&key) {
            return Ok(Some(known.clone()));
        }
        let data = self.triangles(primitive)?;
        let Some(local) = self.draft.sound(name, &data) else { return Ok(None) };
        let asset = self.draft.mesh(name, data);
        self.meshes.insert(key, (asset.clone(), local));
        Ok(Some((asset, local)))
    }

    fn triangles(&mut self, primitive: &gltf::Primitive<'_>) -> Result<MeshData, SceneFileFault> {
        let data = self.file.triangles(primitive, &self.left)?;
        self.left = self.left.without(&data);
        Ok(data)
    }

    fn material(&mut self, material: &gltf::Material<'_>) -> Value {
        let at = material.index().unwrap_or(self.materials.len() - 1);
        if let Some(known) = &self.materials[at] {
            return known.clone();
        }
        let json = material.index().and_then(|index| self.file.json["materials"].get(index));
        let made = from_gltf(json.unwrap_or(&Value::Null), &mut self.textures, &mut self.draft);
        self.materials[at] = Some(made.clone());
        made
    }

    fn look_and_light(&mut self, nodes: &[Placed<'_>]) -> Result<(), SceneFileFault> {
        let Some(bounds) = self.draft.bounds() else { return Ok(()) };
        let generator = &self.file.document.as_json().asset.generator;
        for Placed { node, matrix: columns, .. } in nodes {
            let matrix = matrix(*columns);
            if let Some(light) = node.light() {
                let name = light.name().or(node.name()).unwrap_or("light").to_owned();
                let placed = PlacedLight { light, name, matrix };
                light::add(
                    &placed,
                    generator.as_deref().unwrap_or_default(),
                    bounds,
                    &mut self.draft,
                )?;
            }
            let Some(seen) = node.camera() else { continue };
            let [eye, forward, up] =
                [matrix.w_axis, -matrix.z_axis, matrix.y_axis].map(|axis| axis.truncate());
            let (forward, up) = (forward.normalize_or_zero(), up.normalize_or_zero());
            let angle = match seen.projection() {
                Projection::Perspective(lens) => f64::from(lens.yfov()).to_degrees(),
                Projection::Orthographic(_) => 45.0,
            };
            let mut made = camera(eye, forward, up, angle, Some(bounds));
            if let Projection::Orthographic(window) = seen.projection() {
                made["projection"] = "orthographic".into();
                made["height"] = json!(tidy(
                    (2.0 * f64::from(window.ymag().abs())).clamp(1e-6, scene::MAX_COORDINATE)
                ));
            }
            let extras = &self.file.json["cameras"][seen.index()]["extras"];
            focus(&mut made, extras, eye, forward);
            self.draft.look(made);
        }
        self.surround();
        Ok(())
    }

    /// glTF says nothing of the surroundings. Ours are kept where they were written; a file with
    /// lights of its own gets a little light from all around, another one a sky.
    fn surround(&mut self) {
        let at = self.file.document.default_scene().map_or(0, |scene| scene.index());
        let kept = self.file.json.pointer(&format!("/scenes/{at}/extras/{ENVIRONMENT}")).cloned();
        let is_whole = |value: &Value| {
            scene::Environment::from_json(value).is_ok_and(|read| read.asset_name().is_none())
        };
        if let Some(environment) = kept.filter(is_whole) {
            self.draft.surround(environment);
        } else if self.draft.has_lights() {
            self.draft.note("glTF says nothing of the surroundings: they shine a little, evenly");
            self.draft.surround(json!({ "type": "uniform", "emission": [0.1, 0.1, 0.1] }));
        } else {
            self.draft.note("glTF says nothing of the surroundings: there is a light sky");
        }
    }

    fn note_the_rest(&mut self) {
        let json = &self.file.json;
        let has = |list: &str| json[list].as_array().is_some_and(|list| !list.is_empty());
        if has("animations") {
            self.draft.note("animations are left out");
        }
        if has("skins") {
            self.draft.note("skins are left out: meshes stand as they were modelled");
        }
        let meshes = json["meshes"].as_array().into_iter().flatten();
        let mut parts = meshes.filter_map(|mesh| mesh["primitives"].as_array()).flatten();
        if parts.any(|part| part.get("targets").is_some()) {
            self.draft.note("morph targets are left out");
        }
    }
}

/// What a camera of ours says of its lens, and of the point it looks at.
fn focus(camera: &mut Value, extras: &Value, eye: DVec3, forward: DVec3) {
    let number =
        |name: &str| extras.get(name).and_then(Value::as_f64).filter(|number| *number > 0.0);
    if let Some(aperture) = number("aperture") {
        camera["aperture"] = json!(aperture);
    }
    if let Some(distance) = number("focus_distance") {
        camera["focus_distance"] = json!(distance);
    }
    if let Some(distance) = number("look_at_distance") {
        camera["look_at"] = json!((eye + forward * distance).to_array().map(tidy));
    }
}
