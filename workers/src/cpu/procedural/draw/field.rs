//! A grid of heights.

use rayon::prelude::*;

use super::super::super::node::{Context, NodeError};
use super::coordinate;
use crate::cpu::image::tensor::fill_rows;

/// One number per pixel.
pub(in super::super) struct Field {
    pub(in super::super) width: usize,
    pub(in super::super) height: usize,
    pub(in super::super) values: Vec<f32>,
}

impl Field {
    /// Computes every value from the pixel's centre.
    pub(in super::super) fn compute(
        (width, height): (usize, usize),
        context: &Context<'_>,
        value: impl Fn(f32, f32) -> f32 + Sync,
    ) -> Result<Self, NodeError> {
        context.reserve_size(1, height, width, 1)?;
        let mut values = vec![0.0; width * height];
        fill_rows(context, &mut values, width, |y, row| {
            for (x, out) in row.iter_mut().enumerate() {
                *out = value(coordinate(x) + 0.5, coordinate(y) + 0.5);
            }
        })?;
        context.check()?;
        Ok(Self { width, height, values })
    }

    /// The value at integer coordinates. Values outside repeat the edge.
    pub(in super::super) fn at(&self, x: i64, y: i64) -> f32 {
        let x = usize::try_from(x).unwrap_or(0).min(self.width - 1);
        let y = usize::try_from(y).unwrap_or(0).min(self.height - 1);
        self.values.get(y * self.width + x).copied().unwrap_or(0.0)
    }

    /// The slope per pixel, over two pixels.
    pub(in super::super) fn slope(&self, x: i64, y: i64) -> (f32, f32) {
        ((self.at(x + 1, y) - self.at(x - 1, y)) * 0.5, (self.at(x, y + 1) - self.at(x, y - 1)) * 0.5)
    }

    /// A smooth (Catmull-Rom) value between grid points, which lie at .5.
    #[expect(clippy::cast_possible_truncation, reason = "coordinates are small")]
    pub(in super::super) fn smooth(&self, x: f32, y: f32) -> f32 {
        let (x, y) = (x - 0.5, y - 0.5);
        let (fx, fy) = (x.floor(), y.floor());
        let (ix, iy) = (fx as i64, fy as i64);
        let row = |y| curve(self.at(ix - 1, y), self.at(ix, y), self.at(ix + 1, y), self.at(ix + 2, y), x - fx);
        curve(row(iy - 1), row(iy), row(iy + 1), row(iy + 2), y - fy)
    }

    /// Scales all values to 0..1.
    pub(in super::super) fn normalize(&mut self) {
        let low = self.values.iter().copied().fold(f32::INFINITY, f32::min);
        let high = self.values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let span = (high - low).max(1e-9);
        self.values.par_iter_mut().for_each(|value| *value = (*value - low) / span);
    }
}

fn curve(a: f32, b: f32, c: f32, d: f32, t: f32) -> f32 {
    b + 0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)))
}
