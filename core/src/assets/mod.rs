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

/// What people can do with a file; the specification's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AssetKind {
    Image,
    Video,
    Audio,
    /// A download.
    File,
}

impl MediaType {
    /// What people can do with it.
    #[must_use]
    pub fn kind(self) -> AssetKind {
        match self {
            Self::Png | Self::Jpeg | Self::Webp | Self::Gif | Self::Bmp => AssetKind::Image,
            Self::Mp4 | Self::Webm => AssetKind::Video,
            Self::Flac | Self::Mp3 | Self::Ogg | Self::Wav => AssetKind::Audio,
            Self::Other => AssetKind::File,
        }
    }

    /// The ending of a file's name, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Webp => "webp",
            Self::Gif => "gif",
            Self::Bmp => "bmp",
            Self::Mp4 => "mp4",
            Self::Webm => "webm",
            Self::Flac => "flac",
            Self::Mp3 => "mp3",
            Self::Ogg => "ogg",
            Self::Wav => "wav",
            Self::Other => "bin",
        }
    }

    /// The `Content-Type` it is served with.
    #[must_use]
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Webp => "image/webp",
            Self::Gif => "image/gif",
            Self::Bmp => "image/bmp",
            Self::Mp4 => "video/mp4",
            Self::Webm => "video/webm",
            Self::Flac => "audio/flac",
            Self::Mp3 => "audio/mpeg",
            Self::Ogg => "audio/ogg",
            Self::Wav => "audio/wav",
            Self::Other => "application/octet-stream",
        }
    }
}
