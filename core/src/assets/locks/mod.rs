//! Bytes that moderators have hidden, and the same pixels in other bytes. They stay out of sight and cannot be published, whatever they are called, whoever
//! has them and however often they come back; only moderators look at them.

pub(in crate::assets) mod store;

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

use super::asset::Stored;
use super::storage::content_hash::ContentHash;
use crate::ids::{AssetId, UserId};
use crate::users::PublishPermit;
use crate::{Caller, Code, Core, Error, Result};

/// Who sees something from now on.
#[derive(Debug, Clone, Copy)]
pub enum Exposure<'a> {
    /// Its owner, and admins.
    Owner,
    /// Everybody: for that a permit is needed.
    Everybody(&'a PublishPermit),
}

impl Exposure<'_> {
    /// Whether it is kept from others.
    #[must_use]
    pub fn is_private(self) -> bool {
        matches!(self, Self::Owner)
    }
}

/// Refuses what nobody may see; an admin may decide otherwise.
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

/// Notes the digest of the pixels of a file that has just been measured, so that it is compared with what was hidden.
///
/// # Errors
/// Database errors.
pub(in crate::assets) async fn note_stored(core: &Core, stored: &Stored) -> Result<()> {
    match &stored.pixels {
        Some(pixels) => Ok(store::note_pixels(&core.db, &stored.content, pixels).await?),
        None => Ok(()),
    }
}

/// The same for files that are stored and were not measured so: before they are hidden, and before others see them. A file
/// that is gone or cannot be read is compared by its bytes alone.
///
/// # Errors
/// Database errors.
pub async fn note_pixels(core: &Core, contents: &[ContentHash]) -> Result<()> {
    for content in store::without_pixels(&core.db, contents).await? {
        match core.files.pixels_of(&content).await {
            Ok(Some(pixels)) => store::note_pixels(&core.db, &content, &pixels).await?,
            Ok(None) | Err(Error::NotFound { .. }) => {}
            Err(error) => tracing::warn!(%error, file.content = content.as_str(), "a file was not measured"),
        }
    }
    Ok(())
}

/// Files that show the same pixels as these, each with the one of these that it is a twin of.
///
/// # Errors
/// Database errors.
pub async fn twins_within(tx: &mut PgConnection, contents: &[ContentHash]) -> Result<Vec<(ContentHash, ContentHash)>> {
    Ok(store::twins(tx, contents).await?)
}

/// Refuses to take in or to use what was hidden; admins may look into it.
///
/// # Errors
/// [`Error::Conflict`] with `MODERATION_LOCKED`.
pub async fn must_be_free(core: &Core, caller: &Caller, contents: &[ContentHash]) -> Result<()> {
    if !caller.admin && store::any(&core.db, contents).await? { Err(locked()) } else { Ok(()) }
}

/// Whether moderators have hidden these bytes.
///
/// # Errors
/// Database errors.
pub async fn is_locked(core: &Core, content: &ContentHash) -> Result<bool> {
    Ok(store::any(&core.db, std::slice::from_ref(content)).await?)
}

/// Those of these bytes that moderators have hidden.
///
/// # Errors
/// Database errors.
pub async fn locked_among(core: &Core, contents: &[ContentHash]) -> Result<HashSet<ContentHash>> {
    Ok(store::among(&core.db, contents).await?)
}

/// Locks bytes on behalf of the thing that was hidden.
///
/// # Errors
/// Database errors.
pub async fn lock_contents_within(
    tx: &mut PgConnection,
    holder: Uuid,
    contents: &[ContentHash],
    now: DateTime<Utc>,
) -> Result<()> {
    Ok(store::insert(tx, holder, contents, now).await?)
}

/// Frees the bytes that this thing has locked, as far as no other thing locks them too.
///
/// # Errors
/// Database errors.
pub async fn unlock_contents_within(tx: &mut PgConnection, holder: Uuid) -> Result<()> {
    Ok(store::delete(tx, holder).await?)
}

/// The bytes of these assets, whether they are there still or not.
///
/// # Errors
/// Database errors.
pub async fn contents_of(db: impl PgExecutor<'_>, ids: &[AssetId]) -> Result<Vec<ContentHash>> {
    Ok(store::contents_of(db, ids).await?)
}

/// Takes every asset with these bytes out of everybody's sight.
///
/// # Errors
/// Database errors.
pub async fn hide_contents_within(tx: &mut PgConnection, contents: &[ContentHash]) -> Result<()> {
    Ok(store::hide(tx, contents).await?)
}

/// Those of these bytes that somebody else shows as theirs.
///
/// # Errors
/// Database errors.
pub async fn shown_by_others(
    tx: &mut PgConnection,
    contents: &[ContentHash],
    author: UserId,
) -> Result<Vec<ContentHash>> {
    Ok(store::shown_by_others(tx, contents, author).await?)
}

/// Whether an asset is there, whoever's it is; it stays until the transaction ends.
///
/// # Errors
/// Database errors.
pub async fn is_there_within(tx: &mut PgConnection, id: AssetId) -> Result<bool> {
    Ok(store::is_there(tx, id).await?)
}

/// Deletes an asset, whoever's it is; tells whether it was there.
///
/// # Errors
/// Database errors.
pub async fn delete_within(tx: &mut PgConnection, id: AssetId, now: DateTime<Utc>) -> Result<bool> {
    Ok(store::delete_asset(tx, id, now).await?)
}

fn locked() -> Error {
    let message = "a moderator has hidden this file, and it cannot be uploaded, used or published again".to_owned();
    Error::conflict(Code::ModerationLocked, message)
}
