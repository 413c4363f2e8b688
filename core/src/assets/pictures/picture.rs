//! Pictures from outside: decoded within limits, measured, and made smaller. Everything here computes; call it from
//! a blocking thread.

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

use super::frames::frames;
use crate::assets::clean::{self, Broken};
use crate::assets::media::{self, AssetKind, MediaType};
use crate::assets::storage::content_hash::ContentHash;
use crate::assets::storage::spool::Spool;
use crate::settings::Limits as Configured;

/// How large a picture may be.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(in crate::assets) struct PictureLimits {
    pixels: u64,
    side: u32,
    frames: u32,
    /// How often the shorter side may fit the longer one, in what people upload.
    aspect: u32,
}

/// A decoded picture: its first frame, turned as its metadata says.
pub(in crate::assets) struct Picture {
    pub image: DynamicImage,
    pub frames: u32,
    /// Whether its metadata said that it is to be turned.
    was_turned: bool,
    /// The ICC profile that came with it.
    profile: Option<Vec<u8>>,
}

/// Why a picture is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::assets) enum Wrong {
    /// There is not one byte.
    Empty,
    /// It stops before its end.
    Cut,
    /// It is of a format that is not taken; the name of it.
    Format(&'static str),
    /// Its sides are beyond a limit, and which.
    Sides { width: u32, height: u32, reason: String },
    /// A mask with nothing drawn.
    Blank,
    /// Anything else.
    Unreadable(String),
}

/// What is to be done with a picture.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::assets) enum Task {
    /// Measure it, and take everything else out of its file.
    Clean,
    /// Make smaller ones of it.
    Editions(Editions),
    /// It is a mask: lay it into the picture of this file.
    Mask { picture: PathBuf, media: MediaType },
}

/// Smaller pictures that are made of one.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::assets) struct Editions {
    /// What each fits, across and down, in pixels; and its quality, from 0 to 100.
    pub sizes: Vec<((u32, u32), f32)>,
    /// Whether an animation has any.
    pub of_animations: bool,
    pub measured: bool,
}

/// What was made of a picture.
#[derive(Debug, Clone)]
pub(in crate::assets) struct Made<F> {
    pub measures: Option<Measures>,
    /// Of a cleaned picture: its file, where that is another one now, and the splice that makes the old one of it. Else one
    /// for each edition, or none.
    pub files: Vec<Option<F>>,
}

impl Made<Vec<u8>> {
    /// The same with files that are on their way.
    pub fn spooled(self) -> Made<Spool> {
        Made { measures: self.measures, files: self.files.into_iter().map(|file| file.map(Spool::from)).collect() }
    }
}

/// Pictures are worked on in this process up to here: bytes of the file, and of the picture as it is decoded. Beside what
/// a larger file takes, the start of a process is little; and a thread that works on one keeps memory for long after it.
const HERE_FILE_BYTES: u64 = 1 << 20;
const HERE_DECODED_BYTES: u64 = 5 << 20;
/// What reading a head may take, colour profile and all.
const HEAD_BYTES: u64 = 4 << 20;
/// Up to 16 bits for each of 4 channels, and a second copy that some decoders make.
const DECODING_BYTES: u64 = 16;

/// What is kept about a picture or a video.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measures {
    /// In pixels, as it is seen.
    pub width: i32,
    pub height: i32,
    /// A placeholder in BlurHash form; of a video's first frame.
    pub blur_hash: String,
    /// Of videos that tell it.
    pub duration_ms: Option<i64>,
    /// The digest of the pixels of a picture with one frame: the same in every file of it that loses nothing.
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
    /// Pixels of one frame at most.
    pub fn pixels(self) -> u64 {
        self.pixels
    }

    /// Refuses a strip, which nodes of ComfyUI cannot work with.
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

    /// Refuses sizes beyond the limits, and says which one.
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
    /// Decodes a picture. The sizes that its head states are checked before anything is made room for.
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

    /// The picture in a new file of its kind, without loss: a PNG, a WebP, or else a bitmap.
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
        // A profile for other colours than these (a JPEG for print is read as red, green and blue) would spoil them.
        let colours: &[u8] = if self.image.color().has_color() { b"RGB " } else { b"GRAY" };
        if let Some(profile) = self.profile.as_ref().filter(|profile| profile.get(16..20) == Some(colours)) {
            // What cannot hold a profile is read as sRGB everywhere.
            drop(encoder.set_icc_profile(profile.clone()));
        }
        self.image.write_with_encoder(encoder)
    }

    /// Size and placeholder.
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

    /// The digest of what is seen.
    fn digest(&self) -> ContentHash {
        let mut digest = Sha256::new();
        verdigraph_pixels::each_row(&self.image, &mut |bytes| digest.update(bytes));
        ContentHash::of_digest(&digest.finalize())
    }

    /// A lossy WebP that is at most as wide and as high as `size`, in pixels; smaller pictures keep their size.
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
    // The side that is cut most decides, and the other one follows it, rounded.
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

/// The file of a picture with nothing else in it, and its measures.
///
/// Pixels stay as they are. A JPEG also keeps its orientation, by which workers and browsers turn it. A picture of another
/// kind that is to be turned is turned and written again, without loss. An animation is never turned.
pub(in crate::assets) fn cleaned(
    bytes: &[u8],
    media: MediaType,
    limits: PictureLimits,
) -> Result<(Vec<u8>, Measures), Wrong> {
    taken(bytes, media)?;
    // The head stands at the beginning, and says more than where the file was cut off.
    check_stated(bytes, media, limits)?;
    let clean = clean::picture(bytes, media).map_err(|broken| match broken {
        Broken::Cut => Wrong::Cut,
        Broken::Malformed(reason) => Wrong::Unreadable(reason.to_owned()),
    })?;
    // The clean JPEG states its orientation as everybody reads it; of the others only the original does.
    let seen = if media == MediaType::Jpeg { &clean } else { bytes };
    // So does its size, where other bytes stood between the segments.
    check_stated(seen, media, limits)?;
    let picture = Picture::decode(seen, media, limits).map_err(Wrong::Unreadable)?;
    let measures = picture.measure().map_err(Wrong::Unreadable)?;
    let is_turned = picture.was_turned && picture.frames == 1 && media != MediaType::Jpeg;
    let clean =
        if is_turned || media == MediaType::Bmp { picture.encode(media).map_err(Wrong::Unreadable)? } else { clean };
    Ok((clean, measures))
}

/// Refuses a picture that states a size beyond the limits.
fn check_stated(bytes: &[u8], media: MediaType, limits: PictureLimits) -> Result<(), Wrong> {
    let Some((width, height)) = stated_size(bytes, media) else { return Ok(()) };
    limits.check(width, height).map_err(|reason| Wrong::Sides { width, height, reason })
}

/// Refuses what its first bytes show to be no picture.
pub(in crate::assets) fn taken(head: &[u8], media: MediaType) -> Result<(), Wrong> {
    if head.is_empty() {
        return Err(Wrong::Empty);
    }
    if media.kind() == AssetKind::Image {
        return Ok(());
    }
    Err(match media::foreign(head) {
        Some(format) => Wrong::Format(format),
        None => Wrong::Unreadable("it is none of PNG, JPEG, WebP, GIF and BMP".to_owned()),
    })
}

/// Whether a picture of so many bytes may be read whole in this process.
pub(in crate::assets) fn is_short(file_bytes: u64) -> bool {
    file_bytes <= HERE_FILE_BYTES
}

/// Whether a picture takes so little that it may be worked on in this process.
pub(in crate::assets) fn is_small(bytes: &[u8], media: MediaType) -> bool {
    let decoded = decoder(bytes, media).map(|decoder| decoder.total_bytes());
    is_short(bytes.len() as u64) && decoded.is_some_and(|decoded| decoded <= HERE_DECODED_BYTES)
}

/// The size that the head of a picture states.
pub(super) fn stated_size(bytes: &[u8], media: MediaType) -> Option<(u32, u32)> {
    decoder(bytes, media).map(|decoder| decoder.dimensions())
}

/// What has read the head of a picture and nothing more.
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
