//! ImageStitch. Exact: `match_image_size` resizes with Pillow's lanczos.

use std::borrow::Cow;
use std::sync::Arc;

use super::scale::{Crop, Method, image_of, paste, upscale};
use super::tensor::{empty, shape_of, size, with_channels};
use crate::cpu::node::{Context, Inputs, NodeError, Outcome};
use crate::cpu::value::{ImageBatch, Value};

/// Puts the second picture beside the first.
pub(super) fn stitch(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let first = inputs.image("image1")?;
    if inputs.get("image2").is_none() {
        return Ok(Outcome::one(Value::Image(Arc::clone(first))));
    }
    let second = inputs.image("image2")?;
    let direction = inputs.text("direction")?;
    let sideways = matches!(direction, "left" | "right");
    let color = inputs.text("spacing_color")?;

    let batch = first.batch.max(second.batch);
    let mut first = extend_batch(context, first, batch)?;
    let mut second = extend_batch(context, second, batch)?;
    if inputs.bool("match_image_size")? {
        let to = matched_size(&first, &second, sideways);
        second = Cow::Owned(upscale(context, &second, to, Method::Lanczos, Crop::Disabled)?);
    } else {
        let ground = if color == "white" { 1.0 } else { 0.0 };
        let to = if sideways { first.height.max(second.height) } else { first.width.max(second.width) };
        first = pad(context, first, sideways, to, ground)?;
        second = pad(context, second, sideways, to, ground)?;
    }
    let channels = first.channels.max(second.channels);
    if first.channels < channels {
        first = Cow::Owned(with_channels(context, &first, channels)?);
    }
    if second.channels < channels {
        second = Cow::Owned(with_channels(context, &second, channels)?);
    }

    let spacing = size(inputs.int("spacing_width")?);
    let spacing = spacing + spacing % 2;
    let (before, after) = if matches!(direction, "left" | "up") { (second, first) } else { (first, second) };
    let (width, height) = if sideways {
        (before.width + spacing + after.width, before.height.max(after.height))
    } else {
        (before.width.max(after.width), before.height + spacing + after.height)
    };
    let mut out = empty(context, batch, height, width, channels)?;
    let pixel = spacing_pixel(color, channels);
    for target in out.data.chunks_exact_mut(channels) {
        target.copy_from_slice(&pixel);
    }
    paste(&mut out, &before, 0, 0);
    let (x, y) = if sideways { (before.width + spacing, 0) } else { (0, before.height + spacing) };
    paste(&mut out, &after, x, y);
    image_of(out)
}

/// Repeats the last picture up to `batch` pictures.
fn extend_batch<'a>(
    context: &Context<'_>,
    image: &'a ImageBatch,
    batch: usize,
) -> Result<Cow<'a, ImageBatch>, NodeError> {
    if image.batch >= batch {
        return Ok(Cow::Borrowed(image));
    }
    context.reserve_size(batch, image.height, image.width, image.channels)?;
    let last = image.picture(image.batch.saturating_sub(1)).unwrap_or(&[]);
    let mut data = image.data.clone();
    for _ in image.batch..batch {
        data.extend_from_slice(last);
    }
    Ok(Cow::Owned(ImageBatch { batch, data, ..shape_of(image) }))
}

/// The second picture's size when its joined side is as long as the first one's.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are positive and far below 2^52, and Python's int() truncates too"
)]
fn matched_size(first: &ImageBatch, second: &ImageBatch, sideways: bool) -> (usize, usize) {
    let aspect = second.width as f64 / second.height as f64;
    if sideways {
        ((first.height as f64 * aspect) as usize, first.height)
    } else {
        (first.width, (first.width as f64 / aspect) as usize)
    }
}

/// Centres a picture on a background of length `to` across the joint.
fn pad<'a>(
    context: &Context<'_>,
    image: Cow<'a, ImageBatch>,
    sideways: bool,
    to: usize,
    ground: f32,
) -> Result<Cow<'a, ImageBatch>, NodeError> {
    let from = if sideways { image.height } else { image.width };
    if from >= to {
        return Ok(image);
    }
    let (width, height) = if sideways { (image.width, to) } else { (to, image.height) };
    let mut out = empty(context, image.batch, height, width, image.channels)?;
    out.data.fill(ground);
    let offset = (to - from) / 2;
    let (x, y) = if sideways { (0, offset) } else { (offset, 0) };
    paste(&mut out, &image, x, y);
    Ok(Cow::Owned(out))
}

fn spacing_pixel(color: &str, channels: usize) -> Vec<f32> {
    let rgb = match color {
        "white" => [1.0; 3],
        "red" => [1.0, 0.0, 0.0],
        "green" => [0.0, 1.0, 0.0],
        "blue" => [0.0, 0.0, 1.0],
        _ => [0.0; 3],
    };
    let mut pixel: Vec<f32> = rgb.into_iter().chain(std::iter::once(1.0)).take(channels).collect();
    pixel.resize(channels, 0.0);
    pixel
}
