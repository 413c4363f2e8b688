//! SQL of the users' input folders.

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use super::named_input::{NameClash, NamedInput};
use crate::assets::{AssetKind, ContentHash};
use crate::ids::{AssetId, UserId};

/// Rows of one list.
const MOST: i64 = 5000;

/// Gives an upload this path. `false`: another file has it. A file with the same content, or a deleted one, gives way.
pub(super) async fn claim(
    db: &PgPool,
    user: UserId,
    path: &str,
    (asset, content): (AssetId, &ContentHash),
    clash: NameClash,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO input_files (user_id, path, asset_id, written_at)
         SELECT $1, $2, $3, $4
         WHERE $6 OR EXISTS (SELECT FROM input_files f JOIN assets a ON a.id = f.asset_id
                             WHERE f.user_id = $1 AND f.path = $2 AND a.deleted_at IS NULL)
           OR NOT EXISTS (SELECT FROM input_assets i JOIN assets a ON a.id = i.asset_id
                          WHERE i.user_id = $1 AND a.name = $2 AND a.deleted_at IS NULL AND a.content <> $5)
         ON CONFLICT (user_id, path) DO UPDATE SET asset_id = EXCLUDED.asset_id, written_at = EXCLUDED.written_at
         WHERE $6 OR NOT EXISTS (SELECT FROM assets a
                                 WHERE a.id = input_files.asset_id AND a.deleted_at IS NULL AND a.content <> $5)",
        user.0,
        path,
        asset.0,
        now,
        content.as_str(),
        clash == NameClash::Replace,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The files at these paths.
pub(super) async fn at(
    db: &PgPool,
    user: UserId,
    paths: &[String],
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<(String, AssetId)>> {
    let rows = sqlx::query!(
        "SELECT f.path, f.asset_id FROM input_files f JOIN assets a ON a.id = f.asset_id
         WHERE f.user_id = $1 AND f.path = ANY($2) AND a.deleted_at IS NULL
           AND (a.expires_at IS NULL OR a.expires_at > $3)",
        user.0,
        paths,
        now,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.path, AssetId(row.asset_id))).collect())
}

/// The latest kept input of each of these names.
pub(super) async fn kept_with_names(
    db: &PgPool,
    user: UserId,
    names: &[String],
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<(String, AssetId)>> {
    let rows = sqlx::query!(
        "SELECT DISTINCT ON (a.name) a.name, a.id FROM input_assets i JOIN assets a ON a.id = i.asset_id
         WHERE i.user_id = $1 AND a.name = ANY($2) AND a.deleted_at IS NULL
           AND (a.expires_at IS NULL OR a.expires_at > $3)
         ORDER BY a.name, i.id DESC",
        user.0,
        names,
        now,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.name, AssetId(row.id))).collect())
}

/// All files with a path, the latest first; then the kept inputs without one.
pub(super) async fn all(db: &PgPool, user: UserId, now: DateTime<Utc>) -> sqlx::Result<Vec<NamedInput>> {
    let mut files = sqlx::query!(
        "SELECT f.path, f.asset_id, a.kind FROM input_files f JOIN assets a ON a.id = f.asset_id
         WHERE f.user_id = $1 AND a.deleted_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > $2)
         ORDER BY f.written_at DESC, f.path LIMIT $3",
        user.0,
        now,
        MOST,
    )
    .fetch_all(db)
    .await?
    .into_iter()
    .map(|row| named(row.path, row.asset_id, &row.kind))
    .collect::<Vec<_>>();
    let kept = sqlx::query!(
        "SELECT a.name, a.id, a.kind FROM input_assets i JOIN assets a ON a.id = i.asset_id
         WHERE i.user_id = $1 AND a.deleted_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > $2)
           AND NOT EXISTS (SELECT FROM input_files f WHERE f.asset_id = a.id AND f.user_id = $1)
         ORDER BY i.id DESC LIMIT $3",
        user.0,
        now,
        MOST,
    )
    .fetch_all(db)
    .await?;
    files.extend(kept.into_iter().map(|row| named(row.name, row.id, &row.kind)));
    Ok(files)
}

pub(super) async fn forget(db: &PgPool, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM input_files WHERE user_id = $1", user.0).execute(db).await?;
    Ok(())
}

fn named(path: String, asset: uuid::Uuid, kind: &str) -> NamedInput {
    NamedInput { path, asset: AssetId(asset), kind: AssetKind::from_word(kind) }
}
