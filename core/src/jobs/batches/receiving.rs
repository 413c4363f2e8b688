//! Uploads of batches, visible to all nodes: a batch with an upload is not finished.

use std::time::Duration;

use chrono::TimeDelta;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::batch::Batch;
use super::store;
use crate::ids::BatchId;
use crate::{Core, Result, supervision};

/// The lease of an upload, which ends the uploads of lost nodes.
const LEASE: TimeDelta = TimeDelta::seconds(30);
const RENEWAL: Duration = Duration::from_secs(10);

/// An upload that is under way. Drop ends it, shortly after.
#[derive(Debug)]
pub struct BatchUpload {
    /// Its drop ends the renewals.
    under_way: oneshot::Sender<()>,
    renewals: JoinHandle<()>,
}

impl BatchUpload {
    /// Ends the upload, and returns when all nodes can see that.
    pub async fn end(self) {
        drop(self.under_way);
        if let Err(error) = self.renewals.await {
            tracing::warn!(%error, "the renewal of an upload panicked; its lease will expire");
        }
    }
}

/// Begins an upload of a batch.
pub async fn receive_batch(core: &Core, batch: &Batch) -> Result<BatchUpload> {
    let (upload, batch) = (Uuid::now_v7(), batch.id);
    store::renew_upload(&core.db, upload, batch, core.clock.now() + LEASE).await?;
    let (under_way, over) = oneshot::channel();
    let renewals = supervision::spawn(renew(core.clone(), upload, batch, over));
    Ok(BatchUpload { under_way, renewals })
}

/// Renews the lease until the upload is over, and then removes it.
async fn renew(core: Core, upload: Uuid, batch: BatchId, mut over: oneshot::Receiver<()>) {
    while tokio::time::timeout(RENEWAL, &mut over).await.is_err() {
        if let Err(error) = store::renew_upload(&core.db, upload, batch, core.clock.now() + LEASE).await {
            tracing::warn!(batch.id = %batch, %error, "the upload of batch {batch} could not be renewed");
        }
    }
    if let Err(error) = store::end_upload(&core.db, upload).await {
        tracing::warn!(batch.id = %batch, %error, "the upload of batch {batch} could not be ended; its lease will expire");
    }
}
