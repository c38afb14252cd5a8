//! The provider's names, the name of our field, and access to response fields.

use serde_json::Value;

use crate::http::Names;
use crate::providers::OPENAI;

pub(super) const NAMES: Names = Names::of(&OPENAI);

/// The field of a [`crate::Part`] that stores data that only this API has a field for.
pub(crate) const FIELD: &str = "openai";

/// Takes the field `name` out of `value`; null if it is missing.
pub(super) fn take(value: &mut Value, name: &str) -> Value {
    value.get_mut(name).map(Value::take).unwrap_or_default()
}
