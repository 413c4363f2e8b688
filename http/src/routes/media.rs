//! Stored files: `/media/{quality}/{key}`, with ranges for players and permanent caching; and
//! `/media/raw/{content}/{name}`, which downloads one of the caller's outputs under its worker's file name; and
//! `/media/signed/{key}`, addresses that need no session.

use actix_web::body::SizedStream;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::web::{self, Bytes, Data, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use chrono::DateTime;
use futures_util::Stream;
use futures_util::stream;
use serde::Deserialize;
use verdigraph_core::assets::{self, ContentHash, FileKey, FileLink, Quality, Spool, Storage};
use verdigraph_core::{Core, Error, gallery};

use crate::attachment::attachment;
use crate::caller::Caller;
use crate::error::{ApiError, Result};
use crate::query::Query;
use crate::site;
use crate::views::assets::download_url;

/// Bytes of a raw file in memory per request.
const PIECE: u64 = 1 << 20;

/// Mounts the route below `/media`.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/signed/{key}").get(signed))
        .service(web::resource("/{quality}/{key}").get(serve))
        .service(web::resource("/raw/{content}/{name}").get(save));
}

/// A file that the caller may see. For other callers it does not exist.
async fn serve(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    path: Path<(String, String)>,
) -> Result<HttpResponse> {
    let (quality, key) = path.into_inner();
    let (quality, key): (Quality, FileKey) = (quality.parse()?, key.parse()?);
    let guest = verdigraph_core::Caller::guest();
    // Hidden content is for moderators only, whatever row refers to it.
    let locked = assets::is_locked(&core, &key.content).await?;
    if locked && !caller.admin {
        return Err(Error::NotFound { what: "file" }.into());
    }
    let public = !locked && may_see(&core, &guest, &key).await?;
    if !public && !may_see(&core, &caller, &key).await? {
        return elsewhere(&core, &caller, quality, &key).await;
    }
    let tag = format!("\"{}-{}\"", &key.content.as_str().get(..32).unwrap_or_default(), quality_name(quality));
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::ETAG, tag.as_str()))
        .insert_header((header::CACHE_CONTROL, caching(public)))
        // Pictures and videos are compressed already, and ranges need an uncompressed body.
        .insert_header((header::CONTENT_ENCODING, "identity"));
    if site::matches_tag(request.headers(), &tag) {
        return Ok(response.status(StatusCode::NOT_MODIFIED).finish());
    }
    if quality == Quality::Raw {
        // An address with an extension that does not match the content does not exist.
        let storage = &core.files.storage;
        let size = storage.size(&key.content).await?;
        let head = storage.get_range(&key.content, 0..size.min(64)).await?;
        if !key.media.fits(&head) {
            return Err(Error::NotFound { what: "file" }.into());
        }
        response.content_type(key.media.content_type());
        if key.media.kind().is_download() {
            response.insert_header((header::CONTENT_DISPOSITION, attachment(&key.to_string())));
        }
        return raw(storage, &request, (&key.content, &tag, size), response).ok_or_else(|| no_such_range(size));
    }
    let rendition = core.files.rendition(&key, quality).await?;
    Ok(response.content_type(rendition.content_type).body(body(&rendition.file)))
}

/// One of the caller's outputs as a download; it is never shown inline.
async fn save(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    path: Path<(String, String)>,
) -> Result<HttpResponse> {
    let (content, name) = path.into_inner();
    let content: ContentHash = content.parse()?;
    if !caller.admin && assets::is_locked(&core, &content).await? {
        return Err(Error::NotFound { what: "file" }.into());
    }
    let media = match gallery::named(&core, &caller, &content, &name).await {
        Ok(media) => media,
        // The file was cleaned after it had been stored.
        Err(error) => {
            let new = assets::moved_to(&core, &content).await?.ok_or(error)?.content;
            gallery::named(&core, &caller, &new, &name).await?;
            return Ok(moved(&download_url("", &new, &name)));
        }
    };
    let tag = format!("\"{}-raw\"", content.as_str().get(..32).unwrap_or_default());
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::ETAG, tag.as_str()))
        .insert_header((header::CACHE_CONTROL, caching(false)))
        .insert_header((header::CONTENT_ENCODING, "identity"))
        .insert_header((header::CONTENT_DISPOSITION, attachment(&name)))
        .content_type(assets::content_type(media, Some(&name)));
    if site::matches_tag(request.headers(), &tag) {
        return Ok(response.status(StatusCode::NOT_MODIFIED).finish());
    }
    let storage = &core.files.storage;
    let size = storage.size(&content).await?;
    raw(storage, &request, (&content, &tag, size), response).ok_or_else(|| no_such_range(size))
}

/// What a signed address says beside the file.
#[derive(Debug, Deserialize)]
struct SignedQuery {
    name: String,
    expires: i64,
    signature: String,
}

/// A file by an address that [`assets::LinkSigner`] signed, without a session or key and for pages of any site.
async fn signed(
    core: Data<Core>,
    request: HttpRequest,
    key: Path<String>,
    query: Query<SignedQuery>,
) -> Result<HttpResponse> {
    let gone = || Error::NotFound { what: "file" };
    let SignedQuery { name, expires, signature } = query.into_inner();
    let expires_at = DateTime::from_timestamp(expires, 0).ok_or_else(gone)?;
    let link = FileLink { key: key.parse()?, name, expires_at };
    assets::check_link(&core, &link, &signature).await?;
    let FileLink { key, name, .. } = link;
    if assets::is_locked(&core, &key.content).await? {
        return Err(gone().into());
    }
    let tag = format!("\"{}-signed\"", key.content.as_str().get(..32).unwrap_or_default());
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::ETAG, tag.as_str()))
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .insert_header((header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .insert_header((header::ACCESS_CONTROL_EXPOSE_HEADERS, "accept-ranges, content-range, etag"))
        // Else no page of another site may show it as a picture or play it.
        .insert_header(("cross-origin-resource-policy", "cross-origin"))
        .insert_header((header::CONTENT_ENCODING, "identity"));
    if site::matches_tag(request.headers(), &tag) {
        return Ok(response.status(StatusCode::NOT_MODIFIED).finish());
    }
    response
        .insert_header((header::CONTENT_DISPOSITION, attachment(&name)))
        .content_type(assets::content_type(key.media, Some(&name)));
    let storage = &core.files.storage;
    let size = storage.size(&key.content).await?;
    raw(storage, &request, (&key.content, &tag, size), response).ok_or_else(|| no_such_range(size))
}

/// A file as a body of known length, sent in pieces.
pub fn body(file: &Spool) -> SizedStream<impl Stream<Item = std::io::Result<Bytes>> + use<>> {
    SizedStream::new(file.len(), file.pieces())
}

/// Redirects to the new address of a file that was cleaned after it was stored, if the caller may see it.
async fn elsewhere(core: &Core, caller: &Caller, quality: Quality, key: &FileKey) -> Result<HttpResponse> {
    let gone = || ApiError::from(Error::NotFound { what: "file" });
    let new = assets::moved_to(core, &key.content).await?.ok_or_else(gone)?;
    if !may_see(core, caller, &new).await? {
        return Err(gone());
    }
    Ok(moved(&format!("/media/{}/{new}", quality_name(quality))))
}

fn moved(address: &str) -> HttpResponse {
    let mut response = HttpResponse::PermanentRedirect();
    response.insert_header((header::LOCATION, address)).insert_header((header::CACHE_CONTROL, "private, max-age=3600"));
    response.finish()
}

/// The original bytes, whole or one range; `None` for a range outside the file.
pub fn raw(
    storage: &Storage,
    request: &HttpRequest,
    (content, tag, size): (&ContentHash, &str, u64),
    mut response: HttpResponseBuilder,
) -> Option<HttpResponse> {
    let range = asked_part(request, (tag, size), &mut response)?;
    let length = range.end - range.start;
    Some(response.body(SizedStream::new(length, pieces(storage.clone(), content.clone(), range))))
}

/// As [`raw`], of bytes in memory, which have no tag.
pub fn raw_bytes(request: &HttpRequest, bytes: &[u8], mut response: HttpResponseBuilder) -> Option<HttpResponse> {
    // Ranges need an uncompressed body.
    response.insert_header((header::CONTENT_ENCODING, "identity"));
    let range = asked_part(request, ("", bytes.len() as u64), &mut response)?;
    let [start, end] = [range.start, range.end].map(|place| usize::try_from(place).unwrap_or(usize::MAX));
    Some(response.body(bytes.get(start..end)?.to_vec()))
}

/// The part of a file that a request asks for, told in the head of the response; `None` for one outside the file.
fn asked_part(
    request: &HttpRequest,
    (tag, size): (&str, u64),
    response: &mut HttpResponseBuilder,
) -> Option<std::ops::Range<u64>> {
    response.insert_header((header::ACCEPT_RANGES, "bytes"));
    let wanted = request.headers().get(header::RANGE).filter(|_| is_same(request, tag));
    let wanted = wanted.and_then(|value| value.to_str().ok());
    match wanted.map(|text| parse_range(text, size)) {
        None | Some(Range::Whole) => Some(0..size),
        Some(Range::Part(range)) => {
            response.status(StatusCode::PARTIAL_CONTENT);
            let text = format!("bytes {}-{}/{size}", range.start, range.end.saturating_sub(1));
            response.insert_header((header::CONTENT_RANGE, text));
            Some(range)
        }
        Some(Range::Outside) => None,
    }
}

/// Whether a range may be sent: `If-Range` is missing or names the same bytes. Files have no dates here, and a weak tag
/// is not enough.
fn is_same(request: &HttpRequest, tag: &str) -> bool {
    request.headers().get(header::IF_RANGE).is_none_or(|had| had.as_bytes() == tag.as_bytes())
}

/// The error contains the file's length for the next try.
pub fn no_such_range(size: u64) -> ApiError {
    let error = ApiError::for_status(StatusCode::RANGE_NOT_SATISFIABLE);
    match HeaderValue::from_str(&format!("bytes */{size}")) {
        Ok(length) => error.with_header(header::CONTENT_RANGE, length),
        Err(_) => error,
    }
}

fn pieces(
    storage: Storage,
    content: ContentHash,
    range: std::ops::Range<u64>,
) -> impl Stream<Item = std::result::Result<Bytes, ApiError>> {
    let state = Some((storage, content, range));
    stream::unfold(state, |state| async move {
        let (storage, content, range) = state.filter(|(_, _, range)| range.start < range.end)?;
        let end = range.end.min(range.start + PIECE);
        match storage.get_range(&content, range.start..end).await {
            Ok(bytes) => Some((Ok(bytes), Some((storage, content, end..range.end)))),
            Err(error) => Some((Err(ApiError::from(error)), None)),
        }
    })
}

async fn may_see(core: &Core, caller: &verdigraph_core::Caller, key: &FileKey) -> std::result::Result<bool, Error> {
    let as_output = gallery::may_see_content(core, caller, &key.content).await?;
    Ok(as_output || assets::may_see_content(core, caller, &key.content).await?)
}

/// The bytes of a key never change, so browsers need not revalidate. Permissions do change: shared caches revalidate
/// after five minutes, and drop what was hidden. Only the owner's browser may cache a private file.
fn caching(public: bool) -> HeaderValue {
    HeaderValue::from_static(match public {
        true => "public, max-age=31536000, s-maxage=300, proxy-revalidate, immutable",
        false => "private, max-age=31536000, immutable",
    })
}

fn quality_name(quality: Quality) -> &'static str {
    match quality {
        Quality::Raw => "raw",
        Quality::W200 => "w200",
        Quality::W480 => "w480",
        Quality::W960 => "w960",
        Quality::Optimal => "optimal",
    }
}

/// A parsed `Range` header.
#[derive(Debug, PartialEq, Eq)]
enum Range {
    /// Not supported (several ranges, another unit): the whole file is sent.
    Whole,
    Part(std::ops::Range<u64>),
    Outside,
}

/// Parses `bytes=from-to`, `bytes=from-` and `bytes=-last`; several ranges are not supported.
fn parse_range(text: &str, size: u64) -> Range {
    let Some((from, to)) = text.strip_prefix("bytes=").and_then(|text| text.trim().split_once('-')) else {
        return Range::Whole;
    };
    let (start, end) = match (from.parse::<u64>(), to.parse::<u64>()) {
        (Ok(start), Ok(last)) if start <= last => (start, size.min(last.saturating_add(1))),
        (Ok(start), Err(_)) if to.is_empty() => (start, size),
        (Err(_), Ok(last)) if from.is_empty() => (size.saturating_sub(last), size),
        _ => return Range::Whole,
    };
    if start < end { Range::Part(start..end) } else { Range::Outside }
}

#[cfg(test)]
mod tests {
    use actix_web::body::{BodySize, MessageBody as _};

    use super::*;

    #[test]
    fn shared_caches_revalidate_public_files_soon() {
        let public = caching(true);
        let public = public.to_str().unwrap();
        assert!(public.contains("s-maxage=300") && public.contains("proxy-revalidate"), "{public}");
        assert!(caching(false).to_str().unwrap().starts_with("private,"), "no shared cache may keep what is private");
    }

    #[test]
    fn range_is_sent_only_of_the_same_bytes() {
        let asks = |had: Option<&str>| {
            let request = actix_web::test::TestRequest::get();
            let request = had.into_iter().fold(request, |request, had| request.insert_header((header::IF_RANGE, had)));
            is_same(&request.to_http_request(), "\"a-raw\"")
        };
        assert!(asks(None) && asks(Some("\"a-raw\"")));
        for other in ["\"b-raw\"", "W/\"a-raw\"", "Wed, 21 Oct 2026 07:28:00 GMT", "a-raw", "*"] {
            assert!(!asks(Some(other)), "{other}");
        }
    }

    #[test]
    fn part_of_a_text_is_sent_as_that_of_a_file() {
        let answer = |range: &str| {
            let request = actix_web::test::TestRequest::get().insert_header((header::RANGE, range)).to_http_request();
            let sent = raw_bytes(&request, b"0123456789", HttpResponse::Ok())?;
            let place = sent.headers().get(header::CONTENT_RANGE).and_then(|value| value.to_str().ok());
            Some((sent.status().as_u16(), place.map(str::to_owned), sent.body().size()))
        };
        let part = |range: &str, length| Some((206, Some(range.to_owned()), BodySize::Sized(length)));
        assert_eq!(answer("bytes=2-4"), part("bytes 2-4/10", 3));
        assert_eq!(answer("bytes=-1"), part("bytes 9-9/10", 1));
        assert_eq!(answer("lines=1-2"), Some((200, None, BodySize::Sized(10))));
        assert_eq!(answer("bytes=10-"), None);
    }

    #[test]
    fn ranges_are_parsed_as_browsers_send_them() {
        for (text, range) in [
            ("bytes=0-", Range::Part(0..100)),
            ("bytes=10-19", Range::Part(10..20)),
            ("bytes=90-1000", Range::Part(90..100)),
            ("bytes=-10", Range::Part(90..100)),
            ("bytes=-1000", Range::Part(0..100)),
            ("bytes=100-", Range::Outside),
            ("bytes=-0", Range::Outside),
            ("bytes=20-10", Range::Whole),
            ("bytes=0-1,5-6", Range::Whole),
            ("lines=0-1", Range::Whole),
            ("bytes=", Range::Whole),
            ("bytes=99999999999999999999-", Range::Whole),
        ] {
            assert_eq!(parse_range(text, 100), range, "{text}");
        }
    }
}
