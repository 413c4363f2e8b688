//! MaskComposite and FeatherMask. Exact.

use super::mask_of;
use crate::cpu::image::tensor::{broadcast, copy_mask, size};
use crate::cpu::node::{Context, Inputs, NodeError, Outcome};

/// MaskComposite: combines the source with a part of the destination and clamps everything to 0..1.
pub(super) fn composite(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let (destination, source) = (inputs.mask("destination")?, inputs.mask("source")?);
    let (x, y) = (size(inputs.int("x")?), size(inputs.int("y")?));
    let operate = operation(inputs.text("operation")?)?;
    let mut out = copy_mask(context, destination)?;
    let width = overlap(x, source.width, destination.width, 2)?;
    let height = overlap(y, source.height, destination.height, 1)?;
    if source.batch != destination.batch && source.batch != 1 {
        broadcast(destination.batch, source.batch, 0)?;
        return Err(crate::cpu::image::tensor::runtime(format!(
            "The expanded size of the tensor ({}) must match the existing size ({}) at non-singleton dimension 0",
            destination.batch, source.batch
        )));
    }
    for picture in 0..out.batch {
        context.check()?;
        let from_picture = if source.batch == 1 { 0 } else { picture };
        for row in 0..height {
            let to = (picture * destination.height + y + row) * destination.width + x;
            let from = (from_picture * source.height + row) * source.width;
            let targets = out.data.get_mut(to..to + width).unwrap_or(&mut []);
            for (target, sample) in targets.iter_mut().zip(source.data.get(from..from + width).unwrap_or(&[])) {
                *target = operate(*target, *sample);
            }
        }
    }
    for sample in &mut out.data {
        *sample = sample.clamp(0.0, 1.0);
    }
    mask_of(out)
}

/// How many samples of the source lie inside. A source whose origin is past the end is an error, as in torch, unless
/// nothing of it is left to put anywhere.
fn overlap(at: usize, source: usize, destination: usize, dimension: usize) -> Result<usize, NodeError> {
    if at <= destination {
        return Ok(source.min(destination - at));
    }
    // Python's slice with a negative end cuts the source from its far end.
    let left = source.saturating_sub(at - destination);
    broadcast(0, left, dimension)?;
    Ok(0)
}

fn operation(name: &str) -> Result<fn(f32, f32) -> f32, NodeError> {
    fn set(sample: f32) -> bool {
        sample.round_ties_even() != 0.0
    }
    Ok(match name {
        "multiply" => |a, b| a * b,
        "add" => |a, b| a + b,
        "subtract" => |a, b| a - b,
        "and" => |a, b| f32::from(u8::from(set(a) & set(b))),
        "or" => |a, b| f32::from(u8::from(set(a) | set(b))),
        "xor" => |a, b| f32::from(u8::from(set(a) ^ set(b))),
        _ => return Err(NodeError::value(format!("unknown operation {name}"))),
    })
}

/// FeatherMask: fades towards the borders. As in ComfyUI 0.3.64 the right and bottom ramps are shifted by one, and
/// their first step falls on the opposite border.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "sizes are small, torch multiplies in float32"
)]
pub(super) fn feather(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let mask = inputs.mask("mask")?;
    let mut out = copy_mask(context, mask)?;
    let (width, height) = (out.width, out.height);
    let left = size(inputs.int("left")?).min(width);
    let right = size(inputs.int("right")?).min(width);
    let top = size(inputs.int("top")?).min(height);
    let bottom = size(inputs.int("bottom")?).min(height);
    let rate = |step: usize, of: usize| ((step + 1) as f64 / of as f64) as f32;
    let columns = (0..left)
        .map(|step| (step, rate(step, left)))
        .chain((0..right).map(|step| (if step == 0 { 0 } else { width - step }, rate(step, right))));
    let columns: Vec<(usize, f32)> = columns.collect();
    let rows = (0..top)
        .map(|step| (step, rate(step, top)))
        .chain((0..bottom).map(|step| (if step == 0 { 0 } else { height - step }, rate(step, bottom))));
    let rows: Vec<(usize, f32)> = rows.collect();
    if width == 0 || height == 0 {
        return mask_of(out);
    }
    for picture in out.data.chunks_exact_mut(width * height) {
        context.check()?;
        for line in picture.chunks_exact_mut(width) {
            for (x, rate) in &columns {
                if let Some(sample) = line.get_mut(*x) {
                    *sample *= rate;
                }
            }
        }
        for (y, rate) in &rows {
            for sample in picture.get_mut(y * width..(y + 1) * width).unwrap_or(&mut []) {
                *sample *= rate;
            }
        }
    }
    mask_of(out)
}
