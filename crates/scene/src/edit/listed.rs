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

    /// Properties of a tool call in the format of the document; `current` is the object to update.
    fn spelled_out<'a>(
        properties: &'a Map<String, Value>,
        _current: Option<&Self>,
    ) -> Cow<'a, Map<String, Value>> {
        Cow::Borrowed(properties)
    }

    /// The normalised properties of an object; `None` if they are normal already.
    fn turned_round(
        _type_name: &str,
        _properties: &Map<String, Value>,
    ) -> Option<Map<String, Value>> {
        None
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

    /// A cone with the larger radius at its top is flipped: in the document the base is the wide
    /// end.
    fn turned_round(
        type_name: &str,
        properties: &Map<String, Value>,
    ) -> Option<Map<String, Value>> {
        let number = |name: &str| properties.get(name)?.as_f64();
        let is_wider_above = || {
            Some(number("base_radius")? >= 0.0 && number("top_radius")? > number("base_radius")?)
        };
        if type_name != "cone" || is_wider_above() != Some(true) {
            return None;
        }
        let swapped = |name: &str| match name {
            "base_radius" => "top_radius".to_owned(),
            "top_radius" => "base_radius".to_owned(),
            "base_center" => "top_center".to_owned(),
            "top_center" => "base_center".to_owned(),
            other => other.to_owned(),
        };
        Some(properties.iter().map(|(name, value)| (swapped(name), value.clone())).collect())
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
