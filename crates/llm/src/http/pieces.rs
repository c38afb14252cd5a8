//! Messages of users and tools as texts and pictures.

use std::borrow::Cow;

use crate::content::Part;

/// Introduces pictures of tools, for providers whose results hold only text.
pub(crate) const PICTURES: &str = "[The pictures of the tool results above:]";

/// Replaces pictures for a model without vision.
pub(crate) const UNSEEN: &str =
    "[The tool results above came with pictures, which this model cannot see: go by their words.]";

/// A part as a model gets it.
#[derive(Debug, PartialEq)]
pub(crate) enum Piece<'a> {
    Text(Cow<'a, str>),
    Picture {
        mime_type: &'a str,
        /// Base64.
        data: &'a str,
    },
}

impl<'a> Piece<'a> {
    /// The piece for `part`, depending on whether the model `sees` pictures: a note replaces unsupported data;
    /// `None` for an empty part.
    pub(crate) fn of(part: &'a Part, sees: bool) -> Option<Self> {
        if let Some(text) = part.as_text() {
            return (!text.is_empty()).then_some(Self::Text(text.into()));
        }
        let data = part.raw().get("inlineData")?;
        let mime_type = data["mimeType"].as_str().unwrap_or_default();
        Some(match data["data"].as_str() {
            Some(data) if sees && mime_type.starts_with("image/") => {
                Self::Picture { mime_type, data }
            }
            _ => Self::Text(
                format!("[Data of the type {mime_type}, which this model cannot read.]").into(),
            ),
        })
    }
}

/// A picture as a data URL.
pub(crate) fn data_url(mime_type: &str, data: &str) -> String {
    format!("data:{mime_type};base64,{data}")
}

/// The pictures of tool results with an introducing line, to follow the results.
pub(crate) fn after_results(pictures: Vec<Part>, sees: bool) -> Vec<Part> {
    match (pictures.is_empty(), sees) {
        (true, _) => Vec::new(),
        (false, true) => std::iter::once(Part::text(PICTURES)).chain(pictures).collect(),
        (false, false) => vec![Part::text(UNSEEN)],
    }
}
