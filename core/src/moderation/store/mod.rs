//! SQL of moderation.

pub(super) mod cases;
pub(super) mod decisions;
pub(super) mod reports;

use sqlx::PgConnection;
use uuid::Uuid;

use crate::ids::UserId;

/// The users among these who are not deleted.
pub(super) async fn remaining(tx: &mut PgConnection, people: &[UserId]) -> sqlx::Result<Vec<UserId>> {
    let ids: Vec<Uuid> = people.iter().map(|id| id.0).collect();
    let rows =
        sqlx::query!("SELECT id FROM users WHERE id = ANY($1) AND deleted_at IS NULL", &ids).fetch_all(tx).await?;
    Ok(rows.into_iter().map(|row| UserId(row.id)).collect())
}
