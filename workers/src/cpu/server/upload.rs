//! POST /upload/image and /upload/mask.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use actix_multipart::Multipart;
use actix_web::http::{StatusCode, header};
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse, web};
use futures_util::TryStreamExt;
use image::DynamicImage;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::files::{annotated, is_plain_name, numbered, under};
use super::view::{PictureError, decode, out_of_memory, read_picture};
use super::worker::Worker;

/// Maximum length of a form field in bytes.
const FIELD_BYTES: usize = 64 << 10;
/// Maximum number of suffixes tried for a taken name.
const NUMBERS: usize = 10_000;
/// Bytes of a PNG's signature and header chunk.
const PNG_HEAD: usize = 8 + 25;

#[derive(Default)]
struct Form {
    image: Option<(String, Bytes)>,
    kind: Option<String>,
    subfolder: String,
    overwrite: bool,
    original: Option<String>,
}

/// Why an upload was rejected.
struct Refusal(StatusCode, &'static str);

pub(super) async fn image(worker: Data<Worker>, request: HttpRequest, body: web::Payload) -> HttpResponse {
    store(worker, request, body, Kind::Image).await
}

/// POST /upload/mask: stores the colors of the original with the alpha of the upload.
pub(super) async fn mask(worker: Data<Worker>, request: HttpRequest, body: web::Payload) -> HttpResponse {
    store(worker, request, body, Kind::Mask).await
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Image,
    Mask,
}

async fn store(worker: Data<Worker>, request: HttpRequest, body: web::Payload, kind: Kind) -> HttpResponse {
    // A form is in memory until it is stored, in a buffer that grows by doubling.
    let length = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let length = length.unwrap_or(worker.options.body_bytes).min(worker.options.body_bytes);
    let Some(_held) = worker.reserve(length.saturating_mul(2)) else {
        drain(body, worker.options.body_bytes).await;
        return out_of_memory();
    };
    let form = match read(Multipart::new(request.headers(), body), worker.options.body_bytes).await {
        Ok(form) => form,
        Err(Refusal(status, text)) => return HttpResponse::build(status).body(text),
    };
    match web::block(move || form.store(&worker, kind)).await {
        Ok(Ok(stored)) => HttpResponse::Ok().json(stored),
        Ok(Err(Refusal(StatusCode::SERVICE_UNAVAILABLE, _))) => out_of_memory(),
        Ok(Err(Refusal(status, text))) => HttpResponse::build(status).body(text),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

/// Discards a body: a client that sends all before it reads would not see the answer otherwise.
async fn drain(mut body: web::Payload, most: usize) {
    let mut seen = 0;
    while let Ok(Some(piece)) = body.try_next().await {
        seen += piece.len();
        if seen > most {
            return;
        }
    }
}

async fn read(mut multipart: Multipart, most: usize) -> Result<Form, Refusal> {
    let malformed = |_| Refusal(StatusCode::BAD_REQUEST, "the body is not a form");
    let mut form = Form::default();
    while let Some(mut field) = multipart.try_next().await.map_err(malformed)? {
        let name = field.name().unwrap_or_default().to_owned();
        let file = field.content_disposition().and_then(|field| field.get_filename()).map(str::to_owned);
        let limit = if name == "image" { most } else { FIELD_BYTES };
        let bytes = field.bytes(limit).await;
        let bytes = bytes.map_err(|_| Refusal(StatusCode::PAYLOAD_TOO_LARGE, "a field is too large"))?;
        let bytes = bytes.map_err(|_| Refusal(StatusCode::BAD_REQUEST, "the body ended early"))?;
        let text = || String::from_utf8_lossy(&bytes).into_owned();
        match name.as_str() {
            "image" => {
                let file = file.ok_or(Refusal(StatusCode::BAD_REQUEST, "image is not a file"))?;
                form.image = Some((file, bytes));
            }
            "type" => form.kind = Some(text()),
            "subfolder" => form.subfolder = text(),
            "overwrite" => form.overwrite = matches!(&*bytes, b"true" | b"1"),
            "original_ref" => form.original = Some(text()),
            _ => {}
        }
    }
    Ok(form)
}

impl Form {
    fn store(self, worker: &Worker, kind: Kind) -> Result<Json, Refusal> {
        let bad = |text| Refusal(StatusCode::BAD_REQUEST, text);
        let (name, bytes) = self.image.as_ref().ok_or(bad("no image was sent"))?;
        let folder_type = self.kind.as_deref().unwrap_or("input");
        let base = worker.folders.by_type(folder_type).ok_or(bad("unknown type"))?;
        if !is_plain_name(name) {
            return Err(bad("the file name is not a plain name"));
        }
        let folder = under(base, &self.subfolder).ok_or(bad("the subfolder leaves its folder"))?;
        let composed;
        let bytes: &[u8] = if kind == Kind::Mask {
            composed = self.compose(worker, bytes)?;
            &composed
        } else {
            bytes
        };
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let name = place(&folder, name, bytes, self.overwrite)?;
        Ok(json!({"name": name, "subfolder": self.subfolder, "type": folder_type}))
    }

    /// The original with the upload's alpha and the original's PNG texts. Answers 404 or 400 for a missing or rejected
    /// original; a real server answers 200 and stores nothing.
    fn compose(&self, worker: &Worker, mask: &[u8]) -> Result<Vec<u8>, Refusal> {
        let bad = |text| Refusal(StatusCode::BAD_REQUEST, text);
        let reference = self.original.as_deref().ok_or(bad("original_ref is missing"))?;
        let reference: Json = serde_json::from_str(reference).map_err(|_| bad("original_ref is not JSON"))?;
        let original = original(worker, &reference)?;
        let refused = |unread, text| match unread {
            PictureError::Broken(_) => bad(text),
            PictureError::OutOfMemory => Refusal(StatusCode::SERVICE_UNAVAILABLE, "the worker's memory is used up"),
        };
        let length = std::fs::metadata(&original).map_err(failed)?.len();
        let file = worker.reserve(usize::try_from(length).unwrap_or(usize::MAX));
        let file = file.ok_or_else(|| refused(PictureError::OutOfMemory, ""))?;
        let texts = std::fs::read(&original).map(|file| png_texts(&file)).map_err(failed)?;
        drop(file);
        let read = read_picture(&original, worker);
        let (picture, _held) = read.map_err(|unread| refused(unread, "the original is no picture"))?;
        let read = decode(Cursor::new(mask), Cursor::new(mask), worker);
        let (mask, _held_too) = read.map_err(|unread| refused(unread, "the mask is no picture"))?;
        let (mask, mut picture) = (mask.into_rgba8(), picture.into_rgba8());
        if picture.dimensions() != mask.dimensions() {
            return Err(bad("the mask has another size than the original"));
        }
        for (pixel, masked) in picture.pixels_mut().zip(mask.pixels()) {
            pixel.0[3] = masked.0[3];
        }
        let mut bytes = Vec::new();
        let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::Adaptive);
        DynamicImage::ImageRgba8(picture).write_with_encoder(encoder).map_err(|_| bad("the mask cannot be stored"))?;
        if bytes.len() > PNG_HEAD {
            bytes.splice(PNG_HEAD..PNG_HEAD, texts);
        }
        Ok(bytes)
    }
}

/// The file that a mask belongs to.
fn original(worker: &Worker, reference: &Json) -> Result<PathBuf, Refusal> {
    let text = |name: &str| reference.get(name).and_then(Json::as_str);
    let (name, kind) = annotated(text("filename").unwrap_or_default());
    let kind = kind.or(text("type")).unwrap_or("output");
    let base = worker.folders.by_type(kind).ok_or(Refusal(StatusCode::BAD_REQUEST, "unknown type of original"))?;
    let outside = || Refusal(StatusCode::BAD_REQUEST, "the original leaves its folder");
    if name.is_empty() || name.contains("..") {
        return Err(outside());
    }
    let folder = under(base, text("subfolder").unwrap_or_default()).ok_or_else(outside)?;
    let path = under(&folder, name).ok_or_else(outside)?;
    if path.is_file() { Ok(path) } else { Err(Refusal(StatusCode::NOT_FOUND, "the original does not exist")) }
}

/// All text chunks of a PNG file; none for other files.
fn png_texts(file: &[u8]) -> Vec<u8> {
    let mut texts = Vec::new();
    let Some(mut rest) = file.strip_prefix(b"\x89PNG\r\n\x1a\n") else {
        return texts;
    };
    while let Some((len, _)) = rest.split_first_chunk::<4>() {
        let whole = usize::try_from(u32::from_be_bytes(*len)).unwrap_or(usize::MAX).saturating_add(12);
        let Some((chunk, later)) = rest.split_at_checked(whole) else {
            break;
        };
        if matches!(chunk.get(4..8), Some(b"tEXt" | b"zTXt" | b"iTXt")) {
            texts.extend_from_slice(chunk);
        }
        rest = later;
    }
    texts
}

/// Writes the file under its name, or under a numbered one if the name is taken by other bytes. Returns the name.
fn place(folder: &Path, name: &str, bytes: &[u8], overwrite: bool) -> Result<String, Refusal> {
    if overwrite {
        write(&folder.join(name), bytes)?;
        return Ok(name.to_owned());
    }
    for number in 0..NUMBERS {
        let tried = if number == 0 { name.to_owned() } else { numbered(name, number) };
        let path = folder.join(&tried);
        if !path.exists() {
            write(&path, bytes)?;
            return Ok(tried);
        }
        if has_bytes(&path, bytes) {
            return Ok(tried);
        }
    }
    Err(Refusal(StatusCode::CONFLICT, "too many files of this name"))
}

fn has_bytes(path: &Path, bytes: &[u8]) -> bool {
    let len = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    std::fs::metadata(path).is_ok_and(|metadata| metadata.len() == len)
        && std::fs::read(path).is_ok_and(|found| found == bytes)
}

/// Writes to a temporary file first, so that no reader sees half a file.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let beside = path.with_file_name(format!(".{}.part", Uuid::new_v4().simple()));
    let written = std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, path));
    if written.is_err() {
        // Best effort.
        drop(std::fs::remove_file(&beside));
    }
    written
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Refusal> {
    write_whole(path, bytes).map_err(failed)
}

fn failed(error: std::io::Error) -> Refusal {
    tracing::error!(target: "verdigraph::cpu", "upload: {error}");
    Refusal(StatusCode::INTERNAL_SERVER_ERROR, "the file could not be stored")
}
