//! Ridges drawn as stacked lines, near ones hiding far ones.

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::canvas::Canvas;
use super::super::draw::color::{lighten, mix};
use super::super::draw::noise::{fbm, noise, ridged};
use super::super::draw::{coordinate, index, lerp, smoothstep};
use super::super::parameters::{self, HEIGHT, SEED, Values, WIDTH, choice, float, int};

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphRidgelines",
    display_name: "Ridgelines",
    description: "Draws a range of signals as stacked lines, each hiding what lies behind it, like a recording of a distant pulse.",
    category: super::CATEGORY,
    parameters: &[
        WIDTH,
        HEIGHT,
        SEED,
        parameters::palette("ember"),
        int("lines", (64, 10, 160), "How many lines are stacked."),
        float("amplitude", (1.0, 0.1, 3.0), "How high the peaks rise."),
        float("focus", (0.6, 0.0, 1.0), "0 lets peaks rise everywhere, 1 gathers them in the middle."),
        float("line", (1.9, 0.5, 6.0), "Width of the lines, in thousandths of the shorter side."),
        choice("ground", &["dark", "paper"], "Light lines on a dark ground, or ink on paper."),
    ],
    run,
};

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let mut canvas = Canvas::new(values.size(), context)?;
    let seed = values.noise_seed();
    let (width, height, side) = (coordinate(canvas.width), coordinate(canvas.height), canvas.short_side());
    let count = values.count("lines");
    let (focus, amplitude) = (values.float("focus"), values.float("amplitude"));
    let columns = canvas.width + 2;
    let margin = 0.11 * side;
    let first = height * 0.22;
    let between = (height * 0.9 - first) / coordinate(count.saturating_sub(1).max(1));
    // Bounded: at most 160 lines of 2050 columns.
    let heights: Vec<Vec<f32>> = (0..count)
        .map(|line| {
            let v = coordinate(line) * between / side;
            (0..columns)
                .map(|column| {
                    let u = (coordinate(column) - width * 0.5) / side;
                    let wander = 0.16 * noise(v * 1.6, 8.0, seed ^ 2);
                    let middle = libm::expf(-(u - wander) * (u - wander) * 11.0);
                    let window = lerp(0.85, middle, focus);
                    let broad = ridged(u * 2.2 + 9.0, v * 2.6, 3, seed) * 0.75
                        + (fbm(u * 3.0, v * 3.4, 3, seed ^ 6) * 0.5 + 0.5) * 0.45;
                    let fine = fbm(u * 22.0, v * 9.0, 3, seed ^ 4);
                    let peak = window * (broad * broad * 0.17 + 0.016 * fine) + 0.0022 * fine;
                    peak * amplitude * side
                })
                .collect()
        })
        .collect();
    let gradient = values.palette().gradient();
    let paper = values.choice("ground") == "paper";
    let half = (values.float("line") * side / 1000.0 * 0.5).max(0.4);
    let tallest = heights.iter().flatten().copied().fold(1.0, f32::max);
    let ground = if paper { lighten(gradient.at(1.0), -0.01) } else { gradient.at(0.0) };
    canvas.paint(context, 2, |x, y| {
        let glow = fbm(x / side * 1.2, y / side * 1.2, 3, seed ^ 8) * 0.5 + 0.5;
        let backdrop = mix(ground, gradient.at(if paper { 0.9 } else { 0.10 }), glow * 0.5);
        if x < margin || x > width - margin {
            return backdrop;
        }
        let column = index(x);
        let fade = smoothstep(0.0, 0.05 * side, (x - margin).min(width - margin - x));
        // From front to back: the first line above this point hides all behind it.
        for (line, heights) in heights.iter().enumerate().rev() {
            let base = first + between * coordinate(line);
            let (Some(&a), Some(&b)) = (heights.get(column), heights.get(column + 1)) else { continue };
            let rise = lerp(a, b, x - x.floor());
            let top = base - rise;
            if y < top - half - 1.0 {
                continue;
            }
            let steep = b - a;
            let away = (y - top).abs() / (1.0 + steep * steep).sqrt();
            let ink = (half + 0.5 - away).clamp(0.0, 1.0) * fade;
            let t = (rise / tallest).clamp(0.0, 1.0).sqrt();
            let color = if paper { gradient.at(0.62 * (1.0 - t)) } else { gradient.at(0.42 + 0.58 * t) };
            if y < top {
                if ink > 0.0 {
                    return mix(backdrop, color, ink);
                }
                continue;
            }
            let depth = ((y - top) / (between * 5.0)).clamp(0.0, 1.0);
            let fill = mix(gradient.at(if paper { 0.93 } else { 0.05 + 0.26 * t }), backdrop, libm::powf(depth, 0.4));
            return mix(mix(backdrop, fill, fade), color, ink);
        }
        backdrop
    })?;
    Ok(canvas.finish())
}
