//! Edits and numbers of the document that the parts and the camera are made of.

use glam::DVec3;
use scene::{Camera, Edit};
use serde_json::Value;

/// Four digits of what is `size` large.
pub(super) fn rounded(point: DVec3, size: f64) -> [f64; 3] {
    let digits = 4 - size.log10().floor().clamp(-12.0, 12.0) as i32;
    let scale = 10f64.powi(digits);
    // Adding zero makes -0 a plain 0.
    point.to_array().map(|number| (number * scale).round() / scale + 0.0)
}

pub(super) fn created(name: &str, args: &Value) -> Option<Edit> {
    // Numbers too large for a document make no part.
    Edit::parse(name, args).ok()
}

pub(super) fn camera_edit(camera: &Camera) -> Option<Edit> {
    match camera.to_json() {
        Value::Object(properties) => Some(Edit::SetCamera(properties)),
        _ => None,
    }
}
