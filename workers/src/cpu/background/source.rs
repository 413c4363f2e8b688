//! One picture of a batch, read pixel by pixel.

use rayon::prelude::*;

use super::grid::{Grid, add, fit, number, span, whole};
use crate::cpu::node::{Context, NodeError};
use crate::cpu::value::{ImageBatch, MaskBatch};

pub(in crate::cpu) struct Source<'a> {
    samples: &'a [f32],
    channels: usize,
    pub(super) width: usize,
    pub(super) height: usize,
    /// What the user marked, in a size of its own.
    pub(super) keep: Option<(&'a [f32], usize, usize)>,
}

impl<'a> Source<'a> {
    pub(in crate::cpu) fn new(image: &'a ImageBatch, number: usize) -> Self {
        Self {
            samples: image.picture(number).unwrap_or(&[]),
            channels: image.channels,
            width: image.width,
            height: image.height,
            keep: None,
        }
    }

    /// With the mask of a picture of the batch. The shorter batch is repeated.
    pub(super) fn with_marks(self, keep: &'a MaskBatch, number: usize) -> Self {
        let len = keep.width * keep.height;
        let at = number % keep.batch.max(1) * len;
        let samples = keep.data.get(at..at + len).filter(|samples| !samples.is_empty());
        Self { keep: samples.map(|samples| (samples, keep.width, keep.height)), ..self }
    }

    /// Color and opacity of a pixel. Samples that are no numbers count as black.
    pub(super) fn at(&self, x: usize, y: usize) -> [f32; 4] {
        let start = (y * self.width + x) * self.channels;
        let clean = |sample: &f32| if sample.is_finite() { sample.clamp(0.0, 1.0) } else { 0.0 };
        match self.samples.get(start..start + self.channels) {
            Some([r, g, b, a, ..]) => [clean(r), clean(g), clean(b), clean(a)],
            Some([r, g, b]) => [clean(r), clean(g), clean(b), 1.0],
            _ => [0.0; 4],
        }
    }

    /// What the user marked at a place, given as a share of the sides.
    pub(super) fn marked(&self, u: f32, v: f32) -> f32 {
        let Some((samples, width, height)) = self.keep else { return 0.0 };
        let (x, y) = (whole(u * number(width)).min(width - 1), whole(v * number(height)).min(height - 1));
        samples.get(y * width + x).copied().unwrap_or_default()
    }

    /// The mean over every pixel that a smaller grid's pixel covers: color and opacity.
    pub(in crate::cpu) fn reduced(&self, longest: usize, context: &Context<'_>) -> Result<Grid<[f32; 4]>, NodeError> {
        let (width, height) = fit(self.width, self.height, longest);
        let mut out = Grid::zeros(width, height);
        out.data.par_chunks_exact_mut(width.max(1)).enumerate().try_for_each(|(y, row)| {
            context.check()?;
            let rows = span(y, height, self.height);
            for (x, sample) in row.iter_mut().enumerate() {
                let columns = span(x, width, self.width);
                for y in rows.clone() {
                    columns.clone().for_each(|x| add(sample, self.at(x, y), 1.0));
                }
                let count = number(rows.len() * columns.len());
                *sample = sample.map(|part| part / count);
            }
            Ok::<(), NodeError>(())
        })?;
        Ok(out)
    }
}
