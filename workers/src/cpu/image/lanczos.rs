//! Resizes bytes like the Pillow library: fixed-point Lanczos weights, rows first, bytes between the passes. Exact: the
//! same bytes as Pillow for every size.

use rayon::prelude::*;

use super::tensor::{empty, from_byte, to_byte};
use crate::cpu::node::{Context, NodeError};
use crate::cpu::value::ImageBatch;

/// Fractional bits: a byte times a weight, and sums of these, fit 32 bits.
const PRECISION: u32 = 32 - 8 - 2;

/// Source pixels and weights of one target position.
struct Window {
    start: usize,
    weights: Vec<i32>,
}

/// Resizes every picture via bytes, as `comfy.utils.lanczos` does: samples are truncated to 8 bits first. Raises
/// `TypeError` for pictures that are neither RGB nor RGBA, `ValueError` for an empty target.
pub(crate) fn lanczos(
    context: &Context<'_>,
    image: &ImageBatch,
    width: usize,
    height: usize,
) -> Result<ImageBatch, NodeError> {
    if !matches!(image.channels, 3 | 4) {
        let message = format!("Cannot handle this data type: (1, 1, {}), |u1", image.channels);
        return Err(NodeError::Raised { kind: "TypeError", message });
    }
    if width == 0 || height == 0 {
        return Err(NodeError::value("height and width must be > 0"));
    }
    let mut out = empty(context, image.batch, height, width, image.channels)?;
    if image.width == 0 || image.height == 0 {
        // An empty crop becomes a black picture, as in Pillow.
        return Ok(out);
    }
    let len = out.picture_len();
    // Bytes of one picture: the original, resized in one direction, and in both.
    let between = width.max(image.width).saturating_mul(height.max(image.height)).saturating_mul(image.channels);
    context.reserve(image.picture_len().saturating_add(between).saturating_add(len))?;
    for (index, target) in out.data.chunks_exact_mut(len).enumerate() {
        context.check()?;
        let source: Vec<u8> = image.picture(index).unwrap_or(&[]).par_iter().map(|sample| to_byte(*sample)).collect();
        let bytes = resize(context, source, (image.width, image.height), (width, height), image.channels)?;
        target.par_iter_mut().zip(bytes).for_each(|(sample, byte)| *sample = from_byte(byte));
    }
    Ok(out)
}

/// Pillow's `Image.resize` for RGB and RGBA bytes; RGBA is weighted by its alpha.
fn resize(
    context: &Context<'_>,
    mut bytes: Vec<u8>,
    from: (usize, usize),
    to: (usize, usize),
    channels: usize,
) -> Result<Vec<u8>, NodeError> {
    if from == to {
        return Ok(bytes);
    }
    if channels == 4 {
        bytes.par_chunks_exact_mut(4).for_each(premultiply);
    }
    if from.0 != to.0 {
        bytes = across(context, &bytes, from, to.0, channels)?;
    }
    if from.1 != to.1 {
        bytes = down(context, &bytes, from.1, to, channels)?;
    }
    if channels == 4 {
        bytes.par_chunks_exact_mut(4).for_each(unpremultiply);
    }
    Ok(bytes)
}

fn across(
    context: &Context<'_>,
    bytes: &[u8],
    (source, height): (usize, usize),
    width: usize,
    channels: usize,
) -> Result<Vec<u8>, NodeError> {
    let windows = windows(source, width);
    let mut out = vec![0; width * height * channels];
    let rows = bytes.par_chunks_exact(source * channels);
    out.par_chunks_exact_mut(width * channels).zip(rows).try_for_each(|(target, row)| {
        context.check()?;
        for (pixel, window) in target.chunks_exact_mut(channels).zip(&windows) {
            let mut sums = [1 << (PRECISION - 1); 4];
            let run = row.get(window.start * channels..).unwrap_or(&[]);
            for (from, weight) in run.chunks_exact(channels).zip(&window.weights) {
                for (sum, from) in sums.iter_mut().zip(from) {
                    *sum += i32::from(*from) * weight;
                }
            }
            for (byte, sum) in pixel.iter_mut().zip(sums) {
                *byte = clip(sum);
            }
        }
        Ok::<(), NodeError>(())
    })?;
    Ok(out)
}

fn down(
    context: &Context<'_>,
    bytes: &[u8],
    source: usize,
    (width, height): (usize, usize),
    channels: usize,
) -> Result<Vec<u8>, NodeError> {
    let windows = windows(source, height);
    let row_len = width * channels;
    let mut out = vec![0; row_len * height];
    out.par_chunks_exact_mut(row_len).zip(&windows).try_for_each(|(target, window)| {
        context.check()?;
        let mut sums = vec![1 << (PRECISION - 1); row_len];
        let rows = bytes.get(window.start * row_len..).unwrap_or(&[]).chunks_exact(row_len);
        for (row, weight) in rows.zip(&window.weights) {
            for (sum, from) in sums.iter_mut().zip(row) {
                *sum += i32::from(*from) * weight;
            }
        }
        for (byte, sum) in target.iter_mut().zip(sums) {
            *byte = clip(sum);
        }
        Ok::<(), NodeError>(())
    })?;
    Ok(out)
}

#[expect(clippy::cast_sign_loss, reason = "clamped to a byte")]
fn clip(sum: i32) -> u8 {
    (sum >> PRECISION).clamp(0, 255) as u8
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are at most 16384, weights below 2"
)]
fn windows(source: usize, target: usize) -> Vec<Window> {
    let scale = source as f64 / target as f64;
    let stretch = scale.max(1.0);
    let support = 3.0 * stretch;
    (0..target)
        .map(|at| {
            let center = (at as f64 + 0.5) * scale;
            let start = ((center - support + 0.5) as i64).max(0) as usize;
            let end = ((center + support + 0.5) as usize).min(source);
            let weights: Vec<f64> = (start..end).map(|x| kernel((x as f64 - center + 0.5) * (1.0 / stretch))).collect();
            let sum: f64 = weights.iter().sum();
            let weights = weights.into_iter().map(|weight| {
                let weight = if sum == 0.0 { weight } else { weight / sum };
                let scaled = weight * f64::from(1 << PRECISION);
                (if weight < 0.0 { scaled - 0.5 } else { scaled + 0.5 }) as i32
            });
            Window { start, weights: weights.collect() }
        })
        .collect()
}

fn kernel(x: f64) -> f64 {
    if (-3.0..3.0).contains(&x) { sinc(x) * sinc(x / 3.0) } else { 0.0 }
}

fn sinc(x: f64) -> f64 {
    if x == 0.0 {
        return 1.0;
    }
    let x = x * std::f64::consts::PI;
    x.sin() / x
}

fn premultiply(pixel: &mut [u8]) {
    if let [red, green, blue, alpha] = pixel {
        for color in [red, green, blue] {
            let product = u32::from(*color) * u32::from(*alpha) + 128;
            *color = (((product >> 8) + product) >> 8).try_into().unwrap_or(u8::MAX);
        }
    }
}

fn unpremultiply(pixel: &mut [u8]) {
    if let [red, green, blue, alpha] = pixel {
        if matches!(*alpha, 0 | 255) {
            return;
        }
        for color in [red, green, blue] {
            *color = (255 * u32::from(*color) / u32::from(*alpha)).try_into().unwrap_or(u8::MAX);
        }
    }
}
