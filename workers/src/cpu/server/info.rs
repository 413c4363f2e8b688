//! What the worker has and can do, and what it said.

use std::fs;
use std::time::SystemTime;

use actix_web::HttpResponse;
use actix_web::web::{Bytes, Data, Path};
use serde_json::{Value as Json, json};

use super::worker::Worker;

/// The server version whose protocol this is.
const VERSION: &str = "0.3.64";
/// The editor that goes with it.
const FRONTEND: &str = "1.27.10";
/// The folders of models a server of this version knows. This worker needs no models: all are empty.
const MODEL_FOLDERS: [&str; 20] = [
    "checkpoints",
    "configs",
    "loras",
    "vae",
    "text_encoders",
    "diffusion_models",
    "clip_vision",
    "style_models",
    "embeddings",
    "diffusers",
    "vae_approx",
    "controlnet",
    "gligen",
    "upscale_models",
    "custom_nodes",
    "hypernetworks",
    "photomaker",
    "classifiers",
    "model_patches",
    "audio_encoders",
];

/// GET /
pub(super) async fn root() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .body("This is a Verdigraph CPU worker. It speaks ComfyUI's protocol and shows no pages.\n")
}

/// GET /object_info
pub(super) async fn object_info(worker: Data<Worker>) -> HttpResponse {
    let listed =
        actix_web::web::block(move || worker.catalog.object_info(None, &worker.folders)).await;
    listed.map_or_else(
        |_| HttpResponse::InternalServerError().finish(),
        |info| HttpResponse::Ok().json(info),
    )
}

/// GET /object_info/{class}
pub(super) async fn one_object_info(worker: Data<Worker>, class: Path<String>) -> HttpResponse {
    let listed =
        actix_web::web::block(move || worker.catalog.object_info(Some(&class), &worker.folders))
            .await;
    listed.map_or_else(
        |_| HttpResponse::InternalServerError().finish(),
        |info| HttpResponse::Ok().json(info),
    )
}

/// What this server can do, as `feature_flags` and `/features` tell it.
pub(super) fn feature_flags(worker: &Worker) -> Json {
    json!({"supports_preview_metadata": true, "max_upload_size": worker.options.body_bytes})
}

/// GET /features
pub(super) async fn features(worker: Data<Worker>) -> HttpResponse {
    HttpResponse::Ok().json(feature_flags(&worker))
}

/// GET /system_stats. Sizes in bytes; 0 where the system does not tell.
pub(super) async fn system_stats() -> HttpResponse {
    let (total, free) = memory();
    HttpResponse::Ok().json(json!({
        "system": {
            "os": if cfg!(unix) { "posix" } else { "nt" },
            "ram_total": total,
            "ram_free": free,
            "comfyui_version": VERSION,
            "required_frontend_version": FRONTEND,
            "python_version": "none (Verdigraph CPU worker)",
            "pytorch_version": "none",
            "verdigraph_version": env!("CARGO_PKG_VERSION"),
            "embedded_python": false,
            "argv": [],
        },
        "devices": [{
            "name": "cpu",
            "type": "cpu",
            "index": null,
            "vram_total": total,
            "vram_free": free,
            "torch_vram_total": total,
            "torch_vram_free": free,
        }],
    }))
}

/// Memory of the machine in bytes: all of it, and what is available.
fn memory() -> (u64, u64) {
    let told = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = |name: &str| {
        let rest = told.lines().find_map(|line| line.strip_prefix(name))?;
        rest.trim_start_matches(':')
            .split_whitespace()
            .next()?
            .parse::<u64>()
            .ok()
    };
    let bytes = |name: &str| line(name).unwrap_or(0).saturating_mul(1024);
    (bytes("MemTotal"), bytes("MemAvailable"))
}

/// Lists of which this worker has none: /embeddings, /extensions.
pub(super) async fn empty_list() -> HttpResponse {
    HttpResponse::Ok().json(json!([]))
}

/// Maps of which this worker has none: /i18n, /workflow_templates.
pub(super) async fn empty_object() -> HttpResponse {
    HttpResponse::Ok().json(json!({}))
}

/// GET /models
pub(super) async fn model_folders() -> HttpResponse {
    HttpResponse::Ok().json(MODEL_FOLDERS)
}

/// GET /models/{folder}, /experiment/models/{folder}
pub(super) async fn models(folder: Path<String>) -> HttpResponse {
    if MODEL_FOLDERS.contains(&folder.as_str()) {
        HttpResponse::Ok().json(json!([]))
    } else {
        HttpResponse::NotFound().finish()
    }
}

/// GET /experiment/models. Where the folders are on disk is nobody's business.
pub(super) async fn experiment_folders() -> HttpResponse {
    let listed = MODEL_FOLDERS
        .iter()
        .filter(|name| !matches!(**name, "configs" | "custom_nodes"));
    HttpResponse::Ok().json(
        listed
            .map(|name| json!({"name": name, "folders": []}))
            .collect::<Vec<_>>(),
    )
}

/// GET /internal/folder_paths
pub(super) async fn folder_paths() -> HttpResponse {
    HttpResponse::Ok().json(Json::Object(
        MODEL_FOLDERS
            .iter()
            .map(|name| ((*name).to_owned(), json!([])))
            .collect(),
    ))
}

/// GET /internal/files/{kind}: names, the newest first.
pub(super) async fn files(worker: Data<Worker>, kind: Path<String>) -> HttpResponse {
    let Some(folder) = worker.folders.by_type(&kind) else {
        return HttpResponse::BadRequest().json(json!({"error": "Invalid directory type"}));
    };
    let mut files: Vec<(SystemTime, String)> = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if let Some(metadata) = entry.metadata().ok().filter(fs::Metadata::is_file) {
            let changed = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            files.push((changed, entry.file_name().to_string_lossy().into_owned()));
        }
    }
    files.sort_by(|left, right| right.cmp(left));
    HttpResponse::Ok().json(files.into_iter().map(|(_, name)| name).collect::<Vec<_>>())
}

/// GET /internal/logs
pub(super) async fn logs(worker: Data<Worker>) -> HttpResponse {
    HttpResponse::Ok().json(worker.log.text())
}

/// GET /internal/logs/raw
pub(super) async fn raw_logs(worker: Data<Worker>) -> HttpResponse {
    HttpResponse::Ok().json(worker.log.raw())
}

/// PATCH /internal/logs/subscribe: `clientId`, `enabled`. Nothing where there is no such client.
pub(super) async fn subscribe_logs(worker: Data<Worker>, body: Bytes) -> HttpResponse {
    let body: Json = serde_json::from_slice(&body).unwrap_or_default();
    let (Some(client), Some(enabled)) = (
        body.get("clientId").and_then(Json::as_str),
        body.get("enabled").and_then(Json::as_bool),
    ) else {
        return HttpResponse::BadRequest().body("clientId and enabled are needed");
    };
    worker.sockets.subscribe(client, enabled);
    HttpResponse::Ok().finish()
}
