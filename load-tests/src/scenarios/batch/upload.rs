//! A program that uploads batches, and may lose its connection on the way.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use futures_util::stream;
use reqwest::Body;
use serde::Deserialize;

use crate::accounts::Proof;
use crate::error::{Error, Result};

/// How much of a file is given to the connection at once.
const PIECE: usize = 16 << 10;
/// The longest that one upload may take.
const WITHIN: Duration = Duration::from_secs(120);

/// Sends batches as one account.
pub(super) struct Uploader {
    http: reqwest::Client,
    url: String,
    key: String,
}

/// What the server told about an upload.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// Key and job of each item that was accepted.
    pub ids: Vec<(String, String)>,
    /// The last line; only an upload that arrived as a whole has one.
    pub last: Option<Last>,
}

/// The counts at the end of an answer.
#[derive(Debug, Deserialize)]
pub(super) struct Last {
    pub accepted: u64,
    pub refused: u64,
    pub replayed: u64,
}

/// Any line of an answer, as far as it matters here.
#[derive(Deserialize)]
struct Line {
    key: Option<String>,
    id: Option<String>,
    #[serde(default)]
    complete: bool,
}

impl Uploader {
    /// Sends as the owner of an API key.
    ///
    /// # Errors
    /// Whoever sends has no key, or the client cannot be made.
    pub fn new(address: SocketAddr, owner: &Proof) -> Result<Self> {
        let Proof::Key(key) = owner else { return Err(Error::Other("a batch is sent with an API key".to_owned())) };
        let http = reqwest::Client::builder().no_proxy().build()?;
        Ok(Self { http, url: format!("http://{address}/api/general/job/batch"), key: key.clone() })
    }

    /// Sends a file, or what stands before the byte where it is cut, and gives what was told until then.
    ///
    /// # Errors
    /// A whole upload fails, or takes too long.
    pub async fn send(&self, batch: &str, file: &str, cut: Option<usize>) -> Result<Told> {
        let bytes = file.as_bytes().get(..cut.unwrap_or(file.len())).unwrap_or_default();
        let pieces = bytes.chunks(PIECE).map(|piece| Ok(piece.to_vec()));
        let end = cut.map(|_| Err(io::Error::other("cut")));
        let body = Body::wrap_stream(stream::iter(pieces.chain(end).collect::<Vec<_>>()));
        let request = self.http.post(&self.url).header("api-key", &self.key).header("idempotency-key", batch);
        let request = request.header("content-type", "application/x-ndjson").body(body).timeout(WITHIN);
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
            // Whether anything of the answer arrives before the cut is a matter of luck.
            Err::<_, reqwest::Error>(_) if cut.is_some() => Ok(Told::default()),
            Ok((_, Some(error))) | Err(error) => Err(error.into()),
        }
    }
}

/// The whole lines of an answer.
fn read(text: &[u8]) -> Result<Told> {
    let mut told = Told::default();
    let end = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let lines = text.get(..end).unwrap_or_default().split(|byte| *byte == b'\n');
    for line in lines.filter(|line| !line.is_empty()) {
        let wrong = |error| Error::Other(format!("{}: {error}", String::from_utf8_lossy(line)));
        let Line { key, id, complete } = serde_json::from_slice(line).map_err(wrong)?;
        if complete {
            told.last = Some(serde_json::from_slice(line).map_err(wrong)?);
        }
        told.ids.extend(key.zip(id));
    }
    Ok(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_breaks_off_tells_what_was_accepted_until_then() {
        let text =
            b"{\"batch\":\"b\"}\n{\"line\":1,\"key\":\"a\",\"id\":\"1\",\"replayed\":false}\n{\"line\":2,\"key\":\"b";
        let told = read(text).expect("lines");
        assert_eq!((told.ids, told.last.is_none()), (vec![("a".to_owned(), "1".to_owned())], true));
        let end = b"{\"batch\":\"b\",\"accepted\":2,\"refused\":0,\"replayed\":1,\"complete\":true}\n";
        let last = read(end).expect("lines").last.expect("a last line");
        assert_eq!((last.accepted, last.refused, last.replayed), (2, 0, 1));
    }
}
