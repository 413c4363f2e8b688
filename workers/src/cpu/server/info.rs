//! Capabilities, system information and logs of the worker.

use std::fs;
use std::time::SystemTime;

use actix_web::HttpResponse;
use actix_web::web::{Bytes, Data, Path};
use serde_json::{Value as Json, json};
use verdigraph_core::graph::ComfyVersion;

use super::worker::Worker;

/// The frontend version that belongs to a server version.
fn frontend(like: ComfyVersion) -> &'static str {
    match like {
        ComfyVersion::V0_3_64 => "1.27.10",
        ComfyVersion::V0_33_0 => "1.49.6",
    }
}

/// The model folders of this server version. This worker needs no models: all are empty.
fn model_folders_of(like: ComfyVersion) -> &'static [&'static str] {
    match like {
        ComfyVersion::V0_3_64 => &MODEL_FOLDERS_0_3_64,
        ComfyVersion::V0_33_0 => &MODEL_FOLDERS_0_33_0,
    }
}

const MODEL_FOLDERS_0_33_0: [&str; 27] = [
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
    "latent_upscale_models",
    "custom_nodes",
    "datasets",
    "hypernetworks",
    "photomaker",
    "classifiers",
    "model_patches",
    "audio_encoders",
    "background_removal",
    "frame_interpolation",
    "geometry_estimation",
    "optical_flow",
    "detection",
];
const MODEL_FOLDERS_0_3_64: [&str; 20] = [
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

pub(super) async fn root() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .body("This is a Verdigraph CPU worker. It speaks ComfyUI's protocol and shows no pages.\n")
}

pub(super) async fn object_info(worker: Data<Worker>) -> HttpResponse {
    let listed = actix_web::web::block(move || worker.catalog.object_info(None, &worker.folders)).await;
    listed.map_or_else(|_| HttpResponse::InternalServerError().finish(), |info| HttpResponse::Ok().json(info))
}

pub(super) async fn one_object_info(worker: Data<Worker>, class: Path<String>) -> HttpResponse {
    let listed = actix_web::web::block(move || worker.catalog.object_info(Some(&class), &worker.folders)).await;
    listed.map_or_else(|_| HttpResponse::InternalServerError().finish(), |info| HttpResponse::Ok().json(info))
}

/// Features for `feature_flags` and `/features`.
pub(super) fn feature_flags(worker: &Worker) -> Json {
    let most = worker.options.body_bytes;
    match worker.options.like {
        ComfyVersion::V0_3_64 => json!({"supports_preview_metadata": true, "max_upload_size": most}),
        ComfyVersion::V0_33_0 => json!({
            "supports_preview_metadata": true,
            "supports_model_type_tags": true,
            "max_upload_size": most,
            "extension": {"manager": {"supports_v4": true}},
            "node_replacements": true,
            "assets": false,
        }),
    }
}

pub(super) async fn features(worker: Data<Worker>) -> HttpResponse {
    HttpResponse::Ok().json(feature_flags(&worker))
}

/// GET /system_stats. Sizes in bytes; 0 if unknown.
pub(super) async fn system_stats(worker: Data<Worker>) -> HttpResponse {
    let (total, free) = memory();
    let like = worker.options.like;
    let mut stats = json!({
        "system": {
            "os": os(like),
            "ram_total": total,
            "ram_free": free,
            "comfyui_version": like.version(),
            "required_frontend_version": frontend(like),
            "installed_templates_version": null,
            "required_templates_version": null,
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
    });
    if like >= ComfyVersion::V0_33_0
        && let Some(system) = stats.get_mut("system").and_then(Json::as_object_mut)
    {
        system.insert("comfy_package_versions".to_owned(), json!([]));
        system.insert("deploy_environment".to_owned(), json!("local-git"));
    }
    HttpResponse::Ok().json(stats)
}

/// The operating system as Python names it: the family before 0.33.0, then the system.
fn os(like: ComfyVersion) -> &'static str {
    match like {
        ComfyVersion::V0_3_64 if cfg!(unix) => "posix",
        ComfyVersion::V0_3_64 => "nt",
        ComfyVersion::V0_33_0 if cfg!(target_os = "macos") => "darwin",
        ComfyVersion::V0_33_0 if cfg!(unix) => "linux",
        ComfyVersion::V0_33_0 => "win32",
    }
}

/// The machine's memory in bytes: total and available.
fn memory() -> (u64, u64) {
    let told = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = |name: &str| {
        let rest = told.lines().find_map(|line| line.strip_prefix(name))?;
        rest.trim_start_matches(':').split_whitespace().next()?.parse::<u64>().ok()
    };
    let bytes = |name: &str| line(name).unwrap_or(0).saturating_mul(1024);
    (bytes("MemTotal"), bytes("MemAvailable"))
}

/// Lists that are empty at this worker: /embeddings, /extensions.
pub(super) async fn empty_list() -> HttpResponse {
    HttpResponse::Ok().json(json!([]))
}

/// Maps that are empty at this worker: /i18n, /workflow_templates, /global_subgraphs, /node_replacements.
pub(super) async fn empty_object() -> HttpResponse {
    HttpResponse::Ok().json(json!({}))
}

/// Answers 404: /global_subgraphs/{id}.
pub(super) async fn nothing() -> HttpResponse {
    HttpResponse::Ok().json(Json::Null)
}

/// /assets and /tags, which a real server has only if enabled.
pub(super) async fn no_assets() -> HttpResponse {
    HttpResponse::ServiceUnavailable().json(json!({"error": {
        "code": "SERVICE_DISABLED",
        "message": "Assets system is disabled. Start the server with --enable-assets to use this feature.",
        "details": {},
    }}))
}

pub(super) async fn model_folders(worker: Data<Worker>) -> HttpResponse {
    HttpResponse::Ok().json(model_folders_of(worker.options.like))
}

/// GET /models/{folder}, /experiment/models/{folder}
pub(super) async fn models(worker: Data<Worker>, folder: Path<String>) -> HttpResponse {
    if model_folders_of(worker.options.like).contains(&folder.as_str()) {
        HttpResponse::Ok().json(json!([]))
    } else {
        HttpResponse::NotFound().finish()
    }
}

/// GET /experiment/models. Does not reveal paths on disk.
pub(super) async fn experiment_folders(worker: Data<Worker>) -> HttpResponse {
    let like = worker.options.like;
    let listed = model_folders_of(like).iter().filter(|name| !matches!(**name, "configs" | "custom_nodes"));
    let listed = listed.map(|name| match like {
        ComfyVersion::V0_3_64 => json!({"name": name, "folders": []}),
        ComfyVersion::V0_33_0 => json!({"name": name, "folders": [], "extensions": []}),
    });
    HttpResponse::Ok().json(listed.collect::<Vec<_>>())
}

/// GET /internal/folder_paths
pub(super) async fn folder_paths(worker: Data<Worker>) -> HttpResponse {
    let folders = model_folders_of(worker.options.like).iter();
    HttpResponse::Ok().json(Json::Object(folders.map(|name| ((*name).to_owned(), json!([]))).collect()))
}

/// GET /internal/files/{kind}: names, newest first. Since 0.33.0 with their folder.
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
    let named = files.into_iter().map(|(_, name)| match worker.options.like {
        ComfyVersion::V0_3_64 => name,
        ComfyVersion::V0_33_0 => format!("{name} [{kind}]"),
    });
    HttpResponse::Ok().json(named.collect::<Vec<_>>())
}

pub(super) async fn logs(worker: Data<Worker>) -> HttpResponse {
    HttpResponse::Ok().json(worker.log.text())
}

pub(super) async fn raw_logs(worker: Data<Worker>) -> HttpResponse {
    HttpResponse::Ok().json(worker.log.raw())
}

/// PATCH /internal/logs/subscribe: `clientId`, `enabled`. Ignores unknown clients.
pub(super) async fn subscribe_logs(worker: Data<Worker>, body: Bytes) -> HttpResponse {
    let body: Json = serde_json::from_slice(&body).unwrap_or_default();
    let (Some(client), Some(enabled)) =
        (body.get("clientId").and_then(Json::as_str), body.get("enabled").and_then(Json::as_bool))
    else {
        return HttpResponse::BadRequest().body("clientId and enabled are needed");
    };
    worker.sockets.subscribe(client, enabled);
    HttpResponse::Ok().finish()
}
