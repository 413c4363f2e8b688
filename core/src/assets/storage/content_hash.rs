//! Content hashes of files.

use std::str::FromStr;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::error::{Error, Result};

/// Larger inputs are hashed on a blocking thread.
const HASH_INLINE_BYTES: usize = 128 * 1024;

/// SHA-256 of a file's bytes, as 64 lowercase hex digits: the file's key everywhere.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentHash(pub String);

impl ContentHash {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self::of_digest(&Sha256::digest(bytes))
    }

    pub(in crate::assets) fn of_digest(digest: &[u8]) -> Self {
        use std::fmt::Write;
        let mut text = String::with_capacity(64);
        for byte in digest {
            let _infallible = write!(text, "{byte:02x}");
        }
        Self(text)
    }
}

impl FromStr for ContentHash {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let hex = text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if hex { Ok(Self(text.to_owned())) } else { Err(Error::NotFound { what: "file" }) }
    }
}

pub(in crate::assets) async fn hash(bytes: Bytes) -> Result<ContentHash> {
    if bytes.len() <= HASH_INLINE_BYTES {
        return Ok(ContentHash::of(&bytes));
    }
    tokio::task::spawn_blocking(move || ContentHash::of(&bytes))
        .await
        .map_err(|error| Error::Internal(format!("storage: {error}")))
}
