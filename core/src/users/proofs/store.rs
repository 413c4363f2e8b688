//! SQL of what somebody can prove by a code in a letter.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::ids::UserId;

/// What a proof is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::users) enum Kind {
    /// That the address is the person's.
    Email,
    /// That the person may choose a new password.
    Password,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::Email => "Email",
            Self::Password => "Password",
        }
    }
}

pub(in crate::users) async fn insert(
    connection: &mut PgConnection,
    id: Uuid,
    user: UserId,
    kind: Kind,
    email: &str,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    // Proofs that are over are cleared away where their owner asks for another.
    sqlx::query!("DELETE FROM user_proofs WHERE user_id = $1 AND expires_at <= $2", user.0, now)
        .execute(&mut *connection)
        .await?;
    sqlx::query!(
        "INSERT INTO user_proofs (id, user_id, kind, email, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)",
        id,
        user.0,
        kind.word(),
        email,
        now,
        expires_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Uses a proof that is live, once; gives whose it is and of which address.
pub(in crate::users) async fn take(
    connection: &mut PgConnection,
    id: Uuid,
    kind: Kind,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<(UserId, String)>> {
    let row = sqlx::query!(
        "UPDATE user_proofs p SET used_at = $3 FROM users u
         WHERE p.id = $1 AND p.kind = $2 AND p.used_at IS NULL AND p.expires_at > $3
           AND u.id = p.user_id AND u.email = p.email AND u.disabled_at IS NULL
         RETURNING p.user_id, p.email",
        id,
        kind.word(),
        now,
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|row| (UserId(row.user_id), row.email)))
}

/// Makes all proofs of a kind worthless, because what they were for has been done.
pub(in crate::users) async fn void(connection: &mut PgConnection, user: UserId, kind: Kind) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM user_proofs WHERE user_id = $1 AND kind = $2", user.0, kind.word())
        .execute(connection)
        .await?;
    Ok(())
}

/// Deletes all proofs of somebody, within the caller's transaction.
pub(in crate::users) async fn delete_all(connection: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM user_proofs WHERE user_id = $1", user.0).execute(connection).await?;
    Ok(())
}
