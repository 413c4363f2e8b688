//! What moderators do to a comment: a placeholder stands in its place, and its words stay for admins to read. The verbs
//! are for the room that decides; it writes the audit log.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::store;
use crate::ids::CommentId;
use crate::{Result, assets, workflows};

/// Takes a comment out of sight; tells whether it was there.
///
/// # Errors
/// Database errors.
pub async fn hide_within(tx: &mut PgConnection, id: CommentId, now: DateTime<Utc>) -> Result<bool> {
    if store::lock(tx, id).await?.is_none() {
        return Ok(false);
    }
    store::set_hidden(tx, id, Some(now)).await?;
    let released = assets::hide_text_within(tx, id.0).await?;
    workflows::release_pictures(tx, &released).await?;
    Ok(true)
}

/// Shows a comment again, with its pictures.
///
/// # Errors
/// Database errors.
pub async fn unhide_within(tx: &mut PgConnection, id: CommentId) -> Result<()> {
    store::set_hidden(tx, id, None).await?;
    assets::show_text_within(tx, id.0).await
}

/// Deletes a comment, whoever's it is; tells whether it was there.
///
/// # Errors
/// Database errors.
pub async fn delete_within(tx: &mut PgConnection, id: CommentId, now: DateTime<Utc>) -> Result<bool> {
    match store::lock(tx, id).await? {
        Some(comment) => super::remove(tx, &comment, now).await,
        None => Ok(false),
    }
}
