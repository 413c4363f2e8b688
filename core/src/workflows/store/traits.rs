//! SQL of the traits of mini apps.

use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::ids::{WorkflowApiId, WorkflowId};
use crate::workflows::app_traits::AppTraits;

/// Writes what the app takes and makes; whether it works is unknown then.
pub(in super::super) async fn set(
    connection: &mut PgConnection,
    id: WorkflowId,
    traits: &AppTraits,
) -> sqlx::Result<()> {
    let takes: Vec<String> = traits.takes.iter().map(|one| one.name().to_owned()).collect();
    let makes: Vec<String> = traits.makes.iter().map(|one| one.name().to_owned()).collect();
    sqlx::query!(
        "UPDATE workflows SET app_takes = $2, app_makes = $3, app_works = NULL WHERE id = $1",
        id.0,
        &takes,
        &makes
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub(in super::super) async fn lock_all(connection: &mut PgConnection, ids: &[WorkflowId]) -> sqlx::Result<()> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    sqlx::query!("SELECT id FROM workflows WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE", &ids)
        .fetch_all(connection)
        .await?;
    Ok(())
}

pub(in super::super) async fn set_works(
    connection: &mut PgConnection,
    works: &[(WorkflowId, Option<bool>)],
) -> sqlx::Result<()> {
    let ids: Vec<Uuid> = works.iter().map(|(id, _)| id.0).collect();
    let works: Vec<Option<bool>> = works.iter().map(|(_, works)| *works).collect();
    sqlx::query!(
        "UPDATE workflows w SET app_works = found.works
         FROM unnest($1::uuid[], $2::boolean[]) AS found (id, works)
         WHERE w.id = found.id AND w.app_works IS DISTINCT FROM found.works",
        &ids,
        &works as &[Option<bool>],
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub(in super::super) async fn missing(db: &PgPool, limit: i64) -> sqlx::Result<Vec<(WorkflowId, WorkflowApiId)>> {
    let rows = sqlx::query!(
        r#"SELECT id, workflow_api_id AS "api!" FROM workflows
           WHERE deleted_at IS NULL AND workflow_api_id IS NOT NULL AND app_makes IS NULL ORDER BY id LIMIT $1"#,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (WorkflowId(row.id), WorkflowApiId(row.api))).collect())
}
