//! GrowMask: grows by the largest neighbour, shrinks by the smallest, step by step. Exact (scipy's grey dilation and
//! erosion, whose reflected border adds nothing).

use super::mask_of;
use crate::cpu::image::morphology::extreme;
use crate::cpu::image::tensor::{copy, fill_rows, image_as_mask, mask_as_image, row_of};
use crate::cpu::node::{Context, Inputs, NodeError, Outcome};
use crate::cpu::value::ImageBatch;

/// Grows by `expand` pixels, or shrinks if negative, with tapered corners (a diamond) or not (a square).
pub(super) fn grow(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let mask = mask_as_image(context, inputs.mask("mask")?)?;
    let expand = inputs.int("expand")?;
    let steps = usize::try_from(expand.unsigned_abs()).unwrap_or(usize::MAX);
    if steps == 0 || mask.data.is_empty() {
        return mask_of(image_as_mask(mask));
    }
    let (choose, outside): (fn(f32, f32) -> f32, f32) =
        if expand < 0 { (f32::min, f32::INFINITY) } else { (f32::max, f32::NEG_INFINITY) };
    if !inputs.bool("tapered_corners")? {
        let reach = steps.min(mask.width.max(mask.height));
        return mask_of(image_as_mask(extreme(context, &mask, 2 * reach + 1, choose, outside)?));
    }
    diamond(context, mask, steps, choose)
}

/// Repeats single steps until nothing changes.
fn diamond(
    context: &Context<'_>,
    mut mask: ImageBatch,
    steps: usize,
    choose: fn(f32, f32) -> f32,
) -> Result<Outcome, NodeError> {
    let (width, height) = (mask.width, mask.height);
    let mut next = copy(context, &mask)?;
    for _ in 0..steps {
        context.check()?;
        fill_rows(context, &mut next.data, width, |line, row| {
            let y = line % height;
            let middle = row_of(&mask.data, width, line);
            let above = row_of(&mask.data, width, if y == 0 { line } else { line - 1 });
            let below = row_of(&mask.data, width, if y + 1 == height { line } else { line + 1 });
            for ((sample, middle), (above, below)) in row.iter_mut().zip(middle).zip(above.iter().zip(below)) {
                *sample = choose(choose(*middle, *above), *below);
            }
            for (sample, left) in row.iter_mut().skip(1).zip(middle) {
                *sample = choose(*sample, *left);
            }
            for (sample, right) in row.iter_mut().zip(middle.iter().skip(1)) {
                *sample = choose(*sample, *right);
            }
        })?;
        if next.data == mask.data {
            break;
        }
        std::mem::swap(&mut next, &mut mask);
    }
    mask_of(image_as_mask(mask))
}
