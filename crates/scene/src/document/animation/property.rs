//! Giving a property of the document another value, by the readers that check files.

use serde_json::{Map, Value, json};

use crate::document::camera::Camera;
use crate::document::environment::Environment;
use crate::document::light::Light;
use crate::document::material::{Material, spelled_out};
use crate::document::object::{LightSource, Shape};
use crate::document::shapes::Geometry;
use crate::read::{ObjectReader, PropertyPath, Read};
use crate::violations::{ReadErrors, Violations};

/// The property of a shape that is its material.
pub(super) const MATERIAL: &str = "material";

/// Sets the property at a way such as `fog.visibility`. Objects on the way are made where there are
/// none.
fn set(properties: &mut Map<String, Value>, way: &str, value: Value) {
    match way.split_once('.') {
        None => {
            properties.insert(way.to_owned(), value);
        }
        Some((name, rest)) => {
            let inner = properties.entry(name).or_insert_with(|| json!({}));
            if !inner.is_object() {
                *inner = json!({});
            }
            if let Some(inner) = inner.as_object_mut() {
                set(inner, rest, value);
            }
        }
    }
}

fn changed(all: Value, way: &str, value: Value) -> Value {
    let mut properties = match all {
        Value::Object(properties) => properties,
        _ => Map::new(),
    };
    set(&mut properties, way, value);
    properties.into()
}

/// A camera with other properties.
pub(super) fn camera_with(camera: &Camera, values: &[(&str, Value)]) -> Result<Camera, Violations> {
    let all =
        values.iter().fold(camera.to_json(), |all, (way, value)| changed(all, way, value.clone()));
    Camera::from_json(&all)
}

/// An environment with another property.
pub(super) fn environment_with(
    environment: &Environment,
    way: &str,
    value: Value,
) -> Result<Environment, Violations> {
    Environment::from_json(&changed(environment.to_json(), way, value))
}

/// A material with another property, or another material if `way` is empty.
pub(super) fn material_with(
    material: &Material,
    way: &str,
    value: Value,
) -> Result<Material, Violations> {
    let given = match way {
        "" => value,
        way => changed(json!({}), way, value),
    };
    let mut errors = ReadErrors::default();
    let all = spelled_out(&given, Some(material));
    let material = Material::read(&all, &PropertyPath::of("the material"), &mut errors);
    errors.finish(material)
}

/// A shape with another property.
pub(super) fn shape_with(shape: &Shape, way: &str, value: Value) -> Result<Shape, Violations> {
    let of_material = match way.split_once('.') {
        Some((MATERIAL, rest)) => Some(rest),
        None if way == MATERIAL => Some(""),
        _ => None,
    };
    let mut shape = shape.clone();
    match of_material {
        Some(way) => {
            shape.material = material_with(&shape.material, way, value)?;
            // It is this shape's alone now.
            shape.material_name = None;
        }
        None => {
            let all = changed(shape.geometry.properties_json().into(), way, value);
            shape.geometry = Geometry::from_json(shape.geometry.type_name(), &all)?;
        }
    }
    Ok(shape)
}

/// A light with another property.
pub(super) fn light_with(
    source: &LightSource,
    way: &str,
    value: Value,
) -> Result<LightSource, Violations> {
    let all = changed(source.light.properties_json().into(), way, value);
    let mut errors = ReadErrors::default();
    let type_name = source.light.type_name();
    let light = ObjectReader::new(&all, PropertyPath::of("the light"), &mut errors)
        .and_then(|mut reader| Light::read_properties(type_name, &mut reader, &[]));
    Ok(LightSource { light: errors.finish(light)?, ..source.clone() })
}
