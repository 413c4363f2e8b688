//! The platform's storage as a connection sees it.

use futures_util::future::BoxFuture;
use verdigraph_core::assets::{ContentHash, Spool, Workshop};

use super::{Files, FilesError, OpenFile, StoredFile};

impl Files for Workshop {
    fn open(&self, content: &ContentHash) -> BoxFuture<'static, Result<OpenFile, FilesError>> {
        let (workshop, content) = (self.clone(), content.clone());
        Box::pin(async move {
            let opened = workshop.storage.stream(&content).await;
            let (size_bytes, pieces) = opened.map_err(|error| FilesError(error.to_string()))?;
            Ok(OpenFile { size_bytes, pieces })
        })
    }

    fn store(&self, file: Spool) -> BoxFuture<'static, Result<StoredFile, FilesError>> {
        let workshop = self.clone();
        Box::pin(async move {
            let stored = workshop.store_output(file).await.map_err(|error| FilesError(error.to_string()))?;
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
}
