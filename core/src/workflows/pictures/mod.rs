//! The pictures of a workflow: its cover and its gallery. They are as visible as the workflow.

pub(in crate::workflows) mod store;

use std::collections::{HashMap, HashSet};

use sqlx::PgConnection;

use super::workflow::Workflow;
use crate::assets::{self, AssetKind, Exposure, RichText};
use crate::ids::{AssetId, WorkflowId};
use crate::users::PublishPermit;
use crate::{Caller, Core, Error, Result};

/// The galleries of several workflows, in their orders; workflows without pictures are missing.
pub async fn thumbnails_of(core: &Core, ids: &[WorkflowId]) -> Result<HashMap<WorkflowId, Vec<AssetId>>> {
    let mut found: HashMap<WorkflowId, Vec<AssetId>> = HashMap::new();
    for (workflow, asset) in store::of(&core.db, ids).await? {
        found.entry(workflow).or_default().push(asset);
    }
    Ok(found)
}

/// Checks that pictures belong to the caller (any, for an admin), because readers of the workflow will see them.
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

/// Cover and gallery of a workflow, deleted or not, and the pictures in its description.
pub async fn pictures_tx(tx: &mut PgConnection, id: WorkflowId) -> Result<Vec<AssetId>> {
    let mut pictures = store::of_any(&mut *tx, id).await?;
    pictures.extend(assets::pictures_of_text(tx, id.0).await?);
    Ok(pictures)
}

/// The pictures among these on any workflow of any author, private or not.
pub async fn pictures_in_use(core: &Core, pictures: &[AssetId]) -> Result<HashSet<AssetId>> {
    Ok(store::in_use(&core.db, pictures).await?)
}

/// Cover and gallery together.
pub(super) fn all(workflow: &Workflow, thumbnails: &[AssetId]) -> Vec<AssetId> {
    workflow.cover.into_iter().chain(thumbnails.iter().copied()).collect()
}

/// Makes the pictures of a published workflow public.
pub(super) async fn show(
    tx: &mut PgConnection,
    caller: &Caller,
    permit: &PublishPermit,
    pictures: &[AssetId],
) -> Result<()> {
    if pictures.is_empty() {
        return Ok(());
    }
    assets::set_private_tx(tx, caller, pictures, Exposure::Everybody(permit)).await
}

/// Records which uploads the descriptions show. Makes them public where the workflow is `shown`, and private where they
/// are no longer shown.
pub(super) async fn write_words(
    tx: &mut PgConnection,
    caller: &Caller,
    workflow: &Workflow,
    shown: Option<&PublishPermit>,
) -> Result<()> {
    let exposure = shown.map_or(Exposure::Owner, Exposure::Everybody);
    let html: Vec<&str> = workflow.descriptions().collect();
    let authors: Vec<_> = std::iter::once(workflow.user).chain(caller.user).collect();
    let text = RichText { id: workflow.id.0, authors: &authors, html: &html };
    let released = assets::write_text_tx(tx, text, exposure).await?;
    release(tx, &released).await
}

/// Makes pictures private that a text of any author showed, where nothing else shows them.
pub async fn release(tx: &mut PgConnection, pictures: &[AssetId]) -> Result<()> {
    let unused = unused(tx, pictures).await?;
    if unused.is_empty() { Ok(()) } else { assets::hide_tx(tx, &unused).await }
}

/// Makes pictures private that no published workflow and no text shows.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn hide(tx: &mut PgConnection, caller: &Caller, pictures: &[AssetId]) -> Result<()> {
    let unused = unused(tx, pictures).await?;
    if unused.is_empty() { Ok(()) } else { assets::set_private_tx(tx, caller, &unused, Exposure::Owner).await }
}

/// The pictures among these that neither a published workflow nor a text shows.
async fn unused(tx: &mut PgConnection, pictures: &[AssetId]) -> Result<Vec<AssetId>> {
    if pictures.is_empty() {
        return Ok(Vec::new());
    }
    let mut unused = store::not_on_show(&mut *tx, pictures).await?;
    let kept = assets::kept_by_texts_tx(tx, &unused).await?;
    unused.retain(|id| !kept.contains(id));
    Ok(unused)
}

#[cfg(test)]
mod tests;
