//! Shapes, lights and groups of the document.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::id::Id;
use crate::read::{ObjectReader, PropertyPath, Read, read_type};
use crate::values::Rotation;
use crate::violations::ReadErrors;

use super::finding_kind::Intentional;
use super::light::Light;
use super::material::Material;
use super::shapes::Geometry;

/// A shape of the document.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// Its id, unique in the document.
    pub id: Id,
    /// The group it belongs to, if any.
    pub group: Option<Id>,
    /// Its geometry.
    pub geometry: Geometry,
    /// Its material.
    pub material: Material,
    /// The kinds of findings that are intentional.
    pub intentional: Intentional,
    /// The name of its shared material: all shapes with this name have the same material.
    pub material_name: Option<Id>,
}

/// A light of the document.
#[derive(Debug, Clone, PartialEq)]
pub struct LightSource {
    /// Its id, unique in the document.
    pub id: Id,
    /// The group it belongs to, if any.
    pub group: Option<Id>,
    /// Its properties.
    pub light: Light,
    /// The kinds of findings that are intentional.
    pub intentional: Intentional,
}

/// A named group, possibly within another one.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Its id, unique in the document.
    pub id: Id,
    /// Its parent group.
    pub parent: Option<Id>,
    /// Its accumulated rotation as a whole, which gives its own axes.
    pub rotation: Rotation,
}

/// The common interface of shapes and lights: `{id, type, properties, group?}`.
pub(crate) trait Object: Sized {
    /// "shape" or "light".
    const KIND: &'static str;
    /// The known types.
    const TYPES: &'static [&'static str];
    /// The fields beside the properties.
    const FIELDS: &'static [&'static str];

    fn id(&self) -> &Id;
    fn to_json(&self) -> Value;
    fn property_names(type_name: &str) -> Vec<&'static str>;
    fn from_parts(
        id: Id,
        group: Option<Id>,
        type_name: &str,
        reader: &mut ObjectReader<'_>,
    ) -> Option<Self>;

    /// The kinds of findings that are intentional.
    fn intentional(&self) -> &Intentional;

    /// Sets the intentional kinds of findings.
    #[must_use]
    fn with_intentional(self, intentional: Intentional) -> Self;

    /// Sets the name of the shared material, if supported.
    #[must_use]
    fn with_material_name(self, _: Option<Id>) -> Self {
        self
    }

    /// Completes an update of `before`: a material that was changed for this object alone is no
    /// longer shared.
    #[must_use]
    fn updated_from(self, _before: &Self) -> Self {
        self
    }

    /// Parses `{id, type, properties, group?}`; `position` names the object in messages until its
    /// id is known.
    fn read(value: &Value, position: &str, errors: &mut ReadErrors) -> Option<Arc<Self>> {
        let id_text = value.get("id").and_then(Value::as_str).and_then(Id::new);
        let owner = match &id_text {
            Some(id) => format!("{} '{id}'", Self::KIND),
            None => position.to_owned(),
        };
        let mut reader = ObjectReader::new(value, PropertyPath::of(&owner), errors)?;
        reader.reject_unknown(Self::FIELDS);
        let id: Option<Id> = reader.required("id");
        let group: Option<Option<Id>> = reader.optional("group", None);
        let intentional = reader.optional("intentional", Intentional::default());
        let material_name: Option<Option<Id>> = match Self::FIELDS.contains(&"material_name") {
            true => reader.optional("material_name", None),
            false => Some(None),
        };
        let place = reader.path().clone();
        let type_name = read_type(value.get("type"), Self::TYPES, &place, reader.errors());
        let Some(properties) = reader.get("properties").filter(|value| !value.is_null()) else {
            let names = type_name.map(Self::property_names).unwrap_or_default();
            reader.errors().add(format!(
                "{owner} requires 'properties': an object{}",
                if names.is_empty() { String::new() } else { format!(" of {}", names.join(", ")) }
            ));
            return None;
        };
        // Errors of properties name the object itself, not "properties.radius".
        let mut inner = ObjectReader::new(properties, PropertyPath::of(&owner), reader.errors())?;
        let object = Self::from_parts(
            id.or_else(|| Id::new("unnamed"))?,
            group.flatten(),
            type_name?,
            &mut inner,
        )?;
        let object = object.with_intentional(intentional?);
        Some(Arc::new(object.with_material_name(material_name?)))
    }
}

fn object_json(
    id: &Id,
    type_name: &str,
    properties: Map<String, Value>,
    group: Option<&Id>,
    intentional: &Intentional,
) -> Value {
    let mut object = Map::new();
    object.insert("id".into(), id.as_str().into());
    object.insert("type".into(), type_name.into());
    object.insert("properties".into(), Value::Object(properties));
    if let Some(group) = group {
        object.insert("group".into(), group.as_str().into());
    }
    if !intentional.is_empty() {
        object.insert("intentional".into(), intentional.to_json());
    }
    Value::Object(object)
}

impl Object for Shape {
    const KIND: &'static str = "shape";
    const TYPES: &'static [&'static str] = Geometry::TYPES;
    const FIELDS: &'static [&'static str] =
        &["id", "type", "properties", "group", "intentional", "material_name"];

    fn id(&self) -> &Id {
        &self.id
    }

    fn to_json(&self) -> Value {
        let mut properties = self.geometry.properties_json();
        properties.insert("material".into(), self.material.to_json());
        let (type_name, group) = (self.geometry.type_name(), self.group.as_ref());
        let mut object = object_json(&self.id, type_name, properties, group, &self.intentional);
        if let Some(name) = &self.material_name {
            object["material_name"] = name.as_str().into();
        }
        object
    }

    fn property_names(type_name: &str) -> Vec<&'static str> {
        let mut names: Vec<_> =
            Geometry::fields_of(type_name).iter().map(|(name, _)| *name).collect();
        names.push("material");
        names
    }

    fn from_parts(
        id: Id,
        group: Option<Id>,
        type_name: &str,
        reader: &mut ObjectReader<'_>,
    ) -> Option<Self> {
        let geometry = Geometry::read_properties(type_name, reader, &["material"]);
        let material = reader.optional("material", Material::default());
        let intentional = Intentional::default();
        let (geometry, material) = (geometry?, material?);
        Some(Self { id, group, geometry, material, intentional, material_name: None })
    }

    fn intentional(&self) -> &Intentional {
        &self.intentional
    }

    fn with_intentional(self, intentional: Intentional) -> Self {
        Self { intentional, ..self }
    }

    fn with_material_name(self, material_name: Option<Id>) -> Self {
        Self { material_name, ..self }
    }

    fn updated_from(self, before: &Self) -> Self {
        let is_same = self.material == before.material;
        let name = before.material_name.clone().filter(|_| is_same);
        self.with_material_name(name)
    }
}

impl Object for LightSource {
    const KIND: &'static str = "light";
    const TYPES: &'static [&'static str] = Light::TYPES;
    const FIELDS: &'static [&'static str] = &["id", "type", "properties", "group", "intentional"];

    fn id(&self) -> &Id {
        &self.id
    }

    fn to_json(&self) -> Value {
        let (properties, group) = (self.light.properties_json(), self.group.as_ref());
        object_json(&self.id, self.light.type_name(), properties, group, &self.intentional)
    }

    fn property_names(type_name: &str) -> Vec<&'static str> {
        Light::fields_of(type_name).iter().map(|(name, _)| *name).collect()
    }

    fn from_parts(
        id: Id,
        group: Option<Id>,
        type_name: &str,
        reader: &mut ObjectReader<'_>,
    ) -> Option<Self> {
        let light = Light::read_properties(type_name, reader, &[])?;
        Some(Self { id, group, light, intentional: Intentional::default() })
    }

    fn intentional(&self) -> &Intentional {
        &self.intentional
    }

    fn with_intentional(self, intentional: Intentional) -> Self {
        Self { intentional, ..self }
    }
}

impl Shape {
    /// The shape in the format of files and tools, with all default values.
    pub fn to_json(&self) -> Value {
        Object::to_json(self)
    }
}

impl LightSource {
    /// The light in the format of files and tools, with all default values.
    pub fn to_json(&self) -> Value {
        Object::to_json(self)
    }
}

impl Group {
    /// A group without a rotation.
    pub fn new(id: Id, parent: Option<Id>) -> Self {
        Self { id, parent, rotation: Rotation::NONE }
    }

    /// The group in the format of files.
    pub fn to_json(&self) -> Value {
        let mut group = serde_json::json!({ "id": self.id, "parent": self.parent });
        if self.rotation != Rotation::NONE {
            group["rotation"] = self.rotation.get().into();
        }
        group
    }
}

impl Read for Group {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let mut reader = ObjectReader::new(value, at.clone(), errors)?;
        reader.reject_unknown(&["id", "parent", "rotation"]);
        let id = reader.required("id");
        let parent = reader.optional("parent", None);
        let rotation = reader.optional("rotation", Rotation::NONE);
        Some(Self { id: id?, parent: parent?, rotation: rotation? })
    }

    fn expected() -> String {
        "an object with an id".into()
    }
}
