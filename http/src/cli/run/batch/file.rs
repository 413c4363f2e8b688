//! The file of a batch: its key, the lines with items, and uploads of any of them.

use std::io;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures_util::stream::{self, Stream};
use sha2::{Digest as _, Sha256};
use tokio::fs::File;
use tokio::io::{AsyncBufReadExt as _, BufReader};

use crate::cli::failure::Failure;
use crate::extract::without_mark;

/// Approximate size of an upload's chunks.
const PIECE: usize = 64 << 10;

/// A file that was read once.
pub struct BatchFile {
    path: PathBuf,
    /// The hash of the content: the same content continues the same batch.
    pub key: String,
    /// The lines with an item, from 1.
    pub lines: Vec<usize>,
}

impl BatchFile {
    /// Reads the file's hash and lines.
    pub async fn read(path: &Path) -> Result<Self, Failure> {
        let unreadable = |error: io::Error| Failure::usage(format!("{}: {error}", path.display()));
        let mut reader = BufReader::new(File::open(path).await.map_err(unreadable)?);
        let (mut hash, mut lines, mut number, mut line) = (Sha256::new(), Vec::new(), 0, Vec::new());
        while reader.read_until(b'\n', &mut line).await.map_err(unreadable)? > 0 {
            number += 1;
            hash.update(&line);
            if number == 1 && (line.starts_with(b"\xff\xfe") || line.starts_with(b"\xfe\xff")) {
                return Err(Failure::usage(format!("{}: is in UTF-16; save it in UTF-8", path.display())));
            }
            let text = if number == 1 { without_mark(&line) } else { &line };
            if !text.trim_ascii().is_empty() {
                lines.push(number);
            }
            line.clear();
        }
        if lines.is_empty() {
            return Err(Failure::usage(format!("{}: has no items; write one JSON object a line", path.display())));
        }
        let hash: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { path: path.to_owned(), key: format!("file-{hash}"), lines })
    }

    /// These lines, in order, as the body of a request.
    pub async fn upload(&self, lines: Vec<usize>) -> Result<impl Stream<Item = io::Result<Bytes>> + use<>, Failure> {
        let file = File::open(&self.path).await;
        let file = file.map_err(|error| Failure::usage(format!("{}: {error}", self.path.display())))?;
        let reader = Reader { reader: BufReader::new(file), wanted: lines.into_iter().peekable(), number: 0 };
        Ok(stream::try_unfold(reader, |mut reader| async move {
            let piece = reader.piece().await?;
            Ok((!piece.is_empty()).then(|| (Bytes::from(piece), reader)))
        }))
    }
}

struct Reader {
    reader: BufReader<File>,
    wanted: std::iter::Peekable<std::vec::IntoIter<usize>>,
    number: usize,
}

impl Reader {
    /// The next chunk of the wanted lines; empty at the end.
    async fn piece(&mut self) -> io::Result<Vec<u8>> {
        let mut piece = Vec::new();
        while piece.len() < PIECE
            && let Some(wanted) = self.wanted.peek().copied()
        {
            let before = piece.len();
            if self.reader.read_until(b'\n', &mut piece).await? == 0 {
                break;
            }
            self.number += 1;
            if self.number == wanted {
                self.wanted.next();
                if piece.last() != Some(&b'\n') {
                    piece.push(b'\n');
                }
            } else {
                piece.truncate(before);
            }
        }
        Ok(piece)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::TryStreamExt as _;

    use super::*;

    #[tokio::test]
    async fn selected_lines_are_sent_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("items.ndjson");
        std::fs::write(&path, "{\"a\":1}\n\n  \n{\"b\":2}\r\n{\"c\":3}").unwrap();
        let file = BatchFile::read(&path).await.unwrap();
        assert_eq!(file.lines, [1, 4, 5]);
        let sent = async |lines: &[usize]| {
            let pieces: Vec<Bytes> = file.upload(lines.to_vec()).await.unwrap().try_collect().await.unwrap();
            String::from_utf8(pieces.concat()).unwrap()
        };
        assert_eq!(sent(&[1, 4, 5]).await, "{\"a\":1}\n{\"b\":2}\r\n{\"c\":3}\n");
        assert_eq!(sent(&[5]).await, "{\"c\":3}\n");
        std::fs::write(&path, "{\"a\":1}\n").unwrap();
        assert_ne!(BatchFile::read(&path).await.unwrap().key, file.key, "another content is another batch");
    }

    #[tokio::test]
    async fn byte_order_mark_alone_is_not_an_item() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("marked.ndjson");
        std::fs::write(&path, "\u{feff}\n{\"a\":1}\n").unwrap();
        assert_eq!(BatchFile::read(&path).await.unwrap().lines, [2]);
    }

    #[tokio::test]
    async fn file_in_utf16_is_a_usage_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wide.ndjson");
        let units: Vec<u8> = "\u{feff}{\"a\":1}\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        std::fs::write(&path, units).unwrap();
        assert_eq!(BatchFile::read(&path).await.err().map(|failure| failure.exit), Some(2));
    }

    #[tokio::test]
    async fn file_without_items_is_a_usage_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("empty.ndjson");
        std::fs::write(&path, "\n \n").unwrap();
        assert_eq!(BatchFile::read(&path).await.err().map(|failure| failure.exit), Some(2));
        assert_eq!(BatchFile::read(&folder.path().join("none")).await.err().map(|failure| failure.exit), Some(2));
    }
}
