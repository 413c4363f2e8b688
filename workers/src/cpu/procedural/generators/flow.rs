//! Ink lines that follow a turbulent flow and never touch.

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::canvas::Canvas;
use super::super::draw::color::{lighten, mix};
use super::super::draw::noise::{fbm, hash_unit, noise};
use super::super::draw::scene::{Scene, Shape};
use super::super::draw::{coordinate, index};
use super::super::parameters::{self, HEIGHT, SEED, Values, WIDTH, choice, float};

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphFlowField",
    display_name: "Flow Field",
    description: "Draws ink lines that follow an invisible stream, evenly spaced and tapering, like combed hair or wind over grass.",
    category: super::CATEGORY,
    parameters: &[
        WIDTH,
        HEIGHT,
        SEED,
        parameters::palette("verdigris"),
        float("spacing", (7.0, 3.0, 40.0), "Distance between lines, in thousandths of the shorter side."),
        float("turbulence", (1.0, 0.0, 4.0), "How strongly the stream bends: 0 runs straight, 4 curls everywhere."),
        float("scale", (1.6, 0.3, 6.0), "How many large bends fit across the picture."),
        float("ink", (0.62, 0.1, 1.0), "Width of the lines, as a part of their distance."),
        choice("ground", &["dark", "paper"], "Lines on a dark ground, or on light paper."),
    ],
    run,
};

/// A grid of line points, with one cell per spacing.
struct LinePoints {
    cell: f32,
    columns: usize,
    rows: usize,
    points: Vec<Vec<(f32, f32, u32)>>,
}

impl LinePoints {
    fn place(&self, x: f32, y: f32) -> (usize, usize) {
        (index(x / self.cell).min(self.columns - 1), index(y / self.cell).min(self.rows - 1))
    }

    /// Whether a point of another line is nearer than `distance`.
    fn near(&self, x: f32, y: f32, distance: f32, line: u32) -> bool {
        let (column, row) = self.place(x, y);
        (row.saturating_sub(1)..=(row + 1).min(self.rows - 1)).any(|row| {
            (column.saturating_sub(1)..=(column + 1).min(self.columns - 1)).any(|column| {
                self.points.get(row * self.columns + column).is_some_and(|points| {
                    points.iter().any(|(px, py, other)| {
                        *other != line && (px - x) * (px - x) + (py - y) * (py - y) < distance * distance
                    })
                })
            })
        })
    }

    fn insert(&mut self, x: f32, y: f32, line: u32) {
        let (column, row) = self.place(x, y);
        if let Some(points) = self.points.get_mut(row * self.columns + column) {
            points.push((x, y, line));
        }
    }
}

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let mut canvas = Canvas::new(values.size(), context)?;
    let unit = canvas.short_side() / 1000.0;
    let (width, height) = (coordinate(canvas.width), coordinate(canvas.height));
    let gradient = values.palette().gradient();
    let seed = values.noise_seed();
    let mut random = values.random();
    let paper = values.choice("ground") == "paper";
    let (scale, turbulence) = (values.float("scale") / canvas.short_side(), values.float("turbulence"));
    let lean = random.between(0.0, std::f32::consts::TAU);
    let direction = |x: f32, y: f32| {
        let warp = noise(x * scale * 0.7 + 9.0, y * scale * 0.7, seed ^ 5) * 0.6;
        let angle = lean + turbulence * 2.4 * fbm(x * scale + warp, y * scale - warp, 3, seed);
        (libm::cosf(angle), libm::sinf(angle))
    };
    let spacing = (values.float("spacing") * unit).max(2.0);
    let (columns, rows) = (index(width / spacing) + 1, index(height / spacing) + 1);
    let mut occupied = LinePoints { cell: spacing, columns, rows, points: vec![Vec::new(); columns * rows] };
    let mut scene = Scene::default();
    let step = (spacing * 0.35).clamp(1.0, 4.0);
    let longest = index(canvas.short_side() * 0.8 / step);
    let shortest = index(spacing * 3.0 / step);
    let tries = columns * rows * 2;
    for line in 0..tries {
        if line % 256 == 0 {
            context.progress(line as u64, tries as u64)?;
        }
        let start = (random.unit() * width, random.unit() * height);
        let number = u32::try_from(line).unwrap_or(u32::MAX);
        if occupied.near(start.0, start.1, spacing, number) {
            continue;
        }
        let trace = |sign: f32| {
            let (mut path, mut at) = (Vec::new(), start);
            for _ in 0..longest / 2 {
                let (dx, dy) = direction(at.0, at.1);
                at = (at.0 + dx * step * sign, at.1 + dy * step * sign);
                let outside = at.0 < -spacing || at.1 < -spacing || at.0 > width + spacing || at.1 > height + spacing;
                if outside || occupied.near(at.0, at.1, spacing * 0.72, number) {
                    break;
                }
                path.push(at);
            }
            path
        };
        let mut path = trace(-1.0);
        path.reverse();
        path.push(start);
        path.extend(trace(1.0));
        if path.len() < shortest {
            continue;
        }
        path.iter().for_each(|(x, y)| occupied.insert(*x, *y, number));
        // A line has the color of its start's region, so that bands of color follow the flow.
        let region = fbm(start.0 * scale * 0.9 + 40.0, start.1 * scale * 0.9, 2, seed ^ 77) * 0.62 + 0.5;
        let shade = region + (random.unit() - 0.5) * 0.22;
        let color = if paper { gradient.at(shade * 0.72) } else { gradient.at(0.26 + shade * 0.74) };
        let color = lighten(color, (random.unit() - 0.5) * 0.05);
        let thick = spacing * 0.5 * values.float("ink") * random.between(0.7, 1.15);
        let last = coordinate(path.len());
        let taper = |at: usize| {
            let from_end = coordinate(at).min(last - 1.0 - coordinate(at)) / last;
            thick * libm::powf((from_end * 5.0).clamp(0.02, 1.0), 0.6)
        };
        for (at, pair) in path.windows(2).enumerate() {
            if let [from, to] = pair {
                scene.push(Shape::line(*from, *to, (taper(at), taper(at + 1)), color));
            }
        }
    }
    let ground = if paper { lighten(gradient.at(1.0), -0.015) } else { lighten(gradient.at(0.0), 0.01) };
    let shadow = if paper { gradient.at(0.85) } else { gradient.at(0.1) };
    canvas.paint(context, 1, |x, y| {
        let cloud = fbm(x * scale * 0.6, y * scale * 0.6, 3, seed ^ 99) * 0.5 + 0.5;
        #[expect(clippy::cast_possible_truncation, reason = "pixel coordinates")]
        let fibre = hash_unit(x as i32, y as i32, seed) - 0.5;
        lighten(mix(ground, shadow, cloud * 0.3), fibre * 0.012)
    })?;
    scene.paint(&mut canvas, context)?;
    Ok(canvas.finish())
}
