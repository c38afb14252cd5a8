//! Access to the JSON of a glTF file with defaults.

use serde_json::Value;

use crate::mesh_transform::tidy;

/// A value in the JSON of a file. Missing or invalid members are read as their defaults.
#[derive(Clone, Copy)]
pub(super) struct JsonValue<'a>(pub(super) &'a Value);

impl<'a> JsonValue<'a> {
    /// The value at a path such as `extensions/KHR_materials_ior`.
    pub(super) fn at(&self, path: &str) -> JsonValue<'a> {
        JsonValue(self.0.pointer(&format!("/{path}")).unwrap_or(&Value::Null))
    }

    pub(super) fn exists(&self) -> bool {
        !self.0.is_null()
    }

    pub(super) fn number(&self, name: &str, default: f64) -> f64 {
        let number = self.0.get(name).and_then(Value::as_f64).filter(|number| number.is_finite());
        number.map_or(default, tidy)
    }

    pub(super) fn factors<const N: usize>(&self, name: &str, default: [f64; N]) -> [f64; N] {
        let list = self.0.get(name).and_then(Value::as_array);
        std::array::from_fn(|at| {
            let number = list.and_then(|list| list.get(at)).and_then(Value::as_f64);
            number.filter(|number| number.is_finite()).map_or(default[at], tidy)
        })
    }
}
