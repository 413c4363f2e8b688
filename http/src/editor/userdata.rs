//! The files of the editor, per user: workflows that its own "save" stores, bookmarks, templates.
//!
//! A path arrives in one segment, with `%2F` for its slashes. Each decoded path is checked by [`EditorPath::parse`].

use actix_web::HttpResponse;
use actix_web::http::{StatusCode, header};
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::{Deserialize, Serialize};
use verdigraph_core::editor::{self, EditorFileInfo, EditorPath, MAX_FILE_BYTES, WriteMode};
use verdigraph_core::{Code, Core, Error};

use crate::caller::Caller;
use crate::error::{ApiError, Result};
use crate::extract::{JsonLimit, RawBody};
use crate::query::Query;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/userdata").get(list))
        .service(web::resource("/userdata/{file}/move/{dest}").post(rename))
        .service(
            web::resource("/userdata/{file}").app_data(JsonLimit(MAX_FILE_BYTES)).get(read).post(write).delete(delete),
        );
}

/// The folder that the front end expects to exist.
const WORKFLOWS: &str = "workflows";

#[derive(Debug, Deserialize)]
struct FolderQuery {
    #[serde(default)]
    dir: String,
    recurse: Option<String>,
    split: Option<String>,
    full_info: Option<String>,
}

#[derive(Debug, Deserialize)]
struct WriteQuery {
    overwrite: Option<String>,
    full_info: Option<String>,
}

/// A file in a listing, in the form that the query asks for.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum FileView {
    Path(String),
    /// The path, and its segments.
    Parts(Vec<String>),
    Full {
        path: String,
        size: u64,
        /// Unix times in milliseconds.
        modified: i64,
        created: i64,
    },
}

impl FileView {
    fn full(path: &str, info: &EditorFileInfo) -> Self {
        Self::Full {
            path: path.to_owned(),
            size: info.size,
            modified: info.updated_at.timestamp_millis(),
            created: info.created_at.timestamp_millis(),
        }
    }
}

impl WriteQuery {
    fn mode(&self) -> WriteMode {
        if self.overwrite.as_deref() == Some("false") { WriteMode::CreateOnly } else { WriteMode::Replace }
    }

    fn response(&self, info: &EditorFileInfo) -> HttpResponse {
        let path = info.path.as_str();
        let is_full = is_true(self.full_info.as_deref());
        HttpResponse::Ok().json(if is_full { FileView::full(path, info) } else { FileView::Path(path.to_owned()) })
    }
}

fn taken() -> ApiError {
    ApiError::new(StatusCode::CONFLICT, Code::BadRequest, "File already exists")
}

fn is_true(flag: Option<&str>) -> bool {
    flag.is_some_and(|flag| flag.eq_ignore_ascii_case("true"))
}

/// Files of a folder, with paths relative to it. As in ComfyUI, names that begin with a dot are not listed. A guest,
/// who views a public workflow, has no files.
async fn list(core: Data<Core>, caller: Caller, query: Query<FolderQuery>) -> Result<Json<Vec<FileView>>> {
    if query.dir.is_empty() {
        return Err(Error::invalid("dir", "Directory not provided").into());
    }
    let folder = EditorPath::parse(query.dir.trim_end_matches('/'))?;
    if caller.user.is_none() {
        return Ok(Json(Vec::new()));
    }
    let files = editor::files(&core, &caller, &folder).await?;
    if files.is_empty() && folder.as_str() != WORKFLOWS {
        return Err(Error::NotFound { what: "folder" }.into());
    }
    let recurses = is_true(query.recurse.as_deref());
    let listed = files.iter().filter_map(|info| Some((info.path.below(&folder)?, info)));
    let listed = listed.filter(|(path, _)| {
        let is_hidden = path.split('/').any(|segment| segment.starts_with('.'));
        !is_hidden && (recurses || !path.contains('/'))
    });
    let views = listed.map(|(path, info)| match path {
        _ if is_true(query.full_info.as_deref()) => FileView::full(path, info),
        _ if is_true(query.split.as_deref()) => {
            FileView::Parts(std::iter::once(path).chain(path.split('/')).map(str::to_owned).collect())
        }
        _ => FileView::Path(path.to_owned()),
    });
    Ok(Json(views.collect()))
}

/// 404 for a guest, as for a file that does not exist.
async fn read(core: Data<Core>, caller: Caller, path: Path<String>) -> Result<HttpResponse> {
    let path = EditorPath::parse(&path)?;
    if caller.user.is_none() {
        return Err(Error::NotFound { what: "file" }.into());
    }
    let file = editor::read_file(&core, &caller, &path).await?;
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CACHE_CONTROL, "private, no-cache"));
    Ok(response.content_type(content_type(path.as_str())).body(file.content))
}

/// Only types that a browser does not run as a page of this site.
fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("json") => "application/json",
        Some("css") => "text/css; charset=utf-8",
        Some("txt" | "md") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

async fn write(
    core: Data<Core>,
    caller: Caller,
    path: Path<String>,
    query: Query<WriteQuery>,
    RawBody(content): RawBody,
) -> Result<HttpResponse> {
    caller.signed_in()?;
    let path = EditorPath::parse(&path)?;
    let stored = editor::write_file(&core, &caller, &path, &content, query.mode()).await?;
    Ok(query.response(&stored.ok_or_else(taken)?))
}

async fn rename(
    core: Data<Core>,
    caller: Caller,
    paths: Path<(String, String)>,
    query: Query<WriteQuery>,
) -> Result<HttpResponse> {
    caller.signed_in()?;
    let (from, to) = (EditorPath::parse(&paths.0)?, EditorPath::parse(&paths.1)?);
    let stored = editor::move_file(&core, &caller, [&from, &to], query.mode()).await?;
    Ok(query.response(&stored.ok_or_else(taken)?))
}

async fn delete(core: Data<Core>, caller: Caller, path: Path<String>) -> Result<HttpResponse> {
    caller.signed_in()?;
    editor::delete_file(&core, &caller, &EditorPath::parse(&path)?).await?;
    Ok(HttpResponse::NoContent().finish())
}
