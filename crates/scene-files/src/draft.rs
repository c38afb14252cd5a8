//! A scene that is being put together while a file is read.

use std::collections::{BTreeMap, HashMap, HashSet};

use media::MeshData;
use scene::{Aabb, MAX_ID_LENGTH, MAX_LIGHTS, MAX_SHAPES, Scene, Violations, is_hidden};
use serde_json::{Map, Value, json};

use crate::SceneFileFault;
use crate::placement::{Placement, centred};

/// A mesh that shapes of an imported scene name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedMesh {
    /// What the shapes call it; a good name for a file, ends in `.ply`.
    pub name: String,
    /// Its triangles.
    pub data: MeshData,
}

/// An image that materials of an imported scene name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedImage {
    /// What the materials call it; a good name for a file, whose ending says what it is.
    pub name: String,
    /// The content of its file, which was read through.
    pub bytes: Vec<u8>,
}

/// What a file came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// A scene file; the assets it names are `meshes` and `images`.
    file: Value,
    /// The meshes, each once.
    pub meshes: Vec<NamedMesh>,
    /// The images, each once.
    pub images: Vec<NamedImage>,
    /// What was left out or changed on the way, one sentence each.
    pub notes: Vec<String>,
}

impl Imported {
    /// How many shapes and lights there are.
    pub fn objects(&self) -> usize {
        let count = |list: &str| self.file[list].as_array().map_or(0, Vec::len);
        count("shapes") + count("lights")
    }

    /// The scene, with other names for its assets: a path, or the hash of an upload.
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

/// What has been found so far.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    shapes: Vec<Value>,
    lights: Vec<Value>,
    groups: Vec<Value>,
    environment: Option<Value>,
    camera: Option<Value>,
    meshes: Vec<NamedMesh>,
    images: Vec<NamedImage>,
    /// Of all shapes, for a camera that sees them.
    bounds: Option<Aabb>,
    ids: HashSet<String>,
    /// The number to try next behind a name that was taken.
    numbers: HashMap<String, usize>,
    notes: BTreeMap<String, usize>,
}

impl Draft {
    /// An id nobody has yet, as near to `wanted` as the rules allow.
    pub(crate) fn id(&mut self, wanted: &str) -> String {
        let is_plain = |letter: &char| !letter.is_control() && !is_hidden(*letter);
        // Room for the number behind it.
        let kept: String = wanted.chars().filter(is_plain).take(MAX_ID_LENGTH - 8).collect();
        let plain = if kept.trim().is_empty() { "object" } else { kept.trim() };
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

    /// Tells the person something; the same sentence is told once, with how often it was meant.
    pub(crate) fn note(&mut self, note: impl Into<String>) {
        *self.notes.entry(note.into()).or_default() += 1;
    }

    /// Adds a group and gives its id.
    pub(crate) fn group(&mut self, wanted: &str, parent: Option<&str>) -> String {
        let id = self.id(wanted);
        self.groups.push(json!({ "id": id, "parent": parent }));
        id
    }

    /// Adds a shape that lies in `bounds`.
    pub(crate) fn shape(
        &mut self,
        wanted: &str,
        group: Option<&str>,
        type_name: &str,
        properties: Map<String, Value>,
        bounds: Aabb,
    ) -> Result<(), SceneFileFault> {
        if self.shapes.len() == MAX_SHAPES {
            let fault = format!("the file has more than the {MAX_SHAPES} shapes a scene may hold");
            return Err(SceneFileFault::Unsupported(fault));
        }
        let id = self.id(wanted);
        self.shapes.push(object(id, group, type_name, properties));
        self.bounds = Some(self.bounds.map_or(bounds, |all| all.union(bounds)));
        Ok(())
    }

    /// Adds a light.
    pub(crate) fn light(
        &mut self,
        wanted: &str,
        type_name: &str,
        properties: Map<String, Value>,
    ) -> Result<(), SceneFileFault> {
        if self.lights.len() == MAX_LIGHTS {
            let fault = format!("the file has more than the {MAX_LIGHTS} lights a scene may hold");
            return Err(SceneFileFault::Unsupported(fault));
        }
        let id = self.id(wanted);
        self.lights.push(object(id, None, type_name, properties));
        Ok(())
    }

    /// Keeps a mesh and gives the name shapes use for it.
    pub(crate) fn mesh(&mut self, wanted: &str, data: MeshData) -> String {
        let name = file_name(self.meshes.len() + 1, wanted, "ply");
        self.meshes.push(NamedMesh { name: name.clone(), data });
        name
    }

    /// Keeps an image and gives the name materials use for it.
    pub(crate) fn image(
        &mut self,
        wanted: &str,
        format: image_files::Format,
        bytes: Vec<u8>,
    ) -> String {
        let name = file_name(self.images.len() + 1, wanted, format.ending());
        self.images.push(NamedImage { name: name.clone(), bytes });
        name
    }

    /// Adds a shape for a mesh that nothing else shows, given in world space: its origin comes to
    /// lie in its middle, so that turning and scaling it later feel right.
    pub(crate) fn mesh_in_world(
        &mut self,
        wanted: &str,
        group: Option<&str>,
        data: MeshData,
        material: Value,
    ) -> Result<(), SceneFileFault> {
        let Some(bounds) = self.sound(wanted, &data) else { return Ok(()) };
        let (data, middle) = centred(data, bounds);
        let asset = self.mesh(wanted, data);
        let mut properties = Map::new();
        properties.insert("asset".into(), asset.into());
        properties.insert("translation".into(), json!(middle));
        properties.insert("material".into(), material);
        self.shape(wanted, group, "mesh", properties, bounds)
    }

    /// Adds a shape for a kept mesh that fills `local`, at a place.
    pub(crate) fn mesh_at(
        &mut self,
        wanted: &str,
        group: Option<&str>,
        asset: &str,
        placement: &Placement,
        local: Aabb,
        material: Value,
    ) -> Result<(), SceneFileFault> {
        let mut properties = placement.properties();
        properties.insert("asset".into(), asset.into());
        properties.insert("material".into(), material);
        self.shape(wanted, group, "mesh", properties, placement.bounds(local))
    }

    /// The extent of a mesh that can be shown; a note, and nothing, for another.
    pub(crate) fn sound(&mut self, name: &str, data: &MeshData) -> Option<Aabb> {
        match data.check() {
            Ok(()) => data.bounds(),
            Err(fault) => {
                let name: String = name.chars().take(60).collect();
                self.note(format!("'{name}' is left out: {fault}"));
                None
            }
        }
    }

    /// Says what surrounds the scene.
    pub(crate) fn surround(&mut self, environment: Value) {
        self.environment = Some(environment);
    }

    /// Says from where the scene is seen; the first one counts.
    pub(crate) fn look(&mut self, camera: Value) {
        if self.camera.is_some() {
            self.note("only the first camera is kept");
        } else {
            self.camera = Some(camera);
        }
    }

    /// The box around all shapes so far.
    pub(crate) fn bounds(&self) -> Option<Aabb> {
        self.bounds
    }

    /// Whether anything shines but the surroundings.
    pub(crate) fn has_lights(&self) -> bool {
        !self.lights.is_empty()
    }

    /// What it all came to; checked as any scene file is.
    pub(crate) fn finish(self) -> Result<Imported, SceneFileFault> {
        let notes: Vec<String> = self
            .notes
            .into_iter()
            .map(|(note, count)| if count > 1 { format!("{note} ({count} times)") } else { note })
            .collect();
        let Some(bounds) = self.bounds else {
            let why =
                if notes.is_empty() { String::new() } else { format!(": {}", notes.join("; ")) };
            return Err(SceneFileFault::Empty(why));
        };
        let environment =
            self.environment.unwrap_or_else(|| scene::Environment::default().to_json());
        let mut file = json!({
            "version": 1,
            "shapes": self.shapes,
            "lights": self.lights,
            "environment": environment,
            "camera": self.camera.unwrap_or_else(|| crate::placement::camera_before(bounds)),
        });
        if !self.groups.is_empty() {
            file["groups"] = self.groups.into();
        }
        let imported = Imported { file, meshes: self.meshes, images: self.images, notes };
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

/// A name any file system takes, of a number, what is wanted, and an ending.
fn file_name(number: usize, wanted: &str, ending: &str) -> String {
    let plain: String = wanted
        .chars()
        .map(
            |letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' },
        )
        .take(40)
        .collect();
    let plain = plain.trim_matches('_');
    format!("{number:03}{}{plain}.{ending}", if plain.is_empty() { "" } else { "_" })
}
