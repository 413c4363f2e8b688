//! Data behind and between the frames of MP3 and FLAC files. These formats have no container, so ffmpeg takes everything
//! for sound and copies it.

use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use crate::assets::storage::spool::Spool;

/// Kilobits per second of MPEG 1, layer III, by their index from 1; of MPEG 2 and 2.5.
const RATES: [[u32; 14]; 2] = [
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];
/// Samples per second of MPEG 1; MPEG 2 has half of them, and MPEG 2.5 a quarter.
const SAMPLES: [u32; 3] = [44_100, 48_000, 32_000];
/// No frame of a FLAC file is longer.
const MOST_FRAME_BYTES: u64 = 2 << 20;

/// Copies the whole frames of an MP3 file, and nothing else. Blocking.
///
/// # Errors
/// If the file cannot be read or copied.
pub(super) fn mp3_frames(file: &Path) -> io::Result<Spool> {
    let mut file = BufReader::new(File::open(file)?);
    Spool::write_with(|to| {
        let mut header = [0; 4];
        let mut has_header = read_whole(&mut file, &mut header)?;
        while has_header {
            let Some(length) = frame_length(header) else {
                header.rotate_left(1);
                has_header = read_whole(&mut file, &mut header[3..])?;
                continue;
            };
            let mut data = vec![0; length.saturating_sub(header.len())];
            if !read_whole(&mut file, &mut data)? {
                break;
            }
            to.write_all(&header)?;
            to.write_all(&data)?;
            has_header = read_whole(&mut file, &mut header)?;
        }
        Ok(())
    })
}

/// Whether the buffer could be filled.
fn read_whole(file: &mut BufReader<File>, buffer: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// The length of the frame with this header, if it is one of layer III.
fn frame_length(header: [u8; 4]) -> Option<usize> {
    let [0xff, second, third, _] = header else { return None };
    let (is_first, divisor) = match second & 0xfe {
        0xfa => (true, 1),
        0xf2 => (false, 2),
        0xe2 => (false, 4),
        _ => return None,
    };
    let rate = RATES[usize::from(!is_first)].get(usize::from(third >> 4).checked_sub(1)?)?;
    let samples = SAMPLES.get(usize::from(third >> 2 & 3))? / divisor;
    let factor = if is_first { 144_000 } else { 72_000 };
    usize::try_from(factor * rate / samples + u32::from(third >> 1 & 1)).ok()
}

/// Whether a FLAC file ends with one of its frames. Blocking.
///
/// # Errors
/// If the file cannot be read.
pub(super) fn ends_with_flac_frame(file: &Path) -> io::Result<bool> {
    let mut file = File::open(file)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(MOST_FRAME_BYTES)))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    let Some((bytes, sum)) = end.split_last_chunk::<2>() else { return Ok(false) };
    // Backwards, so that each byte is read once, however many bytes look like the start of a frame. The checksum of a
    // frame is zero at its start.
    let mut sum = u16::from_be_bytes(*sum);
    for (at, byte) in bytes.iter().enumerate().rev() {
        sum = checksum_before(sum, *byte);
        if sum == 0 && matches!(bytes.get(at..at + 2), Some([0xff, 0xf8 | 0xf9])) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The low bits of the polynomial of a FLAC frame's checksum.
const POLYNOMIAL: u16 = 0x8005;

/// The checksum of a FLAC frame before this byte was added to it.
fn checksum_before(sum: u16, byte: u8) -> u16 {
    // The lowest bit tells whether the polynomial was added.
    let undone = |sum: u16, _| if sum & 1 == 0 { sum >> 1 } else { ((sum ^ POLYNOMIAL) >> 1) | 0x8000 };
    (0..8).fold(sum, undone) ^ (u16::from(byte) << 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), bytes).expect("its bytes");
        file
    }

    #[test]
    fn mp3_frames_are_told_from_other_data() {
        // 128 kbit/s at 44.1 kHz: 417 bytes, and one more with padding.
        for (header, length) in [
            ([0xff, 0xfb, 0x90, 0x64], Some(417)),
            ([0xff, 0xfb, 0x92, 0x64], Some(418)),
            ([0xff, 0xf3, 0x80, 0xc4], Some(208)),
            ([0xff, 0xe3, 0x18, 0xc4], Some(72)),
            ([0xff, 0xfb, 0x00, 0x64], None),
            ([0xff, 0xfb, 0xf0, 0x64], None),
            ([0xff, 0xfb, 0x9c, 0x64], None),
            ([0xff, 0xfd, 0x90, 0x64], None),
            (*b"TAG!", None),
        ] {
            assert_eq!(frame_length(header), length, "{header:x?}");
        }
        let frame = [&[0xff, 0xfb, 0x90, 0x64][..], &[7; 413]].concat();
        let other = b"prompt: a cat";
        let mixed = [other, &frame[..], other, &frame, &frame, other, &frame[..100]].concat();
        let kept = mp3_frames(file(&mixed).path()).expect("a file");
        assert_eq!(kept.head(), frame.repeat(3));
    }

    /// The checksum at the end of a FLAC frame.
    fn checksum(bytes: &[u8]) -> u16 {
        let add = |sum: u16, _| if sum & 0x8000 == 0 { sum << 1 } else { (sum << 1) ^ POLYNOMIAL };
        bytes.iter().fold(0, |sum: u16, byte| (0..8).fold(sum ^ (u16::from(*byte) << 8), add))
    }

    #[test]
    fn flac_file_ends_with_a_checked_frame() {
        assert_eq!(checksum(b"123456789"), 0xfee8);
        let frame = [&[0xff, 0xf8, 0xc9, 0x08][..], &[0xff, 0xf8, 3, 4, 5]].concat();
        let whole = [b"fLaC....", &frame[..], &checksum(&frame).to_be_bytes()].concat();
        assert!(ends_with_flac_frame(file(&whole).path()).expect("a file"));
        for other in [&[&whole[..], b"prompt"].concat()[..], &whole[..whole.len() - 1], b"fLaC", b""] {
            assert!(!ends_with_flac_frame(file(other).path()).expect("a file"), "{}", other.escape_ascii());
        }
    }
}
