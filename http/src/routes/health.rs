//! Whether the node lives, is ready for people, and can take jobs; and the API's own description.

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::Duration;

use actix_web::http::header;
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpResponse, HttpResponseBuilder};
use serde::Serialize;
use verdigraph_core::assets::Videos;
use verdigraph_core::supervision::{Health, Part};
use verdigraph_core::{Core, database};

use crate::described::{self, OpenApi, ToSchema};
use crate::edge::Edge;
use crate::views::workers::state_name;
use crate::{builtin, docs, openapi};

/// How long the database may take to answer before the node counts as unavailable.
const DATABASE_ANSWERS_WITHIN: Duration = Duration::from_secs(2);

/// Without these a node takes no jobs.
const NEEDED: [Part; 4] = [Part::Ledger, Part::Dispatcher, Part::Fleet, Part::Connections];

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(health, live, ready))]
pub struct Api;

/// Mounts what whoever keeps the node running asks. They are asked often, from one address and by nobody in
/// particular, so that they stand before the gate, which counts requests and looks sessions up.
pub fn configure_probes(config: &mut ServiceConfig) {
    config.service(web::resource("/api/live").get(live)).service(web::resource("/api/ready").get(ready));
}

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
    /// `ok`, or `away` where files can be neither stored nor read: jobs are taken and wait.
    pub storage: &'static str,
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
    let database = database_trouble(&core).await;
    let mut workers = BTreeMap::new();
    for worker in core.fleet.roster().views() {
        // A machine that is switched off, or whose token was revoked, says nothing of the installation.
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
        (None, Some(part), _) => Some(format!("the {} is being started again", part.name())),
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

/// What is wrong with the database, if anything is.
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

fn part_down(troubled: &[Health]) -> Option<Part> {
    troubled.iter().find(|health| health.down > 0 && NEEDED.contains(&health.part)).map(|health| health.part)
}

fn storage_state(core: &Core) -> &'static str {
    if core.files.storage.reach().away_for().is_some() { "away" } else { "ok" }
}

/// Whether Redis answers, where there is one. A node goes on without it.
fn redis_state(core: &Core) -> &'static str {
    match (&core.settings.redis.url, core.shared.counts_together()) {
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
/// It always does, whatever it needs is away: who gets no answer starts the process again, which would mend nothing else.
#[described::path(get, path = "/api/live", tag = "operations", responses((status = 200, body = LiveView)))]
async fn live() -> HttpResponse {
    no_store(HttpResponse::Ok()).json(LiveView { status: "live" })
}

/// Whether requests should be sent to the node, and why not.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReadyView {
    /// `ready`; `draining` where the node is about to stop; else `unavailable`.
    pub status: &'static str,
    /// `ok`, or what is wrong with it.
    pub database: &'static str,
    /// `ok`, or `away` where files can be neither stored nor read.
    pub storage: &'static str,
    /// `ok`; `away`, without which a node is ready all the same; or `none` where none is configured.
    pub redis: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Whether requests should be sent to the node
///
/// For load balancers. A node that is about to stop says so first, and answers requests for a while yet.
#[described::path(get, path = "/api/ready", tag = "operations", responses(
    (status = 200, body = ReadyView), (status = 503, body = ReadyView)
))]
async fn ready(core: Data<Core>, edge: Data<Edge>) -> HttpResponse {
    let (database, redis) = (database_trouble(&core).await, redis_state(&core));
    let storage = storage_state(&core);
    let down = part_down(&core.supervisor.troubled());
    let reason = match (edge.is_draining(), database, down) {
        (true, ..) => Some("the node is about to stop".to_owned()),
        (false, Some(trouble), _) => Some(trouble.to_owned()),
        (false, None, Some(part)) => Some(format!("the {} is being started again", part.name())),
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
