//! The web app: the files of `web/dist`, embedded in a release binary and read from disk by a debug one.
//!
//! Files under `assets/` have a hash in their names and never change; others are revalidated by ETag. A path without a
//! file belongs to the app and gets `index.html`, with preload headers for its scripts and first API calls.

pub mod head;
mod opening;
pub mod own_pages;
mod preload;

use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use rust_embed::{EmbeddedFile, RustEmbed};

use verdigraph_core::Core;
use verdigraph_core::language::Language;

use self::head::PageMeta;
use self::preload::Viewer;
use crate::cookies;
use crate::error::ApiError;

/// The build's list of preloads, which is not served.
const PRELOADS: &str = "ahead.json";
/// Encodings and file endings of the compressed copies that the build makes, smallest first.
pub const ENCODINGS: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];

#[derive(RustEmbed)]
#[folder = "../web/dist"]
#[allow_missing = true]
struct Files;

/// Shown when the program was built before the web app.
const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Verdigraph</title>\
    <body style=\"font:16px/1.6 system-ui;margin:15vh auto;max-width:34rem;padding:0 1rem;background:#111;color:#ddd\">\
    <h1>The web app is not built</h1><p>The API works: see <a style=\"color:#5dffb1\" href=\"/api/docs\">its pages</a>. \
    For the web app run <code>make run</code>, or <code>npm ci &amp;&amp; npm run build</code> in <code>web/</code> and \
    build the program again.</p>";

/// Serves everything but API and media.
pub async fn serve(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    // HEAD has become GET before.
    if request.method() != Method::GET {
        let error = ApiError::for_status(StatusCode::METHOD_NOT_ALLOWED);
        return Err(error.with_header(header::ALLOW, HeaderValue::from_static("GET, HEAD")));
    }
    let path = request.path().trim_start_matches('/');
    if let Some(file) = Some(path).filter(|path| is_served(path)).and_then(Files::get) {
        return Ok(file_response(&request, path, file));
    }
    let last = path.rsplit('/').next().unwrap_or_default();
    let is_file = last.contains('.') && !wants_page(request.headers());
    // Programs that look for documents at well-known places, such as assistants for those of OAuth, cannot read a page.
    let has_pages = !["api/", "media/", "assets/", ".well-known/"].iter().any(|area| path.starts_with(area));
    if is_file || !has_pages {
        return Err(ApiError::for_status(StatusCode::NOT_FOUND));
    }
    match Files::get("index.html") {
        Some(index) => {
            let page_meta = page_meta(&request, path).await;
            let mut response = match &page_meta {
                Some((subject, language)) => page_response(&request, &index, subject, *language),
                None => file_response(&request, "index.html", index),
            };
            let link =
                Files::get(PRELOADS).and_then(|page_meta| preload::link(&page_meta.data, path, viewer(&request)));
            if let Some(link) = link {
                response.headers_mut().append(header::LINK, link);
            }
            Ok(response)
        }
        None => Ok(HttpResponse::ServiceUnavailable().content_type("text/html; charset=utf-8").body(NOT_BUILT)),
    }
}

/// Whether the browser navigates to the address, instead of a page fetching a part of itself. Users' names and search
/// terms may contain a dot like file names.
pub fn wants_page(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accept.split(',').any(|one| one.split(';').next().is_some_and(|kind| kind.trim() == "text/html"))
}

/// The page's metadata and their language. Without them the page is served all the same.
async fn page_meta(request: &HttpRequest, path: &str) -> Option<(PageMeta, Language)> {
    let core = request.app_data::<Data<Core>>()?;
    let language = head::language(request.query_string(), request.headers());
    match head::subject(core, path, language).await {
        Ok(subject) => Some((subject?, language)),
        Err(error) => {
            tracing::warn!(%error, http.path = path, "a page is served without its metadata");
            None
        }
    }
}

fn page_response(request: &HttpRequest, index: &EmbeddedFile, subject: &PageMeta, language: Language) -> HttpResponse {
    let site = request.app_data::<Data<Core>>().map(|core| core.settings.public_url()).unwrap_or_default();
    let page = head::fill(&String::from_utf8_lossy(&index.data), subject, &site, language);
    let page = opening::fill(&page, subject);
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .insert_header((header::VARY, "Accept-Encoding, Accept-Language"))
        .body(page)
}

fn viewer(request: &HttpRequest) -> Viewer {
    match cookies::session(request) {
        _ if !request.query_string().is_empty() => Viewer::Unknown,
        Some(_) => Viewer::User,
        None => Viewer::Guest,
    }
}

fn file_response(request: &HttpRequest, path: &str, file: EmbeddedFile) -> HttpResponse {
    let taken = ENCODINGS.iter().filter(|(encoding, _)| accepts(request.headers(), encoding));
    let compressed =
        taken.filter_map(|(encoding, end)| Some((*encoding, Files::get(&format!("{path}.{end}"))?))).next();
    let (encoding, file) = compressed.map_or((None, file), |(encoding, compressed)| (Some(encoding), compressed));
    let tag = etag(&file.metadata.sha256_hash());
    let is_known = matches_tag(request.headers(), &tag);
    let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header((header::ETAG, tag)).insert_header((header::VARY, "Accept-Encoding"));
    response.insert_header((header::CACHE_CONTROL, caching(path)));
    if let Some(encoding) = encoding {
        response.insert_header((header::CONTENT_ENCODING, encoding));
    }
    if is_known {
        // Bytes after a 304 would be read as the beginning of the next response.
        return response.finish();
    }
    finish(response, path, file)
}

fn finish(mut response: HttpResponseBuilder, path: &str, file: EmbeddedFile) -> HttpResponse {
    response.content_type(content_type(path)).body(file.data.into_owned())
}

/// The content type of a file, by its extension.
pub fn content_type(path: &str) -> String {
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    if kind.type_() == "text" { format!("{kind}; charset=utf-8") } else { kind.to_string() }
}

fn caching(path: &str) -> HeaderValue {
    HeaderValue::from_static(match path.starts_with("assets/") {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    })
}

/// A strong ETag from the file's hash.
fn etag(hash: &[u8]) -> String {
    format!("\"{}\"", tag_digits(hash))
}

/// The digits of an ETag: the first half of a SHA-256.
pub fn tag_digits(hash: &[u8]) -> String {
    hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// Whether the client has this version already.
pub fn matches_tag(headers: &HeaderMap, tag: &str) -> bool {
    let Some(known) = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()) else { return false };
    known.split(',').map(str::trim).any(|known| known == "*" || known.trim_start_matches("W/") == tag)
}

/// Whether a path may be a file of the build that is served.
fn is_served(path: &str) -> bool {
    !path.is_empty() && path != PRELOADS && !path.starts_with('.')
}

/// Whether the client accepts an encoding.
pub fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let name: HeaderName = header::ACCEPT_ENCODING;
    let Some(text) = headers.get(name).and_then(|value| value.to_str().ok()) else { return false };
    text.split(',').any(|one| {
        let mut parts = one.split(';').map(str::trim);
        parts.next() == Some(encoding) && parts.all(|part| part.replace(' ', "") != "q=0")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: HeaderName, value: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(name, HeaderValue::from_static(value));
        headers
    }

    #[test]
    fn compressed_file_is_sent_only_to_clients_that_accept_it() {
        assert!(accepts(&headers(header::ACCEPT_ENCODING, "br, gzip;q=0.8"), "gzip"));
        assert!(accepts(&headers(header::ACCEPT_ENCODING, "gzip, deflate, br, zstd"), "br"));
        assert!(!accepts(&headers(header::ACCEPT_ENCODING, "br, gzip; q=0"), "gzip"));
        assert!(!accepts(&headers(header::ACCEPT_ENCODING, "br"), "gzip"));
        assert!(!accepts(&HeaderMap::new(), "br"));
    }

    #[test]
    fn files_for_the_server_are_not_served() {
        assert!(is_served("assets/index-3f.js"));
        for path in ["", "ahead.json", ".vite/manifest.json"] {
            assert!(!is_served(path), "{path}");
        }
    }

    #[test]
    fn name_with_a_dot_gets_the_app_only_on_navigation() {
        let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
        assert!(wants_page(&headers(header::ACCEPT, browser)));
        for part in ["*/*", "image/avif,image/webp,*/*;q=0.8", "text/css,*/*;q=0.1"] {
            assert!(!wants_page(&headers(header::ACCEPT, part)), "{part}");
        }
    }

    #[test]
    fn known_version_is_not_sent_again() {
        assert!(matches_tag(&headers(header::IF_NONE_MATCH, "\"a\", W/\"b\""), "\"b\""));
        assert!(matches_tag(&headers(header::IF_NONE_MATCH, "*"), "\"b\""));
        assert!(!matches_tag(&headers(header::IF_NONE_MATCH, "\"a\""), "\"b\""));
    }

    #[test]
    fn not_modified_has_no_body() {
        use actix_web::body::{BodySize, MessageBody as _};

        let Some(path) = Files::iter().find(|path| is_served(path)) else { return };
        let file = || Files::get(&path).expect("a file of the build");
        let request = actix_web::test::TestRequest::default().to_http_request();
        assert_ne!(file_response(&request, &path, file()).body().size(), BodySize::None);
        let known = actix_web::test::TestRequest::default().insert_header((header::IF_NONE_MATCH, "*"));
        let answer = file_response(&known.to_http_request(), &path, file());
        assert_eq!(answer.status(), StatusCode::NOT_MODIFIED);
        assert!(matches!(answer.body().size(), BodySize::None | BodySize::Sized(0)), "bytes follow the answer");
    }

    #[test]
    fn only_hashed_names_are_cached_forever() {
        assert!(caching("assets/index-3f.js").to_str().unwrap().contains("immutable"));
        assert_eq!(caching("index.html"), "no-cache");
    }
}
