//! Canny edge detection as in the kornia library. Equal except for float32 rounding, which decides ties between
//! neighbours and with thresholds.

use super::blur::gaussian;
use super::scale::image_of;
use super::tensor::{empty, fill_rows, row_of, runtime};
use crate::cpu::node::{Context, Inputs, NodeError, Outcome};
use crate::cpu::value::ImageBatch;

/// The blur's kernel: five pixels wide, standard deviation of one pixel.
const RADIUS: usize = 2;
const SIGMA_IN_RADII: f64 = 0.5;
/// Under the root of a gradient's length.
const EPSILON: f32 = 1e-6;
/// Neighbours in steps of 45 degrees, from the right downwards.
const NEIGHBOURS: [(isize, isize); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// States of a pixel during hysteresis.
const NONE: f32 = 0.0;
const WEAK: f32 = 0.5;
const STRONG: f32 = 1.0;

#[expect(clippy::cast_possible_truncation, reason = "torch compares in float32")]
pub(super) fn canny(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    let (low, high) = (inputs.float("low_threshold")?, inputs.float("high_threshold")?);
    if low > high {
        return Err(NodeError::Raised {
            kind: "Exception",
            message: format!(
                "Invalid input thresholds. low_threshold should be smaller than the high_threshold. Got: {low}>{high}"
            ),
        });
    }
    let blurred = gaussian(context, &gray(context, image)?, RADIUS, SIGMA_IN_RADII)?;
    let slopes = slopes(context, &blurred)?;
    let mut edges = thinned(context, &slopes, (low as f32, high as f32))?;
    let len = edges.picture_len().max(1);
    for picture in edges.data.chunks_exact_mut(len) {
        context.check()?;
        follow(picture, slopes.width);
    }
    let mut out = empty(context, edges.batch, edges.height, edges.width, 3)?;
    for (pixel, edge) in out.data.chunks_exact_mut(3).zip(&edges.data) {
        pixel.fill(*edge);
    }
    image_of(out)
}

/// The luminance of each pixel.
fn gray(context: &Context<'_>, image: &ImageBatch) -> Result<ImageBatch, NodeError> {
    let channels = image.channels;
    if !matches!(channels, 1 | 3) {
        let shape = format!("[{}, {channels}, {}, {}]", image.batch, image.height, image.width);
        return Err(runtime(format!(
            "Given groups=1, weight of size [8, 1, 3, 3], expected input{shape} to have 1 channels, but got {channels} channels instead"
        )));
    }
    let mut out = empty(context, image.batch, image.height, image.width, 1)?;
    fill_rows(context, &mut out.data, image.width, |y, row| {
        let source = row_of(&image.data, image.width * channels, y);
        for (sample, pixel) in row.iter_mut().zip(source.chunks_exact(channels)) {
            *sample = match pixel {
                [red, green, blue] => 0.299 * red + 0.587 * green + 0.114 * blue,
                other => other.first().copied().unwrap_or_default(),
            };
        }
    })?;
    Ok(out)
}

/// The gradient of every pixel as two channels: magnitude and direction in eighths of a turn. Border pixels are
/// repeated outside.
fn slopes(context: &Context<'_>, image: &ImageBatch) -> Result<ImageBatch, NodeError> {
    let (width, height) = (image.width, image.height);
    let mut out = empty(context, image.batch, height, width, 2)?;
    fill_rows(context, &mut out.data, width * 2, |line, row| {
        let (picture, y) = (line / height, line % height);
        let source = |y: usize| row_of(&image.data, width, picture * height + y);
        let lines = [source(y.saturating_sub(1)), source(y), source((y + 1).min(height - 1))];
        for (x, pixel) in row.chunks_exact_mut(2).enumerate() {
            let columns = [x.saturating_sub(1), x, (x + 1).min(width - 1)];
            let at = |line: usize, column: usize| {
                let line = lines.get(line).copied().unwrap_or(&[]);
                columns.get(column).and_then(|x| line.get(*x)).copied().unwrap_or_default()
            };
            let across = at(0, 2) - at(0, 0) + 2.0 * (at(1, 2) - at(1, 0)) + at(2, 2) - at(2, 0);
            let down = at(2, 0) - at(0, 0) + 2.0 * (at(2, 1) - at(0, 1)) + at(2, 2) - at(0, 2);
            let eighths = (down.atan2(across).to_degrees() / 45.0).round_ties_even();
            pixel.copy_from_slice(&[(across * across + down * down + EPSILON).sqrt(), eighths.rem_euclid(8.0)]);
        }
    })?;
    Ok(out)
}

/// Non-maximum suppression: keeps pixels that are steeper than both neighbours along their gradient, as weak or strong.
fn thinned(context: &Context<'_>, slopes: &ImageBatch, (low, high): (f32, f32)) -> Result<ImageBatch, NodeError> {
    let (width, height) = (slopes.width, slopes.height);
    let mut out = empty(context, slopes.batch, height, width, 1)?;
    fill_rows(context, &mut out.data, width, |line, row| {
        let (picture, y) = (line / height, line % height);
        let length = |(x, y): (usize, usize)| {
            let at = (picture * height + y) * width + x;
            slopes.data.get(at * 2).copied().unwrap_or_default()
        };
        for ((x, sample), slope) in row.iter_mut().enumerate().zip(row_of(&slopes.data, width * 2, line).chunks(2)) {
            let [own, eighths] = slope else { continue };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 8")]
            let eighths = *eighths as usize;
            let is_steeper = [eighths, eighths + 4].into_iter().all(|eighths| {
                let beside = NEIGHBOURS.get(eighths % 8).and_then(|step| beside((x, y), *step, (width, height)));
                *own > beside.map_or(0.0, length)
            });
            let level = if *own > high {
                STRONG
            } else if *own > low {
                WEAK
            } else {
                NONE
            };
            *sample = if is_steeper { level } else { NONE };
        }
    })?;
    Ok(out)
}

/// The neighbouring index, if it is inside.
fn beside(
    (x, y): (usize, usize),
    (right, down): (isize, isize),
    (width, height): (usize, usize),
) -> Option<(usize, usize)> {
    let x = x.checked_add_signed(right).filter(|x| *x < width)?;
    let y = y.checked_add_signed(down).filter(|y| *y < height)?;
    Some((x, y))
}

/// Hysteresis: weak pixels connected to strong ones become strong; the others are dropped.
fn follow(picture: &mut [f32], width: usize) {
    let height = picture.len() / width.max(1);
    let strong = picture.iter().enumerate().filter(|(_, level)| **level >= STRONG);
    let mut open: Vec<usize> = strong.map(|(at, _)| at).collect();
    while let Some(at) = open.pop() {
        for step in NEIGHBOURS {
            let Some((x, y)) = beside((at % width, at / width), step, (width, height)) else { continue };
            let next = y * width + x;
            if let Some(level) = picture.get_mut(next).filter(|level| **level > NONE && **level < STRONG) {
                *level = STRONG;
                open.push(next);
            }
        }
    }
    for level in picture.iter_mut().filter(|level| **level < STRONG) {
        *level = NONE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weak_edge_connected_to_strong_one_is_kept() {
        let mut picture = [
            0.0, 0.5, 0.0, 0.0, 0.5, //
            0.0, 0.0, 0.5, 0.0, 0.0, //
            0.0, 0.0, 1.0, 0.0, 0.5,
        ];
        follow(&mut picture, 5);
        assert_eq!(
            picture,
            [
                0.0, 1.0, 0.0, 0.0, 0.0, //
                0.0, 0.0, 1.0, 0.0, 0.0, //
                0.0, 0.0, 1.0, 0.0, 0.0,
            ]
        );
    }
}
