//! SQL of users, sessions and API keys.

pub(super) mod contact_points;

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use rand::RngExt;
use sqlx::PgPool;
use uuid::Uuid;

use super::tokens::TokenHash;
use super::{ApiKey, Language, Session, User};
use crate::error::{Error, Result};
use crate::ids::{ApiKeyId, AssetId, UserId};

/// Tags are drawn again this often; later draws come from a wider range, so that a name can be had by very many.
const TAG_DRAWS: u32 = 12;

struct Row {
    id: Uuid,
    email: String,
    name: String,
    name_tag: i32,
    language: String,
    is_admin: bool,
    plan: String,
    profile_asset_id: Option<Uuid>,
    created_at: DateTime<Utc>,
}

impl From<Row> for User {
    fn from(row: Row) -> Self {
        Self {
            id: UserId(row.id),
            email: row.email,
            name: row.name,
            tag: row.name_tag,
            language: Language::from_tag(&row.language),
            is_admin: row.is_admin,
            plan: row.plan,
            profile: row.profile_asset_id.map(AssetId),
            created_at: row.created_at,
        }
    }
}

/// A user to be inserted.
pub(super) struct NewUser<'a> {
    pub email: &'a str,
    pub name: &'a str,
    pub password_hash: &'a str,
    pub language: Language,
    pub plan: &'a str,
    pub now: DateTime<Utc>,
}

/// What signing in needs to know.
pub(super) struct Credentials {
    pub id: UserId,
    pub password_hash: Option<String>,
    pub is_disabled: bool,
}

/// A live session with its owner.
pub(super) struct LiveSession {
    pub id: Uuid,
    pub last_seen_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub user: User,
}

/// A session to be inserted.
pub(super) struct NewSessionRow<'a> {
    pub hash: &'a TokenHash,
    pub user_agent: Option<String>,
    pub address: Option<IpAddr>,
    pub now: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

pub(super) async fn insert(db: &PgPool, new: &NewUser<'_>) -> Result<User> {
    let id = UserId::new();
    for draw in 0..TAG_DRAWS {
        let inserted = sqlx::query!(
            "INSERT INTO users
               (id, email, name, name_tag, password_hash, language, plan, terms_accepted_at, privacy_accepted_at, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8)",
            id.0,
            new.email,
            new.name,
            draw_tag(draw),
            new.password_hash,
            new.language.tag(),
            new.plan,
            new.now,
        )
        .execute(db)
        .await;
        match inserted {
            Ok(_) => return find(db, id).await?.ok_or(Error::NotFound { what: "user" }),
            Err(error) if violates(&error, "users_email_key") => return Err(Error::AuthAlreadyEmail),
            Err(error) if violates(&error, "users_name_tag_key") => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(name_is_full())
}

pub(super) async fn set_name(db: &PgPool, id: UserId, name: &str) -> Result<()> {
    for draw in 0..TAG_DRAWS {
        // The first try keeps the tag that people know.
        let tag = (draw > 0).then(|| draw_tag(draw));
        let updated = sqlx::query!(
            "UPDATE users SET name = $2, name_tag = COALESCE($3, name_tag) WHERE id = $1",
            id.0,
            name,
            tag,
        )
        .execute(db)
        .await;
        match updated {
            Ok(_) => return Ok(()),
            Err(error) if violates(&error, "users_name_tag_key") => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(name_is_full())
}

fn draw_tag(draw: u32) -> i32 {
    let highest = if draw < TAG_DRAWS / 2 { 9_999 } else { 9_999_999 };
    rand::rng().random_range(1..=highest)
}

fn name_is_full() -> Error {
    Error::invalid("name", "too many people have this name")
}

fn violates(error: &sqlx::Error, constraint: &str) -> bool {
    error.as_database_error().and_then(|error| error.constraint()) == Some(constraint)
}

pub(super) async fn find(db: &PgPool, id: UserId) -> sqlx::Result<Option<User>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, email, name, name_tag, language, is_admin, plan, profile_asset_id, created_at
         FROM users WHERE id = $1",
        id.0
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(User::from))
}

pub(super) async fn credentials(db: &PgPool, email: &str) -> sqlx::Result<Option<Credentials>> {
    let row = sqlx::query!("SELECT id, password_hash, disabled_at FROM users WHERE email = $1", email)
        .fetch_optional(db)
        .await?;
    Ok(row.map(|row| Credentials {
        id: UserId(row.id),
        password_hash: row.password_hash,
        is_disabled: row.disabled_at.is_some(),
    }))
}

pub(super) async fn set_language(db: &PgPool, id: UserId, language: Language) -> sqlx::Result<()> {
    sqlx::query!("UPDATE users SET language = $2 WHERE id = $1", id.0, language.tag()).execute(db).await?;
    Ok(())
}

pub(super) async fn promote(db: &PgPool, email: &str) -> sqlx::Result<Option<UserId>> {
    let id = sqlx::query_scalar!("UPDATE users SET is_admin = true WHERE email = $1 RETURNING id", email)
        .fetch_optional(db)
        .await?;
    Ok(id.map(UserId))
}

pub(super) async fn insert_session(db: &PgPool, user: UserId, new: NewSessionRow<'_>) -> sqlx::Result<()> {
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
    // Sessions that are over are cleared away where their owner comes back.
    sqlx::query!("DELETE FROM sessions WHERE user_id = $1 AND expires_at <= $2", user.0, new.now).execute(db).await?;
    Ok(())
}

pub(super) async fn session(db: &PgPool, hash: &TokenHash, now: DateTime<Utc>) -> sqlx::Result<Option<LiveSession>> {
    let row = sqlx::query!(
        "SELECT s.id AS session_id, s.last_seen_at, s.expires_at, u.id, u.email, u.name, u.name_tag, u.language,
                u.is_admin, u.plan, u.profile_asset_id, u.created_at
         FROM sessions s JOIN users u ON u.id = s.user_id
         WHERE s.token_hash = $1 AND s.expires_at > $2 AND u.disabled_at IS NULL",
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
            profile_asset_id: row.profile_asset_id,
            created_at: row.created_at,
        }),
    }))
}

pub(super) async fn note_session(
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

pub(super) async fn sessions(db: &PgPool, user: UserId, now: DateTime<Utc>) -> sqlx::Result<Vec<Session>> {
    sqlx::query_as!(
        Session,
        "SELECT id, user_agent, address, created_at, last_seen_at, expires_at FROM sessions
         WHERE user_id = $1 AND expires_at > $2 ORDER BY last_seen_at DESC, id DESC LIMIT 200",
        user.0,
        now,
    )
    .fetch_all(db)
    .await
}

pub(super) async fn end_session(db: &PgPool, user: UserId, id: Uuid) -> sqlx::Result<bool> {
    let ended = sqlx::query!("DELETE FROM sessions WHERE id = $1 AND user_id = $2", id, user.0).execute(db).await?;
    Ok(ended.rows_affected() > 0)
}

pub(super) async fn end_session_of(db: &PgPool, hash: &TokenHash) -> sqlx::Result<Option<UserId>> {
    let user = sqlx::query_scalar!("DELETE FROM sessions WHERE token_hash = $1 RETURNING user_id", hash.as_slice())
        .fetch_optional(db)
        .await?;
    Ok(user.map(UserId))
}

/// Inserts the key unless the person has too many live ones; tells whether it did.
pub(super) async fn insert_api_key(
    db: &PgPool,
    user: UserId,
    key: &ApiKey,
    hash: &TokenHash,
    limit: u32,
) -> sqlx::Result<bool> {
    let mut transaction = db.begin().await?;
    // Locks the person, so that keys made side by side are counted one after another.
    sqlx::query!("SELECT id FROM users WHERE id = $1 FOR UPDATE", user.0).fetch_optional(&mut *transaction).await?;
    let inserted = sqlx::query!(
        "INSERT INTO api_keys (id, user_id, name, prefix, key_hash, created_at)
         SELECT $1, $2, $3, $4, $5, $6
         WHERE (SELECT count(*) FROM api_keys WHERE user_id = $2 AND revoked_at IS NULL) < $7",
        key.id.0,
        user.0,
        key.name,
        key.prefix,
        hash.as_slice(),
        key.created_at,
        i64::from(limit),
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(inserted.rows_affected() > 0)
}

pub(super) async fn api_keys(db: &PgPool, user: UserId) -> sqlx::Result<Vec<ApiKey>> {
    sqlx::query_as!(
        ApiKey,
        "SELECT id, name, prefix, created_at, last_used_at, revoked_at FROM api_keys
         WHERE user_id = $1 ORDER BY revoked_at IS NOT NULL, id DESC LIMIT 200",
        user.0,
    )
    .fetch_all(db)
    .await
}

pub(super) async fn revoke_api_key(db: &PgPool, user: UserId, id: ApiKeyId, now: DateTime<Utc>) -> sqlx::Result<bool> {
    let revoked = sqlx::query!(
        "UPDATE api_keys SET revoked_at = COALESCE(revoked_at, $3) WHERE id = $1 AND user_id = $2",
        id.0,
        user.0,
        now,
    )
    .execute(db)
    .await?;
    Ok(revoked.rows_affected() > 0)
}

pub(super) async fn api_key(db: &PgPool, hash: &TokenHash) -> sqlx::Result<Option<(ApiKeyId, User)>> {
    let row = sqlx::query!(
        "SELECT k.id AS key_id, u.id, u.email, u.name, u.name_tag, u.language, u.is_admin, u.plan,
                u.profile_asset_id, u.created_at
         FROM api_keys k JOIN users u ON u.id = k.user_id
         WHERE k.key_hash = $1 AND k.revoked_at IS NULL AND u.disabled_at IS NULL",
        hash.as_slice(),
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| {
        let user = User::from(Row {
            id: row.id,
            email: row.email,
            name: row.name,
            name_tag: row.name_tag,
            language: row.language,
            is_admin: row.is_admin,
            plan: row.plan,
            profile_asset_id: row.profile_asset_id,
            created_at: row.created_at,
        });
        (ApiKeyId(row.key_id), user)
    }))
}

pub(super) async fn note_api_key(db: &PgPool, id: ApiKeyId, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)",
        id.0,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Whether the table is empty.
pub(super) async fn are_none(db: &PgPool) -> sqlx::Result<bool> {
    sqlx::query_scalar("SELECT NOT EXISTS (SELECT FROM users)").fetch_one(db).await
}
