//! Removes metadata from a picture's file: place, camera, comments, prompts, and trailing data. Only whole pieces of
//! the container are removed, so that no pixel changes.
//!
//! A JPEG keeps one kind of metadata: its orientation.
//!
//! Each container has a list of pieces that belong to the picture and its colours; all other pieces are removed, known
//! or not. A file without other pieces stays the same byte for byte. Bitmaps are missing here: they have no pieces, and
//! are encoded again from their pixels (see [`crate::assets::pictures::picture`]). The crates that edit these
//! containers (`img-parts`) know neither GIF nor trailing data, and read past truncated pieces.
//!
//! Of other files only prompt and graph are removed (`heads`).

mod bytes;
mod gif;
mod heads;
mod jpeg;
mod orientation;
mod png;
mod webp;

pub(super) use bytes::Broken;
pub(super) use heads::{GraphInHead, without_graph};

use super::media::MediaType;

/// The file with nothing but the picture. Formats other than PNG, JPEG, WebP and GIF are returned unchanged.
///
/// # Errors
/// If the file is truncated or its structure is invalid.
pub(super) fn picture(bytes: &[u8], media: MediaType) -> Result<Vec<u8>, Broken> {
    match media {
        MediaType::Png => png::clean(bytes),
        MediaType::Jpeg => jpeg::clean(bytes),
        MediaType::Webp => webp::clean(bytes),
        MediaType::Gif => gif::clean(bytes),
        _ => Ok(bytes.to_vec()),
    }
}

#[cfg(test)]
mod tests;
