//! Moderators' actions on a comment. A hidden comment becomes a placeholder, and admins still read its content. The
//! room of moderation calls these functions and writes the audit log.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::store;
use crate::ids::CommentId;
use crate::{Result, assets, workflows};

/// Hides a comment; returns whether it exists.
pub async fn hide_tx(tx: &mut PgConnection, id: CommentId, now: DateTime<Utc>) -> Result<bool> {
    if store::lock(tx, id).await?.is_none() {
        return Ok(false);
    }
    store::set_hidden(tx, id, Some(now)).await?;
    let released = assets::hide_text_tx(tx, id.0).await?;
    workflows::release_pictures(tx, &released).await?;
    Ok(true)
}

/// Shows a hidden comment and its pictures again.
pub async fn unhide_tx(tx: &mut PgConnection, id: CommentId) -> Result<()> {
    store::set_hidden(tx, id, None).await?;
    assets::show_text_tx(tx, id.0).await
}

/// Deletes a comment of any author; returns whether it existed.
pub async fn delete_tx(tx: &mut PgConnection, id: CommentId, now: DateTime<Utc>) -> Result<bool> {
    match store::lock(tx, id).await? {
        Some(comment) => super::remove(tx, &comment, now).await,
        None => Ok(false),
    }
}
