//! SQL of the node editor's settings and files.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use serde_json::{Map, Value};
use sqlx::{PgConnection, PgPool};

use super::file::{EditorFile, EditorFileInfo, EditorPath};
use super::limits::Usage;
use crate::ids::UserId;
use crate::users::WritePermit;

/// Serializes changes of one user until the transaction ends, so that concurrent ones cannot exceed a limit.
pub(super) async fn lock(tx: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended('editor ' || $1::text, 0))", user.to_string())
        .fetch_one(tx)
        .await?;
    Ok(())
}

pub(super) async fn settings(db: &PgPool, user: UserId) -> sqlx::Result<Vec<(String, Value)>> {
    let rows = sqlx::query!("SELECT id, value FROM editor_settings WHERE user_id = $1 ORDER BY id", user.0)
        .fetch_all(db)
        .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.value)).collect())
}

pub(super) async fn set_settings(
    tx: &mut PgConnection,
    user: UserId,
    changes: &Map<String, Value>,
) -> sqlx::Result<()> {
    let (ids, values): (Vec<String>, Vec<String>) =
        changes.iter().map(|(id, value)| (id.clone(), value.to_string())).unzip();
    sqlx::query!(
        "INSERT INTO editor_settings (user_id, id, value)
         SELECT $1::uuid, id, value::json FROM unnest($2::text[], $3::text[]) AS changed (id, value)
         ON CONFLICT (user_id, id) DO UPDATE SET value = EXCLUDED.value",
        user.0,
        &ids,
        &values,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub(super) async fn settings_usage(tx: &mut PgConnection, user: UserId) -> sqlx::Result<Usage> {
    let row = sqlx::query!(
        r#"SELECT count(*) AS "count!", coalesce(sum(octet_length(id) + octet_length(value::text)), 0) AS "bytes!"
           FROM editor_settings WHERE user_id = $1"#,
        user.0
    )
    .fetch_one(tx)
    .await?;
    Ok(usage(row.count, row.bytes))
}

/// Files whose paths begin with this text.
pub(super) async fn files(db: &PgPool, user: UserId, start: &str) -> sqlx::Result<Vec<EditorFileInfo>> {
    let rows = sqlx::query!(
        r#"SELECT path, octet_length(content) AS "size!", created_at, updated_at FROM editor_files
           WHERE user_id = $1 AND starts_with(path, $2) ORDER BY path"#,
        user.0,
        start,
    )
    .fetch_all(db)
    .await?;
    let infos = rows.into_iter().map(|row| EditorFileInfo {
        path: EditorPath::of_row(row.path),
        size: u64::try_from(row.size).unwrap_or_default(),
        created_at: row.created_at,
        updated_at: row.updated_at,
    });
    Ok(infos.collect())
}

pub(super) async fn files_after(db: &PgPool, user: UserId, after: &str, limit: i64) -> sqlx::Result<Vec<EditorFile>> {
    let rows = sqlx::query!(
        "SELECT path, content, created_at, updated_at FROM editor_files
         WHERE user_id = $1 AND path > $2 ORDER BY path LIMIT $3",
        user.0,
        after,
        limit,
    )
    .fetch_all(db)
    .await?;
    let files = rows.into_iter().map(|row| file_of(row.path, row.content, row.created_at, row.updated_at));
    Ok(files.collect())
}

pub(super) async fn file(db: &PgPool, user: UserId, path: &EditorPath) -> sqlx::Result<Option<EditorFile>> {
    let row = sqlx::query!(
        "SELECT path, content, created_at, updated_at FROM editor_files WHERE user_id = $1 AND path = $2",
        user.0,
        path.as_str(),
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| file_of(row.path, row.content, row.created_at, row.updated_at)))
}

fn file_of(path: String, content: Vec<u8>, created_at: DateTime<Utc>, updated_at: DateTime<Utc>) -> EditorFile {
    let info = EditorFileInfo { path: EditorPath::of_row(path), size: content.len() as u64, created_at, updated_at };
    EditorFile { info, content: content.into() }
}

pub(super) async fn info(
    tx: &mut PgConnection,
    user: UserId,
    path: &EditorPath,
) -> sqlx::Result<Option<EditorFileInfo>> {
    let row = sqlx::query!(
        r#"SELECT octet_length(content) AS "size!", created_at, updated_at FROM editor_files
           WHERE user_id = $1 AND path = $2"#,
        user.0,
        path.as_str(),
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|row| EditorFileInfo {
        path: path.clone(),
        size: u64::try_from(row.size).unwrap_or_default(),
        created_at: row.created_at,
        updated_at: row.updated_at,
    }))
}

/// Creates or replaces a file.
pub(super) async fn write(
    tx: &mut PgConnection,
    _: &WritePermit,
    user: UserId,
    path: &EditorPath,
    content: &Bytes,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO editor_files (user_id, path, content, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
         ON CONFLICT (user_id, path) DO UPDATE SET content = EXCLUDED.content, updated_at = EXCLUDED.updated_at",
        user.0,
        path.as_str(),
        &content[..],
        now,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub(super) async fn rename(
    tx: &mut PgConnection,
    _: &WritePermit,
    user: UserId,
    [from, to]: [&EditorPath; 2],
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE editor_files SET path = $3 WHERE user_id = $1 AND path = $2",
        user.0,
        from.as_str(),
        to.as_str(),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Returns whether the file existed.
pub(super) async fn delete(tx: &mut PgConnection, user: UserId, path: &EditorPath) -> sqlx::Result<bool> {
    let done = sqlx::query!("DELETE FROM editor_files WHERE user_id = $1 AND path = $2", user.0, path.as_str())
        .execute(tx)
        .await?;
    Ok(done.rows_affected() > 0)
}

pub(super) async fn files_usage(tx: &mut PgConnection, user: UserId) -> sqlx::Result<Usage> {
    let row = sqlx::query!(
        r#"SELECT count(*) AS "count!", coalesce(sum(octet_length(content)), 0) AS "bytes!"
           FROM editor_files WHERE user_id = $1"#,
        user.0
    )
    .fetch_one(tx)
    .await?;
    Ok(usage(row.count, row.bytes))
}

fn usage(count: i64, bytes: i64) -> Usage {
    Usage { count: u64::try_from(count).unwrap_or_default(), bytes: u64::try_from(bytes).unwrap_or_default() }
}

pub(super) async fn forget(db: &PgPool, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM editor_settings WHERE user_id = $1", user.0).execute(db).await?;
    sqlx::query!("DELETE FROM editor_files WHERE user_id = $1", user.0).execute(db).await?;
    Ok(())
}
