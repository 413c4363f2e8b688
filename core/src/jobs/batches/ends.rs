//! The end of a batch: found from the rows, and told once for each time that there was something to end.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

use super::batch::{Batch, BatchStatus};
use super::store;
use crate::events::{self, About, EventKind, NewEvent};
use crate::ids::BatchId;
use crate::{Core, Error, Result};

/// Open batches that one statement looks at.
const LOOKED_AT_ONCE: i64 = 500;

/// Finishes the batches that are over; tells how many. Several nodes may do so side by side. One that cannot be finished
/// keeps no other waiting.
///
/// # Errors
/// The first of the database errors; the next time finds what is left.
pub async fn finish_batches(core: &Core) -> Result<u64> {
    store::forget_lost_uploads(&core.db, core.clock.now()).await?;
    let (mut finished, mut failed) = (0, None);
    let mut after = BatchId(Uuid::nil());
    loop {
        let page = store::open_after(&core.db, after, LOOKED_AT_ONCE).await?;
        let Some(last) = page.last() else { break };
        after = last.id;
        for batch in page.iter().filter(|batch| batch.is_over) {
            match finish(core, batch.id).await {
                Ok(done) => finished += u64::from(done),
                Err(error) => {
                    tracing::warn!(batch.id = %batch.id, %error, "a batch that is over has to wait for its end");
                    failed.get_or_insert(error);
                }
            }
        }
    }
    if finished > 0 {
        core.events.ring();
    }
    failed.map_or(Ok(finished), Err)
}

/// Whether it was this call that finished it.
async fn finish(core: &Core, id: BatchId) -> Result<bool> {
    let mut tx = core.db.begin().await?;
    // From here on nothing comes in, and what has come in is seen.
    let Some(batch) = store::lock_open(&mut tx, id).await? else { return Ok(false) };
    if store::is_received(&mut tx, id).await? {
        return Ok(false);
    }
    let at = core.clock.now();
    let status = BatchStatus::of(Batch { finished_at: Some(at), ..batch }, store::counts(&mut *tx, id).await?);
    if status.active() > 0 {
        return Ok(false);
    }
    store::finish(&mut tx, id, at).await?;
    events::write(&mut tx, &[finished(&status, at)?]).await?;
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

fn finished(status: &BatchStatus, at: DateTime<Utc>) -> Result<NewEvent> {
    let batch = &status.batch;
    let data = BatchData {
        key: batch.key.as_deref(),
        total: status.total(),
        counts: status.counts.iter().map(|(status, count)| (status.name(), *count)).collect(),
        created_at: batch.created_at,
        finished_at: at,
    };
    let data = serde_json::to_string(&data).map_err(|error| Error::Internal(error.to_string()))?;
    let about = About { batch: Some(batch.id), ..About::default() };
    Ok(NewEvent { kind: EventKind::BatchFinished, user: batch.user, about, data, at })
}
