//! SQL of files on their way out.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{PgConnection, PgPool};

use crate::assets::storage::content_hash::ContentHash;
use crate::assets::store::texts;

/// How long a file that was let go is left alone.
const FIRST_LOOK: TimeDelta = TimeDelta::minutes(5);

/// A file whose time has come.
#[derive(Debug, Clone)]
pub(in crate::assets) struct Due {
    pub content: ContentHash,
    pub aside: bool,
    pub revision: i64,
}

/// What waits to be deleted, and what the last walk over the store has found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Backlog {
    /// Files that were let go and are not gone yet.
    pub orphaned: i64,
    /// Since when the oldest of them.
    pub oldest: Option<DateTime<Utc>>,
    /// Files in the store at the last walk, and all bytes there.
    pub stored_files: i64,
    pub stored_bytes: i64,
    /// When that was; `None` before the first walk has ended.
    pub walked_at: Option<DateTime<Utc>>,
}

/// Writes them down, in one order, so that two transactions never wait for each other.
pub(in crate::assets) async fn let_go(
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
        now + FIRST_LOOK,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Takes files whose time has come. Nobody else gets them until `until`.
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
        .map(|row| Due { content: ContentHash(row.content), aside: row.aside, revision: row.revision })
        .collect())
}

/// Notes that a file is put aside; `false` where somebody else has taken it further.
pub(in crate::assets) async fn note_aside(
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

/// Begins again with a file that stood aside.
pub(in crate::assets) async fn begin_again(db: &PgPool, one: &Due, look_at: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE orphaned_files SET aside_at = NULL, look_at = $2 WHERE content = $1",
        one.content.as_str(),
        look_at
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Crosses off files that are kept or gone. One that was let go once more meanwhile stays: it is looked at again.
pub(in crate::assets) async fn settle(db: &PgPool, settled: &[Due]) -> sqlx::Result<()> {
    let contents: Vec<&str> = settled.iter().map(|one| one.content.as_str()).collect();
    let revisions: Vec<i64> = settled.iter().map(|one| one.revision).collect();
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

/// Those of these that were let go.
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

/// Notes that a walk begins; `false` where one began after `before`.
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
