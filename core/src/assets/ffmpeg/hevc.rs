//! SEI messages in the head of an HEVC MP4: encoders write their settings there, cameras anything. ffmpeg filters the
//! frames and not this copy, so it is overwritten here.

use std::fs::OpenOptions;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

/// Unit types of messages before and after a picture.
const MESSAGES: [u8; 2] = [39, 40];
/// The fixed part of the decoder's configuration, before the list of units.
const FIXED_BYTES: usize = 22;
/// A filler message, of up to this many bytes in all.
const FILLER: u8 = 3;
const FILLER_BYTES: usize = 200;

/// Overwrites the messages in the head of an MP4 with fillers of the same length, so that no offset changes.
///
/// # Errors
/// If the file cannot be read or written, or has no head.
pub(in crate::assets) fn blank_messages(file: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(file)?;
    let mut at = 0;
    loop {
        file.seek(SeekFrom::Start(at))?;
        let mut begin = [0; 16];
        file.read_exact(&mut begin)?;
        let [a, b, c, d, name @ .., _, _, _, _, _, _, _, _] = begin;
        let size = match u32::from_be_bytes([a, b, c, d]) {
            1 => u64::from_be_bytes(begin.last_chunk().copied().unwrap_or_default()),
            size => u64::from(size),
        };
        if &name == b"moov" {
            let mut head = vec![0; usize::try_from(size).map_err(io::Error::other)?];
            file.seek(SeekFrom::Start(at))?;
            file.read_exact(&mut head)?;
            blank(&mut head);
            file.seek(SeekFrom::Start(at))?;
            return file.write_all(&head);
        }
        at += size.max(8);
    }
}

/// Blanks the messages of every configuration in a head.
fn blank(head: &mut [u8]) {
    let names: Vec<usize> = head.windows(4).enumerate().filter(|(_, name)| name == b"hvcC").map(|(at, _)| at).collect();
    for at in names {
        let size = at.checked_sub(4).and_then(|from| head.get(from..)).and_then(|box_| box_.first_chunk());
        let Some(size) = size.and_then(|size| usize::try_from(u32::from_be_bytes(*size)).ok()) else { continue };
        let Some(configuration) = (at - 4).checked_add(size).and_then(|end| head.get_mut(at + 4..end)) else {
            continue;
        };
        for (from, until) in messages(configuration).unwrap_or_default() {
            if let Some(message) = configuration.get_mut(from..until) {
                fill(message);
            }
        }
    }
}

/// Ranges of the messages in a configuration, without their two type bytes; `None` if it is not one.
fn messages(configuration: &[u8]) -> Option<Vec<(usize, usize)>> {
    let mut found = Vec::new();
    let count = *configuration.get(FIXED_BYTES)?;
    let mut at = FIXED_BYTES + 1;
    for _ in 0..count {
        let [kind, high, low] = *configuration.get(at..)?.first_chunk()?;
        at += 3;
        for _ in 0..u16::from_be_bytes([high, low]) {
            let length = usize::from(u16::from_be_bytes(*configuration.get(at..)?.first_chunk()?));
            at += 2;
            configuration.get(at..at + length)?;
            if MESSAGES.contains(&(kind & 0x3f)) {
                found.push((at + 2, at + length));
            }
            at += length;
        }
    }
    (at == configuration.len()).then_some(found)
}

/// Writes filler messages and the bit that ends a unit.
fn fill(unit: &mut [u8]) {
    let Some((end, mut rest)) = unit.split_last_mut() else { return };
    *end = 0x80;
    while rest.len() >= 2 {
        let whole = match rest.len() {
            // One byte is not a message.
            length if length == FILLER_BYTES + 1 => FILLER_BYTES - 1,
            length => length.min(FILLER_BYTES),
        };
        let (message, behind) = rest.split_at_mut(whole);
        message.fill(0xff);
        if let [kind, size, ..] = message {
            *kind = FILLER;
            *size = u8::try_from(whole - 2).unwrap_or_default();
        }
        rest = behind;
    }
    rest.fill(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_of_any_length_is_filled_with_whole_messages() {
        for length in 3..1000 {
            let mut unit = vec![b'x'; length];
            fill(&mut unit);
            let (end, mut rest) = unit.split_last().expect("an end");
            assert_eq!(*end, 0x80);
            while let [kind, size, behind @ ..] = rest {
                assert_eq!(*kind, FILLER, "{length}");
                let (filling, behind) = behind.split_at(usize::from(*size));
                assert!(filling.iter().all(|byte| *byte == 0xff));
                rest = behind;
            }
            assert!(rest.is_empty(), "{length}: {rest:?}");
        }
    }

    #[test]
    fn invalid_configuration_is_left_unchanged() {
        for broken in [&b"\0\0\0\x0chvcCabcd"[..], b"hvcC", b"\xff\xff\xff\xffhvcC", b"\0\0\0\0hvcC"] {
            let mut head = broken.to_vec();
            blank(&mut head);
            assert_eq!(head, broken);
        }
    }
}
