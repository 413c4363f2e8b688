//! Bytes by content hash, in a local folder or an S3-compatible store.
//!
//! What nobody names any more stands aside for a while before it is deleted (see `life`). It can be read there, and is
//! written anew where it is put once more.

pub(in crate::assets) mod content_hash;
pub(in crate::assets) mod paths;
pub(in crate::assets) mod reach;
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
use paths::{Form, Listed, aside, embedded_aside, embedded_folder, path};
use reach::Reach;
use spool::{Spool, SpoolWriter};

/// What goes to the store at a time of a file that is not in memory: S3 takes no smaller parts, a folder any.
const S3_PART_BYTES: usize = 5 << 20;
const LOCAL_PART_BYTES: usize = 256 << 10;

/// What one operation does about a store that stumbles. A longer outage is a state of its own (see `reach`), which
/// those wait out who have something to lose, and all others are told of at once.
const TRIES: RetryConfig = RetryConfig {
    backoff: BackoffConfig { init_backoff: Duration::from_millis(100), max_backoff: Duration::from_secs(1), base: 2.0 },
    max_retries: 3,
    retry_timeout: Duration::from_secs(10),
};

/// Where bytes are kept. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Storage {
    store: Arc<dyn ObjectStore>,
    part_bytes: usize,
    reach: Reach,
    /// The same store, which is asked once and not again.
    probed: Arc<dyn ObjectStore>,
}

impl Storage {
    /// The storage that the settings describe; a local folder is made where it is missing.
    ///
    /// # Errors
    /// Where the folder cannot be made, or the address of the S3-compatible store is wrong.
    pub fn open(settings: &Settings) -> Result<Self> {
        match settings.storage.kind {
            StorageKind::Local => Self::local(&settings.storage_folder()),
            StorageKind::S3 => Self::s3(settings),
        }
    }

    /// Storage in a folder. What was put is on the disk when `put` returns.
    ///
    /// # Errors
    /// Where the folder cannot be made.
    pub fn local(folder: &std::path::Path) -> Result<Self> {
        std::fs::create_dir_all(folder)
            .map_err(|error| Error::Internal(format!("storage: cannot make {}: {error}", folder.display())))?;
        let store = LocalFileSystem::new_with_prefix(folder).map_err(unusable)?;
        let store = Arc::new(store.with_fsync(true));
        let probed = Arc::clone(&store);
        Ok(Self { store, part_bytes: LOCAL_PART_BYTES, reach: Reach::default(), probed })
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
        Ok(Self { store, part_bytes: S3_PART_BYTES, reach: Reach::default(), probed })
    }

    /// Whether the store can be reached.
    #[must_use]
    pub fn reach(&self) -> &Reach {
        &self.reach
    }

    /// Has the store probed whenever it is in doubt, for as long as the node lives.
    pub(crate) fn keep_in_reach(&self, supervisor: &Supervisor) {
        let (reach, probed) = (self.reach.clone(), Arc::clone(&self.probed));
        supervisor.keep(Part::Storage, move |watch| reach.clone().look_after(Arc::clone(&probed), watch));
    }

    /// Keeps the bytes, once however often they come, and gives their name.
    ///
    /// # Errors
    /// Where the store fails.
    pub async fn put(&self, bytes: Bytes) -> Result<ContentHash> {
        let content = hash(bytes.clone()).await?;
        self.put_form(&content, Form::Raw, bytes).await?;
        Ok(content)
    }

    /// As [`Storage::put`], a part at a time.
    ///
    /// # Errors
    /// Where the store fails.
    pub(super) async fn put_file(&self, file: &Spool) -> Result<ContentHash> {
        let content = file.hash().await?;
        self.put_file_at(&path(&content, Form::Raw), file).await?;
        Ok(content)
    }

    /// The file of this name, which is in memory only where it is small.
    ///
    /// # Errors
    /// As [`Storage::get`].
    pub(super) async fn get_file(&self, content: &ContentHash, form: Form) -> Result<Spool> {
        self.get_file_at(&path(content, form), &aside(content, form)).await
    }

    /// The bytes of this name, in pieces, and how many they are.
    ///
    /// # Errors
    /// As [`Storage::get`].
    pub async fn stream(&self, content: &ContentHash) -> Result<(u64, BoxStream<'static, std::io::Result<Bytes>>)> {
        let found = self.get_at(&path(content, Form::Raw), &aside(content, Form::Raw)).await?;
        let size = found.meta.size;
        let reach = self.reach.clone();
        let pieces = found.into_stream().map_err(move |error| std::io::Error::other(reach.missing_or_failed(error)));
        Ok((size, pieces.boxed()))
    }

    /// The bytes of this name.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there are none; [`Error::StorageAway`] where the store cannot be reached;
    /// [`Error::Internal`] where it fails otherwise.
    pub async fn get(&self, content: &ContentHash) -> Result<Bytes> {
        self.get_form(content, Form::Raw).await
    }

    /// A part of the bytes; `range` is cut to what is there.
    ///
    /// # Errors
    /// As [`Storage::get`].
    pub async fn get_range(&self, content: &ContentHash, range: Range<u64>) -> Result<Bytes> {
        let end = range.end.min(self.size(content).await?);
        if range.start >= end {
            return Ok(Bytes::new());
        }
        let wanted = range.start..end;
        let found = match self.store.get_range(&path(content, Form::Raw), wanted.clone()).await {
            Err(object_store::Error::NotFound { .. }) => self.store.get_range(&aside(content, Form::Raw), wanted).await,
            found => found,
        };
        found.map_err(|error| self.reach.missing_or_failed(error))
    }

    /// How many bytes there are.
    ///
    /// # Errors
    /// As [`Storage::get`].
    pub async fn size(&self, content: &ContentHash) -> Result<u64> {
        self.reach.may_read()?;
        let found = match self.store.head(&path(content, Form::Raw)).await {
            Err(object_store::Error::NotFound { .. }) => self.store.head(&aside(content, Form::Raw)).await,
            found => found,
        };
        Ok(found.map_err(|error| self.reach.missing_or_failed(error))?.size)
    }

    /// Whether there are bytes of this name.
    ///
    /// # Errors
    /// Where the store fails.
    pub async fn exists(&self, content: &ContentHash) -> Result<bool> {
        match self.size(content).await {
            Ok(_) => Ok(true),
            Err(Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Removes the bytes and everything that was made from them, also what stands aside. Harmless where there are none.
    ///
    /// # Errors
    /// Where the store fails.
    pub(super) async fn delete(&self, content: &ContentHash) -> Result<()> {
        for folder in [embedded_folder(content), embedded_aside(content)] {
            for path in self.below(&folder).await? {
                self.gone(self.store.delete(&path).await)?;
            }
        }
        for form in Form::ALL {
            for path in [path(content, form), aside(content, form)] {
                self.gone(self.store.delete(&path).await)?;
            }
        }
        Ok(())
    }

    /// Puts the bytes aside, and everything that was made from them or taken out of them.
    pub(super) async fn put_aside(&self, content: &ContentHash) -> Result<()> {
        self.rename_all(&embedded_folder(content), &embedded_aside(content)).await?;
        for form in Form::ALL {
            self.gone(self.store.rename(&path(content, form), &aside(content, form)).await)?;
        }
        Ok(())
    }

    /// Takes back what was put aside. What was put anew meanwhile stays; the bytes are the same.
    pub(super) async fn take_back(&self, content: &ContentHash) -> Result<()> {
        // The bytes last: as long as they stand aside, this is not done.
        self.rename_all(&embedded_aside(content), &embedded_folder(content)).await?;
        for form in Form::ALL {
            if !self.is_at(&aside(content, form)).await? {
                continue;
            }
            if self.is_at(&path(content, form)).await? {
                self.gone(self.store.delete(&aside(content, form)).await)?;
            } else {
                self.gone(self.store.rename(&aside(content, form), &path(content, form)).await)?;
            }
        }
        Ok(())
    }

    /// Keeps what was taken out of a file, and gives its name. Several files that are the same when they are clean may
    /// have had something else in them each.
    pub(super) async fn put_embedded(&self, content: &ContentHash, splice: &Spool) -> Result<ContentHash> {
        let name = splice.hash().await?;
        self.put_file_at(&embedded_folder(content).join(name.as_str()), splice).await?;
        Ok(name)
    }

    pub(super) async fn get_embedded(&self, content: &ContentHash, name: &ContentHash) -> Result<Spool> {
        let name = name.as_str();
        self.get_file_at(&embedded_folder(content).join(name), &embedded_aside(content).join(name)).await
    }

    /// Everything in a folder.
    async fn below(&self, folder: &Path) -> Result<Vec<Path>> {
        self.store
            .list(Some(folder))
            .map_ok(|object| object.location)
            .try_collect()
            .await
            .map_err(|error| self.reach.failed(error))
    }

    /// Moves everything of one folder into another one. What has the same name there is the same.
    async fn rename_all(&self, from: &Path, to: &Path) -> Result<()> {
        for path in self.below(from).await? {
            if let Some(name) = path.filename() {
                self.gone(self.store.rename(&path, &to.clone().join(name)).await)?;
            }
        }
        Ok(())
    }

    /// Whether the bytes stand where they are put, and not aside.
    pub(super) async fn is_in_place(&self, content: &ContentHash) -> Result<bool> {
        self.is_at(&path(content, Form::Raw)).await
    }

    /// Everything in the store, in no order. What has not the name of a file of ours is left out.
    pub(super) fn list(&self) -> BoxStream<'static, Result<Listed>> {
        let reach = self.reach.clone();
        let objects = self.store.list(None).map_err(move |error| reach.failed(error));
        objects.try_filter_map(|object| async move { Ok(Listed::of(&object)) }).boxed()
    }

    /// The names of everything in the store, whoever put it there.
    #[cfg(test)]
    pub(crate) async fn names(&self) -> Vec<String> {
        let all: Vec<_> = self.store.list(None).try_collect().await.expect("a list");
        all.iter().filter_map(|object| object.location.filename().map(str::to_owned)).collect()
    }

    async fn is_at(&self, path: &Path) -> Result<bool> {
        match self.store.head(path).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(self.reach.failed(error)),
        }
    }

    pub(super) async fn get_form(&self, content: &ContentHash, form: Form) -> Result<Bytes> {
        let found = self.get_at(&path(content, form), &aside(content, form)).await?;
        found.bytes().await.map_err(|error| self.reach.missing_or_failed(error))
    }

    pub(super) async fn put_form(&self, content: &ContentHash, form: Form, bytes: Bytes) -> Result<()> {
        self.put_file_at(&path(content, form), &bytes.into()).await
    }

    /// What is at the one place, else at the other.
    async fn get_at(&self, place: &Path, aside: &Path) -> Result<GetResult> {
        self.reach.may_read()?;
        let found = match self.store.get(place).await {
            Err(object_store::Error::NotFound { .. }) => self.store.get(aside).await,
            found => found,
        };
        found.map_err(|error| self.reach.missing_or_failed(error))
    }

    async fn get_file_at(&self, place: &Path, aside: &Path) -> Result<Spool> {
        let mut pieces = self.get_at(place, aside).await?.into_stream();
        let mut file = SpoolWriter::default();
        while let Some(piece) = pieces.next().await {
            file.write(&piece.map_err(|error| self.reach.missing_or_failed(error))?).await?;
        }
        file.finish().await
    }

    async fn put_file_at(&self, path: &Path, file: &Spool) -> Result<()> {
        self.reach.may_write()?;
        // The same name means the same bytes; what is there whole needs no second write.
        if self.store.head(path).await.is_ok_and(|there| there.size == file.len()) {
            return Ok(());
        }
        if let Some(bytes) = file.in_memory() {
            self.store.put(path, bytes.into()).await.map_err(|error| self.reach.unwritten(error))?;
            return Ok(());
        }
        let mut upload = self.store.put_multipart(path).await.map_err(|error| self.reach.unwritten(error))?;
        let written = self.send(&mut *upload, file).await;
        if written.is_err() {
            // What is left of it goes when the store's own time for such is over.
            drop(upload.abort().await);
        }
        written
    }

    /// Sends a file part by part, one at a time.
    async fn send(&self, upload: &mut dyn MultipartUpload, file: &Spool) -> Result<()> {
        let unreadable = |error: std::io::Error| Error::Internal(format!("storage: {error}"));
        let unwritten = |error| self.reach.unwritten(error);
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

    /// What is not there needs not to be moved or deleted.
    fn gone(&self, done: object_store::Result<()>) -> Result<()> {
        match done {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.reach.failed(error)),
        }
    }
}

/// A storage that cannot be opened: said to the operator, who starts the node.
fn unusable(error: object_store::Error) -> Error {
    Error::Internal(format!("storage: {error}"))
}

#[cfg(test)]
mod tests;
