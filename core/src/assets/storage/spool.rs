//! A file on its way: in memory while it is small, on the disk beyond that. However large a file is, this process has
//! no more than a piece of it in memory.

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

use super::content_hash::{self, ContentHash};
use crate::error::{Error, Result};

/// Larger files go to the disk.
const IN_MEMORY_BYTES: usize = 256 << 10;
/// What is read, written or sent at a time.
const PIECE_BYTES: usize = 64 << 10;
/// How much of a file on the disk is kept in memory, to see what it is.
const HEAD_BYTES: usize = 64 << 10;

/// The bytes of a file that is being taken in, worked on or sent. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Spool(Kept);

#[derive(Debug, Clone)]
enum Kept {
    Memory(Bytes),
    Disk(Arc<OnDisk>),
}

/// A file on the disk, which goes with the last who has it.
#[derive(Debug)]
pub(in crate::assets) struct OnDisk {
    path: TempPath,
    bytes: u64,
    head: Bytes,
}

/// Takes in a file piece by piece.
#[derive(Debug, Default)]
pub struct SpoolWriter {
    /// What was not written yet; all of it as long as there is no file.
    waiting: BytesMut,
    head: Bytes,
    file: Option<(tokio::fs::File, TempPath)>,
    bytes: u64,
}

/// Reads a spooled file from any place in it.
pub(in crate::assets) enum Reader {
    Memory(Cursor<Bytes>),
    Disk(File),
}

impl From<Bytes> for Spool {
    fn from(bytes: Bytes) -> Self {
        Self(Kept::Memory(bytes))
    }
}

impl From<Vec<u8>> for Spool {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Kept::Memory(bytes.into()))
    }
}

impl Spool {
    /// How many bytes it has.
    #[must_use]
    pub fn len(&self) -> u64 {
        match &self.0 {
            Kept::Memory(bytes) => bytes.len() as u64,
            Kept::Disk(file) => file.bytes,
        }
    }

    /// Whether it has no byte.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its beginning, from which its kind is seen.
    #[must_use]
    pub fn head(&self) -> &[u8] {
        match &self.0 {
            Kept::Memory(bytes) => bytes,
            Kept::Disk(file) => &file.head,
        }
    }

    /// A file of these bytes that is on the disk.
    ///
    /// # Errors
    /// Where it cannot be written there.
    pub fn to_disk(bytes: &[u8]) -> io::Result<Self> {
        let mut file = fresh()?;
        file.write_all(bytes)?;
        OnDisk::new(file.into_temp_path()).map(|file| Self(Kept::Disk(Arc::new(file))))
    }

    /// All of it, in memory: for files that are known to be small.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub async fn bytes(&self) -> Result<Bytes> {
        match &self.0 {
            Kept::Memory(bytes) => Ok(bytes.clone()),
            Kept::Disk(_) => {
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

    /// Its pieces, one after the other.
    pub fn pieces(&self) -> BoxStream<'static, io::Result<Bytes>> {
        match &self.0 {
            Kept::Memory(bytes) => stream::iter([Ok(bytes.clone())]).boxed(),
            Kept::Disk(file) => {
                let file = Arc::clone(file);
                let opening = async move { Ok((tokio::fs::File::open(&file.path).await?, file)) };
                let pieces = stream::once(opening).map(|opened: io::Result<_>| match opened {
                    Err(error) => stream::iter([Err(error)]).boxed(),
                    // The file is held for as long as it is read.
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

    /// Its bytes, where they are in memory.
    pub(in crate::assets) fn in_memory(&self) -> Option<Bytes> {
        match &self.0 {
            Kept::Memory(bytes) => Some(bytes.clone()),
            Kept::Disk(_) => None,
        }
    }

    /// The name of these bytes.
    pub(in crate::assets) async fn hash(&self) -> Result<ContentHash> {
        if let Kept::Memory(bytes) = &self.0 {
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

    /// A file with these bytes on the disk.
    pub(in crate::assets) async fn on_disk(&self) -> Result<Arc<OnDisk>> {
        match &self.0 {
            Kept::Disk(file) => Ok(Arc::clone(file)),
            Kept::Memory(bytes) => {
                let bytes = bytes.clone();
                let written = blocking(move || Self::to_disk(&bytes)).await?;
                match written.0 {
                    Kept::Disk(file) => Ok(file),
                    Kept::Memory(_) => Err(failed(io::ErrorKind::Other.into())),
                }
            }
        }
    }

    /// What another process has written.
    pub(in crate::assets) async fn from_file(path: TempPath) -> Result<Self> {
        blocking(move || OnDisk::new(path).map(|file| Self(Kept::Disk(Arc::new(file))))).await
    }

    /// Reads it; call it from a blocking thread.
    pub(in crate::assets) fn reader(&self) -> io::Result<Reader> {
        Ok(match &self.0 {
            Kept::Memory(bytes) => Reader::Memory(Cursor::new(bytes.clone())),
            Kept::Disk(file) => Reader::Disk(File::open(&file.path)?),
        })
    }

    /// Takes in what is written, on a blocking thread.
    pub(in crate::assets) fn written(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<Self> {
        let mut growing = Growing::default();
        write(&mut growing)?;
        match growing.file {
            None => Ok(growing.memory.into()),
            Some(file) => OnDisk::new(file.into_temp_path()).map(|file| Self(Kept::Disk(Arc::new(file)))),
        }
    }
}

impl OnDisk {
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
    /// How many bytes were taken in.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.bytes
    }

    /// Whether nothing was taken in.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Takes in one more piece.
    ///
    /// # Errors
    /// Where it cannot be written to the disk.
    pub async fn write(&mut self, piece: &[u8]) -> Result<()> {
        self.bytes += piece.len() as u64;
        self.waiting.extend_from_slice(piece);
        let most = if self.file.is_some() { PIECE_BYTES } else { IN_MEMORY_BYTES };
        if self.waiting.len() > most { self.flush().await } else { Ok(()) }
    }

    /// The file, whole.
    ///
    /// # Errors
    /// Where it cannot be written to the disk.
    pub async fn finish(mut self) -> Result<Spool> {
        if self.file.is_none() {
            return Ok(self.waiting.freeze().into());
        }
        self.flush().await?;
        let Some((mut file, path)) = self.file else { return Ok(Bytes::new().into()) };
        tokio::io::AsyncWriteExt::flush(&mut file).await.map_err(failed)?;
        Ok(Spool(Kept::Disk(Arc::new(OnDisk { path, bytes: self.bytes, head: self.head }))))
    }

    async fn flush(&mut self) -> Result<()> {
        if self.file.is_none() {
            let (file, path) = blocking(|| Ok(fresh()?.into_parts())).await?;
            self.head = Bytes::copy_from_slice(self.waiting.get(..HEAD_BYTES).unwrap_or(&self.waiting));
            let mut file = tokio::fs::File::from_std(file);
            // It else copies up to two megabytes at a time, for each file that is on its way.
            file.set_max_buf_size(PIECE_BYTES);
            self.file = Some((file, path));
            let first = std::mem::take(&mut self.waiting);
            return self.append(&first).await;
        }
        let next = std::mem::take(&mut self.waiting);
        self.append(&next).await?;
        self.waiting = next;
        self.waiting.clear();
        Ok(())
    }

    async fn append(&mut self, bytes: &[u8]) -> Result<()> {
        match &mut self.file {
            Some((file, _)) => tokio::io::AsyncWriteExt::write_all(file, bytes).await.map_err(failed),
            None => Ok(()),
        }
    }
}

/// What is being written on a blocking thread: in memory, and in a file once that is too much.
#[derive(Default)]
struct Growing {
    memory: Vec<u8>,
    file: Option<NamedTempFile>,
}

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.file.is_none() {
            if self.memory.len() + bytes.len() <= IN_MEMORY_BYTES {
                return self.memory.write(bytes);
            }
            let mut file = fresh()?;
            file.write_all(&std::mem::take(&mut self.memory))?;
            self.file = Some(file);
        }
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

fn fresh() -> io::Result<NamedTempFile> {
    NamedTempFile::with_prefix("verdigraph-file-")
}

fn failed(error: io::Error) -> Error {
    Error::Internal(format!("a file on its way: {error}"))
}

/// Does what waits for the disk on a thread that may wait.
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

    async fn taken_in(bytes: usize) -> (Vec<u8>, Spool) {
        let whole: Vec<u8> = (0..bytes).map(|at| (at % 251) as u8).collect();
        let mut writer = SpoolWriter::default();
        for piece in whole.chunks(70_000) {
            writer.write(piece).await.expect("room on the disk");
        }
        (whole, writer.finish().await.expect("a file"))
    }

    #[tokio::test]
    async fn a_file_of_any_size_comes_out_as_it_came_in() {
        for bytes in [0, 1, IN_MEMORY_BYTES, IN_MEMORY_BYTES + 1, 3 * IN_MEMORY_BYTES + 7] {
            let (whole, spool) = taken_in(bytes).await;
            assert_eq!(spool.len(), bytes as u64);
            assert!(whole.starts_with(spool.head()));
            assert_eq!(spool.bytes().await.expect("the bytes"), whole, "{bytes}");
            let pieces: Vec<Bytes> = spool.pieces().try_collect().await.expect("pieces");
            assert_eq!(pieces.concat(), whole, "{bytes}");
            assert_eq!(spool.hash().await.expect("a name"), ContentHash::of(&whole), "{bytes}");
            let written = Spool::written(|to| to.write_all(&whole)).expect("a file");
            assert_eq!(written.bytes().await.expect("the bytes"), whole, "{bytes}");
        }
    }

    #[tokio::test]
    async fn a_large_file_is_on_the_disk_until_nobody_has_it() {
        let (_, spool) = taken_in(2 * IN_MEMORY_BYTES).await;
        let file = spool.on_disk().await.expect("a file");
        let path = file.path().to_path_buf();
        let other = spool.clone();
        drop((spool, file));
        assert!(path.exists(), "it is gone though somebody has it");
        drop(other);
        assert!(!path.exists(), "it is left on the disk");
    }
}
