//! Sending input files to a server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::{StreamExt as _, TryStreamExt as _};
use verdigraph_core::fleet::InputFile;

use super::outage::Pauses;
use super::ports::{Files, FilesError, OpenFile};
use crate::comfy::{Client, Failure};

/// Why a file did not come to the server.
enum Lost {
    /// The storage did not give it, or not all of it.
    StorageAway,
    /// The server, or our storage, answered wrongly.
    Broke(String),
    Unreachable(String),
}

/// Uploads every file, and waits for a storage that is away; the error says whether the server, or our storage,
/// answered wrongly.
pub(super) async fn upload_all(
    client: &Client,
    files: &Arc<dyn Files>,
    inputs: &[InputFile],
    limit_bytes: Option<u64>,
) -> Result<(), (String, bool)> {
    for input in inputs {
        let mut pauses = Pauses::default();
        loop {
            match upload(client, files, input, limit_bytes).await {
                Ok(()) => break,
                Err(Lost::StorageAway) => {
                    files.back().await;
                    pauses.pause().await;
                }
                Err(Lost::Broke(reason)) => return Err((reason, true)),
                Err(Lost::Unreachable(reason)) => return Err((reason, false)),
            }
        }
    }
    Ok(())
}

async fn upload(
    client: &Client,
    files: &Arc<dyn Files>,
    InputFile { name, content }: &InputFile,
    limit_bytes: Option<u64>,
) -> Result<(), Lost> {
    let OpenFile { size_bytes, pieces } = files.open(content).await.map_err(|error| match error {
        FilesError::Away => Lost::StorageAway,
        FilesError::Failed(reason) => Lost::Broke(format!("input {name}: {reason}")),
    })?;
    if let Some(limit_bytes) = limit_bytes.filter(|limit| size_bytes > *limit) {
        return Err(Lost::Broke(format!("input {name}: the worker takes no more than {limit_bytes} bytes")));
    }
    // The server is not to blame for a file that stops in its middle.
    let stopped = Arc::new(AtomicBool::new(false));
    let pieces = {
        let stopped = Arc::clone(&stopped);
        pieces.inspect_err(move |_| stopped.store(true, Ordering::Relaxed)).boxed()
    };
    client.upload(name, size_bytes, pieces).await.map_err(|failure: Failure| {
        let reason = format!("input {name}: {failure}");
        match failure.is_answer() {
            _ if stopped.load(Ordering::Relaxed) => Lost::StorageAway,
            true => Lost::Broke(reason),
            false => Lost::Unreachable(reason),
        }
    })
}
