//! One picture without its background.

use rayon::prelude::*;

use super::grid::{Grid, Rgb, fit, share, span};
use super::matte::{self, Matte};
use super::source::Source;
use super::subject::{self, Hint};
use crate::cpu::node::{Context, NodeError};

pub(super) struct Options {
    pub(super) tolerance: f32,
    pub(super) softness: f32,
    pub(super) keep_holes: bool,
}

/// Writes the subject's colors, and the mask: 1 where the background was.
pub(super) fn cut(
    source: &Source<'_>,
    options: &Options,
    context: &Context<'_>,
    colors: &mut [f32],
    mask: &mut [f32],
) -> Result<(), NodeError> {
    let check = || context.check();
    context.reserve(working_bytes(source.width, source.height))?;
    let medium = source.reduced(matte::SIDE, context)?;
    let small = medium.reduced(subject::SIDE, &check)?;
    let hints: Vec<Hint> = hints(source, &small);
    let bias = (options.tolerance - 0.5) * 12.0;
    let found = subject::find(&rgb(&small), &hints, bias, options.keep_holes, &check)?;
    let picture = rgb(&medium);
    drop(medium);
    let has_subject = found.mask.data.iter().any(|[subject]| *subject > 0.0);
    let matte = if has_subject { Some(Matte::new(&picture, &found, options, &check)?) } else { None };
    let width = source.width;
    let rows = colors.par_chunks_exact_mut(width * 3).zip(mask.par_chunks_exact_mut(width)).enumerate();
    rows.try_for_each(|(y, (colors, mask))| {
        context.check()?;
        let v = share(y, source.height);
        for (x, (color, hidden)) in colors.as_chunks_mut::<3>().0.iter_mut().zip(mask).enumerate() {
            let u = share(x, width);
            let [r, g, b, opaque] = source.at(x, y);
            // What the user marked, and a picture without a subject, stay as they are.
            let alpha = match &matte {
                Some(matte) if source.marked(u, v) < 0.5 => {
                    let pixel = matte.pixel(u, v, [r, g, b]);
                    *color = pixel.color;
                    pixel.alpha
                }
                _ => {
                    *color = [r, g, b];
                    1.0
                }
            };
            *hidden = 1.0 - alpha.min(opaque);
        }
        Ok(())
    })
}

/// Memory for one picture besides the results. It does not grow beyond the reduced sizes.
pub(super) fn working_bytes(width: usize, height: usize) -> usize {
    // Pictures, masks, and both colors with their pyramids; moments of the guided filter.
    const PER_PIXEL: usize = 128;
    const PER_GUIDE_PIXEL: usize = 160;
    let area = |(width, height): (usize, usize)| width * height;
    area(fit(width, height, matte::SIDE)) * PER_PIXEL + area(fit(width, height, matte::GUIDE_SIDE)) * PER_GUIDE_PIXEL
}

fn rgb(picture: &Grid<[f32; 4]>) -> Grid<Rgb> {
    picture.map(|[r, g, b, _]| [*r, *g, *b])
}

fn hints(source: &Source<'_>, small: &Grid<[f32; 4]>) -> Vec<Hint> {
    let marked = |at: usize| {
        let (samples, width, height) = source.keep?;
        let columns = span(at % small.width, small.width, width);
        let rows = span(at / small.width, small.height, height);
        let mut most = 0.0_f32;
        for y in rows {
            for x in columns.clone() {
                most = most.max(samples.get(y * width + x).copied().unwrap_or_default());
            }
        }
        Some(most)
    };
    let pixels = small.data.iter().enumerate();
    pixels.map(|(at, pixel)| Hint { keep: marked(at).unwrap_or_default(), transparent: 1.0 - pixel[3] }).collect()
}
