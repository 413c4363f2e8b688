//! Bytes by content hash, in a local folder or an S3-compatible store.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::TryStreamExt as _;
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use secrecy::ExposeSecret;
use sha2::{Digest, Sha256};

use super::ContentHash;
use crate::error::{Error, Result};
use crate::settings::{Settings, StorageKind};

/// Bytes that take longer than this to hash are hashed away from the caller's thread.
const HASH_INLINE_BYTES: usize = 128 * 1024;

/// Where bytes are kept. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Storage(Arc<dyn ObjectStore>);

/// Which form of a file is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Raw,
    /// Fits 200 pixels; see [`super::Quality`].
    W200,
    W480,
    W960,
    Optimal,
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
        let store = LocalFileSystem::new_with_prefix(folder).map_err(failed)?;
        Ok(Self(Arc::new(store.with_fsync(true))))
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
        Ok(Self(Arc::new(builder.build().map_err(failed)?)))
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

    /// The bytes of this name.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there are none; [`Error::Internal`] where the store fails.
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
        self.0.get_range(&path(content, Form::Raw), range.start..end).await.map_err(missing_or_failed)
    }

    /// How many bytes there are.
    ///
    /// # Errors
    /// As [`Storage::get`].
    pub async fn size(&self, content: &ContentHash) -> Result<u64> {
        Ok(self.0.head(&path(content, Form::Raw)).await.map_err(missing_or_failed)?.size)
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

    /// Removes the bytes and everything that was made from them. Harmless where there are none.
    ///
    /// # Errors
    /// Where the store fails.
    pub async fn delete(&self, content: &ContentHash) -> Result<()> {
        self.delete_embedded(content).await?;
        for form in [Form::W200, Form::W480, Form::W960, Form::Optimal, Form::Raw] {
            match self.0.delete(&path(content, form)).await {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(())
    }

    /// Keeps what was taken out of a file, and gives its name. Several files that are the same when they are clean may
    /// have had something else in them each.
    pub(super) async fn put_embedded(&self, content: &ContentHash, splice: Bytes) -> Result<ContentHash> {
        let name = hash(splice.clone()).await?;
        let path = embedded_folder(content).join(name.as_str());
        self.0.put(&path, splice.into()).await.map_err(failed)?;
        Ok(name)
    }

    pub(super) async fn get_embedded(&self, content: &ContentHash, name: &ContentHash) -> Result<Bytes> {
        let found = self.0.get(&embedded_folder(content).join(name.as_str())).await.map_err(missing_or_failed)?;
        found.bytes().await.map_err(missing_or_failed)
    }

    async fn delete_embedded(&self, content: &ContentHash) -> Result<()> {
        let folder = embedded_folder(content);
        let found: Vec<Path> =
            self.0.list(Some(&folder)).map_ok(|object| object.location).try_collect().await.map_err(failed)?;
        for path in found {
            match self.0.delete(&path).await {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(())
    }

    pub(super) async fn get_form(&self, content: &ContentHash, form: Form) -> Result<Bytes> {
        let found = self.0.get(&path(content, form)).await.map_err(missing_or_failed)?;
        found.bytes().await.map_err(missing_or_failed)
    }

    pub(super) async fn put_form(&self, content: &ContentHash, form: Form, bytes: Bytes) -> Result<()> {
        let path = path(content, form);
        // The same name means the same bytes; what is there whole needs no second write.
        let size = bytes.len() as u64;
        if self.0.head(&path).await.is_ok_and(|there| there.size == size) {
            return Ok(());
        }
        self.0.put(&path, bytes.into()).await.map_err(failed)?;
        Ok(())
    }
}

/// Where everything is that was ever taken out of this file.
fn embedded_folder(content: &ContentHash) -> Path {
    placed("embedded", content)
}

fn path(content: &ContentHash, form: Form) -> Path {
    let folder = match form {
        Form::Raw => "raw",
        Form::W200 => "w200",
        Form::W480 => "w480",
        Form::W960 => "w960",
        Form::Optimal => "optimal",
    };
    placed(folder, content)
}

/// Two levels of folders, so that none of them grows without end.
fn placed(folder: &str, content: &ContentHash) -> Path {
    let name = content.as_str();
    Path::from(format!("{folder}/{}/{}/{name}", name.get(0..2).unwrap_or("-"), name.get(2..4).unwrap_or("-")))
}

/// The name of these bytes.
async fn hash(bytes: Bytes) -> Result<ContentHash> {
    if bytes.len() <= HASH_INLINE_BYTES {
        return Ok(ContentHash::of(&bytes));
    }
    tokio::task::spawn_blocking(move || ContentHash::of(&bytes))
        .await
        .map_err(|error| Error::Internal(format!("storage: {error}")))
}

impl ContentHash {
    /// The name of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        use std::fmt::Write;
        let mut text = String::with_capacity(64);
        for byte in Sha256::digest(bytes) {
            let _infallible = write!(text, "{byte:02x}");
        }
        Self(text)
    }
}

fn missing_or_failed(error: object_store::Error) -> Error {
    match error {
        object_store::Error::NotFound { .. } => Error::NotFound { what: "file" },
        other => failed(other),
    }
}

fn failed(error: object_store::Error) -> Error {
    Error::Internal(format!("storage: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn bytes_come_back_whole_and_in_parts_until_they_are_deleted() {
        let folder = tempfile::tempdir().expect("a folder");
        let storage = Storage::local(folder.path()).expect("a storage");
        let content = storage.put(Bytes::from_static(b"hello world")).await.expect("a name");
        assert_eq!(content.as_str(), "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9");
        assert_eq!(storage.put(Bytes::from_static(b"hello world")).await.expect("a name"), content);
        assert_eq!(storage.get(&content).await.expect("the bytes"), "hello world");
        assert_eq!(storage.get_range(&content, 6..9).await.expect("a part"), "wor");
        assert_eq!(storage.get_range(&content, 6..900).await.expect("a cut part"), "world");
        assert_eq!(storage.get_range(&content, 11..12).await.expect("nothing"), "");
        assert_eq!(storage.size(&content).await.expect("a size"), 11);
        storage.delete(&content).await.expect("a deletion");
        storage.delete(&content).await.expect("a second deletion");
        assert!(!storage.exists(&content).await.expect("an answer"));
        assert!(matches!(storage.get(&content).await, Err(Error::NotFound { .. })));
    }

    #[tokio::test]
    async fn a_file_cut_short_by_a_crash_is_written_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let storage = Storage::local(folder.path()).expect("a storage");
        let content = storage.put(Bytes::from_static(b"hello world")).await.expect("a name");
        let place = folder.path().join(path(&content, Form::Raw).to_string());
        std::fs::write(&place, "hello").expect("a cut file");
        storage.put(Bytes::from_static(b"hello world")).await.expect("a name");
        assert_eq!(storage.get(&content).await.expect("the bytes"), "hello world");
    }
}
