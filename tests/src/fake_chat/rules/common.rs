//! What the rules of several forms need.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use crate::fake_chat::wording::RequestError;

/// Tokens that a picture counts for, about.
const PICTURE_TOKENS: u64 = 1_000;

pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

pub(super) fn is_blank(value: &Value) -> bool {
    text(value).trim().is_empty()
}

/// Reports the fields of `object` that are not known, by `at.name`.
pub(super) fn unknown_fields(
    object: &Value,
    at: &str,
    known: &[&str],
    errors: &mut Vec<RequestError>,
) {
    for name in object.as_object().into_iter().flatten().map(|(name, _)| name) {
        if !known.contains(&name.as_str()) {
            let dot = if at.is_empty() { "" } else { "." };
            errors.push(RequestError::UnknownField(format!("{at}{dot}{name}")));
        }
    }
}

/// Whether a function may be called so.
pub(super) fn is_name(name: &Value, longest: usize) -> bool {
    let name = text(name);
    (1..=longest).contains(&name.len())
        && name.chars().all(|char| char.is_ascii_alphanumeric() || "_-".contains(char))
}

/// A picture in a request.
#[derive(Debug, PartialEq)]
pub(super) struct Picture {
    /// The type it says it has.
    pub(super) mime_type: String,
    /// Bytes before the encoding.
    pub(super) bytes: Vec<u8>,
}

impl Picture {
    pub(super) fn decode(mime_type: &str, data: &str) -> Option<Self> {
        let bytes = BASE64_STANDARD.decode(data).ok().filter(|bytes| !bytes.is_empty())?;
        Some(Self { mime_type: mime_type.to_owned(), bytes })
    }

    /// `data:image/png;base64,...`.
    pub(super) fn from_url(url: &Value) -> Option<Self> {
        let (mime_type, data) = text(url).strip_prefix("data:")?.split_once(";base64,")?;
        Self::decode(mime_type, data)
    }

    /// The type its first bytes show.
    pub(super) fn shown_type(&self) -> Option<&'static str> {
        let starts = |magic: &[u8]| self.bytes.starts_with(magic);
        match () {
            () if starts(b"\x89PNG") => Some("image/png"),
            () if starts(b"\xff\xd8\xff") => Some("image/jpeg"),
            () if starts(b"GIF8") => Some("image/gif"),
            () if starts(b"RIFF") && self.bytes.get(8..12) == Some(b"WEBP") => Some("image/webp"),
            () => None,
        }
    }

    /// Its longer side in pixels, of PNG and JPEG.
    pub(super) fn longer_side(&self) -> Option<u32> {
        let bytes = &self.bytes;
        let pair = |at: usize| -> Option<u32> {
            Some(u32::from(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?)))
        };
        if self.shown_type() == Some("image/png") {
            let side =
                |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
            return Some(side(16)?.max(side(20)?));
        }
        // Segments of a JPEG, up to the one that begins the frame.
        let mut at = 2;
        while self.shown_type() == Some("image/jpeg") && bytes.get(at) == Some(&0xff) {
            let kind = *bytes.get(at + 1)?;
            if (0xc0..=0xcf).contains(&kind) && !matches!(kind, 0xc4 | 0xc8 | 0xcc) {
                return Some(pair(at + 5)?.max(pair(at + 7)?));
            }
            at += 2 + pair(at + 2)? as usize;
        }
        None
    }
}

/// About how many tokens a request has: four bytes each, pictures apart.
pub(in crate::fake_chat) fn tokens(value: &Value) -> u64 {
    fn bytes(value: &Value) -> u64 {
        match value {
            Value::String(text) if is_picture(text) => PICTURE_TOKENS * 4,
            Value::String(text) => text.len() as u64,
            Value::Array(values) => values.iter().map(bytes).sum(),
            Value::Object(fields) => {
                fields.iter().map(|(name, value)| name.len() as u64 + 4 + bytes(value)).sum()
            }
            _ => 4,
        }
    }
    bytes(value) / 4
}

/// Whether a text is an encoded picture.
pub(in crate::fake_chat) fn is_picture(text: &str) -> bool {
    text.starts_with("data:image/")
        || (text.len() > 2_000
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte)))
}
