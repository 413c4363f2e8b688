//! Uploads: the stored file, its key in URLs, and the qualities it is served in.

use std::str::FromStr;

use chrono::{DateTime, Utc};

use super::embedded::EmbeddedMetadata;
use super::media::{AssetKind, MediaType};
use super::storage::content_hash::ContentHash;
use crate::error::{Error, Result};
use crate::ids::{AssetId, UserId};

/// A user's name for a stored file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    pub id: AssetId,
    pub user: UserId,
    pub stored: StoredFile,
    /// The owner's name for it; never a path.
    pub name: String,
    pub kind: AssetKind,
    pub is_private: bool,
    pub created_at: DateTime<Utc>,
    pub expires_at: Option<DateTime<Utc>>,
}

impl Asset {
    #[must_use]
    pub fn key(&self) -> FileKey {
        FileKey { content: self.stored.content.clone(), media: self.stored.media }
    }
}

/// The hash and properties of stored bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    pub content: ContentHash,
    pub media: MediaType,
    pub size_bytes: i64,
    /// Displayed size; set for pictures and videos that could be read. A video with a size has a poster.
    pub width: Option<i32>,
    pub height: Option<i32>,
    /// BlurHash placeholder of a picture or poster.
    pub blur_hash: Option<String>,
    /// Set for videos and sounds that could be read.
    pub duration_ms: Option<i64>,
    pub embedded: EmbeddedMetadata,
    /// Digest of the pixels, if they were just measured: see [`Measures::pixels`](super::Measures::pixels).
    pub pixels: Option<ContentHash>,
}

/// The name of a file in URLs: `<content hash>.<extension>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileKey {
    pub content: ContentHash,
    pub media: MediaType,
}

impl FromStr for FileKey {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (content, extension) = text.split_once('.').ok_or(Error::NotFound { what: "file" })?;
        let media = MediaType::from_extension(extension);
        if media.extension() != extension {
            return Err(Error::NotFound { what: "file" });
        }
        Ok(Self { content: content.parse()?, media })
    }
}

impl std::fmt::Display for FileKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.content.0, self.media.extension())
    }
}

/// The qualities that URLs can request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quality {
    /// The stored bytes.
    Raw,
    /// WebP that fits 200 pixels, for cards: of the picture, or of a video's first frame.
    W200,
    /// WebP for a grid cell, 480 pixels wide.
    W480,
    /// WebP for a full phone screen or half a desktop, 960 pixels wide.
    W960,
    /// WebP for full screens.
    Optimal,
}

impl FromStr for Quality {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "raw" => Ok(Self::Raw),
            "w200" => Ok(Self::W200),
            "w480" => Ok(Self::W480),
            "w960" => Ok(Self::W960),
            "optimal" => Ok(Self::Optimal),
            _ => Err(Error::NotFound { what: "file" }),
        }
    }
}
