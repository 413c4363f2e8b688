//! SQL of users. The SQL of their sessions, keys, proofs and identities is in those sub-rooms.

pub(in crate::users) mod bans;
pub(in crate::users) mod revocations;

use chrono::{DateTime, Utc};
use rand::RngExt;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::ban::Ban;
use super::gate::WritePermit;
use super::providers::Provider;
use super::sign_up::form::TERMS_VERSION;
use super::user::{Ceilings, GivenPlan, User};
use crate::database::violates;
use crate::error::{Error, Result};
use crate::ids::{AssetId, UserId};
use crate::language::Language;

/// Attempts to draw a free tag. Later draws use a wider range, so that very many users can share a name.
const TAG_DRAWS: u32 = 12;

/// The key of the platform's own account. No e-mail address, so that no user can sign up with it.
pub(in crate::users) const HOUSE: &str = "verdigraph";

/// The columns of a user.
pub(in crate::users) struct Row {
    pub id: Uuid,
    pub email: String,
    pub name: String,
    pub name_tag: i32,
    pub language: String,
    pub is_admin: bool,
    pub plan: String,
    pub given_plan: Option<String>,
    pub given_plan_until: Option<DateTime<Utc>>,
    pub subscription_plan: Option<String>,
    pub profile_asset_id: Option<Uuid>,
    pub created_at: DateTime<Utc>,
    pub email_verified: bool,
    pub has_password: bool,
    pub banned_at: Option<DateTime<Utc>>,
    pub banned_until: Option<DateTime<Utc>>,
    pub ban_reason: Option<String>,
    pub run_ceiling: Option<i64>,
    pub day_ceiling: Option<i64>,
    pub providers: Vec<String>,
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
            own_plan: row.plan,
            given_plan: row.given_plan.zip(row.given_plan_until).map(|(plan, until)| GivenPlan { plan, until }),
            subscription_plan: row.subscription_plan,
            profile: row.profile_asset_id.map(AssetId),
            created_at: row.created_at,
            email_verified: row.email_verified,
            has_password: row.has_password,
            ceilings: Ceilings { run: row.run_ceiling, day: row.day_ceiling },
            ban: match (row.banned_at, row.ban_reason) {
                (Some(since), Some(reason)) => Some(Ban { since, until: row.banned_until, reason }),
                _ => None,
            },
            providers: row.providers.iter().filter_map(|word| Provider::from_word(word)).collect(),
        }
    }
}

/// A user to insert.
pub(in crate::users) struct NewUser<'a> {
    pub email: &'a str,
    pub name: &'a str,
    /// `None` for a user of a sign-in provider.
    pub password_hash: Option<&'a str>,
    pub language: Language,
    pub plan: &'a str,
    /// Whether a trusted party confirmed the address.
    pub email_verified: bool,
    pub now: DateTime<Utc>,
}

/// What a sign-in needs.
#[derive(Debug)]
pub(in crate::users) struct Credentials {
    pub id: UserId,
    pub password_hash: Option<String>,
    pub is_disabled: bool,
    /// Linked sign-in providers.
    pub providers: Vec<Provider>,
}

/// Inserts a user under a free tag of the name.
pub(in crate::users) async fn insert(connection: &mut PgConnection, new: &NewUser<'_>) -> Result<UserId> {
    let id = UserId::new();
    for draw in 0..TAG_DRAWS {
        let inserted = sqlx::query!(
            "INSERT INTO users
               (id, email, name, name_tag, password_hash, language, plan, terms_accepted_at, privacy_accepted_at,
                created_at, email_verified_at, terms_version)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8, $9, $10)
             ON CONFLICT ON CONSTRAINT users_name_name_tag_key DO NOTHING",
            id.0,
            new.email,
            new.name,
            draw_tag(draw),
            new.password_hash,
            new.language.tag(),
            new.plan,
            new.now,
            new.email_verified.then_some(new.now),
            TERMS_VERSION,
        )
        .execute(&mut *connection)
        .await;
        match inserted {
            Ok(done) if done.rows_affected() > 0 => return Ok(id),
            Ok(_) => {}
            Err(error) if violates(&error, "users_email_key") => return Err(Error::AuthAlreadyEmail),
            Err(error) => return Err(error.into()),
        }
    }
    Err(name_is_full())
}

pub(in crate::users) async fn set_name(db: &PgPool, _: &WritePermit, id: UserId, name: &str) -> Result<()> {
    for draw in 0..TAG_DRAWS {
        // The first attempt keeps the current tag.
        let tag = (draw > 0).then(|| draw_tag(draw));
        let updated = sqlx::query!(
            "WITH renamed AS (UPDATE users SET name = $2, name_tag = COALESCE($3, name_tag) WHERE id = $1 RETURNING id)
             INSERT INTO user_revocations (user_id) SELECT id FROM renamed",
            id.0,
            name,
            tag,
        )
        .execute(db)
        .await;
        match updated {
            Ok(_) => return Ok(()),
            Err(error) if violates(&error, "users_name_name_tag_key") => {}
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

pub(in crate::users) async fn find(db: &PgPool, ids: &[UserId]) -> sqlx::Result<Vec<User>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT u.id, u.email, u.name, u.name_tag, u.language, u.is_admin, u.plan, u.given_plan,
                  u.given_plan_until, u.subscription_plan, u.profile_asset_id, u.created_at,
                  u.email_verified_at IS NOT NULL AS "email_verified!", u.password_hash IS NOT NULL AS "has_password!",
                  u.banned_at, u.banned_until, u.ban_reason, u.run_ceiling, u.day_ceiling,
                  ARRAY(SELECT i.provider FROM user_identities i WHERE i.user_id = u.id ORDER BY 1) AS "providers!"
           FROM users u WHERE u.id = ANY($1)"#,
        &ids
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(User::from).collect())
}

/// Locks the user until the transaction ends; returns whether they have a password.
pub(in crate::users) async fn lock(connection: &mut PgConnection, id: UserId) -> sqlx::Result<bool> {
    let has_password = sqlx::query_scalar!(
        r#"SELECT password_hash IS NOT NULL AS "has_password!" FROM users WHERE id = $1 FOR UPDATE"#,
        id.0
    )
    .fetch_optional(connection)
    .await?;
    Ok(has_password.unwrap_or(false))
}

pub(in crate::users) async fn credentials(db: &PgPool, email: &str) -> sqlx::Result<Option<Credentials>> {
    let row = sqlx::query!(
        r#"SELECT u.id, u.password_hash, u.disabled_at IS NOT NULL AS "is_disabled!",
                  ARRAY(SELECT i.provider FROM user_identities i WHERE i.user_id = u.id ORDER BY 1) AS "providers!"
           FROM users u WHERE u.email = $1"#,
        email,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| Credentials {
        id: UserId(row.id),
        password_hash: row.password_hash,
        is_disabled: row.is_disabled,
        providers: row.providers.iter().filter_map(|word| Provider::from_word(word)).collect(),
    }))
}

/// The user with this address, unless the account is disabled.
pub(in crate::users) async fn by_email(db: &PgPool, email: &str) -> sqlx::Result<Option<UserId>> {
    let id = sqlx::query_scalar!("SELECT id FROM users WHERE email = $1 AND disabled_at IS NULL", email);
    Ok(id.fetch_optional(db).await?.map(UserId))
}

pub(in crate::users) async fn password_hash(db: &PgPool, id: UserId) -> sqlx::Result<Option<String>> {
    let hash = sqlx::query_scalar!("SELECT password_hash FROM users WHERE id = $1", id.0).fetch_optional(db).await?;
    Ok(hash.flatten())
}

pub(in crate::users) async fn set_password(connection: &mut PgConnection, id: UserId, hash: &str) -> sqlx::Result<()> {
    sqlx::query!("UPDATE users SET password_hash = $2 WHERE id = $1", id.0, hash).execute(connection).await?;
    Ok(())
}

/// Marks this address as verified, unless the user has another one or it was verified before; returns whether that is
/// new.
pub(in crate::users) async fn verify_email(
    connection: &mut PgConnection,
    id: UserId,
    email: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let verified = sqlx::query!(
        "UPDATE users SET email_verified_at = $3 WHERE id = $1 AND email = $2 AND email_verified_at IS NULL",
        id.0,
        email,
        now,
    )
    .execute(connection)
    .await?;
    Ok(verified.rows_affected() > 0)
}

pub(in crate::users) async fn set_profile(db: &PgPool, id: UserId, asset: Option<AssetId>) -> sqlx::Result<()> {
    let asset = asset.map(|asset| asset.0);
    sqlx::query!(
        "WITH shown AS (UPDATE users SET profile_asset_id = $2 WHERE id = $1 RETURNING id)
         INSERT INTO user_revocations (user_id) SELECT id FROM shown",
        id.0,
        asset,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Removes all personal data from the row, which stays as the author of published things.
pub(in crate::users) async fn delete(
    connection: &mut PgConnection,
    id: UserId,
    name: &str,
    now: DateTime<Utc>,
) -> Result<bool> {
    for draw in 0..TAG_DRAWS {
        // The widest range at once: all deleted users share one name.
        let tag = draw_tag(TAG_DRAWS - 1);
        let taken = sqlx::query_scalar!(
            r#"SELECT EXISTS (SELECT FROM users WHERE name = $1 AND name_tag = $2) AS "taken!""#,
            name,
            tag,
        )
        .fetch_one(&mut *connection)
        .await?;
        if taken && draw + 1 < TAG_DRAWS {
            continue;
        }
        let deleted = sqlx::query!(
            "UPDATE users SET email = 'deleted-' || id || '@deleted.invalid', name = $2, name_tag = $3,
               password_hash = NULL, profile_asset_id = NULL, email_verified_at = NULL, is_admin = false,
               disabled_at = COALESCE(disabled_at, $4), deleted_at = $4, banned_at = NULL, banned_until = NULL, ban_reason = NULL,
               run_ceiling = NULL, day_ceiling = NULL, given_plan = NULL, given_plan_until = NULL,
               subscription_plan = NULL
             WHERE id = $1 AND deleted_at IS NULL",
            id.0,
            name,
            tag,
            now,
        )
        .execute(&mut *connection)
        .await?;
        return Ok(deleted.rows_affected() > 0);
    }
    Err(name_is_full())
}

pub(in crate::users) async fn set_language(db: &PgPool, id: UserId, language: Language) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH spoken AS (UPDATE users SET language = $2 WHERE id = $1 RETURNING id)
         INSERT INTO user_revocations (user_id) SELECT id FROM spoken",
        id.0,
        language.tag(),
    )
    .execute(db)
    .await?;
    Ok(())
}

pub(in crate::users) async fn set_ceilings(db: &PgPool, id: UserId, ceilings: Ceilings) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH bounded AS (UPDATE users SET run_ceiling = $2, day_ceiling = $3 WHERE id = $1 RETURNING id)
         INSERT INTO user_revocations (user_id) SELECT id FROM bounded",
        id.0,
        ceilings.run,
        ceilings.day,
    )
    .execute(db)
    .await?;
    Ok(())
}

pub(in crate::users) async fn is_empty(db: &PgPool) -> sqlx::Result<bool> {
    sqlx::query_scalar("SELECT NOT EXISTS (SELECT FROM users WHERE email <> $1)").bind(HOUSE).fetch_one(db).await
}

/// Deleted users whose data is not completely deleted yet.
pub(in crate::users) async fn deleted_users(
    db: &PgPool,
    after: Option<UserId>,
    limit: i64,
) -> sqlx::Result<Vec<UserId>> {
    let ids = sqlx::query_scalar!(
        "SELECT id FROM users WHERE deleted_at IS NOT NULL AND cleared_at IS NULL AND id > $1 ORDER BY id LIMIT $2",
        after.map_or(Uuid::nil(), |user| user.0),
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(ids.into_iter().map(UserId).collect())
}

pub(in crate::users) async fn mark_cleaned_up(db: &PgPool, id: UserId, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("UPDATE users SET cleared_at = $2 WHERE id = $1 AND deleted_at IS NOT NULL", id.0, now)
        .execute(db)
        .await?;
    Ok(())
}
