//! Oil painting: a Kuwahara filter, which gives every point the color of its most uniform surrounding rectangle.

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::canvas::Canvas;
use super::super::draw::color::{Rgb, lighten, luminance};
use super::super::draw::noise::fbm;
use super::super::draw::{coordinate, index};
use super::super::parameters::{IMAGE, Values, float};
use super::each_picture;

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphOilPaint",
    display_name: "Oil Painting",
    description: "Repaints a picture with soft strokes that keep edges, and a hint of canvas.",
    category: super::CATEGORY,
    parameters: &[
        IMAGE,
        float("brush", (5.0, 1.0, 24.0), "Size of a stroke, in thousandths of the shorter side."),
        float("canvas", (0.3, 0.0, 1.0), "How much of the canvas shows through."),
    ],
    run,
};

/// Summed-area table: the mean of any rectangle takes four lookups.
struct Sums {
    width: usize,
    height: usize,
    values: Vec<[f64; 4]>,
}

impl Sums {
    fn new(canvas: &Canvas) -> Self {
        let (width, height) = (canvas.width + 1, canvas.height + 1);
        let mut values = vec![[0.0; 4]; width * height];
        for (y, row) in canvas.pixels.chunks(canvas.width).enumerate() {
            let mut line = [0.0; 4];
            for (x, pixel) in row.iter().enumerate() {
                let light = f64::from(luminance(*pixel));
                // The mean of the squares gives the variance. The mean itself is computed from the colors.
                let parts = [f64::from(pixel[0]), f64::from(pixel[1]), f64::from(pixel[2]), light * light];
                for (sum, part) in line.iter_mut().zip(parts) {
                    *sum += part;
                }
                let above = values.get(y * width + x + 1).copied().unwrap_or([0.0; 4]);
                if let Some(out) = values.get_mut((y + 1) * width + x + 1) {
                    *out = [above[0] + line[0], above[1] + line[1], above[2] + line[2], above[3] + line[3]];
                }
            }
        }
        Self { width, height, values }
    }

    /// The mean color of a rectangle, and its variance.
    fn mean(&self, left: usize, top: usize, right: usize, bottom: usize) -> (Rgb, f32) {
        let (right, bottom) = (right.min(self.width - 1), bottom.min(self.height - 1));
        let at = |x: usize, y: usize| self.values.get(y * self.width + x).copied().unwrap_or([0.0; 4]);
        let (a, b, c, d) = (at(left, top), at(right, top), at(left, bottom), at(right, bottom));
        let area = f64::from(coordinate((right - left.min(right)) * (bottom - top.min(bottom)))).max(1.0);
        #[expect(clippy::cast_possible_truncation, reason = "colours need no more")]
        let part = |n: usize| ((a[n] + d[n] - b[n] - c[n]) / area) as f32;
        let color = [part(0), part(1), part(2)];
        let light = luminance(color);
        (color, (part(3) - light * light).max(0.0))
    }
}

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let weave = values.float("canvas");
    each_picture(values, context, |canvas, _| {
        // Four sums in double precision per pixel.
        context.reserve_size(3, canvas.height, canvas.width, 4)?;
        let side = canvas.short_side();
        let radius = index(values.float("brush") * side / 1000.0 + 0.5).max(1);
        let sums = Sums::new(&canvas);
        let mut out = super::like(&canvas);
        out.rows(context, |y, row| {
            for (x, pixel) in row.iter_mut().enumerate() {
                *pixel = stroke(&sums, x, y, radius);
                let (u, v) = (coordinate(x) / side, coordinate(y) / side);
                let bristle = fbm(u * 160.0, v * 40.0, 2, 0x51) * 0.05;
                let thread = (libm::sinf(u * 1500.0) * libm::sinf(v * 1500.0)) * 0.02;
                *pixel = lighten(*pixel, (bristle + thread) * weave);
            }
        })?;
        Ok(out)
    })
}

/// The mean of eight overlapping rectangles around a point, weighted strongly towards the most uniform.
fn stroke(sums: &Sums, x: usize, y: usize, radius: usize) -> Rgb {
    let (left, top) = (x.saturating_sub(radius), y.saturating_sub(radius));
    let (right, bottom) = (x + radius + 1, y + radius + 1);
    let half = radius / 2;
    let (near_left, near_top) = (x.saturating_sub(half), y.saturating_sub(half));
    let (near_right, near_bottom) = (x + half + 1, y + half + 1);
    let parts = [
        sums.mean(left, top, x + 1, y + 1),
        sums.mean(x, top, right, y + 1),
        sums.mean(left, y, x + 1, bottom),
        sums.mean(x, y, right, bottom),
        sums.mean(near_left, top, near_right, y + 1),
        sums.mean(near_left, y, near_right, bottom),
        sums.mean(left, near_top, x + 1, near_bottom),
        sums.mean(x, near_top, right, near_bottom),
    ];
    let (mut sum, mut total) = ([0.0; 3], 0.0);
    for (color, uneven) in parts {
        let calm = 1.0 / (1e-5 + uneven);
        let weight = calm * calm * calm * 1e-15;
        sum = [sum[0] + color[0] * weight, sum[1] + color[1] * weight, sum[2] + color[2] * weight];
        total += weight;
    }
    sum.map(|part| part / total.max(1e-30))
}
