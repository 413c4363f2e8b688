//! JPEG files. The decoder interpolates subsampled colours as libjpeg does, so that a byte is within 3 of Pillow's.

use std::io::Cursor;

use jpeg_decoder::{Decoder, PixelFormat};

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

/// Pillow's conversion: what the ink leaves, less the black.
fn rgb_of_cmyk(pixel: &[u8]) -> [u8; 3] {
    let [cyan, magenta, yellow, black] = pixel.try_into().unwrap_or([0; 4]);
    let light = 255 - u32::from(black);
    [cyan, magenta, yellow].map(|ink| {
        let product = u32::from(ink) * light + 128;
        u8::try_from(light.saturating_sub((product + (product >> 8)) >> 8)).unwrap_or(0)
    })
}
