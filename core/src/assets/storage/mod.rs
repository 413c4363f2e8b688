//! Bytes by content hash, in a local folder or an S3-compatible store.
//!
//! Unreferenced bytes are moved to the trash before they are deleted (see `life`). They can be read there, and are
//! written again when the same bytes are stored.

pub(in crate::assets) mod blake3_hash;
pub(in crate::assets) mod content_hash;
mod folders;
pub(in crate::assets) mod health;
pub(in crate::assets) mod paths;
pub(in crate::assets) mod spool;

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{BackoffConfig, GetResult, MultipartUpload, ObjectStore, ObjectStoreExt, RetryConfig};
use secrecy::ExposeSecret;

use crate::error::{Error, Result};
use crate::settings::{Settings, StorageKind};
use crate::supervision::{Part, Supervisor};
use content_hash::{ContentHash, hash};
use folders::LocalFolders;
use health::StorageHealth;
use paths::{Form, StoredObject, embedded_folder, embedded_trash_path, path, trash_path};
use spool::{Spool, SpoolWriter};

/// Part size of uploads of files on disk: the minimum of S3, and any size for a folder.
const S3_PART_BYTES: usize = 5 << 20;
const LOCAL_PART_BYTES: usize = 256 << 10;

/// Retries of one operation. A longer outage is handled by `health`: jobs wait for its end, all other callers get an
/// error at once.
const TRIES: RetryConfig = RetryConfig {
    backoff: BackoffConfig { init_backoff: Duration::from_millis(100), max_backoff: Duration::from_secs(1), base: 2.0 },
    max_retries: 3,
    retry_timeout: Duration::from_secs(10),
};

/// Stores bytes. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Storage {
    store: Arc<dyn ObjectStore>,
    /// `None` for a store without folders.
    folders: Option<LocalFolders>,
    part_bytes: usize,
    health: StorageHealth,
    /// The same store without retries, for probes.
    probed: Arc<dyn ObjectStore>,
}

impl Storage {
    /// Opens the storage from the settings, and creates a local folder if needed.
    ///
    /// # Errors
    /// If the folder cannot be created, or the address of the S3-compatible store is invalid.
    pub fn open(settings: &Settings) -> Result<Self> {
        match settings.storage.kind {
            StorageKind::Local => Self::local(&settings.storage_folder()),
            StorageKind::S3 => Self::s3(settings),
        }
    }

    /// Storage in a folder. `put` returns after the bytes are synced to disk.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn local(folder: &std::path::Path) -> Result<Self> {
        std::fs::create_dir_all(folder)
            .map_err(|error| Error::Internal(format!("storage: cannot create {}: {error}", folder.display())))?;
        let store = LocalFileSystem::new_with_prefix(folder).map_err(unusable)?;
        let store = Arc::new(store.with_fsync(true));
        let probed = Arc::clone(&store);
        let folders = Some(LocalFolders::new(folder));
        Ok(Self { store, folders, part_bytes: LOCAL_PART_BYTES, health: StorageHealth::default(), probed })
    }

    fn s3(settings: &Settings) -> Result<Self> {
        let wanted = &settings.storage;
        let mut builder = AmazonS3Builder::new().with_bucket_name(&wanted.bucket).with_region(&wanted.region);
        if let Some(endpoint) = &wanted.endpoint {
            builder = builder.with_endpoint(endpoint).with_allow_http(endpoint.starts_with("http://"));
        }
        if let (Some(id), Some(secret)) = (&wanted.access_key_id, &wanted.secret_access_key) {
            builder = builder.with_access_key_id(id.expose_secret()).with_secret_access_key(secret.expose_secret());
        }
        let store = Arc::new(builder.clone().with_retry(TRIES).build().map_err(unusable)?);
        let once = RetryConfig { max_retries: 0, ..TRIES };
        let probed = Arc::new(builder.with_retry(once).build().map_err(unusable)?);
        let (folders, part_bytes) = (None, S3_PART_BYTES);
        Ok(Self { store, folders, part_bytes, health: StorageHealth::default(), probed })
    }

    #[must_use]
    pub fn health(&self) -> &StorageHealth {
        &self.health
    }

    /// Probes the store after failures, for as long as the node lives.
    pub(crate) fn monitor_health(&self, supervisor: &Supervisor) {
        let (health, probed) = (self.health.clone(), Arc::clone(&self.probed));
        supervisor.keep(Part::Storage, move |watch| health.clone().run_probes(Arc::clone(&probed), watch));
    }

    /// Stores bytes and returns their hash. The same bytes are stored once.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn put(&self, bytes: Bytes) -> Result<ContentHash> {
        let content = hash(bytes.clone()).await?;
        self.put_form(&content, Form::Raw, bytes).await?;
        Ok(content)
    }

    /// As [`Storage::put`], in parts. `content` is the hash of the file.
    pub(super) async fn put_file(&self, content: &ContentHash, file: &Spool) -> Result<()> {
        self.put_file_at(&path(content, Form::Raw), file).await
    }

    /// Reads a file, into memory only if it is small.
    ///
    /// # Errors
    /// As [`Storage::get`].
    pub(super) async fn get_file(&self, content: &ContentHash, form: Form) -> Result<Spool> {
        self.get_file_at(&path(content, form), &trash_path(content, form)).await
    }

    /// The size and the bytes, in pieces.
    ///
    /// # Errors
    /// As [`Storage::get`].
    pub async fn stream(&self, content: &ContentHash) -> Result<(u64, BoxStream<'static, std::io::Result<Bytes>>)> {
        let found = self.get_at(&path(content, Form::Raw), &trash_path(content, Form::Raw)).await?;
        let size = found.meta.size;
        let health = self.health.clone();
        let pieces = found.into_stream().map_err(move |error| std::io::Error::other(health.missing_or_failed(error)));
        Ok((size, pieces.boxed()))
    }

    /// # Errors
    /// [`Error::NotFound`] if there are none; [`Error::StorageAway`] if the store is unavailable; [`Error::Internal`]
    /// for other failures.
    pub async fn get(&self, content: &ContentHash) -> Result<Bytes> {
        self.get_form(content, Form::Raw).await
    }

    /// A part of the bytes; `range` is cut to the existing bytes.
    ///
    /// # Errors
    /// As [`Storage::get`].
    pub async fn get_range(&self, content: &ContentHash, range: Range<u64>) -> Result<Bytes> {
        let end = range.end.min(self.size(content).await?);
        if range.start >= end {
            return Ok(Bytes::new());
        }
        let wanted = range.start..end;
        let found = match self.store.get_range(&path(content, Form::Raw), range.clone()).await {
            Err(object_store::Error::NotFound { .. }) => {
                self.store.get_range(&trash_path(content, Form::Raw), wanted).await
            }
            found => found,
        };
        found.map_err(|error| self.health.missing_or_failed(error))
    }

    /// The size in bytes.
    ///
    /// # Errors
    /// As [`Storage::get`].
    pub async fn size(&self, content: &ContentHash) -> Result<u64> {
        self.health.may_read()?;
        let found = match self.store.head(&path(content, Form::Raw)).await {
            Err(object_store::Error::NotFound { .. }) => self.store.head(&trash_path(content, Form::Raw)).await,
            found => found,
        };
        Ok(found.map_err(|error| self.health.missing_or_failed(error))?.size)
    }

    /// # Errors
    /// If the store fails.
    pub async fn exists(&self, content: &ContentHash) -> Result<bool> {
        match self.size(content).await {
            Ok(_) => Ok(true),
            Err(Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Deletes the bytes and everything made from them, also in the trash. Idempotent.
    ///
    /// # Errors
    /// If the store fails.
    pub(super) async fn delete(&self, content: &ContentHash) -> Result<()> {
        for folder in [embedded_folder(content), embedded_trash_path(content)] {
            for path in self.list_folder(&folder).await? {
                self.ignore_missing(self.store.delete(&path).await)?;
            }
        }
        for form in Form::ALL {
            for path in [path(content, form), trash_path(content, form)] {
                self.ignore_missing(self.store.delete(&path).await)?;
            }
        }
        Ok(())
    }

    /// Moves the bytes to the trash, with everything made from them or removed from them.
    pub(super) async fn move_to_trash(&self, content: &ContentHash) -> Result<()> {
        self.rename_all(&embedded_folder(content), &embedded_trash_path(content)).await?;
        for form in Form::ALL {
            self.ignore_missing(self.store.rename(&path(content, form), &trash_path(content, form)).await)?;
        }
        Ok(())
    }

    /// Restores a file from the trash. Bytes that were stored again in the meantime stay; they are the same.
    pub(super) async fn restore_from_trash(&self, content: &ContentHash) -> Result<()> {
        // The raw bytes come last: while they are in the trash, this is not complete.
        self.rename_all(&embedded_trash_path(content), &embedded_folder(content)).await?;
        for form in Form::ALL {
            if !self.is_at(&trash_path(content, form)).await? {
                continue;
            }
            if self.is_at(&path(content, form)).await? {
                self.ignore_missing(self.store.delete(&trash_path(content, form)).await)?;
            } else {
                self.ignore_missing(self.store.rename(&trash_path(content, form), &path(content, form)).await)?;
            }
        }
        Ok(())
    }

    /// Stores metadata that was removed from a file, and returns its hash. Several files with equal clean bytes can
    /// have different metadata.
    pub(super) async fn put_embedded(&self, content: &ContentHash, splice: &Spool) -> Result<ContentHash> {
        let name = splice.hash().await?;
        self.put_file_at(&embedded_folder(content).join(name.as_str()), splice).await?;
        Ok(name)
    }

    pub(super) async fn get_embedded(&self, content: &ContentHash, name: &ContentHash) -> Result<Spool> {
        let name = name.as_str();
        self.get_file_at(&embedded_folder(content).join(name), &embedded_trash_path(content).join(name)).await
    }

    async fn list_folder(&self, folder: &Path) -> Result<Vec<Path>> {
        self.store
            .list(Some(folder))
            .map_ok(|object| object.location)
            .try_collect()
            .await
            .map_err(|error| self.health.failed(error))
    }

    /// Moves all objects of a folder. Objects of the same name are equal.
    async fn rename_all(&self, from: &Path, to: &Path) -> Result<()> {
        for path in self.list_folder(from).await? {
            if let Some(name) = path.filename() {
                self.ignore_missing(self.store.rename(&path, &to.clone().join(name)).await)?;
            }
        }
        Ok(())
    }

    /// Whether the bytes are in place and not only in the trash.
    pub(super) async fn is_in_place(&self, content: &ContentHash) -> Result<bool> {
        self.is_at(&path(content, Form::Raw)).await
    }

    /// All objects, in no order, except those whose names this installation did not give.
    pub(super) fn list(&self) -> BoxStream<'static, Result<StoredObject>> {
        let health = self.health.clone();
        let objects = self.store.list(None).map_err(move |error| health.failed(error));
        objects.try_filter_map(|object| async move { Ok(StoredObject::of(&object)) }).boxed()
    }

    /// The names of all objects.
    #[cfg(test)]
    pub(crate) async fn names(&self) -> Vec<String> {
        let all: Vec<_> = self.store.list(None).try_collect().await.expect("a list");
        all.iter().filter_map(|object| object.location.filename().map(str::to_owned)).collect()
    }

    async fn is_at(&self, path: &Path) -> Result<bool> {
        match self.store.head(path).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(self.health.failed(error)),
        }
    }

    pub(super) async fn get_form(&self, content: &ContentHash, form: Form) -> Result<Bytes> {
        let found = self.get_at(&path(content, form), &trash_path(content, form)).await?;
        found.bytes().await.map_err(|error| self.health.missing_or_failed(error))
    }

    pub(super) async fn put_form(&self, content: &ContentHash, form: Form, bytes: Bytes) -> Result<()> {
        self.put_file_at(&path(content, form), &bytes.into()).await
    }

    /// Reads from the place, else from the trash.
    async fn get_at(&self, place: &Path, trash: &Path) -> Result<GetResult> {
        self.health.may_read()?;
        let found = match self.store.get(place).await {
            Err(object_store::Error::NotFound { .. }) => self.store.get(trash).await,
            found => found,
        };
        found.map_err(|error| self.health.missing_or_failed(error))
    }

    async fn get_file_at(&self, place: &Path, trash: &Path) -> Result<Spool> {
        let mut pieces = self.get_at(place, trash).await?.into_stream();
        let mut file = SpoolWriter::default();
        while let Some(piece) = pieces.next().await {
            file.write(&piece.map_err(|error| self.health.missing_or_failed(error))?).await?;
        }
        file.finish().await
    }

    async fn put_file_at(&self, path: &Path, file: &Spool) -> Result<()> {
        self.health.may_write()?;
        // Equal names mean equal bytes: a complete object needs no second write.
        if self.store.head(path).await.is_ok_and(|there| there.size == file.len()) {
            return Ok(());
        }
        let Some(folders) = &self.folders else { return self.write(path, file).await };
        let failed = |error| self.health.folder_failed(error);
        let changed = folders.create(path).await.map_err(failed)?;
        // Both wait for the disk. The object is durable after both.
        tokio::try_join!(self.write(path, file), async { changed.sync().await.map_err(failed) })?;
        Ok(())
    }

    async fn write(&self, path: &Path, file: &Spool) -> Result<()> {
        if let Some(bytes) = file.in_memory() {
            self.store.put(path, bytes.into()).await.map_err(|error| self.health.write_failed(error))?;
            return Ok(());
        }
        let mut upload = self.store.put_multipart(path).await.map_err(|error| self.health.write_failed(error))?;
        let written = self.send(&mut *upload, file).await;
        if written.is_err() {
            // The store removes the remaining parts after its own timeout.
            drop(upload.abort().await);
        }
        written
    }

    /// Uploads a file part by part.
    async fn send(&self, upload: &mut dyn MultipartUpload, file: &Spool) -> Result<()> {
        let unreadable = |error: std::io::Error| Error::Internal(format!("storage: {error}"));
        let unwritten = |error| self.health.write_failed(error);
        let mut pieces = file.pieces();
        let mut part = Vec::new();
        let mut bytes = 0;
        while let Some(piece) = pieces.try_next().await.map_err(unreadable)? {
            bytes += piece.len();
            part.push(piece);
            if bytes >= self.part_bytes {
                upload.put_part(std::mem::take(&mut part).into_iter().collect()).await.map_err(unwritten)?;
                bytes = 0;
            }
        }
        if !part.is_empty() {
            upload.put_part(part.into_iter().collect()).await.map_err(unwritten)?;
        }
        upload.complete().await.map_err(unwritten)?;
        Ok(())
    }

    /// A missing object needs no move or deletion.
    fn ignore_missing(&self, done: object_store::Result<()>) -> Result<()> {
        match done {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.health.failed(error)),
        }
    }
}

/// A storage that cannot be opened; the operator reads this when starting the node.
fn unusable(error: object_store::Error) -> Error {
    Error::Internal(format!("storage: {error}"))
}

#[cfg(test)]
mod tests;
