//! SQL of versions. The graphs themselves are read and written by [`crate::workflows::store`].

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use super::version::WorkflowVersion;
use crate::ids::WorkflowId;

pub(super) async fn list(db: &PgPool, id: WorkflowId, before: i32, limit: i64) -> sqlx::Result<Vec<WorkflowVersion>> {
    sqlx::query_as!(
        WorkflowVersion,
        r#"SELECT version, created_at,
                  (coalesce(octet_length(ui_graph::text), 0) + coalesce(octet_length(api_prompt::text), 0))::bigint
                      AS "size_bytes!"
           FROM workflow_versions WHERE workflow_id = $1 AND version < $2 ORDER BY version DESC LIMIT $3"#,
        id.0,
        before,
        limit,
    )
    .fetch_all(db)
    .await
}

pub(super) async fn saved_at(db: &PgPool, id: WorkflowId, version: i32) -> sqlx::Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar!(
        "SELECT created_at FROM workflow_versions WHERE workflow_id = $1 AND version = $2",
        id.0,
        version
    )
    .fetch_optional(db)
    .await
}
