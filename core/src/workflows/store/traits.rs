//! SQL of the traits of mini apps.

use sqlx::{PgConnection, PgPool};

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

pub(in super::super) async fn set_works(
    connection: &mut PgConnection,
    id: WorkflowId,
    works: Option<bool>,
) -> sqlx::Result<()> {
    sqlx::query!("UPDATE workflows SET app_works = $2 WHERE id = $1 AND app_works IS DISTINCT FROM $2", id.0, works,)
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
