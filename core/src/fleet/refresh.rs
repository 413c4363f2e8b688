//! Refreshes worker capabilities on demand, so that a model that was just added can be used at once.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use tokio::sync::Mutex;

use super::ownership::{self, refresh_connection};
use super::{WorkerView, store};
use crate::audit::{self, Act, Action};
use crate::ids::WorkerId;
use crate::{Caller, Core, Error, Result};

/// Minimum time between two refreshes of one worker on demand.
const MIN_INTERVAL: Duration = Duration::from_secs(10);
/// How long a caller waits. A later answer is still used.
const TIMEOUT: Duration = Duration::from_secs(8);
/// How often to check whether other nodes have asked their workers. Each node handles such requests once a second.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// When each worker was last refreshed.
#[derive(Default)]
pub(super) struct RefreshThrottle {
    /// Held during a refresh, so that concurrent callers share its answer.
    asked: Mutex<HashMap<WorkerId, Instant>>,
}

/// Refreshes the connected workers of these pools, except those refreshed within [`MIN_INTERVAL`]. Returns whether any
/// capabilities changed.
pub async fn refresh_pools(core: &Core, pools: &[String]) -> bool {
    let before = core.fleet.roster().generation();
    let refreshed = tokio::time::timeout(TIMEOUT, async {
        let mut asked = core.fleet.refreshes.asked.lock().await;
        let (mut here, mut remote) = core.fleet.roster().connected_of(pools);
        asked.retain(|_, at| at.elapsed() < MIN_INTERVAL);
        here.retain(|worker| !asked.contains_key(worker));
        remote.retain(|worker| !asked.contains_key(worker));
        let now = Instant::now();
        asked.extend(here.iter().chain(&remote).map(|worker| (*worker, now)));
        let here = join_all(here.into_iter().map(|worker| refresh_connection(core, worker)));
        let (_, requested) = tokio::join!(here, refresh_remote(core, &remote));
        if let Err(error) = requested {
            tracing::warn!(%error, "cannot request a refresh of workers of other nodes");
        }
    });
    if refreshed.await.is_err() {
        tracing::warn!("workers did not report their capabilities in time");
    }
    core.fleet.flush().await;
    core.fleet.roster().generation() != before
}

/// Refreshes one worker.
///
/// # Errors
/// [`Error::Forbidden`] for callers other than admins; [`Error::NotFound`] for an unknown worker;
/// [`Error::Unavailable`] if the worker does not answer in time.
pub async fn refresh(core: &Core, caller: &Caller, worker: WorkerId) -> Result<WorkerView> {
    let by = caller.must_be_admin()?;
    let view = core.fleet.roster().view(worker).ok_or(Error::NotFound { what: "worker" })?;
    let mut connection = core.db.acquire().await?;
    let after = json!({ "name": view.name, "change": "Refresh" });
    audit::record(&mut connection, by, Act::new(Action::WorkerChange, worker).after(after), core.clock.now()).await?;
    drop(connection);
    let asked = tokio::time::timeout(TIMEOUT, async {
        if !core.fleet.roster().is_here(worker) {
            return refresh_remote(core, &[worker]).await;
        }
        refresh_connection(core, worker).await;
        Ok(())
    });
    asked.await.map_err(|_| Error::Unavailable {
        message: "the worker does not report its capabilities".into(),
        retry_after_seconds: 10,
    })??;
    core.fleet.flush().await;
    super::view(core, worker)
}

/// Requests a refresh from the nodes that own these workers, waits for it, and loads the results.
async fn refresh_remote(core: &Core, workers: &[WorkerId]) -> Result<()> {
    if workers.is_empty() {
        return Ok(());
    }
    store::request_refresh(&core.db, workers).await?;
    let mut polls = tokio::time::interval(POLL_INTERVAL);
    loop {
        polls.tick().await;
        if store::pending_refreshes(&core.db, workers).await? == 0 {
            break;
        }
    }
    ownership::reconcile(core).await?;
    Ok(())
}
