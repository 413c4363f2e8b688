//! Filter nodes. They treat every picture of a batch alike and keep the alpha channel.

mod glitch;
mod glow;
mod grain;
mod halftone;
mod kaleidoscope;
mod oil;
mod pixel_sort;
mod recolor;
mod sketch;
mod swirl;

use rayon::prelude::*;

use super::super::node::{Context, NodeError};
use super::super::value::ImageBatch;
use super::Recipe;
use super::draw::canvas::Canvas;
use super::draw::color::{decode, encode};
use super::parameters::Values;

const CATEGORY: &str = "verdigraph/filter";

pub(super) const RECIPES: &[&Recipe] = &[
    &recolor::GRADIENT_MAP,
    &recolor::DITHER,
    &halftone::RECIPE,
    &kaleidoscope::RECIPE,
    &swirl::RECIPE,
    &glow::RECIPE,
    &grain::RECIPE,
    &glitch::RECIPE,
    &pixel_sort::RECIPE,
    &oil::RECIPE,
    &sketch::RECIPE,
];

/// Applies `work` to every picture of the batch in linear light. Raises `ValueError` for pictures without three colors.
fn each_picture(
    values: &Values,
    context: &Context<'_>,
    work: impl Fn(Canvas, usize) -> Result<Canvas, NodeError>,
) -> Result<ImageBatch, NodeError> {
    through(values, context, &work)
}

/// The loop of [`each_picture`], compiled only once.
fn through(
    values: &Values,
    context: &Context<'_>,
    work: &dyn Fn(Canvas, usize) -> Result<Canvas, NodeError>,
) -> Result<ImageBatch, NodeError> {
    let image = values.image()?;
    if image.channels < 3 || image.height == 0 || image.width == 0 {
        return Err(NodeError::value(format!(
            "this filter needs a colour picture, not {}x{} with {} channels",
            image.width, image.height, image.channels
        )));
    }
    // The copy in linear light, and one that the filter paints on.
    context.reserve_size(image.batch + 2, image.height, image.width, image.channels)?;
    let mut out = image.as_ref().clone();
    let mark = context.memory.reserved();
    let len = image.picture_len();
    for (number, picture) in out.data.chunks_exact_mut(len).enumerate() {
        context.check()?;
        let pixels = picture
            .par_chunks_exact(image.channels)
            .map(|pixel| match pixel {
                [r, g, b, ..] => [decode(*r), decode(*g), decode(*b)],
                _ => [0.0; 3],
            })
            .collect();
        let done = work(Canvas { width: image.width, height: image.height, pixels }, number)?;
        picture.par_chunks_exact_mut(image.channels).zip(done.pixels.par_iter()).for_each(|(out, pixel)| {
            for (out, part) in out.iter_mut().zip(pixel) {
                *out = encode(*part);
            }
        });
        // The filter's memory for this picture is free for the next one.
        context.memory.release_to(mark);
    }
    Ok(out)
}

/// An empty canvas of the same size.
fn like(canvas: &Canvas) -> Canvas {
    Canvas { width: canvas.width, height: canvas.height, pixels: vec![[0.0; 3]; canvas.pixels.len()] }
}
