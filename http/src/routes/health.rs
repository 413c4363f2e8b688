//! Whether the node can take jobs, and the API's own description.

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::web::{self, Data, ServiceConfig};
use serde::Serialize;
use utoipa::{OpenApi, ToSchema};
use verdigraph_core::assets::Videos;
use verdigraph_core::{Core, database};

use crate::views::workers::state_name;
use crate::{docs, openapi};

/// How long the database may take to answer before the node counts as unavailable.
const DATABASE_ANSWERS_WITHIN: Duration = Duration::from_secs(2);

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(health))]
pub struct Api;

/// Mounts the routes below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/health").get(health))
        .service(web::resource("/openapi.json").get(description))
        .service(web::resource("/docs").get(page));
}

/// Whether the node can take jobs, and why not.
#[derive(Debug, Serialize, ToSchema)]
pub struct HealthView {
    /// `ok` or `unavailable`.
    pub status: &'static str,
    /// `ok`, or what is wrong with it.
    pub database: String,
    /// How many workers are in which state: `{"idle": 1}`.
    pub workers: BTreeMap<String, usize>,
    /// `ok` where videos get sizes and posters, else why they do not; the node takes jobs all the same.
    pub videos: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Whether the node can take jobs
#[utoipa::path(get, path = "/api/health", tag = "operations", responses(
    (status = 200, body = HealthView), (status = 503, body = HealthView)
))]
async fn health(core: Data<Core>) -> HttpResponse {
    let database = match actix_web::rt::time::timeout(DATABASE_ANSWERS_WITHIN, database::ping(&core.db)).await {
        Ok(Ok(())) => None,
        Ok(Err(error)) => {
            tracing::warn!(%error, "the database does not answer");
            Some("the database does not answer")
        }
        Err(_) => Some("the database takes too long to answer"),
    };
    let mut workers = BTreeMap::new();
    for worker in core.fleet.roster().views() {
        *workers.entry(state_name(worker.state).to_lowercase()).or_insert(0) += 1;
    }
    let able = ["idle", "busy"].iter().any(|state| workers.contains_key(*state));
    let reason = match (database, able) {
        (Some(reason), _) => Some(reason.to_owned()),
        (None, false) if workers.is_empty() => Some("no worker is configured".to_owned()),
        (None, false) => Some("no worker is connected".to_owned()),
        (None, true) => None,
    };
    let view = HealthView {
        status: if reason.is_none() { "ok" } else { "unavailable" },
        database: database.unwrap_or("ok").to_owned(),
        workers,
        videos: match core.files.videos() {
            Videos::Read => "ok",
            Videos::NoPrograms => "ffmpeg is not on this machine",
            Videos::Off => "off",
        },
        reason,
    };
    match view.reason {
        None => HttpResponse::Ok().json(view),
        Some(_) => HttpResponse::ServiceUnavailable().insert_header(("Retry-After", "2")).json(view),
    }
}

async fn description() -> HttpResponse {
    static JSON: OnceLock<String> = OnceLock::new();
    HttpResponse::Ok().content_type("application/json").body(JSON.get_or_init(openapi::json).as_str())
}

async fn page() -> HttpResponse {
    static HTML: OnceLock<String> = OnceLock::new();
    let html = HTML.get_or_init(|| docs::page(&openapi::value()));
    HttpResponse::Ok().content_type("text/html; charset=utf-8").body(html.as_str())
}
