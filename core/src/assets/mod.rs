//! Files by content hash, sizes, media variants, expiry.

use serde::{Deserialize, Serialize};

/// SHA-256 of a file's bytes, as 64 lowercase hex digits: the file's key everywhere.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentHash(pub String);

/// What a file is, found from its bytes and never from its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MediaType {
    Png,
    Jpeg,
    Webp,
    Gif,
    Bmp,
    Mp4,
    Webm,
    Flac,
    Mp3,
    Ogg,
    Wav,
    /// Stored and served as a download.
    Other,
}
