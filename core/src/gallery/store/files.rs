//! SQL of the files that outputs name.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::Touched;
use crate::assets::ContentHash;

/// Deletes locked rows; returns the contents that they named.
pub(in super::super) async fn delete(
    tx: &mut PgConnection,
    touched: &[Touched],
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<ContentHash>> {
    let ids: Vec<Uuid> = touched.iter().map(|one| one.id.0).collect();
    let contents = sqlx::query_scalar!(
        "UPDATE output_assets SET deleted_at = $2 WHERE id = ANY($1) AND deleted_at IS NULL RETURNING content",
        &ids,
        now,
    )
    .fetch_all(tx)
    .await?;
    Ok(contents.into_iter().map(ContentHash).collect())
}

/// Deletes one round of expired rows; returns the contents that they named.
pub(in super::super) async fn delete_expired(
    tx: &mut PgConnection,
    now: DateTime<Utc>,
    most: i64,
) -> sqlx::Result<Vec<ContentHash>> {
    let contents = sqlx::query_scalar!(
        "UPDATE output_assets SET deleted_at = $1
         WHERE id IN (SELECT id FROM output_assets
                      WHERE deleted_at IS NULL AND is_private AND expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
         RETURNING content",
        now,
        most,
    )
    .fetch_all(tx)
    .await?;
    Ok(contents.into_iter().map(ContentHash).collect())
}

/// The contents among these that an output names.
pub(in super::super) async fn named(db: &PgPool, contents: &[ContentHash]) -> sqlx::Result<HashSet<ContentHash>> {
    let found = sqlx::query_scalar!(
        "SELECT DISTINCT content FROM output_assets WHERE content = ANY($1) AND deleted_at IS NULL",
        &texts(contents),
    )
    .fetch_all(db)
    .await?;
    Ok(found.into_iter().map(ContentHash).collect())
}

/// The contents that outputs name after this one, in order.
pub(in super::super) async fn all(db: &PgPool, after: &str, most: i64) -> sqlx::Result<Vec<ContentHash>> {
    let found = sqlx::query_scalar!(
        "SELECT DISTINCT content FROM output_assets WHERE content > $1 AND deleted_at IS NULL ORDER BY content LIMIT $2",
        after,
        most,
    )
    .fetch_all(db)
    .await?;
    Ok(found.into_iter().map(ContentHash).collect())
}

/// Removes deleted outputs of these contents. References elsewhere (a job's outputs, reports) then show them as
/// deleted.
pub(in super::super) async fn forget(db: &PgPool, contents: &[ContentHash]) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM output_assets WHERE content = ANY($1) AND deleted_at IS NOT NULL", &texts(contents))
        .execute(db)
        .await?;
    Ok(())
}

fn texts(contents: &[ContentHash]) -> Vec<String> {
    contents.iter().map(|content| content.as_str().to_owned()).collect()
}
