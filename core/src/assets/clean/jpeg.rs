//! JPEG: segments and scans up to the end marker, and the orientation. Parsed as libjpeg does: cameras and scanners
//! write padding and stray bytes between segments, and segments that state less than their own length.

use super::bytes::{Broken, byte, part};
use super::orientation::{self, Stated};

const START: u8 = 0xd8;
const END: u8 = 0xd9;
const SCAN: u8 = 0xda;
const APP0: u8 = 0xe0;
const APP1: u8 = 0xe1;
const APP2: u8 = 0xe2;
const APP14: u8 = 0xee;
const APP15: u8 = 0xef;
const JPG0: u8 = 0xf0;
const COMMENT: u8 = 0xfe;
/// `JFIF`, version, unit, density; a thumbnail follows.
const JFIF_BYTES: usize = 14;
/// `Adobe`, version, flags, and the colour transform.
const ADOBE_BYTES: usize = 12;

pub(super) fn clean(bytes: &[u8]) -> Result<Vec<u8>, Broken> {
    let mut kept = Vec::with_capacity(bytes.len());
    // Position and value of the orientation; EXIF takes precedence over XMP.
    let mut turned: Option<(usize, Stated)> = None;
    if part(bytes, 0, 2)? != [0xff, START] {
        return Err(Broken::Malformed("the JPEG has no beginning"));
    }
    kept.extend_from_slice(&[0xff, START]);
    let mut at = 2;
    loop {
        let marker;
        (marker, at) = next_marker(bytes, at)?;
        match marker {
            END => {
                kept.extend_from_slice(&[0xff, END]);
                if let Some((place, Stated::Exif(orientation) | Stated::Xmp(orientation))) = turned {
                    let data = orientation::segment(orientation);
                    let length = u16::try_from(data.len() + 2).unwrap_or(u16::MAX).to_be_bytes();
                    kept.splice(place..place, [&[0xff, APP1][..], &length, &data].concat());
                }
                return Ok(kept);
            }
            // Markers without data.
            0x01 | 0xd0..=0xd7 => continue,
            START => return Err(Broken::Malformed("a marker of the JPEG stands where none may stand")),
            _ => {}
        }
        let stated = usize::from(u16::from_be_bytes([byte(bytes, at)?, byte(bytes, at + 1)?]));
        // The length includes itself. For metadata that states less, decoders skip two bytes and go on.
        let length = if is_metadata(marker) { stated.max(2) } else { stated };
        let segment = part(bytes, at, length)?;
        let data = segment.get(2..).ok_or(Broken::Malformed("a segment of the JPEG has no length"))?;
        if let Some(stated) = (marker == APP1).then(|| orientation::stated(data)).flatten() {
            turned = match (turned, stated) {
                (None, stated) => Some((kept.len(), stated)),
                (Some((place, Stated::Xmp(_))), Stated::Exif(_)) => Some((place, stated)),
                (Some(known), _) => Some(known),
            };
        }
        if let Some(data) = essential(marker, data) {
            let length = u16::try_from(data.len() + 2).unwrap_or(u16::MAX);
            kept.extend_from_slice(&[0xff, marker]);
            kept.extend_from_slice(&length.to_be_bytes());
            kept.extend_from_slice(&data);
        }
        at += length;
        if marker == SCAN {
            let end = end_of_scan(bytes, at)?;
            kept.extend_from_slice(part(bytes, at, end - at)?);
            at = end;
        }
    }
}

/// The next marker, and the start of its data. Stray bytes and padding may come before it.
fn next_marker(bytes: &[u8], mut at: usize) -> Result<(u8, usize), Broken> {
    loop {
        let rest = bytes.get(at..).ok_or(Broken::Cut)?;
        at += rest.iter().position(|byte| *byte == 0xff).ok_or(Broken::Cut)?;
        while byte(bytes, at)? == 0xff {
            at += 1;
        }
        // A stuffed byte is not a marker.
        let marker = byte(bytes, at)?;
        at += 1;
        if marker != 0 {
            return Ok((marker, at));
        }
    }
}

/// Whether the picture can be decoded without this segment.
fn is_metadata(marker: u8) -> bool {
    matches!(marker, APP0..=APP15 | JPG0..=COMMENT)
}

/// The part of a segment that concerns the picture and its colours; `None` if nothing does.
fn essential(marker: u8, data: &[u8]) -> Option<std::borrow::Cow<'_, [u8]>> {
    match marker {
        APP0 if data.starts_with(b"JFIF\0") && data.len() >= JFIF_BYTES => {
            let mut head = data.get(..JFIF_BYTES)?.to_vec();
            // Drop the thumbnail.
            head.get_mut(JFIF_BYTES - 2..)?.fill(0);
            Some(head.into())
        }
        APP2 if data.starts_with(b"ICC_PROFILE\0") => Some(data.into()),
        APP14 if data.starts_with(b"Adobe") => data.get(..ADOBE_BYTES).map(Into::into),
        _ if is_metadata(marker) => None,
        _ => Some(data.into()),
    }
}

/// The end of a scan's pixels: the first marker that is neither a stuffed byte nor a restart.
fn end_of_scan(bytes: &[u8], mut at: usize) -> Result<usize, Broken> {
    loop {
        let rest = bytes.get(at..).ok_or(Broken::Cut)?;
        let found = rest.iter().position(|byte| *byte == 0xff).ok_or(Broken::Cut)?;
        at += found;
        match byte(bytes, at + 1)? {
            0x00 | 0xd0..=0xd7 => at += 2,
            // Padding; the marker may follow.
            0xff => at += 1,
            _ => return Ok(at),
        }
    }
}
