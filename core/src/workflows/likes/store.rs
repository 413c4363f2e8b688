//! SQL of likes.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::ids::{UserId, WorkflowId};
use crate::list::Keyset;
use crate::users::WritePermit;
use crate::workflows::lists::filter::WorkflowOrder;

/// Returns whether a like existed.
pub(in crate::workflows) async fn take_back(tx: &mut PgConnection, id: WorkflowId, user: UserId) -> sqlx::Result<bool> {
    let done = sqlx::query!("DELETE FROM workflow_likes WHERE workflow_id = $1 AND user_id = $2", id.0, user.0)
        .execute(tx)
        .await?;
    Ok(done.rows_affected() > 0)
}

pub(in crate::workflows) async fn insert(
    tx: &mut PgConnection,
    _: &WritePermit,
    id: WorkflowId,
    user: UserId,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO workflow_likes (workflow_id, user_id, created_at) VALUES ($1, $2, $3)",
        id.0,
        user.0,
        now
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Adds to the count of the locked workflow and returns the new count.
pub(in crate::workflows) async fn count(tx: &mut PgConnection, id: WorkflowId, more: i64) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        "UPDATE workflows SET like_count = greatest(like_count + $2, 0) WHERE id = $1 RETURNING like_count",
        id.0,
        more
    )
    .fetch_one(tx)
    .await
}

/// The workflows among these that a user likes. Each is looked up by key: with `= ANY` a planner that does not see the
/// values reads all likes of the user.
pub(in crate::workflows) async fn among(
    db: &PgPool,
    user: UserId,
    ids: &[WorkflowId],
) -> sqlx::Result<HashSet<WorkflowId>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let liked = sqlx::query_scalar!(
        r#"SELECT asked.id AS "id!" FROM UNNEST($2::uuid[]) AS asked(id)
           CROSS JOIN LATERAL (
             SELECT FROM workflow_likes WHERE workflow_id = asked.id AND user_id = $1 LIMIT 1
           ) liked"#,
        user.0,
        &ids
    )
    .fetch_all(db)
    .await?;
    Ok(liked.into_iter().map(WorkflowId).collect())
}

/// Favourites that are still published, with the time of the like in microseconds.
pub(in crate::workflows) async fn of_user(
    db: &PgPool,
    user: UserId,
    keyset: Keyset<WorkflowOrder>,
) -> sqlx::Result<Vec<(WorkflowId, i64)>> {
    let rows = sqlx::query!(
        r#"SELECT l.workflow_id AS id, (extract(epoch FROM l.created_at) * 1000000)::bigint AS "key!"
           FROM workflow_likes l JOIN workflows w ON w.id = l.workflow_id
           WHERE l.user_id = $1 AND (l.created_at, l.workflow_id) < ($2, $3)
             AND w.deleted_at IS NULL AND NOT w.is_private
           ORDER BY l.created_at DESC, l.workflow_id DESC LIMIT $4"#,
        user.0,
        keyset.after.time(),
        keyset.after.id,
        keyset.limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (WorkflowId(row.id), row.key)).collect())
}
