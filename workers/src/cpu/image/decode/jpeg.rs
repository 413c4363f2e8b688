//! Decodes JPEG files. The decoder interpolates subsampled colors like libjpeg, so that bytes are within 3 of Pillow's.

use std::io::Cursor;

use jpeg_decoder::{ColorTransform, Decoder, PixelFormat};

use super::{Alpha, Frame, broken, check};
use crate::cpu::node::{Context, NodeError};

pub(super) fn decode(context: &Context<'_>, bytes: &[u8]) -> Result<Frame, NodeError> {
    let mut decoder = Decoder::new(Cursor::new(bytes));
    decoder.set_max_decoding_buffer_size(context.max_bytes);
    decoder.read_info().map_err(broken)?;
    let info = decoder.info().ok_or_else(|| broken("no header"))?;
    let (width, height) = (usize::from(info.width), usize::from(info.height));
    check(context, 0, width, height)?;
    let samples = decoder.decode().map_err(broken)?;
    let rgb = match info.pixel_format {
        PixelFormat::RGB24 => samples,
        PixelFormat::L8 => samples.into_iter().flat_map(|level| [level; 3]).collect(),
        PixelFormat::L16 => {
            samples.chunks_exact(2).flat_map(|level| [level.first().copied().unwrap_or_default(); 3]).collect()
        }
        PixelFormat::CMYK32 => samples.chunks_exact(4).flat_map(rgb_of_cmyk).collect(),
    };
    Ok(Frame { width, height, rgb, alpha: Alpha::None })
}

/// Decodes a baseline file with colors of half size in both directions, without interpolating them. `None` for any
/// other file.
///
/// The decoder interpolates colors of half size, but not of a quarter. A patched header makes it treat the four luma
/// blocks of each unit as one row.
pub(super) fn unsmoothed(context: &Context<'_>, bytes: &[u8]) -> Result<Option<Frame>, NodeError> {
    let Some(header) = Header::read(bytes).filter(Header::has_halved_colors) else { return Ok(None) };
    let (width, height) = (usize::from(header.width), usize::from(header.height));
    let (units, lines) = (width.div_ceil(UNIT), height.div_ceil(UNIT));
    let row_len = units * UNIT * 2;
    let (Ok(told_width), Ok(told_height)) = (u16::try_from(row_len), u16::try_from(lines * BLOCK)) else {
        return Ok(None);
    };
    check(context, 0, width, height)?;
    context.reserve(bytes.len())?;
    let mut told = bytes.to_vec();
    let size = [told_height.to_be_bytes(), told_width.to_be_bytes()].concat();
    for (at, byte) in (header.at + 3..).zip(size).chain([(header.at + 9, 0x41)]) {
        if let Some(target) = told.get_mut(at) {
            *target = byte;
        }
    }
    let mut decoder = Decoder::new(Cursor::new(told));
    decoder.set_max_decoding_buffer_size(context.max_bytes);
    // Raw components: interleaved, not converted.
    decoder.set_color_transform(ColorTransform::RGB);
    let samples = decoder.decode().map_err(broken)?;
    let at = |x: usize, y: usize| samples.get((y * row_len + x) * 3..).and_then(<[u8]>::first_chunk::<3>);
    let mut rgb = Vec::with_capacity(width * height * 3);
    for y in 0..height {
        let (line, down) = (y / UNIT * BLOCK, y % UNIT);
        for x in 0..width {
            let (unit, across) = (x / UNIT * UNIT * 2, x % UNIT);
            let block = down / BLOCK * 2 + across / BLOCK;
            let bright = at(unit + block * BLOCK + across % BLOCK, line + down % BLOCK);
            let color = at(unit + across / 2 * 4, line + down / 2);
            let [level, _, _] = bright.copied().unwrap_or_default();
            let [_, blue, red] = color.copied().unwrap_or_default();
            rgb.extend(rgb_of_ycc(level, blue, red));
        }
    }
    Ok(Some(Frame { width, height, rgb, alpha: Alpha::None }))
}

/// Pixels along a block, and along a unit of four luma and two chroma blocks.
const BLOCK: usize = 8;
const UNIT: usize = 16;

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast clips, which is what is wanted")]
fn rgb_of_ycc(level: u8, blue: u8, red: u8) -> [u8; 3] {
    let (level, blue, red) = (f32::from(level), f32::from(blue) - 128.0, f32::from(red) - 128.0);
    [level + 1.402 * red, level - 0.344_136 * blue - 0.714_136 * red, level + 1.772 * blue]
        .map(|sample| sample.round() as u8)
}

/// The number of components of a file.
pub(super) fn components(bytes: &[u8]) -> Option<usize> {
    Header::read(bytes).map(|header| header.sampling.len())
}

/// Parts of the frame header.
struct Header<'a> {
    /// Offset of its length field.
    at: usize,
    is_baseline: bool,
    width: u16,
    height: u16,
    /// Identifier, sampling factors and quantization table of each component.
    sampling: Vec<&'a [u8]>,
    /// Whether luma and chroma share one scan.
    is_one_scan: bool,
    /// Whether the components are RGB.
    is_rgb: bool,
}

impl<'a> Header<'a> {
    /// Reads the segments up to the first scan.
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut found: Option<Self> = None;
        let mut is_rgb = false;
        let mut at = 2;
        loop {
            let [0xff, marker] = *bytes.get(at..)?.first_chunk::<2>()? else { return None };
            if marker == 0xff {
                at += 1;
                continue;
            }
            at += 2;
            let len = usize::from(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?));
            let segment = bytes.get(at + 2..at.checked_add(len)?)?;
            match marker {
                0xc0..=0xc3 => {
                    let [_, top, bottom, left, right, _, components @ ..] = segment else { return None };
                    found = Some(Self {
                        at,
                        is_baseline: marker <= 0xc1,
                        width: u16::from_be_bytes([*left, *right]),
                        height: u16::from_be_bytes([*top, *bottom]),
                        sampling: components.chunks_exact(3).collect(),
                        is_one_scan: false,
                        is_rgb: false,
                    });
                }
                0xee if segment.starts_with(b"Adobe") => is_rgb = segment.get(11) == Some(&0),
                0xda => {
                    let mut header = found?;
                    header.is_one_scan =
                        segment.first().map(|count| usize::from(*count)) == Some(header.sampling.len());
                    header.is_rgb = is_rgb;
                    return Some(header);
                }
                _ => {}
            }
            at += len;
        }
    }

    fn has_halved_colors(&self) -> bool {
        let factors = self.sampling.iter().filter_map(|component| component.get(1));
        self.is_baseline
            && self.is_one_scan
            && !self.is_rgb
            && self.width > 0
            && self.height > 0
            && factors.eq(&[0x22, 0x11, 0x11])
    }
}

/// Pillow's conversion: each color is what the ink leaves, minus black.
fn rgb_of_cmyk(pixel: &[u8]) -> [u8; 3] {
    let [cyan, magenta, yellow, black] = pixel.try_into().unwrap_or([0; 4]);
    let light = 255 - u32::from(black);
    [cyan, magenta, yellow].map(|ink| {
        let product = u32::from(ink) * light + 128;
        u8::try_from(light.saturating_sub((product + (product >> 8)) >> 8)).unwrap_or(0)
    })
}
