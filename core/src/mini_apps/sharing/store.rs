//! SQL of shares.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::share::SharedApp;
use crate::ids::{UserId, WorkflowApiId, WorkflowApiShareId};
use crate::users::WritePermit;

/// A row of a share.
#[derive(Debug, Clone, Copy)]
pub(in crate::mini_apps) struct Row {
    pub id: WorkflowApiShareId,
    pub app: WorkflowApiId,
    pub user: UserId,
    pub created_at: DateTime<Utc>,
}

/// Inserts a share; returns whether it is new.
pub(super) async fn insert(tx: &mut PgConnection, _: &WritePermit, row: &Row) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO workflow_api_shares (id, workflow_api_id, user_id, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT ON CONSTRAINT workflow_api_shares_pair_key DO NOTHING",
        row.id.0,
        row.app.0,
        row.user.0,
        row.created_at,
    )
    .execute(tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Counts the shares of an app, up to `most`.
pub(super) async fn count(tx: &mut PgConnection, app: WorkflowApiId, most: i64) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!"
           FROM (SELECT FROM workflow_api_shares WHERE workflow_api_id = $1 LIMIT $2) AS counted"#,
        app.0,
        most,
    )
    .fetch_one(tx)
    .await
}

pub(super) async fn find(db: &PgPool, id: WorkflowApiShareId) -> sqlx::Result<Option<Row>> {
    let row = sqlx::query!("SELECT workflow_api_id, user_id, created_at FROM workflow_api_shares WHERE id = $1", id.0)
        .fetch_optional(db)
        .await?;
    Ok(row.map(|row| Row {
        id,
        app: WorkflowApiId(row.workflow_api_id),
        user: UserId(row.user_id),
        created_at: row.created_at,
    }))
}

/// Whether an existing app is shared with a user, on an existing workflow that no moderator hid.
pub(in crate::mini_apps) async fn is_shared_with(db: &PgPool, app: WorkflowApiId, user: UserId) -> sqlx::Result<bool> {
    let found = sqlx::query_scalar!(
        "SELECT 1 AS one FROM workflow_api_shares s
         JOIN workflow_apis a ON a.id = s.workflow_api_id JOIN workflows w ON w.id = a.workflow_id
         WHERE s.workflow_api_id = $1 AND s.user_id = $2
           AND a.deleted_at IS NULL AND w.deleted_at IS NULL AND w.locked_at IS NULL",
        app.0,
        user.0,
    )
    .fetch_optional(db)
    .await?;
    Ok(found.is_some())
}

/// The shares of an app, newest first.
pub(super) async fn of_app(db: &PgPool, app: WorkflowApiId, limit: i64) -> sqlx::Result<Vec<Row>> {
    let rows = sqlx::query!(
        "SELECT id, user_id, created_at FROM workflow_api_shares WHERE workflow_api_id = $1 ORDER BY id DESC LIMIT $2",
        app.0,
        limit,
    )
    .fetch_all(db)
    .await?;
    let row = |id, user, created_at| Row { id: WorkflowApiShareId(id), app, user: UserId(user), created_at };
    Ok(rows.into_iter().map(|found| row(found.id, found.user_id, found.created_at)).collect())
}

/// Shares that a user received, newest first and older than `before`.
pub(super) async fn with_user(db: &PgPool, user: UserId, before: Uuid, limit: i64) -> sqlx::Result<Vec<SharedApp>> {
    let rows = sqlx::query!(
        "SELECT s.id, s.created_at, a.id AS app, w.name, w.user_id
         FROM workflow_api_shares s
         JOIN workflow_apis a ON a.id = s.workflow_api_id JOIN workflows w ON w.id = a.workflow_id
         WHERE s.user_id = $1 AND s.id < $2
           AND a.deleted_at IS NULL AND w.deleted_at IS NULL AND w.locked_at IS NULL
           AND NOT EXISTS (SELECT FROM user_blocks b WHERE b.user_id = $1 AND b.blocked_id = w.user_id)
         ORDER BY s.id DESC LIMIT $3",
        user.0,
        before,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| SharedApp {
            id: WorkflowApiShareId(row.id),
            app: WorkflowApiId(row.app),
            name: row.name,
            owner: UserId(row.user_id),
            created_at: row.created_at,
        })
        .collect())
}

/// Deletes a share; returns whether it existed.
pub(super) async fn delete(tx: &mut PgConnection, id: WorkflowApiShareId) -> sqlx::Result<bool> {
    let done = sqlx::query!("DELETE FROM workflow_api_shares WHERE id = $1", id.0).execute(tx).await?;
    Ok(done.rows_affected() == 1)
}

/// Deletes all shares of an app.
pub(in crate::mini_apps) async fn delete_of(tx: &mut PgConnection, app: WorkflowApiId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM workflow_api_shares WHERE workflow_api_id = $1", app.0).execute(tx).await?;
    Ok(())
}

/// Deletes the shares that a user received and made.
pub(super) async fn forget(db: &PgPool, user: UserId) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM workflow_api_shares WHERE id IN (
           SELECT id FROM workflow_api_shares WHERE user_id = $1
           UNION ALL
           SELECT s.id FROM workflow_api_shares s JOIN workflows w ON w.workflow_api_id = s.workflow_api_id
           WHERE w.user_id = $1)",
        user.0,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes the shares of deleted apps and workflows.
pub(super) async fn forget_of_deleted(db: &PgPool) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM workflow_api_shares s USING workflow_apis a, workflows w
         WHERE a.id = s.workflow_api_id AND w.id = a.workflow_id
           AND (a.deleted_at IS NOT NULL OR w.deleted_at IS NOT NULL)",
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}
