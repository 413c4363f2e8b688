//! BLAKE3 of uploads, by which clients of the Comfy API name them. Files are stored under their SHA-256.

use std::str::FromStr;

use crate::error::Error;

/// Before the digits, wherever the hash is written.
const PREFIX: &str = "blake3:";

/// BLAKE3 of the bytes that a user sent. It is written as `blake3:` and 64 lowercase hex digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blake3Hash(String);

impl Blake3Hash {
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self::of_hash(blake3::hash(bytes))
    }

    pub(in crate::assets) fn of_hash(hash: blake3::Hash) -> Self {
        Self(hash.to_hex().to_string())
    }

    /// The digits, as they are stored.
    pub(in crate::assets) fn digits(&self) -> &str {
        &self.0
    }

    /// From digits that were stored.
    pub(in crate::assets) fn of_digits(digits: String) -> Self {
        Self(digits)
    }
}

impl std::fmt::Display for Blake3Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{PREFIX}{}", self.0)
    }
}

impl FromStr for Blake3Hash {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown = || Error::invalid("hash", "must be blake3: and 64 lowercase hex digits");
        let digits = text.strip_prefix(PREFIX).ok_or_else(unknown)?;
        let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if digits.len() != 64 || !digits.bytes().all(is_hex) {
            return Err(unknown());
        }
        Ok(Self(digits.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_is_written_and_read_with_its_kind() {
        // The hash of no bytes in BLAKE3's own test vectors.
        let empty = "blake3:af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
        let hash = Blake3Hash::of(b"");
        assert_eq!(hash.to_string(), empty);
        assert_eq!(empty.parse::<Blake3Hash>().expect("a hash"), hash);
        for other in ["", "blake3:", &empty[7..], &empty.replace("blake3", "sha256"), &empty.to_ascii_uppercase()] {
            assert!(other.parse::<Blake3Hash>().is_err(), "{other}");
        }
    }
}
