//! Counts the frames of animations.

use crate::assets::media::MediaType;

/// The number of frames, from the container alone; 1 for a still picture. In a broken container the readable part
/// counts, and the decoder reports the fault.
pub(super) fn frames(bytes: &[u8], media: MediaType) -> u32 {
    let counted = match media {
        MediaType::Gif => gif_frames(bytes),
        MediaType::Webp => webp_frames(bytes),
        MediaType::Png => png_frames(bytes),
        _ => 1,
    };
    counted.max(1)
}

fn gif_frames(bytes: &[u8]) -> u32 {
    let table = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3usize << ((flags & 7) + 1) };
    let Some(&flags) = bytes.get(10) else { return 0 };
    let mut at = 13 + table(flags);
    let mut frames = 0u32;
    while let Some(&block) = bytes.get(at) {
        at = match block {
            0x2c => {
                frames = frames.saturating_add(1);
                let Some(&flags) = bytes.get(at + 9) else { break };
                at + 11 + table(flags)
            }
            0x21 => at + 2,
            _ => break,
        };
        while let Some(&length) = bytes.get(at) {
            at += 1 + usize::from(length);
            if length == 0 {
                break;
            }
        }
    }
    frames
}

fn webp_frames(bytes: &[u8]) -> u32 {
    let mut at = 12usize;
    let mut frames = 0u32;
    while let (Some(name), Some(Ok(length))) =
        (bytes.get(at..at + 4), bytes.get(at + 4..at + 8).map(<[u8; 4]>::try_from))
    {
        frames = frames.saturating_add(u32::from(name == b"ANMF"));
        let length = u32::from_le_bytes(length) as usize;
        at = at.saturating_add(8).saturating_add(length).saturating_add(length & 1);
        if at >= bytes.len() {
            break;
        }
    }
    frames
}

fn png_frames(bytes: &[u8]) -> u32 {
    let mut at = 8usize;
    while let (Some(Ok(length)), Some(name)) =
        (bytes.get(at..at + 4).map(<[u8; 4]>::try_from), bytes.get(at + 4..at + 8))
    {
        match name {
            b"acTL" => {
                return bytes
                    .get(at + 8..at + 12)
                    .and_then(|count| <[u8; 4]>::try_from(count).ok())
                    .map_or(1, u32::from_be_bytes);
            }
            b"IDAT" => return 1,
            _ => {}
        }
        at = at.saturating_add(12).saturating_add(u32::from_be_bytes(length) as usize);
        if at >= bytes.len() {
            break;
        }
    }
    1
}
