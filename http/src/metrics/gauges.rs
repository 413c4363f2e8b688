//! Values read on request: queue, workers, streams, connections, process.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use verdigraph_core::Core;
use verdigraph_core::assets::life;
use verdigraph_core::fleet::WorkerState;
use verdigraph_core::jobs::{self, Lane, QueueStats, Status};

use super::RECORDED;
use super::exposition::{Exposition, Labels};
use super::process;
use crate::edge::Edge;
use crate::views::fleet::state_name;

/// How long a count of jobs is cached.
const COUNT_TTL: Duration = Duration::from_secs(5);
/// Timeout of counting in the database; without an answer the other values are sent.
const COUNT_TIMEOUT: Duration = Duration::from_secs(2);
/// The reported states of workers.
const STATES: [WorkerState; 5] =
    [WorkerState::Connecting, WorkerState::Idle, WorkerState::Busy, WorkerState::Draining, WorkerState::Paused];

/// Cached counts.
#[derive(Debug, Default)]
pub struct Gauges {
    /// One request queries the database; concurrent requests wait for its answer.
    census: Mutex<Option<(Instant, Option<QueueStats>)>>,
    files: Mutex<Option<(Instant, Option<life::Backlog>)>>,
}

/// The text of `/metrics`.
pub async fn render(core: &Core, edge: &Edge) -> String {
    let recorded = RECORDED.get().map(metrics_exporter_prometheus::PrometheusHandle::render).unwrap_or_default();
    let mut text = Exposition::after(recorded);
    let version = Labels(vec![("version", env!("CARGO_PKG_VERSION"))]);
    text.gauge("verdigraph_build_info", "the program that runs", [(version, 1.0)]);
    let census = edge.gauges.census(core).await;
    text.gauge(
        "verdigraph_database_up",
        "whether the database answered when jobs were counted",
        [(Labels::default(), if census.is_some() { 1.0 } else { 0.0 })],
    );
    text.gauge(
        "verdigraph_storage_away",
        "whether files can be neither stored nor read, as far as this node knows",
        [(Labels::default(), if core.files.storage.health().away_for().is_some() { 1.0 } else { 0.0 })],
    );
    if let Some(census) = census {
        jobs_of(&mut text, core, &census);
    }
    if let Some(backlog) = edge.gauges.backlog(core).await {
        files_of(&mut text, core, &backlog);
    }
    workers_of(&mut text, core);
    edge_of(&mut text, core, edge);
    process::write(&mut text, &core.settings.data.folder);
    text.text()
}

impl Gauges {
    /// Counts jobs, or returns a recent count. `None` if the database does not answer.
    async fn census(&self, core: &Core) -> Option<QueueStats> {
        let mut last = self.census.lock().await;
        if let Some((_, census)) = last.as_ref().filter(|(at, _)| at.elapsed() < COUNT_TTL) {
            return census.clone();
        }
        let counted = actix_web::rt::time::timeout(COUNT_TIMEOUT, jobs::queue_stats(core)).await;
        let census = match counted {
            Ok(Ok(census)) => Some(census),
            Ok(Err(error)) => {
                tracing::warn!(%error, "jobs could not be counted");
                None
            }
            Err(_) => {
                tracing::warn!("the database takes too long to count jobs");
                None
            }
        };
        *last = Some((Instant::now(), census.clone()));
        census
    }
}

impl Gauges {
    /// Counts files that wait to be deleted, or returns a recent count.
    async fn backlog(&self, core: &Core) -> Option<life::Backlog> {
        let mut last = self.files.lock().await;
        if let Some((_, backlog)) = last.as_ref().filter(|(at, _)| at.elapsed() < COUNT_TTL) {
            return backlog.clone();
        }
        let counted = actix_web::rt::time::timeout(COUNT_TIMEOUT, life::backlog(core)).await;
        let backlog = match counted {
            Ok(Ok(backlog)) => Some(backlog),
            Ok(Err(error)) => {
                tracing::warn!(%error, "files that wait to be deleted could not be counted");
                None
            }
            Err(_) => None,
        };
        *last = Some((Instant::now(), backlog.clone()));
        backlog
    }
}

fn files_of(text: &mut Exposition, core: &Core, backlog: &life::Backlog) {
    let alone = |value: f64| [(Labels::default(), value)];
    text.gauge(
        "verdigraph_files_orphaned",
        "files that nobody names and that are to be deleted, of the whole installation",
        alone(number(backlog.orphaned)),
    );
    let age = backlog.oldest.map_or(0, |since| (core.clock.now() - since).num_seconds().max(0));
    text.gauge(
        "verdigraph_files_orphaned_oldest_seconds",
        "how long the oldest of them has waited",
        alone(number(age)),
    );
    text.gauge(
        "verdigraph_files_stored",
        "stored files, at the last daily walk over the store",
        alone(number(backlog.stored_files)),
    );
    text.gauge(
        "verdigraph_files_stored_bytes",
        "stored bytes, at the last daily walk over the store",
        alone(number(backlog.stored_bytes)),
    );
}

fn jobs_of(text: &mut Exposition, core: &Core, census: &QueueStats) {
    let mut counts: BTreeMap<(&str, Lane, Status), i64> = BTreeMap::new();
    // Every lane of every pool has a value, also zero: a series that comes and goes is hard to add up.
    for pool in &core.settings.pools {
        for lane in Lane::ALL {
            for status in [Status::Pending, Status::Connecting, Status::Connected, Status::Running] {
                counts.insert((pool.name.as_str(), lane, status), 0);
            }
        }
    }
    counts.extend(census.waiting.iter().map(|(pool, lane, count)| ((pool.as_str(), *lane, Status::Pending), *count)));
    counts.extend(census.in_flight.iter().map(|(pool, lane, status, count)| ((pool.as_str(), *lane, *status), *count)));
    let values = counts.iter().map(|((pool, lane, status), count)| {
        (Labels(vec![("pool", pool), ("lane", lane.name()), ("status", status.name())]), number(*count))
    });
    text.gauge("verdigraph_jobs", "jobs that have not ended, of the whole installation, as this node knows", values);

    let now = core.clock.now();
    let mut ages: BTreeMap<(&str, Lane), f64> = BTreeMap::new();
    for pool in &core.settings.pools {
        ages.extend(Lane::ALL.map(|lane| ((pool.name.as_str(), lane), 0.0)));
    }
    for (pool, lane, since) in &census.oldest {
        ages.insert((pool, *lane), number((now - *since).num_milliseconds().max(0)) / 1000.0);
    }
    let values = ages.iter().map(|((pool, lane), age)| (Labels(vec![("pool", pool), ("lane", lane.name())]), *age));
    text.gauge("verdigraph_queue_oldest_seconds", "how long the oldest of a lane's next jobs has waited", values);
    let most = number(i64::try_from(core.settings.jobs.max_waiting).unwrap_or(i64::MAX));
    text.gauge("verdigraph_queue_limit", "jobs that may wait before submits are refused", [(Labels::default(), most)]);
}

fn workers_of(text: &mut Exposition, core: &Core) {
    let views = core.fleet.roster().views();
    let mut states: BTreeMap<(&str, &str), i64> = BTreeMap::new();
    let mut busy: BTreeMap<&str, i64> = BTreeMap::new();
    for pool in &core.settings.pools {
        busy.insert(&pool.name, 0);
        states.extend(STATES.map(|state| ((pool.name.as_str(), state_name(state)), 0)));
    }
    // Only this node's workers, so that a sum over nodes counts each worker once.
    for view in views.iter().filter(|view| view.node == Some(core.node)) {
        *states.entry((&view.pool, state_name(view.state))).or_insert(0) += 1;
        *busy.entry(&view.pool).or_insert(0) += i64::from(view.job.is_some());
    }
    let values =
        states.iter().map(|((pool, state), count)| (Labels(vec![("pool", pool), ("state", *state)]), number(*count)));
    text.gauge("verdigraph_workers", "workers of this node, by what they do", values);
    let values = busy.iter().map(|(pool, count)| (Labels(vec![("pool", pool)]), number(*count)));
    text.gauge("verdigraph_workers_with_a_job", "workers of this node that were given a job", values);
    let skew = [(Labels::default(), number(core.fleet.clock_skew_ms()) / 1000.0)];
    text.gauge("verdigraph_clock_skew_seconds", "how far this node's clock is ahead of the database's", skew);
    let nodes = i64::try_from(core.fleet.living_nodes()).unwrap_or(i64::MAX);
    text.gauge("verdigraph_nodes", "nodes that live, as this one knows", [(Labels::default(), number(nodes))]);
    let name = [(Labels(vec![("name", core.instance.as_str())]), number(1))];
    text.gauge("verdigraph_node", "always 1; by what this node is called", name);
    let together = [(Labels::default(), f64::from(core.shared.is_connected()))];
    let help = "whether this node counts limits together with others (Redis), rather than by itself";
    text.gauge("verdigraph_limits_shared", help, together);
}

fn edge_of(text: &mut Exposition, core: &Core, edge: &Edge) {
    let alone = |value: usize| [(Labels::default(), number(i64::try_from(value).unwrap_or(i64::MAX)))];
    text.gauge("verdigraph_event_streams", "live event streams that are open", alone(edge.streams.count()));
    let most = core.settings.limits.streams_per_node as usize;
    text.gauge("verdigraph_event_streams_limit", "live event streams that may be open", alone(most));
    text.gauge("verdigraph_http_connections", "connections that are open", alone(edge.connections.count()));
    let most = edge.connections.limit();
    text.gauge("verdigraph_http_connections_limit", "connections that may be open", alone(most));
    let pools = ["core", "http"].map(|user| (user, core.pools.of(user)));
    let values = pools.iter().flat_map(|(user, pool)| {
        [("busy", pool.busy), ("idle", pool.idle)]
            .map(|(state, count)| (Labels(vec![("pool", *user), ("state", state)]), f64::from(count)))
    });
    text.gauge("verdigraph_database_connections", "connections to the database, by who has them", values);
    let values = pools.iter().map(|(user, pool)| (Labels(vec![("pool", *user)]), f64::from(pool.limit)));
    text.gauge("verdigraph_database_connections_limit", "connections to the database that there may be", values);
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn number(value: i64) -> f64 {
    value as f64
}
