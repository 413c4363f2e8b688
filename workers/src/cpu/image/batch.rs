//! Nodes for batches: EmptyImage, ImageInvert, ImageBatch, RepeatImageBatch, ImageFromBatch, RebatchImages,
//! GetImageSize. Exact, except for ImageBatch when it resizes (bilinear, within 1 of 255).

use std::borrow::Cow;
use std::sync::Arc;

use super::interpolate::Mode;
use super::scale::{Crop, Method, image_of, upscale};
use super::tensor::{empty, fill_rows, map, runtime, shape_of, size, with_channels};
use crate::cpu::node::{Context, Inputs, NodeError, Outcome};
use crate::cpu::value::{ImageBatch, Value};

/// EmptyImage: one colour, given as 0xRRGGBB.
#[expect(clippy::cast_possible_truncation, reason = "a byte over 255 in float32")]
pub(super) fn empty_image(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let (width, height) = (size(inputs.int("width")?), size(inputs.int("height")?));
    let color = inputs.int("color")?;
    let level = |shift: u32| (f64::from((color >> shift) as u8) / 255.0) as f32;
    let pixel = [level(16), level(8), level(0)];
    let mut out = empty(context, size(inputs.int("batch_size")?), height, width, 3)?;
    fill_rows(context, &mut out.data, width * 3, |_, row| {
        for target in row.chunks_exact_mut(3) {
            target.copy_from_slice(&pixel);
        }
    })?;
    image_of(out)
}

/// ImageInvert; alpha is inverted too.
pub(super) fn invert(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    image_of(map(context, inputs.image("image")?, |sample| 1.0 - sample)?)
}

/// ImageBatch: resizes the second batch to the size of the first.
pub(super) fn join(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let (first, second) = (inputs.image("image1")?, inputs.image("image2")?);
    let mut first: Cow<'_, ImageBatch> = Cow::Borrowed(first);
    let mut second: Cow<'_, ImageBatch> = Cow::Borrowed(second);
    if first.channels > second.channels {
        second = Cow::Owned(with_channels(context, &second, second.channels + 1)?);
    } else if first.channels < second.channels {
        first = Cow::Owned(with_channels(context, &first, first.channels + 1)?);
    }
    if (first.height, first.width) != (second.height, second.width) {
        let method = Method::Torch(Mode::Bilinear);
        second = Cow::Owned(upscale(context, &second, (first.width, first.height), method, Crop::Center)?);
    }
    image_of(concatenate(context, &[&first, &second])?)
}

pub(super) fn repeat(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    let amount = size(inputs.int("amount")?);
    context.reserve_size(image.batch.saturating_mul(amount), image.height, image.width, image.channels)?;
    image_of(ImageBatch { batch: image.batch * amount, data: image.data.repeat(amount), ..shape_of(image) })
}

/// ImageFromBatch: clamps index and length to the batch.
pub(super) fn take(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    take_from(inputs, context, inputs.int("batch_index")?)
}

/// ImageFromBatch since 0.33.0: negative indexes count from the end.
pub(super) fn take_from_either_end(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let batch = i128::try_from(inputs.image("image")?.batch).unwrap_or(i128::MAX);
    let at = inputs.int("batch_index")?;
    take_from(inputs, context, if at < 0 { at.saturating_add(batch) } else { at })
}

fn take_from(inputs: &Inputs, context: &Context<'_>, at: i128) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    let start = size(at).min(image.batch.saturating_sub(1));
    let length = size(inputs.int("length")?).min(image.batch - start);
    image_of(part(context, image, start, length)?)
}

fn part(context: &Context<'_>, image: &ImageBatch, start: usize, length: usize) -> Result<ImageBatch, NodeError> {
    context.reserve_size(length, image.height, image.width, image.channels)?;
    let len = image.picture_len();
    let data = image.data.get(start * len..(start + length) * len).unwrap_or(&[]).to_vec();
    Ok(ImageBatch { batch: length, data, ..shape_of(image) })
}

/// RebatchImages: regroups a list of batches into batches of the given size. The last may be smaller.
pub(super) fn rebatch(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let amount = size(inputs.int("batch_size")?).max(1);
    let mut pictures = Vec::new();
    for value in inputs.list("images") {
        let Value::Image(image) = value else {
            let message = format!("images: expected IMAGE, found {}", value.type_name());
            return Err(NodeError::Raised { kind: "TypeError", message });
        };
        for index in 0..image.batch {
            pictures.push(part(context, image, index, 1)?);
        }
    }
    let mut batches = Vec::new();
    for group in pictures.chunks(amount) {
        let group: Vec<&ImageBatch> = group.iter().collect();
        batches.push(Value::Image(Arc::new(concatenate(context, &group)?)));
    }
    Ok(Outcome { outputs: vec![batches], ui: None })
}

/// Concatenates batches whose pictures have the same shape.
pub(super) fn concatenate(context: &Context<'_>, parts: &[&ImageBatch]) -> Result<ImageBatch, NodeError> {
    let Some(first) = parts.first() else {
        return Err(runtime("expected a non-empty list of Tensors"));
    };
    let shape = |image: &ImageBatch| [image.height, image.width, image.channels];
    for (number, other) in parts.iter().enumerate() {
        if let Some((expected, got)) = shape(first).iter().zip(&shape(other)).find(|(a, b)| a != b) {
            return Err(runtime(format!(
                "Sizes of tensors must match except in dimension 0. Expected size {expected} but got size {got} for tensor number {number} in the list."
            )));
        }
    }
    let batch = parts.iter().map(|part| part.batch).sum();
    context.reserve_size(batch, first.height, first.width, first.channels)?;
    let mut data = Vec::with_capacity(batch * first.picture_len());
    for part in parts {
        data.extend_from_slice(&part.data);
    }
    Ok(ImageBatch { batch, data, ..shape_of(first) })
}

/// GetImageSize: returns width, height and batch size, and shows them on the node.
pub(super) fn get_size(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    context.reports.text(&format!("width: {}, height: {}\n batch size: {}", image.width, image.height, image.batch));
    let sizes = [image.width, image.height, image.batch];
    Ok(Outcome::many(sizes.into_iter().map(|size| Value::Int(size as i128))))
}
