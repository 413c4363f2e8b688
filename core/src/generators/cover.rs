//! Covers of generators: soft spots of colour, drawn from the name, so that cards can be told apart before there are
//! results.

use std::io::Cursor;

use image::{ImageFormat, Rgb, RgbImage};
use sha2::{Digest as _, Sha256};

use super::recipe::Task;
use crate::{Error, Result};

/// Width and height in pixels.
const SIDE: u32 = 512;
/// Spots of colour.
const SPOTS: usize = 5;

/// A ground and three colours for each kind of task.
fn palette(task: Task) -> [[f32; 3]; 4] {
    match task {
        Task::TextToImage => [[24., 16., 58.], [116., 74., 236.], [236., 92., 168.], [255., 184., 108.]],
        Task::ImageToImage => [[10., 38., 52.], [32., 164., 176.], [98., 112., 240.], [246., 214., 130.]],
        Task::Inpaint => [[40., 14., 40.], [210., 72., 128.], [120., 60., 200.], [255., 160., 140.]],
        Task::Upscale => [[12., 30., 26.], [52., 168., 110.], [180., 220., 90.], [80., 200., 200.]],
        Task::TextToVideo | Task::ImageToVideo | Task::FramesToVideo | Task::VideoToVideo => {
            [[14., 18., 46.], [48., 110., 240.], [130., 80., 230.], [90., 220., 230.]]
        }
        Task::TextToAudio | Task::SoundToSound => {
            [[44., 18., 16.], [232., 96., 60.], [250., 170., 60.], [190., 60., 120.]]
        }
        Task::TextTo3D | Task::ImageTo3D => [[18., 24., 34.], [96., 128., 168.], [214., 196., 168.], [84., 176., 196.]],
        Task::RemoveBackground | Task::SwapFace => {
            [[20., 34., 44.], [90., 190., 170.], [240., 190., 120.], [110., 130., 220.]]
        }
        Task::DescribeImage => [[26., 26., 34.], [150., 150., 200.], [220., 180., 140.], [100., 170., 190.]],
    }
}

/// A PNG for a generator with this name.
///
/// # Errors
/// If it cannot be encoded.
pub(super) fn png(task: Task, name: &str) -> Result<Vec<u8>> {
    let digest: [u8; 32] = Sha256::digest(name.as_bytes()).into();
    let [ground, colors @ ..] = palette(task);
    let unit = |at: usize| f32::from(digest[at % digest.len()]) / 255.0;
    let spots: Vec<([f32; 2], f32, [f32; 3])> = (0..SPOTS)
        .map(|spot| {
            let place = [unit(spot * 3), unit(spot * 3 + 1)];
            (place, 0.25 + 0.35 * unit(spot * 3 + 2), colors[spot % colors.len()])
        })
        .collect();
    let image = RgbImage::from_fn(SIDE, SIDE, |x, y| {
        let [x, y] =
            [x, y].map(|at| f32::from(u16::try_from(at).unwrap_or(0)) / f32::from(u16::try_from(SIDE).unwrap_or(1)));
        let mut color = ground;
        for ([left, top], radius, spot) in &spots {
            let distance = (x - left).powi(2) + (y - top).powi(2);
            let weight = (-distance / (radius * radius)).exp() * 0.85;
            for (channel, own) in color.iter_mut().zip(spot) {
                *channel += (own - *channel) * weight;
            }
        }
        Rgb(color.map(byte))
    });
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png).map_err(|error| Error::Internal(format!("a cover: {error}")))?;
    Ok(bytes.into_inner())
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn byte(value: f32) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}
