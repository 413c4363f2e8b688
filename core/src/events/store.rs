//! SQL of the events.

use chrono::{DateTime, Utc};
use serde_json::value::RawValue;
use sqlx::types::Json;
use sqlx::{FromRow, PgConnection, PgPool};
use uuid::Uuid;

use super::event::{Event, EventKind, EventSubject, NewEvent};
use crate::ids::{BatchId, EventId, JobId, UserId, WorkflowApiId, WorkflowApiVersionId};

/// Inserts events into the outbox; returns their ids.
pub(super) async fn insert(connection: &mut PgConnection, events: &[NewEvent]) -> sqlx::Result<Vec<EventId>> {
    fn column<'a, T>(events: &'a [NewEvent], value: impl Fn(&'a NewEvent) -> T) -> Vec<T> {
        events.iter().map(value).collect()
    }
    let ids: Vec<EventId> = events.iter().map(|_| EventId::new()).collect();
    sqlx::query(
        "INSERT INTO events_outbox (created_at, id, user_id, job_id, batch_id, version_id, workflow_api_id, kind, data)
         SELECT created_at, id, user_id, job_id, batch_id, version_id, workflow_api_id, kind, data::json
         FROM UNNEST($1::timestamptz[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[],
                     $8::smallint[], $9::text[]) WITH ORDINALITY
           AS v(created_at, id, user_id, job_id, batch_id, version_id, workflow_api_id, kind, data, place)
         ORDER BY place",
    )
    .bind(column(events, |event| event.at))
    .bind(ids.iter().map(|id| id.0).collect::<Vec<_>>())
    .bind(column(events, |event| event.user.0))
    .bind(column(events, |event| event.about.job.map(|id| id.0)))
    .bind(column(events, |event| event.about.batch.map(|id| id.0)))
    .bind(column(events, |event| event.about.version.map(|id| id.0)))
    .bind(column(events, |event| event.about.workflow_api.map(|id| id.0)))
    .bind(column(events, |event| event.kind as i16))
    .bind(column(events, |event| event.data.as_str()))
    .execute(connection)
    .await?;
    Ok(ids)
}

/// Locks the head of the log until the transaction ends, and returns the last position. Later statements of the
/// transaction see everything the previous holder wrote.
pub(super) async fn lock_head(tx: &mut PgConnection) -> sqlx::Result<i64> {
    sqlx::query_scalar!("SELECT last FROM events_head FOR UPDATE").fetch_one(tx).await
}

/// Result of one round of numbering.
pub(super) struct Numbered {
    pub count: i64,
    /// The users of these events.
    pub users: Vec<Uuid>,
    /// When the oldest event was written.
    pub oldest: Option<DateTime<Utc>>,
}

/// Moves the first events of the outbox to the log, after the last position.
pub(super) async fn number(tx: &mut PgConnection, last: i64, most: i64) -> sqlx::Result<Numbered> {
    let row: (i64, Vec<Uuid>, Option<DateTime<Utc>>) = sqlx::query_as(
        "WITH taken AS (
            DELETE FROM events_outbox WHERE seq IN (SELECT seq FROM events_outbox ORDER BY seq LIMIT $2) RETURNING *
         ), numbered AS (
            INSERT INTO events (position, created_at, id, user_id, job_id, batch_id, version_id, workflow_api_id, kind, data)
            SELECT $1 + row_number() OVER (ORDER BY seq), created_at, id, user_id, job_id, batch_id, version_id,
                   workflow_api_id, kind, data
            FROM taken
         ), moved AS (
            UPDATE events_head SET last = $1 + (SELECT count(*) FROM taken)
         )
         SELECT count(*), coalesce(array_agg(DISTINCT user_id), '{}'), min(created_at) FROM taken",
    )
    .bind(last)
    .bind(most)
    .fetch_one(tx)
    .await?;
    Ok(Numbered { count: row.0, users: row.1, oldest: row.2 })
}

pub(super) async fn is_waiting(db: &PgPool) -> sqlx::Result<bool> {
    sqlx::query_scalar!(r#"SELECT EXISTS (SELECT 1 FROM events_outbox) AS "waiting!""#).fetch_one(db).await
}

/// The last position, and the last position that may have been dropped.
pub(super) async fn head(db: &PgPool) -> sqlx::Result<(i64, i64)> {
    let row = sqlx::query!("SELECT last, forgotten FROM events_head").fetch_one(db).await?;
    Ok((row.last, row.forgotten))
}

#[derive(FromRow)]
struct Row {
    position: i64,
    created_at: DateTime<Utc>,
    id: Uuid,
    user_id: Uuid,
    job_id: Option<Uuid>,
    batch_id: Option<Uuid>,
    version_id: Option<Uuid>,
    workflow_api_id: Option<Uuid>,
    kind: i16,
    data: Json<Box<RawValue>>,
}

impl From<Row> for Event {
    fn from(row: Row) -> Self {
        Self {
            id: EventId(row.id),
            position: row.position,
            kind: EventKind::from_number(row.kind),
            user: UserId(row.user_id),
            about: EventSubject {
                job: row.job_id.map(JobId),
                batch: row.batch_id.map(BatchId),
                version: row.version_id.map(WorkflowApiVersionId),
                workflow_api: row.workflow_api_id.map(WorkflowApiId),
            },
            data: row.data.0,
            at: row.created_at,
        }
    }
}

/// A user's events after one position up to another, in order; of these kinds, or of all.
pub(super) async fn of_user(
    db: &PgPool,
    user: UserId,
    (after, until): (i64, i64),
    kinds: &[EventKind],
    limit: i64,
) -> sqlx::Result<Vec<Event>> {
    let rows: Vec<Row> = sqlx::query_as(
        "SELECT position, created_at, id, user_id, job_id, batch_id, version_id, workflow_api_id, kind, data FROM events
         WHERE user_id = $1 AND position > $2 AND position <= $3 AND (cardinality($4::smallint[]) = 0 OR kind = ANY($4))
         ORDER BY position LIMIT $5",
    )
    .bind(user.0)
    .bind(after)
    .bind(until)
    .bind(kinds.iter().map(|kind| *kind as i16).collect::<Vec<_>>())
    .bind(limit)
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Event::from).collect())
}

/// All users' events after one position up to another, in order.
pub(super) async fn between(db: &PgPool, (after, until): (i64, i64), limit: i64) -> sqlx::Result<Vec<Event>> {
    let rows: Vec<Row> = sqlx::query_as(
        "SELECT position, created_at, id, user_id, job_id, batch_id, version_id, workflow_api_id, kind, data FROM events
         WHERE position > $1 AND position <= $2 ORDER BY position LIMIT $3",
    )
    .bind(after)
    .bind(until)
    .bind(limit)
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Event::from).collect())
}

/// Deletes some of a user's events, numbered or not, and returns their number.
pub(super) async fn forget(db: &PgPool, user: UserId, most: i64) -> sqlx::Result<u64> {
    let waiting = sqlx::query!("DELETE FROM events_outbox WHERE user_id = $1", user.0).execute(db).await?;
    let done = sqlx::query!(
        "DELETE FROM events WHERE id IN (SELECT id FROM events WHERE user_id = $1 ORDER BY position LIMIT $2)",
        user.0,
        most,
    )
    .execute(db)
    .await?;
    Ok(waiting.rows_affected() + done.rows_affected())
}

/// Records that events before this id may be dropped.
pub(super) async fn forget_before(db: &PgPool, bound: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE events_head
         SET forgotten = greatest(forgotten, coalesce((SELECT max(position) FROM events WHERE id < $1), 0))",
        bound,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes events before an id that have no monthly partition.
pub(super) async fn drop_rest(db: &PgPool, bound: Uuid, most: i64) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM events_default WHERE id IN (SELECT id FROM events_default WHERE id < $1 LIMIT $2)",
        bound,
        most,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}
