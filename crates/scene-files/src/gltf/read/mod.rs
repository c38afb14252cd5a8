//! Reader: the nodes, meshes, materials, lights and cameras of a glTF file as a scene.

mod json;
mod light;
mod material;
mod texture;

use std::collections::HashMap;

use glam::DVec3;
use gltf::camera::Projection;
use media::MeshData;
use mesh_files::{GltfFile, Limits, PlacedNode};
use scene::Aabb;
use serde_json::{Value, json};

use super::ENVIRONMENT;
use crate::SceneFileError;
use crate::cancel::{Cancelled, check_cancelled};
use crate::import::{FileSource, Imported, SceneBuilder};
use crate::mesh_transform::{
    MeshTransform, camera, in_world, matrix, quad_of_mesh, tidy, vector_json, with_linear_part,
};
use light::PlacedLight;
use material::from_gltf;
use texture::Textures;

pub(crate) fn read(
    bytes: &[u8],
    name: &str,
    limits: &Limits,
    files: FileSource<'_>,
    cancelled: Cancelled<'_>,
) -> Result<Imported, SceneFileError> {
    let file = GltfFile::open(bytes, files)?;
    let mut reader = Reader {
        materials: vec![None; file.document.materials().len() + 1],
        meshes: HashMap::new(),
        groups: HashMap::new(),
        left: *limits,
        builder: SceneBuilder::default(),
        textures: Textures::new(&file, files),
        file: &file,
    };
    let nodes = file.placed_nodes()?;
    let uses = mesh_uses(&nodes);
    for placed in &nodes {
        check_cancelled(cancelled)?;
        reader.add_node(placed, name, &uses)?;
    }
    reader.add_lights_and_cameras(&nodes)?;
    reader.add_environment();
    reader.note_losses();
    reader.builder.finish()
}

/// Mode and accessors of a primitive: equal keys have equal triangles.
type PrimitiveKey = (u32, [Option<usize>; 4]);

fn primitive_key(primitive: &gltf::Primitive<'_>) -> PrimitiveKey {
    use gltf::Semantic::{Normals, Positions, TexCoords};
    let [positions, normals, uv] = [Positions, Normals, TexCoords(0)]
        .map(|what| primitive.get(&what).map(|accessor| accessor.index()));
    (
        primitive.mode().as_gl_enum(),
        [positions, normals, uv, primitive.indices().map(|it| it.index())],
    )
}

/// The number of nodes of each mesh.
fn mesh_uses(nodes: &[PlacedNode<'_>]) -> HashMap<usize, usize> {
    let mut uses = HashMap::new();
    for mesh in nodes.iter().filter_map(|placed| placed.node.mesh()) {
        *uses.entry(mesh.index()).or_default() += 1;
    }
    uses
}

struct Reader<'a> {
    file: &'a GltfFile,
    textures: Textures<'a>,
    builder: SceneBuilder,
    /// The materials in the JSON of a scene, by index. The last one is for primitives without a material.
    materials: Vec<Option<Value>>,
    /// The assets of the meshes added so far, with their bounding boxes.
    meshes: HashMap<PrimitiveKey, (String, Aabb)>,
    /// The groups that nodes became.
    groups: HashMap<usize, String>,
    /// The remaining limits.
    left: Limits,
}

impl Reader<'_> {
    fn add_node(
        &mut self,
        placed: &PlacedNode<'_>,
        file_name: &str,
        uses: &HashMap<usize, usize>,
    ) -> Result<(), SceneFileError> {
        let PlacedNode { node, parent, matrix: columns } = placed;
        let mesh = node.mesh();
        let name = node.name().or_else(|| mesh.as_ref()?.name()).unwrap_or(file_name).to_owned();
        let primitives = mesh.as_ref().map_or(0, |mesh| mesh.primitives().len());
        let outer = parent.and_then(|parent| self.groups.get(&parent)).cloned();
        let has_parts = node.children().len() > 0 || primitives > 1;
        let group = if has_parts {
            let group = self.builder.group(&name, outer.as_deref());
            self.groups.insert(node.index(), group.clone());
            Some(group)
        } else {
            outer
        };
        let Some(mesh) = mesh else { return Ok(()) };
        let matrix = matrix(*columns);
        for primitive in mesh.primitives() {
            let material = self.material(&primitive.material());
            if self.may_be_area_light(&primitive, &material) {
                let data = in_world(self.triangles(&primitive)?, matrix);
                if let Some(mut light) = quad_of_mesh(&data) {
                    light.insert("emission".into(), material["emission"].clone());
                    self.builder.light(&name, "area_quad_light", light)?;
                    continue;
                }
            }
            let key = primitive_key(&primitive);
            let part = match primitive.material().name() {
                Some(material) if primitives > 1 => format!("{name} {material}"),
                _ => name.clone(),
            };
            let is_single = uses.get(&mesh.index()) == Some(&1);
            match MeshTransform::of(matrix) {
                Some(transform) => {
                    let Some((asset, local)) = self.mesh(key, &part, &primitive)? else { continue };
                    let (group, builder) = (group.as_deref(), &mut self.builder);
                    builder.mesh_at(&part, group, &asset, &transform, local, material)?;
                }
                None if is_single => {
                    let data = in_world(self.triangles(&primitive)?, matrix);
                    self.builder.mesh_in_world(&part, group.as_deref(), data, material)?;
                }
                None => {
                    let data = with_linear_part(&self.triangles(&primitive)?, matrix);
                    let Some(local) = self.builder.check_mesh(&part, &data) else { continue };
                    let asset = self.builder.mesh(&part, data);
                    let transform = MeshTransform::at(matrix.w_axis.truncate());
                    let (group, builder) = (group.as_deref(), &mut self.builder);
                    builder.mesh_at(&part, group, &asset, &transform, local, material)?;
                }
            }
        }
        Ok(())
    }

    /// Whether a primitive may be an area light: an emissive, single-sided quad.
    fn may_be_area_light(&self, primitive: &gltf::Primitive<'_>, material: &Value) -> bool {
        let small = primitive.indices().is_some_and(|indices| indices.count() == 6);
        small && !primitive.material().double_sided() && material["type"] == "emissive"
    }

    /// The asset of a primitive and its bounding box; `None` for an invalid mesh.
    fn mesh(
        &mut self,
        key: PrimitiveKey,
        name: &str,
        primitive: &gltf::Primitive<'_>,
    ) -> Result<Option<(String, Aabb)>, SceneFileError> {
        if let Some(known) = self.meshes.get(&key) {
            return Ok(Some(known.clone()));
        }
        let data = self.triangles(primitive)?;
        let Some(local) = self.builder.check_mesh(name, &data) else { return Ok(None) };
        let asset = self.builder.mesh(name, data);
        self.meshes.insert(key, (asset.clone(), local));
        Ok(Some((asset, local)))
    }

    fn triangles(&mut self, primitive: &gltf::Primitive<'_>) -> Result<MeshData, SceneFileError> {
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
        let made = from_gltf(json.unwrap_or(&Value::Null), &mut self.textures, &mut self.builder);
        self.materials[at] = Some(made.clone());
        made
    }

    fn add_lights_and_cameras(&mut self, nodes: &[PlacedNode<'_>]) -> Result<(), SceneFileError> {
        let Some(bounds) = self.builder.bounds() else { return Ok(()) };
        let generator = &self.file.document.as_json().asset.generator;
        for PlacedNode { node, matrix: columns, .. } in nodes {
            let matrix = matrix(*columns);
            if let Some(light) = node.light() {
                let name = light.name().or(node.name()).unwrap_or("light").to_owned();
                let placed = PlacedLight { light, name, matrix };
                light::add(
                    &placed,
                    generator.as_deref().unwrap_or_default(),
                    bounds,
                    &mut self.builder,
                )?;
            }
            let Some(gltf_camera) = node.camera() else { continue };
            let [eye, forward, up] =
                [matrix.w_axis, -matrix.z_axis, matrix.y_axis].map(|axis| axis.truncate());
            let (forward, up) = (forward.normalize_or_zero(), up.normalize_or_zero());
            let angle = match gltf_camera.projection() {
                Projection::Perspective(lens) => f64::from(lens.yfov()).to_degrees(),
                Projection::Orthographic(_) => 45.0,
            };
            let mut made = camera(eye, forward, up, angle, Some(bounds));
            if let Projection::Orthographic(window) = gltf_camera.projection() {
                made["projection"] = "orthographic".into();
                made["height"] = json!(tidy(
                    (2.0 * f64::from(window.ymag().abs())).clamp(1e-6, scene::MAX_COORDINATE)
                ));
            }
            let extras = &self.file.json["cameras"][gltf_camera.index()]["extras"];
            add_lens(&mut made, extras, eye, forward);
            self.builder.set_camera(made);
        }
        Ok(())
    }

    /// glTF has no environment. One that this program wrote is taken from the extras. Otherwise a file
    /// with lights gets a dim uniform one, a file without lights the default.
    fn add_environment(&mut self) {
        if self.builder.bounds().is_none() {
            return;
        }
        let at = self.file.document.default_scene().map_or(0, |scene| scene.index());
        let written =
            self.file.json.pointer(&format!("/scenes/{at}/extras/{ENVIRONMENT}")).cloned();
        let is_valid = |value: &Value| {
            scene::Environment::from_json(value).is_ok_and(|read| read.asset_name().is_none())
        };
        if let Some(environment) = written.filter(is_valid) {
            self.builder.set_environment(environment);
        } else if self.builder.has_lights() {
            self.builder.note("glTF says nothing of the surroundings: they shine a little, evenly");
            self.builder.set_environment(json!({ "type": "uniform", "emission": [0.1, 0.1, 0.1] }));
        } else {
            self.builder.note("glTF says nothing of the surroundings: there is a light sky");
        }
    }

    fn note_losses(&mut self) {
        let json = &self.file.json;
        let has = |list: &str| json[list].as_array().is_some_and(|list| !list.is_empty());
        if has("animations") {
            self.builder.note("animations are left out");
        }
        if has("skins") {
            self.builder.note("skins are left out: meshes stand as they were modelled");
        }
        let meshes = json["meshes"].as_array().into_iter().flatten();
        let mut parts = meshes.filter_map(|mesh| mesh["primitives"].as_array()).flatten();
        if parts.any(|part| part.get("targets").is_some()) {
            self.builder.note("morph targets are left out");
        }
    }
}

/// Adds lens and target of a camera that this program wrote.
fn add_lens(camera: &mut Value, extras: &Value, eye: DVec3, forward: DVec3) {
    let number =
        |name: &str| extras.get(name).and_then(Value::as_f64).filter(|number| *number > 0.0);
    if let Some(aperture) = number("aperture") {
        camera["aperture"] = json!(aperture);
    }
    if let Some(distance) = number("focus_distance") {
        camera["focus_distance"] = json!(distance);
    }
    if let Some(distance) = number("look_at_distance") {
        camera["look_at"] = vector_json(eye + forward * distance);
    }
}
