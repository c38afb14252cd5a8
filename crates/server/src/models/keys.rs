//! Storage of keys that are entered in the page.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use llm::{KnownProvider, PROVIDERS};
use secrecy::{ExposeSecret, SecretString};

use super::provider::{Origin, Provider};
use crate::config::KeysConfig;

/// The providers that accept keys from the page. Their addresses are fixed: a page that could choose one
/// could send other keys there.
pub(super) fn keyed() -> impl Iterator<Item = &'static KnownProvider> {
    PROVIDERS.iter().filter(|known| known.key_page.is_some())
}

/// The accepted length of keys, with a margin.
const KEY_CHARS: std::ops::RangeInclusive<usize> = 8..=512;

/// An error about a key. The messages are for the user and never contain the key.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeyError {
    #[error(
        "this server takes no keys from the page, since others may reach it; start it with \
         --page-keys always where whoever reaches it may enter and use keys, or set the provider's \
         variable"
    )]
    NotAllowed,
    #[error("there is no provider '{0}' to enter a key for")]
    UnknownProvider(String),
    #[error(
        "the key of {0} is set where the server is started (environment or configuration file): \
         change it there"
    )]
    SetElsewhere(String),
    #[error(
        "this is not a key: a key has 8 to 512 letters, digits and punctuation marks, without spaces"
    )]
    Malformed,
    #[error("{0} refused this key: check that all of it was copied and that it is still valid")]
    Refused(String),
    #[error("the key could not be saved ({0}); it is used until the server stops")]
    NotSaved(std::io::Error),
    #[error("this server keeps nothing on disk: the key is used until the server stops")]
    NowhereToSave,
}

/// The file of saved keys. The providers hold the keys in memory.
pub(super) struct Keys {
    config: KeysConfig,
    /// The content of the file; locked, since requests change and write it.
    saved: Mutex<BTreeMap<String, SecretString>>,
}

impl Keys {
    /// Loads the saved keys.
    pub(super) fn new(config: KeysConfig) -> Self {
        let saved = match config.file.as_deref().filter(|_| config.allowed) {
            Some(path) => read(path),
            None => BTreeMap::new(),
        };
        Self { config, saved: Mutex::new(saved) }
    }

    pub(super) fn allowed(&self) -> bool {
        self.config.allowed
    }

    /// Whether keys can be saved.
    pub(super) fn can_save(&self) -> bool {
        self.config.file.is_some()
    }

    pub(super) fn is_saved(&self, name: &str) -> bool {
        self.lock().contains_key(name)
    }

    /// The providers with saved keys.
    pub(super) fn providers(&self) -> Vec<Provider> {
        let saved = self.lock();
        keyed().filter_map(|it| Some(self.provider(it, saved.get(it.name)?))).collect()
    }

    /// The provider `known` with this key.
    pub(super) fn provider(&self, known: &KnownProvider, key: &SecretString) -> Provider {
        let KnownProvider { name, label, kind, base_url, .. } = *known;
        let address = self.config.addresses.get(name).map_or(base_url, String::as_str);
        let mut provider = Provider::new(name, label, kind, address, key.clone(), Origin::Page);
        provider.api_of = base_url.to_owned();
        provider
    }

    /// Saves or removes the key of `name`.
    pub(super) fn save(&self, name: &str, key: Option<&SecretString>) -> Result<(), KeyError> {
        let mut saved = self.lock();
        let mut changed = saved.clone();
        match key {
            Some(key) => changed.insert(name.to_owned(), key.clone()),
            None => changed.remove(name),
        };
        if key.is_none() && !saved.contains_key(name) {
            return Ok(());
        }
        let path = self.config.file.as_deref().ok_or(KeyError::NowhereToSave)?;
        write(path, &changed).map_err(KeyError::NotSaved)?;
        *saved = changed;
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, SecretString>> {
        // Every change is one assignment, so a poisoned lock is safe to use.
        self.saved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The provider `name`, if it accepts keys from the page.
pub(super) fn keyed_as(name: &str) -> Result<&'static KnownProvider, KeyError> {
    let found = keyed().find(|known| known.name == name);
    found.ok_or_else(|| KeyError::UnknownProvider(name.chars().take(64).collect()))
}

/// Parses a key.
pub(super) fn checked(text: &SecretString) -> Result<SecretString, KeyError> {
    let key = text.expose_secret().trim();
    let fits = KEY_CHARS.contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    if fits { Ok(SecretString::from(key.to_owned())) } else { Err(KeyError::Malformed) }
}

/// The part of a key that may be shown: the last four characters of a long one.
pub(super) fn ending(key: &SecretString) -> Option<String> {
    let key = key.expose_secret();
    (key.len() >= 20 && key.is_ascii()).then(|| key[key.len() - 4..].to_owned())
}

fn read(path: &Path) -> BTreeMap<String, SecretString> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return BTreeMap::new(),
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "saved keys could not be read");
            return BTreeMap::new();
        }
    };
    // Errors of serde may quote the text, so they are not shown.
    let keys = serde_json::from_str::<BTreeMap<String, String>>(&text).unwrap_or_else(|_| {
        tracing::warn!(path = %path.display(), "the file of saved keys is unreadable: enter them anew");
        BTreeMap::new()
    });
    keys.into_iter().map(|(name, key)| (name, SecretString::from(key))).collect()
}

/// Writes a file atomically, readable only by its owner.
fn write(path: &Path, keys: &BTreeMap<String, SecretString>) -> std::io::Result<()> {
    let plain: BTreeMap<&str, &str> =
        keys.iter().map(|(name, key)| (name.as_str(), key.expose_secret())).collect();
    let text = serde_json::to_string_pretty(&plain)?;
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory)?;
    }
    let new: PathBuf = path.with_extension("new");
    // A file left by a crash may have other permissions.
    match std::fs::remove_file(&new) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&new)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(&new, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> SecretString {
        SecretString::from(text.to_owned())
    }

    #[test]
    fn saved_keys_are_read_again_by_their_owner_only_and_can_be_forgotten() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("deep/keys.json");
        let config =
            KeysConfig { allowed: true, file: Some(file.clone()), ..KeysConfig::default() };
        let keys = Keys::new(config.clone());
        keys.save("openai", Some(&key("sk-1234567890"))).unwrap();
        keys.save("groq", Some(&key("gsk-1234567890"))).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&file).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        keys.save("groq", None).unwrap();
        let again = Keys::new(config.clone());
        let names: Vec<String> = again.providers().into_iter().map(|it| it.name).collect();
        assert_eq!(names, ["openai"]);
        assert!(again.is_saved("openai") && !again.is_saved("groq"));
        let refusing = Keys::new(KeysConfig { allowed: false, ..config });
        assert!(refusing.providers().is_empty());
        let nowhere = Keys::new(KeysConfig { allowed: true, ..KeysConfig::default() });
        assert!(matches!(
            nowhere.save("openai", Some(&key("sk-1234567890"))),
            Err(KeyError::NowhereToSave)
        ));
    }

    #[test]
    fn keys_are_checked_and_at_most_their_end_is_shown() {
        assert_eq!(checked(&key("  sk-abcdef  ")).unwrap().expose_secret(), "sk-abcdef");
        for text in ["", "short", "two words of it", "k\u{e9}ykeykeykey"] {
            assert!(matches!(checked(&key(text)), Err(KeyError::Malformed)), "{text}");
        }
        assert_eq!(ending(&key("sk-abcdefghijklmnopq1234")).as_deref(), Some("1234"));
        assert_eq!(ending(&key("sk-12345678")), None);
    }
}
