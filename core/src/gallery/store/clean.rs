//! SQL of cleaning outputs later.

use sqlx::{PgConnection, PgPool};

use crate::assets::{ContentHash, StoredFile};

/// After this many tries, only the owner sees an uncleaned file.
pub(in super::super) const OWNERS_ALONE: i16 = 3;

/// Takes some uncleaned outputs, the newest first, and counts the try. Nodes never take the same ones. Sound and video
/// only where this node can clean them.
pub(in super::super) async fn claim(db: &PgPool, played: bool, most: i64) -> sqlx::Result<Vec<ContentHash>> {
    let rows = sqlx::query_scalar!(
        "UPDATE output_assets SET clean_tries = clean_tries + 1
         WHERE id IN (SELECT id FROM output_assets
                      WHERE NOT is_clean AND deleted_at IS NULL AND kind <> 'File' AND clean_tries < 6
                      AND (kind = 'Image' OR $1)
                      ORDER BY id DESC LIMIT $2 FOR UPDATE SKIP LOCKED)
         RETURNING content",
        played,
        most,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(ContentHash).collect())
}

/// Whether the content is an uncleaned output that is served as its own type.
pub(in super::super) async fn is_unclean(db: &PgPool, content: &ContentHash) -> sqlx::Result<bool> {
    let query = sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM output_assets WHERE content = $1 AND NOT is_clean AND kind <> 'File') AS "there!""#,
        content.as_str()
    );
    query.fetch_one(db).await
}

/// Replaces the content by the clean file in all outputs; returns their number.
pub(in super::super) async fn replace(
    tx: &mut PgConnection,
    old: &ContentHash,
    clean: &StoredFile,
) -> sqlx::Result<u64> {
    let (is_clean, embedded) = clean.embedded.columns();
    let moved = sqlx::query!(
        "UPDATE output_assets SET content = $2, media = $3, kind = $4, size_bytes = $5, is_clean = $6, embedded = $7
         WHERE content = $1 AND NOT is_clean",
        old.as_str(),
        clean.content.as_str(),
        clean.media.word(),
        clean.media.kind().as_str(),
        clean.size_bytes,
        is_clean,
        embedded,
    )
    .execute(tx)
    .await?;
    Ok(moved.rows_affected())
}
