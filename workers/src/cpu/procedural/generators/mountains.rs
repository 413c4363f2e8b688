//! Layered mountains with mist between them and a low sun.

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::canvas::Canvas;
use super::super::draw::color::{Rgb, add, lighten, mix, scale, tone};
use super::super::draw::noise::{fbm, hash_unit, noise, ridged};
use super::super::draw::{coordinate, lerp, smoothstep};
use super::super::parameters::{self, HEIGHT, SEED, Values, WIDTH, float, int};

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphMountains",
    display_name: "Mountains in Mist",
    description: "Stacks mountain ranges with mist between them under a low sun, paler the farther away they stand.",
    category: super::CATEGORY,
    parameters: &[
        WIDTH,
        HEIGHT,
        SEED,
        parameters::palette("dusk"),
        int("ranges", (7, 2, 12), "How many ranges stand behind each other."),
        float("ruggedness", (0.6, 0.0, 1.0), "0 gives soft hills, 1 gives sharp peaks."),
        float("mist", (0.7, 0.0, 1.0), "How much mist lies in the valleys."),
        float("sun", (0.5, 0.0, 1.0), "How high the sun stands: 0 on the horizon, 1 near the top."),
        float("forest", (0.6, 0.0, 1.0), "How many trees stand on the nearest ranges."),
    ],
    run,
};

struct Range {
    /// Height of the ridge per column, in pixels from the top.
    ridge: Vec<f32>,
    /// Like `ridge`, without trees. Mist follows the ground.
    ground: Vec<f32>,
    color: Rgb,
    foot: Rgb,
    deep: f32,
}

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let mut canvas = Canvas::new(values.size(), context)?;
    let seed = values.noise_seed();
    let mut random = values.random();
    let (width, height, side) = (coordinate(canvas.width), coordinate(canvas.height), canvas.short_side());
    let gradient = values.palette().gradient();
    let sun = (random.between(0.22, 0.78) * width, height * lerp(0.5, 0.14, values.float("sun")));
    let sun_radius = side * random.between(0.045, 0.085);
    let mist = values.float("mist");
    let ranges = make_ranges(values, &gradient, (canvas.width, canvas.height), &mut random, seed);
    canvas.paint(context, 2, |x, y| {
        let column = super::super::draw::index(x);
        // The nearest range that covers this point hides all others.
        let seen = ranges.iter().rev().find_map(|range| {
            let ridge = *range.ridge.get(column)?;
            let next = range.ridge.get(column + 1).copied().unwrap_or(ridge);
            (y >= lerp(ridge, next, x - x.floor())).then_some(range)
        });
        let Some(range) = seen else {
            return tone(sky(x, y, &gradient, (width, height, side), sun, sun_radius, seed));
        };
        let below = (y - range.ground.get(column).copied().unwrap_or(y)).max(0.0);
        let fog = smoothstep(0.0, 1.0, (below / range.deep).min(1.0)) * mist;
        let wisp = 1.0 + 0.5 * noise(x / side * 3.0, y / side * 9.0, seed ^ 0x71);
        let texture = noise(x / side * 40.0, y / side * 40.0 + below / side * 20.0, seed ^ 0x13) * 0.012;
        let rim = libm::expf(-below / side * 130.0) * libm::expf(-((x - sun.0) / side).abs() * 1.6) * 0.10;
        let body = lighten(range.color, texture + rim);
        tone(mix(body, range.foot, (fog * wisp).clamp(0.0, 1.0)))
    })?;
    Ok(canvas.finish())
}

fn make_ranges(
    values: &Values,
    gradient: &super::super::draw::color::Gradient,
    (width, height): (usize, usize),
    random: &mut super::super::draw::random::Random,
    seed: u32,
) -> Vec<Range> {
    let count = values.count("ranges");
    let (high, side) = (coordinate(height), coordinate(width.min(height)));
    let (rugged, forest) = (values.float("ruggedness"), values.float("forest"));
    (0..count)
        .map(|number| {
            let near = coordinate(number) / coordinate(count.saturating_sub(1).max(1));
            let base = high * lerp(0.47, 0.93, libm::powf(near, 1.15));
            let swing = side * lerp(0.20, 0.16, near);
            let feature = lerp(2.6, 1.5, near) / side;
            let shift = random.between(-100.0, 100.0);
            let own = seed ^ random.whole();
            let trees = forest * smoothstep(0.5, 0.9, near);
            let ground: Vec<f32> = (0..=width)
                .map(|column| {
                    let x = coordinate(column) * feature + shift;
                    let soft = fbm(x, 0.37, 5, own) * 0.5;
                    let sharp = ridged(x * 0.8, 1.7, 6, own ^ 5) - 0.45;
                    let peak = lerp(soft, sharp, rugged) * swing * 1.25;
                    base - peak
                })
                .collect();
            let ridge = ground
                .iter()
                .enumerate()
                .map(|(column, land)| land - tree(coordinate(column) / side, own, near) * trees * side)
                .collect();
            let haze = gradient.at(lerp(0.74, 0.0, libm::powf(near, 0.72)));
            let foot = gradient.at(lerp(0.86, 0.30, near));
            Range { ridge, ground, color: lighten(haze, -0.01), foot, deep: lerp(0.16, 0.30, near) * high }
        })
        .collect()
}

/// The height of trees above the ridge: a row of firs of random size.
#[expect(clippy::cast_possible_truncation, reason = "places are small")]
fn tree(x: f32, seed: u32, near: f32) -> f32 {
    let mut best: f32 = 0.0;
    for layer in 0..2_i32 {
        let every = lerp(0.006, 0.014, near) * (1.0 + 0.37 * if layer == 0 { 0.0 } else { 1.0 });
        let place = x / every;
        let cell = place.floor() as i32;
        for number in cell - 1..=cell + 1 {
            let chance = hash_unit(number, layer, seed ^ 0x17);
            let grove = noise(x * 5.0, 3.1, seed ^ 0x29) * 0.5 + 0.45;
            if chance > grove {
                continue;
            }
            #[expect(clippy::cast_precision_loss, reason = "places are small")]
            let middle = number as f32 + 0.5 + 0.5 * (hash_unit(number, layer, seed ^ 0x91) - 0.5);
            let size = every * (1.3 + 1.5 * hash_unit(number, layer, seed ^ 0x33));
            let out = (place - middle).abs() * 1.9;
            // Branches step in and out towards the top.
            let shape = 1.0 - out - 0.14 * (1.0 - out) * (out * 9.0 - (out * 9.0).floor());
            best = best.max(shape.max(0.0) * size);
        }
    }
    best
}

fn sky(
    x: f32,
    y: f32,
    gradient: &super::super::draw::color::Gradient,
    (width, height, side): (f32, f32, f32),
    sun: (f32, f32),
    radius: f32,
    seed: u32,
) -> Rgb {
    let up = 1.0 - y / height;
    let band = lerp(0.98, 0.50, smoothstep(0.30, 1.1, up));
    let distance = ((x - sun.0) * (x - sun.0) + (y - sun.1) * (y - sun.1)).sqrt();
    let mut color = gradient.at(band);
    let veil = fbm(x / width * 2.2, y / side * 9.0, 5, seed ^ 0x41);
    color = mix(color, gradient.at(band - 0.14), smoothstep(0.0, 0.75, veil) * smoothstep(0.25, 0.8, up) * 0.75);
    let glow = libm::expf(-(distance - radius).max(0.0) / side * 4.6);
    let light = gradient.at(1.0);
    color = add(color, scale(light, glow * 0.24));
    let disc = smoothstep(radius + 1.0, radius - 1.0, distance);
    mix(color, scale(light, 1.25), disc)
}
