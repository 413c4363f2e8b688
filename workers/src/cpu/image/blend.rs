//! ImageBlend. Within 1 of 255 of torch (float32 rounding); exact where no resizing happens.

use std::borrow::Cow;

use super::interpolate::Mode;
use super::scale::{Crop, Method, image_of, upscale};
use super::tensor::{broadcast, empty, fill_rows, fit_channels, row_of};
use crate::cpu::node::{Context, Inputs, NodeError, Outcome};
use crate::cpu::value::ImageBatch;

/// Blends the second picture, resized to the first, into the first.
#[expect(clippy::cast_possible_truncation, reason = "torch multiplies float32 tensors by float32 scalars")]
pub(super) fn blend(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let first = inputs.image("image1")?;
    let factor = inputs.float("blend_factor")?;
    let mode = blending(inputs.text("blend_mode")?)?;
    let mut second = fit_channels(context, first, inputs.image("image2")?)?;
    if (first.width, first.height) != (second.width, second.height) {
        let method = Method::Torch(Mode::Bicubic);
        second = Cow::Owned(upscale(context, &second, (first.width, first.height), method, Crop::Center)?);
    }
    broadcast(first.channels, second.channels, 3)?;
    let batch = broadcast(first.batch, second.batch, 0)?;
    let mut out = empty(context, batch, first.height, first.width, first.channels)?;
    let (keep, take) = ((1.0 - factor) as f32, factor as f32);
    let row_len = first.width * first.channels;
    let row = |image: &ImageBatch, line: usize| {
        if image.batch == 1 { line % image.height } else { line }
    };
    fill_rows(context, &mut out.data, row_len, |line, target| {
        let a = row_of(&first.data, row_len, row(first, line));
        let b = row_of(&second.data, row_len, row(&second, line));
        for ((sample, a), b) in target.iter_mut().zip(a).zip(b) {
            *sample = (a * keep + mode(*a, *b) * take).clamp(0.0, 1.0);
        }
    })?;
    image_of(out)
}

fn blending(name: &str) -> Result<fn(f32, f32) -> f32, NodeError> {
    Ok(match name {
        "normal" => |_, b| b,
        "multiply" => |a, b| a * b,
        "screen" => |a, b| 1.0 - (1.0 - a) * (1.0 - b),
        "overlay" => |a, b| {
            if a <= 0.5 { 2.0 * a * b } else { 1.0 - 2.0 * (1.0 - a) * (1.0 - b) }
        },
        "soft_light" => |a, b| {
            if b <= 0.5 { a - (1.0 - 2.0 * b) * a * (1.0 - a) } else { a + (2.0 * b - 1.0) * (lift(a) - a) }
        },
        "difference" => |a, b| a - b,
        _ => return Err(NodeError::value(format!("Unsupported blend mode: {name}"))),
    })
}

fn lift(x: f32) -> f32 {
    if x <= 0.25 { ((16.0 * x - 12.0) * x + 4.0) * x } else { x.sqrt() }
}
