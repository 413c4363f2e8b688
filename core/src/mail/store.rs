//! SQL of mails and their codes.

use chrono::{DateTime, Utc};
use sqlx::types::Json;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::code::CodeHash;
use super::email::{Content, Email};
use crate::language::Language;

/// A leased mail.
pub(super) struct DueMail {
    pub id: Uuid,
    pub to: String,
    pub language: Language,
    pub content: Content,
    /// Attempts, including this one.
    pub attempts: i32,
}

/// Inserts the mail unless too many wait; returns whether it did.
pub(super) async fn insert(
    connection: &mut PgConnection,
    letter: &Email,
    now: DateTime<Utc>,
    most: u32,
) -> sqlx::Result<bool> {
    let inserted = sqlx::query!(
        "INSERT INTO mails (id, recipient, language, letter, created_at, due_at)
         SELECT $1, $2, $3, $4, $5, $5
         WHERE (SELECT count(*) FROM (SELECT FROM mails WHERE ended_at IS NULL LIMIT $6) AS waiting) < $6",
        Uuid::now_v7(),
        letter.to,
        letter.language.tag(),
        Json(&letter.content) as _,
        now,
        i64::from(most),
    )
    .execute(connection)
    .await?;
    Ok(inserted.rows_affected() > 0)
}

/// Leases due mails: they are due again at `until` unless they are finished or postponed before.
pub(super) async fn claim(
    db: &PgPool,
    now: DateTime<Utc>,
    until: DateTime<Utc>,
    limit: i64,
) -> sqlx::Result<Vec<DueMail>> {
    let rows = sqlx::query!(
        r#"UPDATE mails SET due_at = $2, attempts = attempts + 1
           WHERE id IN (
             SELECT id FROM mails WHERE ended_at IS NULL AND due_at <= $1
             ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
           )
           RETURNING id, recipient, language, letter AS "letter: Json<Content>", attempts"#,
        now,
        until,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| DueMail {
            id: row.id,
            to: row.recipient,
            language: Language::from_tag(&row.language),
            content: row.letter.0,
            attempts: row.attempts,
        })
        .collect())
}

pub(super) async fn end(db: &PgPool, id: Uuid, now: DateTime<Utc>, failure: Option<&str>) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE mails SET ended_at = $2, is_sent = $3::text IS NULL, failure = $3 WHERE id = $1 AND ended_at IS NULL",
        id,
        now,
        failure,
    )
    .execute(db)
    .await?;
    Ok(())
}

pub(super) async fn delete(db: &PgPool, id: Uuid) -> sqlx::Result<()> {
    sqlx::query("DELETE FROM mails WHERE id = $1").bind(id).execute(db).await?;
    Ok(())
}

pub(super) async fn put_off(db: &PgPool, id: Uuid, due_at: DateTime<Utc>, failure: &str) -> sqlx::Result<()> {
    sqlx::query!("UPDATE mails SET due_at = $2, failure = $3 WHERE id = $1 AND ended_at IS NULL", id, due_at, failure,)
        .execute(db)
        .await?;
    Ok(())
}

pub(super) async fn insert_code(db: &PgPool, hash: &CodeHash, proof: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO mail_codes (code_hash, proof, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        hash.as_slice(),
        proof,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

pub(super) async fn proof(db: &PgPool, hash: &CodeHash) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!("SELECT proof FROM mail_codes WHERE code_hash = $1", hash.as_slice()).fetch_optional(db).await
}

pub(super) async fn forget(connection: &mut PgConnection, address: &str) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM mails WHERE recipient = $1", address).execute(connection).await?;
    Ok(())
}

pub(super) async fn forget_old(db: &PgPool, before: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM mails WHERE ended_at < $1", before).execute(db).await?;
    sqlx::query!("DELETE FROM mail_codes WHERE created_at < $1", before).execute(db).await?;
    Ok(())
}
