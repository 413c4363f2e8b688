//! What a picture's file tells beside the picture: place, camera, comments, prompts, and whatever hangs behind its end.
//! It is taken out piece by piece, so that no pixel changes.
//!
//! One thing of a JPEG's metadata stays: how it is to be turned.
//!
//! Each container is read with a list of the pieces that belong to the picture and its colours; everything else goes,
//! known or not. A file that has nothing else comes back byte for byte. One kind is missing here: a bitmap has no pieces,
//! and is written anew from its pixels (see [`crate::assets::pictures::picture`]). The crates that edit these containers (`img-parts`)
//! know neither GIF nor what hangs behind the end, and read on where a piece is cut off.

mod bytes;
mod gif;
mod jpeg;
mod orientation;
mod png;
mod webp;

pub(super) use bytes::Broken;

use super::media::MediaType;

/// The file with nothing in it but the picture. Formats other than PNG, JPEG, WebP and GIF come back as they are.
///
/// # Errors
/// Where the file ends too early, or is not built like one of its kind.
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
