//! PNG: chunks up to `IEND`.

use super::bytes::{Broken, four, part};

/// The picture, its colours, physical size and frames. Text, EXIF, time and unknown chunks are not in the list.
const KEPT: [&[u8; 4]; 19] = [
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB", b"cICP", b"mDCV",
    b"cLLI", b"bKGD", b"pHYs", b"hIST", b"acTL", b"fcTL", b"fdAT",
];
const SIGNATURE_BYTES: usize = 8;

pub(super) fn clean(bytes: &[u8]) -> Result<Vec<u8>, Broken> {
    let mut kept = Vec::with_capacity(bytes.len());
    kept.extend_from_slice(part(bytes, 0, SIGNATURE_BYTES)?);
    let mut at = SIGNATURE_BYTES;
    loop {
        let length = u32::from_be_bytes(four(bytes, at)?) as usize;
        let name = four(bytes, at + 4)?;
        if !name.iter().all(u8::is_ascii_alphabetic) {
            return Err(Broken::Malformed("a chunk of the PNG has no name"));
        }
        // Length, name, data, checksum.
        let chunk = part(bytes, at, length.checked_add(12).ok_or(Broken::Cut)?)?;
        if KEPT.contains(&&name) {
            kept.extend_from_slice(chunk);
        }
        at += chunk.len();
        if &name == b"IEND" {
            return Ok(kept);
        }
    }
}
