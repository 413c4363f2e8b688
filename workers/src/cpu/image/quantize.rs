//! ImageQuantize: a palette by Pillow's median cut, and Pillow's mapping of pixels to it. Exact.

use super::median_cut::{Color, palette};
use super::scale::image_of;
use super::tensor::{empty, from_byte, runtime, size};
use crate::cpu::node::{Context, Inputs, NodeError, Outcome};

/// Maximum bytes of the color tables of one picture.
const COLOR_TABLES: usize = 24 << 20;

/// Reduces every picture of a batch to its own palette.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "torch's cast to bytes wraps around")]
pub(super) fn quantize(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    let colors = size(inputs.int("colors")?).clamp(1, 256);
    let dither = inputs.text("dither")?;
    if image.channels != 3 {
        let (width, height, channels) = (image.width, image.height, image.channels);
        return Err(runtime(format!(
            "The expanded size of the tensor ({channels}) must match the existing size (3) at non-singleton dimension 2.  Target sizes: [{height}, {width}, {channels}].  Tensor sizes: [{height}, {width}, 3]"
        )));
    }
    let mut out = empty(context, image.batch, image.height, image.width, 3)?;
    let len = out.picture_len();
    if len == 0 {
        return Err(NodeError::value("cannot quantize an empty image"));
    }
    // Bytes of one picture, and its color tables.
    context.reserve(len.saturating_add(COLOR_TABLES))?;
    for (index, target) in out.data.chunks_exact_mut(len).enumerate() {
        context.check()?;
        let mut pixels: Vec<Color> = image
            .picture(index)
            .unwrap_or(&[])
            .chunks_exact(3)
            .map(|pixel| [0, 1, 2].map(|channel| (pixel[channel] * 255.0) as i64 as u8))
            .collect();
        let mut nearest = PaletteLookup::new(palette(&pixels, colors));
        context.check()?;
        match dither.strip_prefix("bayer-").and_then(|order| order.parse::<usize>().ok()) {
            Some(order) => {
                bayer(&mut pixels, image.width, order, nearest.palette.len());
                map(context, &mut pixels, image.width, &mut nearest)?;
            }
            None if dither == "floyd-steinberg" => floyd_steinberg(context, &mut pixels, image.width, &mut nearest)?,
            None => map(context, &mut pixels, image.width, &mut nearest)?,
        }
        for (sample, level) in target.iter_mut().zip(pixels.iter().flatten()) {
            *sample = from_byte(*level);
        }
    }
    image_of(out)
}

/// Finds the nearest palette entry like Pillow: for the lowest corner of a cell of 4 x 4 x 4 colors, cached per cell.
/// The first entry wins a tie.
struct PaletteLookup {
    palette: Vec<Color>,
    /// Entry per cell; `u16::MAX` if not computed yet.
    cells: Vec<u16>,
}

impl PaletteLookup {
    fn new(palette: Vec<Color>) -> Self {
        Self { palette, cells: vec![u16::MAX; 64 * 64 * 64] }
    }

    fn color(&mut self, pixel: Color) -> Color {
        let [r, g, b] = pixel.map(|level| usize::from(level >> 2));
        let Some(cell) = self.cells.get_mut((r << 12) | (g << 6) | b) else {
            return pixel;
        };
        if *cell == u16::MAX {
            let corner = pixel.map(|level| i32::from(level & !3));
            let distance = |color: &Color| -> i32 {
                color.iter().zip(corner).map(|(level, corner)| (i32::from(*level) - corner).pow(2)).sum()
            };
            let found = self.palette.iter().enumerate().min_by_key(|(_, color)| distance(color));
            *cell = found.and_then(|(index, _)| u16::try_from(index).ok()).unwrap_or(0);
        }
        self.palette.get(usize::from(*cell)).copied().unwrap_or(pixel)
    }
}

fn map(
    context: &Context<'_>,
    pixels: &mut [Color],
    width: usize,
    nearest: &mut PaletteLookup,
) -> Result<(), NodeError> {
    for row in pixels.chunks_mut(width.max(1)) {
        context.check()?;
        for pixel in row {
            *pixel = nearest.color(*pixel);
        }
    }
    Ok(())
}

/// Pillow's error diffusion with its integer rounding: errors are kept in sixteenths and truncated when used.
fn floyd_steinberg(
    context: &Context<'_>,
    pixels: &mut [Color],
    width: usize,
    nearest: &mut PaletteLookup,
) -> Result<(), NodeError> {
    // Entry x + 1 holds the error of the row above for column x.
    let mut above = vec![[0_i32; 3]; width + 1];
    for row in pixels.chunks_mut(width.max(1)) {
        context.check()?;
        let mut ahead = [0_i32; 3];
        let (mut one_back, mut two_back) = ([0_i32; 3], [0_i32; 3]);
        for (x, pixel) in row.iter_mut().enumerate() {
            let mut wanted = [0_i32; 3];
            let mut bytes = [0_u8; 3];
            for channel in 0..3 {
                let error = (ahead[channel] + above[x + 1][channel]) / 16;
                wanted[channel] = (i32::from(pixel[channel]) + error).clamp(0, 255);
                bytes[channel] = wanted[channel].try_into().unwrap_or(0);
            }
            *pixel = nearest.color(bytes);
            for channel in 0..3 {
                let error = wanted[channel] - i32::from(pixel[channel]);
                above[x][channel] = 3 * error + one_back[channel];
                one_back[channel] = 5 * error + two_back[channel];
                two_back[channel] = error;
                ahead[channel] = 7 * error;
            }
        }
        // Pillow applies the blue errors to all three channels here.
        above[width] = [one_back[2], two_back[2], two_back[2]];
    }
    Ok(())
}

/// Adds an ordered threshold matrix before the pixels are mapped, weaker with more colors.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a palette has at most 256 entries, and levels are clamped to bytes"
)]
fn bayer(pixels: &mut [Color], width: usize, order: usize, colors: usize) {
    let spread = (2.0 * 256.0 / colors.max(1) as f64) as f32;
    let matrix = bayer_matrix(order.max(2).ilog2());
    let side = 1 << order.max(2).ilog2();
    for (y, row) in pixels.chunks_mut(width.max(1)).enumerate() {
        for (x, pixel) in row.iter_mut().enumerate() {
            let threshold = matrix.get(y % side * side + x % side).copied().unwrap_or_default();
            let offset = spread * threshold + 0.5;
            *pixel = pixel.map(|level| (f32::from(level) + offset).clamp(0.0, 255.0) as u8);
        }
    }
}

/// The matrix of side 2^n, row by row, centred on 0.
fn bayer_matrix(n: u32) -> Vec<f32> {
    if n == 0 {
        return vec![0.0];
    }
    let half = 1_usize << (n - 1);
    let inner = bayer_matrix(n - 1);
    #[expect(clippy::cast_precision_loss, reason = "at most 4^4")]
    let quarter = 4_u32.pow(n) as f32;
    let mut out = Vec::with_capacity(4 * half * half);
    for y in 0..2 * half {
        for x in 0..2 * half {
            let offset = match (y < half, x < half) {
                (true, true) => -1.5,
                (true, false) => 0.5,
                (false, true) => 1.5,
                (false, false) => -0.5,
            };
            let below = inner.get(y % half * half + x % half).copied().unwrap_or_default();
            out.push((quarter * below + offset) / quarter);
        }
    }
    out
}
