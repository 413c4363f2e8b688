//! SQL of community videos.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use super::address::YoutubeId;
use super::order::VideoOrder;
use super::video::Video;
use crate::ids::{AssetId, VideoId};
use crate::list::Keyset;

/// `SELECT` of whole rows; the arguments follow `FROM community_videos`.
macro_rules! videos {
    ($($rest:literal)+, $($argument:expr),+ $(,)?) => {
        sqlx::query_as!(
            Video,
            "SELECT id AS \"id: VideoId\", youtube_id AS \"youtube: YoutubeId\", name, author_name, author_url,
                    poster_asset_id AS \"poster: AssetId\", youtube_created_at, gone_at, checked_at, created_at
             FROM community_videos " $(+ $rest)+,
            $($argument),+
        )
    };
}

/// A page: the condition on the cursor, and the order.
macro_rules! page {
    ($after:literal, $order:literal, $with_gone:expr, $author_name:expr, $words:expr, $keyset:expr) => {
        videos!(
            "WHERE ($1::bool OR gone_at IS NULL) AND ($2::text IS NULL OR author_name = $2)
               AND NOT EXISTS (
                 SELECT FROM unnest($3::text[]) AS asked(word)
                 WHERE position(normalize(lower(word), NFKC)
                                IN normalize(lower(name || ' ' || author_name), NFKC)) = 0)
               AND " $after " ORDER BY " $order " LIMIT $6",
            $with_gone,
            $author_name,
            $words,
            $keyset.after.time(),
            $keyset.after.id,
            $keyset.limit,
        )
    };
}

/// A search reads all rows, which are few because admins pick the videos.
pub(super) async fn page(
    db: &PgPool,
    with_gone: bool,
    author_name: Option<&str>,
    words: &[String],
    keyset: Keyset<VideoOrder>,
) -> sqlx::Result<Vec<Video>> {
    macro_rules! rows {
        ($after:literal, $order:literal) => {
            page!($after, $order, with_gone, author_name, words, keyset).fetch_all(db).await
        };
    }
    match keyset.sort {
        VideoOrder::Newest => rows!("(youtube_created_at, id) < ($4, $5)", "youtube_created_at DESC, id DESC"),
        VideoOrder::Oldest => rows!("(youtube_created_at, id) > ($4, $5)", "youtube_created_at, id"),
    }
}

pub(super) async fn find(db: &PgPool, id: VideoId) -> sqlx::Result<Option<Video>> {
    videos!("WHERE id = $1", id.0).fetch_optional(db).await
}

/// Returns whether the video was new.
pub(super) async fn insert(tx: &mut PgConnection, video: &Video) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO community_videos
           (id, youtube_id, name, author_name, author_url, poster_asset_id, youtube_created_at, checked_at, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT ON CONSTRAINT community_videos_youtube_id_key DO NOTHING",
        video.id.0,
        video.youtube.as_str(),
        video.name,
        video.author_name,
        video.author_url,
        video.poster.map(|id| id.0),
        video.youtube_created_at,
        video.checked_at,
        video.created_at,
    )
    .execute(tx)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Writes the fields that admins may change; returns whether the video exists.
pub(super) async fn update(
    tx: &mut PgConnection,
    id: VideoId,
    name: Option<&str>,
    youtube_created_at: Option<DateTime<Utc>>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE community_videos
         SET name = coalesce($2, name), youtube_created_at = coalesce($3, youtube_created_at) WHERE id = $1",
        id.0,
        name,
        youtube_created_at,
    )
    .execute(tx)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Writes the fields of a refresh.
pub(super) async fn update_metadata(tx: &mut PgConnection, video: &Video) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE community_videos
         SET name = $2, author_name = $3, author_url = $4, poster_asset_id = $5, gone_at = $6, checked_at = $7
         WHERE id = $1",
        video.id.0,
        video.name,
        video.author_name,
        video.author_url,
        video.poster.map(|id| id.0),
        video.gone_at,
        video.checked_at,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub(super) async fn exists(db: &PgPool, youtube: &YoutubeId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM community_videos WHERE youtube_id = $1) AS "exists!""#,
        youtube.as_str()
    )
    .fetch_one(db)
    .await
}

/// Returns whether the video existed.
pub(super) async fn delete(tx: &mut PgConnection, id: VideoId) -> sqlx::Result<bool> {
    let done = sqlx::query!("DELETE FROM community_videos WHERE id = $1", id.0).execute(tx).await?;
    Ok(done.rows_affected() > 0)
}

/// The pictures among these that are previews.
pub(super) async fn posters_among(db: &PgPool, pictures: &[AssetId]) -> sqlx::Result<HashSet<AssetId>> {
    let pictures: Vec<uuid::Uuid> = pictures.iter().map(|id| id.0).collect();
    let found = sqlx::query_scalar!(
        r#"SELECT poster_asset_id AS "poster!" FROM community_videos WHERE poster_asset_id = ANY($1)"#,
        &pictures
    )
    .fetch_all(db)
    .await?;
    Ok(found.into_iter().map(AssetId).collect())
}
