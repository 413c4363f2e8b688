//! The editor's settings and files. There is one user, `default`.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use actix_web::http::{StatusCode, header};
use actix_web::web::{self, Bytes, Data, Query};
use actix_web::{HttpResponse, HttpResponseBuilder};
use serde_json::{Map, Value as Json, json};
use verdigraph_core::graph::ComfyVersion;

use super::files::under;
use super::upload::write_whole;
use super::view::content_type;
use super::worker::Worker;

/// The settings file, beside the user's files.
const SETTINGS: &str = "comfy.settings.json";
/// Maximum depth of listings.
const DEPTH: usize = 16;

pub(super) fn folder(data: &Path) -> PathBuf {
    data.join("user").join("default")
}

type Parameters = Query<HashMap<String, String>>;

fn text(status: StatusCode, body: &'static str) -> HttpResponse {
    HttpResponseBuilder::new(status).content_type("text/plain; charset=utf-8").body(body)
}

fn failed(error: &io::Error) -> HttpResponse {
    match error.kind() {
        io::ErrorKind::NotFound => HttpResponse::NotFound().finish(),
        _ => {
            tracing::error!(target: "verdigraph::cpu", "userdata: {error}");
            HttpResponse::InternalServerError().finish()
        }
    }
}

pub(super) async fn users(worker: Data<Worker>) -> HttpResponse {
    let migrated = folder(&worker.options.data).join(SETTINGS).is_file();
    HttpResponse::Ok().json(json!({"storage": "server", "migrated": migrated}))
}

/// POST /users: creates a folder for this name and returns its id. This worker still serves everyone as the default
/// user, like a real server without `--multi-user`.
pub(super) async fn add_user(worker: Data<Worker>, body: Bytes) -> HttpResponse {
    let body = serde_json::from_slice::<Json>(&body).unwrap_or_default();
    let Some(name) = body.get("username").and_then(Json::as_str).map(str::trim).filter(|name| !name.is_empty()) else {
        return text(StatusCode::BAD_REQUEST, "username not provided");
    };
    let plain: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')).take(60).collect();
    let id = format!("{plain}_{}", uuid::Uuid::new_v4());
    match fs::create_dir_all(worker.options.data.join("user").join(&id)) {
        Ok(()) => HttpResponse::Ok().json(id),
        Err(error) => failed(&error),
    }
}

/// GET /v2/userdata?path=: everything below a folder, folders first.
pub(super) async fn tree(worker: Data<Worker>, query: Parameters) -> HttpResponse {
    let base = folder(&worker.options.data);
    let asked = query.get("path").map_or("", String::as_str);
    let Some(dir) = under(&base, asked) else {
        return text(StatusCode::FORBIDDEN, "Invalid directory");
    };
    if !dir.is_dir() {
        return text(StatusCode::NOT_FOUND, "Directory not found");
    }
    let prefix = asked.trim_matches('/');
    let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
    let (mut folders, mut files) = (Vec::new(), Vec::new());
    match gather_tree(&dir, &prefix, DEPTH, &mut folders, &mut files) {
        Ok(()) => HttpResponse::Ok().json(folders.into_iter().chain(files).collect::<Vec<_>>()),
        Err(error) => failed(&error),
    }
}

fn gather_tree(
    folder: &Path,
    prefix: &str,
    depth: usize,
    folders: &mut Vec<Json>,
    files: &mut Vec<Json>,
) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let metadata = entry.metadata()?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if metadata.is_file() {
            let modified = seconds(metadata.modified());
            files.push(
                json!({"name": name, "path": path, "type": "file", "size": metadata.len(), "modified": modified}),
            );
        } else if metadata.is_dir() {
            if depth > 1 {
                gather_tree(&entry.path(), &format!("{path}/"), depth - 1, folders, files)?;
            }
            folders.push(json!({"name": name, "path": path, "type": "directory"}));
        }
    }
    Ok(())
}

fn seconds(time: io::Result<SystemTime>) -> f64 {
    time.ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0.0, |since| since.as_secs_f64())
}

fn read_settings(worker: &Worker) -> Map<String, Json> {
    let path = folder(&worker.options.data).join(SETTINGS);
    let settings = fs::read(path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    settings.unwrap_or_default()
}

fn write_settings(worker: &Worker, settings: &Map<String, Json>) -> HttpResponse {
    let path = folder(&worker.options.data).join(SETTINGS);
    match write_whole(&path, json!(settings).to_string().as_bytes()) {
        Ok(()) => HttpResponse::Ok().finish(),
        Err(error) => failed(&error),
    }
}

pub(super) async fn settings(worker: Data<Worker>) -> HttpResponse {
    HttpResponse::Ok().json(read_settings(&worker))
}

/// GET /settings/{id}: `null` if not set.
pub(super) async fn setting(worker: Data<Worker>, id: web::Path<String>) -> HttpResponse {
    HttpResponse::Ok().json(read_settings(&worker).get(id.as_str()))
}

pub(super) async fn set_all(worker: Data<Worker>, body: Bytes) -> HttpResponse {
    let Ok(changed) = serde_json::from_slice::<Map<String, Json>>(&body) else {
        return text(StatusCode::BAD_REQUEST, "the body is not an object");
    };
    let mut settings = read_settings(&worker);
    settings.extend(changed);
    write_settings(&worker, &settings)
}

pub(super) async fn set_one(worker: Data<Worker>, id: web::Path<String>, body: Bytes) -> HttpResponse {
    let Ok(value) = serde_json::from_slice::<Json>(&body) else {
        return text(StatusCode::BAD_REQUEST, "the body is not JSON");
    };
    let mut settings = read_settings(&worker);
    settings.insert(id.into_inner(), value);
    write_settings(&worker, &settings)
}

pub(super) async fn list(worker: Data<Worker>, query: Parameters) -> HttpResponse {
    let Some(dir) = query.get("dir").filter(|dir| !dir.is_empty()) else {
        return text(StatusCode::BAD_REQUEST, "Directory not provided");
    };
    let base = folder(&worker.options.data);
    let Some(dir) = under(&base, dir) else {
        return text(StatusCode::FORBIDDEN, "Invalid directory");
    };
    if !dir.is_dir() {
        return text(StatusCode::NOT_FOUND, "Directory not found");
    }
    let depth = if is_true(&query, "recurse") { DEPTH } else { 1 };
    let mut files = Vec::new();
    if let Err(error) = gather(&dir, "", depth, &mut files) {
        return failed(&error);
    }
    files.sort_by(|left, right| left.0.cmp(&right.0));
    let shown = files.iter().map(|(name, metadata)| {
        if is_true(&query, "full_info") {
            file_info(worker.options.like, name, metadata)
        } else if is_true(&query, "split") {
            let parts = std::iter::once(name.as_str()).chain(name.split('/'));
            json!(parts.collect::<Vec<_>>())
        } else {
            json!(name)
        }
    });
    HttpResponse::Ok().json(shown.collect::<Vec<_>>())
}

fn is_true(query: &HashMap<String, String>, name: &str) -> bool {
    query.get(name).is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

fn gather(folder: &Path, prefix: &str, depth: usize, files: &mut Vec<(String, Metadata)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if metadata.is_file() {
            files.push((name, metadata));
        } else if metadata.is_dir() && depth > 1 {
            gather(&entry.path(), &format!("{name}/"), depth - 1, files)?;
        }
    }
    Ok(())
}

/// A file's entry. Times are in seconds, since 0.33.0 in integer milliseconds.
fn file_info(like: ComfyVersion, name: &str, metadata: &Metadata) -> Json {
    let modified = seconds(metadata.modified());
    let created = metadata.created().map_or(modified, |time| seconds(Ok(time)));
    #[expect(clippy::cast_possible_truncation, reason = "times of files are far below 2^53 ms")]
    let time = |seconds: f64| match like {
        ComfyVersion::V0_3_64 => json!(seconds),
        ComfyVersion::V0_33_0 => json!((seconds * 1000.0) as i64),
    };
    json!({"path": name, "size": metadata.len(), "modified": time(modified), "created": time(created)})
}

/// The path of a requested file, or the status of the refusal.
fn named(worker: &Worker, file: &str) -> Result<PathBuf, StatusCode> {
    if file.is_empty() {
        return Err(StatusCode::BAD_REQUEST);
    }
    under(&folder(&worker.options.data), file).ok_or(StatusCode::FORBIDDEN)
}

pub(super) async fn read(worker: Data<Worker>, file: web::Path<String>) -> HttpResponse {
    let path = match named(&worker, &file) {
        Ok(path) => path,
        Err(status) => return HttpResponse::new(status),
    };
    match tokio::fs::read(&path).await {
        Ok(bytes) => {
            let mut response = HttpResponse::Ok();
            if worker.options.like >= ComfyVersion::V0_33_0 {
                response.insert_header((header::CONTENT_DISPOSITION, "attachment"));
            }
            response.content_type(content_type(&path)).body(bytes)
        }
        Err(error) if path.is_dir() => {
            drop(error);
            HttpResponse::NotFound().finish()
        }
        Err(error) => failed(&error),
    }
}

pub(super) async fn write(
    worker: Data<Worker>,
    file: web::Path<String>,
    query: Parameters,
    body: Bytes,
) -> HttpResponse {
    let path = match named(&worker, &file) {
        Ok(path) => path,
        Err(status) => return HttpResponse::new(status),
    };
    if path.exists() && query.get("overwrite").is_some_and(|value| value == "false") {
        return text(StatusCode::CONFLICT, "File already exists");
    }
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| write_whole(&path, &body));
    match written {
        Ok(()) => stored(&worker, &path, &file, &query),
        Err(error) => failed(&error),
    }
}

/// The answer after a file was written or moved: its name, or its full entry.
fn stored(worker: &Worker, path: &Path, name: &str, query: &HashMap<String, String>) -> HttpResponse {
    if !is_true(query, "full_info") {
        return HttpResponse::Ok().json(name);
    }
    match fs::metadata(path) {
        Ok(metadata) => HttpResponse::Ok().json(file_info(worker.options.like, name, &metadata)),
        Err(error) => failed(&error),
    }
}

pub(super) async fn delete(worker: Data<Worker>, file: web::Path<String>) -> HttpResponse {
    let path = match named(&worker, &file) {
        Ok(path) => path,
        Err(status) => return HttpResponse::new(status),
    };
    match fs::remove_file(&path) {
        Ok(()) => HttpResponse::NoContent().finish(),
        Err(error) => failed(&error),
    }
}

pub(super) async fn rename(
    worker: Data<Worker>,
    names: web::Path<(String, String)>,
    query: Parameters,
) -> HttpResponse {
    let (file, dest) = names.into_inner();
    let (from, to) = match (named(&worker, &file), named(&worker, &dest)) {
        (Ok(from), Ok(to)) => (from, to),
        (Err(status), _) | (_, Err(status)) => return HttpResponse::new(status),
    };
    if !from.is_file() {
        return HttpResponse::NotFound().finish();
    }
    if to.exists() && query.get("overwrite").is_some_and(|value| value == "false") {
        return text(StatusCode::CONFLICT, "File already exists");
    }
    match to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::rename(&from, &to)) {
        Ok(()) => stored(&worker, &to, &dest, &query),
        Err(error) => failed(&error),
    }
}
