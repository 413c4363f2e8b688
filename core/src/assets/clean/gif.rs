//! GIF: blocks up to the trailer.

use super::bytes::{Broken, byte, part};

const EXTENSION: u8 = 0x21;
const IMAGE: u8 = 0x2c;
const TRAILER: u8 = 0x3b;
const GRAPHIC_CONTROL: u8 = 0xf9;
const PLAIN_TEXT: u8 = 0x01;
const APPLICATION: u8 = 0xff;
/// Loop counts (under both names) and the colour profile.
const KEPT_APPLICATIONS: [&[u8]; 3] = [b"NETSCAPE2.0", b"ANIMEXTS1.0", b"ICCRGBG1012"];
const HEAD_BYTES: usize = 13;

pub(super) fn clean(bytes: &[u8]) -> Result<Vec<u8>, Broken> {
    let head = part(bytes, 0, HEAD_BYTES)?;
    let mut at = HEAD_BYTES + table(byte(head, 10)?);
    let mut kept = Vec::with_capacity(bytes.len());
    kept.extend_from_slice(part(bytes, 0, at)?);
    // Applies to the next picture, and is dropped with a text block.
    let mut control: &[u8] = &[];
    let mut pictures = 0_u32;
    loop {
        let block = match bytes.get(at) {
            Some(block) => *block,
            // Many programs omit the trailer.
            None if pictures > 0 => TRAILER,
            None => return Err(Broken::Cut),
        };
        let (end, application) = match block {
            TRAILER => {
                kept.push(TRAILER);
                return Ok(kept);
            }
            IMAGE => {
                let head = 10 + table(byte(bytes, at + 9)?);
                // One byte before the pixels states their code size.
                (skip_blocks(bytes, at + head + 1)?, false)
            }
            EXTENSION => {
                let label = byte(bytes, at + 1)?;
                let name = usize::from(byte(bytes, at + 2)?);
                let known = label == APPLICATION && KEPT_APPLICATIONS.contains(&part(bytes, at + 3, name)?);
                (skip_blocks(bytes, at + 2)?, known)
            }
            _ => return Err(Broken::Malformed("a block of the GIF is of no known kind")),
        };
        let whole = part(bytes, at, end - at)?;
        match (block, whole.get(1)) {
            (IMAGE, _) => {
                pictures = pictures.saturating_add(1);
                kept.extend_from_slice(std::mem::take(&mut control));
                kept.extend_from_slice(whole);
            }
            (_, Some(&GRAPHIC_CONTROL)) => control = whole,
            (_, Some(&PLAIN_TEXT)) => control = &[],
            _ if application => kept.extend_from_slice(whole),
            _ => {}
        }
        at = end;
    }
}

/// Size of a colour table.
fn table(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3usize << ((flags & 7) + 1) }
}

/// The end of a chain of length-prefixed blocks.
fn skip_blocks(bytes: &[u8], mut at: usize) -> Result<usize, Broken> {
    loop {
        let length = usize::from(byte(bytes, at)?);
        at += 1 + length;
        if length == 0 {
            return Ok(at);
        }
    }
}
