//! Morphology with a square window, as in the kornia library. Exact.
//!
//! A window with an even side reaches further to the left and up. Pixels outside are ignored.

use super::scale::image_of;
use super::tensor::{copy, empty, fill_rows, row_of, size};
use crate::cpu::node::{Context, Inputs, NodeError, Outcome};
use crate::cpu::value::ImageBatch;

pub(super) fn morphology(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    let side = size(inputs.int("kernel_size")?);
    let erode = |image: &ImageBatch| extreme(context, image, side, f32::min, f32::INFINITY);
    let dilate = |image: &ImageBatch| extreme(context, image, side, f32::max, f32::NEG_INFINITY);
    image_of(match inputs.text("operation")? {
        "erode" => erode(image)?,
        "dilate" => dilate(image)?,
        "open" => dilate(&erode(image)?)?,
        "close" => erode(&dilate(image)?)?,
        "gradient" => minus(dilate(image)?, &erode(image)?),
        "top_hat" => minus(copy(context, image)?, &dilate(&erode(image)?)?),
        "bottom_hat" => minus(erode(&dilate(image)?)?, image),
        other => {
            return Err(NodeError::value(format!("Invalid operation {other} for morphology.")));
        }
    })
}

fn minus(mut image: ImageBatch, other: &ImageBatch) -> ImageBatch {
    for (sample, other) in image.data.iter_mut().zip(&other.data) {
        *sample -= other;
    }
    image
}

/// The extreme sample of the window around every pixel: rows, then columns.
pub(crate) fn extreme(
    context: &Context<'_>,
    image: &ImageBatch,
    side: usize,
    choose: fn(f32, f32) -> f32,
    outside: f32,
) -> Result<ImageBatch, NodeError> {
    let across = along_rows(context, image, side, choose, outside)?;
    let turned = along_rows(context, &turn(context, &across)?, side, choose, outside)?;
    turn(context, &turned)
}

/// Transposes.
fn turn(context: &Context<'_>, image: &ImageBatch) -> Result<ImageBatch, NodeError> {
    let channels = image.channels;
    let mut out = empty(context, image.batch, image.width, image.height, channels)?;
    fill_rows(context, &mut out.data, image.height * channels, |line, row| {
        let (picture, x) = (line / image.width, line % image.width);
        for (y, pixel) in row.chunks_exact_mut(channels).enumerate() {
            let start = ((picture * image.height + y) * image.width + x) * channels;
            pixel.copy_from_slice(image.data.get(start..start + channels).unwrap_or(&[]));
        }
    })?;
    Ok(out)
}

/// The extreme of `side` neighbours in a row, by van Herk's algorithm: three comparisons per sample for any side.
fn along_rows(
    context: &Context<'_>,
    image: &ImageBatch,
    side: usize,
    choose: fn(f32, f32) -> f32,
    outside: f32,
) -> Result<ImageBatch, NodeError> {
    let channels = image.channels;
    let row_len = image.width * channels;
    let mut out = empty(context, image.batch, image.height, image.width, channels)?;
    fill_rows(context, &mut out.data, row_len, |y, row| {
        let source = row_of(&image.data, row_len, y);
        let blocks = (image.width + side - 1).div_ceil(side);
        let mut forward = vec![outside; blocks * side];
        let mut backward = vec![outside; blocks * side];
        for channel in 0..channels {
            forward.fill(outside);
            for (to, from) in forward.iter_mut().skip(side / 2).zip(source.iter().skip(channel).step_by(channels)) {
                *to = *from;
            }
            backward.copy_from_slice(&forward);
            for (forward, backward) in forward.chunks_exact_mut(side).zip(backward.chunks_exact_mut(side)) {
                for at in 1..side {
                    forward[at] = choose(forward[at], forward[at - 1]);
                    backward[side - 1 - at] = choose(backward[side - 1 - at], backward[side - at]);
                }
            }
            let windows = backward.iter().zip(forward.iter().skip(side - 1));
            for (sample, (start, end)) in row.iter_mut().skip(channel).step_by(channels).zip(windows) {
                *sample = choose(*start, *end);
            }
        }
    })?;
    Ok(out)
}
