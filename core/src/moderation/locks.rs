//! Locks the bytes of targets that moderators hide or delete.
//!
//! Outputs and uploads are their bytes: these are locked for everyone, and other rows with the same bytes become
//! private. Workflows and comments only contain pictures. Pictures that another user also shows are not locked, because
//! no moderator has judged them; otherwise a user could remove another's picture by adding it to a post that breaks the
//! rules.

use sqlx::PgConnection;

use super::ReportTarget;
use crate::assets::ContentHash;
use crate::database;
use crate::ids::{AssetId, UserId};
use crate::{Core, Result, assets, gallery, workflows};

/// Cleans the target's files that are not cleaned yet and returns their original hashes. Without cleaning, the lock
/// would cover only the original file, not the cleaned file that a new upload of it becomes. Files that cannot be
/// cleaned are locked as they are.
pub(super) async fn clean(core: &Core, thing: ReportTarget, author: UserId) -> Result<Vec<ContentHash>> {
    let mut tx = database::begin(&core.db).await?;
    let contents = contents(&mut tx, thing, author).await?;
    tx.rollback().await?;
    assets::record_pixels(core, &contents).await?;
    for content in &contents {
        let cleaned = match assets::clean_now(core, content).await {
            Ok(()) => gallery::clean_now(core, content).await,
            failed => failed,
        };
        if let Err(error) = cleaned {
            tracing::warn!(%error, file.content = content.as_str(), "cannot clean a file before locking it");
        }
    }
    Ok(contents)
}

/// Locks the target's bytes, cleaned and original, and makes all rows with them private.
pub(super) async fn lock(
    tx: &mut PgConnection,
    core: &Core,
    thing: ReportTarget,
    author: UserId,
    before: &[ContentHash],
) -> Result<()> {
    let mut contents = contents(tx, thing, author).await?;
    contents.extend_from_slice(before);
    contents.extend(assets::same_pixels_tx(tx, &contents).await?.into_iter().map(|(_, twin)| twin));
    if contents.is_empty() {
        return Ok(());
    }
    let now = core.clock.now();
    assets::lock_contents_tx(tx, thing.id(), &contents, now).await?;
    assets::hide_contents_tx(tx, &contents).await?;
    gallery::hide_contents_tx(tx, &contents, gallery::expiry(now, core.settings.outputs.days)).await
}

/// Unlocks the target's bytes unless another hidden target has them. This publishes nothing.
pub(super) async fn unlock(tx: &mut PgConnection, thing: ReportTarget) -> Result<()> {
    assets::unlock_contents_tx(tx, thing.id()).await
}

async fn contents(tx: &mut PgConnection, thing: ReportTarget, author: UserId) -> Result<Vec<ContentHash>> {
    match thing {
        ReportTarget::OutputAsset(id) => Ok(gallery::content_tx(tx, id).await?.into_iter().collect()),
        ReportTarget::Upload(id) => assets::contents_of(tx, &[id]).await,
        ReportTarget::Workflow(id) => {
            let pictures = workflows::pictures_tx(tx, id).await?;
            carried(tx, &pictures, author).await
        }
        ReportTarget::Comment(id) => {
            let pictures = assets::pictures_of_text(tx, id.0).await?;
            carried(tx, &pictures, author).await
        }
    }
}

/// The bytes of pictures that only this author shows, also as other files with the same pixels.
async fn carried(tx: &mut PgConnection, pictures: &[AssetId], author: UserId) -> Result<Vec<ContentHash>> {
    let mut contents = assets::contents_of(&mut *tx, pictures).await?;
    let twins = assets::same_pixels_tx(tx, &contents).await?;
    let all: Vec<ContentHash> = contents.iter().chain(twins.iter().map(|(_, twin)| twin)).cloned().collect();
    let mut others = assets::shown_by_others(tx, &all, author).await?;
    others.extend(gallery::shown_by_others(tx, &all, author).await?);
    let is_shown = |content: &ContentHash| {
        others.contains(content) || twins.iter().any(|(of, twin)| of == content && others.contains(twin))
    };
    contents.retain(|content| !is_shown(content));
    Ok(contents)
}
