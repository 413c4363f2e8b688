//! Uploads input files to a server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::{StreamExt as _, TryStreamExt as _};
use verdigraph_core::fleet::InputFile;

use super::outage::Backoff;
use super::ports::{Files, FilesError, OpenFile};
use crate::comfy::{Client, Failure};

/// Why an upload failed.
enum UploadError {
    /// The storage did not deliver the whole file.
    StorageAway,
    /// The server or the storage answered with an error.
    Failed(String),
    Unreachable(String),
}

/// Uploads every file, waiting for an unavailable storage. The flag in the error says whether the server or the storage
/// answered with an error; otherwise the server was unreachable.
pub(super) async fn upload_all(
    client: &Client,
    files: &Arc<dyn Files>,
    inputs: &[InputFile],
    limit_bytes: Option<u64>,
) -> Result<(), (String, bool)> {
    for input in inputs {
        let mut pauses = Backoff::default();
        loop {
            match upload(client, files, input, limit_bytes).await {
                Ok(()) => break,
                Err(UploadError::StorageAway) => {
                    files.back().await;
                    pauses.pause().await;
                }
                Err(UploadError::Failed(reason)) => return Err((reason, true)),
                Err(UploadError::Unreachable(reason)) => return Err((reason, false)),
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
) -> Result<(), UploadError> {
    let OpenFile { size_bytes, pieces } = files.open(content).await.map_err(|error| match error {
        FilesError::StorageAway => UploadError::StorageAway,
        FilesError::Failed(reason) => UploadError::Failed(format!("input {name}: {reason}")),
    })?;
    if let Some(limit_bytes) = limit_bytes.filter(|limit| size_bytes > *limit) {
        return Err(UploadError::Failed(format!("input {name}: the worker takes no more than {limit_bytes} bytes")));
    }
    // If our own stream breaks off, the server is not to blame.
    let stopped = Arc::new(AtomicBool::new(false));
    let pieces = {
        let stopped = Arc::clone(&stopped);
        pieces.inspect_err(move |_| stopped.store(true, Ordering::Relaxed)).boxed()
    };
    client.upload(name, size_bytes, pieces).await.map_err(|failure: Failure| {
        let reason = format!("input {name}: {failure}");
        match failure.is_answer() {
            _ if stopped.load(Ordering::Relaxed) => UploadError::StorageAway,
            true => UploadError::Failed(reason),
            false => UploadError::Unreachable(reason),
        }
    })
}
