//! SQL of the order of basic workflows.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::super::limits::MAX_BASICS;
use crate::ids::WorkflowId;

pub(in super::super) async fn ranked(db: &PgPool) -> sqlx::Result<Vec<WorkflowId>> {
    let ids = sqlx::query_scalar!(
        "SELECT id FROM workflows WHERE deleted_at IS NULL AND basic_at IS NOT NULL
         ORDER BY basic_rank DESC, id DESC LIMIT $1",
        MAX_BASICS
    )
    .fetch_all(db)
    .await?;
    Ok(ids.into_iter().map(WorkflowId).collect())
}

pub(in super::super) async fn locked(tx: &mut PgConnection) -> sqlx::Result<Vec<WorkflowId>> {
    let ids = sqlx::query_scalar!(
        "SELECT id FROM workflows WHERE deleted_at IS NULL AND basic_at IS NOT NULL ORDER BY id FOR UPDATE"
    )
    .fetch_all(tx)
    .await?;
    Ok(ids.into_iter().map(WorkflowId).collect())
}

pub(in super::super) async fn count(tx: &mut PgConnection) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM workflows WHERE deleted_at IS NULL AND basic_at IS NOT NULL"#
    )
    .fetch_one(tx)
    .await
}

/// Ranks count down from this moment, so that a workflow chosen later comes first.
pub(in super::super) async fn rank(tx: &mut PgConnection, ids: &[WorkflowId], now: DateTime<Utc>) -> sqlx::Result<()> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    sqlx::query!(
        "UPDATE workflows w SET basic_rank = $2 - placed.place
         FROM UNNEST($1::uuid[]) WITH ORDINALITY AS placed(id, place) WHERE w.id = placed.id",
        &ids,
        now.timestamp_micros(),
    )
    .execute(tx)
    .await?;
    Ok(())
}
