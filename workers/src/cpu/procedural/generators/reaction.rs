//! Gray–Scott reaction-diffusion: two substances that form coral, spots and mazes.

use rayon::prelude::*;

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::canvas::{Canvas, Progress};
use super::super::draw::color::{Rgb, add, mix, scale, tone};
use super::super::draw::field::Field;
use super::super::draw::noise::{fbm, noise};
use super::super::draw::{coordinate, index, smoothstep};
use super::super::parameters::{self, HEIGHT, SEED, Values, WIDTH, choice, float, int};

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphReactionDiffusion",
    display_name: "Reaction Diffusion",
    description: "Lets two substances react and spread until coral, spots or mazes have grown, and lights them like porcelain.",
    category: super::CATEGORY,
    parameters: &[
        WIDTH,
        HEIGHT,
        SEED,
        parameters::palette("ocean"),
        choice(
            "pattern",
            &["drifting", "coral", "maze", "spots", "worms"],
            "What grows; drifting passes from one to another across the picture.",
        ),
        float("cells", (250.0, 96.0, 360.0), "How fine the pattern is: grid points along the shorter side."),
        int("steps", (3200, 500, 8000), "How long it grows."),
        float("relief", (1.0, 0.0, 2.0), "How strongly the growth is modelled by light."),
    ],
    run,
};

/// Steps between two progress reports.
const BURST: i64 = 50;

/// The two concentrations of every grid point.
struct Grid {
    width: usize,
    height: usize,
    cells: Vec<[f32; 2]>,
    spare: Vec<[f32; 2]>,
    rates: Vec<[f32; 2]>,
}

impl Grid {
    fn new((width, height): (usize, usize), pattern: &str, seed: u32) -> Self {
        let side = coordinate(width.min(height));
        let rate = |pattern: &str| match pattern {
            "coral" => [0.0545, 0.062],
            "maze" => [0.029, 0.057],
            "spots" => [0.030, 0.0625],
            _ => [0.046, 0.0631],
        };
        let places =
            || (0..height).flat_map(move |y| (0..width).map(move |x| (coordinate(x) / side, coordinate(y) / side)));
        let rates = places()
            .map(|(x, y)| {
                if pattern != "drifting" {
                    return rate(pattern);
                }
                let t = smoothstep(-0.6, 0.6, fbm(x * 1.3 + 4.0, y * 1.3, 2, seed ^ 5));
                let (a, b) = (rate("maze"), rate("coral"));
                [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]
            })
            .collect();
        let cells: Vec<[f32; 2]> = places()
            .map(|(x, y)| {
                let seeded = noise(x * 16.0, y * 16.0, seed) > 0.34 || noise(x * 31.0, y * 31.0, seed ^ 9) > 0.62;
                if seeded { [0.5, 0.27] } else { [1.0, 0.0] }
            })
            .collect();
        Self { width, height, spare: cells.clone(), cells, rates }
    }

    fn step(&mut self) {
        let (width, height, cells, rates) = (self.width, self.height, &self.cells, &self.rates);
        // A few long chunks: a single row is too little work for a task.
        let rows = height.div_ceil(4).max(1);
        self.spare.par_chunks_mut(width * rows).enumerate().for_each(|(piece, out)| {
            for (row, out) in out.chunks_mut(width).enumerate() {
                step_row(piece * rows + row, (width, height), cells, rates, out);
            }
        });
        std::mem::swap(&mut self.cells, &mut self.spare);
    }

    fn field(&self) -> Field {
        Field { width: self.width, height: self.height, values: self.cells.iter().map(|cell| cell[1]).collect() }
    }
}

fn step_row(y: usize, (width, height): (usize, usize), cells: &[[f32; 2]], rates: &[[f32; 2]], out: &mut [[f32; 2]]) {
    let row = |y: usize| cells.get(y * width..(y + 1) * width).unwrap_or(&[]);
    // The edge is a closed wall.
    let (above, own, below) = (row(y.saturating_sub(1)), row(y), row((y + 1).min(height - 1)));
    let rates = rates.get(y * width..(y + 1) * width).unwrap_or(&[]);
    if above.len() != width || own.len() != width || below.len() != width || rates.len() != width || out.len() != width
    {
        return;
    }
    for x in 0..width {
        let (left, right) = (x.saturating_sub(1), (x + 1).min(width - 1));
        let [a, b] = own[x];
        let spread = |part: usize| {
            0.2 * (above[x][part] + below[x][part] + own[left][part] + own[right][part])
                + 0.05 * (above[left][part] + above[right][part] + below[left][part] + below[right][part])
                - own[x][part]
        };
        let [feed, kill] = rates[x];
        let react = a * b * b;
        out[x] = [a + 1.0 * spread(0) - react + feed * (1.0 - a), b + 0.5 * spread(1) + react - (kill + feed) * b];
    }
}

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let mut canvas = Canvas::new(values.size(), context)?;
    let side = canvas.short_side();
    let cells = values.float("cells");
    let grid = (
        index(coordinate(canvas.width) / side * cells).clamp(16, 1440),
        index(coordinate(canvas.height) / side * cells).clamp(16, 1440),
    );
    context.reserve_size(2, grid.1, grid.0, 3)?;
    let mut dish = Grid::new(grid, values.choice("pattern"), values.noise_seed());
    let steps = values.int("steps");
    let gradient = values.palette().gradient();
    let seed = values.noise_seed();
    let (step_x, step_y) =
        (coordinate(grid.0) / coordinate(canvas.width), coordinate(grid.1) / coordinate(canvas.height));
    let drift_at = |x: f32, y: f32| fbm(x / side * 1.4, y / side * 1.4, 3, seed ^ 0x77) * 0.22;
    let color = |raw: f32, h: f32, drift: f32, light: f32| {
        let low = gradient.at(0.12 + drift * 0.6 + raw * 0.25);
        let high = gradient.at((0.70 + drift + (raw - 0.25) * 0.9).clamp(0.4, 1.0));
        let base = mix(low, high, h);
        // The ground near a wall is shaded.
        let hollow = 1.0 - 0.35 * (1.0 - h) * smoothstep(0.0, 0.22, raw);
        scale(base, (0.5 + 0.75 * light) * hollow)
    };
    // A preview has one point per cell, and no relief.
    let flat = |x: usize, y: usize, [raw, ..]: Rgb| {
        let drift = drift_at((coordinate(x) + 0.5) / step_x, (coordinate(y) + 0.5) / step_y);
        tone(color(raw, smoothstep(0.09, 0.32, raw), drift, 0.6))
    };
    let mut progress = Progress::new(context, usize::try_from(steps / BURST).unwrap_or(1));
    for _ in 0..steps / BURST {
        for _ in 0..BURST {
            dish.step();
            context.check()?;
        }
        progress.step()?;
        progress.preview(|| {
            let pixels = dish.cells.iter().map(|cell| [cell[1]; 3]).collect();
            Canvas { width: dish.width, height: dish.height, pixels }.preview_of(&flat)
        });
    }
    let field = dish.field();
    let relief = values.float("relief");
    let height_at = |x: f32, y: f32| smoothstep(0.09, 0.32, field.smooth(x, y));
    canvas.paint(context, 1, |x, y| {
        let (u, v) = (x * step_x, y * step_y);
        let h = height_at(u, v);
        let raw = field.smooth(u, v);
        let (sx, sy) = (height_at(u + 0.6, v) - height_at(u - 0.6, v), height_at(u, v + 0.6) - height_at(u, v - 0.6));
        let (nx, ny, nz) = (-sx * relief, -sy * relief, 0.55);
        let length = (nx * nx + ny * ny + nz * nz).sqrt();
        let light = ((nx * -0.5 + ny * -0.62 + nz * 0.6) / length).max(0.0);
        let shine = libm::powf(((nx * -0.28 + ny * -0.36 + nz * 0.89) / length).clamp(0.0, 1.0), 40.0);
        tone(add(color(raw, h, drift_at(x, y), light), scale(gradient.at(1.0), shine * h * 0.30 * relief)))
    })?;
    Ok(canvas.finish())
}
