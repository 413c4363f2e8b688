//! Decodes image files like the Pillow library: frames of bytes, upright, with the alpha that ComfyUI reads. `ffmpeg`
//! decodes them like versions since 0.33.0.
//!
//! Exact for PNG, GIF, BMP and lossless WebP. JPEG and lossy WebP are within 3 of 255 (decoders round differently).

mod ffmpeg;
mod gif;
mod jpeg;
mod orientation;
mod png;

use std::io::Cursor;

pub(super) use ffmpeg::{Picture, as_pillow, pictures};
use image::codecs::{bmp::BmpDecoder, webp::WebPDecoder};
use image::{AnimationDecoder, DynamicImage, ImageDecoder};

use crate::cpu::node::{Context, NodeError};

/// Bytes per pixel while a frame is decoded: the decoder's samples and picture, the frame, and the rotated frame.
const FRAME_BYTES: usize = 20;

/// One frame: RGB bytes, and alpha if the file has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Three bytes per pixel.
    pub(super) rgb: Vec<u8>,
    pub(super) alpha: Alpha,
}

/// The alpha of a frame: one byte per pixel, or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Alpha {
    None,
    /// A channel, or a palette with transparent entries.
    Channel(Vec<u8>),
    /// One color of a file without a palette is transparent. LoadImage ignores it, LoadImageMask does not.
    Keyed(Vec<u8>),
}

/// Decodes every frame. Raises `UnidentifiedImageError` for an unsupported file, `ValueError` beyond the worker's
/// limits.
pub(super) fn decode(context: &Context<'_>, bytes: &[u8]) -> Result<Vec<Frame>, NodeError> {
    let turn = orientation::read(bytes);
    Ok(frames(context, bytes)?.into_iter().map(|frame| orientation::apply(frame, turn)).collect())
}

/// Decodes every frame without rotating it.
fn frames(context: &Context<'_>, bytes: &[u8]) -> Result<Vec<Frame>, NodeError> {
    let frames = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        png::decode(context, bytes)?
    } else if bytes.starts_with(b"GIF8") {
        gif::decode(context, bytes)?
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        vec![jpeg::decode(context, bytes)?]
    } else if bytes.starts_with(b"BM") {
        vec![still(context, BmpDecoder::new(Cursor::new(bytes)).map_err(broken)?)?]
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        webp(context, bytes)?
    } else {
        return Err(unidentified());
    };
    if frames.is_empty() {
        return Err(unidentified());
    }
    Ok(frames)
}

fn unidentified() -> NodeError {
    NodeError::Raised { kind: "UnidentifiedImageError", message: "cannot identify image file".to_owned() }
}

fn broken(error: impl std::fmt::Display) -> NodeError {
    NodeError::Raised { kind: "OSError", message: format!("broken image file: {error}") }
}

/// Rejects a frame that is too large before its pixels are allocated. `before` frames are decoded already.
fn check(context: &Context<'_>, before: usize, width: usize, height: usize) -> Result<(), NodeError> {
    context.check()?;
    context.check_size(before + 1, height, width, 4)?;
    context.reserve(width.saturating_mul(height).saturating_mul(FRAME_BYTES))
}

fn still(context: &Context<'_>, decoder: impl ImageDecoder) -> Result<Frame, NodeError> {
    let (width, height) = decoder.dimensions();
    check(context, 0, width as usize, height as usize)?;
    let has_alpha = decoder.color_type().has_alpha();
    let image = DynamicImage::from_decoder(decoder).map_err(broken)?;
    Ok(if has_alpha {
        from_rgba(width as usize, height as usize, &image.into_rgba8())
    } else {
        Frame { width: width as usize, height: height as usize, rgb: image.into_rgb8().into_raw(), alpha: Alpha::None }
    })
}

fn from_rgba(width: usize, height: usize, rgba: &[u8]) -> Frame {
    let pixels = rgba.chunks_exact(4);
    let rgb = pixels.clone().flat_map(|pixel| pixel.iter().copied().take(3)).collect();
    let alpha = Alpha::Channel(pixels.map(|pixel| pixel.last().copied().unwrap_or(u8::MAX)).collect());
    Frame { width, height, rgb, alpha }
}

fn webp(context: &Context<'_>, bytes: &[u8]) -> Result<Vec<Frame>, NodeError> {
    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(broken)?;
    if !decoder.has_animation() {
        return Ok(vec![still(context, decoder)?]);
    }
    let (width, height) = decoder.dimensions();
    let has_alpha = decoder.color_type().has_alpha();
    decoder.set_background_color(image::Rgba([0; 4])).map_err(broken)?;
    check(context, 0, width as usize, height as usize)?;
    let mut frames = Vec::new();
    for frame in decoder.into_frames() {
        check(context, frames.len(), width as usize, height as usize)?;
        let image = frame.map_err(broken)?.into_buffer();
        let mut frame = from_rgba(image.width() as usize, image.height() as usize, &image);
        if !has_alpha {
            frame.alpha = Alpha::None;
        }
        frames.push(frame);
    }
    Ok(frames)
}
