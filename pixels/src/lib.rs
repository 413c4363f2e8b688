//! Operations on pixels, in a separate crate that is always optimized (also in tests and at a first start).

pub mod blur;

use std::borrow::Cow;

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::{U8x3, U8x4};
use fast_image_resize::{PixelTrait, Resizer};
use image::{DynamicImage, RgbImage, RgbaImage};

/// Resizes a [`plain`] picture.
///
/// The two pixel types are named explicitly, so that the convolution is compiled for these two and not for all
/// thirteen.
///
/// # Errors
/// If a side is 0, or the buffer does not fit the size.
pub fn resized(picture: &DynamicImage, width: u32, height: u32) -> Result<DynamicImage, String> {
    let sides = (picture.width(), picture.height());
    match picture {
        DynamicImage::ImageRgb8(pixels) => {
            let mut target = RgbImage::new(width, height);
            convolve::<U8x3>(sides, pixels.as_raw(), (width, height), &mut target)?;
            Ok(DynamicImage::ImageRgb8(target))
        }
        DynamicImage::ImageRgba8(pixels) => {
            let mut target = RgbaImage::new(width, height);
            convolve::<U8x4>(sides, pixels.as_raw(), (width, height), &mut target)?;
            Ok(DynamicImage::ImageRgba8(target))
        }
        other => resized(&plain(other), width, height),
    }
}

/// Converts a picture to RGB or RGBA with 8 bits per channel, for placeholders and WebP.
#[must_use]
pub fn plain(picture: &DynamicImage) -> Cow<'_, DynamicImage> {
    match picture {
        DynamicImage::ImageRgba8(_) | DynamicImage::ImageRgb8(_) => Cow::Borrowed(picture),
        _ if picture.color().has_alpha() => Cow::Owned(DynamicImage::ImageRgba8(picture.to_rgba8())),
        _ => Cow::Owned(DynamicImage::ImageRgb8(picture.to_rgb8())),
    }
}

/// Feeds the pixels of a plain picture to a digest, row by row, so that all files of one picture have the same digest:
/// opaque alpha channels and the colours of transparent pixels are ignored.
pub fn each_row(picture: &DynamicImage, digest: &mut dyn FnMut(&[u8])) {
    let plain = plain(picture);
    let (width, height) = (plain.width(), plain.height());
    digest(&width.to_be_bytes());
    digest(&height.to_be_bytes());
    match &*plain {
        DynamicImage::ImageRgba8(pixels) if pixels.pixels().any(|pixel| pixel.0[3] != u8::MAX) => {
            digest(b"alpha");
            for row in pixels.rows() {
                let row: Vec<u8> = row.flat_map(|pixel| if pixel.0[3] == 0 { [0; 4] } else { pixel.0 }).collect();
                digest(&row);
            }
        }
        DynamicImage::ImageRgba8(pixels) => {
            for row in pixels.rows() {
                let row: Vec<u8> = row.flat_map(|pixel| [pixel.0[0], pixel.0[1], pixel.0[2]]).collect();
                digest(&row);
            }
        }
        other => digest(other.as_bytes()),
    }
}

/// Lanczos3 with premultiplied alpha.
fn convolve<P: PixelTrait>(
    (width, height): (u32, u32),
    source: &[u8],
    (across, down): (u32, u32),
    target: &mut [u8],
) -> Result<(), String> {
    if [width, height, across, down].contains(&0) {
        return Err("a side is 0".to_owned());
    }
    let source = TypedImageRef::<P>::from_buffer(width, height, source).map_err(|error| error.to_string())?;
    let mut target = TypedImage::<P>::from_buffer(across, down, target).map_err(|error| error.to_string())?;
    Resizer::new().resize_typed(&source, &mut target, None).map_err(|error| error.to_string())
}
