//! Decodes GIF files. Each frame is drawn over the previous ones, as in Pillow.

use std::io::Cursor;

use gif::{ColorOutput, DecodeOptions, DisposalMethod, MemoryLimit};

use super::{Frame, broken, check, from_rgba};
use crate::cpu::node::{Context, NodeError};

/// The current picture, four bytes per pixel.
struct Canvas {
    width: usize,
    height: usize,
    rgba: Vec<u8>,
}

pub(super) fn decode(context: &Context<'_>, bytes: &[u8]) -> Result<Vec<Frame>, NodeError> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    options.set_memory_limit(MemoryLimit::Bytes(
        std::num::NonZeroU64::new(context.max_bytes as u64).unwrap_or(std::num::NonZeroU64::MIN),
    ));
    let mut decoder = options.read_info(Cursor::new(bytes)).map_err(broken)?;
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    check(context, 0, width, height)?;
    let global = decoder.global_palette().map(<[u8]>::to_vec).unwrap_or_default();
    let background = decoder.bg_color().unwrap_or(0);

    let mut canvas = Canvas { width, height, rgba: vec![0; width * height * 4] };
    let mut frames: Vec<Frame> = Vec::new();
    let mut first_transparency = None;
    loop {
        let next = match decoder.read_next_frame() {
            Ok(Some(frame)) => frame,
            Ok(None) => break,
            Err(_) if !frames.is_empty() => break,
            Err(error) => return Err(broken(error)),
        };
        check(context, frames.len(), width, height)?;
        let palette = next.palette.as_deref().unwrap_or(&global);
        if frames.is_empty() {
            first_transparency = next.transparent;
            let (index, alpha) = next.transparent.map_or((0, u8::MAX), |index| (index, 0));
            let ground = with_alpha(color(palette, usize::from(index)), alpha);
            canvas.fill((0, 0), (width, height), ground);
        }
        let at = (usize::from(next.left), usize::from(next.top));
        let size = (usize::from(next.width), usize::from(next.height));
        let before = (next.dispose == DisposalMethod::Previous).then(|| canvas.rgba.clone());
        let replace = frames.is_empty();
        for (number, index) in next.buffer.iter().enumerate() {
            let (x, y) = (at.0 + number % size.0.max(1), at.1 + number / size.0.max(1));
            let clear = next.transparent == Some(*index);
            if replace || !clear {
                canvas.set(x, y, with_alpha(color(palette, usize::from(*index)), if clear { 0 } else { u8::MAX }));
            }
        }
        let mut shown = from_rgba(width, height, &canvas.rgba);
        if first_transparency.is_none() {
            shown.alpha = super::Alpha::None;
        }
        frames.push(shown);
        match next.dispose {
            DisposalMethod::Previous => canvas.rgba = before.unwrap_or_default(),
            DisposalMethod::Background => {
                let clear = first_transparency.or(next.transparent);
                let ground = match clear {
                    Some(index) => with_alpha(color(palette, usize::from(index)), 0),
                    None => with_alpha(color(&global, background), u8::MAX),
                };
                canvas.fill(at, size, ground);
            }
            DisposalMethod::Any | DisposalMethod::Keep => {}
        }
    }
    Ok(frames)
}

/// The palette's color; gray levels without a palette.
fn color(palette: &[u8], index: usize) -> [u8; 3] {
    palette
        .get(index * 3..index * 3 + 3)
        .and_then(|color| color.try_into().ok())
        .unwrap_or([u8::try_from(index).unwrap_or_default(); 3])
}

fn with_alpha([red, green, blue]: [u8; 3], alpha: u8) -> [u8; 4] {
    [red, green, blue, alpha]
}

impl Canvas {
    fn set(&mut self, x: usize, y: usize, pixel: [u8; 4]) {
        if x < self.width && y < self.height {
            let start = (y * self.width + x) * 4;
            if let Some(target) = self.rgba.get_mut(start..start + 4) {
                target.copy_from_slice(&pixel);
            }
        }
    }

    fn fill(&mut self, (left, top): (usize, usize), (width, height): (usize, usize), pixel: [u8; 4]) {
        for y in top..top + height {
            for x in left..left + width {
                self.set(x, y, pixel);
            }
        }
    }
}
