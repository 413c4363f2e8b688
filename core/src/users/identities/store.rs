//! SQL of linked accounts and of flows.

use chrono::{DateTime, Utc};
use sqlx::types::Json;
use sqlx::{PgConnection, PgPool};

use crate::ids::UserId;
use crate::users::providers::{Provider, ProviderProfile};
use crate::users::secrets::tokens::TokenHash;

/// A sign-in in progress.
pub(in crate::users) struct Flow {
    pub nonce: String,
    pub verifier: String,
    /// Set after the provider returned the profile.
    pub identity: Option<ProviderProfile>,
    /// The user who links an account; `None` for signing in.
    pub user: Option<UserId>,
}

pub(in crate::users) async fn insert_flow(
    db: &PgPool,
    provider: Provider,
    state: &TokenHash,
    browser: &TokenHash,
    flow: &Flow,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM sign_in_flows WHERE expires_at <= $1", now).execute(db).await?;
    sqlx::query!(
        "INSERT INTO sign_in_flows (state_hash, provider, browser_hash, nonce, verifier, identity, expires_at, user_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        state.as_slice(),
        provider.word(),
        browser.as_slice(),
        flow.nonce,
        flow.verifier,
        flow.identity.as_ref().map(Json) as _,
        expires_at,
        flow.user.map(|user| user.0),
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Takes a flow that this browser started for this purpose. Each flow can be taken once.
pub(in crate::users) async fn take_flow(
    db: &PgPool,
    provider: Provider,
    state: &TokenHash,
    browser: &TokenHash,
    user: Option<UserId>,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<Flow>> {
    let row = sqlx::query!(
        r#"DELETE FROM sign_in_flows
           WHERE state_hash = $1 AND provider = $2 AND browser_hash = $3 AND expires_at > $4
             AND user_id IS NOT DISTINCT FROM $5
           RETURNING nonce, verifier, identity AS "identity: Json<ProviderProfile>""#,
        state.as_slice(),
        provider.word(),
        browser.as_slice(),
        now,
        user.map(|user| user.0),
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| {
        let identity = row.identity.map(|profile| profile.0);
        Flow { nonce: row.nonce, verifier: row.verifier, identity, user }
    }))
}

pub(in crate::users) async fn insert(
    connection: &mut PgConnection,
    user: UserId,
    profile: &ProviderProfile,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO user_identities (provider, subject, user_id, email, created_at, used_at)
         VALUES ($1, $2, $3, $4, $5, $5)",
        profile.provider.word(),
        profile.subject,
        user.0,
        profile.email,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The user of a provider's account, and whether they are disabled; records the use.
pub(in crate::users) async fn use_identity(
    db: &PgPool,
    profile: &ProviderProfile,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<(UserId, bool)>> {
    let row = sqlx::query!(
        r#"UPDATE user_identities i SET used_at = $3, email = $4 FROM users u
           WHERE i.provider = $1 AND i.subject = $2 AND u.id = i.user_id
           RETURNING i.user_id, u.disabled_at IS NOT NULL AS "is_disabled!""#,
        profile.provider.word(),
        profile.subject,
        now,
        profile.email,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| (UserId(row.user_id), row.is_disabled)))
}

pub(in crate::users) async fn delete_all(connection: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM user_identities WHERE user_id = $1", user.0).execute(connection).await?;
    Ok(())
}

/// The user of a provider's account.
pub(in crate::users) async fn owner(
    connection: &mut PgConnection,
    profile: &ProviderProfile,
) -> sqlx::Result<Option<UserId>> {
    let owner = sqlx::query_scalar!(
        "SELECT user_id FROM user_identities WHERE provider = $1 AND subject = $2",
        profile.provider.word(),
        profile.subject,
    )
    .fetch_optional(connection)
    .await?;
    Ok(owner.map(UserId))
}

pub(in crate::users) async fn providers_of(connection: &mut PgConnection, user: UserId) -> sqlx::Result<Vec<Provider>> {
    let words = sqlx::query_scalar!("SELECT provider FROM user_identities WHERE user_id = $1 ORDER BY 1", user.0)
        .fetch_all(connection)
        .await?;
    Ok(words.iter().filter_map(|word| Provider::from_word(word)).collect())
}

/// As [`insert`], unless the identity is taken; returns whether it was free.
pub(in crate::users) async fn insert_free(
    connection: &mut PgConnection,
    user: UserId,
    profile: &ProviderProfile,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO user_identities (provider, subject, user_id, email, created_at, used_at)
         VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT DO NOTHING",
        profile.provider.word(),
        profile.subject,
        user.0,
        profile.email,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

pub(in crate::users) async fn delete(
    connection: &mut PgConnection,
    user: UserId,
    provider: Provider,
) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM user_identities WHERE user_id = $1 AND provider = $2", user.0, provider.word())
        .execute(connection)
        .await?;
    Ok(())
}
