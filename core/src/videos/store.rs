//! SQL of community videos.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use super::address::YoutubeId;
use super::cursor::{Cursor, Order};
use super::video::Video;
use crate::ids::{AssetId, VideoId};

/// A question as the statement takes it.
pub(super) struct Wanted {
    pub order: Order,
    pub with_gone: bool,
    pub author_name: Option<String>,
    pub words: Vec<String>,
}

/// `SELECT` of whole rows: everything behind `FROM community_videos`.
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

/// One page: the end of the range, and the order.
macro_rules! page {
    ($after:literal, $order:literal, $wanted:expr, $place:expr, $limit:expr) => {
        videos!(
            "WHERE ($1::bool OR gone_at IS NULL) AND ($2::text IS NULL OR author_name = $2)
               AND NOT EXISTS (
                 SELECT FROM unnest($3::text[]) AS asked(word)
                 WHERE position(normalize(lower(word), NFKC)
                                IN normalize(lower(name || ' ' || author_name), NFKC)) = 0)
               AND " $after " ORDER BY " $order " LIMIT $6",
            $wanted.with_gone,
            $wanted.author_name.as_deref(),
            &$wanted.words,
            $place.at,
            $place.id.0,
            $limit,
        )
    };
}

/// A search reads all rows: admins pick them by hand, one by one.
pub(super) async fn page(db: &PgPool, wanted: &Wanted, place: Cursor, limit: i64) -> sqlx::Result<Vec<Video>> {
    match wanted.order {
        Order::Newest => {
            page!("(youtube_created_at, id) < ($4, $5)", "youtube_created_at DESC, id DESC", wanted, place, limit)
                .fetch_all(db)
                .await
        }
        Order::Oldest => {
            page!("(youtube_created_at, id) > ($4, $5)", "youtube_created_at, id", wanted, place, limit)
                .fetch_all(db)
                .await
        }
    }
}

pub(super) async fn find(db: &PgPool, id: VideoId) -> sqlx::Result<Option<Video>> {
    videos!("WHERE id = $1", id.0).fetch_optional(db).await
}

/// Inserts the video; tells whether it was not there yet.
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

/// Writes what admins may change; tells whether the video is still there.
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

/// Writes what YouTube told.
pub(super) async fn update_told(tx: &mut PgConnection, video: &Video) -> sqlx::Result<()> {
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

/// Tells whether it was there.
pub(super) async fn delete(tx: &mut PgConnection, id: VideoId) -> sqlx::Result<bool> {
    let done = sqlx::query!("DELETE FROM community_videos WHERE id = $1", id.0).execute(tx).await?;
    Ok(done.rows_affected() > 0)
}

/// Those of the pictures that are a video's preview.
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
