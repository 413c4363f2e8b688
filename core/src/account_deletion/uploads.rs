//! Uploads that go: one that its owner takes back, and all of somebody who left. What still shows one keeps it.

use std::collections::HashSet;

use crate::assets::{self, Asset};
use crate::gallery::{self, InputFilter};
use crate::ids::{AssetId, InputAssetId, UserId};
use crate::{Caller, Code, Core, Error, Result, users, videos, workflows};

/// Uploads that are asked for at a time.
const PAGE: i64 = 100;

/// Takes an upload of the caller's back: it no longer counts among what they have stored, and its bytes go within the
/// hour unless somebody else has the same. A job that was given it keeps the bytes until it has ended.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] where there is none, or it is somebody else's;
/// [`Error::Conflict`] with `ASSET_IN_USE` where it is shown somewhere, which the message names.
pub async fn take_back(core: &Core, caller: &Caller, id: AssetId) -> Result<()> {
    let owner = caller.signed_in()?;
    let asset = assets::find(core, caller, id).await?;
    if asset.user != owner {
        return Err(GONE);
    }
    if let Some(place) = place_of(core, caller, &asset).await? {
        return Err(Error::conflict(Code::AssetInUse, format!("this upload is still in use: {place}")));
    }
    match assets::delete(core, owner, &[id]).await? {
        0 => Err(GONE),
        _ => Ok(()),
    }
}

/// Where an upload of the caller's is used.
async fn place_of(core: &Core, caller: &Caller, asset: &Asset) -> Result<Option<&'static str>> {
    let (owner, id) = (asset.user, asset.id);
    if users::find(core, owner).await?.profile == Some(id) {
        return Ok(Some("it is the profile picture"));
    }
    let kept = InputFilter { user: Some(owner), asset: Some(id), ..InputFilter::default() };
    if gallery::count_inputs(core, caller, kept).await? > 0 {
        return Ok(Some("it is kept among the inputs, which is where to delete it"));
    }
    if !assets::in_texts(core, &[id]).await?.is_empty() {
        return Ok(Some("it stands in a comment, a description or a notice"));
    }
    if !in_use(core, &[id]).await?.is_empty() {
        return Ok(Some("it stands on a workflow or a video"));
    }
    Ok(None)
}

/// Takes inputs of the caller's away, and deletes their pictures where nothing else uses them: [`take_back`] says what
/// does. What is gone already, or somebody else's, is passed over. Tells how many went.
///
/// # Errors
/// As [`gallery::forget_inputs`].
pub async fn delete_inputs(core: &Core, caller: &Caller, ids: &[InputAssetId]) -> Result<u64> {
    let owner = caller.signed_in()?;
    let mut uploads = gallery::forget_inputs(core, caller, ids).await?;
    let gone = uploads.len() as u64;
    let portrait = users::find(core, owner).await?.profile;
    let in_use = in_use(core, &uploads).await?;
    uploads.retain(|id| !in_use.contains(id) && portrait != Some(*id));
    assets::delete(core, owner, &uploads).await?;
    Ok(gone)
}

/// What somebody uploaded goes, the picture beside their name too. What stands on something that is still there stays.
pub(super) async fn delete_all(core: &Core, user: UserId) -> Result<()> {
    let mut after = None;
    loop {
        let mut page = assets::ids_of(core, user, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = Some(*last);
        let in_use = in_use(core, &page).await?;
        page.retain(|id| !in_use.contains(id));
        assets::delete(core, user, &page).await?;
    }
}

/// Those of the uploads that stand on a workflow or a video, or in a text, whoever's it is.
async fn in_use(core: &Core, ids: &[AssetId]) -> Result<HashSet<AssetId>> {
    let mut in_use = workflows::pictures_in_use(core, ids).await?;
    in_use.extend(videos::posters_among(core, ids).await?);
    in_use.extend(assets::in_texts(core, ids).await?);
    Ok(in_use)
}

const GONE: Error = Error::NotFound { what: "asset" };
