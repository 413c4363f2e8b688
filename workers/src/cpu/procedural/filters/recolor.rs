//! Filters that give a picture other colours.

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::color::{encode, luminance, mix};
use super::super::parameters::{self, IMAGE, Values, float, int};
use super::each_picture;

pub(super) const GRADIENT_MAP: Recipe = Recipe {
    class: "VerdigraphGradientMap",
    display_name: "Gradient Map",
    description: "Replaces dark by the dark colours of a palette and light by its light ones.",
    category: super::CATEGORY,
    parameters: &[
        IMAGE,
        parameters::palette("gilded"),
        float("strength", (1.0, 0.0, 1.0), "How much of the new colours is taken."),
        float("contrast", (1.15, 0.2, 3.0), "Contrast of the brightness that picks the colour."),
    ],
    run: gradient_map,
};

pub(super) const DITHER: Recipe = Recipe {
    class: "VerdigraphDither",
    display_name: "Poster Dither",
    description: "Reduces a picture to a few colours of a palette with the even dot pattern of early screens.",
    category: super::CATEGORY,
    parameters: &[
        IMAGE,
        parameters::palette("ink"),
        int("levels", (4, 2, 12), "How many colours remain."),
        int("dot", (2, 1, 16), "Side of a dot, in pixels."),
        float("dither", (1.0, 0.0, 1.0), "0 gives flat areas, 1 mixes neighbouring colours by dots."),
    ],
    run: dither,
};

fn gradient_map(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let gradient = values.palette().gradient();
    let (strength, contrast) = (values.float("strength"), values.float("contrast"));
    each_picture(values, context, |mut canvas, _| {
        canvas.rows(context, |_, row| {
            for pixel in row {
                let light = (encode(luminance(*pixel)) - 0.5) * contrast + 0.5;
                *pixel = mix(*pixel, gradient.at(light), strength);
            }
        })?;
        Ok(canvas)
    })
}

/// Thresholds of an 8 × 8 Bayer matrix, from the bits of the place.
fn bayer(x: usize, y: usize) -> f32 {
    let mut value = 0;
    for bit in 0..3 {
        let (bx, by) = ((x >> bit) & 1, (y >> bit) & 1);
        value |= ((bx ^ by) << (5 - 2 * bit)) | (by << (4 - 2 * bit));
    }
    (super::super::draw::coordinate(value) + 0.5) / 64.0
}

fn dither(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let gradient = values.palette().gradient();
    let levels = super::super::draw::coordinate(values.count("levels").saturating_sub(1).max(1));
    let (dot, amount) = (values.count("dot").max(1), values.float("dither"));
    each_picture(values, context, |canvas, _| {
        let mut out = super::like(&canvas);
        out.rows(context, |y, row| {
            for (x, pixel) in row.iter_mut().enumerate() {
                let (cx, cy) = (x / dot, y / dot);
                #[expect(clippy::cast_possible_wrap, reason = "sides are small")]
                let light = encode(luminance(canvas.pixel((cx * dot + dot / 2) as i64, (cy * dot + dot / 2) as i64)));
                let level = (light * levels + 0.5 + (bayer(cx, cy) - 0.5) * amount).floor() / levels;
                *pixel = gradient.at(level);
            }
        })?;
        Ok(out)
    })
}
