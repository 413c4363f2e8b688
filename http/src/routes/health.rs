//! Whether the node can take jobs, and the API's own description.

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::web::{self, Data, ServiceConfig};
use serde::Serialize;
use verdigraph_core::assets::Videos;
use verdigraph_core::supervision::Part;
use verdigraph_core::{Core, database};

use crate::described::{self, OpenApi, ToSchema};
use crate::views::workers::state_name;
use crate::{builtin, docs, openapi};

/// How long the database may take to answer before the node counts as unavailable.
const DATABASE_ANSWERS_WITHIN: Duration = Duration::from_secs(2);

/// Without these a node takes no jobs.
const NEEDED: [Part; 4] = [Part::Ledger, Part::Dispatcher, Part::Fleet, Part::Connections];

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
    /// Parts of this node that have panicked since it started, and were started again. Empty where all is well.
    pub panics: Vec<PartView>,
    /// How often the built-in worker, which is a process of its own, was started again since the node started; 0 where
    /// there is none.
    #[serde(rename = "builtinWorkerRestarts")]
    pub builtin_worker_restarts: u64,
    /// `ok` where videos get sizes and posters, else why they do not; the node takes jobs all the same.
    pub videos: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A part of the node that has panicked.
#[derive(Debug, Serialize, ToSchema)]
pub struct PartView {
    /// `ledger`, `dispatcher`, `connection`, …
    pub part: &'static str,
    /// How often, since the node started.
    pub panics: u32,
    /// How many of its kind are down now; they are started again within seconds.
    pub down: u32,
}

/// Whether the node can take jobs
#[described::path(get, path = "/api/health", tag = "operations", responses(
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
    let troubled = core.supervisor.troubled();
    let down = troubled.iter().find(|health| health.down > 0 && NEEDED.contains(&health.part));
    let reason = match (database, down, able) {
        (Some(reason), ..) => Some(reason.to_owned()),
        (None, Some(health), _) => Some(format!("the {} is being started again", health.part.name())),
        (None, None, false) if workers.is_empty() => Some("no worker is configured".to_owned()),
        (None, None, false) => Some("no worker is connected".to_owned()),
        (None, None, true) => None,
    };
    let panics =
        troubled.iter().map(|health| PartView { part: health.part.name(), panics: health.panics, down: health.down });
    let view = HealthView {
        status: if reason.is_none() { "ok" } else { "unavailable" },
        database: database.unwrap_or("ok").to_owned(),
        workers,
        panics: panics.collect(),
        builtin_worker_restarts: builtin::restarts(),
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
