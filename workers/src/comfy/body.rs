//! Reads response bodies within a size limit.

use bytes::{Bytes, BytesMut};

use super::failure::Failure;
use super::json::TextShortener;

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
