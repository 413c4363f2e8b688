//! An upload: the file that is stored, its name in addresses, and in which size it is asked for.

use std::str::FromStr;

use chrono::{DateTime, Utc};

use super::embedded::Embedded;
use super::media::{AssetKind, MediaType};
use super::storage::content_hash::ContentHash;
use crate::error::{Error, Result};
use crate::ids::{AssetId, UserId};

/// Somebody's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    pub id: AssetId,
    pub user: UserId,
    pub stored: Stored,
    /// What its owner called it; never a path.
    pub name: String,
    pub kind: AssetKind,
    pub is_private: bool,
    pub created_at: DateTime<Utc>,
    pub expires_at: Option<DateTime<Utc>>,
}

impl Asset {
    /// Its name in addresses.
    #[must_use]
    pub fn key(&self) -> Key {
        Key { content: self.stored.content.clone(), media: self.stored.media }
    }
}

/// Bytes that are kept, and what they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    pub content: ContentHash,
    pub media: MediaType,
    pub size_bytes: i64,
    /// Of pictures and videos that could be read, as they are seen. A video that has a size has a poster too.
    pub width: Option<i32>,
    pub height: Option<i32>,
    /// A placeholder for pictures and posters, in BlurHash form.
    pub blur_hash: Option<String>,
    /// Of videos and sounds that could be read.
    pub duration_ms: Option<i64>,
    /// Whether its file tells anything beside what it shows.
    pub embedded: Embedded,
    /// The digest of its pixels, where it has just been measured: see [`Measures::pixels`](super::Measures::pixels).
    pub pixels: Option<ContentHash>,
}

/// How a file is named in addresses: `<content hash>.<extension>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    pub content: ContentHash,
    pub media: MediaType,
}

impl FromStr for Key {
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

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.content.0, self.media.extension())
    }
}

/// The forms of a file that addresses name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quality {
    /// The bytes as they came.
    Raw,
    /// A WebP that fits 200 pixels, for cards: a picture's, or a video's first frame.
    W200,
    /// A WebP for a cell of a grid, 480 pixels wide, as above.
    W480,
    /// A WebP for what fills a phone or half a desk, 960 pixels wide, as above.
    W960,
    /// A WebP for screens, as above.
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
