//! What a picture's file tells beside the picture: place, camera, comments, prompts, and whatever hangs behind its end.
//! It is taken out piece by piece, so that no pixel changes.
//!
//! Each container is read with a list of the pieces that belong to the picture and its colours; everything else goes,
//! known or not. A file that has nothing else comes back byte for byte. One kind is missing here: a bitmap has no pieces,
//! and is written anew from its pixels (see [`super::picture`]). The crates that edit these containers (`img-parts`)
//! know neither GIF nor what hangs behind the end, and read on where a piece is cut off.

mod gif;
mod jpeg;
mod png;
mod webp;

use super::MediaType;

/// Why a container cannot be read to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Broken {
    /// It stops before its end.
    Cut,
    /// It is not built as its kind is.
    Malformed(&'static str),
}

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

/// A part of a file, which must be there.
fn part(bytes: &[u8], from: usize, length: usize) -> Result<&[u8], Broken> {
    let end = from.checked_add(length).ok_or(Broken::Cut)?;
    bytes.get(from..end).ok_or(Broken::Cut)
}

/// One byte of a file, which must be there.
fn byte(bytes: &[u8], at: usize) -> Result<u8, Broken> {
    bytes.get(at).copied().ok_or(Broken::Cut)
}

/// Four bytes of a file, which must be there.
fn four(bytes: &[u8], at: usize) -> Result<[u8; 4], Broken> {
    part(bytes, at, 4)?.try_into().map_err(|_| Broken::Cut)
}

#[cfg(test)]
mod tests;
