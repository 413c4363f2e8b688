//! SQL of requests for requirements.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use super::requirement::{RequestedRequirement, Requirement, RequirementKind, RequirementRequest};
use crate::ids::{RequirementRequestId, UserId};
use crate::users::WritePermit;

fn requirement(kind: &str, folder: String, name: String) -> Requirement {
    let folder = (!folder.is_empty()).then_some(folder);
    Requirement { kind: kind.parse().unwrap_or(RequirementKind::Model), folder, name }
}

/// Stores a request, or returns the user's earlier one.
pub(super) async fn insert(
    tx: &mut PgConnection,
    _: &WritePermit,
    user: UserId,
    wanted: &Requirement,
    now: DateTime<Utc>,
) -> sqlx::Result<RequirementRequest> {
    let row = sqlx::query!(
        "INSERT INTO requirement_requests AS r (id, user_id, kind, folder, name, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (user_id, kind, folder, name) DO UPDATE SET name = r.name
         RETURNING id, created_at",
        RequirementRequestId::new().0,
        user.0,
        wanted.kind.name(),
        wanted.folder.as_deref().unwrap_or_default(),
        wanted.name,
        now,
    )
    .fetch_one(tx)
    .await?;
    let (id, created_at) = (RequirementRequestId(row.id), row.created_at);
    Ok(RequirementRequest { id, requirement: wanted.clone(), created_at })
}

/// Deletes the oldest requests of a user beyond this number.
pub(super) async fn delete_oldest(tx: &mut PgConnection, user: UserId, kept: i64) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM requirement_requests WHERE id IN
           (SELECT id FROM requirement_requests WHERE user_id = $1 ORDER BY id DESC OFFSET $2)",
        user.0,
        kept,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The user's requests, newest first.
pub(super) async fn of_user(db: &PgPool, user: UserId) -> sqlx::Result<Vec<RequirementRequest>> {
    let rows = sqlx::query!(
        "SELECT id, kind, folder, name, created_at FROM requirement_requests WHERE user_id = $1 ORDER BY id DESC",
        user.0,
    )
    .fetch_all(db)
    .await?;
    let requests = rows.into_iter().map(|row| RequirementRequest {
        id: RequirementRequestId(row.id),
        requirement: requirement(&row.kind, row.folder, row.name),
        created_at: row.created_at,
    });
    Ok(requests.collect())
}

/// The requested requirements, the most requested ones first. Their pools are not filled in.
pub(super) async fn most_requested(db: &PgPool, limit: i64) -> sqlx::Result<Vec<RequestedRequirement>> {
    let rows = sqlx::query!(
        r#"SELECT (array_agg(id ORDER BY id))[1] AS "id!", kind, folder, name, count(*) AS "requests!",
                  min(created_at) AS "first_at!", max(created_at) AS "last_at!"
           FROM requirement_requests GROUP BY kind, folder, name
           ORDER BY count(*) DESC, max(created_at) DESC, kind, folder, name LIMIT $1"#,
        limit,
    )
    .fetch_all(db)
    .await?;
    let requested = rows.into_iter().map(|row| RequestedRequirement {
        id: RequirementRequestId(row.id),
        requirement: requirement(&row.kind, row.folder, row.name),
        requests: row.requests,
        first_at: row.first_at,
        last_at: row.last_at,
        pools: Vec::new(),
    });
    Ok(requested.collect())
}

/// Deletes all requests for what this one requests; returns it and their number.
pub(super) async fn close(
    tx: &mut PgConnection,
    id: RequirementRequestId,
) -> sqlx::Result<Option<(Requirement, usize)>> {
    let rows = sqlx::query!(
        "DELETE FROM requirement_requests r USING requirement_requests one
         WHERE one.id = $1 AND (r.kind, r.folder, r.name) = (one.kind, one.folder, one.name)
         RETURNING r.kind, r.folder, r.name",
        id.0,
    )
    .fetch_all(tx)
    .await?;
    let count = rows.len();
    let first = rows.into_iter().next();
    Ok(first.map(|row| (requirement(&row.kind, row.folder, row.name), count)))
}

pub(super) async fn forget(db: &PgPool, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM requirement_requests WHERE user_id = $1", user.0).execute(db).await?;
    Ok(())
}
