//! Errors in configuration files, with their lines.

use std::path::Path;

use toml::Spanned;

/// An error in a configuration file.
#[derive(Debug, thiserror::Error)]
pub enum ConfigFileError {
    /// It cannot be read.
    #[error("the configuration file '{path}' cannot be read: {reason}")]
    Unreadable {
        /// Which.
        path: String,
        /// Why not.
        reason: std::io::Error,
    },
    /// Its content is invalid.
    #[error("the configuration file '{path}', line {line}: {what}")]
    Wrong {
        /// Which.
        path: String,
        /// The line, from 1.
        line: usize,
        /// The error, and what to do.
        what: String,
    },
}

/// The error in the file at `path`.
pub(super) fn wrong(path: &Path, text: &str, error: ErrorAt) -> ConfigFileError {
    ConfigFileError::Wrong {
        path: path.display().to_string(),
        line: line_of(text, error.at),
        what: error.what,
    }
}

/// An error at a byte offset.
pub(super) struct ErrorAt {
    pub(super) at: usize,
    pub(super) what: String,
}

impl ErrorAt {
    pub(super) fn at<T>(place: &Spanned<T>, what: impl Into<String>) -> Self {
        Self { at: place.span().start, what: what.into() }
    }
}

/// The line, from 1.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count()
}
