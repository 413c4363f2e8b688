//! SQL of what search engines are told.

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use crate::ids::WorkflowId;

/// The first of every so many that are public and safe for work, by age.
pub(in super::super) async fn starts(db: &PgPool, every: i64) -> sqlx::Result<Vec<WorkflowId>> {
    let found = sqlx::query_scalar!(
        r#"SELECT id AS "id!" FROM (
             SELECT id, row_number() OVER (ORDER BY id) AS place FROM workflows
             WHERE deleted_at IS NULL AND NOT is_private AND NOT is_nsfw
           ) numbered WHERE place % $1 = 1 ORDER BY id"#,
        every,
    )
    .fetch_all(db)
    .await?;
    Ok(found.into_iter().map(WorkflowId).collect())
}

/// Those from this one on, by age, with when they were last changed.
pub(in super::super) async fn from(
    db: &PgPool,
    first: WorkflowId,
    limit: i64,
) -> sqlx::Result<Vec<(WorkflowId, DateTime<Utc>)>> {
    let found = sqlx::query!(
        "SELECT id, edited_at AS at FROM workflows
         WHERE deleted_at IS NULL AND NOT is_private AND NOT is_nsfw AND id >= $1 ORDER BY id LIMIT $2",
        first.0,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(found.into_iter().map(|row| (WorkflowId(row.id), row.at)).collect())
}
