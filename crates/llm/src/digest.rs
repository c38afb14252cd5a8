//! Digests that identify parts of conversations. They are stable across restarts.

use sha2::{Digest, Sha256};

/// The first 64 bits of the SHA-256 of the texts, each with its length.
pub(crate) fn digest<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> u64 {
    let mut chain = Chain::default();
    for text in texts {
        chain.add(text.as_ref());
    }
    chain.so_far()
}

/// An incremental digest of texts.
#[derive(Clone, Default)]
pub(crate) struct Chain(Sha256);

impl Chain {
    pub(crate) fn add(&mut self, text: &str) {
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text.as_bytes());
    }

    /// The digest of the texts so far.
    pub(crate) fn so_far(&self) -> u64 {
        self.0.clone().finalize().iter().take(8).fold(0, |all, byte| all << 8 | u64::from(*byte))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_texts_end_matters() {
        assert_eq!(digest(["a", "b"]), digest(["a", "b"]));
        assert_ne!(digest(["a", "b"]), digest(["ab"]));
        assert_ne!(digest(["a", "b"]), digest(["ab", ""]));
    }
}
