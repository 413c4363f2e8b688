//! GET /view: a file, or a re-encoded picture.

use std::collections::HashMap;
use std::fs::Metadata;
use std::io::{BufRead, BufReader, Cursor, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use actix_web::body::SizedStream;
use actix_web::http::header::{self, HttpDate};
use actix_web::http::{Method, StatusCode};
use actix_web::web::{Data, Query};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, GrayImage, ImageFormat, ImageReader, RgbaImage};
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio_util::io::ReaderStream;
use verdigraph_core::graph::ComfyVersion;

use super::files::{annotated, under};
use super::worker::Worker;
use crate::cpu::budget::Reservation;

/// Default quality of a preview.
const QUALITY: u8 = 90;
/// Memory limit for decoding a picture.
const DECODE_BYTES: u64 = 1 << 30;
/// Memory limit for reading a picture's header.
const HEAD_BYTES: u64 = 8 << 20;
/// Bytes per pixel: decoded with four channels of 16 bits, converted to bytes, and encoded.
const PIXEL_BYTES: u64 = 24;

pub(super) async fn view(
    worker: Data<Worker>,
    query: Query<HashMap<String, String>>,
    request: HttpRequest,
) -> HttpResponse {
    let path = match locate(&worker, &query) {
        Ok(path) => path,
        Err(status) => return HttpResponse::new(status),
    };
    let Ok(metadata) = tokio::fs::metadata(&path).await else {
        return HttpResponse::NotFound().finish();
    };
    if !metadata.is_file() {
        return HttpResponse::NotFound().finish();
    }
    let channel = query.get("channel").map(String::as_str).unwrap_or_default();
    let picture = match query.get("preview") {
        Some(preview) => Picture::preview(preview, channel),
        None if channel == "rgb" => Picture::Rgb,
        None if channel == "a" => Picture::Alpha,
        None => return file(worker.options.like, &path, &metadata, &request).await,
    };
    let name = disposition(&path);
    match actix_web::web::block(move || picture.encode(&path, &worker)).await {
        Ok(Ok((kind, bytes))) => {
            HttpResponse::Ok().content_type(kind).insert_header((header::CONTENT_DISPOSITION, name)).body(bytes)
        }
        Ok(Err(PictureError::Broken(refusal))) => HttpResponse::BadRequest().body(refusal),
        Ok(Err(PictureError::OutOfMemory)) => out_of_memory(),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

/// The requested file. Folders in the name are dropped.
fn locate(worker: &Worker, query: &HashMap<String, String>) -> Result<PathBuf, StatusCode> {
    let name = query.get("filename").ok_or(StatusCode::NOT_FOUND)?;
    let (name, annotated) = annotated(name);
    if name.is_empty() || name.starts_with('/') || name.contains("..") || name.contains('\0') {
        return Err(StatusCode::BAD_REQUEST);
    }
    let kind = annotated.unwrap_or_else(|| query.get("type").map_or("output", String::as_str));
    let base = worker.folders.by_type(kind).ok_or(StatusCode::BAD_REQUEST)?;
    let subfolder = query.get("subfolder").map_or("", String::as_str);
    let folder = under(base, subfolder).ok_or(StatusCode::FORBIDDEN)?;
    let name = Path::new(name).file_name().and_then(|name| name.to_str()).ok_or(StatusCode::BAD_REQUEST)?;
    under(&folder, name).ok_or(StatusCode::FORBIDDEN)
}

/// How to re-encode a picture.
#[derive(Clone, Copy)]
enum Picture {
    /// Colors as PNG.
    Rgb,
    /// Alpha of a black picture as PNG.
    Alpha,
    Webp {
        quality: u8,
        keep_alpha: bool,
    },
    Jpeg {
        quality: u8,
    },
}

impl Picture {
    /// `jpeg;70`, `webp;90`; anything else, and a request for alpha, is WebP.
    fn preview(preview: &str, channel: &str) -> Self {
        let quality = preview.rsplit(';').next().and_then(|number| number.parse::<u8>().ok());
        let quality = quality.map_or(QUALITY, |quality| quality.clamp(1, 100));
        let is_jpeg = preview.split(';').next() == Some("jpeg") && !channel.contains('a');
        if is_jpeg { Self::Jpeg { quality } } else { Self::Webp { quality, keep_alpha: channel != "rgb" } }
    }

    /// Reads the file. Returns content type and bytes.
    fn encode(self, path: &Path, worker: &Worker) -> Result<(&'static str, Vec<u8>), PictureError> {
        let (picture, _held) = read_picture(path, worker)?;
        self.written(&picture).map_err(PictureError::Broken)
    }

    fn written(self, picture: &DynamicImage) -> Result<(&'static str, Vec<u8>), String> {
        match self {
            Self::Rgb => png(DynamicImage::ImageRgb8(picture.to_rgb8())),
            Self::Alpha => png(alpha(picture)),
            Self::Jpeg { quality } => {
                let mut bytes = Vec::new();
                let encoded = picture.to_rgb8().write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, quality));
                encoded.map_err(|error| error.to_string())?;
                Ok(("image/jpeg", bytes))
            }
            Self::Webp { quality, keep_alpha } => {
                let has_alpha = keep_alpha && picture.color().has_alpha();
                let encoded = if has_alpha {
                    let picture = picture.to_rgba8();
                    webp::Encoder::from_rgba(&picture, picture.width(), picture.height())
                        .encode_simple(false, f32::from(quality))
                } else {
                    let picture = picture.to_rgb8();
                    webp::Encoder::from_rgb(&picture, picture.width(), picture.height())
                        .encode_simple(false, f32::from(quality))
                };
                let encoded = encoded.map_err(|error| format!("webp: {error:?}"))?;
                Ok(("image/webp", encoded.to_vec()))
            }
        }
    }
}

/// Why a picture cannot be read.
pub(super) enum PictureError {
    Broken(String),
    /// Other prompts and requests use all the memory.
    OutOfMemory,
}

/// Decodes a file within the limits and its memory reservation.
pub(super) fn read_picture(path: &Path, worker: &Worker) -> Result<(DynamicImage, Reservation), PictureError> {
    let open =
        || std::fs::File::open(path).map(BufReader::new).map_err(|error| PictureError::Broken(error.to_string()));
    decode(open()?, open()?, worker)
}

/// Decodes a picture from two readers. One is for the header, whose size is checked before pixels are allocated.
pub(super) fn decode(
    head: impl BufRead + Seek,
    whole: impl BufRead + Seek,
    worker: &Worker,
) -> Result<(DynamicImage, Reservation), PictureError> {
    let broken = |error: String| PictureError::Broken(error);
    let side = u32::try_from(worker.options.max_side).unwrap_or(u32::MAX);
    let mut reader = ImageReader::new(head).with_guessed_format().map_err(|error| broken(error.to_string()))?;
    reader.limits(limits(side, HEAD_BYTES));
    let (width, height) = reader.into_dimensions().map_err(|error| broken(error.to_string()))?;
    let bytes = u64::from(width) * u64::from(height) * PIXEL_BYTES + HEAD_BYTES;
    let held = worker.reserve(usize::try_from(bytes).unwrap_or(usize::MAX)).ok_or(PictureError::OutOfMemory)?;
    let mut reader = ImageReader::new(whole).with_guessed_format().map_err(|error| broken(error.to_string()))?;
    reader.limits(limits(side, bytes.min(DECODE_BYTES)));
    Ok((reader.decode().map_err(|error| broken(error.to_string()))?, held))
}

/// The answer if memory is used up. The request may succeed later.
pub(super) fn out_of_memory() -> HttpResponse {
    HttpResponse::ServiceUnavailable().insert_header((header::RETRY_AFTER, "5")).body("the worker's memory is used up")
}

fn limits(side: u32, bytes: u64) -> image::Limits {
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(side);
    limits.max_image_height = Some(side);
    limits.max_alloc = Some(bytes);
    limits
}

fn png(picture: DynamicImage) -> Result<(&'static str, Vec<u8>), String> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).map_err(|error| error.to_string())?;
    Ok(("image/png", bytes.into_inner()))
}

/// A black picture with this one's alpha; opaque without one.
fn alpha(picture: &DynamicImage) -> DynamicImage {
    let (width, height) = (picture.width(), picture.height());
    let alpha = if picture.color().has_alpha() {
        GrayImage::from_fn(width, height, |x, y| image::Luma([image::GenericImageView::get_pixel(picture, x, y).0[3]]))
    } else {
        GrayImage::from_pixel(width, height, image::Luma([255]))
    };
    let black = RgbaImage::from_fn(width, height, |x, y| image::Rgba([0, 0, 0, alpha.get_pixel(x, y).0[0]]));
    DynamicImage::ImageRgba8(black)
}

/// The content type by file name. Types that a browser would run as page, style or script are sent as plain bytes.
pub(super) fn content_type(path: &Path) -> String {
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    if is_executable(path) { "application/octet-stream".to_owned() } else { kind.essence_str().to_owned() }
}

fn is_executable(path: &Path) -> bool {
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    let runs = ["text/html", "application/xhtml+xml", "text/css", "text/javascript", "application/javascript"];
    runs.contains(&kind.essence_str())
}

/// Whether a browser should download the file instead of showing it, since 0.33.0. Includes SVG, which may contain
/// scripts.
fn is_attachment(like: ComfyVersion, path: &Path) -> bool {
    let is_drawing = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
    like >= ComfyVersion::V0_33_0 && (is_drawing || is_executable(path))
}

/// `filename="…"` without quotes and control characters.
fn disposition(path: &Path) -> header::HeaderValue {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name: String = name.chars().filter(|letter| !letter.is_control() && *letter != '"').collect();
    let value = header::HeaderValue::from_bytes(format!("filename=\"{name}\"").as_bytes());
    value.unwrap_or_else(|_| header::HeaderValue::from_static("filename=\"file\""))
}

/// The same as an attachment.
fn as_attachment(disposition: &header::HeaderValue) -> header::HeaderValue {
    let value = header::HeaderValue::from_bytes(&[b"attachment; ", disposition.as_bytes()].concat());
    value.unwrap_or_else(|_| header::HeaderValue::from_static("attachment"))
}

/// Sends a file, a range of it, or "not modified".
async fn file(like: ComfyVersion, path: &Path, metadata: &Metadata, request: &HttpRequest) -> HttpResponse {
    let changed = metadata.modified().unwrap_or(UNIX_EPOCH);
    let nanos = changed.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let tag = format!("\"{nanos:x}-{:x}\"", metadata.len());
    let mut response = HttpResponseBuilder::new(StatusCode::OK);
    response
        .content_type(content_type(path))
        .insert_header((header::CONTENT_DISPOSITION, disposition(path)))
        .insert_header((header::ETAG, tag.clone()))
        .insert_header((header::LAST_MODIFIED, HttpDate::from(changed)))
        .insert_header((header::ACCEPT_RANGES, "bytes"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"));
    if is_attachment(like, path) {
        response
            .content_type("application/octet-stream")
            .insert_header((header::CONTENT_DISPOSITION, as_attachment(&disposition(path))))
            .insert_header((header::CACHE_CONTROL, "no-store"));
    }
    if is_known(request, &tag, changed) {
        return response.status(StatusCode::NOT_MODIFIED).finish();
    }
    let len = metadata.len();
    let (start, part) = match range(request, len) {
        Range::Whole => (0, len),
        Range::Part(start, part) => {
            let shown = format!("bytes {start}-{}/{len}", start + part - 1);
            response.status(StatusCode::PARTIAL_CONTENT).insert_header((header::CONTENT_RANGE, shown));
            (start, part)
        }
        Range::Outside => {
            let shown = format!("bytes */{len}");
            return response
                .status(StatusCode::RANGE_NOT_SATISFIABLE)
                .insert_header((header::CONTENT_RANGE, shown))
                .finish();
        }
    };
    if request.method() == Method::HEAD {
        return response.body(SizedStream::new(part, futures_util::stream::empty::<std::io::Result<bytes::Bytes>>()));
    }
    let Ok(mut file) = tokio::fs::File::open(path).await else {
        return HttpResponse::NotFound().finish();
    };
    if start > 0 && file.seek(SeekFrom::Start(start)).await.is_err() {
        return HttpResponse::InternalServerError().finish();
    }
    response.body(SizedStream::new(part, ReaderStream::with_capacity(file.take(part), 64 << 10)))
}

fn is_known(request: &HttpRequest, tag: &str, changed: SystemTime) -> bool {
    let text = |name: header::HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok());
    if let Some(tags) = text(header::IF_NONE_MATCH) {
        return tags
            .split(',')
            .map(|known| known.trim().trim_start_matches("W/"))
            .any(|known| known == tag || known == "*");
    }
    let since = text(header::IF_MODIFIED_SINCE).and_then(|since| since.parse::<HttpDate>().ok()).map(SystemTime::from);
    let seconds = |time: SystemTime| time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    since.is_some_and(|since| seconds(changed) <= seconds(since))
}

#[derive(Debug, PartialEq, Eq)]
enum Range {
    Whole,
    /// First byte and length.
    Part(u64, u64),
    Outside,
}

/// The requested range. Multiple ranges are answered with the whole file.
fn range(request: &HttpRequest, len: u64) -> Range {
    let asked = request.headers().get(header::RANGE).and_then(|range| range.to_str().ok());
    asked.and_then(|asked| asked.strip_prefix("bytes=")).map_or(Range::Whole, |asked| parse_range(asked, len))
}

fn parse_range(asked: &str, len: u64) -> Range {
    let Some((first, last)) = asked.split_once('-') else {
        return Range::Whole;
    };
    let (first, last) = (first.trim(), last.trim());
    match (first.parse::<u64>(), last.parse::<u64>()) {
        (Ok(first), _) if first >= len => Range::Outside,
        (Ok(first), Ok(last)) if last >= first => Range::Part(first, last.min(len - 1) - first + 1),
        (Ok(first), Err(_)) if last.is_empty() => Range::Part(first, len - first),
        (Err(_), Ok(0)) if first.is_empty() => Range::Outside,
        (Err(_), Ok(tail)) if first.is_empty() && len > 0 => Range::Part(len - tail.min(len), tail.min(len)),
        _ => Range::Whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_parsed() {
        let table = [
            ("0-9", Range::Part(0, 10)),
            ("80-999", Range::Part(80, 9)),
            ("5-", Range::Part(5, 84)),
            ("-9", Range::Part(80, 9)),
            ("-500", Range::Part(0, 89)),
            ("89-", Range::Outside),
            ("-0", Range::Outside),
            ("9-5", Range::Whole),
            ("0-1,5-6", Range::Whole),
            ("x", Range::Whole),
        ];
        for (asked, expected) in table {
            assert_eq!(parse_range(asked, 89), expected, "{asked}");
        }
        assert_eq!(parse_range("0-", 0), Range::Outside);
    }

    #[test]
    fn scripts_and_pages_are_sent_as_plain_bytes() {
        for name in ["a.html", "a.css", "a.js", "a.mjs", "a.xhtml", "a.unknownext"] {
            assert_eq!(content_type(Path::new(name)), "application/octet-stream", "{name}");
        }
        assert_eq!(content_type(Path::new("a.png")), "image/png");
        assert_eq!(content_type(Path::new("a.svg")), "image/svg+xml");
    }
}
