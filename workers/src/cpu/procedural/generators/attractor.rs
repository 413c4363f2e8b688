//! Strange attractors: a density plot of a point that jumps by a fixed map.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::canvas::{Canvas, Progress};
use super::super::draw::color::{Gradient, Rgb, add, mix, scale, tone};
use super::super::draw::random::Random;
use super::super::draw::{coordinate, index};
use super::super::parameters::{self, HEIGHT, SEED, Values, WIDTH, choice, float};

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphAttractor",
    display_name: "Strange Attractor",
    description: "Follows a point through millions of jumps of a small formula and shows where it comes by most often, like light on film.",
    category: super::CATEGORY,
    parameters: &[
        WIDTH,
        HEIGHT,
        SEED,
        parameters::palette("ember"),
        choice(
            "formula",
            &["Clifford", "De Jong", "Svensson", "Bedhead"],
            "The family of curves; the seed picks one of its endless members.",
        ),
        float("quality", (8.0, 1.0, 40.0), "Points per pixel: more give finer veils and take longer."),
        float("exposure", (1.0, 0.2, 4.0), "How bright faint veils become."),
        choice("ground", &["dark", "paper"], "Light on a dark ground, or ink on paper."),
    ],
    run,
};

/// Independent walkers, each with its own random numbers, so that the number of threads does not matter.
const WALKERS: usize = 64;

#[derive(Clone, Copy)]
struct Formula {
    kind: &'static str,
    a: f32,
    b: f32,
    c: f32,
    d: f32,
}

impl Formula {
    fn random(kind: &'static str, random: &mut Random) -> Self {
        let mut part = || {
            let size = random.between(0.9, 2.3);
            if random.unit() < 0.5 { -size } else { size }
        };
        let (a, b, c, d) = (part(), part(), part(), part());
        if kind == "Bedhead" {
            return Self { kind, a: a * 0.45, b: b.abs() * 0.45 + 0.15, c, d };
        }
        Self { kind, a, b, c, d }
    }

    fn step(&self, x: f32, y: f32) -> (f32, f32) {
        use libm::{cosf, sinf};
        let Self { a, b, c, d, .. } = *self;
        match self.kind {
            "De Jong" => (sinf(a * y) - cosf(b * x), sinf(c * x) - cosf(d * y)),
            "Svensson" => (d * sinf(a * x) - sinf(b * y), c * cosf(a * x) + cosf(b * y)),
            "Bedhead" => (sinf(x * y / b) * y + cosf(a * x - y), x + sinf(y) / b),
            _ => (sinf(a * y) + c * cosf(a * x), sinf(b * x) + d * cosf(b * y)),
        }
    }

    /// The attractor's bounds, if it is worth showing: neither a few points nor unbounded.
    fn frame(&self, random: &mut Random) -> Option<Frame> {
        let (mut x, mut y) = (random.between(-0.5, 0.5), random.between(-0.5, 0.5));
        let mut points = Vec::with_capacity(24_000);
        for step in 0..24_200 {
            (x, y) = self.step(x, y);
            if !x.is_finite() || !y.is_finite() || x.abs() + y.abs() >= 40.0 {
                return None;
            }
            if step >= 200 {
                points.push((x, y));
            }
        }
        let mut xs: Vec<f32> = points.iter().map(|point| point.0).collect();
        let mut ys: Vec<f32> = points.iter().map(|point| point.1).collect();
        xs.sort_by(f32::total_cmp);
        ys.sort_by(f32::total_cmp);
        let end = |sorted: &[f32]| {
            Some((*sorted.get(sorted.len() / 400)?, *sorted.get(sorted.len() - 1 - sorted.len() / 400)?))
        };
        let ((left, right), (top, bottom)) = (end(&xs)?, end(&ys)?);
        let (wide, high) = (right - left, bottom - top);
        if wide.min(high) < 0.6 || wide.max(high) / wide.min(high) > 2.2 {
            return None;
        }
        let mut cells = vec![0_u32; 48 * 48];
        for (x, y) in &points {
            let (column, row) = (index((x - left) / wide * 47.99).min(47), index((y - top) / high * 47.99).min(47));
            if let Some(cell) = cells.get_mut(row * 48 + column) {
                *cell += 1;
            }
        }
        let used = cells.iter().filter(|count| **count > 0).count();
        // Too few cells are a thin curve. Nearly all cells filled evenly are a shapeless cloud.
        let uneven = cells.iter().map(|count| u64::from(*count * *count)).sum::<u64>();
        let even = (points.len() * points.len() / used.max(1)) as u64;
        (used > 800 && used < 2150 && uneven * 10 > even * 17).then_some(Frame { left, top, wide, high })
    }
}

#[derive(Clone, Copy)]
struct Frame {
    left: f32,
    top: f32,
    wide: f32,
    high: f32,
}

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let mut canvas = Canvas::new(values.size(), context)?;
    context.reserve_size(3, canvas.height, canvas.width, 3)?;
    let mut random = values.random();
    let kind = values.choice("formula");
    let mut found = None;
    for _ in 0..600 {
        context.check()?;
        let formula = Formula::random(kind, &mut random);
        if let Some(frame) = formula.frame(&mut random) {
            found = Some((formula, frame));
            break;
        }
    }
    let (formula, frame) = found.unwrap_or((
        Formula { kind: "Clifford", a: -1.7, b: 1.3, c: -0.1, d: -1.21 },
        Frame { left: -1.1, top: -2.2, wide: 2.2, high: 4.4 },
    ));
    let (width, height) = (coordinate(canvas.width), coordinate(canvas.height));
    let zoom = 0.84 * (width / frame.wide).min(height / frame.high);
    let shift_x = width * 0.5 - (frame.left + frame.wide * 0.5) * zoom;
    let shift_y = height * 0.5 - (frame.top + frame.high * 0.5) * zoom;
    let area = canvas.width * canvas.height;
    let counts: Vec<AtomicU32> = (0..area).map(|_| AtomicU32::new(0)).collect();
    let hues: Vec<AtomicU32> = (0..area).map(|_| AtomicU32::new(0)).collect();
    let mut walkers: Vec<(Random, f32, f32)> = (0..WALKERS)
        .map(|_| {
            let mut own = random.branch();
            let (mut x, mut y) = (own.between(-0.5, 0.5), own.between(-0.5, 0.5));
            for _ in 0..100 {
                (x, y) = formula.step(x, y);
            }
            (own, x, y)
        })
        .collect();
    let points = index(values.float("quality") * coordinate(area));
    const BURST: usize = 8192;
    let rounds = (points / (WALKERS * BURST)).max(1);
    let mut progress = Progress::new(context, rounds);
    for _ in 0..rounds {
        walkers.par_iter_mut().for_each(|(own, x, y)| {
            // The next step ends an interrupted picture.
            if context.reports.interrupted() {
                return;
            }
            for _ in 0..BURST {
                let next = formula.step(*x, *y);
                let (dx, dy) = (next.0 - *x, next.1 - *y);
                (*x, *y) = next;
                // Jittered by a pixel's width, so that the pixel grid does not show.
                let (px, py) = (next.0 * zoom + shift_x + own.unit() - 0.5, next.1 * zoom + shift_y + own.unit() - 0.5);
                if px < 0.0 || py < 0.0 || px >= width || py >= height {
                    continue;
                }
                let place = index(py) * index(width) + index(px);
                if let (Some(count), Some(hue)) = (counts.get(place), hues.get(place)) {
                    // Integer sums are independent of the order.
                    count.fetch_add(1, Ordering::Relaxed);
                    let far = ((dx * dx + dy * dy).sqrt() * 24.0).clamp(0.0, 127.0);
                    hue.fetch_add(u32::try_from(index(far)).unwrap_or(0), Ordering::Relaxed);
                }
            }
        });
        progress.step()?;
        progress.preview(|| {
            let film = DensityColors::new(values, &counts, &hues);
            canvas.preview_of(&|x, y, _| film.color(y * canvas.width + x))
        });
    }
    let (film, width) = (DensityColors::new(values, &counts, &hues), canvas.width);
    canvas.develop(context, |x, y, _| film.color(y * width + x))?;
    Ok(canvas.finish())
}

/// The count that one pixel in two thousand exceeds.
fn peak(counts: &[AtomicU32]) -> f32 {
    let mut sample: Vec<u32> = counts.iter().step_by(7).map(|count| count.load(Ordering::Relaxed)).collect();
    let place = sample.len().saturating_sub(1 + sample.len() / 2000);
    let (_, value, _) = sample.select_nth_unstable(place);
    #[expect(clippy::cast_precision_loss, reason = "counts are small")]
    let value = *value as f32;
    value.max(8.0)
}

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn brightness(count: u32, peak: f32, exposure: f32) -> f32 {
    let light = libm::log1pf(count as f32 * exposure) / libm::log1pf(peak * exposure);
    libm::powf(light.min(1.15), 1.35)
}

/// Turns counts into colors: the count sets brightness, the length of the jumps sets the hue.
struct DensityColors<'a> {
    counts: &'a [AtomicU32],
    hues: &'a [AtomicU32],
    gradient: Gradient,
    is_paper: bool,
    peak: f32,
    exposure: f32,
    ground: Rgb,
    sheet: Rgb,
}

impl<'a> DensityColors<'a> {
    /// Calibrates on the counts so far.
    fn new(values: &Values, counts: &'a [AtomicU32], hues: &'a [AtomicU32]) -> Self {
        let gradient = values.palette().gradient();
        Self {
            counts,
            hues,
            is_paper: values.choice("ground") == "paper",
            peak: peak(counts),
            exposure: values.float("exposure"),
            ground: scale(gradient.at(0.0), 0.75),
            sheet: gradient.at(0.97),
            gradient,
        }
    }

    fn color(&self, place: usize) -> Rgb {
        let (Some(count), Some(hue)) = (self.counts.get(place), self.hues.get(place)) else { return [0.0; 3] };
        let count = count.load(Ordering::Relaxed);
        let light = brightness(count, self.peak, self.exposure);
        #[expect(clippy::cast_precision_loss, reason = "counts are small")]
        let far = if count == 0 { 0.0 } else { hue.load(Ordering::Relaxed) as f32 / count as f32 / 24.0 / 3.2 };
        if self.is_paper {
            let ink = self.gradient.at((0.62 - 0.5 * light + 0.35 * (far - 0.5)).clamp(0.0, 0.85));
            return mix(self.sheet, ink, (light * 1.25).min(1.0));
        }
        let color = self.gradient.at((0.22 + 0.5 * far + 0.4 * light).min(1.0));
        tone(add(self.ground, scale(color, light * 1.15)))
    }
}
