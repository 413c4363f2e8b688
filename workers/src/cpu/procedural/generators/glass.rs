//! Stained glass: irregular panes between lead, lit from behind.

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::canvas::Canvas;
use super::super::draw::color::{add, from_hex, lighten, mix, scale, tone};
use super::super::draw::noise::{fbm, hash_unit, noise};
use super::super::draw::{coordinate, smoothstep};
use super::super::parameters::{self, HEIGHT, SEED, Values, WIDTH, float};

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphStainedGlass",
    display_name: "Stained Glass",
    description: "Sets panes of coloured glass in lead, with streaks and bubbles in the glass and light behind it.",
    category: super::CATEGORY,
    parameters: &[
        WIDTH,
        HEIGHT,
        SEED,
        parameters::palette("orchard"),
        float("panes", (11.0, 3.0, 40.0), "How many panes stand along the shorter side."),
        float("irregularity", (0.85, 0.0, 1.0), "0 gives squares in rows, 1 gives shards."),
        float("lead", (1.0, 0.2, 3.0), "How wide the lead between panes is."),
        float("light", (1.0, 0.2, 2.0), "How bright the light behind the glass is."),
    ],
    run,
};

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let mut canvas = Canvas::new(values.size(), context)?;
    let seed = values.noise_seed();
    let mut random = values.random();
    let cell = canvas.short_side() / values.float("panes");
    let loose = values.float("irregularity");
    let gradient = values.palette().gradient();
    let sun =
        (random.between(0.25, 0.75) * coordinate(canvas.width), random.between(0.12, 0.5) * coordinate(canvas.height));
    let far = canvas.short_side();
    let half_lead = (values.float("lead") * 0.036 * cell).max(0.8);
    let bright = values.float("light");
    let lead = from_hex(0x1a_1b1e);
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "cells are few")]
    canvas.paint(context, 2, |x, y| {
        let (u, v) = (x / cell, y / cell);
        let (ix, iy) = (u.floor() as i32, v.floor() as i32);
        let site = |cx: i32, cy: i32| {
            (
                cx as f32 + 0.5 + loose * (hash_unit(cx, cy, seed) - 0.5),
                cy as f32 + 0.5 + loose * (hash_unit(cx, cy, seed ^ 0x55) - 0.5),
            )
        };
        let (mut best, mut own, mut owner) = (f32::INFINITY, (0.0, 0.0), (0, 0));
        for cy in iy - 2..=iy + 2 {
            for cx in ix - 2..=ix + 2 {
                let (sx, sy) = site(cx, cy);
                let distance = (sx - u) * (sx - u) + (sy - v) * (sy - v);
                if distance < best {
                    (best, own, owner) = (distance, (sx, sy), (cx, cy));
                }
            }
        }
        // The exact distance to the nearest border between two panes.
        let mut edge = f32::INFINITY;
        for cy in owner.1 - 2..=owner.1 + 2 {
            for cx in owner.0 - 2..=owner.0 + 2 {
                if (cx, cy) == owner {
                    continue;
                }
                let (sx, sy) = site(cx, cy);
                let (dx, dy) = (sx - own.0, sy - own.1);
                let length = (dx * dx + dy * dy).sqrt().max(1e-4);
                let half = ((own.0 + sx) * 0.5 - u) * dx + ((own.1 + sy) * 0.5 - v) * dy;
                edge = edge.min(half / length);
            }
        }
        let edge = edge * cell;
        let pane = hash_unit(owner.0, owner.1, seed ^ 0x99);
        // Neighbouring panes have similar colors, with single exceptions.
        let region = fbm(own.0 * 0.16, own.1 * 0.16, 3, seed ^ 7) * 0.7 + 0.5;
        let t = if pane > 0.86 { hash_unit(owner.0, owner.1, seed ^ 0xa1) } else { region + (pane - 0.43) * 0.5 };
        let angle = pane * 6.3;
        let (cos, sin) = (libm::cosf(angle), libm::sinf(angle));
        let streak = noise((u * cos + v * sin) * 1.3, (v * cos - u * sin) * 7.0, seed ^ owner.0.cast_unsigned());
        let ripple = noise(u * 9.0, v * 9.0, seed ^ 0x31);
        let glass = lighten(
            gradient.at(0.12 + 0.84 * t),
            (hash_unit(owner.0, owner.1, seed ^ 0xb3) - 0.5) * 0.1 + streak * 0.045 + ripple * 0.016,
        );
        let (dx, dy) = ((x - sun.0) / far, (y - sun.1) / far);
        let glow = libm::expf(-(dx * dx + dy * dy) * 2.2);
        let body = 0.62 + 0.38 * smoothstep(0.0, cell * 0.32, edge - half_lead);
        let lit = scale(glass, bright * body * (0.62 + 1.0 * glow));
        let halo = scale(gradient.at(1.0), glow * glow * 0.10 * bright);
        let bevel = smoothstep(half_lead * 0.9, half_lead * 0.1, edge);
        let shine = scale([1.0; 3], 0.16 * bevel * bevel * (0.4 + glow));
        let cover = smoothstep(half_lead - 0.6, half_lead + 0.6, edge);
        mix(add(scale(lead, 0.5 + 0.5 * glow), shine), tone(add(lit, halo)), cover)
    })?;
    Ok(canvas.finish())
}
