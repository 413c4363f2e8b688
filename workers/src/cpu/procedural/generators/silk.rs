//! Domain-warped noise: marble, smoke, folded silk.

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::canvas::Canvas;
use super::super::draw::color::{Rgb, add, mix, scale, tone};
use super::super::draw::field::Field;
use super::super::draw::noise::fbm;
use super::super::draw::{coordinate, smoothstep};
use super::super::parameters::{self, HEIGHT, SEED, Values, WIDTH, float, int};

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphSilk",
    display_name: "Silk",
    description: "Bends noise by noise until it folds like cloth, and lights the folds from the side.",
    category: super::CATEGORY,
    parameters: &[
        WIDTH,
        HEIGHT,
        SEED,
        parameters::palette("dusk"),
        float("scale", (1.4, 0.4, 6.0), "How many folds fit across the picture."),
        float("warp", (1.0, 0.0, 2.5), "How far the folds are pulled out of shape."),
        int("detail", (3, 1, 8), "Octaves of noise: more show finer threads."),
        float("relief", (0.7, 0.0, 2.0), "How strongly light and shadow model the folds."),
        float("gloss", (0.5, 0.0, 1.5), "How much the folds shine."),
    ],
    run,
};

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let mut canvas = Canvas::new(values.size(), context)?;
    let seed = values.noise_seed();
    let size = values.float("scale") / canvas.short_side();
    let warp = values.float("warp");
    let octaves = u32::try_from(values.count("detail")).unwrap_or(5);
    let (ox, oy) = {
        let mut random = values.random();
        (random.between(-50.0, 50.0), random.between(-50.0, 50.0))
    };
    context.reserve_size(4, canvas.height, canvas.width, 3)?;
    let gradient = values.palette().gradient();
    let gloss = values.float("gloss");
    let (middle_x, middle_y) = (coordinate(canvas.width) * 0.5, coordinate(canvas.height) * 0.5);
    let color = |x: usize, y: usize, [v, pull, bend]: Rgb, (nx, ny, nz): (f32, f32, f32)| {
        let length = (nx * nx + ny * ny + nz * nz).sqrt();
        let light = (nx * -0.45 + ny * -0.6 + nz * 0.66) / length;
        let shine = libm::powf(((nx * -0.25 + ny * -0.35 + nz * 0.9) / length).clamp(0.0, 1.0), 28.0);
        let t = smoothstep(-0.75, 0.75, v * 0.8 + pull * 0.45);
        let base = mix(gradient.at(t), gradient.at(0.5 + bend * 0.6), 0.25);
        let lit = scale(base, 0.42 + 0.9 * light.max(0.0));
        let sheen = scale(gradient.at(0.92), shine * gloss * 0.55 * smoothstep(-0.2, 0.7, v + bend * 0.5));
        let (dx, dy) = ((coordinate(x) - middle_x) / middle_x, (coordinate(y) - middle_y) / middle_y);
        tone(scale(add(lit, sheen), 1.06 - 0.16 * (dx * dx + dy * dy)))
    };
    // One pass stores the height of the folds and the warp of each point as red, green and blue. Previews show flat
    // cloth until all heights are known.
    let flat = |x, y, pixel| color(x, y, pixel, (0.0, 0.0, 1.0));
    let measured = |x: f32, y: f32| {
        let (x, y) = (x * size + ox, y * size + oy);
        let q = (fbm(x, y, 2, seed), fbm(x + 5.2, y + 1.3, 2, seed ^ 11));
        let r = (
            fbm(x + warp * 2.1 * q.0 + 1.7, y + warp * 2.1 * q.1 + 9.2, 2, seed ^ 23),
            fbm(x + warp * 2.1 * q.0 + 8.3, y + warp * 2.1 * q.1 + 2.8, 2, seed ^ 37),
        );
        let v = fbm(x + warp * 2.3 * r.0, y + warp * 2.3 * r.1, octaves, seed ^ 41);
        [v, q.0 * 0.5 + r.1 * 0.5, r.0]
    };
    canvas.measure(context, measured, flat)?;
    let height = Field {
        width: canvas.width,
        height: canvas.height,
        values: canvas.pixels.iter().map(|pixel| pixel[0] * 0.75 + pixel[2] * 0.25).collect(),
    };
    let steep = values.float("relief") * 0.34 * canvas.short_side() / values.float("scale");
    canvas.develop(context, |x, y, pixel| {
        #[expect(clippy::cast_possible_wrap, reason = "sides are small")]
        let (sx, sy) = height.slope(x as i64, y as i64);
        color(x, y, pixel, (-sx * steep, -sy * steep, 1.0))
    })?;
    Ok(canvas.finish())
}
