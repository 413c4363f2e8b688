//! Decodes image files like ffmpeg, which LoadImage uses since 0.33.0. 8-bit RGB is used as it is; other formats go
//! through swscale's conversion to floats, which makes them slightly darker. Palettes, GIF and lossless WebP always have
//! alpha, and so a mask of their own size.
//!
//! Within 1 of 255 of the recorded files, JPEG within 3. Colors of a 4:2:0 JPEG apply to whole squares of four pixels;
//! those of a progressive JPEG are interpolated, as with the older version. A real server fails at narrow files of some
//! formats; this worker does not.

use super::{Alpha, Frame, jpeg, orientation, png};
use crate::cpu::image::tensor::from_byte;
use crate::cpu::node::{Context, NodeError};

/// One frame: RGB, and 1 minus alpha if the file has alpha.
pub(in crate::cpu::image) struct Picture {
    pub(in crate::cpu::image) width: usize,
    pub(in crate::cpu::image) height: usize,
    /// Three samples per pixel.
    pub(in crate::cpu::image) rgb: Vec<f32>,
    pub(in crate::cpu::image) mask: Option<Vec<f32>>,
}

/// Converts a byte to a sample.
type Scale = fn(u8) -> f32;

/// swscale shifts a byte into the upper half of 16 bits and divides by their maximum.
fn shifted(byte: u8) -> f32 {
    f32::from(byte) * 256.0 / 65535.0
}

/// How ffmpeg decodes a kind of file.
struct Kind {
    scale: Scale,
    /// Whether the result always has an alpha channel.
    is_always_clear: bool,
}

pub(in crate::cpu::image) fn pictures(context: &Context<'_>, bytes: &[u8]) -> Result<Vec<Picture>, NodeError> {
    if let Some(picture) = png::deep(context, bytes)? {
        return Ok(vec![picture]);
    }
    let frames = match jpeg::unsmoothed(context, bytes)? {
        Some(frame) => vec![frame],
        None => super::frames(context, bytes)?,
    };
    let turn = orientation_of(bytes);
    let kind = kind(bytes);
    Ok(frames.into_iter().map(|frame| picture(orientation::apply(frame, turn), &kind)).collect())
}

/// ffmpeg rotates a picture but does not mirror it.
fn orientation_of(bytes: &[u8]) -> u32 {
    match orientation::read(bytes) {
        2 => 3,
        4 => 1,
        5 => 6,
        7 => 8,
        other => other,
    }
}

/// Converts a frame that Pillow decodes: this version falls back to Pillow for files that ffmpeg does not support.
pub(in crate::cpu::image) fn as_pillow(frame: Frame) -> Picture {
    let Frame { width, height, rgb, alpha } = frame;
    let mask = match alpha {
        Alpha::Channel(bytes) => Some(bytes.into_iter().map(|byte| 1.0 - from_byte(byte)).collect()),
        Alpha::None | Alpha::Keyed(_) => None,
    };
    Picture { width, height, rgb: rgb.into_iter().map(from_byte).collect(), mask }
}

fn picture(frame: Frame, kind: &Kind) -> Picture {
    let Frame { width, height, rgb, alpha } = frame;
    let scale = kind.scale;
    let mask = match alpha {
        Alpha::Channel(bytes) | Alpha::Keyed(bytes) => Some(bytes.into_iter().map(|byte| 1.0 - scale(byte)).collect()),
        Alpha::None => kind.is_always_clear.then(|| vec![1.0 - scale(u8::MAX); width * height]),
    };
    Picture { width, height, rgb: rgb.into_iter().map(scale).collect(), mask }
}

fn kind(bytes: &[u8]) -> Kind {
    const PALETTE: Kind = Kind { scale: from_byte, is_always_clear: true };
    const COLORS: Kind = Kind { scale: from_byte, is_always_clear: false };
    const SHIFTED: Kind = Kind { scale: shifted, is_always_clear: false };
    const SHIFTED_WITH_ALPHA: Kind = Kind { scale: shifted, is_always_clear: true };
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => match bytes.get(png::COLOR_TYPE_AT) {
            Some(3) => PALETTE,
            Some(2 | 6) => COLORS,
            _ => SHIFTED,
        },
        [b'G', b'I', b'F', ..] => SHIFTED_WITH_ALPHA,
        [0xff, 0xd8, ..] => match jpeg::components(bytes) {
            Some(3) => COLORS,
            Some(4) => SHIFTED_WITH_ALPHA,
            _ => SHIFTED,
        },
        [b'B', b'M', ..] => match bytes.get(28) {
            Some(1..=8) => PALETTE,
            _ => SHIFTED,
        },
        [b'R', b'I', b'F', b'F', ..] => match bytes.get(12..16) {
            Some(b"VP8L") => SHIFTED_WITH_ALPHA,
            // The second flag bit marks an animation, which ffmpeg does not support; Pillow decodes it.
            Some(b"VP8X") if bytes.get(20).is_some_and(|flags| flags & 2 != 0) => COLORS,
            _ => SHIFTED,
        },
        _ => COLORS,
    }
}
