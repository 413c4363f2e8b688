//! Moderators' actions on an output. A hidden output is private and locked: its owner cannot publish it until an admin
//! unlocks it. The room of moderation calls these functions and writes the audit log.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::{files, store};
use crate::assets::{self, ContentHash, Exposure};
use crate::ids::{OutputAssetId, UserId};
use crate::{Code, Error, Result};

/// Hides and locks an output. It is private from now on and expires at `expires_at`. Returns whether it exists.
pub async fn lock_tx(
    tx: &mut PgConnection,
    id: OutputAssetId,
    expires_at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<bool> {
    let touched = store::lock(tx, &[id], None).await?;
    if touched.is_empty() {
        return Ok(false);
    }
    store::set_private(tx, &touched, Exposure::Owner, expires_at).await?;
    store::set_locked(tx, id, Some(now)).await?;
    Ok(true)
}

/// Allows the owner to publish an output again. It stays private until then.
pub async fn unlock_tx(tx: &mut PgConnection, id: OutputAssetId) -> Result<()> {
    store::set_locked(tx, id, None).await?;
    assets::unlock_contents_tx(tx, id.0).await
}

/// Deletes an output of any owner; returns whether it existed.
pub async fn delete_tx(tx: &mut PgConnection, id: OutputAssetId, now: DateTime<Utc>) -> Result<bool> {
    let touched = store::lock(tx, &[id], None).await?;
    Ok(files::delete(tx, &touched, now).await? > 0)
}

/// The content of an output, deleted or not; `None` where there never was one.
pub async fn content_tx(tx: &mut PgConnection, id: OutputAssetId) -> Result<Option<ContentHash>> {
    Ok(store::locks::contents_of(tx, &[id]).await?.pop())
}

/// Hides every output and every input with these contents. The outputs expire at `expires_at`, as all private ones.
pub async fn hide_contents_tx(
    tx: &mut PgConnection,
    contents: &[ContentHash],
    expires_at: DateTime<Utc>,
) -> Result<()> {
    Ok(store::locks::hide(tx, contents, expires_at).await?)
}

/// The contents among these that another user has published.
pub async fn shown_by_others(
    tx: &mut PgConnection,
    contents: &[ContentHash],
    author: UserId,
) -> Result<Vec<ContentHash>> {
    Ok(store::locks::shown_by_others(tx, contents, author).await?)
}

pub(super) fn locked() -> Error {
    let message = "a moderator has hidden this, and it cannot be published again".to_owned();
    Error::conflict(Code::PostLocked, message)
}
