//! An upload that brings jobs to a batch, as all nodes see it: a batch is not finished while there is one.

use std::time::Duration;

use chrono::TimeDelta;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::batch::Batch;
use super::store;
use crate::ids::BatchId;
use crate::{Core, Result, supervision};

/// An upload of a node that is gone counts for so long at most.
const LASTS: TimeDelta = TimeDelta::seconds(30);
const RENEWED: Duration = Duration::from_secs(10);

/// An upload that is under way. It is over when this is dropped, or a moment later.
#[derive(Debug)]
pub struct Receiving {
    /// Dropped where the upload is over.
    under_way: oneshot::Sender<()>,
    keeping: JoinHandle<()>,
}

impl Receiving {
    /// The same as dropping it; when this ends all nodes know.
    pub async fn end(self) {
        drop(self.under_way);
        if let Err(error) = self.keeping.await {
            tracing::warn!(%error, "an upload is over when nobody renews it");
        }
    }
}

/// Says that somebody sends jobs of a batch, for as long as it is kept.
///
/// # Errors
/// Database errors.
pub async fn receive_batch(core: &Core, batch: &Batch) -> Result<Receiving> {
    let (upload, batch) = (Uuid::now_v7(), batch.id);
    store::receive(&core.db, upload, batch, core.clock.now() + LASTS).await?;
    let (under_way, over) = oneshot::channel();
    let keeping = supervision::spawn(keep(core.clone(), upload, batch, over));
    Ok(Receiving { under_way, keeping })
}

async fn keep(core: Core, upload: Uuid, batch: BatchId, mut over: oneshot::Receiver<()>) {
    while tokio::time::timeout(RENEWED, &mut over).await.is_err() {
        if let Err(error) = store::receive(&core.db, upload, batch, core.clock.now() + LASTS).await {
            tracing::warn!(batch.id = %batch, %error, "that a batch is being sent cannot be renewed");
        }
    }
    if let Err(error) = store::received(&core.db, upload).await {
        tracing::warn!(batch.id = %batch, %error, "an upload is over when nobody renews it");
    }
}
