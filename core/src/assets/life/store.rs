//! SQL of orphaned files.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{PgConnection, PgPool};

use crate::assets::storage::content_hash::ContentHash;
use crate::assets::store::texts;

/// When an orphaned file is checked first.
const FIRST_CHECK: TimeDelta = TimeDelta::minutes(5);

/// A file that is due for its next step.
#[derive(Debug, Clone)]
pub(in crate::assets) struct Due {
    pub content: ContentHash,
    pub in_trash: bool,
    pub revision: i64,
}

/// Orphaned files, and the result of the last walk.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Backlog {
    /// Orphaned files that are not deleted yet.
    pub orphaned: i64,
    /// When the oldest of them was orphaned.
    pub oldest: Option<DateTime<Utc>>,
    /// Files and bytes in the store at the last walk.
    pub stored_files: i64,
    pub stored_bytes: i64,
    /// `None` before the first walk has ended.
    pub walked_at: Option<DateTime<Utc>>,
}

/// Inserted in a fixed order, so that two transactions cannot deadlock.
pub(in crate::assets) async fn insert(
    tx: &mut PgConnection,
    files: &[ContentHash],
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO orphaned_files (content, orphaned_at, look_at)
         SELECT DISTINCT content, $2::timestamptz, $3::timestamptz FROM UNNEST($1::text[]) AS given (content)
         ORDER BY content
         ON CONFLICT (content) DO UPDATE SET revision = orphaned_files.revision + 1",
        &texts(files),
        now,
        now + FIRST_CHECK,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Claims files that are due, until `until`.
pub(in crate::assets) async fn claim(
    db: &PgPool,
    now: DateTime<Utc>,
    until: DateTime<Utc>,
    most: i64,
) -> sqlx::Result<Vec<Due>> {
    let rows = sqlx::query!(
        r#"UPDATE orphaned_files SET look_at = $2
           WHERE content IN (SELECT content FROM orphaned_files WHERE look_at <= $1
                             ORDER BY look_at LIMIT $3 FOR UPDATE SKIP LOCKED)
           RETURNING content, aside_at IS NOT NULL AS "aside!", revision"#,
        now,
        until,
        most,
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Due { content: ContentHash(row.content), in_trash: row.aside, revision: row.revision })
        .collect())
}

/// Marks a file as moved to the trash; `false` if another node has changed it.
pub(in crate::assets) async fn set_trashed(
    db: &PgPool,
    one: &Due,
    now: DateTime<Utc>,
    look_at: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE orphaned_files SET aside_at = $2, look_at = $3 WHERE content = $1 AND aside_at IS NULL",
        one.content.as_str(),
        now,
        look_at,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Restarts the lifecycle of a file from the trash.
pub(in crate::assets) async fn restart(db: &PgPool, one: &Due, look_at: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE orphaned_files SET aside_at = NULL, look_at = $2 WHERE content = $1",
        one.content.as_str(),
        look_at
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes the rows of kept and deleted files. A file that was orphaned again in the meantime stays and is checked
/// again.
pub(in crate::assets) async fn delete(db: &PgPool, finished: &[Due]) -> sqlx::Result<()> {
    let contents: Vec<&str> = finished.iter().map(|one| one.content.as_str()).collect();
    let revisions: Vec<i64> = finished.iter().map(|one| one.revision).collect();
    sqlx::query!(
        "DELETE FROM orphaned_files o USING UNNEST($1::text[], $2::bigint[]) AS done (content, revision)
         WHERE o.content = done.content AND o.revision = done.revision",
        &contents as &[&str],
        &revisions,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Those of these that are orphaned.
pub(in crate::assets) async fn orphaned(db: &PgPool, files: &[ContentHash]) -> sqlx::Result<HashSet<ContentHash>> {
    let rows = sqlx::query_scalar!("SELECT content FROM orphaned_files WHERE content = ANY($1)", &texts(files));
    Ok(rows.fetch_all(db).await?.into_iter().map(ContentHash).collect())
}

pub(in crate::assets) async fn backlog(db: &PgPool) -> sqlx::Result<Backlog> {
    let row = sqlx::query!(
        r#"SELECT (SELECT count(*) FROM orphaned_files) AS "orphaned!",
                  (SELECT min(orphaned_at) FROM orphaned_files) AS oldest,
                  stored_files, stored_bytes, ended_at FROM file_walks"#
    )
    .fetch_one(db)
    .await?;
    Ok(Backlog {
        orphaned: row.orphaned,
        oldest: row.oldest,
        stored_files: row.stored_files,
        stored_bytes: row.stored_bytes,
        walked_at: row.ended_at,
    })
}

/// Records the start of a walk; `false` if one started after `before`.
pub(in crate::assets) async fn begin_walk(
    db: &PgPool,
    now: DateTime<Utc>,
    before: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done =
        sqlx::query!("UPDATE file_walks SET began_at = $1 WHERE began_at <= $2", now, before).execute(db).await?;
    Ok(done.rows_affected() == 1)
}

pub(in crate::assets) async fn end_walk(db: &PgPool, now: DateTime<Utc>, files: u64, bytes: u64) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE file_walks SET ended_at = $1, stored_files = $2, stored_bytes = $3",
        now,
        i64::try_from(files).unwrap_or(i64::MAX),
        i64::try_from(bytes).unwrap_or(i64::MAX),
    )
    .execute(db)
    .await?;
    Ok(())
}
