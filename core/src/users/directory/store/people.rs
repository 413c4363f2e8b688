//! SQL of the search for users.

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use uuid::Uuid;

use crate::ids::UserId;
use crate::users::directory::sighting::Sighting;
use crate::users::store::Row;
use crate::users::user::User;

/// Users whose name or address matches the pattern; all without one.
pub(in crate::users) async fn list(
    db: &PgPool,
    start: Option<&str>,
    before: Option<UserId>,
    limit: i64,
) -> sqlx::Result<Vec<User>> {
    let before = before.map(|id| id.0);
    // Two statements, so that each is planned for its own index.
    let rows = match start {
        None => {
            sqlx::query_as!(
                Row,
                r#"SELECT u.id, u.email, u.name, u.name_tag, u.language, u.is_admin, u.plan, u.given_plan, u.given_plan_until,
                          u.subscription_plan, u.profile_asset_id, u.created_at, u.email_verified_at IS NOT NULL AS "email_verified!",
                          u.password_hash IS NOT NULL AS "has_password!", u.banned_at, u.banned_until, u.ban_reason, u.run_ceiling, u.day_ceiling,
                          ARRAY(SELECT i.provider FROM user_identities i WHERE i.user_id = u.id ORDER BY 1) AS "providers!"
                   FROM users u WHERE u.deleted_at IS NULL AND ($1::uuid IS NULL OR u.id < $1)
                   ORDER BY u.id DESC LIMIT $2"#,
                before,
                limit,
            )
            .fetch_all(db)
            .await?
        }
        Some(start) => {
            sqlx::query_as!(
                Row,
                r#"SELECT u.id, u.email, u.name, u.name_tag, u.language, u.is_admin, u.plan, u.given_plan, u.given_plan_until,
                          u.subscription_plan, u.profile_asset_id, u.created_at, u.email_verified_at IS NOT NULL AS "email_verified!",
                          u.password_hash IS NOT NULL AS "has_password!", u.banned_at, u.banned_until, u.ban_reason, u.run_ceiling, u.day_ceiling,
                          ARRAY(SELECT i.provider FROM user_identities i WHERE i.user_id = u.id ORDER BY 1) AS "providers!"
                   FROM users u WHERE u.deleted_at IS NULL AND ($1::uuid IS NULL OR u.id < $1)
                     AND (lower(u.name) LIKE $3 OR u.email LIKE $3)
                   ORDER BY u.id DESC LIMIT $2"#,
                before,
                limit,
                start,
            )
            .fetch_all(db)
            .await?
        }
    };
    Ok(rows.into_iter().map(User::from).collect())
}

pub(in crate::users) async fn sightings(
    db: &PgPool,
    address: Option<&str>,
    before: Option<Uuid>,
    limit: i64,
) -> sqlx::Result<Vec<Sighting>> {
    sqlx::query_as!(
        Sighting,
        r#"SELECT id, user_id AS "user: UserId", address, user_agent, created_at, last_seen_at FROM sessions
           WHERE ($1::text IS NULL OR address = $1) AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3"#,
        address,
        before,
        limit,
    )
    .fetch_all(db)
    .await
}

pub(in crate::users) async fn sessions(db: &PgPool, user: UserId, now: DateTime<Utc>) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM sessions WHERE user_id = $1 AND expires_at > $2"#,
        user.0,
        now,
    )
    .fetch_one(db)
    .await
}

/// Users whose names match the pattern or resemble the text by letters: those that match first, then the most similar.
pub(in crate::users) async fn similar(
    tx: &mut sqlx::PgConnection,
    text: &str,
    pattern: &str,
    limit: i64,
) -> sqlx::Result<Vec<UserId>> {
    let found = sqlx::query_scalar!(
        "SELECT id FROM users
         WHERE deleted_at IS NULL AND disabled_at IS NULL AND (
           lower(name) LIKE $2 OR normalize($1::text, NFD) <% normalize(lower(name), NFD)
         )
         ORDER BY lower(name) LIKE $2 DESC, word_similarity(normalize($1, NFD), normalize(lower(name), NFD)) DESC,
                  id LIMIT $3",
        text,
        pattern,
        limit,
    )
    .fetch_all(tx)
    .await?;
    Ok(found.into_iter().map(UserId).collect())
}
