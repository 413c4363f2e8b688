//! The front end of the editor: files of a folder that `scripts/editor.sh` makes. It is a program of its own under
//! another licence, so it is no part of this one.
//!
//! Files of the build have a hash in their names and never change. All others are revalidated by ETag. The page itself
//! is for signed-in users. Guests get it only read-only, for a graph that they may see.

use std::path::{Path, PathBuf};

use actix_web::http::header::{self, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::web::{self, Bytes, Data, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use verdigraph_core::language::Language;
use verdigraph_core::{Code, Core, Error, jobs, workflows};

use crate::area::{EDITOR, routed};
use crate::caller::Caller;
use crate::error::{ApiError, Result};
use crate::policy;
use crate::query::Query;
use crate::site::head::{escaped, language};
use crate::site::{ENCODINGS, accepts, content_type, matches_tag, tag_digits, wants_page};

/// What the set-up tells the server about the files; it is not served.
const MANIFEST: &str = "editor.json";
const INDEX: &str = "index.html";

/// Mounts the page and the files of its build. [`file`] answers at all paths without a route, too.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("").get(with_slash))
        .service(web::resource("/").get(index))
        .service(web::resource("/index.html").get(index))
        .service(web::resource("/installed.json").get(installed))
        .service(web::resource("/assets/{file:.*}").get(file));
}

/// The page's links are relative, so its address ends with a slash.
async fn with_slash(request: HttpRequest) -> HttpResponse {
    let address = format!("{EDITOR}/{}", marked_query(&request));
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, address)).finish()
}

/// The query after its question mark; empty without one.
fn marked_query(request: &HttpRequest) -> String {
    match request.query_string() {
        "" => String::new(),
        query => format!("?{query}"),
    }
}

#[derive(Serialize)]
struct Installed {
    installed: bool,
}

/// Whether there is a front end, which pages ask before they open a frame.
async fn installed(core: Data<Core>, request: HttpRequest) -> Result<HttpResponse> {
    let installed = find(&core, &request, INDEX).await?.is_some();
    Ok(HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-cache")).json(Installed { installed }))
}

/// The part of the page's query that decides who may open it.
#[derive(Deserialize)]
struct Opened {
    flow: Option<String>,
    image: Option<String>,
    readonly: Option<String>,
}

async fn index(core: Data<Core>, caller: Caller, opened: Query<Opened>, request: HttpRequest) -> Result<HttpResponse> {
    let Some(page) = find(&core, &request, INDEX).await? else { return Ok(not_installed(&request)) };
    if !may_open(&core, &caller, &opened).await? {
        return Ok(sign_in(&request));
    }
    Ok(respond(&request, INDEX, page))
}

/// Guests may open read-only what they may see.
async fn may_open(core: &Core, caller: &Caller, opened: &Opened) -> Result<bool> {
    if caller.user.is_some() {
        return Ok(true);
    }
    if opened.readonly.as_deref() != Some("true") {
        return Ok(false);
    }
    if let Some(id) = opened.flow.as_deref().and_then(|id| id.parse().ok())
        && is_seen(workflows::find(core, caller, id).await)?
    {
        return Ok(true);
    }
    match opened.image.as_deref().and_then(|id| id.parse().ok()) {
        Some(id) => Ok(is_seen(jobs::output_graph(core, caller, id).await)?),
        None => Ok(false),
    }
}

fn is_seen<T>(found: std::result::Result<T, Error>) -> std::result::Result<bool, Error> {
    match found {
        Ok(_) => Ok(true),
        Err(Error::NotFound { .. } | Error::LoginRequired) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Serves a file of the front end.
pub async fn file(core: Data<Core>, request: HttpRequest) -> Result<HttpResponse> {
    // HEAD has become GET before.
    if request.method() != Method::GET {
        let error = ApiError::for_status(StatusCode::METHOD_NOT_ALLOWED);
        return Err(error.with_header(header::ALLOW, HeaderValue::from_static("GET, HEAD")));
    }
    let path = routed(&request).strip_prefix(EDITOR).unwrap_or_default().trim_start_matches('/').to_owned();
    match find(&core, &request, &path).await? {
        Some(file) => Ok(respond(&request, &path, file)),
        None => Err(ApiError::for_status(StatusCode::NOT_FOUND)),
    }
}

/// A file as it is sent.
struct FrontEndFile {
    bytes: Bytes,
    encoding: Option<&'static str>,
    policy: HeaderValue,
}

/// The file at a path, in the smallest form that the client accepts.
async fn find(core: &Core, request: &HttpRequest, path: &str) -> Result<Option<FrontEndFile>> {
    let Some(folder) = core.settings.editor_folder().filter(|_| is_served(path)) else { return Ok(None) };
    let accepted: Vec<_> = ENCODINGS.into_iter().filter(|(encoding, _)| accepts(request.headers(), encoding)).collect();
    let (folder, path) = (folder.to_path_buf(), path.to_owned());
    let found = web::block(move || read(&folder, &path, &accepted)).await;
    found.map_err(|error| ApiError::from(Error::Internal(error.to_string())))
}

fn read(folder: &Path, path: &str, accepted: &[(&'static str, &str)]) -> Option<FrontEndFile> {
    let plain: PathBuf = folder.join(path);
    // A compressed copy counts only beside its file.
    if !plain.is_file() {
        return None;
    }
    let mut compressed = accepted.iter().filter_map(|(encoding, end)| {
        Some((Some(*encoding), std::fs::read(folder.join(format!("{path}.{end}"))).ok()?))
    });
    let (encoding, bytes) = match compressed.next() {
        Some(compressed) => compressed,
        None => (None, std::fs::read(plain).ok()?),
    };
    Some(FrontEndFile { bytes: bytes.into(), encoding, policy: policy::editor(&inline_scripts(folder)) })
}

/// Hashes of the page's inline scripts.
fn inline_scripts(folder: &Path) -> Vec<String> {
    #[derive(Deserialize)]
    struct Manifest {
        inline_scripts: Vec<String>,
    }
    let manifest = std::fs::read(folder.join(MANIFEST)).ok();
    let manifest = manifest.and_then(|text| serde_json::from_slice::<Manifest>(&text).ok());
    manifest.map(|manifest| manifest.inline_scripts).unwrap_or_default()
}

/// Whether a path may be a file of the front end.
fn is_served(path: &str) -> bool {
    let is_plain = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', '\0', ':']);
    path != MANIFEST && path.split('/').all(is_plain) && !ENCODINGS.iter().any(|(_, end)| ends_with(path, end))
}

fn ends_with(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found == extension)
}

/// The hash in the name of a file of the build, such as `assets/index-BK-6hEfU.js`.
fn name_hash(path: &str) -> Option<&str> {
    const LENGTH: usize = 8;
    let name = path.strip_prefix("assets/").filter(|name| !name.contains('/'))?;
    let stem = name.rsplit_once('.')?.0;
    let (rest, hash) = stem.split_at_checked(stem.len().checked_sub(LENGTH)?)?;
    let is_hash = hash.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    (is_hash && rest.ends_with('-')).then_some(hash)
}

fn respond(request: &HttpRequest, path: &str, file: FrontEndFile) -> HttpResponse {
    let hash = name_hash(path);
    let tag = etag(hash, &file);
    let is_known = matches_tag(request.headers(), &tag);
    let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    let caching = if hash.is_some() { "public, max-age=31536000, immutable" } else { "no-cache" };
    response.insert_header((header::ETAG, tag)).insert_header((header::VARY, "Accept-Encoding"));
    response.insert_header((header::CACHE_CONTROL, caching));
    response.insert_header((header::CONTENT_SECURITY_POLICY, file.policy));
    if is_known {
        // Bytes after a 304 would be read as the beginning of the next response.
        return response.finish();
    }
    if let Some(encoding) = file.encoding {
        response.insert_header((header::CONTENT_ENCODING, encoding));
    }
    response.content_type(content_type(path)).body(file.bytes)
}

/// A strong ETag: the hash in the name, or that of the bytes. Each encoding has its own.
fn etag(name_hash: Option<&str>, file: &FrontEndFile) -> String {
    let encoding = file.encoding.map(|encoding| format!("-{encoding}")).unwrap_or_default();
    let hash = name_hash.map_or_else(|| tag_digits(&Sha256::digest(&file.bytes)), str::to_owned);
    format!("\"{hash}{encoding}\"")
}

const NOT_INSTALLED: &str = "the node editor is not installed: run `make editor`, and set files.editor to its folder";

fn not_installed(request: &HttpRequest) -> HttpResponse {
    if !wants_page(request.headers()) {
        return actix_web::ResponseError::error_response(&ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            Code::Unavailable,
            NOT_INSTALLED,
        ));
    }
    let (title, text) = match page_language(request) {
        Language::En => (
            "The node editor is not installed",
            "Everything else works. To install it, the operator runs <code>make editor</code>, sets \
             <code>VERDIGRAPH_FILES_EDITOR</code> to the folder that it names, and restarts the server. \
             <code>make run</code> does all of this if the package index of Python can be reached.",
        ),
        Language::Ko => (
            "노드 편집기가 설치되어 있지 않습니다",
            "다른 기능은 모두 사용할 수 있습니다. 설치하려면 운영자가 <code>make editor</code>를 실행하고, 표시된 폴더를 \
             <code>VERDIGRAPH_FILES_EDITOR</code>에 설정한 뒤 서버를 다시 시작하세요. Python 패키지 저장소에 연결할 수 \
             있으면 <code>make run</code>이 이 과정을 모두 처리합니다.",
        ),
    };
    page(HttpResponse::ServiceUnavailable(), request, title, text)
}

fn sign_in(request: &HttpRequest) -> HttpResponse {
    let link = format!("/comfyui{}", escaped(&marked_query(request)));
    let (title, text, action) = match page_language(request) {
        Language::En => ("Sign in to use the editor", "Guests can view public workflows.", "Sign in"),
        Language::Ko => {
            ("편집기를 사용하려면 로그인하세요", "로그인하지 않으면 공개 워크플로우만 볼 수 있습니다.", "로그인")
        }
    };
    let text = format!("{text} <a href=\"{link}\" target=\"_top\">{action}</a>");
    page(HttpResponse::Unauthorized(), request, title, &text)
}

fn page_language(request: &HttpRequest) -> Language {
    language(request.query_string(), request.headers())
}

fn page(mut response: HttpResponseBuilder, request: &HttpRequest, title: &str, text: &str) -> HttpResponse {
    let tag = page_language(request).tag();
    response
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::VARY, "Accept-Encoding, Accept-Language"))
        .body(format!(
            "<!doctype html><html lang=\"{tag}\"><meta charset=\"utf-8\"><meta name=\"viewport\" \
             content=\"width=device-width\"><title>{title}</title><style>a{{color:#5dffb1}}</style>\
             <body style=\"font:16px/1.6 system-ui;margin:15vh auto;max-width:34rem;padding:0 1rem;background:#111;\
             color:#ddd\"><h1>{title}</h1><p>{text}</p></html>"
        ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_with_a_hash_are_cached_forever() {
        assert_eq!(name_hash("assets/index-BK-6hEfU.js"), Some("BK-6hEfU"));
        assert_eq!(name_hash("assets/manifest-P9przInP.json"), Some("P9przInP"));
        for path in [
            "assets/favicon.ico",
            "assets/images/app-mode-landings.png",
            "assets/a.js",
            "assets/12345678.js",
            "index.html",
            "scripts/app-BK-6hEfU.js",
            "assets/글꼴.js",
        ] {
            assert_eq!(name_hash(path), None, "{path}");
        }
    }

    #[test]
    fn paths_outside_the_folder_are_not_served() {
        assert!(is_served("assets/index-3f.js"));
        for path in
            ["", "editor.json", ".installed", "../secret", "assets/../../x", "/etc/passwd", "a//b", "c:\\x", "a.js.br"]
        {
            assert!(!is_served(path), "{path}");
        }
    }
}
