//! What workers can do now, asked for out of turn: a model that was added a moment ago is in use a moment later.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use tokio::sync::Mutex;

use super::{Judge, Refresh, WorkerView, store};
use crate::audit::{self, Act, Action};
use crate::cache::Cache;
use crate::ids::WorkerId;
use crate::{Caller, Core, Error, Result};

/// A worker is asked out of turn no more often.
const BETWEEN: Duration = Duration::from_secs(10);
/// Whoever asks waits no longer; the answer counts all the same when it comes.
const PATIENCE: Duration = Duration::from_secs(8);
/// How long the ways of judging of other installations are taken to be the same.
const ELSEWHERE_LASTS: Duration = Duration::from_secs(10);

/// When workers were asked last, and what other nodes' workers said.
pub(super) struct News {
    /// Held while workers are asked: whoever comes meanwhile waits for the same answer.
    asked: Mutex<HashMap<WorkerId, Instant>>,
    elsewhere: Cache<String, Arc<[Judge]>>,
}

impl Default for News {
    fn default() -> Self {
        let elsewhere = Cache::of(100).living(ELSEWHERE_LASTS);
        Self { asked: Mutex::default(), elsewhere }
    }
}

/// Asks the connected workers of some pools again what they can do, unless they were asked a moment ago. Tells whether
/// that is other than what this node knew when it began to ask.
pub async fn look_again(core: &Core, pools: &[String]) -> bool {
    let before = core.fleet.roster().generation();
    let looked = tokio::time::timeout(PATIENCE, async {
        let mut asked = core.fleet.news.asked.lock().await;
        let mut workers = core.fleet.roster().connected();
        workers.retain(|worker| {
            let fits = core.fleet.roster().view(*worker).is_some_and(|view| pools.contains(&view.pool));
            fits && asked.get(worker).is_none_or(|at| at.elapsed() >= BETWEEN)
        });
        let now = Instant::now();
        asked.retain(|_, at| at.elapsed() < BETWEEN);
        asked.extend(workers.iter().map(|worker| (*worker, now)));
        join_all(workers.into_iter().map(|worker| ask(core, worker))).await;
    });
    if looked.await.is_err() {
        tracing::warn!("workers did not say in time what they can do");
    }
    core.fleet.settle().await;
    core.fleet.roster().generation() != before
}

/// Asks one worker again what it can do.
///
/// # Errors
/// [`Error::Forbidden`] for anybody but admins; [`Error::NotFound`] for an unknown worker; [`Error::Unavailable`] where
/// it does not answer in time.
pub async fn refresh(core: &Core, caller: &Caller, worker: WorkerId) -> Result<WorkerView> {
    let by = caller.must_be_admin()?;
    let view = core.fleet.roster().view(worker).ok_or(Error::NotFound { what: "worker" })?;
    let mut connection = core.db.acquire().await?;
    let after = json!({ "name": view.name, "change": "Refresh" });
    audit::record(&mut connection, by, Act::new(Action::WorkerChange, worker).after(after), core.clock.now()).await?;
    drop(connection);
    let asked = tokio::time::timeout(PATIENCE, ask(core, worker)).await;
    asked.map_err(|_| Error::Unavailable {
        message: "the worker does not say what it can do".into(),
        retry_after_seconds: 10,
    })?;
    core.fleet.settle().await;
    core.fleet.roster().view(worker).ok_or(Error::NotFound { what: "worker" })
}

async fn ask(core: &Core, worker: WorkerId) {
    if let Some(link) = core.fleet.roster().link(worker)
        && link.refresh.send(Refresh).await.is_err()
    {
        tracing::warn!(worker.id = %worker, "the worker's connection does not answer");
    }
}

/// The ways in which connected workers of other installations judge prompts, in some pools.
///
/// # Errors
/// Database errors.
pub async fn judges_elsewhere(core: &Core, pools: &[String]) -> Result<Vec<Judge>> {
    let mut judges: Vec<Judge> = Vec::new();
    for pool in pools {
        let since = core.clock.now() - chrono::Duration::seconds(60);
        let found = match core.fleet.news.elsewhere.get(pool) {
            Some(known) => known,
            None => {
                let found = store::connected_elsewhere(&core.db, &core.instance, pool, since).await?;
                let found: Arc<[Judge]> =
                    found.into_iter().map(|can| Judge { shape: can.shape, definitions: can.definitions }).collect();
                core.fleet.news.elsewhere.insert(pool.clone(), Arc::clone(&found));
                found
            }
        };
        judges.extend(found.iter().cloned());
    }
    Ok(judges)
}
