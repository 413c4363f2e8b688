//! Decodes PNG files, including animations.
//!
//! Like Pillow, 16-bit colors lose their low byte, but 16-bit gray is clipped, so that all values above 255 are white.

use std::io::Cursor;

use png::{BitDepth, BlendOp, ColorType, DisposeOp};

use super::ffmpeg::Picture;
use super::{Alpha, Frame, broken, check};
use crate::cpu::node::{Context, NodeError};

pub(super) fn decode(context: &Context<'_>, bytes: &[u8]) -> Result<Vec<Frame>, NodeError> {
    let (mut reader, mut buffer) = opened(context, bytes)?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    let count = reader.info().animation_control().map_or(1, |control| control.num_frames.max(1));
    // A first picture without frame control is only for decoders without animation support.
    let lone_first = count > 1 && reader.info().frame_control().is_none();
    let mut canvas: Option<Frame> = None;
    let mut frames = Vec::new();
    for index in 0..count + u32::from(lone_first) {
        check(context, frames.len(), width, height)?;
        let Ok(info) = reader.next_frame(&mut buffer) else {
            if frames.is_empty() {
                return Err(broken("image file is truncated"));
            }
            break;
        };
        if lone_first && index == 0 {
            continue;
        }
        let rows: Vec<&[u8]> = buffer.chunks_exact(info.line_size).take(info.height as usize).collect();
        let part = frame(reader.info(), &rows, info.width as usize);
        let Some(control) = reader.info().frame_control().copied().filter(|_| count > 1) else {
            frames.push(part);
            break;
        };
        let mut shown = canvas.take().unwrap_or_else(|| blank(width, height, &part));
        let before = shown.clone();
        let (x, y) = (control.x_offset as usize, control.y_offset as usize);
        draw(&mut shown, &part, x, y, control.blend_op == BlendOp::Over);
        frames.push(shown.clone());
        canvas = Some(match control.dispose_op {
            DisposeOp::None => shown,
            DisposeOp::Previous => before,
            DisposeOp::Background => {
                let (width, height) = (part.width, part.height);
                let hole = blank(width, height, &part);
                draw(&mut shown, &hole, x, y, false);
                shown
            }
        });
    }
    Ok(frames)
}

type Reader<'a> = png::Reader<Cursor<&'a [u8]>>;

/// Reads a file's header, checks the limits and allocates room for one picture.
fn opened<'a>(context: &Context<'_>, bytes: &'a [u8]) -> Result<(Reader<'a>, Vec<u8>), NodeError> {
    let limits = png::Limits { bytes: context.max_bytes };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(png::Transformations::IDENTITY);
    decoder.set_ignore_text_chunk(true);
    let reader = decoder.read_info().map_err(broken)?;
    check(context, 0, reader.info().width as usize, reader.info().height as usize)?;
    let size = reader.output_buffer_size().ok_or_else(|| broken("too large"))?;
    context.reserve(size)?;
    Ok((reader, vec![0; size]))
}

/// Offsets of bit depth and color type.
const DEPTH_AT: usize = 24;
pub(super) const COLOR_TYPE_AT: usize = 25;

/// Decodes the first picture of a 16-bit file with all bits. `None` for any other file.
pub(super) fn deep(context: &Context<'_>, bytes: &[u8]) -> Result<Option<Picture>, NodeError> {
    if !bytes.starts_with(b"\x89PNG\r\n\x1a\n") || bytes.get(DEPTH_AT) != Some(&16) {
        return Ok(None);
    }
    let (mut reader, mut buffer) = opened(context, bytes)?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    reader.next_frame(&mut buffer).map_err(broken)?;
    let color = reader.info().color_type;
    let has_alpha = matches!(color, ColorType::GrayscaleAlpha | ColorType::Rgba);
    let is_gray = matches!(color, ColorType::Grayscale | ColorType::GrayscaleAlpha);
    let (mut rgb, mut mask) = (Vec::with_capacity(width * height * 3), Vec::new());
    for pixel in buffer.chunks_exact(color.samples() * 2) {
        let levels = pixel.chunks_exact(2).filter_map(|pair| pair.first_chunk().copied());
        let mut levels = levels.map(|pair| f32::from(u16::from_be_bytes(pair)) / f32::from(u16::MAX));
        if is_gray {
            rgb.extend([levels.next().unwrap_or_default(); 3]);
        } else {
            rgb.extend(levels.by_ref().take(3));
        }
        mask.extend(levels.map(|alpha| 1.0 - alpha));
    }
    Ok(Some(Picture { width, height, rgb, mask: has_alpha.then_some(mask) }))
}

/// A black frame; transparent if the file has alpha.
fn blank(width: usize, height: usize, like: &Frame) -> Frame {
    let alpha = match like.alpha {
        Alpha::None => Alpha::None,
        _ => Alpha::Channel(vec![0; width * height]),
    };
    Frame { width, height, rgb: vec![0; width * height * 3], alpha }
}

/// Draws a part on the canvas, blended by its alpha or replacing the pixels.
fn draw(canvas: &mut Frame, part: &Frame, x: usize, y: usize, over: bool) {
    for row in 0..part.height {
        for column in 0..part.width {
            let from = row * part.width + column;
            let to = (y + row) * canvas.width + x + column;
            if x + column >= canvas.width || to >= canvas.width * canvas.height {
                continue;
            }
            let alpha = match &part.alpha {
                Alpha::None => u8::MAX,
                Alpha::Channel(bytes) | Alpha::Keyed(bytes) => bytes.get(from).copied().unwrap_or(u8::MAX),
            };
            let share = if over { u32::from(alpha) } else { 255 };
            for channel in 0..3 {
                let source = part.rgb.get(from * 3 + channel).copied().unwrap_or_default();
                if let Some(target) = canvas.rgb.get_mut(to * 3 + channel) {
                    *target = mix(*target, source, share);
                }
            }
            if let Alpha::Channel(bytes) | Alpha::Keyed(bytes) = &mut canvas.alpha
                && let Some(target) = bytes.get_mut(to)
            {
                *target = mix(*target, alpha, share);
            }
        }
    }
}

fn mix(below: u8, above: u8, share: u32) -> u8 {
    let sum = u32::from(below) * (255 - share) + u32::from(above) * share + 128;
    u8::try_from((sum + (sum >> 8)) >> 8).unwrap_or(u8::MAX)
}

fn frame(info: &png::Info<'_>, rows: &[&[u8]], width: usize) -> Frame {
    let mut frame = Frame { width, height: rows.len(), rgb: Vec::new(), alpha: Alpha::None };
    frame.rgb.reserve_exact(width * rows.len() * 3);
    let mut alpha = Vec::new();
    let key = info.trns.as_deref();
    for row in rows {
        match (info.color_type, info.bit_depth) {
            (ColorType::Indexed, depth) => {
                let palette = info.palette.as_deref().unwrap_or(&[]);
                for index in packed(row, depth).take(width) {
                    let start = usize::from(index) * 3;
                    frame.rgb.extend_from_slice(palette.get(start..start + 3).unwrap_or(&[index; 3]));
                    if let Some(key) = key {
                        alpha.push(key.get(usize::from(index)).copied().unwrap_or(u8::MAX));
                    }
                }
            }
            (ColorType::Grayscale, BitDepth::Sixteen) => {
                for pixel in row.chunks_exact(2) {
                    let level = if let [0, low] = pixel { *low } else { u8::MAX };
                    frame.rgb.extend_from_slice(&[level; 3]);
                }
            }
            (ColorType::Grayscale, depth) => {
                let step = 255 / (u8::MAX >> (8 - depth as u32));
                for level in packed(row, depth).take(width) {
                    frame.rgb.extend_from_slice(&[level * step; 3]);
                    if let Some([_, key]) = key {
                        alpha.push(if *key == level { 0 } else { u8::MAX });
                    }
                }
            }
            (color, depth) => {
                let bytes = if depth == BitDepth::Sixteen { 2 } else { 1 };
                for pixel in row.chunks_exact(color.samples() * bytes) {
                    let mut levels = pixel.iter().copied().step_by(bytes);
                    if color == ColorType::GrayscaleAlpha {
                        frame.rgb.extend_from_slice(&[levels.next().unwrap_or_default(); 3]);
                    } else {
                        frame.rgb.extend(levels.by_ref().take(3));
                    }
                    if matches!(color, ColorType::GrayscaleAlpha | ColorType::Rgba) {
                        alpha.push(levels.next().unwrap_or(u8::MAX));
                    } else if let Some([_, red, _, green, _, blue]) = key {
                        let same = frame.rgb.last_chunk() == Some(&[*red, *green, *blue]);
                        alpha.push(if same { 0 } else { u8::MAX });
                    }
                }
            }
        }
    }
    if !alpha.is_empty() {
        let keyed = matches!(info.color_type, ColorType::Grayscale | ColorType::Rgb);
        frame.alpha = if keyed { Alpha::Keyed(alpha) } else { Alpha::Channel(alpha) };
    }
    frame
}

/// Unpacks samples of 1, 2, 4 or 8 bits, highest bits first.
fn packed(row: &[u8], depth: BitDepth) -> impl Iterator<Item = u8> + '_ {
    let bits = (depth as u32).min(8);
    row.iter()
        .flat_map(move |byte| (0..8 / bits).map(move |at| (byte >> (8 - bits - at * bits)) & (u8::MAX >> (8 - bits))))
}
