//! Finishes batches: an upkeep task finds them by the rows, and writes one event for each end.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

use super::batch::{Batch, BatchStatus};
use super::store;
use crate::database;
use crate::events::{self, EventKind, EventSubject, NewEvent};
use crate::ids::{BatchId, WorkflowApiId};
use crate::{Core, Error, Result};

/// Open batches of one statement.
const PAGE: i64 = 500;

/// Finishes the batches that are complete; returns their number. Several nodes may run this concurrently.
///
/// # Errors
/// The first error of a batch, after all batches were handled.
pub async fn finish_batches(core: &Core) -> Result<u64> {
    store::delete_expired_uploads(&core.db, core.clock.now()).await?;
    let (mut finished, mut failed) = (0, None);
    let mut after = BatchId(Uuid::nil());
    loop {
        let page = store::open_after(&core.db, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.id;
        for batch in page.iter().filter(|batch| batch.is_complete) {
            match finish(core, batch.id).await {
                Ok(done) => finished += u64::from(done),
                Err(error) => {
                    tracing::warn!(batch.id = %batch.id, %error, "batch {} could not be finished", batch.id);
                    failed.get_or_insert(error);
                }
            }
        }
    }
    if finished > 0 {
        core.events.notify_written();
    }
    failed.map_or(Ok(finished), Err)
}

/// `false`: the batch is not complete, or another node has finished it.
async fn finish(core: &Core, id: BatchId) -> Result<bool> {
    let mut tx = database::begin(&core.db).await?;
    // After this lock no job can be added, and all added jobs are visible.
    let Some(batch) = store::lock_open(&mut tx, id).await? else { return Ok(false) };
    if store::has_uploads(&mut tx, id).await? {
        return Ok(false);
    }
    let at = core.clock.now();
    let status = BatchStatus::of(Batch { finished_at: Some(at), ..batch }, store::counts(&mut *tx, id).await?);
    if status.active() > 0 {
        return Ok(false);
    }
    let app = store::only_app(&mut tx, id).await?;
    store::finish(&mut tx, id, at).await?;
    events::write(&mut tx, &[finished(&status, app, at)?]).await?;
    tx.commit().await?;
    Ok(true)
}

/// The `data` of the event, as the API shows it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct BatchData<'a> {
    key: Option<&'a str>,
    total: i64,
    counts: BTreeMap<&'static str, i64>,
    created_at: DateTime<Utc>,
    finished_at: DateTime<Utc>,
}

fn finished(status: &BatchStatus, app: Option<WorkflowApiId>, at: DateTime<Utc>) -> Result<NewEvent> {
    let batch = &status.batch;
    let data = BatchData {
        key: batch.key.as_deref(),
        total: status.total(),
        counts: status.counts.iter().map(|(status, count)| (status.name(), *count)).collect(),
        created_at: batch.created_at,
        finished_at: at,
    };
    let data = serde_json::to_string(&data).map_err(|error| Error::Internal(error.to_string()))?;
    let about = EventSubject { batch: Some(batch.id), workflow_api: app, ..EventSubject::default() };
    Ok(NewEvent { kind: EventKind::BatchFinished, user: batch.user, about, data, at })
}
