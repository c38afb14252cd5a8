//! Writer: a scene as glTF, with a node for each group, shape and light, and one for the camera.

mod buffer;
mod groups;
mod light;
mod material;
mod texture;

use std::collections::HashMap;

use glam::{DMat3, DMat4, DQuat, DVec3};
use scene::{Camera, Environment, MAX_COORDINATE, Projection, Scene};
use serde_json::{Value, json};

use super::ENVIRONMENT;
use crate::SceneFileError;
use crate::export::{
    Bounds, Content, Exported, ImageFile, Instance, InstanceTextures, Instances, Sources, Surface,
    TextureExporter,
};
use buffer::{Buffer, glb};
use groups::{origins, parents};
use material::area_light_material;
pub(super) use material::to_gltf;
use texture::TextureList;

pub(crate) fn write(
    scene: &Scene,
    binary: bool,
    name: &str,
    sources: &mut Sources<'_>,
    bounds: &Bounds,
) -> Result<Exported, SceneFileError> {
    let mut instances = Instances::of(scene);
    let mut exported = Exported::default();
    let mut textures = TextureExporter::new(scene, &instances);
    textures.note_losses(&mut exported);
    note_losses(scene, &instances, &mut exported);
    let mut writer = Writer::default();
    let groups = writer.add_groups(scene);
    for at in 0..instances.list.len() {
        // Below, with the lights.
        if instances.list[at].is_hidden {
            continue;
        }
        let textures = textures.export(at, &mut instances, sources, bounds, &mut exported)?;
        let group = instances.list[at].group.as_ref().and_then(|group| groups.get(group.as_str()));
        let origin = group.map(|group| group.origin).unwrap_or_default();
        let node = writer.instance(at, textures.as_ref(), origin, &mut instances, sources)?;
        writer.add_child(node, group.map(|group| &group.node));
    }
    for source in &scene.lights {
        let id = source.id.as_str();
        let Some(placed) = light::placed(id, &source.light) else { continue };
        let group = source.group.as_ref().and_then(|group| groups.get(group.as_str()));
        let origin = group.map(|group| group.origin).unwrap_or_default();
        let node = writer.light(id, placed, origin);
        writer.add_child(node, group.map(|group| &group.node));
    }
    let camera = writer.camera(&scene.camera);
    writer.add_child(camera, None);
    writer.root.sort_unstable();
    let mut root = json!({ "nodes": writer.root });
    // The image of an environment is not in the file.
    if scene.environment.asset_name().is_none() {
        root["extras"] = json!({ ENVIRONMENT: scene.environment.to_json() });
    }
    exported.files = writer.finish(&root, &mut textures.images, binary, name);
    Ok(exported)
}

fn note_losses(scene: &Scene, instances: &Instances, exported: &mut Exported) {
    exported.note_losses(scene);
    let is_light = |instance: &&Instance| matches!(instance.surface, Surface::Light(_));
    let mut lights = instances.list.iter().filter(is_light);
    if lights.clone().any(|light| !light.is_hidden) {
        exported.note("lights with an area stand as glowing surfaces");
    }
    if lights.any(|light| light.is_hidden) {
        exported.note("lights that the camera does not see stand as lights without an area");
    }
    if !matches!(scene.environment, Environment::Darkness(_)) {
        exported.note("other programs do not see the surroundings, which glTF has no place for");
    }
    if scene.camera.projection == Projection::Panoramic {
        exported.note("the panoramic camera stands as a perspective one");
    }
}

/// The node of a group.
struct GroupNode {
    node: usize,
    /// In the world.
    origin: DVec3,
}

/// The lists of a glTF file, as they are filled.
#[derive(Default)]
struct Writer {
    nodes: Vec<Value>,
    /// The children of each node.
    children: HashMap<usize, Vec<usize>>,
    /// Nodes without a parent.
    root: Vec<usize>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    /// Indices into `materials`, by their JSON.
    material_indices: HashMap<String, usize>,
    textures: TextureList,
    lights: Vec<Value>,
    cameras: Vec<Value>,
    buffer: Buffer,
    /// The primitive of each geometry, without a material.
    primitives: HashMap<usize, Value>,
    /// Indices into `meshes`, by geometry and material.
    mesh_indices: HashMap<(usize, usize), usize>,
}

impl Writer {
    fn node(&mut self, node: Value) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Adds a node to its parent, or to the root.
    fn add_child(&mut self, node: usize, parent: Option<&usize>) {
        match parent {
            Some(parent) => self.children.entry(*parent).or_default().push(node),
            None => self.root.push(node),
        }
    }

    /// Adds a node for each group, and returns them by the groups' ids.
    fn add_groups<'a>(&mut self, scene: &'a Scene) -> HashMap<&'a str, GroupNode> {
        let parents = parents(scene);
        let origins = origins(scene, &parents);
        let origin_of = |id: &str| origins.get(id).copied().unwrap_or_default();
        let mut groups = HashMap::new();
        for id in scene.group_ids() {
            groups.entry(id).or_insert_with(|| {
                let origin = origin_of(id);
                let of_parent = parents.get(id).copied().map(origin_of).unwrap_or_default();
                let mut node = transform(DMat4::from_translation(origin - of_parent));
                node["name"] = id.into();
                GroupNode { node: self.node(node), origin }
            });
        }
        for (id, group) in &groups {
            let parent = parents.get(id).and_then(|parent| groups.get(parent));
            self.add_child(group.node, parent.map(|parent| &parent.node));
        }
        groups
    }

    /// Adds the node of an instance, with its mesh and material. `origin` is that of its group.
    fn instance(
        &mut self,
        at: usize,
        textures: Option<&InstanceTextures>,
        origin: DVec3,
        instances: &mut Instances,
        sources: &mut Sources<'_>,
    ) -> Result<usize, SceneFileError> {
        let instance = &instances.list[at];
        let mut material = match &instance.surface {
            Surface::Material(material) => to_gltf(material),
            Surface::Light(radiance) => area_light_material(*radiance),
        };
        material["doubleSided"] = instance.double_sided.into();
        if let Some(textures) = textures {
            self.textures.apply(&textures.material, &mut material);
        }
        let material = self.material(material);
        let geometry = textures.map_or(instance.geometry, |textures| textures.geometry);
        let mesh = match self.mesh_indices.get(&(geometry, material)) {
            Some(known) => *known,
            None => {
                let mut primitive = self.primitive(geometry, instances, sources)?;
                primitive["material"] = material.into();
                let name = instances.list[at].id.as_str();
                self.meshes.push(json!({ "name": name, "primitives": [primitive] }));
                self.mesh_indices.insert((geometry, material), self.meshes.len() - 1);
                self.meshes.len() - 1
            }
        };
        let instance = &instances.list[at];
        let mut node = transform(DMat4::from_translation(-origin) * instance.matrix);
        node["name"] = instance.id.as_str().into();
        node["mesh"] = mesh.into();
        Ok(self.node(node))
    }

    /// The index of a material, which is added if it is new.
    fn material(&mut self, material: Value) -> usize {
        let next = self.materials.len();
        let index = *self.material_indices.entry(material.to_string()).or_insert(next);
        if index == next {
            self.materials.push(material);
        }
        index
    }

    /// The primitive of a geometry, whose mesh is written the first time.
    fn primitive(
        &mut self,
        geometry: usize,
        instances: &mut Instances,
        sources: &mut Sources<'_>,
    ) -> Result<Value, SceneFileError> {
        if let Some(known) = self.primitives.get(&geometry) {
            return Ok(known.clone());
        }
        let mesh = instances.mesh(geometry, sources)?;
        let primitive = self.buffer.primitive(&mesh);
        instances.release(geometry);
        self.primitives.insert(geometry, primitive.clone());
        Ok(primitive)
    }

    /// Adds the node of a light, which shines along its -z. `origin` is that of its group.
    fn light(&mut self, id: &str, placed: light::Placed, origin: DVec3) -> usize {
        self.lights.push(placed.light);
        let forward = DVec3::from_array(placed.direction).normalize();
        let rotation = DQuat::from_rotation_arc(DVec3::NEG_Z, forward);
        let center = DVec3::from_array(placed.center) - origin;
        let mut node = transform(DMat4::from_rotation_translation(rotation, center));
        node["name"] = id.into();
        node["extensions"] = json!({ "KHR_lights_punctual": { "light": self.lights.len() - 1 } });
        self.node(node)
    }

    /// Adds the camera and its node.
    fn camera(&mut self, camera: &Camera) -> usize {
        let [eye, target, up] =
            [camera.center.get(), camera.look_at.get(), camera.up.get()].map(DVec3::from_array);
        let forward = (target - eye).normalize();
        // Any perpendicular vector will do for a camera that looks along its up vector.
        let right = forward.cross(up).try_normalize().unwrap_or(forward.any_orthonormal_vector());
        let rotation = DMat3::from_cols(right, right.cross(forward), -forward);
        let mut node = transform(DMat4::from_mat3_translation(rotation, eye));
        node["name"] = "camera".into();
        node["camera"] = 0.into();
        let mut json = json!({ "extras": { "aperture": camera.aperture.get(),
            "focus_distance": camera.focus_distance.map(scene::Length::get),
            "look_at_distance": eye.distance(target) } });
        if camera.projection == Projection::Orthographic {
            // xmag and ymag are half of the view, for an aspect ratio of 4:3.
            let half = 0.5 * camera.view_height();
            json["type"] = "orthographic".into();
            json["orthographic"] = json!({ "xmag": half * 4.0 / 3.0, "ymag": half, "znear": 0.0, "zfar": 2.0 * MAX_COORDINATE });
        } else {
            json["type"] = "perspective".into();
            json["perspective"] = json!({ "yfov": camera.vfov.get().to_radians(), "znear": 0.01 });
        }
        self.cameras.push(json);
        self.node(node)
    }

    /// The files: one in binary, else the JSON, the buffer and the images.
    fn finish(
        mut self,
        root: &Value,
        images: &mut [ImageFile],
        binary: bool,
        name: &str,
    ) -> Vec<(String, Content)> {
        let mut image_files = Vec::new();
        let mut image_list = Vec::new();
        for (at, image) in self.textures.take_images(images).into_iter().enumerate() {
            image_list.push(if binary {
                let view = self.buffer.view(image.bytes, None);
                json!({ "bufferView": view, "mimeType": image.format.media_type() })
            } else {
                let path = image.path(at, name);
                image_files.push((path.clone(), image.bytes.into()));
                json!({ "uri": path })
            });
        }
        let has_buffer = !self.buffer.bytes.is_empty();
        let bytes = std::mem::take(&mut self.buffer.bytes);
        let file = self.into_json(root, image_list, (!binary).then(|| format!("{name}.bin")));
        if binary {
            return vec![(format!("{name}.glb"), glb(&file, bytes))];
        }
        let mut files = vec![(format!("{name}.gltf"), file.to_string().into_bytes().into())];
        if has_buffer {
            files.push((format!("{name}.bin"), bytes));
        }
        files.extend(image_files);
        files
    }

    /// The JSON of the file. `uri` is that of the buffer, if it is a file.
    fn into_json(mut self, root: &Value, images: Vec<Value>, uri: Option<String>) -> Value {
        for (parent, mut children) in std::mem::take(&mut self.children) {
            children.sort_unstable();
            self.nodes[parent]["children"] = children.into();
        }
        let mut extensions = self.extensions_used();
        let mut file = json!({
            "asset": { "version": "2.0", "generator": concat!("scene-llm ", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [root],
            "nodes": self.nodes,
            "cameras": self.cameras,
        });
        // The specification forbids empty lists.
        let lists = [
            ("images", images),
            ("samplers", self.textures.samplers()),
            ("textures", self.textures.textures()),
            ("meshes", self.meshes),
            ("materials", self.materials),
            ("accessors", self.buffer.accessors),
            ("bufferViews", self.buffer.views),
        ];
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            file[name] = list.into();
        }
        if self.buffer.length > 0 {
            let mut buffer = json!({ "byteLength": self.buffer.length });
            if let Some(uri) = uri {
                buffer["uri"] = uri.into();
            }
            file["buffers"] = json!([buffer]);
        }
        if !self.lights.is_empty() {
            extensions.push("KHR_lights_punctual".into());
            file["extensions"] = json!({ "KHR_lights_punctual": { "lights": self.lights } });
        }
        if !extensions.is_empty() {
            file["extensionsUsed"] = extensions.into();
        }
        file
    }

    /// The extensions of materials and textures.
    fn extensions_used(&self) -> Vec<String> {
        let mut extensions: Vec<String> = self
            .materials
            .iter()
            .filter_map(|material| material["extensions"].as_object())
            .flat_map(|extensions| extensions.keys().cloned())
            .collect();
        extensions.extend(self.textures.extension().map(str::to_owned));
        extensions.sort();
        extensions.dedup();
        extensions
    }
}

/// A node with translation, rotation and scale, which users of other programs edit more easily than a
/// matrix.
fn transform(matrix: DMat4) -> Value {
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    let mut node = json!({});
    if translation != DVec3::ZERO {
        node["translation"] = json!(translation.to_array());
    }
    if rotation.angle_between(DQuat::IDENTITY) > 1e-9 {
        node["rotation"] = json!(rotation.to_array());
    }
    if (scale - DVec3::ONE).abs().max_element() > 1e-9 {
        node["scale"] = json!(scale.to_array());
    }
    node
}
