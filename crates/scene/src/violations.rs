//! All rules of the document that one call or one file violates.

use std::fmt;

/// All violations, each a sentence with advice for users and models. Never empty if returned as an
/// error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Violations(Vec<String>);

impl Violations {
    /// A single violation.
    pub fn one(message: impl Into<String>) -> Self {
        Self(vec![message.into()])
    }

    /// Joins the violations of several errors; `None` if there are none.
    pub fn joined(all: impl IntoIterator<Item = Self>) -> Option<Self> {
        let messages: Vec<String> = all.into_iter().flat_map(|violations| violations.0).collect();
        (!messages.is_empty()).then_some(Self(messages))
    }

    /// The violations, in the order they were found.
    pub fn messages(&self) -> &[String] {
        &self.0
    }

    /// Prepends `prefix` to every message.
    pub fn prefixed(self, prefix: &str) -> Self {
        Self(self.0.into_iter().map(|message| format!("{prefix}{message}")).collect())
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}

/// Collects errors during parsing.
#[derive(Debug, Default)]
pub struct ReadErrors(Vec<String>);

impl ReadErrors {
    /// Adds an error.
    pub fn add(&mut self, message: impl Into<String>) {
        self.0.push(message.into());
    }

    /// Adds all violations of an error.
    pub fn add_all(&mut self, violations: Violations) {
        self.0.extend(violations.0);
    }

    /// Returns `value` if there were no errors, otherwise all errors.
    pub fn finish<T>(self, value: Option<T>) -> Result<T, Violations> {
        match value {
            Some(value) if self.0.is_empty() => Ok(value),
            // A reader that fails without an error has a bug, which is reported instead of a panic.
            _ if self.0.is_empty() => Err(Violations::one("the value could not be read")),
            _ => Err(Violations(self.0)),
        }
    }
}
