//! Decodes untrusted pictures within limits, measures and resizes them. All functions are CPU-bound: call them from a
//! blocking thread.

use std::borrow::Cow;
use std::io::Cursor;
use std::path::PathBuf;

use image::codecs::bmp::BmpEncoder;
use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageEncoder, ImageFormat, ImageReader, Limits};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::channel::PictureChannel;
use super::frames::frames;
use crate::assets::clean::{self, Broken};
use crate::assets::media::{self, AssetKind, MediaType};
use crate::assets::storage::content_hash::ContentHash;
use crate::assets::storage::spool::Spool;
use crate::settings::Limits as Configured;

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(in crate::assets) struct PictureLimits {
    pixels: u64,
    side: u32,
    frames: u32,
    /// Maximum ratio of the longer to the shorter side of an upload.
    aspect: u32,
}

/// A decoded picture: its first frame, oriented as its metadata says.
pub(in crate::assets) struct Picture {
    pub image: DynamicImage,
    pub frames: u32,
    /// Whether its metadata had an orientation.
    was_turned: bool,
    /// Its ICC profile.
    profile: Option<Vec<u8>>,
}

/// Why a picture is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::assets) enum PictureError {
    /// The file has no bytes.
    Empty,
    /// The file is truncated.
    Cut,
    /// An unsupported format, by name.
    Format(&'static str),
    /// The size is beyond a limit, which `reason` names.
    Sides {
        width: u32,
        height: u32,
        reason: String,
    },
    Blank,
    Unreadable(String),
}

/// A task on a picture.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::assets) enum Task {
    /// Measure it, and remove everything else from its file.
    Clean,
    Resize(ResizeOptions),
    /// The input is a mask: apply it to the picture in this file.
    Mask {
        picture: PathBuf,
        media: MediaType,
    },
    /// Make a file of one part of it.
    Channel(PictureChannel),
}

/// The renditions to make of a picture.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::assets) struct ResizeOptions {
    /// Maximum width and height in pixels, and quality from 0 to 100.
    pub sizes: Vec<((u32, u32), f32)>,
    /// Whether to resize animations.
    pub of_animations: bool,
    pub measured: bool,
}

/// The result of a [`Task`].
#[derive(Debug, Clone)]
pub(in crate::assets) struct TaskOutput<F> {
    pub measures: Option<Measures>,
    /// For [`Task::Clean`]: the clean file if it differs, and the splice that restores the original. Otherwise one file
    /// per size, or none.
    pub files: Vec<Option<F>>,
}

impl TaskOutput<Vec<u8>> {
    pub fn spooled(self) -> TaskOutput<Spool> {
        TaskOutput {
            measures: self.measures,
            files: self.files.into_iter().map(|file| file.map(Spool::from)).collect(),
        }
    }
}

/// Limits for processing a picture in this process: file size, and decoded size. For larger ones the start of a process
/// does not matter, and a thread would keep their memory for a long time.
const IN_PROCESS_FILE_BYTES: u64 = 1 << 20;
const IN_PROCESS_DECODED_BYTES: u64 = 5 << 20;
/// Memory for reading a head, including the colour profile.
const HEAD_BYTES: u64 = 4 << 20;
/// Up to 16 bits in 4 channels, and a second copy that some decoders make.
const DECODING_BYTES: u64 = 16;

/// Measured properties of a picture or video.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measures {
    /// Displayed size in pixels.
    pub width: i32,
    pub height: i32,
    /// BlurHash placeholder, of a video's first frame.
    pub blur_hash: String,
    /// Set for videos that state it.
    pub duration_ms: Option<i64>,
    /// Digest of the pixels of a picture with one frame; the same in every lossless file of it.
    #[serde(default)]
    pub pixels: Option<ContentHash>,
}

impl From<&Configured> for PictureLimits {
    fn from(limits: &Configured) -> Self {
        Self {
            pixels: limits.image_pixels,
            side: limits.image_side,
            frames: limits.image_frames,
            aspect: limits.image_aspect,
        }
    }
}

impl PictureLimits {
    pub fn pixels(self) -> u64 {
        self.pixels
    }

    /// Refuses strips, which nodes of ComfyUI cannot process.
    pub fn check_aspect(self, width: i32, height: i32) -> Result<(), String> {
        let (long, short) = (width.max(height), width.min(height).max(1));
        if i64::from(long) > i64::from(short) * i64::from(self.aspect) {
            return Err(format!(
                "it is {width} × {height} pixels, the longer side may be {} times the shorter one",
                self.aspect
            ));
        }
        Ok(())
    }

    /// Refuses sizes beyond the limits.
    pub fn check(self, width: u32, height: u32) -> Result<(), String> {
        if width.max(height) > self.side {
            return Err(format!("it is {width} × {height} pixels, the longer side may be {}", self.side));
        }
        if u64::from(width) * u64::from(height) > self.pixels {
            return Err(format!("it is {width} × {height} pixels, at most {} in all are read", self.pixels));
        }
        Ok(())
    }
}

impl Picture {
    /// Decodes a picture. The size in its head is checked before memory is allocated.
    pub fn decode(bytes: &[u8], media: MediaType, limits: PictureLimits) -> Result<Self, String> {
        let format = format(media).ok_or("it is none of PNG, JPEG, WebP, GIF and BMP")?;
        let frames = frames(bytes, media);
        if frames > limits.frames {
            return Err(format!("it has more than {} frames", limits.frames));
        }
        let stated =
            stated_size(bytes, media).map_or(limits.pixels, |(width, height)| u64::from(width) * u64::from(height));
        let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
        let mut allowed = allowed(stated.min(limits.pixels).saturating_mul(DECODING_BYTES).saturating_add(HEAD_BYTES));
        allowed.max_image_width = Some(limits.side);
        allowed.max_image_height = Some(limits.side);
        reader.limits(allowed);
        let mut decoder = reader.into_decoder().map_err(|error| error.to_string())?;
        let (width, height) = decoder.dimensions();
        limits.check(width, height)?;
        let orientation = decoder.orientation().map_err(|error| error.to_string())?;
        let profile = decoder.icc_profile().unwrap_or_default();
        let mut image = DynamicImage::from_decoder(decoder).map_err(|error| error.to_string())?;
        image.apply_orientation(orientation);
        Ok(Self { image, frames, was_turned: orientation != Orientation::NoTransforms, profile })
    }

    /// Encodes the picture losslessly as PNG or WebP, otherwise as a bitmap.
    pub(super) fn encode(&self, media: MediaType) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let written = match media {
            MediaType::Png => self.write(PngEncoder::new(&mut bytes)),
            MediaType::Webp => self.write(WebPEncoder::new_lossless(&mut bytes)),
            _ => self.write(BmpEncoder::new(&mut bytes)),
        };
        written.map_err(|error| error.to_string())?;
        Ok(bytes)
    }

    fn write(&self, mut encoder: impl ImageEncoder) -> image::ImageResult<()> {
        // A profile for another colour space would spoil the colours: a JPEG for print, for example, is decoded as RGB.
        let colours: &[u8] = if self.image.color().has_color() { b"RGB " } else { b"GRAY" };
        if let Some(profile) = self.profile.as_ref().filter(|profile| profile.get(16..20) == Some(colours)) {
            // Formats without profiles are read as sRGB.
            drop(encoder.set_icc_profile(profile.clone()));
        }
        self.image.write_with_encoder(encoder)
    }

    pub fn measure(&self) -> Result<Measures, String> {
        let side = |pixels: u32| i32::try_from(pixels).map_err(|_| "it is too large".to_owned());
        let small = fit(&self.image, (32, 32))?.to_rgb8();
        Ok(Measures {
            width: side(self.image.width())?,
            height: side(self.image.height())?,
            blur_hash: verdigraph_pixels::blur::encode(&small),
            duration_ms: None,
            pixels: (self.frames == 1).then(|| self.digest()),
        })
    }

    /// Digest of the displayed pixels.
    fn digest(&self) -> ContentHash {
        let mut digest = Sha256::new();
        verdigraph_pixels::each_row(&self.image, &mut |bytes| digest.update(bytes));
        ContentHash::of_digest(&digest.finalize())
    }

    /// A lossy WebP that fits `size` in pixels; smaller pictures keep their size.
    pub fn webp(&self, size: (u32, u32), quality: f32) -> Result<Vec<u8>, String> {
        let fitted = fit(&self.image, size)?;
        let (across, down) = (fitted.width(), fitted.height());
        let encoder = match &*fitted {
            DynamicImage::ImageRgba8(pixels) => webp::Encoder::from_rgba(pixels, across, down),
            DynamicImage::ImageRgb8(pixels) => webp::Encoder::from_rgb(pixels, across, down),
            _ => return Err("it has other colours than red, green and blue".to_owned()),
        };
        let encoded = encoder.encode(quality);
        if encoded.is_empty() {
            return Err("it cannot be encoded as WebP".to_owned());
        }
        Ok(encoded.to_vec())
    }
}

fn fit(image: &DynamicImage, (widest, highest): (u32, u32)) -> Result<Cow<'_, DynamicImage>, String> {
    let (width, height) = (image.width(), image.height());
    let plain = verdigraph_pixels::plain(image);
    if width <= widest && height <= highest {
        return Ok(plain);
    }
    // The side that shrinks most decides; the other one follows, rounded.
    let follow = |other: u32, side: u32, cut: u32| {
        let exact = (u64::from(other) * u64::from(cut) + u64::from(side) / 2) / u64::from(side.max(1));
        u32::try_from(exact).unwrap_or(cut).max(1)
    };
    let by_width = u64::from(width) * u64::from(highest) >= u64::from(height) * u64::from(widest);
    let (across, down) = match by_width {
        true => (widest, follow(height, width, widest)),
        false => (follow(width, height, highest), highest),
    };
    verdigraph_pixels::resized(&plain, across, down).map(Cow::Owned)
}

/// A picture's file without metadata, and its measures.
///
/// Pixels do not change. A JPEG keeps its orientation, which workers and browsers apply. Other still pictures with an
/// orientation are rotated and encoded again without loss. Animations are never rotated.
pub(in crate::assets) fn clean_picture(
    bytes: &[u8],
    media: MediaType,
    limits: PictureLimits,
) -> Result<(Vec<u8>, Measures), PictureError> {
    let clean = strip(bytes, media, limits)?;
    let (measures, encoded) = measure_stripped(bytes, &clean, media, limits)?;
    Ok((encoded.unwrap_or(clean), measures))
}

/// A picture's file without metadata. It is not decoded: only [`measure_stripped`] finds out whether it can be.
pub(in crate::assets) fn strip(bytes: &[u8], media: MediaType, limits: PictureLimits) -> Result<Vec<u8>, PictureError> {
    check_head(bytes, media)?;
    // The head of a truncated file still gives a more precise error.
    check_stated(bytes, media, limits)?;
    clean::picture(bytes, media).map_err(|broken| match broken {
        Broken::Cut => PictureError::Cut,
        Broken::Malformed(reason) => PictureError::Unreadable(reason.to_owned()),
    })
}

/// The measures of a picture, by its file and its stripped file; and the file to use instead of the latter, if it has to be
/// encoded again.
pub(in crate::assets) fn measure_stripped(
    bytes: &[u8],
    stripped: &[u8],
    media: MediaType,
    limits: PictureLimits,
) -> Result<(Measures, Option<Vec<u8>>), PictureError> {
    // The stripped JPEG states its orientation in the common way; for other formats only the original does.
    let seen = if media == MediaType::Jpeg { stripped } else { bytes };
    // The same for its size, if there were stray bytes between segments.
    check_stated(seen, media, limits)?;
    let picture = Picture::decode(seen, media, limits).map_err(PictureError::Unreadable)?;
    let measures = picture.measure().map_err(PictureError::Unreadable)?;
    let is_turned = picture.was_turned && picture.frames == 1 && media != MediaType::Jpeg;
    if !is_turned && media != MediaType::Bmp {
        return Ok((measures, None));
    }
    Ok((measures, Some(picture.encode(media).map_err(PictureError::Unreadable)?)))
}

fn check_stated(bytes: &[u8], media: MediaType, limits: PictureLimits) -> Result<(), PictureError> {
    let Some((width, height)) = stated_size(bytes, media) else { return Ok(()) };
    limits.check(width, height).map_err(|reason| PictureError::Sides { width, height, reason })
}

/// Refuses files whose first bytes are not those of a picture.
pub(in crate::assets) fn check_head(head: &[u8], media: MediaType) -> Result<(), PictureError> {
    if head.is_empty() {
        return Err(PictureError::Empty);
    }
    if media.kind() == AssetKind::Image {
        return Ok(());
    }
    Err(match media::foreign(head) {
        Some(format) => PictureError::Format(format),
        None => PictureError::Unreadable("it is none of PNG, JPEG, WebP, GIF and BMP".to_owned()),
    })
}

/// Whether a file of this size may be read into this process.
pub(in crate::assets) fn is_short(file_bytes: u64) -> bool {
    file_bytes <= IN_PROCESS_FILE_BYTES
}

/// Whether a picture is small enough to be processed in this process.
pub(in crate::assets) fn is_small(bytes: &[u8], media: MediaType) -> bool {
    let decoded = decoder(bytes, media).map(|decoder| decoder.total_bytes());
    is_short(bytes.len() as u64) && decoded.is_some_and(|decoded| decoded <= IN_PROCESS_DECODED_BYTES)
}

/// The size stated in a picture's head.
pub(super) fn stated_size(bytes: &[u8], media: MediaType) -> Option<(u32, u32)> {
    decoder(bytes, media).map(|decoder| decoder.dimensions())
}

/// A decoder that has only read the head.
fn decoder(bytes: &[u8], media: MediaType) -> Option<impl ImageDecoder> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format(media)?);
    reader.limits(allowed(HEAD_BYTES));
    reader.into_decoder().ok()
}

fn allowed(bytes: u64) -> Limits {
    let mut allowed = Limits::default();
    allowed.max_alloc = Some(bytes);
    allowed
}

fn format(media: MediaType) -> Option<ImageFormat> {
    match media {
        MediaType::Png => Some(ImageFormat::Png),
        MediaType::Jpeg => Some(ImageFormat::Jpeg),
        MediaType::Webp => Some(ImageFormat::WebP),
        MediaType::Gif => Some(ImageFormat::Gif),
        MediaType::Bmp => Some(ImageFormat::Bmp),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
