//! Uploads.

use actix_multipart::{Field, Multipart, MultipartError};
use actix_web::HttpResponse;
use actix_web::http::header::{Charset, ContentDisposition};
use actix_web::web::{self, Bytes, Data, Path, ServiceConfig};
use futures_util::StreamExt as _;
use serde::Deserialize;
use verdigraph_core::assets::{self, AssetKind, Spool, SpoolWriter};
use verdigraph_core::ids::AssetId;
use verdigraph_core::{Core, Error, account_deletion, users};

use crate::caller::Caller;
use crate::error::Result;
use crate::extract;
use crate::openapi::{self, OpenApi, ToSchema};
use crate::views::assets::AssetView;

/// Most bytes of a part beside the file.
const SMALL_PART_BYTES: u64 = 16 << 10;
/// Most parts of an upload.
const MAX_PARTS: usize = 8;

#[derive(OpenApi)]
#[openapi(paths(upload, upload_video, upload_audio, upload_text, take_back))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/asset/file/image").post(upload))
        .service(web::resource("/general/asset/file/video").post(upload_video))
        .service(web::resource("/general/asset/file/audio").post(upload_audio))
        .service(web::resource("/general/asset/file/text").post(upload_text))
        .service(web::resource("/general/asset/{id}").delete(take_back));
}

/// A picture and its name.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the multipart body, which is read part by part")]
pub struct UploadForm {
    /// The file.
    #[schema(value_type = String, format = Binary)]
    image: Vec<u8>,
    /// `{"name": "…", "kind": "Image"}`; the parts `name` and `kind` alone are accepted too.
    #[schema(max_length = 2000)]
    json: Option<String>,
}

/// A video and its name.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the multipart body, which is read part by part")]
pub struct VideoForm {
    /// The file.
    #[schema(value_type = String, format = Binary)]
    video: Vec<u8>,
    /// `{"name": "…", "kind": "Video"}`
    #[schema(max_length = 2000)]
    json: Option<String>,
}

/// An audio file and its name.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the multipart body, which is read part by part")]
pub struct AudioForm {
    /// The file.
    #[schema(value_type = String, format = Binary)]
    audio: Vec<u8>,
    /// `{"name": "…", "kind": "Audio"}`
    #[schema(max_length = 2000)]
    json: Option<String>,
}

/// A text file and its name.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the multipart body, which is read part by part")]
pub struct TextForm {
    /// The file.
    #[schema(value_type = String, format = Binary)]
    text: Vec<u8>,
    /// `{"name": "…", "kind": "Text"}`
    #[schema(max_length = 2000)]
    json: Option<String>,
}

/// Uploads a picture
///
/// Metadata is removed from the file: place, camera, times, comments. The same picture under the same name gives the
/// same asset again. At most 20 MB unless the installation says otherwise. The picture is private.
#[openapi::path(post, path = "/api/general/asset/file/image", tag = "files",
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 201, body = AssetView), (status = 403, description = "ACCOUNT_BANNED"),
    (status = 409, description = "MODERATION_LOCKED: a moderator has hidden these bytes"),
    (status = 413, description = "FILE_TOO_LARGE, STORAGE_FULL"),
    (status = 415, description = "FILE_EMPTY, FILE_TRUNCATED, FILE_FORMAT_UNSUPPORTED, FILE_SIDES_UNSUPPORTED, FILE_NOT_AN_IMAGE")))]
async fn upload(core: Data<Core>, caller: Caller, form: Multipart) -> Result<HttpResponse> {
    caller.signed_in()?;
    let (name, file) = read(form, AssetKind::Image, core.settings.limits.upload_bytes).await?;
    let asset = assets::upload(&core, &caller, &name, file).await?;
    Ok(HttpResponse::Created().json(AssetView::new(asset, core.settings.base_url())))
}

/// Uploads a video
///
/// MP4, WebM, QuickTime or Matroska; formats that browsers do not play are converted to MP4 or WebM. Metadata is
/// removed. At most 100 MB and 10 minutes unless the installation says otherwise. The video is private.
#[openapi::path(post, path = "/api/general/asset/file/video", tag = "files",
    request_body(content = VideoForm, content_type = "multipart/form-data"), responses((status = 201, body = AssetView),
    (status = 403, description = "ACCOUNT_BANNED"),
    (status = 409, description = "MODERATION_LOCKED: a moderator has hidden these bytes"),
    (status = 413, description = "FILE_TOO_LARGE, FILE_TOO_LONG, STORAGE_FULL"),
    (status = 415, description = "FILE_EMPTY, FILE_TRUNCATED, FILE_FORMAT_UNSUPPORTED, FILE_NOT_MEDIA, FILE_MEDIA_UNAVAILABLE")))]
async fn upload_video(core: Data<Core>, caller: Caller, form: Multipart) -> Result<HttpResponse> {
    played(&core, &caller, form, AssetKind::Video).await
}

/// Uploads an audio file
///
/// MP3, M4A, FLAC, Ogg or WAV, with the same rules as for videos.
#[openapi::path(post, path = "/api/general/asset/file/audio", tag = "files",
    request_body(content = AudioForm, content_type = "multipart/form-data"), responses((status = 201, body = AssetView),
    (status = 403, description = "ACCOUNT_BANNED"),
    (status = 409, description = "MODERATION_LOCKED: a moderator has hidden these bytes"),
    (status = 413, description = "FILE_TOO_LARGE, FILE_TOO_LONG, STORAGE_FULL"),
    (status = 415, description = "FILE_EMPTY, FILE_FORMAT_UNSUPPORTED, FILE_NOT_MEDIA, FILE_MEDIA_UNAVAILABLE")))]
async fn upload_audio(core: Data<Core>, caller: Caller, form: Multipart) -> Result<HttpResponse> {
    played(&core, &caller, form, AssetKind::Audio).await
}

/// Uploads a text file
///
/// Text of any format, such as TXT, Markdown, CSV, JSON, SRT, YAML or XML, in UTF-8, or in UTF-16 with a byte-order
/// mark. It is stored in UTF-8 without a mark, and workers get it with the extension of its name. At most 2 MB unless
/// the installation says otherwise. The file is private, and browsers only save it.
#[openapi::path(post, path = "/api/general/asset/file/text", tag = "files",
    request_body(content = TextForm, content_type = "multipart/form-data"), responses((status = 201, body = AssetView),
    (status = 403, description = "ACCOUNT_BANNED"),
    (status = 409, description = "MODERATION_LOCKED: a moderator has hidden these bytes"),
    (status = 413, description = "FILE_TOO_LARGE, STORAGE_FULL"),
    (status = 415, description = "FILE_EMPTY, FILE_NOT_TEXT")))]
async fn upload_text(core: Data<Core>, caller: Caller, form: Multipart) -> Result<HttpResponse> {
    caller.signed_in()?;
    let (name, file) = read(form, AssetKind::Text, core.settings.limits.text_bytes).await?;
    let asset = assets::upload_text(&core, &caller, &name, file).await?;
    Ok(HttpResponse::Created().json(AssetView::new(asset, core.settings.base_url())))
}

async fn played(core: &Core, caller: &Caller, form: Multipart, kind: AssetKind) -> Result<HttpResponse> {
    // Checked before the large file is read.
    let _permit = users::may_take_part(core, caller).await?;
    let (name, file) = read(form, kind, core.settings.limits.media_bytes).await?;
    let asset = assets::upload_media(core, caller, &name, kind, file).await?;
    Ok(HttpResponse::Created().json(AssetView::new(asset, core.settings.base_url())))
}

/// Deletes one of the caller's uploads that nothing uses
///
/// It no longer counts against the caller's storage. Kept pictures are deleted as input assets.
#[openapi::path(delete, path = "/api/general/asset/{id}", tag = "files", params(("id" = Uuid, Path)),
    responses((status = 204), (status = 409, description = "ASSET_IN_USE: the message says where")))]
async fn take_back(core: Data<Core>, caller: Caller, id: Path<AssetId>) -> Result<HttpResponse> {
    account_deletion::delete_upload(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// The parts of an upload.
#[derive(Default)]
struct Upload {
    file: Option<Spool>,
    file_name: Option<String>,
    name: Option<String>,
}

#[derive(Deserialize)]
struct Described {
    name: Option<String>,
    kind: Option<String>,
}

/// The name and the file of an upload; the file's part is named after its kind.
async fn read(form: Multipart, kind: AssetKind, limit_bytes: u64) -> std::result::Result<(String, Spool), Error> {
    let part = match kind {
        AssetKind::Video => "video",
        AssetKind::Audio => "audio",
        AssetKind::Text => "text",
        AssetKind::Image | AssetKind::File => "image",
    };
    let mut upload = Upload::default();
    let mut parts = FormParts::of(form);
    while let Some(mut field) = parts.next().await? {
        let is_file = field.name() == Some(part);
        match field.name().unwrap_or_default() {
            _ if is_file => {
                let (name, file) = file(&mut field, limit_bytes).await?;
                (upload.file_name, upload.file) = (name, Some(file));
            }
            "json" => {
                let described: Described = extract::parse(&small(&mut field).await?).map_err(in_json)?;
                check_kind(kind, described.kind.as_deref())?;
                upload.name = described.name.or(upload.name);
            }
            "name" => upload.name = Some(text(&small(&mut field).await?)),
            "kind" => check_kind(kind, Some(&text(&small(&mut field).await?)))?,
            _ => drop(small(&mut field).await?),
        }
    }
    let file = upload.file.ok_or_else(|| missing(part))?;
    Ok((upload.name.or(upload.file_name).unwrap_or_default(), file))
}

fn check_kind(kind: AssetKind, value: Option<&str>) -> std::result::Result<(), Error> {
    value.map_or(Ok(()), |value| must_be("kind", value, kind.as_str()))
}

pub fn must_be(field: &'static str, value: &str, known: &str) -> std::result::Result<(), Error> {
    if value == known { Ok(()) } else { Err(Error::invalid(field, format!("must be {known}"))) }
}

pub fn missing(part: &'static str) -> Error {
    Error::invalid(part, "the file is missing")
}

/// The parts of a form, limited in number.
pub struct FormParts {
    form: Multipart,
    seen: usize,
}

impl FormParts {
    pub fn of(form: Multipart) -> Self {
        Self { form, seen: 0 }
    }

    pub async fn next(&mut self) -> std::result::Result<Option<Field>, Error> {
        let Some(field) = self.form.next().await else { return Ok(None) };
        let field = field.map_err(broken)?;
        self.seen += 1;
        if self.seen > MAX_PARTS {
            return Err(Error::invalid("body", format!("has more than {MAX_PARTS} parts")));
        }
        Ok(Some(field))
    }
}

/// The part with the file, and the file's name.
pub async fn file(field: &mut Field, limit_bytes: u64) -> std::result::Result<(Option<String>, Spool), Error> {
    let name = field.content_disposition().and_then(file_name);
    let file = collect(field, limit_bytes).await?.ok_or(Error::FileTooLarge { limit_bytes })?;
    Ok((name, file))
}

/// The file's name in the head of a part. `filename*` comes first: where both are sent, `filename` has only ASCII.
fn file_name(head: &ContentDisposition) -> Option<String> {
    let extended = head.get_filename_ext().and_then(|name| match &name.charset {
        Charset::Iso_8859_1 => Some(name.value.iter().copied().map(char::from).collect()),
        Charset::Ext(charset) if charset.eq_ignore_ascii_case("utf-8") => String::from_utf8(name.value.clone()).ok(),
        _ => None,
    });
    extended.or_else(|| head.get_filename().map(str::to_owned))
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A part that describes the file.
pub async fn small(field: &mut Field) -> std::result::Result<Bytes, Error> {
    let name = field.name().unwrap_or("part").to_owned();
    let too_large = || Error::invalid(name.clone(), format!("is larger than {SMALL_PART_BYTES} bytes"));
    collect(field, SMALL_PART_BYTES).await?.ok_or_else(too_large)?.bytes().await
}

/// All bytes of a part, or `None` if there are more than `limit`. Excess bytes are read and discarded, because a client
/// that is still sending does not read the response.
async fn collect(field: &mut Field, limit: u64) -> std::result::Result<Option<Spool>, Error> {
    let mut file = SpoolWriter::default();
    let mut seen = 0_u64;
    while let Some(chunk) = field.next().await {
        let chunk = chunk.map_err(broken)?;
        seen = seen.saturating_add(chunk.len() as u64);
        if seen <= limit {
            file.write(&chunk).await?;
        } else if seen / 4 > limit {
            break;
        }
    }
    if seen <= limit { Ok(Some(file.finish().await?)) } else { Ok(None) }
}

fn broken(error: MultipartError) -> Error {
    Error::invalid("body", format!("is not a valid multipart form: {error}"))
}

fn in_json(error: Error) -> Error {
    match error {
        Error::Invalid { field, message } if field == "body" => Error::invalid("json", message),
        Error::Invalid { field, message } => Error::invalid(format!("json.{field}"), message),
        other => other,
    }
}
