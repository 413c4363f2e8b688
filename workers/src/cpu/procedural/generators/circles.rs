//! Fills the picture with circles of every size that do not touch.

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::canvas::Canvas;
use super::super::draw::color::{lighten, mix};
use super::super::draw::noise::{fbm, hash_unit};
use super::super::draw::random::Random;
use super::super::draw::scene::{Scene, Shape};
use super::super::draw::{coordinate, index, lerp};
use super::super::parameters::{self, HEIGHT, SEED, Values, WIDTH, choice, float};

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphCirclePacking",
    display_name: "Circle Packing",
    description: "Fills the picture with circles that never touch, large ones first, and paints each as a small target, pearl or ring.",
    category: super::CATEGORY,
    parameters: &[
        WIDTH,
        HEIGHT,
        SEED,
        parameters::palette("orchard"),
        float("largest", (130.0, 20.0, 300.0), "Radius of the largest circles, in thousandths of the shorter side."),
        float("smallest", (4.0, 2.0, 40.0), "Radius of the smallest circles, in thousandths of the shorter side."),
        float("gap", (3.0, 0.0, 20.0), "Distance kept between circles, in thousandths of the shorter side."),
        choice("ground", &["paper", "dark"], "Light paper or a dark ground."),
    ],
    run,
};

struct Circle {
    x: f32,
    y: f32,
    radius: f32,
}

/// A spatial index of circles.
struct CircleIndex {
    cell: f32,
    columns: usize,
    rows: usize,
    lists: Vec<Vec<u32>>,
    circles: Vec<Circle>,
}

impl CircleIndex {
    /// The largest radius at this point; negative inside another circle.
    fn room(&self, x: f32, y: f32, most: f32, gap: f32) -> f32 {
        let reach = |at: f32, last: usize| {
            let low = index(((at - most) / self.cell).max(0.0));
            low.min(last)..=index((at + most) / self.cell).min(last)
        };
        let mut room = most;
        for row in reach(y, self.rows - 1) {
            for column in reach(x, self.columns - 1) {
                for number in self.lists.get(row * self.columns + column).into_iter().flatten() {
                    let Some(other) = self.circles.get(*number as usize) else { continue };
                    let (dx, dy) = (other.x - x, other.y - y);
                    room = room.min((dx * dx + dy * dy).sqrt() - other.radius - gap);
                    if room < 0.0 {
                        return room;
                    }
                }
            }
        }
        room
    }

    /// Adds a circle to every cell that its bounding box touches.
    fn insert(&mut self, circle: Circle) {
        let number = u32::try_from(self.circles.len()).unwrap_or(u32::MAX);
        let span = |at: f32, last: usize| {
            index(((at - circle.radius) / self.cell).max(0.0))
                ..=index(((at + circle.radius) / self.cell).max(0.0)).min(last)
        };
        for row in span(circle.y, self.rows - 1) {
            for column in span(circle.x, self.columns - 1) {
                if let Some(list) = self.lists.get_mut(row * self.columns + column) {
                    list.push(number);
                }
            }
        }
        self.circles.push(circle);
    }
}

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let mut canvas = Canvas::new(values.size(), context)?;
    let unit = canvas.short_side() / 1000.0;
    let (width, height) = (coordinate(canvas.width), coordinate(canvas.height));
    let mut random = values.random();
    let smallest = (values.float("smallest") * unit).max(1.0);
    let largest = (values.float("largest") * unit).max(smallest);
    let gap = values.float("gap") * unit;
    let cell = (smallest * 6.0).max(6.0);
    let (columns, rows) = (index(width / cell) + 1, index(height / cell) + 1);
    let mut places = CircleIndex { cell, columns, rows, lists: vec![Vec::new(); columns * rows], circles: Vec::new() };
    const ROUNDS: usize = 90;
    for round in 0..ROUNDS {
        context.progress(round as u64, ROUNDS as u64)?;
        // Every round allows smaller circles. The square makes large ones come first.
        let t = coordinate(round) / coordinate(ROUNDS - 1);
        let floor = lerp(largest, smallest, 1.0 - libm::powf(1.0 - t, 2.6));
        for _ in 0..900 {
            let (x, y) = (random.unit() * width, random.unit() * height);
            let room = places.room(x, y, largest * random.between(0.75, 1.0), gap);
            if room >= floor.min(largest * 0.75) {
                places.insert(Circle { x, y, radius: room });
            }
        }
        context.check()?;
    }
    let seed = values.noise_seed();
    let paper = values.choice("ground") == "paper";
    let gradient = values.palette().gradient();
    let mut scene = Scene::default();
    for circle in &places.circles {
        let region = fbm(circle.x / width * 1.8, circle.y / height * 1.8, 2, seed) * 0.6 + 0.5;
        paint_circle(&mut scene, circle, region, &gradient, &mut random, paper);
    }
    let ground = if paper { lighten(gradient.at(1.0), -0.01) } else { lighten(gradient.at(0.0), -0.01) };
    canvas.paint(context, 1, |x, y| {
        #[expect(clippy::cast_possible_truncation, reason = "pixel coordinates")]
        let fibre = hash_unit(x as i32, y as i32, seed) - 0.5;
        let stain = fbm(x / width * 3.0, y / height * 3.0, 4, seed ^ 4);
        lighten(ground, fibre * 0.014 + stain * 0.012)
    })?;
    scene.paint(&mut canvas, context)?;
    Ok(canvas.finish())
}

fn paint_circle(
    scene: &mut Scene,
    circle: &Circle,
    region: f32,
    gradient: &super::super::draw::color::Gradient,
    random: &mut Random,
    paper: bool,
) {
    let (middle, radius) = ((circle.x, circle.y), circle.radius);
    let t = (region + random.between(-0.24, 0.24)).clamp(0.0, 1.0);
    let pick = |t: f32| if paper { gradient.at(t * 0.84) } else { gradient.at(0.2 + 0.8 * t) };
    let base = pick(t);
    let shadow = radius * 0.05 + 0.6;
    scene.push(
        Shape::disc((middle.0 + shadow, middle.1 + shadow * 1.4), radius, gradient.at(0.0))
            .soft(shadow * 2.5 + 1.0)
            .alpha(if paper { 0.20 } else { 0.45 }),
    );
    scene.push(Shape::disc(middle, radius, base));
    let kind = random.unit();
    if radius < 5.0 {
        return;
    }
    if kind < 0.42 {
        // A target: rings from the palette, light and dark in turn.
        let rings = 2 + random.below(index(radius / 9.0).clamp(1, 7));
        for ring in 1..=rings {
            let part = 1.0 - coordinate(ring) / coordinate(rings + 1);
            let shade = if ring % 2 == 1 {
                pick((t + 0.42).rem_euclid(1.0))
            } else {
                pick((t + 0.08 * coordinate(ring)).min(1.0))
            };
            scene.push(Shape::disc(middle, radius * part, shade));
        }
    } else if kind < 0.68 {
        // A pearl: light from the upper left.
        for layer in 1..=10 {
            let part = coordinate(layer) / 10.0;
            let at = (middle.0 - radius * 0.26 * part, middle.1 - radius * 0.30 * part);
            let shade = mix(lighten(base, -0.05), gradient.at(0.98), part * part * 0.55);
            scene.push(Shape::disc(at, radius * (1.0 - part) * 0.92, shade).soft(radius * 0.12 + 1.0).alpha(0.6));
        }
    } else if kind < 0.86 {
        // Fine lines.
        let lines = 1 + index(radius / 7.0).min(9);
        for line in 1..=lines {
            let part = coordinate(line) / coordinate(lines + 1);
            scene.push(Shape::ring(
                middle,
                radius * part,
                (radius * 0.012).max(0.55),
                lighten(base, if t > 0.5 { -0.28 } else { 0.28 }),
            ));
        }
    } else {
        scene.push(Shape::disc(middle, radius * 0.34, if t > 0.5 { pick(0.08) } else { gradient.at(0.93) }));
    }
}
