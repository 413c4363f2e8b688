//! SQL of the audit log, which is append-only.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::action::Action;
use super::entry::{Act, AuditEntry, AuditFilter};
use crate::ids::{AuditId, UserId};
use crate::outbound;

pub(super) async fn insert(tx: &mut PgConnection, entry: &AuditEntry) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO audit_entries (id, admin_id, action, target_id, person_id, before, after, request_id, address,
                                    created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        entry.id.0,
        entry.admin.map(|admin| admin.0),
        entry.act.action.name(),
        entry.act.target,
        entry.act.person.map(|person| person.0),
        entry.act.before,
        entry.act.after,
        entry.request_id,
        entry.address,
        entry.created_at,
    )
    .execute(tx)
    .await?;
    Ok(())
}

struct Row {
    id: Uuid,
    admin_id: Option<Uuid>,
    action: String,
    target_id: Uuid,
    person_id: Option<Uuid>,
    before: Value,
    after: Value,
    request_id: Option<String>,
    address: Option<String>,
    created_at: DateTime<Utc>,
}

impl Row {
    /// `None` for an action of a newer version.
    fn read(self) -> Option<AuditEntry> {
        Some(AuditEntry {
            id: AuditId(self.id),
            admin: self.admin_id.map(UserId),
            act: Act {
                action: self.action.parse().ok()?,
                target: self.target_id,
                person: self.person_id.map(UserId),
                before: shown(self.before),
                after: shown(self.after),
            },
            request_id: self.request_id,
            address: self.address,
            created_at: self.created_at,
        })
    }
}

/// Removes credentials from an address; older versions recorded them.
fn shown(mut state: Value) -> Value {
    if let Some(Value::String(address)) = state.get_mut("url") {
        *address = outbound::without_credentials(address);
    }
    state
}

pub(super) async fn list(
    db: &PgPool,
    filter: AuditFilter,
    before: Option<AuditId>,
    limit: i64,
) -> sqlx::Result<Vec<AuditEntry>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, admin_id, action, target_id, person_id, before, after, request_id, address, created_at
         FROM audit_entries
         WHERE ($1::uuid IS NULL OR admin_id = $1) AND ($2::text IS NULL OR action = $2)
           AND ($3::uuid IS NULL OR target_id = $3 OR person_id = $3)
           AND ($4::timestamptz IS NULL OR created_at >= $4) AND ($5::timestamptz IS NULL OR created_at < $5)
           AND ($6::uuid IS NULL OR id < $6)
         ORDER BY id DESC LIMIT $7",
        filter.admin.map(|admin| admin.0),
        filter.action.map(Action::name),
        filter.target,
        filter.from,
        filter.to,
        before.map(|id| id.0),
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().filter_map(Row::read).collect())
}
