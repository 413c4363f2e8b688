//! SQL of pending sign-ups.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::language::Language;

/// A pending sign-up.
pub(super) struct PendingRow {
    pub email: String,
    pub name: String,
    pub password_hash: String,
    pub language: Language,
}

/// Deletes expired sign-ups; returns how many.
pub(super) async fn delete_expired(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    let deleted = sqlx::query!("DELETE FROM pending_sign_ups WHERE expires_at <= $1", now).execute(db).await?;
    Ok(deleted.rows_affected())
}

pub(super) async fn insert(
    connection: &mut PgConnection,
    id: Uuid,
    row: &PendingRow,
    expires_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO pending_sign_ups (id, email, name, password_hash, language, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        id,
        row.email,
        row.name,
        row.password_hash,
        row.language.tag(),
        expires_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Uses one attempt of a pending sign-up; returns whether it had one left.
pub(super) async fn spend_try(db: &PgPool, id: Uuid, most: i32, now: DateTime<Utc>) -> sqlx::Result<bool> {
    let updated = sqlx::query!(
        "UPDATE pending_sign_ups SET tries = tries + 1 WHERE id = $1 AND expires_at > $2 AND tries < $3",
        id,
        now,
        most,
    )
    .execute(db)
    .await?;
    Ok(updated.rows_affected() > 0)
}

/// Deletes and returns a pending sign-up, so that only one caller gets it.
pub(super) async fn take(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<PendingRow>> {
    let row =
        sqlx::query!("DELETE FROM pending_sign_ups WHERE id = $1 RETURNING email, name, password_hash, language", id,)
            .fetch_optional(connection)
            .await?;
    Ok(row.map(|row| PendingRow {
        email: row.email,
        name: row.name,
        password_hash: row.password_hash,
        language: Language::from_tag(&row.language),
    }))
}
