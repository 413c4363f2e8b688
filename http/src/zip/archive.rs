//! Writes a ZIP archive as a stream, for readers that read it as one.
//!
//! Sizes and checksums follow each file. A streaming reader such as Java's `ZipInputStream` ignores the directory at
//! the end: it finds the end of a file by its compression, and refuses uncompressed ones. So each file is a deflate
//! stream of stored blocks; pictures and videos would not shrink anyway.

use std::io;

use chrono::{DateTime, Datelike as _, Timelike as _, Utc};
use crc32fast::Hasher;
use tokio::io::{AsyncWrite, AsyncWriteExt as _};

/// Longest block of a deflate stream.
const BLOCK_BYTES: usize = 0xFFFF;
/// End of a deflate stream: an empty last block.
const LAST_BLOCK: [u8; 5] = [1, 0, 0, 0xFF, 0xFF];
/// Sizes follow the file, and its name is UTF-8.
const FLAGS: u16 = 1 << 3 | 1 << 11;
const DEFLATE: u16 = 8;
/// Version needed to extract: deflate, or 64-bit sizes.
const PLAIN: u16 = 20;
const LARGE: u16 = 45;

/// An archive being written.
pub struct Archive<W> {
    writer: W,
    written: u64,
    directory: Vec<u8>,
    files: u64,
}

/// A file of an archive being written.
pub struct File<'a, W> {
    archive: &'a mut Archive<W>,
    name: String,
    /// Time and date in DOS format.
    moment: [u16; 2],
    offset: u64,
    is_large: bool,
    sum: Hasher,
    size: u64,
    compressed: u64,
}

impl<W: AsyncWrite + Unpin> Archive<W> {
    pub fn new(writer: W) -> Self {
        Self { writer, written: 0, directory: Vec::new(), files: 0 }
    }

    /// Starts a file of about `size` bytes.
    pub async fn file(&mut self, name: String, at: DateTime<Utc>, size: u64) -> io::Result<File<'_, W>> {
        let is_large = deflated(size) >= u64::from(u32::MAX);
        let (moment, offset) = (dos(at), self.written);
        let mut header = Bytes::default().u32(0x0403_4B50);
        // 64-bit sizes are announced here, and follow the file like 32-bit ones.
        let (sizes, extra) = if is_large { (u32::MAX, wide(&[0, 0])) } else { (0, Vec::new()) };
        header = header.common(is_large, moment).u32(0).u32(sizes).u32(sizes);
        header = header.u16(length(&name)?).u16(length(&extra)?).bytes(name.as_bytes()).bytes(&extra);
        self.put(&header.0).await?;
        Ok(File { archive: self, name, moment, offset, is_large, sum: Hasher::new(), size: 0, compressed: 0 })
    }

    /// Writes the directory.
    pub async fn finish(mut self) -> io::Result<()> {
        let (begin, size) = (self.written, self.directory.len() as u64);
        let mut end = Bytes(std::mem::take(&mut self.directory));
        let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let files = u16::try_from(self.files).unwrap_or(u16::MAX);
        if files == u16::MAX || narrow(begin) == u32::MAX || narrow(size) == u32::MAX {
            end = end.u32(0x0606_4B50).u64(44).u16(LARGE).u16(LARGE).u32(0).u32(0);
            end = end.u64(self.files).u64(self.files).u64(size).u64(begin);
            end = end.u32(0x0706_4B50).u32(0).u64(begin + size).u32(1);
        }
        end = end.u32(0x0605_4B50).u16(0).u16(0).u16(files).u16(files).u32(narrow(size)).u32(narrow(begin)).u16(0);
        self.put(&end.0).await?;
        self.writer.shutdown().await
    }

    async fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer.write_all(bytes).await?;
        self.written += bytes.len() as u64;
        Ok(())
    }
}

impl<W: AsyncWrite + Unpin> File<'_, W> {
    pub async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.size += bytes.len() as u64;
        for block in bytes.chunks(BLOCK_BYTES) {
            let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
            self.block(&Bytes(vec![0]).u16(length).u16(!length).0).await?;
            self.block(block).await?;
        }
        Ok(())
    }

    async fn block(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.compressed += bytes.len() as u64;
        self.archive.put(bytes).await
    }

    /// Ends the file.
    pub async fn end(mut self) -> io::Result<()> {
        self.block(&LAST_BLOCK).await?;
        let Self { archive, name, moment, offset, is_large, sum, size, compressed } = self;
        if !is_large && compressed >= u64::from(u32::MAX) {
            return Err(io::Error::other("the file grew while it was read"));
        }
        let sum = sum.finalize();
        let behind = Bytes::default().u32(0x0807_4B50).u32(sum);
        let narrow = |number: u64| if is_large { u32::MAX } else { u32::try_from(number).unwrap_or(u32::MAX) };
        let behind = match is_large {
            true => behind.u64(compressed).u64(size),
            false => behind.u32(narrow(compressed)).u32(narrow(size)),
        };
        archive.put(&behind.0).await?;
        let is_far = offset >= u64::from(u32::MAX);
        let extra = match (is_large, is_far) {
            (true, true) => wide(&[size, compressed, offset]),
            (true, false) => wide(&[size, compressed]),
            (false, true) => wide(&[offset]),
            (false, false) => Vec::new(),
        };
        let entry = Bytes(std::mem::take(&mut archive.directory)).u32(0x0201_4B50).u16(LARGE);
        let entry = entry.common(is_large || is_far, moment).u32(sum).u32(narrow(compressed)).u32(narrow(size));
        let entry = entry.u16(length(&name)?).u16(length(&extra)?).u16(0).u16(0).u16(0).u32(0);
        let entry = entry.u32(u32::try_from(offset).unwrap_or(u32::MAX)).bytes(name.as_bytes()).bytes(&extra);
        archive.directory = entry.0;
        archive.files += 1;
        Ok(())
    }
}

/// The longest deflate stream of `size` bytes if no piece is shorter than half a block.
fn deflated(size: u64) -> u64 {
    size + 16 * (size / BLOCK_BYTES as u64 + 2)
}

/// 64-bit numbers as an extra field.
fn wide(numbers: &[u64]) -> Vec<u8> {
    let length = u16::try_from(numbers.len() * 8).unwrap_or(0);
    numbers.iter().fold(Bytes::default().u16(1).u16(length), |extra, number| extra.u64(*number)).0
}

fn length(bytes: &(impl AsRef<[u8]> + ?Sized)) -> io::Result<u16> {
    u16::try_from(bytes.as_ref().len()).map_err(io::Error::other)
}

/// Time and date in DOS format: in steps of two seconds, from 1980.
fn dos(at: DateTime<Utc>) -> [u16; 2] {
    let narrow = |number: u32| u16::try_from(number).unwrap_or(0);
    let years = narrow(u32::try_from(at.year() - 1980).unwrap_or(0).min(127));
    [
        narrow(at.hour()) << 11 | narrow(at.minute()) << 5 | narrow(at.second() / 2),
        years << 9 | narrow(at.month()) << 5 | narrow(at.day()),
    ]
}

/// Little-endian numbers in sequence.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }

    fn u16(self, number: u16) -> Self {
        self.bytes(&number.to_le_bytes())
    }

    fn u32(self, number: u32) -> Self {
        self.bytes(&number.to_le_bytes())
    }

    fn u64(self, number: u64) -> Self {
        self.bytes(&number.to_le_bytes())
    }

    /// The common part of a file's header and its directory entry.
    fn common(self, is_large: bool, [time, day]: [u16; 2]) -> Self {
        self.u16(if is_large { LARGE } else { PLAIN }).u16(FLAGS).u16(DEFLATE).u16(time).u16(day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(bytes: &[u8]) -> usize {
        bytes.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte))
    }

    /// The files of an archive, read from the beginning without the directory, and the rest.
    fn streamed(mut bytes: &[u8]) -> (Vec<(String, Vec<u8>)>, Vec<u8>) {
        let mut files = Vec::new();
        let mut take = |count: usize| {
            let (taken, rest) = bytes.split_at(count);
            bytes = rest;
            taken
        };
        loop {
            let sign = take(4);
            if sign != [0x50, 0x4B, 3, 4] {
                return (files, [sign, bytes].concat());
            }
            let header = take(26);
            assert_eq!((number(&header[2..4]), number(&header[4..6])), (1 << 3 | 1 << 11, 8), "flags and method");
            let is_large = number(&header[14..18]) == 0xFFFF_FFFF;
            let name = String::from_utf8(take(number(&header[22..24])).to_vec()).expect("a name");
            take(number(&header[24..26]));
            let (mut file, mut compressed) = (Vec::new(), 0);
            loop {
                let head = take(5);
                let length = number(&head[1..3]);
                assert_eq!(length ^ 0xFFFF, number(&head[3..5]), "a block that is not stored");
                file.extend_from_slice(take(length));
                compressed += 5 + length;
                if head[0] == 1 {
                    break;
                }
            }
            assert_eq!(take(4), [0x50, 0x4B, 7, 8]);
            assert_eq!(number(take(4)), usize::try_from(crc32fast::hash(&file)).expect("64 bits"));
            let width = if is_large { 8 } else { 4 };
            assert_eq!((number(take(width)), number(take(width))), (compressed, file.len()));
            files.push((name, file));
        }
    }

    async fn archive(files: &[(&str, &[u8], u64)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut archive = Archive::new(&mut bytes);
        for (name, content, size) in files {
            let at = "2026-03-04T05:06:07Z".parse().expect("a time");
            let mut file = archive.file((*name).to_owned(), at, *size).await.expect("a file");
            file.write(content).await.expect("written");
            file.end().await.expect("ended");
        }
        archive.finish().await.expect("finished");
        bytes
    }

    #[tokio::test]
    async fn files_are_read_without_the_directory() {
        let long: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
        let large = u64::from(u32::MAX);
        let sent = [
            ("a.png", &long[..], 800_000),
            ("산.txt", &b"words"[..], 5),
            ("empty", &b""[..], 0),
            ("l", &b"l"[..], large),
        ];
        let bytes = archive(&sent).await;
        let (files, directory) = streamed(&bytes);
        assert_eq!(files, sent.map(|(name, content, _)| (name.to_owned(), content.to_vec())));
        assert!(directory.starts_with(b"PK\x01\x02"));
        let end = &directory[directory.len() - 22..];
        assert_eq!((number(&end[10..12]), number(&end[16..20])), (4, bytes.len() - directory.len()));
        assert_eq!(number(&end[12..16]), directory.len() - 22);
    }

    #[tokio::test]
    async fn an_empty_archive_is_a_directory() {
        assert_eq!(archive(&[]).await.len(), 22);
    }
}
