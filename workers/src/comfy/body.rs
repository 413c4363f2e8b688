//! Reading answers of a server, never more than was allowed for.

use bytes::{Bytes, BytesMut};

use super::failure::Failure;

/// Reads a body into memory that may be no larger than `limit_bytes`, whatever its headers claim.
pub(super) async fn read(response: reqwest::Response, limit_bytes: u64) -> Result<Bytes, Failure> {
    // One allocation where the length is told: growing by doubling takes up to three times as much.
    let stated = response.content_length().filter(|length| *length <= limit_bytes).unwrap_or(0);
    let mut body = BytesMut::with_capacity(usize::try_from(stated).unwrap_or(0));
    pieces(response, limit_bytes, async |piece| {
        body.extend_from_slice(piece);
        Ok(())
    })
    .await?;
    Ok(body.freeze())
}

/// Takes the pieces of a body one after the other.
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
