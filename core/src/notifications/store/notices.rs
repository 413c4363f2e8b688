//! SQL of notices.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use super::{Row, insert};
use crate::ids::{NoticeId, UserId};
use crate::notifications::notice::Notice;

/// Notices that come into a box at once; somebody who was away for long finds the newest.
const BROUGHT_AT_ONCE: i64 = 50;

pub(in crate::notifications) async fn insert_notice(tx: &mut PgConnection, notice: &Notice) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO notices (id, title_en, title_ko, content_en, content_ko, created_by, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        notice.id.0,
        notice.title_en,
        notice.title_ko,
        notice.content_en,
        notice.content_ko,
        notice.created_by.0,
        notice.created_at,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub(in crate::notifications) async fn notices(
    db: &PgPool,
    before: Option<NoticeId>,
    limit: i64,
) -> sqlx::Result<Vec<Notice>> {
    let rows = sqlx::query!(
        "SELECT id, title_en, title_ko, content_en, content_ko, created_by, created_at FROM notices
         WHERE deleted_at IS NULL AND ($1::uuid IS NULL OR id < $1) ORDER BY id DESC LIMIT $2",
        before.map(|id| id.0),
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Notice {
            id: NoticeId(row.id),
            title_en: row.title_en,
            title_ko: row.title_ko,
            content_en: row.content_en,
            content_ko: row.content_ko,
            created_by: UserId(row.created_by),
            created_at: row.created_at,
        })
        .collect())
}

/// Whether there was one to be taken back.
pub(in crate::notifications) async fn delete_notice(
    tx: &mut PgConnection,
    id: NoticeId,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!("UPDATE notices SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL", id.0, now)
        .execute(tx)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// A notice that a box does not have yet.
pub(in crate::notifications) struct NewOne {
    id: Uuid,
    created_by: Uuid,
    created_at: DateTime<Utc>,
}

/// Notices that a box does not have, newest first. Ids tell times: somebody new is not told what was said before them.
pub(in crate::notifications) async fn new_notices(db: impl PgExecutor<'_>, user: UserId) -> sqlx::Result<Vec<NewOne>> {
    sqlx::query_as!(
        NewOne,
        "SELECT id, created_by, created_at FROM notices
         WHERE deleted_at IS NULL AND id > COALESCE((SELECT notices_until FROM notification_settings WHERE user_id = $1), $1)
         ORDER BY id DESC LIMIT $2",
        user.0,
        BROUGHT_AT_ONCE,
    )
    .fetch_all(db)
    .await
}

/// Puts the notices into a box that it does not have yet.
pub(in crate::notifications) async fn bring(db: &PgPool, user: UserId) -> sqlx::Result<()> {
    let mut tx = db.begin().await?;
    // One at a time for each box; what is new is asked again once it is ours.
    sqlx::query!("INSERT INTO notification_settings (user_id) VALUES ($1) ON CONFLICT DO NOTHING", user.0)
        .execute(&mut *tx)
        .await?;
    sqlx::query!("SELECT 1 AS one FROM notification_settings WHERE user_id = $1 FOR UPDATE", user.0)
        .fetch_one(&mut *tx)
        .await?;
    let mut notices = new_notices(&mut *tx, user).await?;
    notices.reverse();
    for NewOne { id, created_by, created_at } in &notices {
        insert(&mut tx, user, &Row::notice(*id, *created_by), *created_at).await?;
    }
    if let Some(newest) = notices.last() {
        sqlx::query!("UPDATE notification_settings SET notices_until = $2 WHERE user_id = $1", user.0, newest.id)
            .execute(&mut *tx)
            .await?;
    }
    tx.commit().await
}
