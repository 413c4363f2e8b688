//! ImageBlur and ImageSharpen: a Gaussian with a reflected border, whose standard deviation is given in radii.
//!
//! torch convolves with the square kernel in float32. The Gaussian is separable, so rows and columns give the same sums
//! in another order. A saved byte differs by at most 1.

use rayon::prelude::*;

use super::scale::image_of;
use super::tensor::{copy, empty, fill_rows, row_of, runtime, size};
use crate::cpu::node::{Context, Inputs, NodeError, Outcome};
use crate::cpu::value::ImageBatch;

pub(super) fn blur(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    let radius = size(inputs.int("blur_radius")?);
    if radius == 0 {
        return image_of(copy(context, image)?);
    }
    image_of(gaussian(context, image, radius, inputs.float("sigma")?)?)
}

/// ImageSharpen: adds the difference from the blurred picture, times ten times alpha.
#[expect(clippy::cast_possible_truncation, reason = "torch's kernel is float32")]
pub(super) fn sharpen(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    let radius = size(inputs.int("sharpen_radius")?);
    if radius == 0 {
        return image_of(copy(context, image)?);
    }
    let amount = (inputs.float("alpha")? * 10.0) as f32;
    let mut out = gaussian(context, image, radius, inputs.float("sigma")?)?;
    let row_len = image.width * image.channels;
    fill_rows(context, &mut out.data, row_len, |y, row| {
        for (sample, original) in row.iter_mut().zip(row_of(&image.data, row_len, y)) {
            *sample = (original + amount * (original - *sample)).clamp(0.0, 1.0);
        }
    })?;
    image_of(out)
}

/// The normalized weights of one row of torch's kernel.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a radius is at most 31")]
fn weights(radius: usize, sigma: f64) -> Vec<f32> {
    let raw: Vec<f64> = (0..=2 * radius)
        .map(|at| {
            let x = at as f64 / radius as f64 - 1.0;
            (-(x * x) / (2.0 * sigma * sigma)).exp()
        })
        .collect();
    let sum: f64 = raw.iter().sum();
    raw.into_iter().map(|weight| (weight / sum) as f32).collect()
}

/// Blurs with this radius; `sigma` is given in radii. Raises torch's `RuntimeError` for a picture smaller than the
/// kernel.
pub(super) fn gaussian(
    context: &Context<'_>,
    image: &ImageBatch,
    radius: usize,
    sigma: f64,
) -> Result<ImageBatch, NodeError> {
    if image.width <= radius || image.height <= radius {
        return Err(runtime(format!(
            "Padding size should be less than the corresponding input dimension, but got: padding ({radius}, {radius}) at dimension {} of input [{}, {}, {}, {}]",
            if image.width <= radius { 3 } else { 2 },
            image.batch,
            image.channels,
            image.height,
            image.width
        )));
    }
    let weights = weights(radius, sigma);
    let channels = image.channels;
    let row_len = image.width * channels;

    // Horizontal pass, one reflected row at a time.
    let mut rows = empty(context, image.batch, image.height, image.width, channels)?;
    fill_rows(context, &mut rows.data, row_len, |line, target| {
        let source = row_of(&image.data, row_len, line);
        let mut padded = Vec::with_capacity(row_len + 2 * radius * channels);
        for at in 0..image.width + 2 * radius {
            let x = reflect(at, radius, image.width);
            padded.extend_from_slice(source.get(x * channels..(x + 1) * channels).unwrap_or(&[]));
        }
        for (offset, weight) in weights.iter().enumerate() {
            for (sample, from) in target.iter_mut().zip(padded.iter().skip(offset * channels)) {
                *sample += weight * from;
            }
        }
    })?;

    // Vertical pass, as sums of whole rows.
    let mut out = empty(context, image.batch, image.height, image.width, channels)?;
    out.data.par_chunks_exact_mut(row_len).enumerate().try_for_each(|(line, target)| {
        context.check()?;
        let (picture, y) = (line / image.height, line % image.height);
        for (offset, weight) in weights.iter().enumerate() {
            let from = reflect(y + offset, radius, image.height);
            for (sample, from) in target.iter_mut().zip(row_of(&rows.data, row_len, picture * image.height + from)) {
                *sample += weight * from;
            }
        }
        Ok::<(), NodeError>(())
    })?;
    Ok(out)
}

/// Index of position `at` of a line that is padded by `radius` on both sides. The border pixel is not repeated.
fn reflect(at: usize, radius: usize, len: usize) -> usize {
    match at.checked_sub(radius) {
        None => radius - at,
        Some(x) if x < len => x,
        Some(x) => 2 * (len - 1) - x,
    }
}
