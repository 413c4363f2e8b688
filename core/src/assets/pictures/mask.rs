//! Applies a mask to a picture: the picture's colours with the mask's alpha.

use image::DynamicImage;

use super::picture::{Picture, PictureError, PictureLimits, TaskOutput, stated_size};
use crate::assets::media::MediaType;

/// Returns the picture as a PNG with the mask's alpha. Fully transparent pixels keep their colours, so that the mask
/// can be edited later.
///
/// # Errors
/// [`PictureError::Sides`] if the sizes differ; [`PictureError::Blank`] for a mask with nothing drawn;
/// [`PictureError::Unreadable`].
pub(super) fn lay(
    mask: &[u8],
    (picture, media): (&[u8], MediaType),
    limits: PictureLimits,
) -> Result<TaskOutput<Vec<u8>>, PictureError> {
    // Compare the heads first, to decode only what fits. A photo's head states its sides before it is rotated.
    let sizes = (stated_size(mask, MediaType::Png), stated_size(picture, media));
    if let (Some((width, height)), Some((across, down))) = sizes
        && (width, height) != (across, down)
        && (width, height) != (down, across)
    {
        let reason = format!("the mask is {width} × {height} pixels, the picture {across} × {down}");
        return Err(PictureError::Sides { width, height, reason });
    }
    let mask = Picture::decode(mask, MediaType::Png, limits).map_err(PictureError::Unreadable)?.image.into_rgba8();
    if mask.pixels().all(|pixel| pixel.0[3] == u8::MAX) {
        return Err(PictureError::Blank);
    }
    let mut masked = Picture::decode(picture, media, limits).map_err(PictureError::Unreadable)?;
    let mut colours = masked.image.to_rgba8();
    if colours.dimensions() != mask.dimensions() {
        let (width, height) = mask.dimensions();
        let reason = "the mask has another size than the picture".to_owned();
        return Err(PictureError::Sides { width, height, reason });
    }
    for (colour, drawn) in colours.pixels_mut().zip(mask.pixels()) {
        colour.0[3] = drawn.0[3];
    }
    masked.image = DynamicImage::ImageRgba8(colours);
    let measures = masked.measure().map_err(PictureError::Unreadable)?;
    let file = masked.encode(MediaType::Png).map_err(PictureError::Unreadable)?;
    Ok(TaskOutput { measures: Some(measures), files: vec![Some(file)] })
}
