//! A harmonograph: a pen moved by two damped pendulums.

use rayon::prelude::*;

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::canvas::{Canvas, Progress};
use super::super::draw::color::{Rgb, lighten, mix, scale, tone};
use super::super::draw::random::Random;
use super::super::draw::{coordinate, index};
use super::super::parameters::{self, HEIGHT, SEED, Values, WIDTH, choice, float, int};

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphHarmonograph",
    display_name: "Harmonograph",
    description: "Draws the path of a pen between swinging pendulums that slowly come to rest, with lines that add up where they cross.",
    category: super::CATEGORY,
    parameters: &[
        WIDTH,
        HEIGHT,
        SEED,
        parameters::palette("candy"),
        int("turns", (90, 10, 300), "How many swings are drawn."),
        float("decay", (1.0, 0.1, 4.0), "How quickly the pendulums come to rest."),
        float(
            "detune",
            (1.0, 0.0, 4.0),
            "How far the pendulums are out of tune: 0 closes the figure, more lets it drift.",
        ),
        float("line", (1.1, 0.4, 4.0), "Width of the line, in thousandths of the shorter side."),
        choice("ground", &["dark", "paper"], "Light on a dark ground, or ink on paper."),
    ],
    run,
};

struct Pendulum {
    frequency: f32,
    phase: f32,
    size: f32,
    decay: f32,
}

impl Pendulum {
    fn at(&self, t: f32) -> f32 {
        self.size * libm::sinf(self.frequency * t + self.phase) * libm::expf(-self.decay * t)
    }
}

fn pendulums(values: &Values, random: &mut Random) -> [Pendulum; 4] {
    const RATIOS: [(f32, f32); 9] =
        [(2.0, 3.0), (1.0, 2.0), (3.0, 4.0), (3.0, 5.0), (1.0, 3.0), (4.0, 5.0), (2.0, 5.0), (5.0, 6.0), (1.0, 1.0)];
    let (first, second) = RATIOS[random.below(RATIOS.len())];
    let detune = values.float("detune") * 0.006;
    #[expect(clippy::cast_precision_loss, reason = "at most 300")]
    let length = values.int("turns") as f32 * std::f32::consts::TAU;
    let decay = values.float("decay") * 1.15 / length * first.max(1.0);
    let mut make = |frequency: f32, size: f32| Pendulum {
        frequency: frequency + random.between(-1.0, 1.0) * detune,
        phase: random.between(0.0, std::f32::consts::TAU),
        size,
        decay: decay * random.between(0.7, 1.3),
    };
    [make(first, 1.0), make(second, 0.55), make(second, 1.0), make(first, 0.55)]
}

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let mut canvas = Canvas::new(values.size(), context)?;
    let mut random = values.random();
    let [a, b, c, d] = pendulums(values, &mut random);
    let side = canvas.short_side();
    let (middle_x, middle_y) = (coordinate(canvas.width) * 0.5, coordinate(canvas.height) * 0.5);
    #[expect(clippy::cast_precision_loss, reason = "at most 300")]
    let length = values.int("turns") as f32 * std::f32::consts::TAU / a.frequency.clamp(1.0, 2.0);
    // Fine enough that segments look like a curve.
    let pieces = values.count("turns") * 420;
    let path: Vec<(f32, f32)> = (0..=pieces)
        .into_par_iter()
        .map(|piece| {
            let t = length * coordinate(piece) / coordinate(pieces);
            (a.at(t) + b.at(t), c.at(t) + d.at(t))
        })
        .collect();
    let reach_x = path.iter().map(|point| point.0.abs()).fold(0.01, f32::max);
    let reach_y = path.iter().map(|point| point.1.abs()).fold(0.01, f32::max);
    let zoom = 0.45 * side / reach_x.max(reach_y);
    let path: Vec<(f32, f32)> = path.iter().map(|(x, y)| (middle_x + x * zoom, middle_y + y * zoom)).collect();
    let half = (values.float("line") * side / 1000.0 * 0.5).max(0.35);
    let gradient = values.palette().gradient();
    let paper = values.choice("ground") == "paper";
    let (sheet, night) = (lighten(gradient.at(1.0), -0.01), gradient.at(0.0));
    let color = |x: usize, y: usize, [sum, time, _]: Rgb| {
        let hue = if sum > 0.0 { time / sum } else { 0.0 };
        let (dx, dy) = ((coordinate(x) - middle_x) / side, (coordinate(y) - middle_y) / side);
        let halo = libm::expf(-(dx * dx + dy * dy) * 5.0);
        develop(sum, hue, halo, &gradient, paper, sheet, night)
    };
    expose(&mut canvas, context, &path, half, &color)?;
    canvas.develop(context, color)?;
    Ok(canvas.finish())
}

/// The amount of ink sets a pixel's strength, and the time of drawing its color.
fn develop(
    sum: f32,
    hue: f32,
    halo: f32,
    gradient: &super::super::draw::color::Gradient,
    paper: bool,
    sheet: Rgb,
    night: Rgb,
) -> Rgb {
    if paper {
        let ink = gradient.at(0.72 * (1.0 - hue));
        return mix(lighten(sheet, (halo - 1.0) * 0.03), ink, 1.0 - libm::expf(-sum * 1.1));
    }
    let color = gradient.at(0.30 + 0.62 * hue);
    let glow = 1.0 - libm::expf(-sum * 0.55);
    let hot = mix(color, gradient.at(1.0), (1.0 - libm::expf(-sum * 0.10)).min(1.0));
    let ground = mix(scale(night, 0.55), mix(night, gradient.at(0.2), 0.5), halo);
    tone(mix(ground, scale(hot, 1.05), glow))
}

/// Accumulates the line on the canvas: amount in red, amount times time (0 to 1) in green. Bands of rows run in
/// parallel, each over the whole path in order. A preview uses `color`.
fn expose(
    canvas: &mut Canvas,
    context: &Context<'_>,
    path: &[(f32, f32)],
    half: f32,
    color: &(dyn Fn(usize, usize, Rgb) -> Rgb + Sync),
) -> Result<(), NodeError> {
    const BAND: usize = 32;
    let width = canvas.width;
    let bands = canvas.height.div_ceil(BAND);
    let reach = half + 1.0;
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); bands];
    for (number, pair) in path.windows(2).enumerate() {
        let [from, to] = pair else { continue };
        let (top, bottom) = (from.1.min(to.1) - reach, from.1.max(to.1) + reach);
        if bottom < 0.0 {
            continue;
        }
        for list in lists.iter_mut().take(index(bottom) / BAND + 1).skip(index(top) / BAND) {
            list.extend(u32::try_from(number));
        }
    }
    let group = bands.div_ceil(16).max(1);
    let mut progress = Progress::new(context, bands.div_ceil(group));
    let last = coordinate(path.len());
    for (step, lists) in lists.chunks(group).enumerate() {
        let first = step * group * BAND;
        let end = ((first + group * BAND) * width).min(canvas.pixels.len());
        if let Some(pixels) = canvas.pixels.get_mut(first * width..end) {
            pixels.par_chunks_mut(width * BAND).zip(lists).enumerate().for_each(|(band, (pixels, list))| {
                for &number in list {
                    let at = number as usize;
                    let (Some(from), Some(to)) = (path.get(at), path.get(at + 1)) else { continue };
                    let time = coordinate(at) / last;
                    deposit(pixels, width, first + band * BAND, (*from, *to), half, time);
                }
            });
        }
        progress.step()?;
        progress.preview(|| canvas.preview_of(color));
    }
    Ok(())
}

/// Draws one segment. Its ends are cut straight, so that joints are not drawn twice.
fn deposit(pixels: &mut [Rgb], width: usize, first_row: usize, line: ((f32, f32), (f32, f32)), half: f32, time: f32) {
    let (from, to) = line;
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = (dx * dx + dy * dy).sqrt();
    if length < 1e-4 {
        return;
    }
    let (ux, uy) = (dx / length, dy / length);
    let reach = half + 1.0;
    let left = index((from.0.min(to.0) - reach).max(0.0));
    let right = index((from.0.max(to.0) + reach + 1.0).max(0.0)).min(width);
    let top = index((from.1.min(to.1) - reach).max(0.0)).max(first_row) - first_row;
    let bottom = index((from.1.max(to.1) + reach + 1.0).max(0.0)).saturating_sub(first_row);
    for (row, pixels) in pixels.chunks_mut(width).enumerate().take(bottom).skip(top) {
        let Some(span) = pixels.get_mut(left.min(right)..right) else { continue };
        for (x, pixel) in span.iter_mut().enumerate() {
            let (px, py) = (coordinate(left + x) + 0.5 - from.0, coordinate(first_row + row) + 0.5 - from.1);
            let (along, across) = (px * ux + py * uy, (px * uy - py * ux).abs());
            // The share of this pixel's width that the segment covers along the line.
            let share = ((along + 0.5).min(length) - (along - 0.5).max(0.0)).clamp(0.0, 1.0);
            let amount = share * (half + 0.5 - across).clamp(0.0, 1.0).min(half * 2.0);
            pixel[0] += amount;
            pixel[1] += amount * time;
        }
    }
}
