//! Bytes that moderators have hidden, and other files with the same pixels. Under any name and with any owner, they
//! stay hidden and cannot be published; only moderators see them.

pub(in crate::assets) mod store;

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

use super::asset::StoredFile;
use super::storage::content_hash::ContentHash;
use crate::ids::{AssetId, UserId};
use crate::users::PublishPermit;
use crate::{Caller, Code, Core, Error, Result};

/// Who may see a thing from now on.
#[derive(Debug, Clone, Copy)]
pub enum Exposure<'a> {
    /// Its owner and admins.
    Owner,
    /// Everybody; requires a permit.
    Everybody(&'a PublishPermit),
}

impl Exposure<'_> {
    #[must_use]
    pub fn is_private(self) -> bool {
        matches!(self, Self::Owner)
    }
}

/// Refuses to publish locked contents, except by an admin.
///
/// # Errors
/// [`Error::Conflict`] with `MODERATION_LOCKED`.
pub async fn must_not_be_locked(tx: &mut PgConnection, exposure: Exposure<'_>, contents: &[ContentHash]) -> Result<()> {
    match exposure {
        Exposure::Everybody(permit) if !permit.is_admin() => match store::any(tx, contents).await? {
            true => Err(locked()),
            false => Ok(()),
        },
        Exposure::Everybody(_) | Exposure::Owner => Ok(()),
    }
}

/// Saves the pixel digest of a file that was just measured, to compare it with locked files.
pub(in crate::assets) async fn record_stored_pixels(core: &Core, stored: &StoredFile) -> Result<()> {
    match &stored.pixels {
        Some(pixels) => Ok(store::record_pixels(&core.db, &stored.content, pixels).await?),
        None => Ok(()),
    }
}

/// Measures stored files without a pixel digest, before they are hidden or published. Missing and unreadable files are
/// compared by their bytes only.
pub async fn record_pixels(core: &Core, contents: &[ContentHash]) -> Result<()> {
    for content in store::without_pixels(&core.db, contents).await? {
        match core.files.pixels_of(&content).await {
            Ok(Some(pixels)) => store::record_pixels(&core.db, &content, &pixels).await?,
            Ok(None) | Err(Error::NotFound { .. }) => {}
            Err(error) => tracing::warn!(%error, file.content = content.as_str(), "a file was not measured"),
        }
    }
    Ok(())
}

/// Files with the same pixels as these: pairs of a given file and its match.
pub async fn same_pixels_tx(
    tx: &mut PgConnection,
    contents: &[ContentHash],
) -> Result<Vec<(ContentHash, ContentHash)>> {
    Ok(store::twins(tx, contents).await?)
}

/// Refuses to upload or use locked contents, except by an admin.
///
/// # Errors
/// [`Error::Conflict`] with `MODERATION_LOCKED`.
pub async fn must_be_usable(core: &Core, caller: &Caller, contents: &[ContentHash]) -> Result<()> {
    if !caller.admin && store::any(&core.db, contents).await? { Err(locked()) } else { Ok(()) }
}

pub async fn is_locked(core: &Core, content: &ContentHash) -> Result<bool> {
    Ok(store::any(&core.db, std::slice::from_ref(content)).await?)
}

pub async fn locked_among(core: &Core, contents: &[ContentHash]) -> Result<HashSet<ContentHash>> {
    Ok(store::among(&core.db, contents).await?)
}

/// Locks contents on behalf of a hidden thing.
pub async fn lock_contents_tx(
    tx: &mut PgConnection,
    holder: Uuid,
    contents: &[ContentHash],
    now: DateTime<Utc>,
) -> Result<()> {
    Ok(store::insert(tx, holder, contents, now).await?)
}

/// Removes this thing's locks. Contents stay locked if another thing locks them too.
pub async fn unlock_contents_tx(tx: &mut PgConnection, holder: Uuid) -> Result<()> {
    Ok(store::delete(tx, holder).await?)
}

/// Contents of these assets, including deleted ones.
pub async fn contents_of(db: impl PgExecutor<'_>, ids: &[AssetId]) -> Result<Vec<ContentHash>> {
    Ok(store::contents_of(db, ids).await?)
}

/// Makes every asset with these contents private.
pub async fn hide_contents_tx(tx: &mut PgConnection, contents: &[ContentHash]) -> Result<()> {
    Ok(store::hide(tx, contents).await?)
}

/// Those of these contents that another user publishes.
pub async fn shown_by_others(
    tx: &mut PgConnection,
    contents: &[ContentHash],
    author: UserId,
) -> Result<Vec<ContentHash>> {
    Ok(store::shown_by_others(tx, contents, author).await?)
}

/// Whether an asset exists, with any owner. It is locked until the transaction ends.
pub async fn asset_exists_tx(tx: &mut PgConnection, id: AssetId) -> Result<bool> {
    Ok(store::is_there(tx, id).await?)
}

/// Deletes an asset of any owner; returns whether it existed.
pub async fn delete_tx(tx: &mut PgConnection, id: AssetId, now: DateTime<Utc>) -> Result<bool> {
    Ok(store::delete_asset(tx, id, now).await?)
}

fn locked() -> Error {
    let message = "a moderator has hidden this file, and it cannot be uploaded, used or published again".to_owned();
    Error::conflict(Code::ModerationLocked, message)
}
