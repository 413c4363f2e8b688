//! The platform's storage as a connection sees it.

use bytes::Bytes;
use futures_util::future::BoxFuture;
use verdigraph_core::assets::{ContentHash, Workshop};

use super::{Files, FilesError, StoredFile};

impl Files for Workshop {
    fn read(&self, content: &ContentHash) -> BoxFuture<'static, Result<Bytes, FilesError>> {
        let (workshop, content) = (self.clone(), content.clone());
        Box::pin(async move { workshop.storage.get(&content).await.map_err(|error| FilesError(error.to_string())) })
    }

    fn store(&self, bytes: Bytes) -> BoxFuture<'static, Result<StoredFile, FilesError>> {
        let workshop = self.clone();
        Box::pin(async move {
            let stored = workshop.store_output(bytes).await.map_err(|error| FilesError(error.to_string()))?;
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
