//! An object by itself, as its picture shows it.

use std::sync::Arc;

use glam::DVec3;
use scene::{Objects, Scene};
use serde_json::{Value, json};

use crate::build::Bounds;
use crate::error::CatalogueError;
use crate::object::{Object, ObjectParameters};

impl Object {
    /// A scene of the object alone, on a pale ground under a soft sky; it fills the picture.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn portrait(&self, parameters: &ObjectParameters) -> Result<Scene, CatalogueError> {
        let shapes = self.build("object", parameters)?;
        let boxes = shapes.iter().filter_map(|shape| shape.geometry.bounds()).map(Bounds::from);
        let bounds = boxes.reduce(Bounds::union);
        let bounds = bounds.ok_or_else(|| CatalogueError::Shape("it has no shapes".to_owned()))?;
        let shapes = shapes.into_iter().map(Arc::new).collect();
        portrait(self.name(), &Objects { shapes, ..Objects::default() }, bounds)
    }
}

/// A scene of `objects` alone, which take up `bounds`; `name` is for errors.
pub(crate) fn portrait(
    name: &str,
    objects: &Objects,
    bounds: Bounds,
) -> Result<Scene, CatalogueError> {
    let middle = bounds.center();
    let radius = bounds.size().length() / 2.0;
    // Its bounding sphere fills the picture.
    let distance = radius / 17f64.to_radians().sin() * 1.02;
    let center = middle + DVec3::new(0.5, 0.33, 0.8).normalize() * distance;
    let side = 120.0 * radius;
    let ground = json!({ "id": "ground", "type": "quad", "properties": {
        "corner": [middle.x - side / 2.0, -0.001 * radius, middle.z - side / 2.0],
        "u": [0, 0, side], "v": [side, 0, 0],
        "material": { "type": "lambertian", "albedo": [0.72, 0.7, 0.66] } } });
    let shapes: Vec<Value> =
        objects.shapes.iter().map(|shape| shape.to_json()).chain([ground]).collect();
    let lights = objects.lights.iter().map(|light| light.to_json());
    let lights: Vec<Value> = lights.chain([key_light(middle, radius)]).collect();
    let groups: Vec<Value> = objects.groups.iter().map(|group| group.to_json()).collect();
    let scene = Scene::from_json(&json!({
        "version": 1, "shapes": shapes, "lights": lights, "groups": groups,
        "environment": {
            "type": "gradient", "top_color": [0.85, 0.92, 1.05], "bottom_color": [0.8, 0.78, 0.75],
        },
        "camera": { "center": center.to_array(), "look_at": middle.to_array(), "vfov": 34 },
    }));
    scene.map_err(|violations| CatalogueError::Scene { name: name.to_owned(), violations })
}

/// A soft light from the upper left with an irradiance of about 2.6 W/m^2.
fn key_light(middle: DVec3, radius: f64) -> Value {
    let toward = -DVec3::new(-0.8, 1.1, 0.9).normalize();
    let (far, side) = (4.0 * radius, 2.0 * radius);
    let u = toward.cross(DVec3::Y).normalize() * side;
    let v = toward.cross(u).normalize() * side;
    let corner = middle - toward * far - (u + v) * 0.5;
    let emission = 2.6 * far * far / (side * side);
    json!({ "id": "key", "type": "area_quad_light", "properties": {
        "corner": corner.to_array(), "u": u.to_array(), "v": v.to_array(),
        "emission": [emission, emission * 0.95, emission * 0.88] } })
}
