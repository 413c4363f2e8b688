//! Glitch: shifted rows and misaligned color channels.

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::coordinate;
use super::super::draw::noise::hash_unit;
use super::super::parameters::{IMAGE, SEED, Values, float};
use super::each_picture;

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphGlitch",
    display_name: "Glitch",
    description: "Tears rows of a picture sideways and moves its colours apart, like a bad signal.",
    category: super::CATEGORY,
    parameters: &[
        IMAGE,
        SEED,
        float("tear", (0.4, 0.0, 1.0), "How many rows are torn, and how far."),
        float("split", (6.0, 0.0, 60.0), "How far red and blue move apart, in thousandths of the width."),
        float("scanlines", (0.25, 0.0, 1.0), "How dark every other line becomes."),
    ],
    run,
};

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let (tear, lines) = (values.float("tear"), values.float("scanlines"));
    let seed = values.noise_seed();
    each_picture(values, context, |canvas, number| {
        let seed = seed.wrapping_add(u32::try_from(number).unwrap_or(0).wrapping_mul(0x9e37));
        let (width, side) = (coordinate(canvas.width), canvas.short_side());
        let split = values.float("split") * width / 1000.0;
        let line_height = (canvas.height / 360).max(1);
        let mut out = super::like(&canvas);
        out.rows(context, |y, row| {
            let mut shift = 0.0;
            let mut apart = split;
            for layer in 0..3_u32 {
                // Bands of three heights, each with its own chance to slip.
                #[expect(clippy::cast_possible_truncation, reason = "bands are few")]
                let band = (coordinate(y) / (side * [0.11, 0.04, 0.012][layer as usize])) as i32;
                if hash_unit(band, 3, seed ^ layer) < tear * 0.30 {
                    shift += (hash_unit(band, 5, seed ^ layer) - 0.5) * width * 0.22 * tear;
                    apart *= 1.0 + 1.5 * hash_unit(band, 7, seed ^ layer);
                }
            }
            let dark = if (y / line_height) % 2 == 1 { 1.0 - 0.55 * lines } else { 1.0 };
            for (x, pixel) in row.iter_mut().enumerate() {
                let (u, v) = ((coordinate(x) + 0.5 + shift).rem_euclid(width), coordinate(y) + 0.5);
                let (left, right) = ((u - apart).clamp(0.5, width - 0.5), (u + apart).clamp(0.5, width - 0.5));
                *pixel = [
                    canvas.sample(left, v)[0] * dark,
                    canvas.sample(u, v)[1] * dark,
                    canvas.sample(right, v)[2] * dark,
                ];
            }
        })?;
        Ok(out)
    })
}
