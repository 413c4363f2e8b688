//! SQL of reading videos later.

use sqlx::PgPool;

use crate::assets::{ContentHash, Measures, MediaType};

/// Takes some videos without a size, the newest first, and counts the try. Nodes never take the same ones.
pub(in super::super) async fn claim(db: &PgPool, most: i64) -> sqlx::Result<Vec<(ContentHash, MediaType)>> {
    let rows = sqlx::query!(
        "UPDATE output_assets SET video_tries = video_tries + 1
         WHERE id IN (SELECT id FROM output_assets
                      WHERE kind = 'Video' AND width IS NULL AND deleted_at IS NULL AND video_tries < 3
                      ORDER BY id DESC LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING content, media",
        most
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (ContentHash(row.content), MediaType::from_word(&row.media))).collect())
}

/// Writes size, length and placeholder to all outputs with this content; returns their number.
pub(in super::super) async fn measured(db: &PgPool, content: &ContentHash, measures: &Measures) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "UPDATE output_assets SET width = $2, height = $3, blur_hash = $4, duration_ms = $5
         WHERE content = $1 AND kind = 'Video' AND width IS NULL",
        content.as_str(),
        measures.width,
        measures.height,
        measures.blur_hash,
        measures.duration_ms,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}
