//! SQL of cases.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::ids::{CaseId, UserId};
use crate::list::Cursor;
use crate::moderation::filter::{CaseFilter, CaseOrder};
use crate::moderation::{Case, CaseState, ReportTargetKind, Snapshot};

struct Row {
    id: Uuid,
    kind: i16,
    target_id: Uuid,
    author_id: Uuid,
    state: i16,
    revision: i32,
    open_reports: i64,
    all_reports: i64,
    title: String,
    content: String,
    picture_id: Option<Uuid>,
    created_at: DateTime<Utc>,
    reported_at: DateTime<Utc>,
    decided_at: Option<DateTime<Utc>>,
    decided_by: Option<Uuid>,
}

impl From<Row> for Case {
    fn from(row: Row) -> Self {
        // Database constraints allow only known kinds and states.
        let kind = ReportTargetKind::from_number(row.kind);
        let state = CaseState::from_number(row.state);
        Self {
            id: CaseId(row.id),
            thing: kind.thing(row.target_id),
            author: UserId(row.author_id),
            state,
            revision: row.revision,
            open_reports: row.open_reports,
            all_reports: row.all_reports,
            seen: Snapshot { title: row.title, content: row.content, picture: row.picture_id },
            created_at: row.created_at,
            reported_at: row.reported_at,
            decided_at: row.decided_at,
            decided_by: row.decided_by.map(UserId),
        }
    }
}

/// `SELECT` of whole rows; the argument follows `FROM moderation_cases`.
macro_rules! columns {
    ($rest:literal $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            Row,
            "SELECT id, kind, target_id, author_id, state, revision, open_reports, all_reports, title, content, picture_id,
                    created_at, reported_at, decided_at, decided_by
             FROM moderation_cases " + $rest,
            $($argument),*
        )
    };
}

/// The reasons for which hidden targets of a kind were reported.
pub(in crate::moderation) async fn reasons(
    db: &PgPool,
    kind: ReportTargetKind,
    targets: &[Uuid],
) -> sqlx::Result<Vec<(Uuid, i16)>> {
    let query = "SELECT DISTINCT c.target_id, r.reason FROM moderation_cases c
                 JOIN moderation_reports r ON r.case_id = c.id
                 WHERE c.kind = $1 AND c.target_id = ANY($2) AND c.state = $3 ORDER BY c.target_id, r.reason";
    sqlx::query_as(query).bind(kind as i16).bind(targets).bind(CaseState::Hidden as i16).fetch_all(db).await
}

/// Locks the case of this target, inserting this one if there is none.
pub(in crate::moderation) async fn open(tx: &mut PgConnection, new: &Case) -> sqlx::Result<Case> {
    sqlx::query!(
        "INSERT INTO moderation_cases (id, kind, target_id, author_id, state, revision, open_reports, all_reports, title,
                                       content, picture_id, created_at, reported_at)
         VALUES ($1, $2, $3, $4, $5, $6, 0, 0, $7, $8, $9, $10, $10)
         ON CONFLICT ON CONSTRAINT moderation_cases_kind_target_id_key DO NOTHING",
        new.id.0,
        new.thing.kind() as i16,
        new.thing.id(),
        new.author.0,
        new.state as i16,
        new.revision,
        new.seen.title,
        new.seen.content,
        new.seen.picture,
        new.created_at,
    )
    .execute(&mut *tx)
    .await?;
    let row = columns!("WHERE kind = $1 AND target_id = $2 FOR UPDATE", new.thing.kind() as i16, new.thing.id(),)
        .fetch_one(tx)
        .await?;
    Ok(row.into())
}

pub(in crate::moderation) async fn find(db: &PgPool, id: CaseId) -> sqlx::Result<Option<Case>> {
    let row = columns!("WHERE id = $1", id.0).fetch_optional(db).await?;
    Ok(row.map(Into::into))
}

pub(in crate::moderation) async fn lock(tx: &mut PgConnection, id: CaseId) -> sqlx::Result<Option<Case>> {
    let row = columns!("WHERE id = $1 FOR UPDATE", id.0).fetch_optional(tx).await?;
    Ok(row.map(Into::into))
}

pub(in crate::moderation) async fn update(tx: &mut PgConnection, case: &Case) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE moderation_cases
         SET state = $2, revision = $3, open_reports = $4, all_reports = $5, title = $6, content = $7, picture_id = $8,
             reported_at = $9, decided_at = $10, decided_by = $11
         WHERE id = $1",
        case.id.0,
        case.state as i16,
        case.revision,
        case.open_reports,
        case.all_reports,
        case.seen.title,
        case.seen.content,
        case.seen.picture,
        case.reported_at,
        case.decided_at,
        case.decided_by.map(|admin| admin.0),
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub(in crate::moderation) async fn list(
    db: &PgPool,
    filter: CaseFilter,
    sort: CaseOrder,
    after: Option<Cursor>,
    limit: i64,
) -> sqlx::Result<Vec<Case>> {
    let (state, kind) = (filter.state.map(|state| state as i16), filter.kind.map(|kind| kind as i16));
    let id = after.map(|place| place.id);
    // One statement per order, so that each uses its own index.
    let rows = match sort {
        CaseOrder::Newest => {
            let at = after.and_then(|place| DateTime::from_timestamp_micros(place.key));
            columns!(
                "WHERE ($1::smallint IS NULL OR state = $1) AND ($2::smallint IS NULL OR kind = $2)
                   AND ($3::timestamptz IS NULL OR (reported_at, id) < ($3, $4::uuid))
                 ORDER BY reported_at DESC, id DESC LIMIT $5",
                state,
                kind,
                at,
                id,
                limit,
            )
            .fetch_all(db)
            .await?
        }
        CaseOrder::MostReported => {
            columns!(
                "WHERE ($1::smallint IS NULL OR state = $1) AND ($2::smallint IS NULL OR kind = $2)
                   AND ($3::bigint IS NULL OR (all_reports, id) < ($3, $4::uuid))
                 ORDER BY all_reports DESC, id DESC LIMIT $5",
                state,
                kind,
                after.map(|place| place.key),
                id,
                limit,
            )
            .fetch_all(db)
            .await?
        }
    };
    Ok(rows.into_iter().map(Into::into).collect())
}
