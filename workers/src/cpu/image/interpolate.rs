//! Resizes like `torch.nn.functional.interpolate` on CPU (`align_corners=False`, no antialiasing).
//!
//! Equal to torch within float32 rounding: a saved byte differs by at most 1.

use super::tensor::{copy, empty, fill_rows, row_of, runtime};
use crate::cpu::node::{Context, NodeError};
use crate::cpu::value::ImageBatch;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The pixel with the nearest centre.
    NearestExact,
    Bilinear,
    /// Cubic convolution with a = -0.75.
    Bicubic,
    /// The mean of every source pixel that is covered.
    Area,
}

/// Source pixels and weights of one target position along one axis.
struct Tap {
    start: usize,
    indices: [usize; 4],
    weights: [f32; 4],
    /// How many entries are used; for [`Mode::Area`] the length of the run from `start`.
    len: usize,
}

/// Resizes every picture of a batch. Raises torch's `RuntimeError` for an empty input or output.
pub(crate) fn interpolate(
    context: &Context<'_>,
    image: &ImageBatch,
    width: usize,
    height: usize,
    mode: Mode,
) -> Result<ImageBatch, NodeError> {
    if [image.width, image.height, width, height].contains(&0) {
        return Err(runtime(format!(
            "Input and output sizes should be greater than 0, but got input (H: {}, W: {}) output (H: {height}, W: {width})",
            image.height, image.width
        )));
    }
    if (image.width, image.height) == (width, height) {
        // Every weight is 1 or 0.
        return copy(context, image);
    }
    let mut out = empty(context, image.batch, height, width, image.channels)?;
    let columns: Vec<Tap> = (0..width).map(|x| tap(mode, x, image.width, width)).collect();
    let rows: Vec<Tap> = (0..height).map(|y| tap(mode, y, image.height, height)).collect();
    let channels = image.channels;
    let source_row = |picture: usize, y: usize| row_of(&image.data, image.width * channels, picture * image.height + y);
    fill_rows(context, &mut out.data, width * channels, |line, target| {
        let (picture, y) = (line / height, line % height);
        let Some(row) = rows.get(y) else { return };
        match mode {
            Mode::Area => area_row(target, row, &columns, channels, |y| source_row(picture, y)),
            _ => tap_row(target, row, &columns, channels, |y| source_row(picture, y)),
        }
    })?;
    Ok(out)
}

fn tap_row<'a>(target: &mut [f32], row: &Tap, columns: &[Tap], channels: usize, source: impl Fn(usize) -> &'a [f32]) {
    let lines = row.indices.map(&source);
    for (pixel, column) in target.chunks_exact_mut(channels).zip(columns) {
        for (channel, sample) in pixel.iter_mut().enumerate() {
            let mut sum = 0.0;
            for (line, weight) in lines.iter().zip(row.weights).take(row.len) {
                let mut across = 0.0;
                for (index, weight) in column.indices.iter().zip(column.weights).take(column.len) {
                    across += weight * line.get(index * channels + channel).copied().unwrap_or_default();
                }
                sum += weight * across;
            }
            *sample = sum;
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a window has far fewer than 2^24 pixels a side")]
fn area_row<'a>(target: &mut [f32], row: &Tap, columns: &[Tap], channels: usize, source: impl Fn(usize) -> &'a [f32]) {
    target.fill(0.0);
    for y in row.start..row.start + row.len {
        let line = source(y);
        for (pixel, column) in target.chunks_exact_mut(channels).zip(columns) {
            let run = line.get(column.start * channels..(column.start + column.len) * channels).unwrap_or(&[]);
            for from in run.chunks_exact(channels) {
                for (sample, from) in pixel.iter_mut().zip(from) {
                    *sample += from;
                }
            }
        }
    }
    for (pixel, column) in target.chunks_exact_mut(channels).zip(columns) {
        for sample in pixel {
            *sample = *sample / row.len as f32 / column.len as f32;
        }
    }
}

/// torch computes positions in float32.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are at most 16384 and positions are clamped into the picture"
)]
fn tap(mode: Mode, at: usize, source: usize, target: usize) -> Tap {
    let last = source - 1;
    let scale = source as f32 / target as f32;
    let position = scale * (at as f32 + 0.5) - 0.5;
    let mut out = Tap { start: 0, indices: [0; 4], weights: [0.0; 4], len: 1 };
    match mode {
        Mode::NearestExact => {
            out.indices[0] = (((at as f32 + 0.5) * scale).floor() as usize).min(last);
            out.weights[0] = 1.0;
        }
        Mode::Bilinear => {
            let position = position.max(0.0);
            let low = (position as usize).min(last);
            let part = (position - low as f32).clamp(0.0, 1.0);
            out.indices = [low, (low + 1).min(last), 0, 0];
            out.weights = [1.0 - part, part, 0.0, 0.0];
            out.len = 2;
        }
        Mode::Bicubic => {
            let low = position.floor();
            let part = position - low;
            let low = low as i64;
            for (offset, index) in out.indices.iter_mut().enumerate() {
                *index = (low - 1 + offset as i64).clamp(0, last as i64) as usize;
            }
            out.weights = [far(part + 1.0), near(part), near(1.0 - part), far(2.0 - part)];
            out.len = 4;
        }
        Mode::Area => {
            out.start = at * source / target;
            out.len = ((at + 1) * source).div_ceil(target) - out.start;
        }
    }
    out
}

/// torch's constant for cubic convolution.
const A: f32 = -0.75;

/// The kernel up to a distance of 1.
fn near(x: f32) -> f32 {
    ((A + 2.0) * x - (A + 3.0)) * x * x + 1.0
}

/// The kernel from 1 to 2.
fn far(x: f32) -> f32 {
    ((A * x - 5.0 * A) * x + 8.0 * A) * x - 4.0 * A
}
