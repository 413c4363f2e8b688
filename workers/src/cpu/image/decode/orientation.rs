//! The EXIF orientation, which cameras write instead of rotating the picture.

use std::io::Cursor;

use super::{Alpha, Frame};

/// The file's orientation, 1 to 8; 1 by default.
pub(super) fn read(bytes: &[u8]) -> u32 {
    let found = exif::Reader::new().read_from_container(&mut Cursor::new(bytes)).ok();
    found
        .and_then(|exif| exif.get_field(exif::Tag::Orientation, exif::In::PRIMARY)?.value.get_uint(0))
        .filter(|orientation| (1..=8).contains(orientation))
        .unwrap_or(1)
}

/// Rotates and mirrors a frame upright.
pub(super) fn apply(frame: Frame, orientation: u32) -> Frame {
    let (old_width, old_height) = (frame.width, frame.height);
    let (width, height) = if orientation >= 5 { (old_height, old_width) } else { (old_width, old_height) };
    let from = |x: usize, y: usize| match orientation {
        2 => (old_width - 1 - x, y),
        3 => (old_width - 1 - x, old_height - 1 - y),
        4 => (x, old_height - 1 - y),
        5 => (y, x),
        6 => (y, old_height - 1 - x),
        7 => (old_width - 1 - y, old_height - 1 - x),
        8 => (old_width - 1 - y, x),
        _ => (x, y),
    };
    if orientation == 1 {
        return frame;
    }
    let turn = |bytes: &[u8], size: usize| {
        let mut out = Vec::with_capacity(bytes.len());
        for y in 0..height {
            for x in 0..width {
                let (x, y) = from(x, y);
                let start = (y * old_width + x) * size;
                out.extend_from_slice(bytes.get(start..start + size).unwrap_or(&[]));
            }
        }
        out
    };
    let alpha = match &frame.alpha {
        Alpha::None => Alpha::None,
        Alpha::Channel(bytes) => Alpha::Channel(turn(bytes, 1)),
        Alpha::Keyed(bytes) => Alpha::Keyed(turn(bytes, 1)),
    };
    Frame { width, height, rgb: turn(&frame.rgb, 3), alpha }
}
