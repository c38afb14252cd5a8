//! Parts of a file's JSON.

use serde_json::Value;

use crate::placement::tidy;

/// A part of a file's JSON, read with defaults: it was checked when the file was opened.
#[derive(Clone, Copy)]
pub(super) struct Source<'a>(pub(super) &'a Value);

impl<'a> Source<'a> {
    pub(super) fn at(&self, path: &str) -> Source<'a> {
        Source(self.0.pointer(&format!("/{path}")).unwrap_or(&Value::Null))
    }

    pub(super) fn is_there(&self) -> bool {
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
