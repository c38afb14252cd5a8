//! The name of an asset.

use sha2::{Digest, Sha256};

/// SHA-256 of a file's content, in 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssetHash(String);

impl AssetHash {
    /// The hash of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The hash of a finished digest.
    pub(crate) fn of_counted(counted: Sha256) -> Self {
        Self(counted.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Parses a hash.
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (text.len() == 64 && text.bytes().all(is_digit)).then(|| Self(text.to_owned()))
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for AssetHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_told_from_other_names() {
        // FIPS 180-2, appendix B.1.
        let hash = AssetHash::of(b"abc");
        assert_eq!(
            hash.as_str(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(AssetHash::parse(hash.as_str()), Some(hash.clone()));
        let upper = hash.as_str().to_uppercase();
        for other in ["", "abc", "../../../etc/passwd", &hash.as_str()[1..], &upper] {
            assert_eq!(AssetHash::parse(other), None, "{other}");
        }
    }
}
