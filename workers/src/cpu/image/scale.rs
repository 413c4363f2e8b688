//! Resizing nodes: ImageScale, ImageScaleBy, ImageScaleToMaxDimension, ImageScaleToTotalPixels, ResizeAndPadImage.
//!
//! `lanczos` is exact; the other methods are within 1 of 255 (float32 rounding, see `interpolate`).

use std::borrow::Cow;
use std::sync::Arc;

use super::interpolate::{Mode, interpolate};
use super::lanczos::lanczos;
use super::tensor::{empty, round_even, row_of, size, window};
use crate::cpu::node::{Context, Inputs, NodeError, Outcome};
use crate::cpu::value::{ImageBatch, Value};

/// Whether the picture is first cropped to the target's aspect ratio.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Crop {
    Disabled,
    Center,
}

/// A resizing method of the choice lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Torch(Mode),
    Lanczos,
}

impl Method {
    /// Raises `ValueError` for an unknown name.
    pub(crate) fn parse(name: &str) -> Result<Self, NodeError> {
        Ok(match name {
            "nearest-exact" => Self::Torch(Mode::NearestExact),
            "bilinear" => Self::Torch(Mode::Bilinear),
            "bicubic" => Self::Torch(Mode::Bicubic),
            "area" => Self::Torch(Mode::Area),
            "lanczos" => Self::Lanczos,
            _ => return Err(NodeError::value(format!("unknown upscale method {name}"))),
        })
    }
}

/// `comfy.utils.common_upscale`.
pub(crate) fn upscale(
    context: &Context<'_>,
    image: &ImageBatch,
    (width, height): (usize, usize),
    method: Method,
    crop: Crop,
) -> Result<ImageBatch, NodeError> {
    let image = match crop {
        Crop::Disabled => Cow::Borrowed(image),
        Crop::Center => crop_center(context, image, width, height)?,
    };
    match method {
        Method::Torch(mode) => interpolate(context, &image, width, height, mode),
        Method::Lanczos => lanczos(context, &image, width, height),
    }
}

#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^52")]
fn crop_center<'a>(
    context: &Context<'_>,
    image: &'a ImageBatch,
    width: usize,
    height: usize,
) -> Result<Cow<'a, ImageBatch>, NodeError> {
    if image.height == 0 || height == 0 {
        return Err(NodeError::Raised { kind: "ZeroDivisionError", message: "division by zero".to_owned() });
    }
    let (old_width, old_height) = (image.width as f64, image.height as f64);
    let (old, new) = (old_width / old_height, width as f64 / height as f64);
    let (mut x, mut y) = (0, 0);
    if old > new {
        x = round_even((old_width - old_width * (new / old)) / 2.0);
    } else if old < new {
        y = round_even((old_height - old_height * (old / new)) / 2.0);
    }
    if (x, y) == (0, 0) {
        return Ok(Cow::Borrowed(image));
    }
    let (width, height) = (image.width.saturating_sub(2 * x), image.height.saturating_sub(2 * y));
    Ok(Cow::Owned(window(context, image, (x, y), (width, height))?))
}

/// ImageScale: a side of 0 keeps the aspect ratio; two of them keep the picture.
#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^52")]
pub(super) fn scale(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    let (mut width, mut height) = (size(inputs.int("width")?), size(inputs.int("height")?));
    let crop = if inputs.text("crop")? == "center" { Crop::Center } else { Crop::Disabled };
    let method = Method::parse(inputs.text("upscale_method")?)?;
    if width == 0 && height == 0 {
        return Ok(Outcome::one(Value::Image(Arc::clone(image))));
    }
    if width == 0 {
        width = round_even((image.width * height) as f64 / image.height as f64).max(1);
    } else if height == 0 {
        height = round_even((image.height * width) as f64 / image.width as f64).max(1);
    }
    image_of(upscale(context, image, (width, height), method, crop)?)
}

#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^52")]
pub(super) fn scale_by(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    let factor = inputs.float("scale_by")?;
    let to = (round_even(image.width as f64 * factor), round_even(image.height as f64 * factor));
    let method = Method::parse(inputs.text("upscale_method")?)?;
    image_of(upscale(context, image, to, method, Crop::Disabled)?)
}

#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^52")]
pub(super) fn scale_to_max(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    let largest = size(inputs.int("largest_size")?);
    let (width, height) = (image.width as f64, image.height as f64);
    let to = match image.height.cmp(&image.width) {
        std::cmp::Ordering::Greater => (round_even(width / height * largest as f64), largest),
        std::cmp::Ordering::Less => (largest, round_even(height / width * largest as f64)),
        std::cmp::Ordering::Equal => (largest, largest),
    };
    let method = Method::parse(inputs.text("upscale_method")?)?;
    image_of(upscale(context, image, to, method, Crop::Disabled)?)
}

/// ImageScaleToTotalPixels. A megapixel has 1024 x 1024 pixels.
pub(super) fn scale_to_pixels(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    in_steps(inputs, context, 1)
}

/// ImageScaleToTotalPixels since 0.33.0: sides are multiples of a step.
pub(super) fn scale_to_pixels_in_steps(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    in_steps(inputs, context, size(inputs.int("resolution_steps")?).max(1))
}

#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^52")]
fn in_steps(inputs: &Inputs, context: &Context<'_>, step: usize) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    let total = inputs.float("megapixels")? * 1024.0 * 1024.0;
    let factor = (total / (image.width * image.height) as f64).sqrt();
    let side = |side: usize| round_even(side as f64 * factor / step as f64).saturating_mul(step);
    let to = (side(image.width), side(image.height));
    let method = Method::parse(inputs.text("upscale_method")?)?;
    image_of(upscale(context, image, to, method, Crop::Disabled)?)
}

/// ResizeAndPadImage: fits the whole picture into the target, on a plain background.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are positive and far below 2^52, and Python's int() truncates too"
)]
pub(super) fn resize_and_pad(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    let (width, height) = (size(inputs.int("target_width")?), size(inputs.int("target_height")?));
    let factor = (width as f64 / image.width as f64).min(height as f64 / image.height as f64);
    let inner = ((image.width as f64 * factor) as usize, (image.height as f64 * factor) as usize);
    let method = Method::parse(inputs.text("interpolation")?)?;
    let resized = upscale(context, image, inner, method, Crop::Disabled)?;
    let mut out = empty(context, image.batch, height, width, image.channels)?;
    if inputs.text("padding_color")? != "black" {
        out.data.fill(1.0);
    }
    paste(&mut out, &resized, (width - inner.0) / 2, (height - inner.1) / 2);
    image_of(out)
}

/// Copies every picture of `source` into `target`. Parts outside are ignored.
pub(crate) fn paste(target: &mut ImageBatch, source: &ImageBatch, x: usize, y: usize) {
    let channels = target.channels;
    let (target_len, source_len) = (target.width * channels, source.width * channels);
    for picture in 0..target.batch.min(source.batch) {
        for row in 0..source.height.min(target.height.saturating_sub(y)) {
            let start = (picture * target.height + y + row) * target_len;
            let Some(line) = target.data.get_mut(start + x * channels..start + target_len) else {
                continue;
            };
            for (to, from) in line.iter_mut().zip(row_of(&source.data, source_len, picture * source.height + row)) {
                *to = *from;
            }
        }
    }
}

pub(crate) fn image_of(image: ImageBatch) -> Result<Outcome, NodeError> {
    Ok(Outcome::one(Value::Image(Arc::new(image))))
}
