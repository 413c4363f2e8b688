//! Round shapes with antialiased edges, painted in order.
//!
//! Shapes are sorted into bands of rows. Bands are painted in parallel; within a band the order of shapes is kept.

use rayon::prelude::*;

use super::super::super::node::{Context, NodeError};
use super::canvas::{Canvas, Progress};
use super::color::{Rgb, mix};
use super::{coordinate, index};

/// Maximum number of shapes; about 100 MB.
const MAX_SHAPES: usize = 2_000_000;
const BAND: usize = 16;

/// A line with round ends, a disc (both ends in one point), or a ring.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Shape {
    pub(in super::super) from: (f32, f32),
    pub(in super::super) to: (f32, f32),
    /// Radius at either end, in pixels.
    pub(in super::super) radius: (f32, f32),
    /// Half the width of a ring's line; a filled shape has 0.
    pub(in super::super) ring: f32,
    /// How many pixels the edge fades over.
    pub(in super::super) soft: f32,
    pub(in super::super) color: Rgb,
    pub(in super::super) alpha: f32,
}

impl Shape {
    pub(in super::super) fn line(from: (f32, f32), to: (f32, f32), radius: (f32, f32), color: Rgb) -> Self {
        Self { from, to, radius, ring: 0.0, soft: 1.0, color, alpha: 1.0 }
    }

    pub(in super::super) fn disc(middle: (f32, f32), radius: f32, color: Rgb) -> Self {
        Self::line(middle, middle, (radius, radius), color)
    }

    pub(in super::super) fn ring(middle: (f32, f32), radius: f32, half: f32, color: Rgb) -> Self {
        Self { ring: half, ..Self::disc(middle, radius, color) }
    }

    pub(in super::super) fn alpha(self, alpha: f32) -> Self {
        Self { alpha, ..self }
    }

    pub(in super::super) fn soft(self, soft: f32) -> Self {
        Self { soft, ..self }
    }

    fn reach(&self) -> f32 {
        self.radius.0.max(self.radius.1) + self.ring + self.soft
    }

    /// The coverage of the pixel around a point.
    fn cover(&self, x: f32, y: f32) -> f32 {
        let (dx, dy) = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        let (px, py) = (x - self.from.0, y - self.from.1);
        let length = dx * dx + dy * dy;
        let t = if length > 0.0 { ((px * dx + py * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
        let (ex, ey) = (px - dx * t, py - dy * t);
        let radius = super::lerp(self.radius.0, self.radius.1, t);
        let mut outside = (ex * ex + ey * ey).sqrt() - radius;
        if self.ring > 0.0 {
            outside = outside.abs() - self.ring;
        }
        // A line thinner than a pixel becomes a fainter line of one pixel.
        let thin = if self.ring > 0.0 { self.ring } else { radius };
        (0.5 - outside / self.soft).clamp(0.0, 1.0) * (thin * 2.0).min(1.0)
    }
}

/// Shapes in painting order.
#[derive(Default)]
pub(in super::super) struct Scene {
    shapes: Vec<Shape>,
}

impl Scene {
    /// Adds a shape on top. Ignores shapes beyond the limit, which bounds memory.
    pub(in super::super) fn push(&mut self, shape: Shape) {
        if self.shapes.len() < MAX_SHAPES {
            self.shapes.push(shape);
        }
    }

    pub(in super::super) fn paint(&self, canvas: &mut Canvas, context: &Context<'_>) -> Result<(), NodeError> {
        let bands = canvas.height.div_ceil(BAND);
        let mut sorted: Vec<Vec<u32>> = vec![Vec::new(); bands];
        for (number, shape) in self.shapes.iter().enumerate() {
            let top = shape.from.1.min(shape.to.1) - shape.reach();
            let bottom = shape.from.1.max(shape.to.1) + shape.reach();
            if bottom < 0.0 || top >= coordinate(canvas.height) {
                continue;
            }
            let last = (index(bottom) / BAND).min(bands.saturating_sub(1));
            for band in sorted.iter_mut().take(last + 1).skip(index(top) / BAND) {
                band.extend(u32::try_from(number));
            }
        }
        let group = bands.div_ceil(16).max(1);
        let mut progress = Progress::new(context, bands.div_ceil(group));
        let width = canvas.width;
        for (step, lists) in sorted.chunks(group).enumerate() {
            let first = step * group * BAND;
            let end = ((first + group * BAND) * width).min(canvas.pixels.len());
            if let Some(pixels) = canvas.pixels.get_mut(first * width..end) {
                pixels.par_chunks_mut(width * BAND).zip(lists).enumerate().for_each(|(band, (pixels, list))| {
                    if !context.reports.interrupted() {
                        self.paint_band(pixels, width, first + band * BAND, list);
                    }
                });
            }
            progress.step()?;
            progress.preview(|| canvas.preview());
        }
        Ok(())
    }

    fn paint_band(&self, pixels: &mut [Rgb], width: usize, first_row: usize, list: &[u32]) {
        for shape in list.iter().filter_map(|number| self.shapes.get(*number as usize)) {
            let reach = shape.reach();
            let left = index((shape.from.0.min(shape.to.0) - reach).max(0.0));
            let right = index((shape.from.0.max(shape.to.0) + reach + 1.0).max(0.0)).min(width);
            let top = index((shape.from.1.min(shape.to.1) - reach).max(0.0)).max(first_row) - first_row;
            let bottom = index((shape.from.1.max(shape.to.1) + reach + 1.0).max(0.0)).saturating_sub(first_row);
            for (row, pixels) in pixels.chunks_mut(width).enumerate().take(bottom).skip(top) {
                let y = coordinate(first_row + row) + 0.5;
                let Some(span) = pixels.get_mut(left.min(right)..right) else { continue };
                for (x, pixel) in span.iter_mut().enumerate() {
                    let cover = shape.cover(coordinate(left + x) + 0.5, y) * shape.alpha;
                    if cover > 0.0 {
                        *pixel = mix(*pixel, shape.color, cover);
                    }
                }
            }
        }
    }
}
