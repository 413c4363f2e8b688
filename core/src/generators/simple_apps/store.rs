//! SQL of the apps that admins bind to addresses.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::ids::WorkflowApiId;

/// The mini apps that admins bound, with their addresses.
pub(super) async fn bindings(db: &PgPool) -> sqlx::Result<Vec<(String, WorkflowApiId)>> {
    let rows = sqlx::query!("SELECT address, workflow_api_id FROM simple_app_bindings").fetch_all(db).await?;
    Ok(rows.into_iter().map(|row| (row.address, WorkflowApiId(row.workflow_api_id))).collect())
}

/// What is bound to an address, as a row.
pub(super) struct BindingRow {
    pub id: Uuid,
    pub workflow_api_id: Uuid,
}

/// What is bound to an address, locked until the transaction ends.
pub(super) async fn locked_binding(tx: &mut PgConnection, address: &str) -> sqlx::Result<Option<BindingRow>> {
    sqlx::query_as!(
        BindingRow,
        "SELECT id, workflow_api_id FROM simple_app_bindings WHERE address = $1 FOR UPDATE",
        address,
    )
    .fetch_optional(tx)
    .await
}

/// Binds an app to an address; returns the row's id.
pub(super) async fn bind(
    tx: &mut PgConnection,
    address: &str,
    app: WorkflowApiId,
    now: DateTime<Utc>,
) -> sqlx::Result<Uuid> {
    sqlx::query_scalar!(
        "INSERT INTO simple_app_bindings (id, address, workflow_api_id, set_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (address) DO UPDATE SET workflow_api_id = $3, set_at = $4 RETURNING id",
        Uuid::now_v7(),
        address,
        app.0,
        now,
    )
    .fetch_one(tx)
    .await
}

pub(super) async fn unbind(tx: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM simple_app_bindings WHERE id = $1", id).execute(tx).await?;
    Ok(())
}
