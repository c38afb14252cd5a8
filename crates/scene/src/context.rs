//! The scene as text for a model: compact, every object, each with its world bounds.

use std::fmt::Write;

use serde_json::{Map, Value};

use crate::assets::{Assets, NoAssets};
use crate::bounds::Aabb;
use crate::document::{LightSource, Scene, Shape};

impl Scene {
    /// The scene in a few words per object, one line each. Meshes are without bounds.
    pub fn to_context_text(&self) -> String {
        self.to_context_text_with(&NoAssets)
    }

    /// As [`to_context_text`](Self::to_context_text), with the bounds of the meshes `assets` holds.
    pub fn to_context_text_with(&self, assets: &dyn Assets) -> String {
        let mut text = String::new();
        section(&mut text, "shapes", self.shapes.len());
        for shape in &self.shapes {
            text.push_str("- ");
            text.push_str(&shape_line(shape, assets));
        }
        section(&mut text, "lights", self.lights.len());
        for light in &self.lights {
            text.push_str("- ");
            text.push_str(&light_line(light));
        }
        for (name, value) in
            [("environment", self.environment.to_json()), ("camera", self.camera.to_json())]
        {
            let body = value.as_object().map(properties_text).unwrap_or_default();
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{name}:{body}");
        }
        text
    }

    /// The line of one shape or light in [`to_context_text_with`](Self::to_context_text_with), without
    /// the dash; `None` when there is none of this id.
    pub fn context_line(&self, id: &str, assets: &dyn Assets) -> Option<String> {
        let shape = self.shapes.iter().find(|shape| shape.id.as_str() == id);
        let light = || self.lights.iter().find(|light| light.id.as_str() == id);
        shape
            .map(|shape| shape_line(shape, assets))
            .or_else(|| light().map(|light| light_line(light)))
    }
}

fn shape_line(shape: &Shape, assets: &dyn Assets) -> String {
    line(&shape.to_json(), shape.geometry.bounds_with(assets))
}

fn light_line(light: &LightSource) -> String {
    line(&light.to_json(), Some(light.light.bounds()))
}

fn section(text: &mut String, name: &str, count: usize) {
    let _ = match count {
        0 => writeln!(text, "{name}: none"),
        _ => writeln!(text, "{name} ({count}):"),
    };
}

fn line(object: &Value, bounds: Option<Aabb>) -> String {
    let field = |name: &str| object[name].as_str().unwrap_or_default().to_owned();
    let mut text = format!("{}: {}", field("id"), field("type"));
    if object.get("group").is_some() {
        let _ = write!(text, " group={}", field("group"));
    }
    if let Some(marks) = object.get("intentional").and_then(Value::as_array) {
        let marks: Vec<&str> = marks.iter().filter_map(Value::as_str).collect();
        let _ = write!(text, " intentional={}", marks.join(","));
    }
    if let Some(properties) = object["properties"].as_object() {
        text.push_str(&properties_text(properties));
    }
    if let Some(bounds) = bounds {
        let _ = write!(text, " | bounds {} to {}", triple(bounds.min), triple(bounds.max));
    }
    text.push('\n');
    text
}

fn properties_text(properties: &Map<String, Value>) -> String {
    properties.iter().fold(String::new(), |mut text, (name, value)| {
        let _ = match name.as_str() {
            "type" => write!(text, " {}", value.as_str().unwrap_or_default()),
            _ => write!(text, " {name}={}", value_text(value)),
        };
        text
    })
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Number(number) => number.as_f64().map(short).unwrap_or_default(),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(value_text).collect::<Vec<_>>().join(","))
        }
        Value::Object(object) => format!("({})", properties_text(object).trim_start()),
        other => other.to_string(),
    }
}

fn triple(values: [f64; 3]) -> String {
    format!("[{}]", values.map(short).join(","))
}

/// At most three decimals; small numbers keep three significant digits.
fn short(number: f64) -> String {
    if number != 0.0 && number.abs() < 0.001 {
        return format!("{number:.2e}");
    }
    // Adding zero turns a negative zero into a plain one.
    ((number * 1000.0).round() / 1000.0 + 0.0).to_string()
}
