//! A mask laid into a picture: the picture's colours, the mask's alpha.

use image::DynamicImage;

use super::picture::{Made, Picture, PictureLimits, Wrong, stated_size};
use crate::assets::media::MediaType;

/// The picture with the alpha of the mask, a PNG, as a PNG. Colours below full transparency stay: whoever paints over the
/// mask later finds them again.
///
/// # Errors
/// What cannot be read; [`Wrong::Sides`] where the two have other sizes; [`Wrong::Blank`] for a mask with nothing drawn.
pub(super) fn lay(
    mask: &[u8],
    (picture, media): (&[u8], MediaType),
    limits: PictureLimits,
) -> Result<Made<Vec<u8>>, Wrong> {
    // Heads before pixels: what does not fit is not decoded.
    let sizes = (stated_size(mask, MediaType::Png), stated_size(picture, media));
    if let (Some((width, height)), Some((across, down))) = sizes
        && (width, height) != (across, down)
    {
        let reason = format!("the mask is {width} × {height} pixels, the picture {across} × {down}");
        return Err(Wrong::Sides { width, height, reason });
    }
    let mask = Picture::decode(mask, MediaType::Png, limits).map_err(Wrong::Unreadable)?.image.into_rgba8();
    if mask.pixels().all(|pixel| pixel.0[3] == u8::MAX) {
        return Err(Wrong::Blank);
    }
    let mut masked = Picture::decode(picture, media, limits).map_err(Wrong::Unreadable)?;
    let mut colours = masked.image.to_rgba8();
    if colours.dimensions() != mask.dimensions() {
        let (width, height) = mask.dimensions();
        let reason = "the mask has another size than the picture".to_owned();
        return Err(Wrong::Sides { width, height, reason });
    }
    for (colour, drawn) in colours.pixels_mut().zip(mask.pixels()) {
        colour.0[3] = drawn.0[3];
    }
    masked.image = DynamicImage::ImageRgba8(colours);
    let measures = masked.measure().map_err(Wrong::Unreadable)?;
    let file = masked.encode(MediaType::Png).map_err(Wrong::Unreadable)?;
    Ok(Made { measures: Some(measures), files: vec![Some(file)] })
}
