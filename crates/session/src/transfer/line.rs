//! One line of a file.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

#[derive(Serialize, Deserialize)]
pub(super) struct Line {
    pub(super) kind: Kind,
    pub(super) body: Box<RawValue>,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    Event,
    History,
    Scene,
    /// The metadata of an asset; its content follows.
    Asset,
    /// A chunk of the content of the asset before.
    Data,
}

pub(super) fn line(value: &impl Serialize) -> Bytes {
    // It holds only texts, numbers and JSON, so serialising it cannot fail.
    let mut bytes = serde_json::to_vec(value).unwrap_or_default();
    bytes.push(b'\n');
    bytes.into()
}
