//! Files in transit: in memory if small, otherwise in a temporary file. Whatever the size, only a piece of it is in
//! memory.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use sha2::{Digest, Sha256};
use tempfile::{NamedTempFile, TempPath};
use tokio::io::AsyncReadExt as _;

use super::blake3_hash::Blake3Hash;
use super::content_hash::{self, ContentHash};
use crate::error::{Error, Result};

/// Larger files go to disk.
const IN_MEMORY_BYTES: usize = 256 << 10;
/// Bytes read, written or sent at a time.
const PIECE_BYTES: usize = 64 << 10;
/// The start of a file on disk that stays in memory, to detect its type.
const HEAD_BYTES: usize = 64 << 10;

/// The bytes of a file that is being received, processed or sent. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Spool(SpoolContent);

#[derive(Debug, Clone)]
enum SpoolContent {
    Memory(Bytes),
    Disk(Arc<TempFile>),
}

/// A file on disk, deleted with its last handle.
#[derive(Debug)]
pub(in crate::assets) struct TempFile {
    path: TempPath,
    bytes: u64,
    head: Bytes,
}

/// Receives a file piece by piece.
#[derive(Debug, Default)]
pub struct SpoolWriter {
    /// Bytes that are not on disk yet.
    unwritten: BytesMut,
    head: Bytes,
    file: Option<(tokio::fs::File, TempPath)>,
    bytes: u64,
}

/// A seekable reader.
pub(in crate::assets) enum Reader {
    Memory(Cursor<Bytes>),
    Disk(File),
}

impl From<Bytes> for Spool {
    fn from(bytes: Bytes) -> Self {
        Self(SpoolContent::Memory(bytes))
    }
}

impl From<Vec<u8>> for Spool {
    fn from(bytes: Vec<u8>) -> Self {
        Self(SpoolContent::Memory(bytes.into()))
    }
}

impl Spool {
    #[must_use]
    pub fn len(&self) -> u64 {
        match &self.0 {
            SpoolContent::Memory(bytes) => bytes.len() as u64,
            SpoolContent::Disk(file) => file.bytes,
        }
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first bytes, to detect its type.
    #[must_use]
    pub fn head(&self) -> &[u8] {
        match &self.0 {
            SpoolContent::Memory(bytes) => bytes,
            SpoolContent::Disk(file) => &file.head,
        }
    }

    /// Writes bytes to a temporary file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn to_disk(bytes: &[u8]) -> io::Result<Self> {
        let mut file = new_temp_file()?;
        file.write_all(bytes)?;
        TempFile::new(file.into_temp_path()).map(|file| Self(SpoolContent::Disk(Arc::new(file))))
    }

    /// All bytes, in memory; only for files that are known to be small.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub async fn bytes(&self) -> Result<Bytes> {
        match &self.0 {
            SpoolContent::Memory(bytes) => Ok(bytes.clone()),
            SpoolContent::Disk(_) => {
                let this = self.clone();
                blocking(move || {
                    let mut bytes = Vec::new();
                    Read::read_to_end(&mut this.reader()?, &mut bytes)?;
                    Ok(bytes.into())
                })
                .await
            }
        }
    }

    pub fn pieces(&self) -> BoxStream<'static, io::Result<Bytes>> {
        match &self.0 {
            SpoolContent::Memory(bytes) => stream::iter([Ok(bytes.clone())]).boxed(),
            SpoolContent::Disk(file) => {
                let file = Arc::clone(file);
                let opening = async move { Ok((tokio::fs::File::open(&file.path).await?, file)) };
                let pieces = stream::once(opening).map(|opened: io::Result<_>| match opened {
                    Err(error) => stream::iter([Err(error)]).boxed(),
                    // The stream holds the file, so that it is not deleted while being read.
                    Ok(opened) => stream::try_unfold(opened, |(mut from, file)| async move {
                        let mut piece = BytesMut::with_capacity(PIECE_BYTES);
                        let read = from.read_buf(&mut piece).await?;
                        Ok((read > 0).then(|| (piece.freeze(), (from, file))))
                    })
                    .boxed(),
                });
                pieces.flatten().boxed()
            }
        }
    }

    pub(in crate::assets) fn in_memory(&self) -> Option<Bytes> {
        match &self.0 {
            SpoolContent::Memory(bytes) => Some(bytes.clone()),
            SpoolContent::Disk(_) => None,
        }
    }

    pub(in crate::assets) async fn hash(&self) -> Result<ContentHash> {
        if let SpoolContent::Memory(bytes) = &self.0 {
            return content_hash::hash(bytes.clone()).await;
        }
        let this = self.clone();
        blocking(move || {
            let mut digest = Sha256::new();
            let mut piece = vec![0; PIECE_BYTES];
            let mut reader = this.reader()?;
            loop {
                let read = Read::read(&mut reader, &mut piece)?;
                if read == 0 {
                    return Ok(ContentHash::of_digest(&digest.finalize()));
                }
                digest.update(piece.get(..read).unwrap_or_default());
            }
        })
        .await
    }

    /// The BLAKE3 of the bytes.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub async fn blake3(&self) -> Result<Blake3Hash> {
        let this = self.clone();
        blocking(move || {
            let mut hasher = blake3::Hasher::new();
            hasher.update_reader(this.reader()?)?;
            Ok(Blake3Hash::of_hash(hasher.finalize()))
        })
        .await
    }

    /// The file on disk; writes it there if needed.
    pub(in crate::assets) async fn on_disk(&self) -> Result<Arc<TempFile>> {
        match &self.0 {
            SpoolContent::Disk(file) => Ok(Arc::clone(file)),
            SpoolContent::Memory(bytes) => {
                let bytes = bytes.clone();
                let written = blocking(move || Self::to_disk(&bytes)).await?;
                match written.0 {
                    SpoolContent::Disk(file) => Ok(file),
                    SpoolContent::Memory(_) => Err(failed(io::ErrorKind::Other.into())),
                }
            }
        }
    }

    /// Takes ownership of a file that another process wrote.
    pub(in crate::assets) async fn from_file(path: TempPath) -> Result<Self> {
        blocking(move || TempFile::new(path).map(|file| Self(SpoolContent::Disk(Arc::new(file))))).await
    }

    /// Blocking.
    pub(in crate::assets) fn reader(&self) -> io::Result<Reader> {
        Ok(match &self.0 {
            SpoolContent::Memory(bytes) => Reader::Memory(Cursor::new(bytes.clone())),
            SpoolContent::Disk(file) => Reader::Disk(File::open(&file.path)?),
        })
    }

    /// Runs `write` and collects its output. Blocking.
    pub(in crate::assets) fn write_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<Self> {
        let mut growing = SpillBuffer::default();
        write(&mut growing)?;
        match growing.file {
            None => Ok(growing.memory.into()),
            Some(file) => TempFile::new(file.into_temp_path()).map(|file| Self(SpoolContent::Disk(Arc::new(file)))),
        }
    }
}

impl TempFile {
    fn new(path: TempPath) -> io::Result<Self> {
        let mut file = File::open(&path)?;
        let bytes = file.metadata()?.len();
        let mut head = Vec::new();
        Read::by_ref(&mut file).take(HEAD_BYTES as u64).read_to_end(&mut head)?;
        Ok(Self { path, bytes, head: head.into() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Memory(bytes) => Read::read(bytes, buffer),
            Self::Disk(file) => Read::read(file, buffer),
        }
    }
}

impl Seek for Reader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::Memory(bytes) => bytes.seek(to),
            Self::Disk(file) => file.seek(to),
        }
    }
}

impl SpoolWriter {
    /// Bytes received so far.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.bytes
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// # Errors
    /// If the piece cannot be written to disk.
    pub async fn write(&mut self, piece: &[u8]) -> Result<()> {
        self.bytes += piece.len() as u64;
        self.unwritten.extend_from_slice(piece);
        let most = if self.file.is_some() { PIECE_BYTES } else { IN_MEMORY_BYTES };
        if self.unwritten.len() > most { self.flush().await } else { Ok(()) }
    }

    /// # Errors
    /// If the rest cannot be written to disk.
    pub async fn finish(mut self) -> Result<Spool> {
        if self.file.is_none() {
            return Ok(self.unwritten.freeze().into());
        }
        self.flush().await?;
        let Some((mut file, path)) = self.file else { return Ok(Bytes::new().into()) };
        tokio::io::AsyncWriteExt::flush(&mut file).await.map_err(failed)?;
        Ok(Spool(SpoolContent::Disk(Arc::new(TempFile { path, bytes: self.bytes, head: self.head }))))
    }

    async fn flush(&mut self) -> Result<()> {
        if self.file.is_none() {
            let (file, path) = blocking(|| Ok(new_temp_file()?.into_parts())).await?;
            self.head = Bytes::copy_from_slice(self.unwritten.get(..HEAD_BYTES).unwrap_or(&self.unwritten));
            let mut file = tokio::fs::File::from_std(file);
            // Otherwise it copies up to two megabytes at a time, for each file in transit.
            file.set_max_buf_size(PIECE_BYTES);
            self.file = Some((file, path));
            let first = std::mem::take(&mut self.unwritten);
            return self.append(&first).await;
        }
        let next = std::mem::take(&mut self.unwritten);
        self.append(&next).await?;
        self.unwritten = next;
        self.unwritten.clear();
        Ok(())
    }

    async fn append(&mut self, bytes: &[u8]) -> Result<()> {
        match &mut self.file {
            Some((file, _)) => tokio::io::AsyncWriteExt::write_all(file, bytes).await.map_err(failed),
            None => Ok(()),
        }
    }
}

/// A writer in memory that moves to a temporary file when it grows.
#[derive(Default)]
struct SpillBuffer {
    memory: Vec<u8>,
    file: Option<NamedTempFile>,
}

impl Write for SpillBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.file.is_none() {
            if self.memory.len() + bytes.len() <= IN_MEMORY_BYTES {
                return self.memory.write(bytes);
            }
            let mut file = new_temp_file()?;
            file.write_all(&std::mem::take(&mut self.memory))?;
            self.file = Some(file);
        }
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

fn new_temp_file() -> io::Result<NamedTempFile> {
    NamedTempFile::with_prefix("verdigraph-file-")
}

fn failed(error: io::Error) -> Error {
    Error::Internal(format!("temporary file: {error}"))
}

/// Runs blocking file I/O on a thread for it.
pub(in crate::assets) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await.map_err(|error| failed(io::Error::other(error)))?;
    done.map_err(failed)
}

#[cfg(test)]
mod tests {
    use futures_util::TryStreamExt as _;

    use super::*;

    async fn spooled(bytes: usize) -> (Vec<u8>, Spool) {
        let whole: Vec<u8> = (0..bytes).map(|at| (at % 251) as u8).collect();
        let mut writer = SpoolWriter::default();
        for piece in whole.chunks(70_000) {
            writer.write(piece).await.expect("room on the disk");
        }
        (whole, writer.finish().await.expect("a file"))
    }

    #[tokio::test]
    async fn file_of_any_size_is_read_back_unchanged() {
        for bytes in [0, 1, IN_MEMORY_BYTES, IN_MEMORY_BYTES + 1, 3 * IN_MEMORY_BYTES + 7] {
            let (whole, spool) = spooled(bytes).await;
            assert_eq!(spool.len(), bytes as u64);
            assert!(whole.starts_with(spool.head()));
            assert_eq!(spool.bytes().await.expect("the bytes"), whole, "{bytes}");
            let pieces: Vec<Bytes> = spool.pieces().try_collect().await.expect("pieces");
            assert_eq!(pieces.concat(), whole, "{bytes}");
            assert_eq!(spool.hash().await.expect("a name"), ContentHash::of(&whole), "{bytes}");
            assert_eq!(spool.blake3().await.expect("a hash"), Blake3Hash::of(&whole), "{bytes}");
            let written = Spool::write_with(|to| to.write_all(&whole)).expect("a file");
            assert_eq!(written.bytes().await.expect("the bytes"), whole, "{bytes}");
        }
    }

    #[tokio::test]
    async fn temp_file_is_deleted_with_its_last_handle() {
        let (_, spool) = spooled(2 * IN_MEMORY_BYTES).await;
        let file = spool.on_disk().await.expect("a file");
        let path = file.path().to_path_buf();
        let other = spool.clone();
        drop((spool, file));
        assert!(path.exists(), "the file was deleted while a handle exists");
        drop(other);
        assert!(!path.exists(), "the file was left on the disk");
    }
}
