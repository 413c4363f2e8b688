//! SQL of notifications.

mod digests;
pub(super) mod filtered;
mod notices;
mod settings;

pub(super) use digests::{claim_digest, digest_candidates, take_for_digest, unsubscribe};
pub(super) use notices::{copy_notices, delete_notice, insert_notice, new_notices, notices};
pub(super) use settings::{mailed_kinds, set_mailed_kinds};

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::notification::{
    BilingualText, CONTENT_CHARS, MilestoneMetric, NewNotification, Notification, NotificationKind, NotificationSubject,
};
use crate::database;
use crate::html;
use crate::ids::{CommentId, NotificationId, OutputAssetId, UserId, WorkflowId};
use crate::users::Language;

/// A notification as it is stored.
#[derive(Debug, Default)]
pub(super) struct Row {
    kind: i16,
    actor: Option<Uuid>,
    workflow: Option<Uuid>,
    output_asset: Option<Uuid>,
    comment: Option<Uuid>,
    title: Option<String>,
    count: Option<i64>,
    is_answer: bool,
    content: Option<String>,
    /// Title and content in Korean; those above are English.
    title_ko: Option<String>,
    content_ko: Option<String>,
    others: Option<i16>,
    notice: Option<Uuid>,
    once: Option<String>,
    /// Whether it has a mail of its own, so that digests omit it.
    is_mailed: bool,
}

impl Row {
    pub fn of(actor: Option<UserId>, fact: &NewNotification) -> Self {
        let (kind, about) = match fact {
            NewNotification::Comment { about, .. } => (NotificationKind::Comment, about),
            NewNotification::Like { about } => (NotificationKind::Like, about),
            NewNotification::Milestone { about, .. } => (NotificationKind::Others, about),
            NewNotification::Notice { text, count, dedup_key } => {
                return Self {
                    count: Some(*count),
                    once: Some(dedup_key.clone()),
                    ..Self::notice_text(text, html::clean)
                };
            }
            NewNotification::MailedNotice { text, dedup_key } => {
                return Self {
                    actor: actor.map(|actor| actor.0),
                    once: Some(dedup_key.clone()),
                    is_mailed: true,
                    ..Self::notice_text(text, html::clean)
                };
            }
            NewNotification::OperatorNotice { text, about } => return Self::operator_notice(text, about.as_ref()),
        };
        let mut row = Self { kind: kind as i16, actor: actor.map(|actor| actor.0), ..Self::default() };
        let post = match about {
            NotificationSubject::Workflow(id, name) => {
                row.workflow = Some(id.0);
                row.title = Some(name.clone());
                id.0
            }
            NotificationSubject::OutputAsset(id) => {
                row.output_asset = Some(id.0);
                id.0
            }
        };
        match fact {
            NewNotification::Comment { comment, text, is_answer, .. } => {
                row.comment = Some(comment.0);
                row.is_answer = *is_answer;
                row.content = Some(text.chars().take(CONTENT_CHARS).collect());
            }
            NewNotification::Like { .. } => row.once = row.actor.map(|actor| format!("like:{post}:{actor}")),
            NewNotification::Milestone { what, count, .. } => {
                row.others = Some(*what as i16);
                row.count = Some(*count);
                row.once = Some(format!("reached:{post}:{}:{count}", what.name()));
            }
            NewNotification::Notice { .. }
            | NewNotification::MailedNotice { .. }
            | NewNotification::OperatorNotice { .. } => {}
        }
        row
    }

    /// A notice to one user; like notices to all, its content is HTML.
    fn operator_notice(text: &BilingualText, about: Option<&NotificationSubject>) -> Self {
        let (workflow, output_asset) = match about {
            Some(NotificationSubject::Workflow(id, _)) => (Some(id.0), None),
            Some(NotificationSubject::OutputAsset(id)) => (None, Some(id.0)),
            None => (None, None),
        };
        Self { workflow, output_asset, ..Self::notice_text(text, html::of_text) }
    }

    /// A notice with this text, whose contents are converted to HTML.
    fn notice_text(BilingualText { en, ko }: &BilingualText, to_html: impl Fn(&str) -> String) -> Self {
        Self {
            kind: NotificationKind::Notice as i16,
            title: Some(en.title.clone()),
            content: Some(to_html(&en.content)),
            title_ko: Some(ko.title.clone()),
            content_ko: Some(to_html(&ko.content)),
            ..Self::default()
        }
    }

    pub fn notice(id: Uuid, by: Uuid) -> Self {
        let once = Some(format!("notice:{id}"));
        Self { kind: NotificationKind::Notice as i16, actor: Some(by), notice: Some(id), once, ..Self::default() }
    }
}

/// Adds a row to a box, at its next places; returns `false` for a repeated notification. Concurrent inserts of the same
/// notification may leave a place empty.
pub(super) async fn insert(tx: &mut PgConnection, to: UserId, row: &Row, now: DateTime<Utc>) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        r#"WITH fresh AS (
             SELECT 1 WHERE $12::text IS NULL OR NOT EXISTS
               (SELECT 1 FROM notifications WHERE user_id = $1 AND once = $12
                UNION ALL SELECT 1 FROM notifications_told WHERE user_id = $1 AND once = $12)
           ), box AS (
             INSERT INTO notification_boxes AS b (user_id, kind, total)
             SELECT $1, kind, 1 FROM fresh, (VALUES (0::smallint), ($2::smallint)) AS kinds(kind) ORDER BY kind
             ON CONFLICT (user_id, kind) DO UPDATE SET total = b.total + 1
             RETURNING kind, total
           )
           INSERT INTO notifications (id, user_id, kind, place, kind_place, actor_id, workflow_id, output_asset_id,
                                      comment_id, title, count, recomment, content, others, notice_id, once, created_at,
                                      mailed_at, title_ko, content_ko)
           SELECT $3, $1, $2, every.total, own.total, $4, $5, $6, $7, $8, $9, $10, $11, $13, $14, $12, $15::timestamptz,
                  CASE WHEN $16 THEN $15::timestamptz END, $17, $18
           FROM box every JOIN box own ON own.kind = $2 WHERE every.kind = 0
           ON CONFLICT ON CONSTRAINT notifications_user_id_once_key DO NOTHING"#,
        to.0,
        row.kind,
        NotificationId::new().0,
        row.actor,
        row.workflow,
        row.output_asset,
        row.comment,
        row.title,
        row.count,
        row.is_answer,
        row.content,
        row.once,
        row.others,
        row.notice,
        now,
        row.is_mailed,
        row.title_ko,
        row.content_ko,
    )
    .execute(tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Size {
    /// The highest place; the first one is 1.
    pub places: i64,
    /// How many places are empty because of deletions.
    pub deleted: i64,
}

impl Size {
    pub fn total(self) -> i64 {
        self.places - self.deleted
    }
}

pub(super) async fn size(db: &PgPool, user: UserId, kind: Option<NotificationKind>) -> sqlx::Result<Size> {
    let kind = kind.map_or(0, |kind| kind as i16);
    let size = sqlx::query_as!(
        Size,
        "SELECT total AS places, deleted FROM notification_boxes WHERE user_id = $1 AND kind = $2",
        user.0,
        kind
    )
    .fetch_optional(db)
    .await?;
    Ok(size.unwrap_or_default())
}

struct Read {
    id: Uuid,
    kind: i16,
    actor_id: Option<Uuid>,
    workflow_id: Option<Uuid>,
    output_asset_id: Option<Uuid>,
    comment_id: Option<Uuid>,
    title: Option<String>,
    count: Option<i64>,
    recomment: bool,
    content: Option<String>,
    others: Option<i16>,
    created_at: DateTime<Utc>,
    checked_at: Option<DateTime<Utc>>,
}

impl From<Read> for Notification {
    fn from(row: Read) -> Self {
        Self {
            id: NotificationId(row.id),
            kind: NotificationKind::from_number(row.kind),
            actor: row.actor_id.map(UserId),
            workflow: row.workflow_id.map(WorkflowId),
            output_asset: row.output_asset_id.map(OutputAssetId),
            comment: row.comment_id.map(CommentId),
            title: row.title,
            count: row.count,
            is_answer: row.recomment,
            content: row.content,
            others: row.others.and_then(MilestoneMetric::from_number),
            created_at: row.created_at,
            checked_at: row.checked_at,
        }
    }
}

/// Selects notifications of a box in a language; the parts are the condition and the order.
macro_rules! read {
    ($rest:literal, $user:expr, $language:expr $(, $more:expr)*) => {
        sqlx::query_as!(
            Read,
            "SELECT n.id, n.kind, n.actor_id, n.workflow_id, n.output_asset_id, n.comment_id,
                    CASE WHEN $2 THEN COALESCE(n.title_ko, n.title, o.title_ko)
                         ELSE COALESCE(n.title, o.title_en) END AS title, n.count, n.recomment,
                    CASE WHEN $2 THEN COALESCE(n.content_ko, n.content, o.content_ko)
                         ELSE COALESCE(n.content, o.content_en) END AS content,
                    n.others, n.created_at, n.checked_at
             FROM notifications n LEFT JOIN notices o ON o.id = n.notice_id
             WHERE n.user_id = $1 AND o.deleted_at IS NULL AND " + $rest,
            $user.0,
            $language == Language::Ko
            $(, $more)*
        )
    };
}

/// The notifications at these places, in order, without deleted notices.
pub(super) async fn between(
    db: &PgPool,
    user: UserId,
    kind: Option<NotificationKind>,
    (first, last): (i64, i64),
    language: Language,
) -> sqlx::Result<Vec<Notification>> {
    let rows = match kind {
        None => read!("n.place BETWEEN $3 AND $4 ORDER BY n.place", user, language, first, last).fetch_all(db).await?,
        Some(kind) => {
            read!(
                "n.kind = $5 AND n.kind_place BETWEEN $3 AND $4 ORDER BY n.kind_place",
                user,
                language,
                first,
                last,
                kind as i16
            )
            .fetch_all(db)
            .await?
        }
    };
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Like [`between`] for a box with empty places: `limit` notifications after `skip`, from the oldest.
pub(super) async fn by_offset(
    db: &PgPool,
    user: UserId,
    kind: Option<NotificationKind>,
    (skip, limit): (i64, i64),
    language: Language,
) -> sqlx::Result<Vec<Notification>> {
    let rows = match kind {
        None => read!("true ORDER BY n.place OFFSET $3 LIMIT $4", user, language, skip, limit).fetch_all(db).await?,
        Some(kind) => {
            read!("n.kind = $5 ORDER BY n.kind_place OFFSET $3 LIMIT $4", user, language, skip, limit, kind as i16)
                .fetch_all(db)
                .await?
        }
    };
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Unread notifications of each kind, each counted up to `most`.
pub(super) async fn unread(db: &PgPool, user: UserId, most: i64) -> sqlx::Result<Vec<(NotificationKind, i64)>> {
    let kinds = NotificationKind::ALL.map(|kind| kind as i16);
    let rows = sqlx::query!(
        r#"SELECT kinds.kind AS "kind!", (SELECT count(*) FROM
             (SELECT 1 FROM notifications n WHERE n.user_id = $1 AND n.kind = kinds.kind AND n.checked_at IS NULL
                AND NOT EXISTS (SELECT 1 FROM notices o WHERE o.id = n.notice_id AND o.deleted_at IS NOT NULL) LIMIT $2)
             AS unread) AS "count!"
           FROM UNNEST($3::smallint[]) AS kinds(kind)"#,
        user.0,
        most,
        &kinds[..],
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (NotificationKind::from_number(row.kind), row.count)).collect())
}

pub(super) async fn check(db: &PgPool, user: UserId, ids: &[NotificationId], now: DateTime<Utc>) -> sqlx::Result<u64> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let done = sqlx::query!(
        "UPDATE notifications SET checked_at = $3 WHERE id = ANY($2) AND user_id = $1 AND checked_at IS NULL",
        user.0,
        &ids,
        now,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}

pub(super) async fn check_all(
    db: &PgPool,
    user: UserId,
    kind: Option<NotificationKind>,
    now: DateTime<Utc>,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "UPDATE notifications SET checked_at = $3
         WHERE user_id = $1 AND checked_at IS NULL AND ($2::smallint IS NULL OR kind = $2)",
        user.0,
        kind.map(|kind| kind as i16),
        now,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}

/// Deletes these notifications and returns their number. The keys of unique ones stay recorded.
pub(super) async fn delete(db: &PgPool, user: UserId, ids: &[NotificationId]) -> sqlx::Result<i64> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let mut tx = database::begin(db).await?;
    // Same lock order as inserts.
    sqlx::query!("SELECT kind FROM notification_boxes WHERE user_id = $1 ORDER BY kind FOR UPDATE", user.0)
        .fetch_all(&mut *tx)
        .await?;
    let deleted = sqlx::query_scalar!(
        r#"WITH gone AS (
             DELETE FROM notifications WHERE user_id = $1 AND id = ANY($2) RETURNING kind, once
           ), told AS (
             INSERT INTO notifications_told (user_id, once) SELECT $1, once FROM gone WHERE once IS NOT NULL
             ON CONFLICT DO NOTHING
           ), fewer AS (
             UPDATE notification_boxes b SET deleted = b.deleted + counted.count
             FROM (SELECT kind, count(*) FROM gone GROUP BY kind UNION ALL SELECT 0, count(*) FROM gone) AS counted
             WHERE b.user_id = $1 AND b.kind = counted.kind
           )
           SELECT count(*) AS "count!" FROM gone"#,
        user.0,
        &ids,
    )
    .fetch_one(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(deleted)
}

pub(super) async fn forget(db: &PgPool, user: UserId) -> sqlx::Result<()> {
    let mut tx = database::begin(db).await?;
    sqlx::query!("DELETE FROM notifications WHERE user_id = $1", user.0).execute(&mut *tx).await?;
    sqlx::query!("DELETE FROM notifications_told WHERE user_id = $1", user.0).execute(&mut *tx).await?;
    sqlx::query!("DELETE FROM notification_boxes WHERE user_id = $1", user.0).execute(&mut *tx).await?;
    sqlx::query!("DELETE FROM notification_settings WHERE user_id = $1", user.0).execute(&mut *tx).await?;
    tx.commit().await
}
