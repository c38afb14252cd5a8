//! All rules of the document that one call or one file violates.

use std::fmt;

/// All violations found, each a sentence that a user or a model can act on. Never empty when
/// returned as an error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Violations(Vec<String>);

impl Violations {
    /// A single violation.
    pub fn one(message: impl Into<String>) -> Self {
        Self(vec![message.into()])
    }

    /// The violations of several errors together; `None` when there are none.
    pub fn joined(all: impl IntoIterator<Item = Self>) -> Option<Self> {
        let messages: Vec<String> = all.into_iter().flat_map(|violations| violations.0).collect();
        (!messages.is_empty()).then_some(Self(messages))
    }

    /// The violations, in the order they were found.
    pub fn messages(&self) -> &[String] {
        &self.0
    }

    /// Puts `prefix` before every message.
    pub fn prefixed(self, prefix: &str) -> Self {
        Self(self.0.into_iter().map(|message| format!("{prefix}{message}")).collect())
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}

/// A collector of errors while a value is read to its end.
#[derive(Debug, Default)]
pub struct ReadErrors(Vec<String>);

impl ReadErrors {
    /// Adds one.
    pub fn add(&mut self, message: impl Into<String>) {
        self.0.push(message.into());
    }

    /// Adds all violations of an error.
    pub fn add_all(&mut self, violations: Violations) {
        self.0.extend(violations.0);
    }

    /// `value` when nothing was wrong; all errors otherwise.
    pub fn finish<T>(self, value: Option<T>) -> Result<T, Violations> {
        match value {
            Some(value) if self.0.is_empty() => Ok(value),
            // A reader that gives up without naming an error would be a bug; say so rather than panic.
            _ if self.0.is_empty() => Err(Violations::one("the value could not be read")),
            _ => Err(Violations(self.0)),
        }
    }
}
