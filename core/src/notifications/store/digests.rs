//! SQL of digests.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::Read;
use crate::ids::UserId;
use crate::notifications::notification::Notification;
use crate::users::Language;

/// A user who may be due for a digest.
pub(in crate::notifications) struct Candidate {
    pub user: UserId,
    pub kinds: Vec<i16>,
}

/// Users whose last digest is older than `since` and who have unread, unmailed notifications of their kinds older than
/// `settled`; the longest waiting first. Notices count before they are copied into a box.
pub(in crate::notifications) async fn digest_candidates(
    db: &PgPool,
    since: DateTime<Utc>,
    settled: DateTime<Utc>,
    notice_kind: i16,
    limit: i64,
) -> sqlx::Result<Vec<Candidate>> {
    let rows = sqlx::query!(
        "SELECT s.user_id, s.mailed_kinds FROM notification_settings s
         WHERE s.mailed_kinds <> '{}' AND (s.digested_at IS NULL OR s.digested_at <= $1) AND (
           EXISTS (SELECT 1 FROM notifications n WHERE n.user_id = s.user_id AND n.kind = ANY(s.mailed_kinds)
                   AND n.checked_at IS NULL AND n.mailed_at IS NULL AND n.created_at <= $2)
           OR $3 = ANY(s.mailed_kinds) AND EXISTS (SELECT 1 FROM notices o WHERE o.deleted_at IS NULL
                   AND o.created_at <= $2 AND o.id > COALESCE(s.notices_until, s.user_id)))
         ORDER BY s.digested_at NULLS FIRST LIMIT $4",
        since,
        settled,
        notice_kind,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| Candidate { user: UserId(row.user_id), kinds: row.mailed_kinds }).collect())
}

/// Locks a user's next digest until the transaction ends and returns its kinds and proof. `None` if another node holds
/// it or the user unsubscribed.
pub(in crate::notifications) async fn claim_digest(
    tx: &mut PgConnection,
    user: UserId,
    since: DateTime<Utc>,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<(Vec<i16>, Uuid)>> {
    let row = sqlx::query!(
        r#"UPDATE notification_settings
           SET digested_at = $3, unsubscribe_proof = COALESCE(unsubscribe_proof, $4)
           WHERE user_id = $1 AND mailed_kinds <> '{}' AND (digested_at IS NULL OR digested_at <= $2)
           RETURNING mailed_kinds, unsubscribe_proof AS "proof!""#,
        user.0,
        since,
        now,
        Uuid::new_v4(),
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|row| (row.mailed_kinds, row.proof)))
}

/// Marks unread notifications older than `settled` as mailed. Returns the newest `limit`, and the number of all.
pub(in crate::notifications) async fn take_for_digest(
    tx: &mut PgConnection,
    user: UserId,
    kinds: &[i16],
    settled: DateTime<Utc>,
    now: DateTime<Utc>,
    language: Language,
    limit: i64,
) -> sqlx::Result<(Vec<Notification>, i64)> {
    let rows = sqlx::query!(
        r#"WITH taken AS (
             UPDATE notifications SET mailed_at = $4 WHERE user_id = $1 AND kind = ANY($2) AND checked_at IS NULL
               AND mailed_at IS NULL AND created_at <= $3 RETURNING *
           )
           SELECT n.id AS "id!", n.kind AS "kind!", n.actor_id, n.workflow_id, n.output_asset_id, n.comment_id,
                  CASE WHEN $5 THEN COALESCE(n.title_ko, n.title, o.title_ko)
                       ELSE COALESCE(n.title, o.title_en) END AS title, n.count, n.recomment AS "recomment!",
                  CASE WHEN $5 THEN COALESCE(n.content_ko, n.content, o.content_ko)
                       ELSE COALESCE(n.content, o.content_en) END AS content, n.others,
                  n.created_at AS "created_at!", n.checked_at, count(*) OVER () AS "total!"
           FROM taken n LEFT JOIN notices o ON o.id = n.notice_id WHERE o.deleted_at IS NULL
           ORDER BY n.created_at DESC, n.id DESC LIMIT $6"#,
        user.0,
        kinds,
        settled,
        now,
        language == Language::Ko,
        limit,
    )
    .fetch_all(tx)
    .await?;
    let total = rows.first().map_or(0, |row| row.total);
    let items = rows.into_iter().map(|row| {
        Notification::from(Read {
            id: row.id,
            kind: row.kind,
            actor_id: row.actor_id,
            workflow_id: row.workflow_id,
            output_asset_id: row.output_asset_id,
            comment_id: row.comment_id,
            title: row.title,
            count: row.count,
            recomment: row.recomment,
            content: row.content,
            others: row.others,
            created_at: row.created_at,
            checked_at: row.checked_at,
        })
    });
    Ok((items.collect(), total))
}

/// Ends digests for the user of this proof; returns whether there is one.
pub(in crate::notifications) async fn unsubscribe(db: &PgPool, proof: Uuid) -> sqlx::Result<bool> {
    let done = sqlx::query!("UPDATE notification_settings SET mailed_kinds = '{}' WHERE unsubscribe_proof = $1", proof)
        .execute(db)
        .await?;
    Ok(done.rows_affected() == 1)
}
