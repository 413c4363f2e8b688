//! SQL of outputs by name and content.

use sqlx::PgPool;

use crate::assets::ContentHash;
use crate::ids::{JobId, OutputAssetId, UserId};

/// The latest output of a user with this name, of one job or of all.
pub(in super::super) async fn latest(
    db: &PgPool,
    user: UserId,
    name: &str,
    job: Option<JobId>,
) -> sqlx::Result<Option<OutputAssetId>> {
    let found = sqlx::query_scalar!(
        "SELECT id FROM output_assets
         WHERE user_id = $1 AND name = $2 AND deleted_at IS NULL AND ($3::uuid IS NULL OR job_id = $3)
         ORDER BY id DESC LIMIT 1",
        user.0,
        name,
        job.map(|job| job.0),
    )
    .fetch_optional(db)
    .await?;
    Ok(found.map(OutputAssetId))
}

/// An output of a user with this content.
pub(in super::super) async fn with_content(
    db: &PgPool,
    user: UserId,
    content: &ContentHash,
) -> sqlx::Result<Option<OutputAssetId>> {
    let found = sqlx::query_scalar!(
        "SELECT id FROM output_assets WHERE content = $1 AND user_id = $2 AND deleted_at IS NULL ORDER BY id LIMIT 1",
        content.as_str(),
        user.0,
    )
    .fetch_optional(db)
    .await?;
    Ok(found.map(OutputAssetId))
}
