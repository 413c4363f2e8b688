//! Mandelbrot and Julia sets with smooth coloring and orbit traps.

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::canvas::Canvas;
use super::super::draw::color::{Gradient, Rgb, mix, scale};
use super::super::draw::coordinate;
use super::super::parameters::{self, HEIGHT, SEED, Values, WIDTH, choice, float, int};

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphFractal",
    display_name: "Fractal",
    description: "Looks into the border of the Mandelbrot set or one of its Julia sets; the seed chooses the place.",
    category: super::CATEGORY,
    parameters: &[
        WIDTH,
        HEIGHT,
        SEED,
        parameters::palette("gilded"),
        choice("set", &["Julia", "Mandelbrot"], "Which set is shown."),
        choice(
            "coloring",
            &["smooth", "orbit trap"],
            "Even bands of escape time, or threads where orbits come near a cross.",
        ),
        float("zoom", (1.0, 0.3, 200.0), "How far to look in."),
        int("iterations", (400, 50, 2000), "Steps before a point counts as inside; deep zooms need more."),
        float("bands", (1.0, 0.2, 6.0), "How often the colours repeat."),
    ],
    run,
};

/// Points on the border of the Mandelbrot set, with a width to show.
const PLACES: [(f64, f64, f64); 10] = [
    (-0.743_643_9, 0.131_825_9, 0.006),
    (-0.745_3, 0.112_7, 0.013),
    (-0.160_7, 1.037_6, 0.026),
    (-1.250_66, 0.020_12, 0.0035),
    (0.274_8, 0.006_9, 0.012),
    (-0.088_2, 0.654_5, 0.03),
    (-0.562_2, 0.642_8, 0.02),
    (-1.769_1, 0.003_7, 0.02),
    (0.360_24, -0.641_31, 0.013),
    (-0.235_125, 0.827_215, 0.007),
];

/// Constants of Julia sets.
const JULIAS: [(f64, f64); 12] = [
    (-0.8, 0.156),
    (-0.726_9, 0.188_9),
    (0.285, 0.01),
    (-0.4, 0.6),
    (-0.701_76, -0.384_2),
    (-0.835, -0.232_1),
    (-0.162, 1.040_5),
    (0.355, 0.355),
    (-0.54, 0.54),
    (-0.79, 0.15),
    (-0.123, 0.745),
    (0.37, 0.1),
];

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let mut canvas = Canvas::new(values.size(), context)?;
    let mut random = values.random();
    let julia = values.choice("set") == "Julia";
    let most = values.int("iterations");
    let zoom = f64::from(values.float("zoom"));
    let turn = f64::from(random.between(0.0, std::f32::consts::TAU));
    let (sin, cos) = (libm::sin(turn), libm::cos(turn));
    let (constant, middle, span) = if julia {
        let base = JULIAS[random.below(JULIAS.len())];
        let nudge = |random: &mut super::super::draw::random::Random| f64::from(random.between(-0.004, 0.004));
        ((base.0 + nudge(&mut random), base.1 + nudge(&mut random)), (0.0, 0.0), 2.5 / zoom)
    } else {
        let place = PLACES[random.below(PLACES.len())];
        ((0.0, 0.0), (place.0, place.1), place.2 / zoom)
    };
    let look = Coloring {
        most,
        trap: values.choice("coloring") == "orbit trap",
        bands: values.float("bands"),
        offset: random.between(0.0, 2.0),
        tilt: (f64::from(random.between(-0.4, 0.4)), f64::from(random.between(-0.4, 0.4))),
        gradient: values.palette().gradient(),
    };
    let pixel = span / f64::from(canvas.short_side());
    let (half_x, half_y) = (f64::from(coordinate(canvas.width)) * 0.5, f64::from(coordinate(canvas.height)) * 0.5);
    canvas.paint(context, 2, |x, y| {
        let (dx, dy) = ((f64::from(x) - half_x) * pixel, (f64::from(y) - half_y) * pixel);
        let at = (middle.0 + dx * cos - dy * sin, middle.1 + dx * sin + dy * cos);
        if julia { look.color(at, constant, pixel) } else { look.color((0.0, 0.0), at, pixel) }
    })?;
    Ok(canvas.finish())
}

struct Coloring {
    most: i64,
    trap: bool,
    bands: f32,
    offset: f32,
    tilt: (f64, f64),
    gradient: Gradient,
}

impl Coloring {
    /// Follows `z → z² + c` from `z`, with the derivative for shading.
    fn color(&self, z: (f64, f64), c: (f64, f64), pixel: f64) -> Rgb {
        let (mut x, mut y) = z;
        let (mut dx, mut dy) = (1.0_f64, 0.0_f64);
        let (mut cross, mut ring, mut hit) = (f64::INFINITY, f64::INFINITY, 0);
        let (mut mark, mut next_mark) = ((x, y), 8);
        for step in 0..self.most {
            (dx, dy) = (2.0 * (x * dx - y * dy) + 1.0, 2.0 * (x * dy + y * dx));
            (x, y) = (x * x - y * y + c.0, 2.0 * x * y + c.1);
            let size = x * x + y * y;
            if self.trap && step > 0 {
                let near = (x - self.tilt.0).abs().min((y - self.tilt.1).abs());
                if near < cross {
                    (cross, hit) = (near, step);
                }
                ring = ring.min((size - 0.25).abs());
            }
            // An orbit that returns to an earlier point never escapes. Most inner points do so early.
            if (x - mark.0).abs() + (y - mark.1).abs() < pixel * 1e-5 {
                break;
            }
            if step == next_mark {
                (mark, next_mark) = ((x, y), next_mark * 2);
            }
            if size > 4096.0 {
                return self.outside(step, (x, y), (dx, dy), size, (cross, ring, hit), pixel);
            }
        }
        self.inside(cross, ring)
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "colours need no more")]
    fn outside(&self, step: i64, z: (f64, f64), d: (f64, f64), size: f64, trap: (f64, f64, i64), pixel: f64) -> Rgb {
        let smooth = step as f64 + 1.0 - libm::log2(0.5 * libm::log(size) / std::f64::consts::LN_2);
        let depth = libm::log1p(smooth.max(0.0)) as f32;
        let base = self.gradient.swing(depth * self.bands * 0.62 + self.offset);
        // The derivative gives the direction of the escape time's slope.
        let along = (z.0 * d.0 + z.1 * d.1, z.1 * d.0 - z.0 * d.1);
        let length = (along.0 * along.0 + along.1 * along.1).sqrt().max(1e-300);
        let light = ((along.0 * 0.6 - along.1 * 0.8) / length) as f32;
        let distance = size.sqrt() * libm::log(size) / (d.0 * d.0 + d.1 * d.1).sqrt().max(1e-300);
        let near = libm::expf(-((distance / pixel / 2.5) as f32));
        let mut color = scale(base, 0.80 + 0.34 * light);
        if self.trap {
            let thread = libm::expf(-(trap.0 as f32) * 75.0);
            let halo = libm::expf(-(trap.1 as f32) * 9.0);
            color = mix(
                scale(color, 0.30 + 0.25 * light.max(0.0)),
                self.gradient.swing(0.55 + 0.31 * (trap.2 as f32) + 0.2 * halo),
                (thread * 0.95 + halo * 0.16).min(1.0),
            );
        }
        mix(color, scale(self.gradient.at(0.0), 0.5), near * 0.55)
    }

    #[expect(clippy::cast_possible_truncation, reason = "colours need no more")]
    fn inside(&self, cross: f64, ring: f64) -> Rgb {
        let dark = scale(self.gradient.at(0.0), 0.5);
        if !self.trap {
            return dark;
        }
        let thread = libm::expf(-(cross as f32) * 90.0);
        let halo = libm::expf(-(ring as f32) * 16.0);
        mix(mix(dark, self.gradient.at(0.30), halo * 0.8), self.gradient.at(0.62), thread * 0.55)
    }
}
