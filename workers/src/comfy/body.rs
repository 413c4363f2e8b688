//! Reads response bodies within a size limit, and guards request bodies.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::{Bytes, BytesMut};
use futures_util::stream::{self, Stream};

use super::failure::Failure;
use super::json::TextShortener;

/// Size of the pieces of a guarded body.
const PIECE_BYTES: usize = 64 << 10;

/// Reads a body of at most `limit_bytes` into memory, whatever its headers claim.
pub(super) async fn read(response: reqwest::Response, limit_bytes: u64) -> Result<Bytes, Failure> {
    // One allocation if the length is known: growing by doubling takes up to three times as much.
    let stated = response.content_length().filter(|length| *length <= limit_bytes).unwrap_or(0);
    let mut body = BytesMut::with_capacity(usize::try_from(stated).unwrap_or(0));
    pieces(response, limit_bytes, async |piece| {
        body.extend_from_slice(piece);
        Ok(())
    })
    .await?;
    Ok(body.freeze())
}

/// Like [`read`], for JSON whose long texts are cut as they arrive. The whole body may have `most_bytes`.
pub(super) async fn read_shortened(
    response: reqwest::Response,
    (most_bytes, limit_bytes): (u64, u64),
) -> Result<Vec<u8>, Failure> {
    let (mut shortening, mut kept) = (TextShortener::default(), Vec::new());
    pieces(response, most_bytes, async |piece| {
        shortening.take(piece, &mut kept);
        if kept.len() as u64 > limit_bytes { Err(Failure::TooLarge { limit_bytes }) } else { Ok(()) }
    })
    .await?;
    Ok(kept)
}

/// Passes the chunks of a body to a function, one after the other.
pub(super) async fn pieces(
    mut response: reqwest::Response,
    limit_bytes: u64,
    mut take: impl AsyncFnMut(&[u8]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let too_large = |length: u64| length > limit_bytes;
    if response.content_length().is_some_and(too_large) {
        return Err(Failure::TooLarge { limit_bytes });
    }
    let mut seen = 0;
    while let Some(piece) = response.chunk().await.map_err(|error| Failure::of(&error))? {
        seen += piece.len() as u64;
        if too_large(seen) {
            return Err(Failure::TooLarge { limit_bytes });
        }
        take(&piece).await?;
    }
    Ok(())
}

/// A request body in pieces. `may_send` is asked when the connection takes a piece into its buffer. The connection then
/// writes the buffer at once, unless the server is slow to read. If `may_send` says no, the body breaks off, so that
/// the server never gets a complete request; the returned flag records that.
pub(super) fn guarded(
    body: Vec<u8>,
    may_send: impl Fn() -> bool + Send + 'static,
) -> (impl Stream<Item = io::Result<Bytes>> + Send + 'static, Arc<AtomicBool>) {
    let is_withheld = Arc::new(AtomicBool::new(false));
    let (body, flag) = (Bytes::from(body), Arc::clone(&is_withheld));
    let starts = (0..body.len()).step_by(PIECE_BYTES);
    let pieces = starts.map(move |start| {
        if may_send() {
            return Ok(body.slice(start..body.len().min(start + PIECE_BYTES)));
        }
        flag.store(true, Ordering::Relaxed);
        Err(io::Error::other("the request may not be sent any more"))
    });
    (stream::iter(pieces), is_withheld)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use futures_util::{FutureExt as _, StreamExt as _};

    use super::*;

    /// The pieces of a guarded body whose guard says yes so many times, and whether it was withheld.
    fn sent(body: &[u8], allowed: usize) -> (Vec<io::Result<Bytes>>, bool) {
        let asked = AtomicUsize::new(0);
        let (pieces, is_withheld) = guarded(body.to_vec(), move || asked.fetch_add(1, Ordering::Relaxed) < allowed);
        let pieces = pieces.collect::<Vec<_>>().now_or_never().expect("a stream that does not wait");
        (pieces, is_withheld.load(Ordering::Relaxed))
    }

    #[test]
    fn guarded_body_is_complete_only_if_each_piece_is_allowed() {
        let body: Vec<u8> = (0..=u8::MAX).cycle().take(2 * PIECE_BYTES + 1).collect();
        let (pieces, is_withheld) = sent(&body, 3);
        let joined: Vec<u8> = pieces.into_iter().flat_map(|piece| piece.expect("an allowed piece")).collect();
        assert_eq!((joined, is_withheld), (body.clone(), false));
        for allowed in 0..3 {
            let (pieces, is_withheld) = sent(&body, allowed);
            assert!(pieces.get(allowed).is_some_and(Result::is_err), "the piece after {allowed} allowed ones");
            assert!(is_withheld, "after {allowed} pieces");
        }
    }
}
