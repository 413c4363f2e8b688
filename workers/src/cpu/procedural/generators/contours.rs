//! A topographic map of random terrain: tints, hill shading and contour lines.

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::canvas::Canvas;
use super::super::draw::color::{lighten, mix, scale};
use super::super::draw::field::Field;
use super::super::draw::noise::{fbm, hash_unit, ridged};
use super::super::draw::{lerp, smoothstep};
use super::super::parameters::{self, HEIGHT, SEED, Values, WIDTH, choice, float, int};

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphContourMap",
    display_name: "Contour Map",
    description: "Surveys an invented land and prints it as a map, with contour lines, tints by height and shaded hills.",
    category: super::CATEGORY,
    parameters: &[
        WIDTH,
        HEIGHT,
        SEED,
        parameters::palette("forest"),
        float("scale", (2.1, 0.5, 6.0), "How many hills fit across the map."),
        int("lines", (34, 4, 80), "How many contour lines run between the lowest and the highest point."),
        float("sea", (0.3, 0.0, 0.8), "How much of the land lies below the sea."),
        float("relief", (0.8, 0.0, 2.0), "How strong the hill shading is."),
        choice("style", &["tinted", "line art"], "Tints by height, or lines on plain paper."),
    ],
    run,
};

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let mut canvas = Canvas::new(values.size(), context)?;
    context.reserve_size(4, canvas.height, canvas.width, 3)?;
    let seed = values.noise_seed();
    let side = canvas.short_side();
    let size = values.float("scale") / side;
    let mut land = Field::compute((canvas.width, canvas.height), context, |x, y| {
        let (u, v) = (x * size, y * size);
        let bend = (fbm(u, v, 3, seed ^ 3) * 0.45, fbm(u + 4.0, v + 8.0, 3, seed ^ 5) * 0.45);
        let (u, v) = (u + bend.0, v + bend.1);
        let base = fbm(u * 0.8, v * 0.8, 4, seed);
        let crest = ridged(u * 0.9, v * 0.9, 5, seed ^ 9);
        base * 0.75
            + crest * smoothstep(-0.2, 0.6, base) * 0.7
            + fbm(u * 2.3, v * 2.3, 4, seed ^ 14) * 0.16
            + fbm(u * 7.0, v * 7.0, 3, seed ^ 12) * 0.02
    })?;
    land.normalize();
    let gradient = values.palette().gradient();
    #[expect(clippy::cast_precision_loss, reason = "at most 80")]
    let lines = values.int("lines") as f32;
    let (sea, relief, tinted) = (values.float("sea"), values.float("relief"), values.choice("style") == "tinted");
    let steep = relief * 0.30 * side / values.float("scale");
    let thin = (side / 1000.0 * 0.55).max(0.45);
    canvas.rows(context, |y, row| {
        for (x, pixel) in row.iter_mut().enumerate() {
            #[expect(clippy::cast_possible_wrap, reason = "sides are small")]
            let (ix, iy) = (x as i64, y as i64);
            let height = land.at(ix, iy);
            let (sx, sy) = land.slope(ix, iy);
            let slope = (sx * sx + sy * sy).sqrt().max(1e-7);
            let above = (height - sea) / (1.0 - sea).max(0.01);
            let water = above < 0.0;
            let (nx, ny, nz) = (-sx * steep, -sy * steep, 1.0);
            let light = (nx * -0.55 + ny * -0.55 + nz * 0.63) / (nx * nx + ny * ny + nz * nz).sqrt();
            // Tints change in steps with a soft rise, as on printed maps.
            let level = height * lines;
            let step = (level.floor() + smoothstep(0.82, 1.0, level - level.floor())) / lines;
            let step = (step - sea) / (1.0 - sea).max(0.01);
            let mut color = if !tinted {
                gradient.at(0.985)
            } else if water {
                mix(gradient.at(0.10), gradient.at(0.30), smoothstep(-0.7, 0.0, (height - sea) / sea.max(0.05)))
            } else {
                gradient.at(lerp(0.42, 0.98, libm::powf(step.clamp(0.0, 1.0), 0.85)))
            };
            if tinted && !water {
                color = scale(color, 0.62 + 0.60 * light.max(0.0));
            }
            let number = (level + 0.5).floor();
            let away = (level - number).abs() / (slope * lines);
            #[expect(clippy::cast_possible_truncation, reason = "at most 80 lines")]
            let main = (number as i32).rem_euclid(5) == 0;
            let plain = if tinted { 1.0 } else { 1.35 };
            let half = plain * if main { thin * 1.55 } else { thin * 0.75 };
            let ink = (half + 0.5 - away).clamp(0.0, 1.0) * (half * 2.0).min(1.0);
            let strength = match (tinted, water, main) {
                (true, true, _) => 0.22,
                (true, false, false) => 0.42,
                (true, false, true) => 0.72,
                (false, true, _) => 0.6,
                (false, false, false) => 0.9,
                (false, false, true) => 1.0,
            };
            let pen = if !tinted {
                gradient.at(lerp(0.26, 0.0, above.clamp(0.0, 1.0)))
            } else if water {
                gradient.at(0.55)
            } else {
                gradient.at(0.06)
            };
            color = mix(color, pen, ink * strength);
            let shore = (height - sea).abs() / slope;
            if sea > 0.0 {
                color = mix(color, gradient.at(0.05), (thin * 1.8 + 0.5 - shore).clamp(0.0, 1.0) * 0.85);
            }
            #[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "sides are small")]
            let fibre = hash_unit(x as i32, y as i32, seed) - 0.5;
            *pixel = lighten(color, fibre * 0.015);
        }
    })?;
    Ok(canvas.finish())
}
