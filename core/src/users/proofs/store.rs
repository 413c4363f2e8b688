//! SQL of proofs, the codes in mails.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::ids::UserId;

/// What a proof allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::users) enum ProofKind {
    /// Verifies the address.
    Email,
    /// Resets the password.
    Password,
}

impl ProofKind {
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
    kind: ProofKind,
    email: &str,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    // Expired proofs are deleted when their owner asks for another.
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

/// Uses a valid proof once; returns its user and address.
pub(in crate::users) async fn take(
    connection: &mut PgConnection,
    id: Uuid,
    kind: ProofKind,
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

/// Deletes all proofs of a kind after its purpose was fulfilled.
pub(in crate::users) async fn void(connection: &mut PgConnection, user: UserId, kind: ProofKind) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM user_proofs WHERE user_id = $1 AND kind = $2", user.0, kind.word())
        .execute(connection)
        .await?;
    Ok(())
}

pub(in crate::users) async fn delete_all(connection: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM user_proofs WHERE user_id = $1", user.0).execute(connection).await?;
    Ok(())
}
