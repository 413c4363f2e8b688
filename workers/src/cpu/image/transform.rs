//! Nodes that move pixels: ImageCrop, ImageFlip, ImageRotate, ImagePadForOutpaint. Exact, but for the feathered mask
//! of ImagePadForOutpaint (float32 rounding, within 1 of 255).

use std::sync::Arc;

use super::scale::{image_of, paste};
use super::tensor::{copy, empty, fill_rows, row_of, size, window};
use crate::cpu::node::{Context, Inputs, NodeError, Outcome};
use crate::cpu::value::{ImageBatch, MaskBatch, Value};

/// ImageCrop: an origin outside is brought to the last pixel, what lies past the border is left out.
pub(super) fn crop(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    let x = size(inputs.int("x")?).min(image.width.saturating_sub(1));
    let y = size(inputs.int("y")?).min(image.height.saturating_sub(1));
    let width = size(inputs.int("width")?).min(image.width - x);
    let height = size(inputs.int("height")?).min(image.height - y);
    image_of(window(context, image, (x, y), (width, height))?)
}

/// ImageFlip
pub(super) fn flip(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    let (width, height) = (image.width, image.height);
    image_of(match inputs.text("flip_method")? {
        method if method.starts_with('x') => rearrange(context, image, (width, height), |x, y| (x, height - 1 - y))?,
        method if method.starts_with('y') => rearrange(context, image, (width, height), |x, y| (width - 1 - x, y))?,
        _ => copy(context, image)?,
    })
}

/// ImageRotate, clockwise by quarter turns.
pub(super) fn rotate(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    let (width, height) = (image.width, image.height);
    let rotation = inputs.text("rotation")?;
    image_of(if rotation.starts_with("90") {
        rearrange(context, image, (height, width), |x, y| (y, height - 1 - x))?
    } else if rotation.starts_with("180") {
        rearrange(context, image, (width, height), |x, y| (width - 1 - x, height - 1 - y))?
    } else if rotation.starts_with("270") {
        rearrange(context, image, (height, width), |x, y| (width - 1 - y, x))?
    } else {
        copy(context, image)?
    })
}

/// A batch of another shape whose pixels come from `from(x, y)` of the old one.
fn rearrange(
    context: &Context<'_>,
    image: &ImageBatch,
    (width, height): (usize, usize),
    from: impl Fn(usize, usize) -> (usize, usize) + Sync,
) -> Result<ImageBatch, NodeError> {
    let channels = image.channels;
    let mut out = empty(context, image.batch, height, width, channels)?;
    fill_rows(context, &mut out.data, width * channels, |line, row| {
        let (picture, y) = (line / height, line % height);
        for (x, pixel) in row.chunks_exact_mut(channels).enumerate() {
            let (from_x, from_y) = from(x, y);
            let source = row_of(&image.data, image.width * channels, picture * image.height + from_y);
            if let Some(source) = source.get(from_x * channels..(from_x + 1) * channels) {
                pixel.copy_from_slice(source);
            }
        }
    })?;
    Ok(out)
}

/// ImagePadForOutpaint: gray (0.5) around the picture, and a mask of what is new, feathered inwards.
pub(super) fn pad_for_outpaint(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    let [left, top, right, bottom] = ["left", "top", "right", "bottom"].map(|side| inputs.int(side).map(size));
    let (left, top, right, bottom) = (left?, top?, right?, bottom?);
    let feathering = size(inputs.int("feathering")?);
    let (width, height) = (image.width + left + right, image.height + top + bottom);

    let mut padded = empty(context, image.batch, height, width, image.channels)?;
    padded.data.fill(0.5);
    paste(&mut padded, image, left, top);

    context.reserve_size(1, height, width, 1)?;
    let mut mask = MaskBatch::filled(1, height, width, 1.0);
    let feathered = feathering > 0 && feathering * 2 < image.height && feathering * 2 < image.width;
    fill_rows(context, &mut mask.data, width, |y, row| {
        let Some(y) = y.checked_sub(top).filter(|y| *y < image.height) else {
            return;
        };
        for (x, sample) in row.iter_mut().skip(left).take(image.width).enumerate() {
            let sides = [
                (top, y, image.height),
                (bottom, image.height - y, image.height),
                (left, x, image.width),
                (right, image.width - x, image.width),
            ];
            let near = sides.map(|(pad, distance, all)| if pad == 0 { all } else { distance });
            let distance = near.into_iter().min().unwrap_or(feathering);
            *sample = if feathered && distance < feathering { ramp(distance, feathering) } else { 0.0 };
        }
    })?;
    Ok(Outcome::many([Value::Image(Arc::new(padded)), Value::Mask(Arc::new(mask))]))
}

#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "sizes are small, masks are float32")]
fn ramp(distance: usize, feathering: usize) -> f32 {
    let part = (feathering - distance) as f64 / feathering as f64;
    (part * part) as f32
}
