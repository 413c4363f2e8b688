//! A picture while it is painted: parallel rows with progress, previews and interrupts.

use std::time::Instant;

use rayon::prelude::*;

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::color::{Rgb, encode};
use super::{coordinate, noise};

/// Longest side of a preview.
const PREVIEW_SIDE: usize = 512;
/// Maximum number of progress steps of a picture.
const STEPS: usize = 48;

/// A picture in linear light.
pub(in super::super) struct Canvas {
    pub(in super::super) width: usize,
    pub(in super::super) height: usize,
    pub(in super::super) pixels: Vec<Rgb>,
}

/// Counts the steps of a node and reports them.
pub(in super::super) struct Progress<'a> {
    context: &'a Context<'a>,
    done: u64,
    total: u64,
    shown_at: Instant,
}

impl<'a> Progress<'a> {
    pub(in super::super) fn new(context: &'a Context<'a>, total: usize) -> Self {
        Self { context, done: 0, total: total as u64, shown_at: Instant::now() }
    }

    pub(in super::super) fn step(&mut self) -> Result<(), NodeError> {
        self.done = (self.done + 1).min(self.total);
        self.context.progress(self.done, self.total)
    }

    /// Sends a preview if the last one is old enough and the prompt goes on.
    pub(in super::super) fn preview(&mut self, picture: impl FnOnce() -> ImageBatch) {
        let is_due = self.shown_at.elapsed() >= self.context.reports.preview_every();
        if is_due && !self.context.reports.interrupted() {
            self.context.reports.preview(&picture());
            self.shown_at = Instant::now();
        }
    }
}

impl Canvas {
    /// An empty picture, rejected beyond the limits. The check covers the picture and its working memory.
    pub(in super::super) fn new((width, height): (usize, usize), context: &Context<'_>) -> Result<Self, NodeError> {
        context.reserve_size(2, height, width, 3)?;
        Ok(Self { width, height, pixels: vec![[0.0; 3]; width * height] })
    }

    /// The shorter side, by which compositions scale.
    pub(in super::super) fn short_side(&self) -> f32 {
        coordinate(self.width.min(self.height))
    }

    /// Paints every pixel. `shade` gets the centre of a sample in pixels; a pixel has `samples` × `samples` of them.
    pub(in super::super) fn paint(
        &mut self,
        context: &Context<'_>,
        samples: usize,
        shade: impl Fn(f32, f32) -> Rgb + Sync,
    ) -> Result<(), NodeError> {
        let weight = 1.0 / coordinate(samples * samples);
        self.rows(context, |y, row| {
            for (x, pixel) in row.iter_mut().enumerate() {
                let mut sum = [0.0; 3];
                for sample in 0..samples * samples {
                    let dx = (coordinate(sample % samples) + 0.5) / coordinate(samples);
                    let dy = (coordinate(sample / samples) + 0.5) / coordinate(samples);
                    let color = shade(coordinate(x) + dx, coordinate(y) + dy);
                    sum = [sum[0] + color[0], sum[1] + color[1], sum[2] + color[2]];
                }
                *pixel = sum.map(|part| part * weight);
            }
        })
    }

    /// Computes three numbers for every pixel from its centre. [`Canvas::develop`] turns them into colors later;
    /// previews use `shown`.
    pub(in super::super) fn measure(
        &mut self,
        context: &Context<'_>,
        measured: impl Fn(f32, f32) -> Rgb + Sync,
        shown: impl Fn(usize, usize, Rgb) -> Rgb + Sync,
    ) -> Result<(), NodeError> {
        self.each_row(
            context,
            &|y, row| {
                for (x, pixel) in row.iter_mut().enumerate() {
                    *pixel = measured(coordinate(x) + 0.5, coordinate(y) + 0.5);
                }
            },
            &|canvas, done| canvas.preview_of(&|x, y, pixel| if y < done { shown(x, y, pixel) } else { [0.0; 3] }),
        )
    }

    /// Replaces the numbers of every pixel by its color. Previews also show the color of unfinished pixels.
    pub(in super::super) fn develop(
        &mut self,
        context: &Context<'_>,
        color: impl Fn(usize, usize, Rgb) -> Rgb + Sync,
    ) -> Result<(), NodeError> {
        self.each_row(
            context,
            &|y, row| {
                for (x, pixel) in row.iter_mut().enumerate() {
                    *pixel = color(x, y, *pixel);
                }
            },
            &|canvas, done| canvas.preview_of(&|x, y, pixel| if y < done { pixel } else { color(x, y, pixel) }),
        )
    }

    /// Runs `work` on every row in parallel.
    pub(in super::super) fn rows(
        &mut self,
        context: &Context<'_>,
        work: impl Fn(usize, &mut [Rgb]) + Sync,
    ) -> Result<(), NodeError> {
        self.each_row(context, &work, &|canvas, _| canvas.preview())
    }

    /// The parallel loop of [`Canvas::rows`], which is large and compiled only once. `shown` makes the preview after a
    /// number of rows.
    fn each_row(
        &mut self,
        context: &Context<'_>,
        work: &(dyn Fn(usize, &mut [Rgb]) + Sync),
        shown: &dyn Fn(&Self, usize) -> ImageBatch,
    ) -> Result<(), NodeError> {
        let width = self.width.max(1);
        let band = self.height.div_ceil(STEPS).max(4);
        let steps = self.height.div_ceil(band);
        let mut progress = Progress::new(context, steps);
        for step in 0..steps {
            let first = step * band;
            let end = ((step + 1) * band * width).min(self.pixels.len());
            if let Some(rows) = self.pixels.get_mut(first * width..end) {
                rows.par_chunks_mut(width).enumerate().for_each(|(row, pixels)| {
                    // A row may take a while. After an interrupt the others need not start.
                    if !context.reports.interrupted() {
                        work(first + row, pixels);
                    }
                });
            }
            progress.step()?;
            progress.preview(|| shown(self, (step + 1) * band));
        }
        Ok(())
    }

    /// The pixel at integer coordinates. Pixels outside repeat the edge.
    pub(in super::super) fn pixel(&self, x: i64, y: i64) -> Rgb {
        let x = usize::try_from(x).unwrap_or(0).min(self.width - 1);
        let y = usize::try_from(y).unwrap_or(0).min(self.height - 1);
        self.pixels.get(y * self.width + x).copied().unwrap_or([0.0; 3])
    }

    /// Samples between pixels (centres are at .5), mirrored at the edges.
    #[expect(clippy::cast_possible_truncation, reason = "coordinates are small")]
    pub(in super::super) fn sample(&self, x: f32, y: f32) -> Rgb {
        let fold = |at: f32, side: usize| {
            let side = coordinate(side);
            let at = at.rem_euclid(2.0 * side);
            (if at > side { 2.0 * side - at } else { at }) - 0.5
        };
        let (x, y) = (fold(x, self.width), fold(y, self.height));
        let (fx, fy) = (x.floor(), y.floor());
        let (ix, iy) = (fx as i64, fy as i64);
        let row = |y| super::color::mix(self.pixel(ix, y), self.pixel(ix + 1, y), x - fx);
        super::color::mix(row(iy), row(iy + 1), y - fy)
    }

    /// Converts to sRGB, with noise below one level against banding.
    pub(in super::super) fn finish(self) -> ImageBatch {
        let width = self.width.max(1);
        let mut data = vec![0.0; self.pixels.len() * 3];
        data.par_chunks_mut(width * 3).zip(self.pixels.par_chunks(width)).enumerate().for_each(|(y, (out, row))| {
            for (x, (out, pixel)) in out.chunks_exact_mut(3).zip(row).enumerate() {
                #[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "sides are small")]
                let grain = (noise::hash_unit(x as i32, y as i32, 0x6721) - 0.5) / 255.0;
                for (out, part) in out.iter_mut().zip(pixel) {
                    *out = (encode(*part) + grain).clamp(0.0, 1.0);
                }
            }
        });
        ImageBatch { batch: 1, height: self.height, width: self.width, channels: 3, data }
    }

    /// A small copy of the current picture.
    pub(in super::super) fn preview(&self) -> ImageBatch {
        self.preview_of(&|_, _, pixel| pixel)
    }

    /// A small copy with colors computed by `color` from coordinates and pixel.
    pub(in super::super) fn preview_of(&self, color: &(dyn Fn(usize, usize, Rgb) -> Rgb + Sync)) -> ImageBatch {
        let stride = self.width.max(self.height).div_ceil(PREVIEW_SIDE).max(1);
        let (width, height) = (self.width.div_ceil(stride), self.height.div_ceil(stride));
        let mut data = vec![0.0; width * height * 3];
        data.par_chunks_mut(width.max(1) * 3).enumerate().for_each(|(row, out)| {
            for (column, out) in out.chunks_exact_mut(3).enumerate() {
                let (x, y) = (column * stride, row * stride);
                let pixel = self.pixels.get(y * self.width + x).copied().unwrap_or([0.0; 3]);
                out.copy_from_slice(&color(x, y, pixel).map(encode));
            }
        });
        ImageBatch { batch: 1, height, width, channels: 3, data }
    }
}
