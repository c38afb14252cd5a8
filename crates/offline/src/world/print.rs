//! Patterns on surfaces: checks and stripes.

use glam::DVec3;
use serde_json::{Value, json};

use super::Material;
use super::read::{as_vector, number, vector};
use crate::language::Print;

/// The two values of a pattern where no colours were said, as people picture it.
const BLACK: DVec3 = DVec3::splat(0.02);
const WHITE: DVec3 = DVec3::splat(0.85);

/// How many checks, or pairs of stripes, go along a thing.
const CHECKS: f64 = 8.0;
const STRIPES: f64 = 4.0;
/// The largest check, in metres: a floor does not get fewer of them the wider it is.
const LARGEST: f64 = 1.0;

impl Material {
    /// A matte surface with a pattern of two colours.
    pub(crate) fn printed(print: Print, first: Option<DVec3>, second: Option<DVec3>) -> Self {
        let first = first.unwrap_or(match print {
            Print::Checker => BLACK,
            Print::Stripes => DVec3::new(0.7, 0.03, 0.03),
        });
        let second = second.unwrap_or(if first.min_element() > 0.7 { BLACK } else { WHITE });
        let name = match print {
            Print::Checker => "checker",
            Print::Stripes => "stripes",
        };
        Self::Other(json!({
            "type": "lambertian",
            "albedo": {
                "type": name, "mapping": "object", "scale": 0.25,
                "first": vector(first), "second": vector(second),
            },
        }))
    }

    /// The same with a pattern that suits a thing of this size.
    pub(crate) fn suited_to(mut self, size: DVec3) -> Self {
        let flat = size.y < 0.1 * size.x.max(size.z);
        if let Self::Other(value) = &mut self
            && let Some(pattern) = value.get_mut("albedo").and_then(Value::as_object_mut)
        {
            let (scale, upright) = match pattern.get("type").and_then(Value::as_str) {
                Some("checker") => (size.max_element() / CHECKS, false),
                // Round a thing that stands, along one that lies.
                Some("stripes") if flat => (size.x / STRIPES, false),
                Some("stripes") => (size.y / STRIPES, true),
                _ => return self,
            };
            pattern.insert("scale".into(), number(scale.clamp(1e-3, LARGEST)));
            if upright {
                pattern.insert("rotation".into(), json!([0, 0, 90]));
            }
        }
        self
    }
}

/// The colour of a property that may be a pattern: its first.
pub(super) fn main_colour(value: &Value) -> Option<DVec3> {
    as_vector(value).or_else(|| as_vector(value.get("first")?))
}

/// What a person calls the pattern of a surface.
pub(super) fn print_word(value: &Value) -> Option<&'static str> {
    match value.get("albedo")?.get("type")?.as_str()? {
        "checker" => Some("checkered"),
        "stripes" => Some("striped"),
        _ => None,
    }
}
