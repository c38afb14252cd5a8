//! The scene that an importer builds.

use std::collections::{BTreeMap, HashMap, HashSet};

use media::MeshData;
use scene::{Aabb, MAX_ID_LENGTH, MAX_LIGHTS, MAX_SHAPES, Scene, Violations, is_hidden};
use serde_json::{Map, Value, json};

use crate::SceneFileError;
use crate::mesh_transform::{MeshTransform, camera_in_front, centered};

/// A mesh of an imported scene.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedMesh {
    /// The name by which shapes refer to it: a file name that ends in `.ply`.
    pub name: String,
    /// The triangles.
    pub data: MeshData,
}

/// An image of an imported scene.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedImage {
    /// The name by which materials refer to it: a file name whose extension tells the format.
    pub name: String,
    /// The content of its file, which can be decoded.
    pub bytes: Vec<u8>,
}

/// The result of an import.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The scene in JSON; its assets are `meshes` and `images`.
    file: Value,
    /// The meshes that shapes refer to.
    pub meshes: Vec<NamedMesh>,
    /// The images that materials refer to.
    pub images: Vec<NamedImage>,
    /// What was left out or changed, one sentence for each loss.
    pub notes: Vec<String>,
    /// The bounding box of the shapes, in the units of the file.
    pub bounds: Aabb,
}

impl Imported {
    /// The number of shapes and lights.
    pub fn objects(&self) -> usize {
        let count = |list: &str| self.file[list].as_array().map_or(0, Vec::len);
        count("shapes") + count("lights")
    }

    /// The scene. `rename` maps the names of `meshes` and `images` to asset names: paths, or hashes of
    /// uploads.
    pub fn scene(&self, rename: impl Fn(&str) -> String) -> Result<Scene, Violations> {
        let mut file = self.file.clone();
        rename_assets(&mut file, &rename);
        Scene::from_json(&file)
    }
}

fn rename_assets(value: &mut Value, rename: &impl Fn(&str) -> String) {
    match value {
        Value::Object(object) => {
            for (name, member) in object {
                match member {
                    Value::String(asset) if name == "asset" => *asset = rename(asset),
                    _ => rename_assets(member, rename),
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|item| rename_assets(item, rename)),
        _ => {}
    }
}

/// A scene in the making: collects objects and assets, gives out ids and counts notes.
#[derive(Debug, Default)]
pub(crate) struct SceneBuilder {
    shapes: Vec<Value>,
    lights: Vec<Value>,
    groups: Vec<Value>,
    environment: Option<Value>,
    camera: Option<Value>,
    meshes: Vec<NamedMesh>,
    images: Vec<NamedImage>,
    /// The bounding box of all shapes.
    bounds: Option<Aabb>,
    ids: HashSet<String>,
    /// The next number to append to an id that is taken.
    numbers: HashMap<String, usize>,
    notes: BTreeMap<String, usize>,
}

impl SceneBuilder {
    /// A free id, as near to `name` as the rules for ids allow.
    fn id(&mut self, name: &str) -> String {
        let is_plain = |letter: &char| !letter.is_control() && !is_hidden(*letter);
        // Leaves room for a number.
        let allowed: String = name.chars().filter(is_plain).take(MAX_ID_LENGTH - 8).collect();
        let plain = if allowed.trim().is_empty() { "object" } else { allowed.trim() };
        if self.ids.insert(plain.to_owned()) {
            return plain.to_owned();
        }
        let next = self.numbers.entry(plain.to_owned()).or_insert(2);
        loop {
            let numbered = format!("{plain}_{next}");
            *next += 1;
            if self.ids.insert(numbered.clone()) {
                return numbered;
            }
        }
    }

    /// Tells the user of a loss. Equal notes become one with their number.
    pub(crate) fn note(&mut self, note: impl Into<String>) {
        *self.notes.entry(note.into()).or_default() += 1;
    }

    /// Adds a group and returns its id.
    pub(crate) fn group(&mut self, name: &str, parent: Option<&str>) -> String {
        let id = self.id(name);
        self.groups.push(json!({ "id": id, "parent": parent }));
        id
    }

    /// Adds a shape with its bounding box.
    pub(crate) fn shape(
        &mut self,
        name: &str,
        group: Option<&str>,
        type_name: &str,
        properties: Map<String, Value>,
        bounds: Aabb,
    ) -> Result<(), SceneFileError> {
        if self.shapes.len() == MAX_SHAPES {
            let error = format!("the file has more than the {MAX_SHAPES} shapes a scene may hold");
            return Err(SceneFileError::Unsupported(error));
        }
        let id = self.id(name);
        self.shapes.push(object(id, group, type_name, properties));
        self.bounds = Some(self.bounds.map_or(bounds, |all| all.union(bounds)));
        Ok(())
    }

    /// Adds a light.
    pub(crate) fn light(
        &mut self,
        name: &str,
        type_name: &str,
        properties: Map<String, Value>,
    ) -> Result<(), SceneFileError> {
        if self.lights.len() == MAX_LIGHTS {
            let error = format!("the file has more than the {MAX_LIGHTS} lights a scene may hold");
            return Err(SceneFileError::Unsupported(error));
        }
        let id = self.id(name);
        self.lights.push(object(id, None, type_name, properties));
        Ok(())
    }

    /// Adds a mesh and returns the name of its asset.
    pub(crate) fn mesh(&mut self, name: &str, data: MeshData) -> String {
        let name = file_name(self.meshes.len() + 1, name, "ply");
        self.meshes.push(NamedMesh { name: name.clone(), data });
        name
    }

    /// Adds an image and returns the name of its asset.
    pub(crate) fn image(
        &mut self,
        name: &str,
        format: image_files::Format,
        bytes: Vec<u8>,
    ) -> String {
        let name = file_name(self.images.len() + 1, name, format.ending());
        self.images.push(NamedImage { name: name.clone(), bytes });
        name
    }

    /// Adds a shape with a mesh of its own, given in world space. The origin of the mesh moves to the
    /// centre of its bounding box, about which users rotate and scale it later.
    pub(crate) fn mesh_in_world(
        &mut self,
        name: &str,
        group: Option<&str>,
        data: MeshData,
        material: Value,
    ) -> Result<(), SceneFileError> {
        let Some(bounds) = self.check_mesh(name, &data) else { return Ok(()) };
        let (data, center) = centered(data, bounds);
        let asset = self.mesh(name, data);
        let mut properties = Map::new();
        properties.insert("asset".into(), asset.into());
        properties.insert("translation".into(), json!(center));
        properties.insert("material".into(), material);
        self.shape(name, group, "mesh", properties, bounds)
    }

    /// Adds an instance of a mesh whose bounding box in its own space is `local`.
    pub(crate) fn mesh_at(
        &mut self,
        name: &str,
        group: Option<&str>,
        asset: &str,
        transform: &MeshTransform,
        local: Aabb,
        material: Value,
    ) -> Result<(), SceneFileError> {
        let mut properties = transform.properties();
        properties.insert("asset".into(), asset.into());
        properties.insert("material".into(), material);
        self.shape(name, group, "mesh", properties, transform.bounds(local))
    }

    /// The bounding box of a valid mesh. An invalid one is left out with a note.
    pub(crate) fn check_mesh(&mut self, name: &str, data: &MeshData) -> Option<Aabb> {
        match data.check() {
            Ok(()) => data.bounds(),
            Err(error) => {
                let name: String = name.chars().take(60).collect();
                self.note(format!("'{name}' is left out: {error}"));
                None
            }
        }
    }

    /// Sets the environment.
    pub(crate) fn set_environment(&mut self, environment: Value) {
        self.environment = Some(environment);
    }

    /// Sets the camera. Further ones are left out with a note.
    pub(crate) fn set_camera(&mut self, camera: Value) {
        if self.camera.is_some() {
            self.note("only the first camera is kept");
        } else {
            self.camera = Some(camera);
        }
    }

    /// The bounding box of all shapes so far.
    pub(crate) fn bounds(&self) -> Option<Aabb> {
        self.bounds
    }

    /// Whether there are lights besides the environment.
    pub(crate) fn has_lights(&self) -> bool {
        !self.lights.is_empty()
    }

    /// The finished import. The scene is validated as any scene file is.
    pub(crate) fn finish(self) -> Result<Imported, SceneFileError> {
        let notes: Vec<String> = self
            .notes
            .into_iter()
            .map(|(note, count)| if count > 1 { format!("{note} ({count} times)") } else { note })
            .collect();
        let Some(bounds) = self.bounds else {
            let why =
                if notes.is_empty() { String::new() } else { format!(": {}", notes.join("; ")) };
            return Err(SceneFileError::Empty(why));
        };
        let environment =
            self.environment.unwrap_or_else(|| scene::Environment::default().to_json());
        let mut file = json!({
            "version": 1,
            "shapes": self.shapes,
            "lights": self.lights,
            "environment": environment,
            "camera": self.camera.unwrap_or_else(|| camera_in_front(bounds)),
        });
        if !self.groups.is_empty() {
            file["groups"] = self.groups.into();
        }
        let imported = Imported { file, meshes: self.meshes, images: self.images, notes, bounds };
        imported.scene(str::to_owned)?.check()?;
        Ok(imported)
    }
}

fn object(
    id: String,
    group: Option<&str>,
    type_name: &str,
    properties: Map<String, Value>,
) -> Value {
    let mut object = Map::new();
    object.insert("id".into(), id.into());
    if let Some(group) = group {
        object.insert("group".into(), group.into());
    }
    object.insert("type".into(), type_name.into());
    object.insert("properties".into(), properties.into());
    object.into()
}

/// A name that is valid in any file system: a number, the valid characters of `name`, and an extension.
fn file_name(number: usize, name: &str, extension: &str) -> String {
    let plain: String = name
        .chars()
        .map(
            |letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' },
        )
        .take(40)
        .collect();
    let plain = plain.trim_matches('_');
    format!("{number:03}{}{plain}.{extension}", if plain.is_empty() { "" } else { "_" })
}
