//! SQL of moderation: cases, reports and decisions in the files beside.

pub(super) mod cases;
pub(super) mod decisions;
pub(super) mod reports;

use std::collections::HashMap;

use sqlx::PgConnection;
use uuid::Uuid;

use crate::ids::UserId;
use crate::language::Language;

/// The languages of people who have not left.
pub(super) async fn languages(tx: &mut PgConnection, people: &[UserId]) -> sqlx::Result<HashMap<UserId, Language>> {
    let ids: Vec<Uuid> = people.iter().map(|id| id.0).collect();
    let rows = sqlx::query!("SELECT id, language FROM users WHERE id = ANY($1) AND deleted_at IS NULL", &ids)
        .fetch_all(tx)
        .await?;
    Ok(rows.into_iter().map(|row| (UserId(row.id), Language::from_tag(&row.language))).collect())
}
