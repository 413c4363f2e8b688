//! A night sky: glowing gas, dust in front of it, and stars of every size.

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::canvas::Canvas;
use super::super::draw::color::{Rgb, add, from_hex, mix, scale, tone};
use super::super::draw::noise::{fbm, hash_unit, ridged};
use super::super::draw::smoothstep;
use super::super::parameters::{self, HEIGHT, SEED, Values, WIDTH, float};

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphNebula",
    display_name: "Nebula",
    description: "Lets gas clouds glow behind dark dust, and scatters stars over them, a few bright ones with rays.",
    category: super::CATEGORY,
    parameters: &[
        WIDTH,
        HEIGHT,
        SEED,
        parameters::palette("aurora"),
        float("scale", (1.3, 0.4, 5.0), "How many clouds fit across the picture."),
        float("gas", (1.0, 0.0, 2.0), "How bright the gas glows."),
        float("dust", (0.7, 0.0, 1.5), "How much dark dust hangs in front of the gas."),
        float("stars", (1.0, 0.0, 3.0), "How many stars there are."),
    ],
    run,
};

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let mut canvas = Canvas::new(values.size(), context)?;
    let seed = values.noise_seed();
    let side = canvas.short_side();
    let size = values.float("scale") / side;
    let gradient = values.palette().gradient();
    let (gas, dust, stars) = (values.float("gas"), values.float("dust"), values.float("stars"));
    let night = scale(mix(gradient.at(0.0), from_hex(0x02_0308), 0.5), 0.7);
    canvas.paint(context, 1, |x, y| {
        let (u, v) = (x * size, y * size);
        let bend = (fbm(u + 3.0, v, 4, seed), fbm(u, v + 7.0, 4, seed ^ 3));
        let (bu, bv) = (u + bend.0 * 0.75, v + bend.1 * 0.75);
        let broad = fbm(u * 0.55, v * 0.55, 3, seed ^ 5) * 0.65 + 0.58;
        let body = fbm(bu, bv, 5, seed ^ 7) * 0.5 + 0.5;
        let threads = ridged(bu * 1.3, bv * 1.3, 5, seed ^ 11);
        let dense = (broad * (0.35 + body)).max(0.0);
        let glow = smoothstep(0.22, 1.15, dense) * gas;
        let hue = 0.24 + 0.36 * body + 0.75 * bend.0;
        let mut color = add(night, scale(gradient.at(hue), glow * 0.85));
        color = add(color, scale(gradient.at(hue + 0.34), glow * glow * threads * 1.25));
        color = add(color, scale(gradient.at(0.97), libm::powf(glow.min(1.3) * threads, 3.0) * 0.9));
        let veil =
            ridged(bu * 0.8 + 13.0, bv * 0.8 - 5.0, 5, seed ^ 17) * (fbm(u * 0.8, v * 0.8, 3, seed ^ 19) * 0.6 + 0.6);
        let dark = smoothstep(0.22, 0.7, veil) * dust;
        color = scale(color, 1.0 - 0.86 * dark.min(1.0));
        let light = star_light(x / side, y / side, stars * (0.65 + 0.6 * glow), seed, side);
        tone(add(color, scale(light, 1.0 - 0.45 * dark.min(1.0))))
    })?;
    Ok(canvas.finish())
}

/// The light of all stars near a point: many faint ones in fine cells, few bright ones in coarse cells.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "cells are few")]
fn star_light(x: f32, y: f32, many: f32, seed: u32, side: f32) -> Rgb {
    const LAYERS: [(f32, f32, f32, f32); 4] = [
        (150.0, 0.32, 0.00042, 0.55),
        (62.0, 0.28, 0.00062, 1.0),
        (22.0, 0.22, 0.00105, 1.9),
        (6.0, 0.26, 0.0019, 3.6),
    ];
    let mut sum = [0.0; 3];
    for (layer, (cells, chance, radius, power)) in LAYERS.into_iter().enumerate() {
        let layer_seed = seed ^ (layer as u32 + 1).wrapping_mul(0x9e1f);
        let (u, v) = (x * cells, y * cells);
        let (ix, iy) = (u.floor() as i32, v.floor() as i32);
        for cy in iy - 1..=iy + 1 {
            for cx in ix - 1..=ix + 1 {
                if hash_unit(cx, cy, layer_seed) > chance * many {
                    continue;
                }
                let px = (cx as f32 + hash_unit(cx, cy, layer_seed ^ 0x21)) / cells;
                let py = (cy as f32 + hash_unit(cx, cy, layer_seed ^ 0x22)) / cells;
                let (dx, dy) = (x - px, y - py);
                let size = hash_unit(cx, cy, layer_seed ^ 0x23);
                // A star is at least a pixel wide, or it could vanish between two.
                let r = (radius * (0.6 + 0.8 * size * size)).max(0.55 / side);
                let distance = dx * dx + dy * dy;
                let near = distance / (r * r);
                if near > 900.0 && layer < 3 {
                    continue;
                }
                let core = libm::expf(-near * 0.9);
                let halo = if layer > 1 { 0.018 / (1.0 + near * 0.05) * libm::expf(-near * 0.004) } else { 0.0 };
                let rays = if layer == 3 {
                    let cross = |along: f32, across: f32| {
                        libm::expf(-across.abs() / (r * 0.28)) * libm::expf(-along.abs() / (r * 9.0))
                    };
                    0.5 * (cross(dx, dy) + cross(dy, dx))
                } else {
                    0.0
                };
                let warm = hash_unit(cx, cy, layer_seed ^ 0x24);
                let color = mix([0.68, 0.82, 1.0], [1.0, 0.84, 0.66], warm * warm);
                sum = add(sum, scale(color, power * (0.3 + 0.7 * size) * (core + halo + rays)));
            }
        }
    }
    sum
}
