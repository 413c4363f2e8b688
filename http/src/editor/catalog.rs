//! What the server of the editor can do: its features and versions, node classes and model files.
//!
//! A guest, who views a public workflow, sees the classes of the first plan. No call names a worker or another user's
//! file.

mod object_info;

use actix_web::http::StatusCode;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use serde_json::{Map, Value, json};
use verdigraph_core::editor::{self, EditorCatalog};
use verdigraph_core::graph::object_info_with_files;
use verdigraph_core::{Code, Core, users};

use super::dialect::Dialect;
use super::files::max_upload_bytes;
use super::settings::FRONT_END;
use crate::caller::Caller;
use crate::error::{ApiError, Result};
use object_info::OwnFiles;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/object_info").get(object_info::all))
        .service(web::resource("/object_info/{class}").get(object_info_of))
        .service(web::resource("/models").get(folders))
        .service(web::resource("/models/{folder}").get(models))
        .service(web::resource("/experiment/models").get(folder_details))
        .service(web::resource("/experiment/models/{folder}").get(model_details))
        .service(web::resource("/embeddings").get(embeddings))
        .service(web::resource("/features").get(features))
        .service(web::resource("/users").get(user_storage))
        .service(web::resource("/system_stats").get(system_stats))
        .service(web::resource("/extensions").get(extensions))
        .service(web::resource("/i18n").get(no_entries))
        .service(web::resource("/global_subgraphs").get(no_entries))
        .service(web::resource("/node_replacements").get(no_entries))
        .service(web::resource("/workflow_templates").get(no_entries));
}

/// The scripts that the front end loads. The number changes with the script, because browsers keep it.
const EXTENSIONS: [&str; 1] = ["/extensions/platform/v1/platform.js"];
/// The version told while no worker reports one.
const COMFY_VERSION: &str = "0.33.0";
/// The folder whose names are offered after `embedding:`.
const EMBEDDINGS: &str = "embeddings";

/// The features of this server, as the socket announces them too.
pub fn server_features(core: &Core) -> Value {
    json!({
        "supports_preview_metadata": true,
        "max_upload_size": max_upload_bytes(core),
        "node_replacements": false,
        "assets": false,
    })
}

/// A signed-in caller is told how many jobs may wait and run at once.
async fn features(core: Data<Core>, caller: Caller) -> Result<Json<Value>> {
    let mut features = server_features(&core);
    if let Some(user) = caller.user {
        features["max_concurrent_jobs"] = json!(users::plan(&core, user).await?.max_queued_jobs);
    }
    Ok(Json(features))
}

/// The form of a server with one user: the session or key decides who that is.
async fn user_storage() -> Json<Value> {
    Json(json!({ "storage": "server", "migrated": true }))
}

/// The platform in place of one machine. The argument hides nodes that need an account at another service.
async fn system_stats(core: Data<Core>, caller: Caller, request: HttpRequest) -> Result<Json<Value>> {
    let catalog = editor::catalog(&core, &caller).await?;
    let mut stats = json!({
        "system": {
            "os": "linux",
            "comfyui_version": catalog.comfy_version().unwrap_or(COMFY_VERSION),
            "comfyui_frontend_version": FRONT_END,
            "required_frontend_version": null,
            "python_version": "",
            "pytorch_version": "",
            "embedded_python": false,
            "argv": ["main.py", "--disable-api-nodes"],
            "ram_total": 0,
            "ram_free": 0,
        },
        "devices": [],
    });
    if Dialect::of(&request) == Dialect::Cloud {
        stats["system"]["cloud_version"] = json!(env!("CARGO_PKG_VERSION"));
        // There are no templates.
        stats["system"]["workflow_templates_version"] = json!("");
    }
    Ok(Json(stats))
}

async fn extensions() -> Json<[&'static str; 1]> {
    Json(EXTENSIONS)
}

/// The platform adds no translations, subgraphs, replacements or templates of node packs.
async fn no_entries() -> Json<Map<String, Value>> {
    Json(Map::new())
}

/// `{}` for an unknown class.
async fn object_info_of(core: Data<Core>, caller: Caller, class: Path<String>) -> Result<Json<Map<String, Value>>> {
    let catalog = editor::catalog(&core, &caller).await?;
    let Some(node) = catalog.definitions.get(&class).filter(|node| object_info::is_offered(node)) else {
        return Ok(Json(Map::new()));
    };
    let own = OwnFiles::of(&core, &caller).await?;
    let definition = object_info_with_files(node, &|medium| own.of_medium(medium));
    Ok(Json(Map::from_iter([(class.into_inner(), definition)])))
}

#[derive(Debug, Serialize)]
struct FolderView {
    name: String,
    /// Paths on a machine, of which there are none here.
    folders: [String; 0],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ModelView {
    name: String,
    path_index: u32,
}

async fn folders(core: Data<Core>, caller: Caller) -> Result<Json<Vec<String>>> {
    Ok(Json(editor::catalog(&core, &caller).await?.models().into_keys().collect()))
}

async fn folder_details(core: Data<Core>, caller: Caller) -> Result<Json<Vec<FolderView>>> {
    let names = editor::catalog(&core, &caller).await?.models().into_keys();
    Ok(Json(names.map(|name| FolderView { name, folders: [] }).collect()))
}

async fn models(core: Data<Core>, caller: Caller, folder: Path<String>) -> Result<Json<Vec<String>>> {
    let names = models_in(&editor::catalog(&core, &caller).await?, &folder);
    Ok(Json(names.ok_or_else(unknown_folder)?))
}

async fn model_details(core: Data<Core>, caller: Caller, folder: Path<String>) -> Result<Json<Vec<ModelView>>> {
    let names = models_in(&editor::catalog(&core, &caller).await?, &folder).ok_or_else(unknown_folder)?;
    Ok(Json(names.into_iter().map(|name| ModelView { name, path_index: 0 }).collect()))
}

fn models_in(catalog: &EditorCatalog, folder: &str) -> Option<Vec<String>> {
    catalog.models().remove(folder).map(|names| names.into_iter().collect())
}

fn unknown_folder() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, Code::NotFound, "no worker has this folder of models")
}

/// Names without their extensions, as prompts write them.
async fn embeddings(core: Data<Core>, caller: Caller) -> Result<HttpResponse> {
    let names = editor::catalog(&core, &caller).await?.models().remove(EMBEDDINGS).unwrap_or_default();
    let stems = names.iter().map(|name| match name.rsplit_once('.') {
        Some((stem, ending)) if !ending.contains('/') && !stem.is_empty() => stem,
        _ => name,
    });
    Ok(HttpResponse::Ok().json(stems.collect::<Vec<_>>()))
}
