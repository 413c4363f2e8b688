//! Nodes that convert between pictures and masks, make or cut masks: MaskToImage, ImageToMask, ImageColorToMask,
//! SolidMask, InvertMask, CropMask, ThresholdMask. All exact.

use std::sync::Arc;

use super::mask_of;
use crate::cpu::image::tensor::{empty, fill_rows, image_as_mask, map, mask_as_image, row_of, size, window};
use crate::cpu::node::{Context, Inputs, NodeError, Outcome};
use crate::cpu::value::{ImageBatch, MaskBatch, Value};

/// Converts a mask to gray pictures.
pub(super) fn gray(context: &Context<'_>, mask: &MaskBatch) -> Result<ImageBatch, NodeError> {
    let mut out = empty(context, mask.batch, mask.height, mask.width, 3)?;
    fill_rows(context, &mut out.data, mask.width * 3, |y, row| {
        for (pixel, sample) in row.as_chunks_mut::<3>().0.iter_mut().zip(row_of(&mask.data, mask.width, y)) {
            *pixel = [*sample; 3];
        }
    })?;
    Ok(out)
}

pub(super) fn to_image(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    Ok(Outcome::one(Value::Image(Arc::new(gray(context, inputs.mask("mask")?)?))))
}

/// ImageToMask: takes one channel. Fails for the alpha channel of a picture without alpha.
pub(super) fn from_image(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    let name = inputs.text("channel")?;
    let Some(channel) = ["red", "green", "blue", "alpha"].iter().position(|known| *known == name) else {
        return Err(NodeError::value(format!("'{name}' is not in list")));
    };
    if channel >= image.channels {
        let message = format!("index {channel} is out of bounds for dimension 3 with size {}", image.channels);
        return Err(NodeError::Raised { kind: "IndexError", message });
    }
    pick(context, image, |pixel| pixel.get(channel).copied().unwrap_or_default())
}

/// ImageColorToMask: 1 where the pixel, rounded to bytes, has the colour 0xRRGGBB.
#[expect(clippy::cast_possible_truncation, reason = "clamped to a byte before")]
pub(super) fn from_color(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    let color = inputs.int("color")?;
    if image.channels < 3 {
        let message = format!("index {0} is out of bounds for dimension 3 with size {0}", image.channels);
        return Err(NodeError::Raised { kind: "IndexError", message });
    }
    pick(context, image, |pixel| {
        let found = pixel
            .iter()
            .take(3)
            .fold(0, |sum, sample| (sum << 8) + i128::from((sample.clamp(0.0, 1.0) * 255.0).round_ties_even() as i32));
        if found == color { 1.0 } else { 0.0 }
    })
}

fn pick(
    context: &Context<'_>,
    image: &ImageBatch,
    sample: impl Fn(&[f32]) -> f32 + Sync,
) -> Result<Outcome, NodeError> {
    let mut out = empty(context, image.batch, image.height, image.width, 1)?;
    let (width, channels) = (image.width, image.channels);
    fill_rows(context, &mut out.data, width, |y, row| {
        let source = image.data.get(y * width * channels..(y + 1) * width * channels).unwrap_or(&[]);
        for (to, pixel) in row.iter_mut().zip(source.chunks_exact(channels)) {
            *to = sample(pixel);
        }
    })?;
    mask_of(image_as_mask(out))
}

#[expect(clippy::cast_possible_truncation, reason = "masks are float32")]
pub(super) fn solid(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let (width, height) = (size(inputs.int("width")?), size(inputs.int("height")?));
    context.reserve_size(1, height, width, 1)?;
    mask_of(MaskBatch::filled(1, height, width, inputs.float("value")? as f32))
}

pub(super) fn invert(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let mask = mask_as_image(context, inputs.mask("mask")?)?;
    mask_of(image_as_mask(map(context, &mask, |sample| 1.0 - sample)?))
}

/// CropMask: the result ends at the border and may be empty.
pub(super) fn crop(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let mask = mask_as_image(context, inputs.mask("mask")?)?;
    let x = size(inputs.int("x")?).min(mask.width);
    let y = size(inputs.int("y")?).min(mask.height);
    let width = size(inputs.int("width")?).min(mask.width - x);
    let height = size(inputs.int("height")?).min(mask.height - y);
    mask_of(image_as_mask(window(context, &mask, (x, y), (width, height))?))
}

/// ThresholdMask: 1 above the value, 0 at it and below.
#[expect(clippy::cast_possible_truncation, reason = "torch compares in float32")]
pub(super) fn threshold(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let value = inputs.float("value")? as f32;
    let mask = mask_as_image(context, inputs.mask("mask")?)?;
    mask_of(image_as_mask(map(context, &mask, |sample| if sample > value { 1.0 } else { 0.0 })?))
}
