//! The environment of an MCP server process: a small base, and the variables of its entry.

use std::collections::BTreeMap;
use std::ffi::OsString;

/// Variables that every process inherits: paths, user and language, and nothing secret. The same set as
/// in the official SDKs, plus the locale and the directory for temporary files.
#[cfg(not(windows))]
const BASE: &[&str] = &[
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ",
    "USER",
];
#[cfg(windows)]
const BASE: &[&str] = &[
    "APPDATA",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LANG",
    "LOCALAPPDATA",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
];

/// The base variables with their values.
pub(crate) fn base() -> Vec<(&'static str, OsString)> {
    let variable = |name: &&'static str| Some((*name, std::env::var_os(name)?));
    // Exported shell functions are code, not values.
    let is_value = |value: &OsString| !value.to_string_lossy().starts_with("()");
    BASE.iter().filter_map(variable).filter(|(_, value)| is_value(value)).collect()
}

/// The variable `name` of our environment.
pub(crate) fn ours(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Expands `${NAME}`, `${NAME:-default}` and VS Code's `${env:NAME}` by `variable`. The error names an
/// unset variable. Values of variables are added to `secrets`.
pub(crate) fn expand(
    text: &str,
    variable: &impl Fn(&str) -> Option<String>,
    secrets: &mut Secrets,
) -> Result<String, String> {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        expanded.push_str(&rest[..start]);
        let after = &rest[start + 2..];
        let Some(end) = after.find('}') else {
            return Err(format!("'{text}' has '${{' without '}}'"));
        };
        let inside = after[..end].strip_prefix("env:").unwrap_or(&after[..end]);
        let (name, default) = match inside.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inside, None),
        };
        let is_name = !name.is_empty()
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        if !is_name {
            return Err(format!(
                "'${{{inside}}}' is not supported; write the value, or '${{NAME}}' for the \
                 environment variable NAME of this server"
            ));
        }
        match (variable(name).filter(|value| !value.is_empty()), default) {
            (Some(value), _) => {
                secrets.add(&value);
                expanded.push_str(&value);
            }
            (None, Some(default)) => expanded.push_str(default),
            (None, None) => return Err(format!("the environment variable '{name}' is not set")),
        }
        rest = &after[end + 1..];
    }
    expanded.push_str(rest);
    Ok(expanded)
}

/// Expands every value of a map.
pub(crate) fn expand_all(
    values: &BTreeMap<String, String>,
    variable: &impl Fn(&str) -> Option<String>,
    secrets: &mut Secrets,
) -> Result<BTreeMap<String, String>, String> {
    let expand = |(name, value): (&String, &String)| {
        let expanded = expand(value, variable, secrets)?;
        secrets.add(&expanded);
        Ok((name.clone(), expanded))
    };
    values.iter().map(expand).collect()
}

/// Values that are never shown or logged.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Vec<String>);

impl Secrets {
    /// Shorter values are not hidden: they are words such as `true` or `8080`, which occur in any
    /// message.
    const MIN_LENGTH: usize = 6;

    pub(crate) fn add(&mut self, value: &str) {
        // `Authorization: Bearer TOKEN`: the token is the secret.
        for value in value.split_whitespace().filter(|value| value.len() >= Self::MIN_LENGTH) {
            if !self.0.iter().any(|known| known == value) {
                self.0.push(value.to_owned());
            }
        }
        // Longer secrets first, so that no part of one remains.
        self.0.sort_by_key(|value| std::cmp::Reverse(value.len()));
    }

    /// `text` with secrets removed.
    pub(crate) fn hide(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), "***"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(name: &str) -> Option<String> {
        match name {
            "TOKEN" => Some("s3cret-token".into()),
            "EMPTY" => Some(String::new()),
            _ => None,
        }
    }

    #[test]
    fn variables_are_expanded_by_name_and_their_values_are_hidden() {
        let mut secrets = Secrets::default();
        let mut check = |text: &str| expand(text, &variable, &mut secrets);
        assert_eq!(check("a ${TOKEN} b").as_deref(), Ok("a s3cret-token b"));
        assert_eq!(check("${env:TOKEN}").as_deref(), Ok("s3cret-token"));
        assert_eq!(check("${NONE:-x}${EMPTY:-y}").as_deref(), Ok("xy"));
        assert_eq!(check("$HOME {}").as_deref(), Ok("$HOME {}"));
        assert!(check("${NONE}").unwrap_err().contains("'NONE' is not set"));
        assert!(check("${input:key}").unwrap_err().contains("'${input:key}' is not supported"));
        assert!(check("${TOKEN").unwrap_err().contains("without '}'"));
        assert_eq!(secrets.hide("bad token s3cret-token."), "bad token ***.");
    }

    #[test]
    fn a_longer_secret_is_hidden_as_a_whole() {
        let mut secrets = Secrets::default();
        secrets.add("abcdef");
        secrets.add("Bearer abcdefghi");
        secrets.add("yes");
        assert_eq!(secrets.hide("abcdefghi abcdef yes"), "*** *** yes");
    }

    #[test]
    fn the_base_has_no_key() {
        assert!(BASE.iter().all(|name| !name.contains("KEY") && !name.contains("TOKEN")));
        assert!(base().iter().any(|(name, _)| *name == "PATH"));
    }
}
