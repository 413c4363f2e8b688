//! Film: grain, darker corners, a little fade.

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::color::{decode, encode, lighten, scale};
use super::super::draw::noise::hash_unit;
use super::super::draw::{coordinate, smoothstep};
use super::super::parameters::{IMAGE, SEED, Values, float};
use super::each_picture;

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphFilm",
    display_name: "Film Grain",
    description: "Adds grain and darker corners, as if taken on film.",
    category: super::CATEGORY,
    parameters: &[
        IMAGE,
        SEED,
        float("grain", (0.35, 0.0, 1.0), "How strong the grain is."),
        float("vignette", (0.4, 0.0, 1.0), "How dark the corners become."),
        float("fade", (0.15, 0.0, 1.0), "How much blacks are lifted and colours warmed."),
    ],
    run,
};

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let (grain, vignette, fade) = (values.float("grain") * 0.16, values.float("vignette"), values.float("fade"));
    let seed = values.noise_seed();
    each_picture(values, context, |mut canvas, number| {
        let (half_x, half_y) = (coordinate(canvas.width) * 0.5, coordinate(canvas.height) * 0.5);
        let seed = seed.wrapping_add(u32::try_from(number).unwrap_or(0).wrapping_mul(0x9e37));
        canvas.rows(context, |y, row| {
            for (x, pixel) in row.iter_mut().enumerate() {
                #[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "sides are small")]
                let (ix, iy) = (x as i32, y as i32);
                // Two grains a pixel wide and one twice as wide: even noise looks like a fault, not like film.
                let fine = hash_unit(ix, iy, seed) + hash_unit(ix, iy, seed ^ 1) - 1.0;
                let coarse = hash_unit(ix / 2, iy / 2, seed ^ 2) - 0.5;
                let (dx, dy) = ((coordinate(x) - half_x) / half_x, (coordinate(y) - half_y) / half_y);
                let corner = smoothstep(0.35, 2.0, dx * dx + dy * dy);
                let mut color = scale(*pixel, 1.0 - vignette * corner);
                color = [
                    decode(encode(color[0]) * (1.0 - 0.10 * fade) + 0.10 * fade),
                    decode(encode(color[1]) * (1.0 - 0.11 * fade) + 0.075 * fade),
                    decode(encode(color[2]) * (1.0 - 0.20 * fade) + 0.085 * fade),
                ];
                *pixel = lighten(color, grain * (fine * 0.6 + coarse * 0.6));
            }
        })?;
        Ok(canvas)
    })
}
