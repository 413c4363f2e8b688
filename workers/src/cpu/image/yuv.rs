//! ImageRGBToYUV and ImageYUVToRGB, with the factors of the kornia library. Within 1 of 255 (float32 rounding).

use std::sync::Arc;

use super::scale::image_of;
use super::tensor::{empty, fill_rows, row_of, runtime};
use crate::cpu::node::{Context, Inputs, NodeError, Outcome};
use crate::cpu::value::{ImageBatch, Value};

/// Luma and the two color differences, each as a gray picture.
pub(super) fn to_yuv(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    if image.channels != 3 {
        return Err(NodeError::value(format!(
            "Input size must have a shape of (*, 3, H, W). Got torch.Size([{}, {}, {}, {}])",
            image.batch, image.channels, image.height, image.width
        )));
    }
    let plane = |convert: fn(f32, f32, f32) -> f32| -> Result<Value, NodeError> {
        let mut out = empty(context, image.batch, image.height, image.width, 3)?;
        let row_len = image.width * 3;
        fill_rows(context, &mut out.data, row_len, |y, row| {
            for (target, pixel) in row.chunks_exact_mut(3).zip(row_of(&image.data, row_len, y).chunks_exact(3)) {
                if let [red, green, blue] = pixel {
                    target.fill(convert(*red, *green, *blue));
                }
            }
        })?;
        Ok(Value::Image(Arc::new(out)))
    };
    Ok(Outcome::many([
        plane(luma)?,
        plane(|red, green, blue| (blue - luma(red, green, blue)) * 0.564 + 0.5)?,
        plane(|red, green, blue| (red - luma(red, green, blue)) * 0.713 + 0.5)?,
    ]))
}

fn luma(red: f32, green: f32, blue: f32) -> f32 {
    0.299 * red + 0.587 * green + 0.114 * blue
}

/// The inverse. Each input is averaged over its channels.
#[expect(clippy::cast_precision_loss, reason = "a picture has at most 4 channels")]
pub(super) fn from_yuv(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let (luma, blue, red) = (inputs.image("Y")?, inputs.image("U")?, inputs.image("V")?);
    let shape = |image: &ImageBatch| (image.batch, image.height, image.width);
    if shape(luma) != shape(blue) || shape(luma) != shape(red) {
        return Err(runtime("Sizes of tensors must match except in dimension 3."));
    }
    let mut out = empty(context, luma.batch, luma.height, luma.width, 3)?;
    let width = luma.width;
    fill_rows(context, &mut out.data, width * 3, |y, row| {
        for (x, pixel) in row.chunks_exact_mut(3).enumerate() {
            let mean = |image: &ImageBatch| {
                let start = (y * width + x) * image.channels;
                let samples = image.data.get(start..start + image.channels).unwrap_or(&[]);
                samples.iter().sum::<f32>() / image.channels as f32
            };
            let (luma, blue, red) = (mean(luma), mean(blue) - 0.5, mean(red) - 0.5);
            pixel.copy_from_slice(&[
                (luma + 1.403 * red).clamp(0.0, 1.0),
                (luma - 0.714 * red - 0.344 * blue).clamp(0.0, 1.0),
                (luma + 1.773 * blue).clamp(0.0, 1.0),
            ]);
        }
    })?;
    image_of(out)
}
