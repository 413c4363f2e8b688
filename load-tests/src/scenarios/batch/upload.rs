//! Uploads batches, and can cut the connection in the middle.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use futures_util::stream;
use reqwest::Body;
use serde::Deserialize;

use crate::accounts::Proof;
use crate::error::{Error, Result};

/// Bytes of a file that are sent at once.
const CHUNK_BYTES: usize = 16 << 10;
/// Timeout of one upload.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(120);

/// Sends batches as one account.
pub(super) struct Uploader {
    http: reqwest::Client,
    url: String,
    key: String,
}

/// The server's answer to an upload.
#[derive(Debug, Default)]
pub(super) struct UploadResult {
    /// Key and job of each accepted item.
    pub ids: Vec<(String, String)>,
    /// The last line, which only a complete upload has.
    pub last: Option<Totals>,
}

/// The counts at the end of an answer.
#[derive(Debug, Deserialize)]
pub(super) struct Totals {
    pub accepted: u64,
    pub refused: u64,
    pub replayed: u64,
}

/// The relevant fields of any line of an answer.
#[derive(Deserialize)]
struct AnswerLine {
    key: Option<String>,
    id: Option<String>,
    #[serde(default)]
    complete: bool,
}

impl Uploader {
    /// Sends as the owner of an API key.
    pub fn new(address: SocketAddr, owner: &Proof) -> Result<Self> {
        let Proof::Key(key) = owner else { return Err(Error::Other("a batch is sent with an API key".to_owned())) };
        let http = reqwest::Client::builder().no_proxy().build()?;
        Ok(Self { http, url: format!("http://{address}/api/general/job/batch"), key: key.clone() })
    }

    /// Sends a file, up to byte `cut` if set, and returns the answer so far.
    pub async fn send(&self, batch: &str, file: &str, cut: Option<usize>) -> Result<UploadResult> {
        let bytes = file.as_bytes().get(..cut.unwrap_or(file.len())).unwrap_or_default();
        let pieces = bytes.chunks(CHUNK_BYTES).map(|piece| Ok(piece.to_vec()));
        let end = cut.map(|_| Err(io::Error::other("cut")));
        let body = Body::wrap_stream(stream::iter(pieces.chain(end).collect::<Vec<_>>()));
        let request = self.http.post(&self.url).header("api-key", &self.key).header("idempotency-key", batch);
        let request = request.header("content-type", "application/x-ndjson").body(body).timeout(UPLOAD_TIMEOUT);
        let answer = async {
            let mut response = request.send().await?.error_for_status()?;
            let mut text = Vec::new();
            while let Some(piece) = response.chunk().await.transpose() {
                match piece {
                    Ok(piece) => text.extend_from_slice(&piece),
                    Err(error) => return Ok((text, Some(error))),
                }
            }
            Ok((text, None))
        };
        match answer.await {
            Ok((text, None)) => read(&text),
            Ok((text, Some(_))) if cut.is_some() => read(&text),
            // Whether a part of the answer arrives before the cut is random.
            Err::<_, reqwest::Error>(_) if cut.is_some() => Ok(UploadResult::default()),
            Ok((_, Some(error))) | Err(error) => Err(error.into()),
        }
    }
}

/// Parses the complete lines of an answer.
fn read(text: &[u8]) -> Result<UploadResult> {
    let mut result = UploadResult::default();
    let end = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let lines = text.get(..end).unwrap_or_default().split(|byte| *byte == b'\n');
    for line in lines.filter(|line| !line.is_empty()) {
        let wrong = |error| Error::Other(format!("{}: {error}", String::from_utf8_lossy(line)));
        let AnswerLine { key, id, complete } = serde_json::from_slice(line).map_err(wrong)?;
        if complete {
            result.last = Some(serde_json::from_slice(line).map_err(wrong)?);
        }
        result.ids.extend(key.zip(id));
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncated_answer_has_the_accepted_items() {
        let text =
            b"{\"batch\":\"b\"}\n{\"line\":1,\"key\":\"a\",\"id\":\"1\",\"replayed\":false}\n{\"line\":2,\"key\":\"b";
        let result = read(text).expect("lines");
        assert_eq!((result.ids, result.last.is_none()), (vec![("a".to_owned(), "1".to_owned())], true));
        let end = b"{\"batch\":\"b\",\"accepted\":2,\"refused\":0,\"replayed\":1,\"complete\":true}\n";
        let last = read(end).expect("lines").last.expect("a last line");
        assert_eq!((last.accepted, last.refused, last.replayed), (2, 0, 1));
    }
}
