//! Implements [`Files`] with the platform's storage.

use futures_util::future::BoxFuture;
use verdigraph_core::assets::{ContentHash, MediaProcessor, Spool};
use verdigraph_core::{Error, ErrorKind};

use super::{Files, FilesError, OpenFile, StoredFile};

impl Files for MediaProcessor {
    fn open(&self, content: &ContentHash) -> BoxFuture<'static, Result<OpenFile, FilesError>> {
        let (workshop, content) = (self.clone(), content.clone());
        Box::pin(async move {
            let opened = workshop.storage.stream(&content).await;
            let (size_bytes, pieces) = opened.map_err(failed)?;
            Ok(OpenFile { size_bytes, pieces })
        })
    }

    fn store(&self, file: Spool) -> BoxFuture<'static, Result<StoredFile, FilesError>> {
        let workshop = self.clone();
        Box::pin(async move {
            let stored = workshop.store_output(file).await.map_err(failed)?;
            Ok(StoredFile {
                content: stored.content,
                media: stored.media,
                size_bytes: stored.size_bytes,
                width: stored.width,
                height: stored.height,
                blur_hash: stored.blur_hash,
                duration_ms: stored.duration_ms,
                embedded: stored.embedded,
            })
        })
    }

    fn back(&self) -> BoxFuture<'static, ()> {
        let reach = self.storage.health().clone();
        Box::pin(async move { reach.back().await })
    }
}

/// Logs an internal error. The job's owner does not see its details.
fn failed(error: Error) -> FilesError {
    match error {
        Error::StorageAway => FilesError::StorageAway,
        error if error.kind() == ErrorKind::Internal => {
            tracing::error!(error = &error as &dyn std::error::Error, "cannot store or read a file of a job");
            FilesError::Failed("it could not be stored or read because of an internal error".to_owned())
        }
        error => FilesError::Failed(error.to_string()),
    }
}
