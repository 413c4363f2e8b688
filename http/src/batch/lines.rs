//! Splits an upload into lines. At most one line is in memory.

use std::fmt::Display;

use actix_web::web::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt as _};

use crate::extract::without_mark;

/// One line without its end.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    Whole(Bytes),
    /// Longer than allowed; its bytes were discarded.
    TooLong,
}

/// The upload was interrupted. Bytes after the last whole line are ignored.
#[derive(Debug, PartialEq, Eq)]
pub struct UploadInterrupted(pub String);

/// The lines of an upload, numbered from 1. Empty lines are counted but skipped.
pub struct Lines<S> {
    source: S,
    limit: usize,
    buffer: BytesMut,
    /// Bytes at the start of the buffer that contain no line end.
    searched: usize,
    /// The current line is already too long.
    skipping: bool,
    ended: bool,
    number: u64,
}

impl<S, E> Lines<S>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: Display,
{
    /// The lines of `source`, each of at most `limit` bytes.
    pub fn new(source: S, limit: usize) -> Self {
        Self { source, limit, buffer: BytesMut::new(), searched: 0, skipping: false, ended: false, number: 0 }
    }

    /// The next line with its number; `None` at the end. Cancel-safe.
    pub async fn next(&mut self) -> Result<Option<(u64, Line)>, UploadInterrupted> {
        loop {
            if let Some(line) = self.next_in_buffer() {
                return Ok(Some((self.number, line)));
            }
            if self.ended {
                return Ok(None);
            }
            match self.source.next().await {
                Some(Ok(bytes)) => self.buffer.extend_from_slice(&bytes),
                Some(Err(error)) => return Err(UploadInterrupted(error.to_string())),
                None => self.ended = true,
            }
        }
    }

    /// The next whole, non-empty line in the buffer.
    fn next_in_buffer(&mut self) -> Option<Line> {
        loop {
            let end = self.buffer.iter().skip(self.searched).position(|byte| *byte == b'\n');
            let line = match end {
                Some(end) => {
                    let mut line = self.buffer.split_to(self.searched + end + 1);
                    line.truncate(line.len() - 1);
                    line
                }
                // The last line may have no line end.
                None if self.ended && (self.skipping || !self.buffer.is_empty()) => self.buffer.split(),
                None => {
                    self.searched = self.buffer.len();
                    if self.searched > self.limit {
                        self.skipping = true;
                        self.buffer.clear();
                        self.searched = 0;
                    }
                    return None;
                }
            };
            self.searched = 0;
            self.number += 1;
            if std::mem::take(&mut self.skipping) || line.len() > self.limit {
                return Some(Line::TooLong);
            }
            let line = line.freeze();
            let line = if self.number == 1 { line.slice_ref(without_mark(&line)) } else { line };
            if !line.trim_ascii().is_empty() {
                return Some(Line::Whole(line));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::stream;

    use super::*;

    async fn lines(chunks: &[&'static str], limit: usize) -> Vec<(u64, Result<String, UploadInterrupted>)> {
        let source = stream::iter(chunks.iter().map(|chunk| match *chunk {
            "broken" => Err("cut"),
            chunk => Ok(Bytes::from_static(chunk.as_bytes())),
        }));
        let mut lines = Lines::new(source, limit);
        let mut found = Vec::new();
        loop {
            match lines.next().await {
                Ok(Some((number, Line::Whole(bytes)))) => {
                    found.push((number, Ok(String::from_utf8(bytes.to_vec()).unwrap())));
                }
                Ok(Some((number, Line::TooLong))) => found.push((number, Ok("too long".into()))),
                Ok(None) => return found,
                Err(error) => {
                    found.push((0, Err(error)));
                    return found;
                }
            }
        }
    }

    fn whole(expected: &[(u64, &str)]) -> Vec<(u64, Result<String, UploadInterrupted>)> {
        expected.iter().map(|(number, text)| (*number, Ok((*text).to_owned()))).collect()
    }

    #[actix_web::test]
    async fn lines_do_not_depend_on_chunk_boundaries() {
        let expected = whole(&[(1, "one"), (4, "four\r"), (5, "five")]);
        assert_eq!(lines(&["one\n\n \nfour\r\nfive"], 100).await, expected);
        assert_eq!(lines(&["o", "ne\n", "\n \n", "four\r", "\nfi", "ve"], 100).await, expected);
        assert_eq!(lines(&["one\n\n \nfour\r\nfive\n"], 100).await, expected);
    }

    #[actix_web::test]
    async fn too_long_line_does_not_affect_the_others() {
        let expected = whole(&[(1, "ab"), (2, "too long"), (3, "cd")]);
        assert_eq!(lines(&["ab\nabcdefgh\ncd"], 4).await, expected);
        assert_eq!(lines(&["ab\nabc", "def", "gh\n", "cd"], 4).await, expected);
        assert_eq!(lines(&["ab\nabcdef", "gh"], 4).await, whole(&[(1, "ab"), (2, "too long")]));
    }

    #[actix_web::test]
    async fn partial_line_before_an_interruption_is_dropped() {
        let found = lines(&["one\ntwo", "broken"], 100).await;
        assert_eq!(found, [(1, Ok("one".into())), (0, Err(UploadInterrupted("cut".into())))]);
    }
}
