//! A user's own outputs, by what ComfyUI clients know of them.

use super::output_asset::OutputAsset;
use super::{find_all, store};
use crate::assets::ContentHash;
use crate::ids::{JobId, OutputAssetId};
use crate::{Caller, Core, Error, Result};

const GONE: Error = Error::NotFound { what: "file" };

/// The latest output of the caller with this name, of one job or of all. Not even admins see those of others.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::LoginRequired`] for a guest.
pub async fn own_by_name(core: &Core, caller: &Caller, name: &str, job: Option<JobId>) -> Result<OutputAsset> {
    let user = caller.signed_in()?;
    one(core, store::names::latest(&core.db, user, name, job).await?).await
}

/// An output of the caller with this content.
///
/// # Errors
/// As [`own_by_name`].
pub async fn own_by_content(core: &Core, caller: &Caller, content: &ContentHash) -> Result<OutputAsset> {
    let user = caller.signed_in()?;
    one(core, store::names::with_content(&core.db, user, content).await?).await
}

async fn one(core: &Core, id: Option<OutputAssetId>) -> Result<OutputAsset> {
    find_all(core, &[id.ok_or(GONE)?]).await?.pop().ok_or(GONE)
}
