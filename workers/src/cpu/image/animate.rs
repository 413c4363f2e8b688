//! SaveAnimatedPNG and SaveAnimatedWEBP: write a batch as the frames of one file. PNG and lossless WebP keep every
//! pixel.

use std::io::BufWriter;

use serde_json::json;
use webp::{AnimEncoder, AnimFrame, WebPConfig};

use super::save::{Compression, Target, color, encoder, target, texts, unwritable};
use super::tensor::{size, to_byte};
use crate::cpu::node::{Context, Inputs, NodeError, Outcome};
use crate::cpu::value::ImageBatch;

/// Bytes that the WebP encoder uses for each pixel of a frame.
const WEBP_PIXEL_BYTES: usize = 64;

/// Milliseconds a frame is shown, truncated.
#[expect(clippy::cast_possible_truncation, reason = "at most 100,000, for a hundredth of a frame a second")]
fn duration_ms(inputs: &Inputs) -> Result<i32, NodeError> {
    Ok((1000.0 / inputs.float("fps")?.max(0.01)) as i32)
}

fn bytes(images: &ImageBatch, index: usize) -> Vec<u8> {
    images.picture(index).unwrap_or(&[]).iter().copied().map(to_byte).collect()
}

fn saved(target: &Target, file: &str) -> Outcome {
    let image = json!({"filename": file, "subfolder": target.subfolder, "type": "output"});
    Outcome { outputs: Vec::new(), ui: Some(json!({"images": [image], "animated": [true]})) }
}

/// SaveAnimatedPNG: writes texts as `comf` chunks after the pixels.
pub(super) fn save_png(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let images = inputs.image("images")?;
    let color = color(images)?;
    super::save::reserve_encoding(context, images)?;
    let target = target(context, inputs.text("filename_prefix")?, "output", images)?;
    let file = format!("{}_{:05}_.png", target.name, target.counter);
    let level = u8::try_from(size(inputs.int("compress_level")?).min(9)).unwrap_or(9);
    let out = std::fs::File::create(target.folder.join(&file)).map_err(|error| unwritable(&error))?;
    let mut encoder = encoder(BufWriter::new(out), images, color, Compression::Level(level));
    if images.batch > 1 {
        let frames = u32::try_from(images.batch).unwrap_or(u32::MAX);
        encoder.set_animated(frames, 0).map_err(|error| unwritable(&error))?;
        let duration = u16::try_from(duration_ms(inputs)?).unwrap_or(u16::MAX);
        encoder.set_frame_delay(duration, 1000).map_err(|error| unwritable(&error))?;
    }
    let mut writer = encoder.write_header().map_err(|error| unwritable(&error))?;
    for index in 0..images.batch {
        context.check()?;
        writer.write_image_data(&bytes(images, index)).map_err(|error| unwritable(&error))?;
    }
    for (key, text) in texts(context) {
        let mut data: Vec<u8> = key.chars().filter_map(|letter| u8::try_from(u32::from(letter)).ok()).collect();
        data.push(0);
        data.extend_from_slice(text.as_bytes());
        writer.write_chunk(png::chunk::ChunkType(*b"comf"), &data).map_err(|error| unwritable(&error))?;
    }
    writer.finish().map_err(|error| unwritable(&error))?;
    Ok(saved(&target, &file))
}

/// SaveAnimatedWEBP: writes texts as EXIF tags, `prompt:` under Model and the others from Make downwards.
pub(super) fn save_webp(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let images = inputs.image("images")?;
    let has_alpha = color(images)? == png::ColorType::Rgba;
    if images.width > 16383 || images.height > 16383 {
        return Err(NodeError::value("encoding error 5: Image size exceeds WebP limit of 16383 pixels"));
    }
    let target = target(context, inputs.text("filename_prefix")?, "output", images)?;
    let file = format!("{}_{:05}_.webp", target.name, target.counter);
    let config = config(inputs)?;
    let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
    let (width, height) = (side(images.width), side(images.height));
    // Every frame as bytes, every frame encoded, and the encoder's memory for one of them.
    let (all, one) = (images.batch.saturating_mul(images.picture_len()), images.width.saturating_mul(images.height));
    context.reserve(all.saturating_mul(3).saturating_add(one.saturating_mul(WEBP_PIXEL_BYTES)))?;
    let frames: Vec<Vec<u8>> = (0..images.batch).map(|index| bytes(images, index)).collect();
    let duration = duration_ms(inputs)?;
    let mut encoder = AnimEncoder::new(width, height, &config);
    for (index, frame) in frames.iter().enumerate() {
        let at = i32::try_from(index).unwrap_or(i32::MAX).saturating_mul(duration);
        encoder.add_frame(if has_alpha {
            AnimFrame::from_rgba(frame, width, height, at)
        } else {
            AnimFrame::from_rgb(frame, width, height, at)
        });
    }
    context.check()?;
    let encoded = encoder.try_encode().map_err(|error| unwritable(&format!("{error:?}")))?;
    let texts: Vec<String> = texts(context).into_iter().map(|(key, text)| format!("{key}:{text}")).collect();
    let with_texts = add_exif(&encoded, &texts, (width, height), has_alpha);
    std::fs::write(target.folder.join(&file), with_texts).map_err(|error| unwritable(&error))?;
    Ok(saved(&target, &file))
}

#[expect(clippy::cast_precision_loss, reason = "a quality is at most 100")]
fn config(inputs: &Inputs) -> Result<WebPConfig, NodeError> {
    let mut config = WebPConfig::new().map_err(|()| NodeError::value("the WebP encoder does not start"))?;
    config.lossless = i32::from(inputs.bool("lossless")?);
    config.quality = size(inputs.int("quality")?).min(100) as f32;
    config.method = match inputs.text("method")? {
        "fastest" => 0,
        "slowest" => 6,
        _ => 4,
    };
    Ok(config)
}

/// Appends an EXIF chunk, with the extended header that announces it.
fn add_exif(file: &[u8], texts: &[String], (width, height): (u32, u32), has_alpha: bool) -> Vec<u8> {
    const EXIF: u8 = 0b1000;
    const ALPHA: u8 = 0b1_0000;
    let mut body = file.get(12..).unwrap_or(&[]).to_vec();
    if texts.is_empty() {
        return file.to_vec();
    }
    if body.starts_with(b"VP8X") {
        if let Some(flags) = body.get_mut(8) {
            *flags |= EXIF;
        }
    } else {
        let mut header = b"VP8X\x0a\0\0\0".to_vec();
        header.extend_from_slice(&[if has_alpha { EXIF | ALPHA } else { EXIF }, 0, 0, 0]);
        header.extend(width.saturating_sub(1).to_le_bytes().into_iter().take(3));
        header.extend(height.saturating_sub(1).to_le_bytes().into_iter().take(3));
        header.append(&mut body);
        body = header;
    }
    let exif = exif(texts);
    body.extend_from_slice(b"EXIF");
    body.extend_from_slice(&length(exif.len()));
    body.extend_from_slice(&exif);
    if exif.len() % 2 == 1 {
        body.push(0);
    }
    let mut out = b"RIFF".to_vec();
    out.extend_from_slice(&length(body.len() + 4));
    out.extend_from_slice(b"WEBP");
    out.append(&mut body);
    out
}

fn length(length: usize) -> [u8; 4] {
    u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes()
}

/// A TIFF directory of texts: the first under Model (0x0110), the next ones from Make (0x010f) downwards.
fn exif(texts: &[String]) -> Vec<u8> {
    const MODEL: usize = 0x0110;
    let mut out = b"II*\0\x08\0\0\0".to_vec();
    let count = texts.len().min(0x100);
    let mut at = 8 + 2 + 12 * count + 4;
    out.extend_from_slice(&u16::try_from(count).unwrap_or_default().to_le_bytes());
    let mut values = Vec::new();
    // Tags must be ascending, so the last text comes first.
    for (index, text) in texts.iter().enumerate().take(count).rev() {
        let mut value = text.as_bytes().to_vec();
        value.resize((value.len() + 1).max(5), 0);
        out.extend_from_slice(&u16::try_from(MODEL - index).unwrap_or_default().to_le_bytes());
        out.extend_from_slice(&2_u16.to_le_bytes());
        out.extend_from_slice(&length(value.len()));
        out.extend_from_slice(&length(at));
        at += value.len();
        values.append(&mut value);
    }
    out.extend_from_slice(&[0; 4]);
    out.append(&mut values);
    out
}
