//! The pictures of a workflow: its cover and its gallery. They are as visible as the workflow they stand on.

pub(in crate::workflows) mod store;

use std::collections::{HashMap, HashSet};

use sqlx::PgConnection;

use super::workflow::Workflow;
use crate::assets::{self, AssetKind, Exposure, Text};
use crate::ids::{AssetId, WorkflowId};
use crate::users::PublishPermit;
use crate::{Caller, Core, Error, Result};

/// The galleries of several workflows, each in its order; workflows without pictures are missing.
///
/// # Errors
/// Database errors.
pub async fn thumbnails_of(core: &Core, ids: &[WorkflowId]) -> Result<HashMap<WorkflowId, Vec<AssetId>>> {
    let mut found: HashMap<WorkflowId, Vec<AssetId>> = HashMap::new();
    for (workflow, asset) in store::of(&core.db, ids).await? {
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

/// Cover and gallery of a workflow that may have been deleted meanwhile, and what its description shows.
///
/// # Errors
/// Database errors.
pub async fn pictures_within(tx: &mut PgConnection, id: WorkflowId) -> Result<Vec<AssetId>> {
    let mut pictures = store::of_any(&mut *tx, id).await?;
    pictures.extend(assets::pictures_of_text(tx, id.0).await?);
    Ok(pictures)
}

/// Those of the pictures that stand on a workflow, whoever's it is and whoever sees it.
///
/// # Errors
/// Database errors.
pub async fn pictures_in_use(core: &Core, pictures: &[AssetId]) -> Result<HashSet<AssetId>> {
    Ok(store::in_use(&core.db, pictures).await?)
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

/// Notes which uploads its descriptions name, and shows them where the workflow is `shown`; those that they showed before
/// and no longer are taken back.
pub(super) async fn write_words(
    tx: &mut PgConnection,
    caller: &Caller,
    workflow: &Workflow,
    shown: Option<&PublishPermit>,
) -> Result<()> {
    let exposure = shown.map_or(Exposure::Owner, Exposure::Everybody);
    let html: Vec<&str> = workflow.descriptions().collect();
    let authors: Vec<_> = std::iter::once(workflow.user).chain(caller.user).collect();
    let text = Text { id: workflow.id.0, authors: &authors, html: &html };
    let released = assets::write_text_within(tx, text, exposure).await?;
    release(tx, &released).await
}

/// Takes pictures back that a text showed, whoever's they are, where nothing else shows them.
///
/// # Errors
/// Database errors.
pub async fn release(tx: &mut PgConnection, pictures: &[AssetId]) -> Result<()> {
    let unused = unused(tx, pictures).await?;
    if unused.is_empty() { Ok(()) } else { assets::hide_within(tx, &unused).await }
}

/// Takes pictures back that no published workflow and no text shows (any more): only those become private.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; database errors.
pub async fn hide(tx: &mut PgConnection, caller: &Caller, pictures: &[AssetId]) -> Result<()> {
    let unused = unused(tx, pictures).await?;
    if unused.is_empty() { Ok(()) } else { assets::set_private_within(tx, caller, &unused, Exposure::Owner).await }
}

/// Those that neither a published workflow nor a text shows.
async fn unused(tx: &mut PgConnection, pictures: &[AssetId]) -> Result<Vec<AssetId>> {
    if pictures.is_empty() {
        return Ok(Vec::new());
    }
    let mut unused = store::not_on_show(&mut *tx, pictures).await?;
    let kept = assets::kept_by_texts_within(tx, &unused).await?;
    unused.retain(|id| !kept.contains(id));
    Ok(unused)
}

#[cfg(test)]
mod tests;
