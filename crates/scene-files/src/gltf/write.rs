//! A scene as glTF: a node for each group, shape and light, and one for the camera.

use std::collections::HashMap;

use glam::{DMat3, DMat4, DQuat, DVec3};
use media::MeshData;
use scene::{
    Camera, DirectionalLight, Environment, Group, Light, MAX_COORDINATE, PointSpotLight,
    Projection, Scene,
};
use serde_json::{Value, json};

use super::material::{light_material, to_gltf};
use super::pictures::Pictures;
use super::read::ENVIRONMENT;
use crate::content::Content;
use crate::parts::{Look, Parts};
use crate::textures::{Image, Painted, Painter};
use crate::{Bounds, Exported, SceneFileFault, Sources};

/// Numbers of the specification.
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;

pub(crate) fn write(
    scene: &Scene,
    binary: bool,
    name: &str,
    sources: &mut Sources<'_>,
    bounds: &Bounds,
) -> Result<Exported, SceneFileFault> {
    let mut parts = Parts::of(scene);
    let mut exported = Exported::default();
    exported.note_losses(scene);
    let mut painter = Painter::of(scene, &parts);
    painter.note_losses(&mut exported);
    if !scene.lights.is_empty()
        && parts.parts.iter().any(|part| matches!(part.material, Look::Light(_)))
    {
        exported.note("lights with an area stand as glowing surfaces");
    }
    if !matches!(scene.environment, Environment::Darkness(_)) {
        exported.note("other programs do not see the surroundings, which glTF has no place for");
    }
    let mut writer = Writer::default();
    let mut root = Vec::new();
    let mut groups = HashMap::new();
    for id in scene.group_ids() {
        groups.entry(id.to_owned()).or_insert_with(|| writer.node(json!({ "name": id })));
    }
    let listed: HashMap<&str, &Group> =
        scene.groups.iter().map(|group| (group.id.as_str(), group)).collect();
    for (id, node) in &groups {
        let parent = listed.get(id.as_str()).and_then(|group| group.parent.as_ref());
        writer.hang(*node, parent.and_then(|parent| groups.get(parent.as_str())), &mut root);
    }
    for at in 0..parts.parts.len() {
        let painted = painter.paint(at, &mut parts, sources, bounds, &mut exported)?;
        let node = writer.part(at, painted.as_ref(), &mut parts, sources)?;
        let group = parts.parts[at].group.as_ref().and_then(|group| groups.get(group));
        writer.hang(node, group, &mut root);
    }
    for source in &scene.lights {
        let node = match &source.light {
            Light::PointSpotLight(light) => writer.light(source.id.as_str(), light),
            Light::DirectionalLight(light) => writer.sun(source.id.as_str(), light),
            _ => continue,
        };
        let group = source.group.as_ref().and_then(|group| groups.get(group.as_str()));
        writer.hang(node, group, &mut root);
    }
    root.push(writer.camera(&scene.camera));
    root.sort_unstable();
    let mut top = json!({ "nodes": root });
    // Images are not in the file.
    if scene.environment.asset_name().is_none() {
        top["extras"] = json!({ ENVIRONMENT: scene.environment.to_json() });
    }
    if scene.camera.projection == Projection::Panoramic {
        exported.note("the panoramic camera stands as a perspective one");
    }
    exported.files = writer.finish(&top, &mut painter.images, binary, name);
    Ok(exported)
}

/// The lists of a file, as they grow.
#[derive(Default)]
struct Writer {
    nodes: Vec<Value>,
    children: HashMap<usize, Vec<usize>>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    /// The places of the materials, by their text.
    material_places: HashMap<String, usize>,
    pictures: Pictures,
    lights: Vec<Value>,
    cameras: Vec<Value>,
    accessors: Vec<Value>,
    views: Vec<Value>,
    bytes: Content,
    /// How many they are.
    length: usize,
    /// The accessors of meshes that are in the file, and the meshes of those with a material.
    written: HashMap<usize, Value>,
    shown: HashMap<(usize, usize), usize>,
}

impl Writer {
    fn node(&mut self, node: Value) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Puts a node into its group, or at the top.
    fn hang(&mut self, node: usize, parent: Option<&usize>, root: &mut Vec<usize>) {
        match parent {
            Some(parent) => self.children.entry(*parent).or_default().push(node),
            None => root.push(node),
        }
    }

    fn part(
        &mut self,
        at: usize,
        painted: Option<&Painted>,
        parts: &mut Parts,
        sources: &mut Sources<'_>,
    ) -> Result<usize, SceneFileFault> {
        let part = &parts.parts[at];
        let mut material = match &part.material {
            Look::Material(material) => to_gltf(material),
            Look::Light(radiance) => light_material(*radiance),
        };
        material["doubleSided"] = part.both_sides.into();
        if let Some(painted) = painted {
            self.pictures.show(&mut material, &painted.painting);
        }
        let next = self.materials.len();
        let material_at = *self.material_places.entry(material.to_string()).or_insert(next);
        if material_at == next {
            self.materials.push(material);
        }
        let material = material_at;
        let form = painted.map_or(part.form, |painted| painted.form);
        let mesh = match self.shown.get(&(form, material)) {
            Some(known) => *known,
            None => {
                let mut primitive = match self.written.get(&form) {
                    Some(known) => known.clone(),
                    None => {
                        let data = parts.mesh(form, sources)?;
                        let written = self.primitive(&data);
                        parts.let_go(form);
                        self.written.insert(form, written.clone());
                        written
                    }
                };
                primitive["material"] = material.into();
                let name = parts.parts[at].id.as_str();
                self.meshes.push(json!({ "name": name, "primitives": [primitive] }));
                self.shown.insert((form, material), self.meshes.len() - 1);
                self.meshes.len() - 1
            }
        };
        let part = &parts.parts[at];
        let mut node = placed(part.matrix);
        node["name"] = part.id.as_str().into();
        node["mesh"] = mesh.into();
        Ok(self.node(node))
    }

    fn primitive(&mut self, data: &MeshData) -> Value {
        let vertices = data.positions.len();
        let mut attributes = json!({ "POSITION": self.floats(&data.positions, "VEC3", true) });
        if data.normals.len() == vertices {
            // They must have length 1 there.
            let normals: Vec<[f32; 3]> = data
                .normals
                .iter()
                .map(|normal| {
                    glam::Vec3::from_array(*normal).normalize_or(glam::Vec3::Y).to_array()
                })
                .collect();
            attributes["NORMAL"] = self.floats(&normals, "VEC3", false).into();
        }
        if data.uv.len() == vertices {
            // Its v goes down from the top of an image.
            let uv: Vec<_> = data.uv.iter().map(|[u, v]| [*u, 1.0 - v]).collect();
            attributes["TEXCOORD_0"] = self.floats(&uv, "VEC2", false).into();
        }
        let indices = data.triangles.iter().flatten().flat_map(|index| index.to_le_bytes());
        let bytes: Vec<u8> = indices.collect();
        let view = self.view(bytes, Some(ELEMENT_ARRAY_BUFFER));
        self.accessors.push(json!({ "bufferView": view, "componentType": UNSIGNED_INT,
            "count": data.triangles.len() * 3, "type": "SCALAR" }));
        json!({ "attributes": attributes, "indices": self.accessors.len() - 1 })
    }

    /// An accessor of vectors; with their extent where the specification asks for it.
    fn floats<const N: usize>(&mut self, list: &[[f32; N]], kind: &str, extent: bool) -> usize {
        let bytes: Vec<u8> =
            list.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        let view = self.view(bytes, Some(ARRAY_BUFFER));
        let mut accessor = json!({ "bufferView": view, "componentType": FLOAT,
            "count": list.len(), "type": kind });
        if extent {
            let fold = |pick: fn(f32, f32) -> f32, start: f32| -> Vec<f32> {
                (0..N).map(|axis| list.iter().map(|item| item[axis]).fold(start, pick)).collect()
            };
            accessor["min"] = json!(fold(f32::min, f32::INFINITY));
            accessor["max"] = json!(fold(f32::max, f32::NEG_INFINITY));
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// A part of the binary data; `target` says what it is used for, of images nothing.
    fn view(&mut self, mut bytes: Vec<u8>, target: Option<u32>) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": self.length, "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = target.into();
        }
        self.views.push(view);
        // Each view begins where it may: at a multiple of four bytes.
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        self.length += bytes.len();
        self.bytes.push(bytes);
        self.views.len() - 1
    }

    fn light(&mut self, id: &str, light: &PointSpotLight) -> usize {
        let cutoff = light.cutoff_angle.get().to_radians();
        let narrow = cutoff < std::f64::consts::PI || light.falloff_exponent.get() > 0.0;
        let mut made = shining(id, if narrow { "spot" } else { "point" }, light.emission.get());
        if narrow {
            let outer = cutoff.min(std::f64::consts::FRAC_PI_2);
            made["spot"] = json!({
                "outerConeAngle": outer,
                "innerConeAngle": inner_angle(outer, light.falloff_exponent.get()),
            });
        }
        self.lamp(id, made, light.direction.get(), light.center.get())
    }

    fn sun(&mut self, id: &str, light: &DirectionalLight) -> usize {
        let made = shining(id, "directional", light.emission.get());
        self.lamp(id, made, light.direction.get(), light.center.get())
    }

    /// A node for a light, which shines along its -z.
    fn lamp(&mut self, id: &str, made: Value, direction: [f64; 3], center: [f64; 3]) -> usize {
        self.lights.push(made);
        let forward = DVec3::from_array(direction).normalize();
        let turn = DQuat::from_rotation_arc(DVec3::NEG_Z, forward);
        let mut node = placed(DMat4::from_rotation_translation(turn, DVec3::from_array(center)));
        node["name"] = id.into();
        node["extensions"] = json!({ "KHR_lights_punctual": { "light": self.lights.len() - 1 } });
        self.node(node)
    }

    fn camera(&mut self, camera: &Camera) -> usize {
        let [eye, target, up] =
            [camera.center.get(), camera.look_at.get(), camera.up.get()].map(DVec3::from_array);
        let forward = (target - eye).normalize();
        // Where one looks along the upward direction, anything to the side will do.
        let right = forward.cross(up).try_normalize().unwrap_or(forward.any_orthonormal_vector());
        let turn = DMat3::from_cols(right, right.cross(forward), -forward);
        let mut node = placed(DMat4::from_mat3_translation(turn, eye));
        node["name"] = "camera".into();
        node["camera"] = 0.into();
        let mut made = json!({ "extras": { "aperture": camera.aperture.get(),
            "focus_distance": camera.focus_distance.map(scene::Length::get),
            "look_at_distance": eye.distance(target) } });
        if camera.projection == Projection::Orthographic {
            // Half of what is seen, of a picture of the usual form.
            let half = 0.5 * camera.view_height();
            made["type"] = "orthographic".into();
            made["orthographic"] = json!({ "xmag": half * 4.0 / 3.0, "ymag": half, "znear": 0.0, "zfar": 2.0 * MAX_COORDINATE });
        } else {
            made["type"] = "perspective".into();
            made["perspective"] = json!({ "yfov": camera.vfov.get().to_radians(), "znear": 0.01 });
        }
        self.cameras.push(made);
        self.node(node)
    }

    fn finish(
        mut self,
        top: &Value,
        painted: &mut [Image],
        binary: bool,
        name: &str,
    ) -> Vec<(String, Content)> {
        let mut image_files = Vec::new();
        let mut images = Vec::new();
        for (at, image) in self.pictures.images(painted).into_iter().enumerate() {
            images.push(if binary {
                let view = self.view(image.bytes, None);
                json!({ "bufferView": view, "mimeType": image.format.media_type() })
            } else {
                let file = format!("{name}-images/{:03}.{}", at + 1, image.format.ending());
                image_files.push((file.clone(), image.bytes.into()));
                json!({ "uri": file })
            });
        }
        for (parent, children) in std::mem::take(&mut self.children) {
            self.nodes[parent]["children"] = children.into();
        }
        let mut used: Vec<String> = self
            .materials
            .iter()
            .filter_map(|material| material["extensions"].as_object())
            .flat_map(|extensions| extensions.keys().cloned())
            .collect();
        used.extend(self.pictures.extension().map(str::to_owned));
        used.sort();
        used.dedup();
        let mut buffer = json!({ "byteLength": self.length });
        if !binary {
            buffer["uri"] = format!("{name}.bin").into();
        }
        let mut file = json!({
            "asset": { "version": "2.0", "generator": concat!("scene-llm ", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [top],
            "nodes": self.nodes,
            "cameras": self.cameras,
        });
        // The specification forbids empty lists.
        let lists = [
            ("images", images),
            ("samplers", self.pictures.samplers()),
            ("textures", self.pictures.textures()),
            ("meshes", self.meshes),
            ("materials", self.materials),
            ("accessors", self.accessors),
            ("bufferViews", self.views),
        ];
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            file[name] = list.into();
        }
        if !self.bytes.is_empty() {
            file["buffers"] = json!([buffer]);
        }
        if !self.lights.is_empty() {
            used.push("KHR_lights_punctual".into());
            file["extensions"] = json!({ "KHR_lights_punctual": { "lights": self.lights } });
        }
        if !used.is_empty() {
            file["extensionsUsed"] = used.into();
        }
        if binary {
            return vec![(format!("{name}.glb"), glb(&file, self.bytes))];
        }
        let mut files = vec![(format!("{name}.gltf"), file.to_string().into_bytes().into())];
        if !self.bytes.is_empty() {
            files.push((format!("{name}.bin"), self.bytes));
        }
        files.extend(image_files);
        files
    }
}

/// A light of a kind, its colour and its strength apart.
fn shining(id: &str, kind: &str, emission: [f64; 3]) -> Value {
    let brightest = emission.into_iter().fold(0.0, f64::max);
    let colour = emission.map(|part| if brightest > 0.0 { part / brightest } else { 1.0 });
    json!({ "name": id, "type": kind, "color": colour, "intensity": brightest })
}

/// A node at a place; as translation, rotation and scale, which other programs like to edit.
fn placed(matrix: DMat4) -> Value {
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

/// The inner angle with which glTF leaves half the light where the exponent does.
fn inner_angle(outer: f64, exponent: f64) -> f64 {
    // It must be below the outer one.
    let most = outer * 0.999;
    if exponent == 0.0 {
        return most;
    }
    let half = 0.5f64.powf(1.0 / exponent);
    let cosine = outer.cos() + (half - outer.cos()) * std::f64::consts::SQRT_2;
    cosine.clamp(-1.0, 1.0).acos().clamp(0.0, most)
}

/// Header, the JSON, the binary part; each filled up to four bytes.
fn glb(file: &Value, bytes: Content) -> Content {
    let mut text = file.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    // A multiple of four, since each view is.
    let length = bytes.len();
    let binary = if length == 0 { 0 } else { 8 + length };
    let mut head = b"glTF".to_vec();
    for number in [2, 12 + 8 + text.len() + binary, text.len()] {
        head.extend_from_slice(&(number as u32).to_le_bytes());
    }
    head.extend_from_slice(b"JSON");
    let mut glb = Content::from(head);
    glb.push(text);
    if length > 0 {
        let mut head = (length as u32).to_le_bytes().to_vec();
        head.extend_from_slice(b"BIN\0");
        glb.push(head);
        glb.append(bytes);
    }
    glb
}
