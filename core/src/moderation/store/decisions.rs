//! SQL of decisions.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::ids::{CaseId, UserId};
use crate::moderation::{Decision, DecisionKind};

pub(in crate::moderation) async fn insert(tx: &mut PgConnection, decision: &Decision) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO moderation_decisions (id, case_id, user_id, admin_id, kind, text, until, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        decision.id,
        decision.case.map(|case| case.0),
        decision.user.0,
        decision.admin.0,
        decision.kind as i16,
        decision.text,
        decision.until,
        decision.created_at,
    )
    .execute(tx)
    .await?;
    Ok(())
}

struct Row {
    id: Uuid,
    case_id: Option<Uuid>,
    user_id: Uuid,
    admin_id: Uuid,
    kind: i16,
    text: String,
    until: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
}

/// Decisions about a user, newest first.
pub(in crate::moderation) async fn of_user(db: &PgPool, user: UserId, limit: i64) -> sqlx::Result<Vec<Decision>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, case_id, user_id, admin_id, kind, text, until, created_at
         FROM moderation_decisions WHERE user_id = $1 ORDER BY id DESC LIMIT $2",
        user.0,
        limit,
    )
    .fetch_all(db)
    .await?;
    let read = |row: Row| Decision {
        id: row.id,
        case: row.case_id.map(CaseId),
        user: UserId(row.user_id),
        admin: UserId(row.admin_id),
        // A database constraint allows only known kinds.
        kind: DecisionKind::from_number(row.kind),
        text: row.text,
        until: row.until,
        created_at: row.created_at,
    };
    Ok(rows.into_iter().map(read).collect())
}
