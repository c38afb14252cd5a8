//! Names of the provider and of our field, and fields of what it says.

use serde_json::Value;

use crate::http::Names;
use crate::providers::OPENAI;

pub(super) const NAMES: Names = Names::of(&OPENAI);

/// The field of a [`crate::Part`] that keeps what only this API has a place for.
pub(crate) const FIELD: &str = "openai";

/// The value of the field `name`, taken out; null where there is none.
pub(super) fn take(value: &mut Value, name: &str) -> Value {
    value.get_mut(name).map(Value::take).unwrap_or_default()
}
