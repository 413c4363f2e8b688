//! Liveness, readiness and health of the node, and the API's document.

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::Duration;

use actix_web::http::header;
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpResponse, HttpResponseBuilder};
use serde::Serialize;
use verdigraph_core::assets::VideoSupport;
use verdigraph_core::supervision::{Part, PartHealth};
use verdigraph_core::{Core, database};

use crate::edge::Edge;
use crate::openapi::{self, OpenApi, ToSchema};
use crate::views::fleet::state_name;
use crate::{builtin, docs};

/// Timeout of the database before the node counts as unavailable.
const DATABASE_ANSWERS_WITHIN: Duration = Duration::from_secs(2);

/// Parts that a node needs to run jobs.
const NEEDED: [Part; 4] = [Part::Ledger, Part::Dispatcher, Part::Fleet, Part::Connections];

#[derive(OpenApi)]
#[openapi(paths(health, live, ready))]
pub struct Api;

/// Mounts the probes outside the gate. Orchestrators call them often, from one address and without a session.
pub fn configure_probes(config: &mut ServiceConfig) {
    config.service(web::resource("/api/live").get(live)).service(web::resource("/api/ready").get(ready));
}

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/health").get(health))
        .service(web::resource("/openapi.json").get(description))
        .service(web::resource("/docs").get(page));
}

/// Whether the node can run jobs, and why not.
#[derive(Debug, Serialize, ToSchema)]
pub struct HealthView {
    /// `ok` or `unavailable`.
    pub status: &'static str,
    /// `ok`, or the problem.
    pub database: String,
    /// Number of workers in each state: `{"idle": 1}`.
    pub workers: BTreeMap<String, usize>,
    /// Parts of this node that have panicked and restarted since its start. Empty if there are none.
    pub panics: Vec<PartView>,
    /// Restarts of the built-in worker's process since the node started; 0 without one.
    #[serde(rename = "builtinWorkerRestarts")]
    pub builtin_worker_restarts: u64,
    /// `ok`, or `away` if files can be neither stored nor read: jobs are accepted and wait.
    pub storage: &'static str,
    /// `ok` if videos get sizes and posters, else why not; jobs run all the same.
    pub videos: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A part of the node that has panicked.
#[derive(Debug, Serialize, ToSchema)]
pub struct PartView {
    /// `ledger`, `dispatcher`, `connection`, …
    pub part: &'static str,
    /// Panics since the node started.
    pub panics: u32,
    /// How many of this part are down now; they restart within seconds.
    pub down: u32,
}

/// Whether the node can run jobs
#[openapi::path(get, path = "/api/health", tag = "operations", responses((status = 200, body = HealthView),
    (status = 503, body = HealthView, description = "the node takes no jobs; the body has the reason")))]
async fn health(core: Data<Core>) -> HttpResponse {
    let database = database_trouble(&core).await;
    let mut workers = BTreeMap::new();
    for worker in core.fleet.roster().views() {
        // An agent's disconnected worker says nothing about the installation.
        if worker.agent.as_ref().is_some_and(|agent| !agent.connected) {
            continue;
        }
        *workers.entry(state_name(worker.state).to_lowercase()).or_insert(0) += 1;
    }
    let able = ["idle", "busy"].iter().any(|state| workers.contains_key(*state));
    let troubled = core.supervisor.troubled();
    let down = part_down(&troubled);
    let reason = match (database, down, able) {
        (Some(reason), ..) => Some(reason.to_owned()),
        (None, Some(part), _) => Some(format!("the {} is restarting", part.name())),
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
        storage: storage_state(&core),
        videos: match core.files.video_support() {
            VideoSupport::Enabled => "ok",
            VideoSupport::FfmpegMissing => "ffmpeg is not installed",
            VideoSupport::Disabled => "off",
        },
        reason,
    };
    match view.reason {
        None => HttpResponse::Ok().json(view),
        Some(_) => HttpResponse::ServiceUnavailable().insert_header(("Retry-After", "2")).json(view),
    }
}

/// The problem with the database, if any.
async fn database_trouble(core: &Core) -> Option<&'static str> {
    match actix_web::rt::time::timeout(DATABASE_ANSWERS_WITHIN, database::ping(&core.db)).await {
        Ok(Ok(())) => None,
        Ok(Err(error)) => {
            tracing::warn!(%error, "the database does not answer");
            Some("the database does not answer")
        }
        Err(_) => Some("the database takes too long to answer"),
    }
}

fn part_down(troubled: &[PartHealth]) -> Option<Part> {
    troubled.iter().find(|health| health.down > 0 && NEEDED.contains(&health.part)).map(|health| health.part)
}

fn storage_state(core: &Core) -> &'static str {
    if core.files.storage.health().away_for().is_some() { "away" } else { "ok" }
}

/// Whether Redis answers, if configured. A node works without it.
fn redis_state(core: &Core) -> &'static str {
    match (&core.settings.redis.url, core.shared.is_connected()) {
        (None, _) => "none",
        (Some(_), true) => "ok",
        (Some(_), false) => "away",
    }
}

/// The process answers.
#[derive(Debug, Serialize, ToSchema)]
pub struct LiveView {
    /// `live`.
    pub status: &'static str,
}

/// Whether the process answers
///
/// It does not depend on the database or other services, because a restart would not repair those.
#[openapi::path(get, path = "/api/live", tag = "operations", responses((status = 200, body = LiveView)))]
async fn live() -> HttpResponse {
    no_store(HttpResponse::Ok()).json(LiveView { status: "live" })
}

/// Whether requests should be sent to the node, and why not.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReadyView {
    /// `ready`; `draining` while the node is stopping; else `unavailable`.
    pub status: &'static str,
    /// `ok`, or the problem.
    pub database: &'static str,
    /// `ok`, or `away` if files can be neither stored nor read.
    pub storage: &'static str,
    /// `ok`; `away`, which does not affect readiness; or `none` if not configured.
    pub redis: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Whether requests should be sent to the node
///
/// For load balancers. A stopping node reports it first, and still answers requests for a while.
#[openapi::path(get, path = "/api/ready", tag = "operations", responses((status = 200, body = ReadyView),
    (status = 503, body = ReadyView, description = "the node gets no requests; the body has the reason")))]
async fn ready(core: Data<Core>, edge: Data<Edge>) -> HttpResponse {
    let (database, redis) = (database_trouble(&core).await, redis_state(&core));
    let storage = storage_state(&core);
    let down = part_down(&core.supervisor.troubled());
    let reason = match (edge.is_draining(), database, down) {
        (true, ..) => Some("the node is stopping".to_owned()),
        (false, Some(trouble), _) => Some(trouble.to_owned()),
        (false, None, Some(part)) => Some(format!("the {} is restarting", part.name())),
        (false, None, None) if storage != "ok" => Some("files can be neither stored nor read".to_owned()),
        (false, None, None) => None,
    };
    let status = match &reason {
        None => "ready",
        Some(_) if edge.is_draining() => "draining",
        Some(_) => "unavailable",
    };
    let database = database.unwrap_or("ok");
    let view = ReadyView { status, database, storage, redis, reason };
    match view.reason {
        None => no_store(HttpResponse::Ok()).json(view),
        Some(_) => no_store(HttpResponse::ServiceUnavailable()).insert_header(("Retry-After", "2")).json(view),
    }
}

fn no_store(mut response: HttpResponseBuilder) -> HttpResponseBuilder {
    response.insert_header((header::CACHE_CONTROL, "no-store"));
    response
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
