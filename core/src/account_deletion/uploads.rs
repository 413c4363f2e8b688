//! Deletion of uploads: single ones by their owner, those that expire, and all of a deleted account. Uploads in use stay.

use std::collections::HashSet;

use crate::assets::{self, Asset, EndingUpload};
use crate::gallery::{self, InputFilter};
use crate::ids::{AssetId, InputAssetId, UserId};
use crate::list::ListQuery;
use crate::{Caller, Code, Core, Error, Result, users, videos, workflows};

/// Uploads of one query.
const PAGE: i64 = 100;

/// Deletes an upload of the caller. It does not count as stored any more, and its file is deleted within the hour, unless
/// another upload has the same content or a job uses it.
///
/// # Errors
/// [`Error::NotFound`] where the upload does not exist or belongs to another account; [`Error::Conflict`] with
/// `ASSET_IN_USE` where it is in use, with a message that says where.
pub async fn delete_upload(core: &Core, caller: &Caller, id: AssetId) -> Result<()> {
    let asset = own_unused(core, caller, id).await?;
    if gallery::count_inputs(core, caller, &kept(asset.user, asset.id)).await? > 0 {
        return Err(in_use_at("it is kept among the inputs, which is where to delete it"));
    }
    delete_one(core, &asset).await
}

/// As [`delete_upload`], of an upload that may be kept among the caller's inputs: it is deleted there too.
///
/// # Errors
/// As [`delete_upload`].
pub async fn delete_kept_upload(core: &Core, caller: &Caller, id: AssetId) -> Result<()> {
    let asset = own_unused(core, caller, id).await?;
    let filter = kept(asset.user, asset.id);
    let inputs = gallery::inputs(core, caller, ListQuery::at(&filter, None, PAGE).sorted(None)).await?;
    let inputs: Vec<InputAssetId> = inputs.items.into_iter().map(|input| input.id).collect();
    gallery::forget_inputs(core, caller, &inputs).await?;
    delete_one(core, &asset).await
}

/// An upload of the caller that is in use nowhere, except among the inputs.
async fn own_unused(core: &Core, caller: &Caller, id: AssetId) -> Result<Asset> {
    let owner = caller.signed_in()?;
    let asset = assets::find(core, caller, id).await?;
    if asset.user != owner {
        return Err(GONE);
    }
    match place_of(core, &asset).await? {
        Some(place) => Err(in_use_at(place)),
        None => Ok(asset),
    }
}

fn in_use_at(place: &str) -> Error {
    Error::conflict(Code::AssetInUse, format!("this upload is still in use: {place}"))
}

/// The inputs that keep an upload.
fn kept(owner: UserId, upload: AssetId) -> InputFilter {
    InputFilter { user: Some(owner), asset: Some(upload), ..InputFilter::default() }
}

async fn delete_one(core: &Core, asset: &Asset) -> Result<()> {
    match assets::delete(core, asset.user, &[asset.id]).await? {
        0 => Err(GONE),
        _ => Ok(()),
    }
}

/// Where an upload is in use, except among the inputs.
async fn place_of(core: &Core, asset: &Asset) -> Result<Option<&'static str>> {
    let id = asset.id;
    if users::find(core, asset.user).await?.profile == Some(id) {
        return Ok(Some("it is the profile picture"));
    }
    if !assets::in_texts(core, &[id]).await?.is_empty() {
        return Ok(Some("it stands in a comment, a description or a notice"));
    }
    if !in_use(core, &[id]).await?.is_empty() {
        return Ok(Some("it stands on a workflow or a video"));
    }
    Ok(None)
}

/// Deletes inputs of the caller, and their uploads unless they are in use (see [`delete_upload`]). Unknown inputs and those of
/// other accounts are ignored. Returns the number of deleted inputs.
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

/// Deletes some uploads whose time is over. One that is in use shortly before its end stays for good. Returns the number
/// of both.
pub async fn expire_uploads(core: &Core) -> Result<u64> {
    let ending = assets::ending(core).await?;
    let (ids, owners): (Vec<AssetId>, Vec<UserId>) = ending.iter().map(|upload| (upload.id, upload.owner)).unzip();
    let owners = users::find_all(core, &owners).await?;
    let mut in_use = in_use(core, &ids).await?;
    for EndingUpload { id, owner, .. } in &ending {
        let is_portrait = owners.get(owner).is_some_and(|owner| owner.profile == Some(*id));
        let caller = Caller::customer(*owner);
        if is_portrait || gallery::count_inputs(core, &caller, &kept(*owner, *id)).await? > 0 {
            in_use.insert(*id);
        }
    }
    let mut done = 0;
    for EndingUpload { id, owner, has_ended } in ending {
        done += match (in_use.contains(&id), has_ended) {
            (true, _) => assets::keep(core, id).await?,
            (false, true) => assets::delete(core, owner, &[id]).await?,
            (false, false) => 0,
        };
    }
    Ok(done)
}

/// Deletes all uploads of an account that are not in use, the profile picture included.
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

/// The uploads that a workflow, a video or a text uses, of any account.
async fn in_use(core: &Core, ids: &[AssetId]) -> Result<HashSet<AssetId>> {
    let mut in_use = workflows::pictures_in_use(core, ids).await?;
    in_use.extend(videos::posters_among(core, ids).await?);
    in_use.extend(assets::in_texts(core, ids).await?);
    Ok(in_use)
}

const GONE: Error = Error::NotFound { what: "asset" };
