//! SQL of notices.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use super::{Row, insert};
use crate::database;
use crate::ids::{NoticeId, UserId};
use crate::notifications::notice::Notice;

/// Maximum number of notices copied at once; after a long absence a user gets the newest.
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

/// Returns whether the notice existed.
pub(in crate::notifications) async fn delete_notice(
    tx: &mut PgConnection,
    id: NoticeId,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!(
        "UPDATE notices SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL RETURNING title_en",
        id.0,
        now,
    )
    .fetch_optional(tx)
    .await
}

/// A notice that is not in a box yet.
pub(in crate::notifications) struct MissingNotice {
    id: Uuid,
    created_by: Uuid,
    created_at: DateTime<Utc>,
}

/// Notices that are not in the user's box, newest first. Ids are ordered by time, which excludes notices older than the
/// user.
pub(in crate::notifications) async fn new_notices(
    db: impl PgExecutor<'_>,
    user: UserId,
) -> sqlx::Result<Vec<MissingNotice>> {
    sqlx::query_as!(
        MissingNotice,
        "SELECT id, created_by, created_at FROM notices
         WHERE deleted_at IS NULL AND id > COALESCE((SELECT notices_until FROM notification_settings WHERE user_id = $1), $1)
         ORDER BY id DESC LIMIT $2",
        user.0,
        BROUGHT_AT_ONCE,
    )
    .fetch_all(db)
    .await
}

/// Copies the missing notices into a box.
pub(in crate::notifications) async fn copy_notices(db: &PgPool, user: UserId) -> sqlx::Result<()> {
    let mut tx = database::begin(db).await?;
    // One transaction at a time per box; missing notices are selected again under the lock.
    sqlx::query!("INSERT INTO notification_settings (user_id) VALUES ($1) ON CONFLICT DO NOTHING", user.0)
        .execute(&mut *tx)
        .await?;
    sqlx::query!("SELECT 1 AS one FROM notification_settings WHERE user_id = $1 FOR UPDATE", user.0)
        .fetch_one(&mut *tx)
        .await?;
    let mut notices = new_notices(&mut *tx, user).await?;
    notices.reverse();
    for MissingNotice { id, created_by, created_at } in &notices {
        insert(&mut tx, user, &Row::notice(*id, *created_by), *created_at).await?;
    }
    if let Some(newest) = notices.last() {
        sqlx::query!("UPDATE notification_settings SET notices_until = $2 WHERE user_id = $1", user.0, newest.id)
            .execute(&mut *tx)
            .await?;
    }
    tx.commit().await
}
