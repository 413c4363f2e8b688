//! SQL of API keys.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use super::api_key::ApiKey;
use crate::database;
use crate::ids::{ApiKeyId, UserId};
use crate::users::gate::WritePermit;
use crate::users::secrets::tokens::TokenHash;
use crate::users::store::Row;
use crate::users::user::User;

/// Inserts the key unless the user has too many valid ones; returns whether it did.
pub(in crate::users) async fn insert(
    db: &PgPool,
    _: &WritePermit,
    user: UserId,
    key: &ApiKey,
    hash: &TokenHash,
    limit: u32,
) -> sqlx::Result<bool> {
    let mut transaction = database::begin(db).await?;
    // The row lock serializes concurrent creations, so that the limit holds.
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

pub(in crate::users) async fn list(db: &PgPool, user: UserId) -> sqlx::Result<Vec<ApiKey>> {
    sqlx::query_as!(
        ApiKey,
        "SELECT id, name, prefix, created_at, last_used_at, revoked_at FROM api_keys
         WHERE user_id = $1 ORDER BY revoked_at IS NOT NULL, id DESC LIMIT 200",
        user.0,
    )
    .fetch_all(db)
    .await
}

/// Revokes the key and records the revocation; returns whether it existed.
pub(in crate::users) async fn revoke(
    db: &PgPool,
    user: UserId,
    id: ApiKeyId,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let revoked = sqlx::query!(
        "WITH revoked AS (
           UPDATE api_keys SET revoked_at = COALESCE(revoked_at, $3) WHERE id = $1 AND user_id = $2 RETURNING user_id)
         INSERT INTO user_revocations (user_id) SELECT user_id FROM revoked",
        id.0,
        user.0,
        now,
    )
    .execute(db)
    .await?;
    Ok(revoked.rows_affected() > 0)
}

pub(in crate::users) async fn find(db: &PgPool, hash: &TokenHash) -> sqlx::Result<Option<(ApiKeyId, User)>> {
    let row = sqlx::query!(
        r#"SELECT k.id AS key_id,
                  u.id, u.email, u.name, u.name_tag, u.language, u.is_admin, u.plan, u.given_plan,
                  u.given_plan_until, u.subscription_plan, u.profile_asset_id, u.created_at,
                  u.email_verified_at IS NOT NULL AS "email_verified!", u.password_hash IS NOT NULL AS "has_password!",
                  u.banned_at, u.banned_until, u.ban_reason, u.run_ceiling, u.day_ceiling,
                  ARRAY(SELECT i.provider FROM user_identities i WHERE i.user_id = u.id ORDER BY 1) AS "providers!"
           FROM api_keys k JOIN users u ON u.id = k.user_id
           WHERE k.key_hash = $1 AND k.revoked_at IS NULL AND u.disabled_at IS NULL"#,
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
        });
        (ApiKeyId(row.key_id), user)
    }))
}

pub(in crate::users) async fn note(db: &PgPool, id: ApiKeyId, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)",
        id.0,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

pub(in crate::users) async fn revoke_all(
    connection: &mut PgConnection,
    user: UserId,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!("UPDATE api_keys SET revoked_at = $2 WHERE user_id = $1 AND revoked_at IS NULL", user.0, now)
        .execute(connection)
        .await?;
    Ok(())
}

pub(in crate::users) async fn delete_all(connection: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM api_keys WHERE user_id = $1", user.0).execute(connection).await?;
    Ok(())
}
