//! Glow: bright parts shine over their surroundings.

use rayon::prelude::*;

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::canvas::Canvas;
use super::super::draw::color::{Rgb, add, luminance, scale, tone};
use super::super::draw::{coordinate, index, smoothstep};
use super::super::parameters::{IMAGE, Values, float};
use super::each_picture;

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphGlow",
    display_name: "Glow",
    description: "Lets the bright parts of a picture shine over their surroundings.",
    category: super::CATEGORY,
    parameters: &[
        IMAGE,
        float("radius", (24.0, 1.0, 200.0), "How far the light reaches, in thousandths of the shorter side."),
        float("threshold", (0.55, 0.0, 1.0), "How bright a part must be to glow."),
        float("strength", (0.8, 0.0, 3.0), "How strong the glow is."),
    ],
    run,
};

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let (threshold, strength) = (values.float("threshold"), values.float("strength"));
    let low = threshold * threshold;
    each_picture(values, context, |mut canvas, _| {
        let radius = values.float("radius") * canvas.short_side() / 1000.0;
        let mut light = super::like(&canvas);
        light.pixels.par_iter_mut().zip(canvas.pixels.par_iter()).for_each(|(out, pixel)| {
            *out = scale(*pixel, smoothstep(low * 0.8, low + 0.25, luminance(*pixel)));
        });
        blur(&mut light, radius, context)?;
        canvas.rows(context, |y, row| {
            let shine = light.pixels.get(y * light.width..(y + 1) * light.width).unwrap_or(&[]);
            for (pixel, shine) in row.iter_mut().zip(shine) {
                *pixel = tone(add(*pixel, scale(*shine, strength)));
            }
        })?;
        Ok(canvas)
    })
}

/// Blurs with three running means per direction, close to a Gaussian. The cost does not depend on the radius.
fn blur(canvas: &mut Canvas, radius: f32, context: &Context<'_>) -> Result<(), NodeError> {
    let half = index(radius * 0.87 + 0.5).max(1);
    let (width, height) = (canvas.width, canvas.height);
    let along = |pixels: &mut [Rgb], len: usize| {
        pixels.par_chunks_mut(len).for_each(|row| {
            for _ in 0..3 {
                mean(row, half);
            }
        });
    };
    along(&mut canvas.pixels, width);
    context.check()?;
    // Transposed, so that both passes run along memory.
    let mut turned = transpose(&canvas.pixels, width, height);
    along(&mut turned, height);
    canvas.pixels = transpose(&turned, height, width);
    context.check()
}

fn transpose(pixels: &[Rgb], width: usize, height: usize) -> Vec<Rgb> {
    let mut out = vec![[0.0; 3]; pixels.len()];
    out.par_chunks_mut(height).enumerate().for_each(|(x, column)| {
        for (y, out) in column.iter_mut().enumerate() {
            *out = pixels.get(y * width + x).copied().unwrap_or([0.0; 3]);
        }
    });
    out
}

/// The running mean over `half` pixels on either side. The last pixel is repeated outside.
fn mean(row: &mut [Rgb], half: usize) {
    let source = row.to_vec();
    let Some(last) = source.len().checked_sub(1) else { return };
    let at = |place: usize| source.get(place.min(last)).copied().unwrap_or([0.0; 3]).map(f64::from);
    let first = at(0);
    let mut sum = [0.0_f64; 3];
    for place in 0..=half {
        let pixel = at(place);
        sum = [sum[0] + pixel[0], sum[1] + pixel[1], sum[2] + pixel[2]];
    }
    let many = f64::from(coordinate(half));
    sum = [sum[0] + first[0] * many, sum[1] + first[1] * many, sum[2] + first[2] * many];
    let weight = 1.0 / f64::from(coordinate(2 * half + 1));
    for (place, out) in row.iter_mut().enumerate() {
        #[expect(clippy::cast_possible_truncation, reason = "colours need no more")]
        let value = sum.map(|part| (part * weight) as f32);
        *out = value;
        let (enter, leave) = (at(place + half + 1), at(place.saturating_sub(half)));
        sum = [sum[0] + enter[0] - leave[0], sum[1] + enter[1] - leave[1], sum[2] + enter[2] - leave[2]];
    }
}
