//! Metadata of a worker's file (prompt and graph) that was removed from it and can be given back to its owner.
//!
//! It is stored separately, under the file's name, as a splice: how much of the clean file comes before and after, and
//! the bytes in between. For a PNG that is little more than its text chunks.

use std::io::{self, Read as _, Seek as _, SeekFrom, Write};

use serde::{Deserialize, Serialize};

use super::storage::content_hash::ContentHash;
use super::storage::spool::Spool;

/// Where the metadata is that a worker wrote into a file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum EmbeddedMetadata {
    /// Still in the file, or unknown: only the owner may see the file.
    #[default]
    #[serde(rename = "Inside")]
    InFile,
    /// The file has none.
    #[serde(rename = "Nothing")]
    None,
    /// Stored separately, under this hash.
    #[serde(rename = "Apart")]
    Separate(ContentHash),
}

impl EmbeddedMetadata {
    /// The two columns: whether the file is clean, and the hash of the splice.
    #[must_use]
    pub fn columns(&self) -> (bool, Option<&str>) {
        match self {
            Self::InFile => (false, None),
            Self::None => (true, None),
            Self::Separate(name) => (true, Some(name.as_str())),
        }
    }
}

const MARK: &[u8; 4] = b"VGS1";
const HEAD_BYTES: usize = 20;

/// Bytes compared at a time.
const BLOCK_BYTES: usize = 256 << 10;

/// The splice that turns `clean` into `whole`; `None` if they are equal.
pub(super) fn split(whole: &[u8], clean: &[u8]) -> Option<Vec<u8>> {
    if whole == clean {
        return None;
    }
    let before = same_first(whole, clean);
    let rest = clean.len().min(whole.len()) - before;
    let after = same_last(whole, clean).min(rest);
    let between = whole.get(before..whole.len() - after)?;
    Some([&head(before as u64, after as u64)[..], between].concat())
}

/// As [`split`] for files of any size. Blocking.
pub(super) fn split_files(whole: &Spool, clean: &Spool) -> io::Result<Option<Spool>> {
    let (long, short) = (whole.len(), whole.len().min(clean.len()));
    let (mut one, mut other) = (whole.reader()?, clean.reader()?);
    let (mut left, mut right) = (vec![0; BLOCK_BYTES], vec![0; BLOCK_BYTES]);
    let mut pair = |from_one: u64, from_other: u64, length: usize| {
        let (left, right) = (left.get_mut(..length).unwrap_or_default(), right.get_mut(..length).unwrap_or_default());
        one.seek(SeekFrom::Start(from_one))?;
        one.read_exact(left)?;
        other.seek(SeekFrom::Start(from_other))?;
        other.read_exact(right)?;
        io::Result::Ok((same_first(left, right), same_last(left, right)))
    };
    let block = |left: u64| usize::try_from(left.min(BLOCK_BYTES as u64)).unwrap_or(BLOCK_BYTES);
    let mut before = 0;
    while before < short {
        let length = block(short - before);
        let same = pair(before, before, length)?.0;
        before += same as u64;
        if same < length {
            break;
        }
    }
    if before == long && long == clean.len() {
        return Ok(None);
    }
    let mut after = 0;
    while after < short - before {
        let length = block(short - before - after);
        let begin = after + length as u64;
        let same = pair(long - begin, clean.len() - begin, length)?.1;
        after += same as u64;
        if same < length {
            break;
        }
    }
    let splice = Spool::write_with(|to| {
        to.write_all(&head(before, after))?;
        copy(whole, before, long - after, to)
    });
    splice.map(Some)
}

/// Restores the original file; `None` if the splice belongs to another file. Blocking.
pub(super) fn join(clean: &Spool, splice: &Spool) -> io::Result<Option<Spool>> {
    let Some((before, after)) = parse(splice.head()) else { return Ok(None) };
    let Some(end) = clean.len().checked_sub(after).filter(|_| before <= clean.len()) else { return Ok(None) };
    let whole = Spool::write_with(|to| {
        copy(clean, 0, before, to)?;
        copy(splice, HEAD_BYTES as u64, splice.len(), to)?;
        copy(clean, end, clean.len(), to)
    });
    whole.map(Some)
}

fn head(before: u64, after: u64) -> [u8; HEAD_BYTES] {
    let mut head = [0; HEAD_BYTES];
    let parts = MARK.iter().copied().chain(before.to_le_bytes()).chain(after.to_le_bytes());
    head.iter_mut().zip(parts).for_each(|(byte, part)| *byte = part);
    head
}

fn parse(head: &[u8]) -> Option<(u64, u64)> {
    let rest = head.strip_prefix(MARK)?;
    let number = |from: usize| Some(u64::from_le_bytes(rest.get(from..from + 8)?.try_into().ok()?));
    Some((number(0)?, number(8)?))
}

fn copy(file: &Spool, from: u64, to: u64, out: &mut dyn Write) -> io::Result<()> {
    let mut reader = file.reader()?;
    reader.seek(SeekFrom::Start(from))?;
    io::copy(&mut reader.take(to.saturating_sub(from)), out).map(drop)
}

/// Length of the common prefix.
fn same_first(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.chunks(BLOCK_BYTES).zip(other.chunks(BLOCK_BYTES)).take_while(|(one, other)| one == other);
    let begin: usize = blocks.map(|(block, _)| block.len()).sum();
    let rest = one.iter().skip(begin).zip(other.iter().skip(begin));
    begin + rest.take_while(|(one, other)| one == other).count()
}

/// Length of the common suffix.
fn same_last(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.rchunks(BLOCK_BYTES).zip(other.rchunks(BLOCK_BYTES)).take_while(|(one, other)| one == other);
    let end: usize = blocks.map(|(block, _)| block.len()).sum();
    let rest = one.iter().rev().skip(end).zip(other.iter().rev().skip(end));
    end + rest.take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put_together(clean: &[u8], splice: &[u8]) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let whole = join(&clean.to_vec().into(), &splice.to_vec().into()).expect("memory")?;
        whole.reader().expect("a file").read_to_end(&mut bytes).expect("its bytes");
        Some(bytes)
    }

    #[test]
    fn splice_restores_the_original() {
        for (whole, clean) in [
            (&b"head-text-pixels"[..], &b"headpixels"[..]),
            (b"aaaa", b"aa"),
            (b"aa", b"aaaa"),
            (b"abcabc", b"abc"),
            (b"x", b""),
            (b"one", b"another"),
            (&[&[7; 300_000][..], b"text", &[9; 300_000]].concat()[..], &[[7; 300_000], [9; 300_000]].concat()[..]),
        ] {
            let splice = split(whole, clean).expect("a difference");
            assert_eq!(put_together(clean, &splice).expect("the whole")[..], whole[..]);
            let files = split_files(&whole.to_vec().into(), &clean.to_vec().into()).expect("memory");
            assert_eq!(files.expect("a difference").head(), splice, "files are compared in another way");
        }
        let splice = split(&[&[7; 900][..], b"text", &[9; 900]].concat(), &[[7; 900], [9; 900]].concat());
        assert_eq!(splice.expect("a difference").len(), HEAD_BYTES + 4, "pixels are not kept twice");
        assert_eq!(split(b"same", b"same"), None);
        assert!(split_files(&b"same".to_vec().into(), &b"same".to_vec().into()).expect("memory").is_none());
    }

    #[test]
    fn splice_of_another_file_restores_nothing() {
        let splice = split(b"head-text-pixels", b"headpixels").expect("a difference");
        assert_eq!(put_together(b"he", &splice), None);
        assert_eq!(put_together(b"headpixels", b"VGS0"), None);
        assert_eq!(put_together(b"headpixels", &splice[..10]), None);
    }
}
