//! A user's own uploads by the hash of their bytes, as stored or as they were sent.

use super::asset::Asset;
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
