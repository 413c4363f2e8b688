//! SQL of generators.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::ids::{UserId, WorkflowId};

/// A generator that was made, or tried.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub recipe: String,
    pub model: String,
    pub workflow: Option<WorkflowId>,
    pub digest: String,
    pub failure: Option<String>,
    pub tried_at: DateTime<Utc>,
}

impl Row {
    /// Whether it was hidden: its file is another model, or there were too many. It is published again if it gets an
    /// app again.
    pub fn is_retired(&self) -> bool {
        self.digest.is_empty()
    }
}

pub(super) async fn all(db: &PgPool) -> sqlx::Result<Vec<Row>> {
    let rows = sqlx::query!("SELECT recipe, model, workflow_id, digest, failure, tried_at FROM generators");
    let rows = rows.fetch_all(db).await?;
    Ok(rows
        .into_iter()
        .map(|row| Row {
            recipe: row.recipe,
            model: row.model,
            workflow: row.workflow_id.map(WorkflowId),
            digest: row.digest,
            failure: row.failure,
            tried_at: row.tried_at,
        })
        .collect())
}

/// The workflows of this author that belong to no generator.
pub(super) async fn abandoned(db: &PgPool, author: UserId) -> sqlx::Result<Vec<WorkflowId>> {
    let ids = sqlx::query_scalar!(
        "SELECT id FROM workflows w WHERE user_id = $1 AND deleted_at IS NULL
           AND NOT EXISTS (SELECT FROM generators g WHERE g.workflow_id = w.id)",
        author.0,
    );
    Ok(ids.fetch_all(db).await?.into_iter().map(WorkflowId).collect())
}

/// Writes the outcome of making or renewing a generator.
pub(super) async fn put(db: &PgPool, row: &Row) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO generators (recipe, model, workflow_id, digest, failure, tried_at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (recipe, model) DO UPDATE SET workflow_id = $3, digest = $4, failure = $5, tried_at = $6",
        row.recipe,
        row.model,
        row.workflow.map(|id| id.0),
        row.digest,
        row.failure,
        row.tried_at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Admins' words about model files, by folder and file.
pub(super) async fn admin_words(db: &PgPool) -> sqlx::Result<HashMap<(String, String), Option<String>>> {
    let rows = sqlx::query!("SELECT folder, file, is_like FROM generator_models").fetch_all(db).await?;
    Ok(rows.into_iter().map(|row| ((row.folder, row.file), row.is_like)).collect())
}

/// An admin's word about a file, as a row.
pub(super) struct ModelRow {
    pub id: Uuid,
    pub is_like: Option<String>,
}

/// The word about a file, locked until the transaction ends.
pub(super) async fn locked_model(tx: &mut PgConnection, folder: &str, file: &str) -> sqlx::Result<Option<ModelRow>> {
    sqlx::query_as!(
        ModelRow,
        "SELECT id, is_like FROM generator_models WHERE folder = $1 AND file = $2 FOR UPDATE",
        folder,
        file,
    )
    .fetch_optional(tx)
    .await
}

/// Writes a word about a file; returns the row's id.
pub(super) async fn set_model(
    tx: &mut PgConnection,
    folder: &str,
    file: &str,
    is_like: Option<&str>,
    now: DateTime<Utc>,
) -> sqlx::Result<Uuid> {
    sqlx::query_scalar!(
        "INSERT INTO generator_models (id, folder, file, is_like, set_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (folder, file) DO UPDATE SET is_like = $4, set_at = $5 RETURNING id",
        Uuid::now_v7(),
        folder,
        file,
        is_like,
        now,
    )
    .fetch_one(tx)
    .await
}

pub(super) async fn forget_model(tx: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM generator_models WHERE id = $1", id).execute(tx).await?;
    Ok(())
}
