//! One part of a picture as a PNG: its colours without transparency, or its transparency alone.

use image::{DynamicImage, RgbaImage};

use super::channel::PictureChannel;
use super::picture::{Picture, PictureError, PictureLimits, TaskOutput};
use crate::assets::media::MediaType;

pub(super) fn extract(
    bytes: &[u8],
    media: MediaType,
    limits: PictureLimits,
    channel: PictureChannel,
) -> Result<TaskOutput<Vec<u8>>, PictureError> {
    let mut picture = Picture::decode(bytes, media, limits).map_err(PictureError::Unreadable)?;
    picture.image = match channel {
        PictureChannel::Colours => DynamicImage::ImageRgb8(picture.image.to_rgb8()),
        PictureChannel::Alpha => {
            let mut pixels: RgbaImage = picture.image.to_rgba8();
            for pixel in pixels.pixels_mut() {
                pixel.0 = [0, 0, 0, pixel.0[3]];
            }
            DynamicImage::ImageRgba8(pixels)
        }
    };
    let file = picture.encode(MediaType::Png).map_err(PictureError::Unreadable)?;
    Ok(TaskOutput { measures: None, files: vec![Some(file)] })
}
