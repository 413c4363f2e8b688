//! Tensor operations of the image nodes: torch's errors, broadcasting of batches, channels and rows.

use std::borrow::Cow;

use rayon::prelude::*;

use crate::cpu::node::{Context, NodeError};
use crate::cpu::value::{ImageBatch, MaskBatch};

pub(crate) fn runtime(message: impl Into<String>) -> NodeError {
    NodeError::Raised { kind: "RuntimeError", message: message.into() }
}

/// Fills rows of `row_len` samples in parallel. Stops soon after an interrupt.
pub(crate) fn fill_rows(
    context: &Context<'_>,
    data: &mut [f32],
    row_len: usize,
    fill: impl Fn(usize, &mut [f32]) + Sync,
) -> Result<(), NodeError> {
    each_row(context, data, row_len, &fill)
}

/// The parallel loop of [`fill_rows`], which is large and compiled only once.
fn each_row(
    context: &Context<'_>,
    data: &mut [f32],
    row_len: usize,
    fill: &(dyn Fn(usize, &mut [f32]) + Sync),
) -> Result<(), NodeError> {
    if row_len == 0 {
        return context.check();
    }
    let rows_per_task = (4096 / row_len).max(1);
    data.par_chunks_mut(row_len * rows_per_task).enumerate().try_for_each(|(task, rows)| {
        context.check()?;
        for (index, row) in rows.chunks_mut(row_len).enumerate() {
            fill(task * rows_per_task + index, row);
        }
        Ok(())
    })
}

/// Makes a new batch from the samples of another, one by one.
pub(crate) fn map(
    context: &Context<'_>,
    image: &ImageBatch,
    change: impl Fn(f32) -> f32 + Sync,
) -> Result<ImageBatch, NodeError> {
    let mut out = empty(context, image.batch, image.height, image.width, image.channels)?;
    let row_len = image.width * image.channels;
    fill_rows(context, &mut out.data, row_len, |y, row| {
        for (to, from) in row.iter_mut().zip(row_of(&image.data, row_len, y)) {
            *to = change(*from);
        }
    })?;
    Ok(out)
}

/// A batch of zeros, rejected if it exceeds the worker's limits.
pub(crate) fn empty(
    context: &Context<'_>,
    batch: usize,
    height: usize,
    width: usize,
    channels: usize,
) -> Result<ImageBatch, NodeError> {
    context.reserve_size(batch, height, width, channels)?;
    Ok(ImageBatch::filled(batch, height, width, channels, 0.0))
}

/// Row `y`, counted through the whole batch; empty past the end.
pub(crate) fn row_of(data: &[f32], row_len: usize, y: usize) -> &[f32] {
    data.get(y * row_len..(y + 1) * row_len).unwrap_or(&[])
}

/// The common size of two batches: equal, or one of them is 1. Raises torch's broadcasting error for `dimension`.
pub(crate) fn broadcast(a: usize, b: usize, dimension: usize) -> Result<usize, NodeError> {
    match (a, b) {
        _ if a == b => Ok(a),
        (1, _) => Ok(b),
        (_, 1) => Ok(a),
        _ => Err(runtime(format!(
            "The size of tensor a ({a}) must match the size of tensor b ({b}) at non-singleton dimension {dimension}"
        ))),
    }
}

/// Truncates the batch, or repeats it from its start, to `batch` pictures.
pub(crate) fn repeat_to<'a>(
    context: &Context<'_>,
    image: Cow<'a, ImageBatch>,
    batch: usize,
) -> Result<Cow<'a, ImageBatch>, NodeError> {
    if image.batch == batch {
        return Ok(image);
    }
    context.reserve_size(batch, image.height, image.width, image.channels)?;
    let data: Vec<f32> = image.data.iter().copied().cycle().take(batch * image.picture_len()).collect();
    Ok(Cow::Owned(ImageBatch { batch, data, ..shape_of(&image) }))
}

/// Makes the channels of `source` match `destination`: truncates, or adds an opaque channel.
pub(crate) fn fit_channels<'a>(
    context: &Context<'_>,
    destination: &ImageBatch,
    source: &'a ImageBatch,
) -> Result<Cow<'a, ImageBatch>, NodeError> {
    Ok(match destination.channels.cmp(&source.channels) {
        std::cmp::Ordering::Equal => Cow::Borrowed(source),
        std::cmp::Ordering::Less => Cow::Owned(with_channels(context, source, destination.channels)?),
        std::cmp::Ordering::Greater => Cow::Owned(with_channels(context, source, source.channels + 1)?),
    })
}

/// The first `channels` channels. Missing ones are opaque (1.0).
pub(crate) fn with_channels(
    context: &Context<'_>,
    image: &ImageBatch,
    channels: usize,
) -> Result<ImageBatch, NodeError> {
    context.reserve_size(image.batch, image.height, image.width, channels)?;
    let kept = channels.min(image.channels);
    let mut out = ImageBatch { channels, data: Vec::new(), ..shape_of(image) };
    out.data.reserve_exact(out.batch * out.height * out.width * channels);
    for pixel in image.data.chunks_exact(image.channels.max(1)) {
        out.data.extend(pixel.iter().take(kept));
        out.data.extend(std::iter::repeat_n(1.0, channels - kept));
    }
    Ok(out)
}

pub(crate) fn copy(context: &Context<'_>, image: &ImageBatch) -> Result<ImageBatch, NodeError> {
    context.reserve(size_of_val(image.data.as_slice()))?;
    Ok(image.clone())
}

pub(crate) fn copy_mask(context: &Context<'_>, mask: &MaskBatch) -> Result<MaskBatch, NodeError> {
    context.reserve(size_of_val(mask.data.as_slice()))?;
    Ok(mask.clone())
}

pub(crate) fn shape_of(image: &ImageBatch) -> ImageBatch {
    ImageBatch {
        batch: image.batch,
        height: image.height,
        width: image.width,
        channels: image.channels,
        data: Vec::new(),
    }
}

/// A part of every picture. The part must lie inside.
pub(crate) fn window(
    context: &Context<'_>,
    image: &ImageBatch,
    (x, y): (usize, usize),
    (width, height): (usize, usize),
) -> Result<ImageBatch, NodeError> {
    context.reserve_size(image.batch, height, width, image.channels)?;
    let mut data = Vec::with_capacity(image.batch * width * height * image.channels);
    let row_len = image.width * image.channels;
    for picture in 0..image.batch {
        for row in y..y + height {
            let row = row_of(&image.data, row_len, picture * image.height + row);
            data.extend_from_slice(row.get(x * image.channels..(x + width) * image.channels).unwrap_or(&[]));
        }
    }
    Ok(ImageBatch { width, height, data, ..shape_of(image) })
}

/// Converts a mask to pictures with one channel.
pub(crate) fn mask_as_image(context: &Context<'_>, mask: &MaskBatch) -> Result<ImageBatch, NodeError> {
    let MaskBatch { batch, height, width, data } = copy_mask(context, mask)?;
    Ok(ImageBatch { batch, height, width, channels: 1, data })
}

/// Converts pictures with one channel to a mask.
pub(crate) fn image_as_mask(image: ImageBatch) -> MaskBatch {
    MaskBatch { batch: image.batch, height: image.height, width: image.width, data: image.data }
}

/// Converts a sample to a byte: times 255, clipped, **truncated** (NaN becomes 0).
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast clips and truncates, which is what is wanted"
)]
pub(crate) fn to_byte(sample: f32) -> u8 {
    (sample * 255.0) as u8
}

pub(crate) fn from_byte(byte: u8) -> f32 {
    f32::from(byte) / 255.0
}

/// Python's `round()`: halves go to the even neighbour. Negative and huge results saturate.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates; sizes beyond the limits are refused afterwards"
)]
pub(crate) fn round_even(value: f64) -> usize {
    value.round_ties_even() as usize
}

/// A size from a validated input; negative ones become 0.
pub(crate) fn size(value: i128) -> usize {
    usize::try_from(value.max(0)).unwrap_or(usize::MAX)
}
