//! What moderators do to an output: out of everybody's sight, and locked, so that its owner cannot publish it again
//! until an admin lets them. The verbs are for the room that decides; it writes the audit log.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::{files, store};
use crate::assets::{self, ContentHash, Exposure};
use crate::ids::{OutputAssetId, UserId};
use crate::{Code, Error, Result};

/// Hides an output and locks it. It is private from now on, so it is kept until `expires_at`. Tells whether it was there.
///
/// # Errors
/// Database errors.
pub async fn lock_within(
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

/// Lets the owner publish an output again. It stays private until they do.
///
/// # Errors
/// Database errors.
pub async fn unlock_within(tx: &mut PgConnection, id: OutputAssetId) -> Result<()> {
    store::set_locked(tx, id, None).await?;
    assets::unlock_contents_within(tx, id.0).await
}

/// Deletes an output, whoever's it is; tells whether it was there.
///
/// # Errors
/// Database errors.
pub async fn delete_within(tx: &mut PgConnection, id: OutputAssetId, now: DateTime<Utc>) -> Result<bool> {
    let touched = store::lock(tx, &[id], None).await?;
    Ok(files::delete(tx, &touched, now).await? > 0)
}

/// The bytes of an output, whether it is deleted or not; `None` where there never was one.
///
/// # Errors
/// Database errors.
pub async fn content_within(tx: &mut PgConnection, id: OutputAssetId) -> Result<Option<ContentHash>> {
    Ok(store::locks::contents_of(tx, &[id]).await?.pop())
}

/// Takes every output and every input with these bytes out of everybody's sight. The outputs are kept until
/// `expires_at`, as all private ones.
///
/// # Errors
/// Database errors.
pub async fn hide_contents_within(
    tx: &mut PgConnection,
    contents: &[ContentHash],
    expires_at: DateTime<Utc>,
) -> Result<()> {
    Ok(store::locks::hide(tx, contents, expires_at).await?)
}

/// Those of these bytes that somebody else has published.
///
/// # Errors
/// Database errors.
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
