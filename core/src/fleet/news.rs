//! What workers can do now, asked for out of turn: a model that was added a moment ago is in use a moment later.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use tokio::sync::Mutex;

use super::ownership::{self, ask};
use super::{WorkerView, store};
use crate::audit::{self, Act, Action};
use crate::ids::WorkerId;
use crate::{Caller, Core, Error, Result};

/// A worker is asked out of turn no more often.
const BETWEEN: Duration = Duration::from_secs(10);
/// Whoever asks waits no longer; the answer counts all the same when it comes.
const PATIENCE: Duration = Duration::from_secs(8);
/// How often it is looked whether another node has asked its workers; it looks for such wishes every second.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// When workers were asked last.
#[derive(Default)]
pub(super) struct News {
    /// Held while workers are asked: whoever comes meanwhile waits for the same answer.
    asked: Mutex<HashMap<WorkerId, Instant>>,
}

/// Asks the connected workers of some pools again what they can do, unless they were asked a moment ago. Tells whether
/// that is other than what this node knew when it began to ask.
pub async fn look_again(core: &Core, pools: &[String]) -> bool {
    let before = core.fleet.roster().generation();
    let looked = tokio::time::timeout(PATIENCE, async {
        let mut asked = core.fleet.news.asked.lock().await;
        let (mut here, mut remote) = core.fleet.roster().connected_of(pools);
        asked.retain(|_, at| at.elapsed() < BETWEEN);
        here.retain(|worker| !asked.contains_key(worker));
        remote.retain(|worker| !asked.contains_key(worker));
        let now = Instant::now();
        asked.extend(here.iter().chain(&remote).map(|worker| (*worker, now)));
        let here = join_all(here.into_iter().map(|worker| ask(core, worker)));
        let (_, told) = tokio::join!(here, ask_elsewhere(core, &remote));
        if let Err(error) = told {
            tracing::warn!(%error, "other nodes were not asked what their workers can do");
        }
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
    let asked = tokio::time::timeout(PATIENCE, async {
        if !core.fleet.roster().is_here(worker) {
            return ask_elsewhere(core, &[worker]).await;
        }
        ask(core, worker).await;
        Ok(())
    });
    asked.await.map_err(|_| Error::Unavailable {
        message: "the worker does not say what it can do".into(),
        retry_after_seconds: 10,
    })??;
    core.fleet.settle().await;
    super::view(core, worker)
}

/// Has workers of other nodes asked, and learns what they say.
async fn ask_elsewhere(core: &Core, workers: &[WorkerId]) -> Result<()> {
    if workers.is_empty() {
        return Ok(());
    }
    store::ask(&core.db, workers).await?;
    let mut looks = tokio::time::interval(LOOK_EVERY);
    loop {
        looks.tick().await;
        if store::unanswered(&core.db, workers).await? == 0 {
            break;
        }
    }
    ownership::keep(core).await?;
    Ok(())
}
