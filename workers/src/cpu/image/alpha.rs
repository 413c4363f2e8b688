//! PorterDuffImageComposite, SplitImageWithAlpha, JoinImageWithAlpha. A mask is 1 minus alpha in all of them.
//!
//! Exact except for float32 rounding (within 1 of 255) where something is resized or divided by alpha.

use std::borrow::Cow;
use std::sync::Arc;

use super::interpolate::{Mode, interpolate};
use super::scale::{Crop, Method, image_of, upscale};
use super::tensor::{
    broadcast, empty, fill_rows, image_as_mask, mask_as_image, repeat_to, row_of, shape_of, with_channels,
};
use crate::cpu::node::{Context, Inputs, NodeError, Outcome};
use crate::cpu::value::{ImageBatch, MaskBatch, Value};

/// SplitImageWithAlpha: a picture without alpha is opaque.
pub(super) fn split(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    context.reserve_size(image.batch, image.height, image.width, image.channels)?;
    let mut mask = MaskBatch::filled(image.batch, image.height, image.width, 0.0);
    if image.channels > 3 {
        for (sample, pixel) in mask.data.iter_mut().zip(image.data.chunks_exact(image.channels)) {
            *sample = 1.0 - pixel.get(3).copied().unwrap_or(1.0);
        }
    }
    let colors = with_channels(context, image, image.channels.min(3))?;
    Ok(Outcome::many([Value::Image(Arc::new(colors)), Value::Mask(Arc::new(mask))]))
}

/// JoinImageWithAlpha: resizes the mask to the picture and repeats the shorter batch.
pub(super) fn join(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let (image, mask) = (inputs.image("image")?, inputs.mask("alpha")?);
    let batch = image.batch.max(mask.batch);
    let image = repeat_to(context, Cow::Borrowed(image), batch)?;
    let mask = repeat_to(context, Cow::Owned(mask_as_image(context, mask)?), batch)?;
    let mask = interpolate(context, &mask, image.width, image.height, Mode::Bilinear)?;
    let kept = image.channels.min(3);
    let mut out = empty(context, batch, image.height, image.width, kept + 1)?;
    let pixels = image.data.chunks_exact(image.channels).zip(&mask.data);
    for (target, (pixel, mask)) in out.data.chunks_exact_mut(kept + 1).zip(pixels) {
        for (to, from) in target.iter_mut().zip(pixel.iter().take(kept).chain(std::iter::once(&(1.0 - mask)))) {
            *to = *from;
        }
    }
    image_of(out)
}

pub(super) fn porter_duff(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let (source, destination) = (inputs.image("source")?, inputs.image("destination")?);
    let (source_mask, destination_mask) = (inputs.mask("source_alpha")?, inputs.mask("destination_alpha")?);
    let compose = composing(inputs.text("mode")?)?;
    let batch = source.batch.min(source_mask.batch).min(destination.batch).min(destination_mask.batch);
    if batch == 0 {
        return Err(super::tensor::runtime("stack expects a non-empty TensorList"));
    }
    if source.channels != destination.channels {
        return Err(NodeError::Raised { kind: "AssertionError", message: String::new() });
    }
    let first = |image: &ImageBatch| {
        context.reserve_size(batch, image.height, image.width, image.channels)?;
        let data = image.data.iter().copied().take(batch * image.picture_len()).collect();
        Ok::<_, NodeError>(ImageBatch { batch, data, ..shape_of(image) })
    };
    let fit = |image: ImageBatch, like: &ImageBatch| {
        if (image.width, image.height) == (like.width, like.height) {
            return Ok(image);
        }
        upscale(context, &image, (like.width, like.height), Method::Torch(Mode::Bicubic), Crop::Center)
    };
    let destination_alpha = fit(first(&mask_as_image(context, destination_mask)?)?, destination)?;
    let source_alpha = fit(first(&mask_as_image(context, source_mask)?)?, destination)?;
    let source = fit(first(source)?, destination)?;

    let channels = destination.channels;
    let mut colors = empty(context, batch, destination.height, destination.width, channels)?;
    let mut alphas = empty(context, batch, destination.height, destination.width, 1)?;
    let row_len = destination.width;
    fill_rows(context, &mut alphas.data, row_len, |y, row| {
        for (x, sample) in row.iter_mut().enumerate() {
            let at = y * row_len + x;
            let alpha = |mask: &ImageBatch| 1.0 - mask.data.get(at).copied().unwrap_or_default();
            *sample = 1.0 - compose(0.0, alpha(&source_alpha), 0.0, alpha(&destination_alpha)).0;
        }
    })?;
    fill_rows(context, &mut colors.data, row_len * channels, |y, row| {
        for (x, pixel) in row.chunks_exact_mut(channels).enumerate() {
            let at = y * row_len + x;
            let alpha = |mask: &ImageBatch| 1.0 - mask.data.get(at).copied().unwrap_or_default();
            let (source_alpha, destination_alpha) = (alpha(&source_alpha), alpha(&destination_alpha));
            for (channel, sample) in pixel.iter_mut().enumerate() {
                let color = |image: &ImageBatch| image.data.get(at * channels + channel).copied().unwrap_or_default();
                let (s, d) = (color(&source) * source_alpha, color(destination) * destination_alpha);
                let (alpha, color) = compose(s, source_alpha, d, destination_alpha);
                *sample = if alpha > 1e-5 { (color / alpha).clamp(0.0, 1.0) } else { 0.0 };
            }
        }
    })?;
    Ok(Outcome::many([Value::Image(Arc::new(colors)), Value::Mask(Arc::new(image_as_mask(alphas)))]))
}

/// Premultiplied source colour and alpha, destination colour and alpha, to the result's alpha and colour.
type Compose = fn(f32, f32, f32, f32) -> (f32, f32);

/// The equations of each mode, over premultiplied colours.
fn composing(mode: &str) -> Result<Compose, NodeError> {
    Ok(match mode {
        "ADD" => |s, sa, d, da| ((sa + da).clamp(0.0, 1.0), (s + d).clamp(0.0, 1.0)),
        "CLEAR" => |_, _, _, _| (0.0, 0.0),
        "DARKEN" => |s, sa, d, da| (sa + da - sa * da, (1.0 - da) * s + (1.0 - sa) * d + s.min(d)),
        "DST" => |_, _, d, da| (da, d),
        "DST_ATOP" => |s, sa, d, da| (sa, sa * d + (1.0 - da) * s),
        "DST_IN" => |_, sa, d, da| (sa * da, d * sa),
        "DST_OUT" => |_, sa, d, da| ((1.0 - sa) * da, (1.0 - sa) * d),
        "DST_OVER" => |s, sa, d, da| (da + (1.0 - da) * sa, d + (1.0 - da) * s),
        "LIGHTEN" => |s, sa, d, da| (sa + da - sa * da, (1.0 - da) * s + (1.0 - sa) * d + s.max(d)),
        "MULTIPLY" => |s, sa, d, da| (sa * da, s * d),
        "OVERLAY" => |s, sa, d, da| {
            let color = if 2.0 * d < da { 2.0 * s * d } else { sa * da - 2.0 * (da - s) * (sa - d) };
            (sa + da - sa * da, color)
        },
        "SCREEN" => |s, sa, d, da| (sa + da - sa * da, s + d - s * d),
        "SRC" => |s, sa, _, _| (sa, s),
        "SRC_ATOP" => |s, sa, d, da| (da, da * s + (1.0 - sa) * d),
        "SRC_IN" => |s, sa, _, da| (sa * da, s * da),
        "SRC_OUT" => |s, sa, _, da| ((1.0 - da) * sa, (1.0 - da) * s),
        "SRC_OVER" => |s, sa, d, da| (sa + (1.0 - sa) * da, s + (1.0 - sa) * d),
        "XOR" => |s, sa, d, da| ((1.0 - da) * sa + (1.0 - sa) * da, (1.0 - da) * s + (1.0 - sa) * d),
        _ => {
            return Err(NodeError::Raised { kind: "KeyError", message: format!("'{mode}'") });
        }
    })
}

/// ImageCompositeMasked: puts the source over the destination where the mask is 1. Parts outside are ignored.
pub(super) fn composite_masked(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let destination = inputs.image("destination")?;
    let mut source = super::tensor::fit_channels(context, destination, inputs.image("source")?)?;
    broadcast(source.channels, destination.channels, 1)?;
    if inputs.bool("resize_source")? {
        let resized = interpolate(context, &source, destination.width, destination.height, Mode::Bilinear)?;
        source = Cow::Owned(resized);
    }
    let mask = match inputs.get("mask") {
        None => None,
        Some(_) => Some(fit_mask(context, inputs.mask("mask")?, &source)?),
    };
    let x = super::tensor::size(inputs.int("x")?).min(destination.width);
    let y = super::tensor::size(inputs.int("y")?).min(destination.height);
    let channels = destination.channels;
    // Copied row by row: new memory is cheaper if several threads touch it first.
    let mut out = empty(context, destination.batch, destination.height, destination.width, channels)?;
    let row_len = destination.width * channels;
    fill_rows(context, &mut out.data, row_len, |line, row| {
        row.copy_from_slice(row_of(&destination.data, row_len, line));
        let (picture, at) = (line / destination.height, line % destination.height);
        let Some(from_y) = at.checked_sub(y).filter(|at| *at < source.height) else {
            return;
        };
        let below = row.get_mut(x * channels..).unwrap_or_default();
        // The shorter batch is repeated.
        let from = picture % source.batch.max(1) * source.height + from_y;
        let over = row_of(&source.data, source.width * channels, from);
        let Some(mask) = &mask else {
            let len = below.len().min(over.len());
            below.iter_mut().zip(over).take(len).for_each(|(below, over)| *below = *over);
            return;
        };
        let shares = picture % mask.batch.max(1) * mask.height + from_y;
        let shares = row_of(&mask.data, mask.width, shares);
        match channels {
            1 => put_over::<1>(below, over, shares),
            2 => put_over::<2>(below, over, shares),
            3 => put_over::<3>(below, over, shares),
            _ => put_over::<4>(below, over, shares),
        }
    })?;
    image_of(out)
}

/// Resizes the mask to the source.
fn fit_mask<'a>(
    context: &Context<'_>,
    mask: &'a MaskBatch,
    source: &ImageBatch,
) -> Result<Cow<'a, MaskBatch>, NodeError> {
    if (mask.width, mask.height) == (source.width, source.height) {
        return Ok(Cow::Borrowed(mask));
    }
    let mask = mask_as_image(context, mask)?;
    let mask = interpolate(context, &mask, source.width, source.height, Mode::Bilinear)?;
    Ok(Cow::Owned(image_as_mask(mask)))
}

/// Mixes pixels with this number of channels, weighted by `shares`.
fn put_over<const CHANNELS: usize>(below: &mut [f32], over: &[f32], shares: &[f32]) {
    let pixels = below.as_chunks_mut::<CHANNELS>().0.iter_mut().zip(over.as_chunks::<CHANNELS>().0);
    for ((below, over), share) in pixels.zip(shares) {
        for (below, over) in below.iter_mut().zip(over) {
            *below = share * over + (1.0 - share) * *below;
        }
    }
}
