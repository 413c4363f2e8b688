//! SQL of reports.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::ids::{CaseId, ReportId, UserId};
use crate::moderation::{CaseReport, ReportReason, Snapshot};
use crate::users::WritePermit;

struct Row {
    id: Uuid,
    case_id: Uuid,
    reporter_id: Uuid,
    reason: i16,
    text: String,
    seen_title: String,
    seen_content: String,
    seen_picture_id: Option<Uuid>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    closed_at: Option<DateTime<Utc>>,
}

impl From<Row> for CaseReport {
    fn from(row: Row) -> Self {
        Self {
            id: ReportId(row.id),
            case: CaseId(row.case_id),
            reporter: UserId(row.reporter_id),
            // A database constraint allows only known reasons.
            reason: ReportReason::from_number(row.reason),
            text: row.text,
            seen: Snapshot { title: row.seen_title, content: row.seen_content, picture: row.seen_picture_id },
            created_at: row.created_at,
            updated_at: row.updated_at,
            closed_at: row.closed_at,
        }
    }
}

/// Inserts a report or replaces the open one of the same user; returns whether it is new.
pub(in crate::moderation) async fn put(
    tx: &mut PgConnection,
    _: &WritePermit,
    report: &CaseReport,
) -> sqlx::Result<(CaseReport, bool)> {
    let row = sqlx::query_as!(
        Row,
        "INSERT INTO moderation_reports AS r
           (id, case_id, reporter_id, reason, text, seen_title, seen_content, seen_picture_id, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
         ON CONFLICT (case_id, reporter_id) WHERE closed_at IS NULL DO UPDATE
           SET reason = excluded.reason, text = excluded.text, seen_title = excluded.seen_title,
               seen_content = excluded.seen_content, seen_picture_id = excluded.seen_picture_id,
               updated_at = excluded.updated_at
         RETURNING r.id, r.case_id, r.reporter_id, r.reason, r.text, r.seen_title, r.seen_content, r.seen_picture_id,
                   r.created_at, r.updated_at, r.closed_at",
        report.id.0,
        report.case.0,
        report.reporter.0,
        report.reason as i16,
        report.text,
        report.seen.title,
        report.seen.content,
        report.seen.picture,
        report.created_at,
    )
    .fetch_one(tx)
    .await?;
    let is_new = row.id == report.id.0;
    Ok((row.into(), is_new))
}

pub(in crate::moderation) async fn of(db: &PgPool, case: CaseId, limit: i64) -> sqlx::Result<Vec<CaseReport>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, case_id, reporter_id, reason, text, seen_title, seen_content, seen_picture_id, created_at,
                updated_at, closed_at
         FROM moderation_reports WHERE case_id = $1 ORDER BY id DESC LIMIT $2",
        case.0,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Closes all open reports of a case and returns their reporters.
pub(in crate::moderation) async fn close(
    tx: &mut PgConnection,
    case: CaseId,
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<UserId>> {
    let people = sqlx::query_scalar!(
        "UPDATE moderation_reports SET closed_at = $2 WHERE case_id = $1 AND closed_at IS NULL RETURNING reporter_id",
        case.0,
        now,
    )
    .fetch_all(tx)
    .await?;
    Ok(people.into_iter().map(UserId).collect())
}
