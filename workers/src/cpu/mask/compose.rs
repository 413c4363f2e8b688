//! MaskComposite and FeatherMask. Exact.

use super::mask_of;
use crate::cpu::image::tensor::{broadcast, empty, fill_rows, image_as_mask, row_of, size};
use crate::cpu::node::{Context, Inputs, NodeError, Outcome};
use crate::cpu::value::MaskBatch;

/// MaskComposite: combines the source with a part of the destination and clamps to 0..1.
pub(super) fn composite(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let (destination, source) = (inputs.mask("destination")?, inputs.mask("source")?);
    let (x, y) = (size(inputs.int("x")?), size(inputs.int("y")?));
    let width = overlap(x, source.width, destination.width, 2)?;
    let height = overlap(y, source.height, destination.height, 1)?;
    if source.batch != destination.batch && source.batch != 1 {
        broadcast(destination.batch, source.batch, 0)?;
        return Err(crate::cpu::image::tensor::runtime(format!(
            "The expanded size of the tensor ({}) must match the existing size ({}) at non-singleton dimension 0",
            destination.batch, source.batch
        )));
    }
    let part = Part { destination, source, at: (x, y), size: (width, height) };
    // Values that round to zero (half to even) are at most 0.5. NaN counts as set, as in torch. A comparison instead of
    // `round` lets the compiler vectorise the loop.
    let set = |sample: f32| sample.abs() > 0.5 || sample.is_nan();
    let flag = |is_set: bool| f32::from(u8::from(is_set));
    mask_of(match inputs.text("operation")? {
        "multiply" => part.combine(context, |a, b| a * b)?,
        "add" => part.combine(context, |a, b| a + b)?,
        "subtract" => part.combine(context, |a, b| a - b)?,
        "and" => part.combine(context, |a, b| flag(set(a) & set(b)))?,
        "or" => part.combine(context, |a, b| flag(set(a) | set(b)))?,
        "xor" => part.combine(context, |a, b| flag(set(a) ^ set(b)))?,
        other => return Err(NodeError::value(format!("unknown operation {other}"))),
    })
}

/// A source over a part of a destination.
struct Part<'a> {
    destination: &'a MaskBatch,
    source: &'a MaskBatch,
    at: (usize, usize),
    size: (usize, usize),
}

impl Part<'_> {
    /// Generic, so that each operation gets its own loop, which the compiler can vectorise.
    fn combine(&self, context: &Context<'_>, operate: impl Fn(f32, f32) -> f32 + Sync) -> Result<MaskBatch, NodeError> {
        let Self { destination, source, at: (x, y), size: (width, height) } = *self;
        let mut out = empty(context, destination.batch, destination.height, destination.width, 1)?;
        fill_rows(context, &mut out.data, destination.width, |line, row| {
            let (picture, at) = (line / destination.height, line % destination.height);
            row.copy_from_slice(row_of(&destination.data, destination.width, line));
            if let Some(from_y) = at.checked_sub(y).filter(|at| *at < height) {
                let from_picture = if source.batch == 1 { 0 } else { picture };
                let samples = row_of(&source.data, source.width, from_picture * source.height + from_y);
                let targets = row.get_mut(x..x + width).unwrap_or_default();
                for (target, sample) in targets.iter_mut().zip(samples) {
                    *target = operate(*target, *sample);
                }
            }
            for sample in row {
                *sample = sample.clamp(0.0, 1.0);
            }
        })?;
        Ok(image_as_mask(out))
    }
}

/// The number of source samples inside. A source whose origin is past the end is an error, as in torch, unless nothing
/// of it is left.
fn overlap(at: usize, source: usize, destination: usize, dimension: usize) -> Result<usize, NodeError> {
    if at <= destination {
        return Ok(source.min(destination - at));
    }
    // Python's slice with a negative end cuts the source from its far end.
    let left = source.saturating_sub(at - destination);
    broadcast(0, left, dimension)?;
    Ok(0)
}

/// FeatherMask: fades towards the borders.
pub(super) fn feather(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    fade(inputs, context, End::Mirrored)
}

/// FeatherMask before 0.33.0: the right and bottom ramps are shifted by one, and their first step is on the opposite
/// border.
pub(super) fn feather_shifted(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    fade(inputs, context, End::Shifted)
}

fn fade(inputs: &Inputs, context: &Context<'_>, end: End) -> Result<Outcome, NodeError> {
    let mask = inputs.mask("mask")?;
    let (width, height) = (mask.width, mask.height);
    let ramp = |name: &str, side: usize| Ok::<_, NodeError>(ramp(size(inputs.int(name)?).min(side)));
    let columns = Side { from_start: ramp("left", width)?, from_end: ramp("right", width)?, end };
    let rows = Side { from_start: ramp("top", height)?, from_end: ramp("bottom", height)?, end };
    let mut rates = vec![Vec::new(); height];
    rows.each(&mut rates, |rates, rate| rates.push(rate));
    let mut out = empty(context, mask.batch, height, width, 1)?;
    fill_rows(context, &mut out.data, width, |line, row| {
        row.copy_from_slice(row_of(&mask.data, width, line));
        columns.each(row, |sample, rate| *sample *= rate);
        for rate in rates.get(line % height).into_iter().flatten() {
            for sample in &mut *row {
                *sample *= rate;
            }
        }
    })?;
    mask_of(image_as_mask(out))
}

/// Where the ramp from the end of a side begins.
#[derive(Clone, Copy)]
enum End {
    /// At the border, mirroring the ramp at the start.
    Mirrored,
    /// Its first step is on the opposite border, its second on this one.
    Shifted,
}

/// The ramps of a side, each starting at its border.
struct Side {
    from_start: Vec<f32>,
    from_end: Vec<f32>,
    end: End,
}

impl Side {
    /// Visits each sample that fades, with its factor. Where ramps overlap, the one at the start comes first.
    fn each<T>(&self, places: &mut [T], visit: impl Fn(&mut T, f32)) {
        for (place, rate) in places.iter_mut().zip(&self.from_start) {
            visit(place, *rate);
        }
        let (first, rates) = match (self.end, self.from_end.split_first()) {
            (End::Shifted, Some((first, rates))) => (Some(first), rates),
            _ => (None, self.from_end.as_slice()),
        };
        if let Some((place, rate)) = places.first_mut().zip(first) {
            visit(place, *rate);
        }
        for (place, rate) in places.iter_mut().rev().zip(rates) {
            visit(place, *rate);
        }
    }
}

/// The factors of a ramp, up to 1.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "sizes are small, torch multiplies in float32"
)]
fn ramp(steps: usize) -> Vec<f32> {
    (1..=steps).map(|step| (step as f64 / steps as f64) as f32).collect()
}
