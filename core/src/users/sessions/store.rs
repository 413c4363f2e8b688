//! SQL of sessions.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::session::Session;
use crate::ids::UserId;
use crate::users::secrets::tokens::TokenHash;
use crate::users::store::Row;
use crate::users::user::User;

/// A valid session with its user.
pub(in crate::users) struct LiveSession {
    pub id: Uuid,
    pub last_seen_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub user: User,
}

pub(in crate::users) struct NewSessionRow<'a> {
    pub hash: &'a TokenHash,
    pub user_agent: Option<String>,
    pub address: Option<IpAddr>,
    pub now: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

pub(in crate::users) async fn insert(db: &PgPool, user: UserId, new: NewSessionRow<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO sessions (id, user_id, token_hash, user_agent, address, created_at, last_seen_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6, $7)",
        Uuid::now_v7(),
        user.0,
        new.hash.as_slice(),
        new.user_agent,
        new.address.map(|address| address.to_string()),
        new.now,
        new.expires_at,
    )
    .execute(db)
    .await?;
    // Expired sessions are deleted when their user signs in again.
    sqlx::query!("DELETE FROM sessions WHERE user_id = $1 AND expires_at <= $2", user.0, new.now).execute(db).await?;
    Ok(())
}

pub(in crate::users) async fn find(
    db: &PgPool,
    hash: &TokenHash,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<LiveSession>> {
    let row = sqlx::query!(
        r#"SELECT s.id AS session_id, s.last_seen_at, s.expires_at,
                  u.id, u.email, u.name, u.name_tag, u.language, u.is_admin, u.plan, u.given_plan,
                  u.given_plan_until, u.subscription_plan, u.profile_asset_id, u.created_at,
                  u.email_verified_at IS NOT NULL AS "email_verified!", u.password_hash IS NOT NULL AS "has_password!",
                  u.banned_at, u.banned_until, u.ban_reason, u.run_ceiling, u.day_ceiling,
                  ARRAY(SELECT i.provider FROM user_identities i WHERE i.user_id = u.id ORDER BY 1) AS "providers!"
           FROM sessions s JOIN users u ON u.id = s.user_id
           WHERE s.token_hash = $1 AND s.expires_at > $2 AND u.disabled_at IS NULL"#,
        hash.as_slice(),
        now,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| LiveSession {
        id: row.session_id,
        last_seen_at: row.last_seen_at,
        expires_at: row.expires_at,
        user: User::from(Row {
            id: row.id,
            email: row.email,
            name: row.name,
            name_tag: row.name_tag,
            language: row.language,
            is_admin: row.is_admin,
            plan: row.plan,
            given_plan: row.given_plan,
            given_plan_until: row.given_plan_until,
            subscription_plan: row.subscription_plan,
            profile_asset_id: row.profile_asset_id,
            created_at: row.created_at,
            email_verified: row.email_verified,
            has_password: row.has_password,
            banned_at: row.banned_at,
            banned_until: row.banned_until,
            ban_reason: row.ban_reason,
            run_ceiling: row.run_ceiling,
            day_ceiling: row.day_ceiling,
            providers: row.providers,
        }),
    }))
}

pub(in crate::users) async fn note(
    db: &PgPool,
    id: Uuid,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!("UPDATE sessions SET last_seen_at = $2, expires_at = $3 WHERE id = $1", id, now, expires_at)
        .execute(db)
        .await?;
    Ok(())
}

/// A user's valid sessions; `own` is the hash of the current token.
pub(in crate::users) async fn list(
    db: &PgPool,
    user: UserId,
    own: Option<&TokenHash>,
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<Session>> {
    sqlx::query_as!(
        Session,
        r#"SELECT id, user_agent, address, created_at, last_seen_at, expires_at,
                  (token_hash = $3) IS TRUE AS "is_current!"
           FROM sessions
           WHERE user_id = $1 AND expires_at > $2 ORDER BY last_seen_at DESC, id DESC LIMIT 200"#,
        user.0,
        now,
        own.map(|hash| hash.as_slice()),
    )
    .fetch_all(db)
    .await
}

/// Ends the session and records the revocation; returns whether it existed.
pub(in crate::users) async fn end(db: &PgPool, user: UserId, id: Uuid) -> sqlx::Result<bool> {
    let ended = sqlx::query!(
        "WITH ended AS (DELETE FROM sessions WHERE id = $1 AND user_id = $2 RETURNING user_id)
         INSERT INTO user_revocations (user_id) SELECT user_id FROM ended",
        id,
        user.0,
    )
    .execute(db)
    .await?;
    Ok(ended.rows_affected() > 0)
}

/// As [`end`]; returns its user.
pub(in crate::users) async fn end_by_token(db: &PgPool, hash: &TokenHash) -> sqlx::Result<Option<UserId>> {
    let user = sqlx::query_scalar!(
        "WITH ended AS (DELETE FROM sessions WHERE token_hash = $1 RETURNING user_id)
         INSERT INTO user_revocations (user_id) SELECT user_id FROM ended RETURNING user_id",
        hash.as_slice(),
    )
    .fetch_optional(db)
    .await?;
    Ok(user.map(UserId))
}

/// Ends a user's sessions except the one of this token; returns their number.
pub(in crate::users) async fn end_others(
    connection: &mut PgConnection,
    user: UserId,
    kept: Option<&TokenHash>,
) -> sqlx::Result<u64> {
    let ended = sqlx::query!(
        "DELETE FROM sessions WHERE user_id = $1 AND token_hash IS DISTINCT FROM $2",
        user.0,
        kept.map(|hash| hash.as_slice()),
    )
    .execute(connection)
    .await?;
    Ok(ended.rows_affected())
}
