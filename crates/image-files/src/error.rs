//! What is wrong with an image file.

/// What is wrong with an image file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImageFileError {
    /// It is larger than the limits.
    #[error(
        "the image has {width} x {height} pixels; at most {side} on a side and {pixels} in all are read"
    )]
    TooLarge {
        /// Pixels.
        width: u32,
        /// Pixels.
        height: u32,
        /// See [`Limits`](crate::Limits).
        side: u32,
        /// See [`Limits`](crate::Limits).
        pixels: u64,
    },
    /// It breaks the rules of its format.
    #[error("{0}")]
    Malformed(String),
}

impl ImageFileError {
    pub(crate) fn malformed(what: impl std::fmt::Display) -> Self {
        /// The messages of the libraries may quote the file.
        const MAX_CHARS: usize = 300;
        let text: String = what.to_string().chars().take(MAX_CHARS).collect();
        Self::Malformed(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}
