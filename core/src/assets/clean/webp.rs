//! WebP: the chunks of its RIFF container, and those of each frame.

use super::bytes::{Broken, four, part};

const HEAD_BYTES: usize = 12;
/// Position, size, duration and flags, before the chunks of a frame.
const FRAME_HEAD_BYTES: usize = 16;
const KEPT: [&[u8; 4]; 7] = [b"VP8X", b"ICCP", b"ANIM", b"ANMF", b"ALPH", b"VP8 ", b"VP8L"];
const KEPT_IN_FRAMES: [&[u8; 4]; 3] = [b"ALPH", b"VP8 ", b"VP8L"];
/// The `VP8X` flags for EXIF and XMP.
const TELLING: u8 = 0b0000_1100;

pub(super) fn clean(bytes: &[u8]) -> Result<Vec<u8>, Broken> {
    part(bytes, 0, HEAD_BYTES)?;
    let stated = u32::from_le_bytes(four(bytes, 4)?) as usize;
    let end =
        stated.checked_add(8).filter(|end| *end >= HEAD_BYTES).ok_or(Broken::Malformed("the WebP has no size"))?;
    let inside = bytes.get(..end).ok_or(Broken::Cut)?;
    let mut kept = b"RIFF\0\0\0\0WEBP".to_vec();
    kept.reserve(inside.len());
    chunks(inside, HEAD_BYTES, &mut |name, data| {
        if !KEPT.contains(&name) {
            return Ok(());
        }
        match name {
            b"VP8X" => {
                let mut head = data.to_vec();
                *head.first_mut().ok_or(Broken::Malformed("the head of the WebP is empty"))? &= !TELLING;
                write(&mut kept, name, &head);
            }
            b"ANMF" => {
                let mut frame = part(data, 0, FRAME_HEAD_BYTES)?.to_vec();
                chunks(data, FRAME_HEAD_BYTES, &mut |name, data| {
                    if KEPT_IN_FRAMES.contains(&name) {
                        write(&mut frame, name, data);
                    }
                    Ok(())
                })?;
                write(&mut kept, name, &frame);
            }
            _ => write(&mut kept, name, data),
        }
        Ok(())
    })?;
    let size = u32::try_from(kept.len() - 8).map_err(|_| Broken::Malformed("the WebP is too large"))?;
    if let Some(stated) = kept.get_mut(4..8) {
        stated.copy_from_slice(&size.to_le_bytes());
    }
    Ok(kept)
}

type Take<'a> = &'a mut dyn FnMut(&[u8; 4], &[u8]) -> Result<(), Broken>;

fn chunks(bytes: &[u8], mut at: usize, take: Take<'_>) -> Result<(), Broken> {
    while at < bytes.len() {
        let name = four(bytes, at)?;
        let length = u32::from_le_bytes(four(bytes, at + 4)?) as usize;
        take(&name, part(bytes, at + 8, length)?)?;
        // Chunks are padded to even offsets; the last byte may be missing in an otherwise complete file.
        at = at + 8 + length + (length & 1);
    }
    Ok(())
}

fn write(kept: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    kept.extend_from_slice(name);
    kept.extend_from_slice(&u32::try_from(data.len()).unwrap_or(u32::MAX).to_le_bytes());
    kept.extend_from_slice(data);
    if data.len() % 2 == 1 {
        kept.push(0);
    }
}
