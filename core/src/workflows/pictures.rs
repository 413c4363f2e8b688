//! The pictures of a workflow: its cover and its gallery. They are as visible as the workflow they stand on.

use std::collections::{HashMap, HashSet};

use sqlx::PgConnection;

use super::{Workflow, store};
use crate::assets::{self, AssetKind, ContentHash, Exposure};
use crate::ids::{AssetId, UserId, WorkflowId};
use crate::users::PublishPermit;
use crate::{Caller, Core, Error, Result};

/// The galleries of several workflows, each in its order; workflows without pictures are missing.
///
/// # Errors
/// Database errors.
pub async fn thumbnails_of(core: &Core, ids: &[WorkflowId]) -> Result<HashMap<WorkflowId, Vec<AssetId>>> {
    let mut found: HashMap<WorkflowId, Vec<AssetId>> = HashMap::new();
    for (workflow, asset) in store::pictures::of(&core.db, ids).await? {
        found.entry(workflow).or_default().push(asset);
    }
    Ok(found)
}

/// Everybody who sees the workflow will see these: only pictures of the caller's may be chosen (any, for an admin).
pub(super) async fn check_own(core: &Core, caller: &Caller, field: &str, ids: &[AssetId]) -> Result<()> {
    let found = assets::readable(core, caller, ids).await?;
    for id in ids {
        match found.get(id) {
            None => return Err(Error::NotFound { what: "asset" }),
            Some(asset) if !caller.owns_or_admin(asset.user) => return Err(Error::Forbidden),
            Some(asset) if asset.kind != AssetKind::Image => return Err(Error::invalid(field, "must be an image")),
            Some(_) => {}
        }
    }
    Ok(())
}

/// Cover and gallery of a workflow that may have been deleted meanwhile.
///
/// # Errors
/// Database errors.
pub async fn pictures_within(tx: &mut PgConnection, id: WorkflowId) -> Result<Vec<AssetId>> {
    Ok(store::pictures::of_any(tx, id).await?)
}

/// Those of the pictures that stand on a workflow, whoever's it is and whoever sees it.
///
/// # Errors
/// Database errors.
pub async fn pictures_in_use(core: &Core, pictures: &[AssetId]) -> Result<HashSet<AssetId>> {
    Ok(store::pictures::in_use(&core.db, pictures).await?)
}

/// Whether somebody shows this file in the description of a workflow of theirs.
///
/// # Errors
/// Database errors.
pub async fn any_describes_with(core: &Core, user: UserId, file: &ContentHash) -> Result<bool> {
    Ok(store::pictures::any_described_with(&core.db, user, file.as_str()).await?)
}

/// Cover and gallery together.
pub(super) fn all(workflow: &Workflow, thumbnails: &[AssetId]) -> Vec<AssetId> {
    workflow.cover.into_iter().chain(thumbnails.iter().copied()).collect()
}

/// Lets everybody see the pictures of a workflow that is published.
pub(super) async fn show(
    tx: &mut PgConnection,
    caller: &Caller,
    permit: &PublishPermit,
    pictures: &[AssetId],
) -> Result<()> {
    if pictures.is_empty() {
        return Ok(());
    }
    assets::set_private_within(tx, caller, pictures, Exposure::Everybody(permit)).await
}

/// Takes pictures back that stand on no published workflow (any more): only those become private.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; database errors.
pub async fn hide(tx: &mut PgConnection, caller: &Caller, pictures: &[AssetId]) -> Result<()> {
    if pictures.is_empty() {
        return Ok(());
    }
    let unused = store::pictures::not_on_show(tx, pictures).await?;
    if unused.is_empty() { Ok(()) } else { assets::set_private_within(tx, caller, &unused, Exposure::Owner).await }
}
