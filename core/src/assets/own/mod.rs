//! A user's own uploads by the hash of their bytes, as stored or as they were sent.

#[cfg(test)]
mod tests;

use super::asset::Asset;
use super::storage::blake3_hash::Blake3Hash;
use super::storage::content_hash::ContentHash;
use super::{find_all, store};
use crate::{Caller, Core, Error, Result};

const GONE: Error = Error::NotFound { what: "file" };

/// An upload of the caller whose bytes have this SHA-256, before or after their metadata was removed. Not even admins
/// see those of others.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::LoginRequired`] for a guest.
pub async fn own_by_hash(core: &Core, caller: &Caller, hash: &ContentHash) -> Result<Asset> {
    let user = caller.signed_in()?;
    let id = store::sources::find(&core.db, user, hash, core.clock.now()).await?.ok_or(GONE)?;
    find_all(core, &[id]).await?.remove(&id).ok_or(GONE)
}

/// An upload of the caller from bytes with this BLAKE3. Not even admins see those of others. Uploads from before these
/// hashes were recorded are not found.
///
/// # Errors
/// As [`own_by_hash`].
pub async fn own_by_blake3(core: &Core, caller: &Caller, hash: &Blake3Hash) -> Result<Asset> {
    let user = caller.signed_in()?;
    let id = store::sources::find_blake3(&core.db, user, hash, core.clock.now()).await?.ok_or(GONE)?;
    find_all(core, &[id]).await?.remove(&id).ok_or(GONE)
}

/// The BLAKE3 of the bytes that its owner sent for an upload, if it is known. The calling room has checked that the caller
/// may see the upload.
pub async fn blake3_of(core: &Core, asset: &Asset) -> Result<Option<Blake3Hash>> {
    Ok(store::sources::blake3_of(&core.db, asset.user, &asset.stored.content).await?)
}
