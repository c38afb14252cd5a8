//! A common interface to the document's lists of shapes and lights.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::document::{LightSource, MAX_LIGHTS, MAX_SHAPES, Object, Scene, Shape, spelled_out};
use crate::id::Id;

/// The list of objects of one kind.
pub(super) trait Listed: Object + Clone {
    const MAX_COUNT: usize;
    fn list(scene: &Scene) -> &Vec<Arc<Self>>;
    fn list_mut(scene: &mut Scene) -> &mut Vec<Arc<Self>>;
    fn type_name(&self) -> &'static str;
    fn group(&self) -> Option<&Id>;

    /// The type that a tool call means by another name; `None` if it is the name.
    fn type_of(_type_name: &str, _properties: &Map<String, Value>) -> Option<&'static str> {
        None
    }

    /// Properties of a tool call in the format of the document; `current` is the object to update.
    fn spelled_out<'a>(
        properties: &'a Map<String, Value>,
        _current: Option<&Self>,
    ) -> Cow<'a, Map<String, Value>> {
        Cow::Borrowed(properties)
    }
}

impl Listed for Shape {
    const MAX_COUNT: usize = MAX_SHAPES;

    fn list(scene: &Scene) -> &Vec<Arc<Self>> {
        &scene.shapes
    }

    fn list_mut(scene: &mut Scene) -> &mut Vec<Arc<Self>> {
        &mut scene.shapes
    }

    fn type_name(&self) -> &'static str {
        self.geometry.type_name()
    }

    fn group(&self) -> Option<&Id> {
        self.group.as_ref()
    }

    /// A mesh is a file; one that is given by its vertices is a polyhedron.
    fn type_of(type_name: &str, properties: &Map<String, Value>) -> Option<&'static str> {
        (type_name == "mesh" && properties.contains_key("vertices")).then_some("polyhedron")
    }

    fn spelled_out<'a>(
        properties: &'a Map<String, Value>,
        current: Option<&Self>,
    ) -> Cow<'a, Map<String, Value>> {
        let Some(given) = properties.get("material") else { return Cow::Borrowed(properties) };
        match spelled_out(given, current.map(|shape| &shape.material)) {
            Cow::Borrowed(_) => Cow::Borrowed(properties),
            Cow::Owned(material) => {
                let mut properties = properties.clone();
                properties.insert("material".into(), material);
                Cow::Owned(properties)
            }
        }
    }
}

impl Listed for LightSource {
    const MAX_COUNT: usize = MAX_LIGHTS;

    fn list(scene: &Scene) -> &Vec<Arc<Self>> {
        &scene.lights
    }

    fn list_mut(scene: &mut Scene) -> &mut Vec<Arc<Self>> {
        &mut scene.lights
    }

    fn type_name(&self) -> &'static str {
        self.light.type_name()
    }

    fn group(&self) -> Option<&Id> {
        self.group.as_ref()
    }
}
