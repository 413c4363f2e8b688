//! A message on its way out, and what is answered to it.

use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures_util::StreamExt;
use reqwest::Url;
use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};

use super::blocked::Blocked;
use super::resolver::failed;

/// A message that is brought to somebody's address.
#[derive(Debug, Clone, Copy)]
pub struct Parcel<'a> {
    /// What it is called as a file, where it becomes one. No separators of folders, no line breaks.
    pub name: &'a str,
    pub content_type: &'static str,
    /// Headers beside the content type, where there are headers.
    pub headers: &'a [(&'static str, String)],
    pub body: &'a Bytes,
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The status of http, or the code of ftp: 2xx is success in both.
    pub status: u16,
    pub retry_after: Option<RetryAfter>,
    /// The beginning of what was said, as text that a database takes.
    pub body: String,
}

/// When to come again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAfter {
    In(Duration),
    At(DateTime<Utc>),
}

impl RetryAfter {
    /// A header's value, in either form that it may have.
    pub(super) fn read(value: &str) -> Option<Self> {
        let value = value.trim();
        match value.parse::<u64>() {
            Ok(seconds) => Some(Self::In(Duration::from_secs(seconds))),
            Err(_) => DateTime::parse_from_rfc2822(value).ok().map(|at| Self::At(at.to_utc())),
        }
    }
}

pub(super) async fn post(
    http: &reqwest::Client,
    url: &Url,
    parcel: Parcel<'_>,
    limit: usize,
) -> Result<Answer, Blocked> {
    let mut request = http.post(url.clone()).header(CONTENT_TYPE, parcel.content_type).body(parcel.body.clone());
    for (name, value) in parcel.headers {
        request = request.header(*name, value);
    }
    let answer = request.send().await.map_err(failed)?;
    let (status, retry_after) = (answer.status().as_u16(), retry_after(answer.headers()));
    // A body that breaks off takes nothing back of the status that came before it, and its end need not be waited for.
    let (mut body, mut stream) = (Vec::new(), answer.bytes_stream());
    while body.len() < limit
        && let Some(Ok(piece)) = stream.next().await
    {
        body.extend_from_slice(&piece);
    }
    Ok(Answer { status, retry_after, body: text(&body, limit) })
}

fn retry_after(headers: &HeaderMap) -> Option<RetryAfter> {
    RetryAfter::read(headers.get(RETRY_AFTER)?.to_str().ok()?)
}

/// The first `limit` bytes as text. PostgreSQL takes no zeros in texts.
pub(super) fn text(bytes: &[u8], limit: usize) -> String {
    let cut = bytes.get(..limit).unwrap_or(bytes);
    String::from_utf8_lossy(cut).replace('\0', "\u{fffd}")
}
