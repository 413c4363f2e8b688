//! SQL of the list of versions.

use sqlx::PgPool;
use uuid::Uuid;

use super::saved_version::SavedVersion;
use crate::ids::{WorkflowApiId, WorkflowApiVersionId};

/// The versions of an app, newest first and older than `before`.
pub(super) async fn of_app(
    db: &PgPool,
    app: WorkflowApiId,
    before: Uuid,
    limit: i64,
) -> sqlx::Result<Vec<SavedVersion>> {
    sqlx::query!(
        r#"SELECT v.id, v.created_at, v.id = a.current_version_id AS "is_current!"
           FROM workflow_api_versions v JOIN workflow_apis a ON a.id = v.workflow_api_id
           WHERE v.workflow_api_id = $1 AND v.id < $2 ORDER BY v.id DESC LIMIT $3"#,
        app.0,
        before,
        limit,
    )
    .map(|row| SavedVersion {
        id: WorkflowApiVersionId(row.id),
        is_current: row.is_current,
        created_at: row.created_at,
    })
    .fetch_all(db)
    .await
}
