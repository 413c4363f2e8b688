//! An in-memory storage for tests and load scenarios.

use std::collections::HashMap;
use std::io::Cursor;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use sha2::{Digest, Sha256};
use verdigraph_core::assets::{ContentHash, EmbeddedMetadata, Spool, sniff};

use verdigraph_workers::connection::{Files, FilesError, OpenFile, StoredFile};

#[derive(Debug, Clone, Default)]
pub struct MemoryFiles(Arc<Mutex<HashMap<ContentHash, Bytes>>>);

impl MemoryFiles {
    /// Stores bytes under their hash.
    #[must_use]
    pub fn put(&self, bytes: Bytes) -> ContentHash {
        let digest: [u8; 32] = Sha256::digest(&bytes).into();
        let content = ContentHash(digest.iter().map(|byte| format!("{byte:02x}")).collect());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(content.clone(), bytes);
        content
    }

    #[must_use]
    pub fn get(&self, content: &ContentHash) -> Option<Bytes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(content).cloned()
    }
}

impl Files for MemoryFiles {
    fn open(&self, content: &ContentHash) -> BoxFuture<'static, Result<OpenFile, FilesError>> {
        let found = self.get(content).ok_or_else(|| FilesError::Failed(format!("{} is not stored", content.0)));
        Box::pin(async move {
            let file = Spool::from(found?);
            Ok(OpenFile { size_bytes: file.len(), pieces: file.pieces() })
        })
    }

    fn store(&self, file: Spool) -> BoxFuture<'static, Result<StoredFile, FilesError>> {
        let files = self.clone();
        Box::pin(async move {
            let bytes = file.bytes().await.map_err(|error| FilesError::Failed(error.to_string()))?;
            Ok(files.measured(bytes))
        })
    }

    fn back(&self) -> BoxFuture<'static, ()> {
        Box::pin(std::future::ready(()))
    }
}

impl MemoryFiles {
    fn measured(&self, bytes: Bytes) -> StoredFile {
        let media = sniff(&bytes);
        let size = image::ImageReader::new(Cursor::new(&bytes))
            .with_guessed_format()
            .ok()
            .and_then(|reader| reader.into_dimensions().ok());
        let side = |side: u32| i32::try_from(side).ok();
        let size_bytes = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
        let content = self.put(bytes);
        let (width, height) = (size.and_then(|size| side(size.0)), size.and_then(|size| side(size.1)));
        StoredFile {
            content,
            media,
            size_bytes,
            width,
            height,
            blur_hash: None,
            duration_ms: None,
            embedded: EmbeddedMetadata::None,
        }
    }
}
