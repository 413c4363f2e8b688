//! Truchet tiles: fans of rings, turned at random, that join into waves.

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::canvas::Canvas;
use super::super::draw::color::{lighten, mix};
use super::super::draw::noise::{fbm, hash, hash_unit};
use super::super::draw::smoothstep;
use super::super::parameters::{self, HEIGHT, SEED, Values, WIDTH, choice, float, int};

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphTruchet",
    display_name: "Truchet Tiles",
    description: "Lays square tiles with fans of rings, each turned at random, so that the rings join into waves and knots.",
    category: super::CATEGORY,
    parameters: &[
        WIDTH,
        HEIGHT,
        SEED,
        parameters::palette("nordic"),
        float("tiles", (7.0, 2.0, 40.0), "How many tiles stand along the shorter side."),
        int("rings", (6, 1, 16), "How many rings a fan has."),
        choice("pattern", &["fans", "woven"], "Overlapping fans, or bands that pass over and under each other."),
        float("shade", (0.7, 0.0, 1.5), "How deep the shadows between layers are."),
    ],
    run,
};

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let mut canvas = Canvas::new(values.size(), context)?;
    let seed = values.noise_seed();
    let tile = canvas.short_side() / values.float("tiles");
    #[expect(clippy::cast_precision_loss, reason = "at most 16")]
    let rings = values.int("rings") as f32;
    let woven = values.choice("pattern") == "woven";
    let deep = values.float("shade");
    let gradient = values.palette().gradient();
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "tiles are few")]
    canvas.paint(context, 3, |x, y| {
        let (u, v) = (x / tile, y / tile);
        let (ix, iy) = (u.floor() as i32, v.floor() as i32);
        let (fx, fy) = (u - ix as f32, v - iy as f32);
        let turn = hash(ix, iy, seed) & 3;
        // Turned so that the fan on top always grows from the first corner.
        let (px, py) = match turn {
            0 => (fx, fy),
            1 => (1.0 - fx, fy),
            2 => (1.0 - fx, 1.0 - fy),
            _ => (fx, 1.0 - fy),
        };
        let near = (px * px + py * py).sqrt();
        let far = ((1.0 - px) * (1.0 - px) + (1.0 - py) * (1.0 - py)).sqrt();
        let corner = |second: bool| {
            let (cx, cy) = match (turn, second) {
                (0, false) | (2, true) => (ix, iy),
                (1, false) | (3, true) => (ix + 1, iy),
                (2, false) | (0, true) => (ix + 1, iy + 1),
                _ => (ix, iy + 1),
            };
            fbm(cx as f32 * 0.17, cy as f32 * 0.17, 2, seed ^ 3) * 0.5 + 0.45 + 0.16 * (hash_unit(cx, cy, seed ^ 9) - 0.5)
        };
        let reach = if woven { 0.5 + 0.5 / (rings + 1.0) * rings * 0.62 } else { 0.92 };
        let inner = if woven { 1.0 - reach } else { 0.0 };
        let on_top = near < reach && near >= inner;
        let below = far < reach && far >= inner;
        let (distance, hue) = if on_top { (near, corner(false)) } else { (far, corner(true)) };
        let ground = gradient.at(0.04);
        if !on_top && !below {
            let gap = (near - reach).abs().min((far - reach).abs()).min((near - inner).abs()).min((far - inner).abs());
            return mix(lighten(ground, -0.03 * deep), ground, smoothstep(0.0, 0.12, gap));
        }
        let place = (distance - inner) / (reach - inner) * rings;
        let (ring, within) = (place.floor(), place - place.floor());
        let light = (ring as i32).rem_euclid(2) == 0;
        let t = hue + (ring / rings - 0.5) * 0.42;
        let base = if light { gradient.at(t * 0.75 + 0.25) } else { gradient.at(t * 0.6 - 0.1) };
        let round = 1.0 - 4.0 * (within - 0.5) * (within - 0.5);
        let mut color = lighten(base, 0.045 * (round - 0.5));
        color = mix(lighten(base, -0.16), color, smoothstep(0.0, 0.08, within.min(1.0 - within)));
        if !on_top {
            let shadow = libm::expf(-((near - reach).max(0.0)) * 9.0) * 0.62 * deep;
            color = lighten(color, -0.28 * shadow);
        }
        color
    })?;
    Ok(canvas.finish())
}
