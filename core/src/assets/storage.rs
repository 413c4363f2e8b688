//! Bytes by content hash, in a local folder or an S3-compatible store.
//!
//! What nobody names any more stands aside for a while before it is deleted (see `life`). It can be read there, and is
//! written anew where it is put once more.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{GetResult, MultipartUpload, ObjectStore, ObjectStoreExt};
use secrecy::ExposeSecret;

use super::content_hash::{ContentHash, hash};
use super::spool::{Spool, SpoolWriter};
use crate::error::{Error, Result};
use crate::settings::{Settings, StorageKind};

/// Where bytes stand that are about to be deleted.
const ASIDE: &str = "aside/";
/// Where everything stands that was taken out of files.
const EMBEDDED: &str = "embedded";

/// What goes to the store at a time of a file that is not in memory: S3 takes no smaller parts, a folder any.
const S3_PART_BYTES: usize = 5 << 20;
const LOCAL_PART_BYTES: usize = 256 << 10;

/// Where bytes are kept. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Storage(Arc<dyn ObjectStore>, usize);

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

impl Form {
    const ALL: [Self; 5] = [Self::W200, Self::W480, Self::W960, Self::Optimal, Self::Raw];

    fn folder(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::W200 => "w200",
            Self::W480 => "w480",
            Self::W960 => "w960",
            Self::Optimal => "optimal",
        }
    }
}

/// One object of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    pub content: ContentHash,
    /// Whether it is the file itself, and not made from it.
    pub is_raw: bool,
    pub size: u64,
    pub changed_at: DateTime<Utc>,
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
        Ok(Self(Arc::new(store.with_fsync(true)), LOCAL_PART_BYTES))
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
        Ok(Self(Arc::new(builder.build().map_err(failed)?), S3_PART_BYTES))
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
        Ok((found.meta.size, found.into_stream().map_err(std::io::Error::other).boxed()))
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
        let wanted = range.start..end;
        match self.0.get_range(&path(content, Form::Raw), wanted.clone()).await {
            Err(object_store::Error::NotFound { .. }) => {
                self.0.get_range(&aside(content, Form::Raw), wanted).await.map_err(missing_or_failed)
            }
            found => found.map_err(missing_or_failed),
        }
    }

    /// How many bytes there are.
    ///
    /// # Errors
    /// As [`Storage::get`].
    pub async fn size(&self, content: &ContentHash) -> Result<u64> {
        let found = match self.0.head(&path(content, Form::Raw)).await {
            Err(object_store::Error::NotFound { .. }) => self.0.head(&aside(content, Form::Raw)).await,
            found => found,
        };
        Ok(found.map_err(missing_or_failed)?.size)
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
                gone(self.0.delete(&path).await)?;
            }
        }
        for form in Form::ALL {
            for path in [path(content, form), aside(content, form)] {
                gone(self.0.delete(&path).await)?;
            }
        }
        Ok(())
    }

    /// Puts the bytes aside, and everything that was made from them or taken out of them.
    pub(super) async fn put_aside(&self, content: &ContentHash) -> Result<()> {
        self.rename_all(&embedded_folder(content), &embedded_aside(content)).await?;
        for form in Form::ALL {
            gone(self.0.rename(&path(content, form), &aside(content, form)).await)?;
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
                gone(self.0.delete(&aside(content, form)).await)?;
            } else {
                gone(self.0.rename(&aside(content, form), &path(content, form)).await)?;
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
        self.0.list(Some(folder)).map_ok(|object| object.location).try_collect().await.map_err(failed)
    }

    /// Moves everything of one folder into another one. What has the same name there is the same.
    async fn rename_all(&self, from: &Path, to: &Path) -> Result<()> {
        for path in self.below(from).await? {
            if let Some(name) = path.filename() {
                gone(self.0.rename(&path, &to.clone().join(name)).await)?;
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
        let objects = self.0.list(None).map_err(failed);
        objects
            .try_filter_map(|object| async move {
                let place = object.location.as_ref();
                let (folder, rest) = place.strip_prefix(ASIDE).unwrap_or(place).split_once('/').unwrap_or_default();
                let mut names = rest.rsplit('/');
                // What was taken out of a file stands in a folder of the file's name, and goes with it.
                let name = if folder == EMBEDDED { names.nth(1) } else { names.next() };
                let content = name.unwrap_or_default().parse::<ContentHash>();
                Ok(content.ok().map(|content| Listed {
                    content,
                    is_raw: folder == Form::Raw.folder(),
                    size: object.size,
                    changed_at: object.last_modified,
                }))
            })
            .boxed()
    }

    /// The names of everything in the store, whoever put it there.
    #[cfg(test)]
    pub(crate) async fn names(&self) -> Vec<String> {
        let all: Vec<_> = self.0.list(None).try_collect().await.expect("a list");
        all.iter().filter_map(|object| object.location.filename().map(str::to_owned)).collect()
    }

    async fn is_at(&self, path: &Path) -> Result<bool> {
        match self.0.head(path).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(failed(error)),
        }
    }

    pub(super) async fn get_form(&self, content: &ContentHash, form: Form) -> Result<Bytes> {
        let found = self.get_at(&path(content, form), &aside(content, form)).await?;
        found.bytes().await.map_err(missing_or_failed)
    }

    pub(super) async fn put_form(&self, content: &ContentHash, form: Form, bytes: Bytes) -> Result<()> {
        self.put_file_at(&path(content, form), &bytes.into()).await
    }

    /// What is at the one place, else at the other.
    async fn get_at(&self, place: &Path, aside: &Path) -> Result<GetResult> {
        let found = match self.0.get(place).await {
            Err(object_store::Error::NotFound { .. }) => self.0.get(aside).await,
            found => found,
        };
        found.map_err(missing_or_failed)
    }

    async fn get_file_at(&self, place: &Path, aside: &Path) -> Result<Spool> {
        let mut pieces = self.get_at(place, aside).await?.into_stream();
        let mut file = SpoolWriter::default();
        while let Some(piece) = pieces.next().await {
            file.write(&piece.map_err(missing_or_failed)?).await?;
        }
        file.finish().await
    }

    async fn put_file_at(&self, path: &Path, file: &Spool) -> Result<()> {
        // The same name means the same bytes; what is there whole needs no second write.
        if self.0.head(path).await.is_ok_and(|there| there.size == file.len()) {
            return Ok(());
        }
        if let Some(bytes) = file.in_memory() {
            self.0.put(path, bytes.into()).await.map_err(failed)?;
            return Ok(());
        }
        let mut upload = self.0.put_multipart(path).await.map_err(failed)?;
        let written = send(&mut *upload, file, self.1).await;
        if written.is_err() {
            // What is left of it goes when the store's own time for such is over.
            drop(upload.abort().await);
        }
        written
    }
}

/// Sends a file part by part, one at a time.
async fn send(upload: &mut dyn MultipartUpload, file: &Spool, part_bytes: usize) -> Result<()> {
    let unreadable = |error: std::io::Error| Error::Internal(format!("storage: {error}"));
    let mut pieces = file.pieces();
    let mut part = Vec::new();
    let mut bytes = 0;
    while let Some(piece) = pieces.try_next().await.map_err(unreadable)? {
        bytes += piece.len();
        part.push(piece);
        if bytes >= part_bytes {
            upload.put_part(std::mem::take(&mut part).into_iter().collect()).await.map_err(failed)?;
            bytes = 0;
        }
    }
    if !part.is_empty() {
        upload.put_part(part.into_iter().collect()).await.map_err(failed)?;
    }
    upload.complete().await.map_err(failed)?;
    Ok(())
}

/// Where everything is that was ever taken out of this file.
fn embedded_folder(content: &ContentHash) -> Path {
    Path::from(place(EMBEDDED, content))
}

/// Where that stands while the file waits to be deleted.
fn embedded_aside(content: &ContentHash) -> Path {
    Path::from(format!("{ASIDE}{}", place(EMBEDDED, content)))
}

fn path(content: &ContentHash, form: Form) -> Path {
    Path::from(place(form.folder(), content))
}

/// Where it stands while it waits to be deleted.
fn aside(content: &ContentHash, form: Form) -> Path {
    Path::from(format!("{ASIDE}{}", place(form.folder(), content)))
}

/// Two levels of folders, so that none of them grows without end.
fn place(folder: &str, content: &ContentHash) -> String {
    let name = content.as_str();
    format!("{folder}/{}/{}/{name}", name.get(0..2).unwrap_or("-"), name.get(2..4).unwrap_or("-"))
}

/// What is not there needs not to be moved or deleted.
fn gone(done: object_store::Result<()>) -> Result<()> {
    match done {
        Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
        Err(error) => Err(failed(error)),
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
    async fn what_stands_aside_is_read_taken_back_and_deleted_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let storage = Storage::local(folder.path()).expect("a storage");
        let content = storage.put(Bytes::from_static(b"hello world")).await.expect("a name");
        storage.put_form(&content, Form::Optimal, Bytes::from_static(b"poster")).await.expect("a poster");
        let name = storage.put_embedded(&content, &Bytes::from_static(b"text").into()).await.expect("a splice");
        storage.put_aside(&content).await.expect("put aside");
        storage.put_aside(&content).await.expect("put aside once more");
        assert!(!storage.is_in_place(&content).await.expect("an answer"));
        assert_eq!(storage.get(&content).await.expect("the bytes"), "hello world");
        assert_eq!(storage.get_range(&content, 6..9).await.expect("a part"), "wor");
        assert_eq!(storage.get_form(&content, Form::Optimal).await.expect("the poster"), "poster");
        assert_eq!(storage.get_embedded(&content, &name).await.expect("the splice").head(), b"text");
        storage.take_back(&content).await.expect("taken back");
        assert!(storage.is_in_place(&content).await.expect("an answer"));
        let listed: Vec<Listed> = storage.list().try_collect().await.expect("a list");
        assert_eq!(listed.iter().map(|one| one.size).sum::<u64>(), 21);
        assert!(listed.iter().all(|one| one.content == content), "{listed:?}");
        assert_eq!(storage.get_embedded(&content, &name).await.expect("the splice").head(), b"text");
        // Stored anew while it stands aside: both go.
        storage.put_aside(&content).await.expect("put aside");
        storage.put(Bytes::from_static(b"hello world")).await.expect("a name");
        storage.put_embedded(&content, &Bytes::from_static(b"text").into()).await.expect("a splice");
        storage.delete(&content).await.expect("a deletion");
        assert!(storage.list().try_next().await.expect("a list").is_none(), "something is left");
    }

    #[tokio::test]
    async fn a_file_that_is_not_in_memory_is_stored_and_read_in_pieces() {
        let folder = tempfile::tempdir().expect("a folder");
        let storage = Storage::local(folder.path()).expect("a storage");
        let whole: Vec<u8> = (0..LOCAL_PART_BYTES * 4 + 3).map(|at| (at % 253) as u8).collect();
        let mut writer = SpoolWriter::default();
        writer.write(&whole).await.expect("room on the disk");
        let file = writer.finish().await.expect("a file");
        assert!(file.in_memory().is_none());
        let content = storage.put_file(&file).await.expect("a name");
        assert_eq!(content, ContentHash::of(&whole));
        assert_eq!(storage.get(&content).await.expect("the bytes"), whole);
        let again = storage.get_file(&content, Form::Raw).await.expect("the file");
        assert!(again.in_memory().is_none(), "a large file is in memory");
        assert_eq!(again.bytes().await.expect("the bytes"), whole);
        let (size, pieces) = storage.stream(&content).await.expect("the file");
        let pieces: Vec<Bytes> = pieces.try_collect().await.expect("pieces");
        assert_eq!((size, pieces.concat()), (whole.len() as u64, whole));
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
