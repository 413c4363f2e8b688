use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, NaiveDateTime, Utc};
use futures_util::StreamExt;
use reqwest::Url;
use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use tokio::time::timeout;

use super::error::OutboundError;
use super::resolver::failed;
use super::timeouts::BODY_TIMEOUT;

/// A message to a user's URL.
#[derive(Debug, Clone, Copy)]
pub struct OutboundMessage<'a> {
    /// The file name for ftp. Without path separators and line breaks.
    pub name: &'a str,
    pub content_type: &'static str,
    /// Additional headers for http.
    pub headers: &'a [(&'static str, String)],
    pub body: &'a Bytes,
}

/// The response of the receiver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryResponse {
    /// The http status or ftp code; 2xx is success in both.
    pub status: u16,
    pub retry_after: Option<RetryAfter>,
    /// The beginning of the response, as text that PostgreSQL can store.
    pub body: String,
}

/// The receiver's requested retry time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAfter {
    In(Duration),
    At(DateTime<Utc>),
}

/// The two obsolete forms of a date in HTTP, which recipients must know.
const OBSOLETE_DATES: [&str; 2] = ["%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"];

impl RetryAfter {
    /// A header's value, in any form that it may have (RFC 9110, sections 5.6.7 and 10.2.3).
    pub(super) fn read(value: &str) -> Option<Self> {
        let value = value.trim();
        if !value.is_empty() && value.bytes().all(|digit| digit.is_ascii_digit()) {
            // These are digits, so only a number that is too large cannot be parsed.
            return Some(Self::In(Duration::from_secs(value.parse().unwrap_or(u64::MAX))));
        }
        if let Ok(at) = DateTime::parse_from_rfc2822(value) {
            return Some(Self::At(at.to_utc()));
        }
        let obsolete = OBSOLETE_DATES.iter().find_map(|form| NaiveDateTime::parse_from_str(value, form).ok());
        obsolete.map(|at| Self::At(at.and_utc()))
    }
}

pub(super) async fn post(
    http: &reqwest::Client,
    url: &Url,
    message: OutboundMessage<'_>,
    limit: usize,
) -> Result<DeliveryResponse, OutboundError> {
    let mut request = http.post(url.clone()).header(CONTENT_TYPE, message.content_type).body(message.body.clone());
    for (name, value) in message.headers {
        request = request.header(*name, value);
    }
    let answer = request.send().await.map_err(failed)?;
    let (status, retry_after) = (answer.status().as_u16(), retry_after(answer.headers()));
    // The status is valid even if the body is incomplete: an attempt does not wait for a body that never ends.
    let (mut body, mut stream) = (Vec::new(), answer.bytes_stream());
    let read = async {
        while body.len() < limit
            && let Some(Ok(piece)) = stream.next().await
        {
            body.extend_from_slice(&piece);
        }
    };
    timeout(BODY_TIMEOUT, read).await.unwrap_or_default();
    Ok(DeliveryResponse { status, retry_after, body: text(&body, limit) })
}

fn retry_after(headers: &HeaderMap) -> Option<RetryAfter> {
    RetryAfter::read(headers.get(RETRY_AFTER)?.to_str().ok()?)
}

/// The first `limit` bytes as text. PostgreSQL does not accept NUL.
pub(super) fn text(bytes: &[u8], limit: usize) -> String {
    let cut = bytes.get(..limit).unwrap_or(bytes);
    String::from_utf8_lossy(cut).replace('\0', "\u{fffd}")
}
