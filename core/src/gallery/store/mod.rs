//! SQL of output assets. Lists return ids and sort keys; `find` returns the rows.

pub(super) mod clean;
pub(super) mod files;
pub(super) mod labels;
pub(super) mod locks;
pub(super) mod names;
pub(super) mod videos;

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::output_asset::{NewOutputAsset, OutputAsset};
use crate::assets::{AssetKind, ContentHash, EmbeddedMetadata, Exposure, MediaCapabilities, MediaType};
use crate::ids::{JobId, OutputAssetId, UserId};
use crate::notifications::{MilestoneMetric, NotificationSubject};
use crate::visits::{CountChange, NewVisits};

struct Row {
    id: Uuid,
    user_id: Uuid,
    user_name: Option<String>,
    job_id: Uuid,
    node_id: String,
    content: String,
    media: String,
    size_bytes: i64,
    width: Option<i32>,
    height: Option<i32>,
    is_private: bool,
    is_nsfw: bool,
    like_count: i64,
    view_count: i64,
    ran_ms: i64,
    blur_hash: Option<String>,
    duration_ms: Option<i64>,
    is_clean: bool,
    embedded: Option<String>,
    clean_tries: i16,
    name: Option<String>,
    created_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    shows_origin: bool,
}

impl Row {
    /// The output as a node with these abilities shows it.
    fn shown(self, capabilities: &MediaCapabilities) -> OutputAsset {
        let row = self;
        let media = MediaType::from_word(&row.media);
        let has_preview = capabilities.has_preview(media.kind(), row.width.zip(row.height));
        // As `visible_contents` decides for guests.
        let is_visible =
            row.is_clean || (row.clean_tries < clean::OWNERS_ALONE && capabilities.can_clean(media.kind()));
        let is_publishable = match media.kind() {
            AssetKind::Image => is_visible && has_preview,
            AssetKind::Video | AssetKind::Audio => is_visible,
            AssetKind::Text | AssetKind::File => false,
        };
        OutputAsset {
            id: OutputAssetId(row.id),
            user: UserId(row.user_id),
            user_name: row.user_name.unwrap_or_default(),
            job: JobId(row.job_id),
            node_id: row.node_id,
            content: ContentHash(row.content),
            media,
            size_bytes: row.size_bytes,
            width: row.width,
            height: row.height,
            is_private: row.is_private,
            is_nsfw: row.is_nsfw,
            like_count: row.like_count,
            view_count: row.view_count,
            ran_ms: row.ran_ms,
            blur_hash: row.blur_hash,
            duration_ms: row.duration_ms,
            embedded: match (row.is_clean, row.embedded) {
                (false, _) => EmbeddedMetadata::InFile,
                (true, None) => EmbeddedMetadata::None,
                (true, Some(name)) => EmbeddedMetadata::Separate(ContentHash(name)),
            },
            name: row.name,
            has_preview,
            is_publishable,
            created_at: row.created_at,
            expires_at: row.is_private.then_some(row.expires_at),
            shows_origin: row.shows_origin,
        }
    }
}

/// Inserts all outputs of a batch of jobs with one statement.
pub(super) async fn insert_batch(connection: &mut PgConnection, outputs: &[NewOutputAsset]) -> sqlx::Result<()> {
    fn column<T>(outputs: &[NewOutputAsset], value: impl Fn(&NewOutputAsset) -> T) -> Vec<T> {
        outputs.iter().map(value).collect()
    }
    sqlx::query(
        "INSERT INTO output_assets
           (id, user_id, job_id, node_id, position, content, media, kind, size_bytes, width, height, ran_ms, created_at,
            expires_at, blur_hash, duration_ms, is_clean, embedded, clean_tries, name)
         SELECT * FROM UNNEST($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::text[], $7::text[], $8::text[],
           $9::bigint[], $10::int[], $11::int[], $12::bigint[], $13::timestamptz[], $14::timestamptz[],
           $15::text[], $16::bigint[], $17::bool[], $18::text[], $19::smallint[], $20::text[])",
    )
    .bind(column(outputs, |output| output.id.0))
    .bind(column(outputs, |output| output.user.0))
    .bind(column(outputs, |output| output.job.0))
    .bind(column(outputs, |output| output.node_id.clone()))
    .bind(column(outputs, |output| output.position))
    .bind(column(outputs, |output| output.content.0.clone()))
    .bind(column(outputs, |output| output.media.word()))
    .bind(column(outputs, |output| output.media.kind().as_str()))
    .bind(column(outputs, |output| output.size_bytes))
    .bind(column(outputs, |output| output.width))
    .bind(column(outputs, |output| output.height))
    .bind(column(outputs, |output| output.ran_ms))
    .bind(column(outputs, |output| output.created_at))
    .bind(column(outputs, |output| output.expires_at))
    .bind(column(outputs, |output| output.blur_hash.clone()))
    .bind(column(outputs, |output| output.duration_ms))
    .bind(column(outputs, |output| output.embedded.columns().0))
    .bind(column(outputs, |output| output.embedded.columns().1.map(str::to_owned)))
    // Only the owner sees an uncleaned output until it is cleaned.
    .bind(column(outputs, |output| if output.embedded == EmbeddedMetadata::InFile { clean::OWNERS_ALONE } else { 0 }))
    .bind(column(outputs, |output| output.name.clone()))
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) async fn find(
    db: &PgPool,
    ids: &[OutputAssetId],
    capabilities: &MediaCapabilities,
) -> sqlx::Result<Vec<OutputAsset>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT o.id, o.user_id, u.name AS "user_name?", o.job_id, o.node_id, o.content, o.media, o.size_bytes, o.width,
                  o.height, o.is_private, o.is_nsfw, o.like_count, o.view_count, o.ran_ms, o.blur_hash,
                  o.duration_ms, o.is_clean, o.embedded, o.clean_tries, o.name, o.created_at, o.expires_at, o.shows_origin
           FROM output_assets o LEFT JOIN users u ON u.id = o.user_id
           WHERE o.id = ANY($1) AND o.deleted_at IS NULL"#,
        &ids,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| row.shown(capabilities)).collect())
}

/// The media type of an output with this name, of the user or, for an admin, of any user.
pub(super) async fn named(
    db: &PgPool,
    content: &ContentHash,
    name: &str,
    user: UserId,
    admin: bool,
) -> sqlx::Result<Option<MediaType>> {
    let media = sqlx::query_scalar!(
        "SELECT media FROM output_assets
         WHERE content = $1 AND name = $2 AND deleted_at IS NULL AND (user_id = $3 OR $4) LIMIT 1",
        content.as_str(),
        name,
        user.0,
        admin,
    )
    .fetch_optional(db)
    .await?;
    Ok(media.map(|media| MediaType::from_word(&media)))
}

/// The contents among these that the user may see as an output. Only owners see uncleaned sound and video where ffmpeg
/// is missing: `played` is whether it is there.
pub(super) async fn visible_contents(
    db: &PgPool,
    contents: &[ContentHash],
    user: Option<UserId>,
    admin: bool,
    played: bool,
) -> sqlx::Result<HashSet<ContentHash>> {
    let contents: Vec<String> = contents.iter().map(|content| content.0.clone()).collect();
    let found = sqlx::query_scalar!(
        r#"SELECT given.content AS "content!" FROM UNNEST($1::text[]) AS given(content)
           WHERE EXISTS (SELECT FROM output_assets o WHERE o.content = given.content AND o.deleted_at IS NULL
                         AND ((NOT o.is_private AND (o.is_clean OR (o.clean_tries < 3
                                                                     AND (o.kind = 'Image' OR (o.kind <> 'File' AND $4)))))
                              OR o.user_id = $2 OR $3))"#,
        &contents,
        user.map(|user| user.0),
        admin,
        played,
    )
    .fetch_all(db)
    .await?;
    Ok(found.into_iter().map(ContentHash).collect())
}

/// A locked output.
pub(super) struct Touched {
    pub id: OutputAssetId,
    pub user: UserId,
    pub is_private: bool,
    /// Whether only admins may publish it.
    pub is_locked: bool,
}

/// Locks the existing outputs among these that belong to `owner` (any user for `None`), in one order, until the
/// transaction ends.
pub(super) async fn lock(
    tx: &mut PgConnection,
    ids: &[OutputAssetId],
    owner: Option<UserId>,
) -> sqlx::Result<Vec<Touched>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let rows = sqlx::query!(
        r#"SELECT id, user_id, is_private, locked_at IS NOT NULL AS "is_locked!" FROM output_assets
           WHERE id = ANY($1) AND deleted_at IS NULL AND ($2::uuid IS NULL OR user_id = $2)
           ORDER BY id FOR NO KEY UPDATE"#,
        &ids,
        owner.map(|user| user.0),
    )
    .fetch_all(tx)
    .await?;
    let touched =
        |id, user, is_private, is_locked| Touched { id: OutputAssetId(id), user: UserId(user), is_private, is_locked };
    Ok(rows.into_iter().map(|row| touched(row.id, row.user_id, row.is_private, row.is_locked)).collect())
}

/// Publishes or hides locked rows. Publishing also unlocks them for their owners, because only admins get this far.
/// Hidden outputs get a new expiry; those that were private keep theirs.
pub(super) async fn set_private(
    tx: &mut PgConnection,
    touched: &[Touched],
    exposure: Exposure<'_>,
    expires_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    let ids: Vec<Uuid> = touched.iter().map(|one| one.id.0).collect();
    sqlx::query!(
        "UPDATE output_assets SET is_private = $2, locked_at = CASE WHEN $2 THEN locked_at END, label = NULL,
                expires_at = CASE WHEN $2 AND NOT is_private THEN $3 ELSE expires_at END
         WHERE id = ANY($1)",
        &ids,
        exposure.is_private(),
        expires_at,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Sets whether others see what made the locked rows.
pub(super) async fn set_shows_origin(tx: &mut PgConnection, touched: &[Touched], shows: bool) -> sqlx::Result<()> {
    let ids: Vec<Uuid> = touched.iter().map(|one| one.id.0).collect();
    sqlx::query!("UPDATE output_assets SET shows_origin = $2 WHERE id = ANY($1)", &ids, shows).execute(tx).await?;
    Ok(())
}

/// Sets whether only admins may publish the output.
pub(super) async fn set_locked(
    tx: &mut PgConnection,
    id: OutputAssetId,
    since: Option<DateTime<Utc>>,
) -> sqlx::Result<()> {
    sqlx::query!("UPDATE output_assets SET locked_at = $2 WHERE id = $1", id.0, since).execute(tx).await?;
    Ok(())
}

/// Returns the owner, if the output exists.
pub(super) async fn set_nsfw(tx: &mut PgConnection, id: OutputAssetId, is_nsfw: bool) -> sqlx::Result<Option<UserId>> {
    let owner = sqlx::query_scalar!(
        "UPDATE output_assets SET is_nsfw = $2 WHERE id = $1 AND deleted_at IS NULL RETURNING user_id",
        id.0,
        is_nsfw,
    )
    .fetch_optional(tx)
    .await?;
    Ok(owner.map(UserId))
}

/// Counts the public outputs of a user among these.
pub(super) async fn count_public(db: &PgPool, user: UserId, ids: &[OutputAssetId]) -> sqlx::Result<i64> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM output_assets
           WHERE id = ANY($1) AND user_id = $2 AND deleted_at IS NULL AND NOT is_private"#,
        &ids,
        user.0
    )
    .fetch_one(db)
    .await
}

/// Adds views to outputs, and returns the new counts.
pub(super) async fn add_views(tx: &mut PgConnection, added: Vec<NewVisits>) -> sqlx::Result<Vec<CountChange>> {
    let ids: Vec<Uuid> = added.iter().map(|added| added.thing).collect();
    let counts: Vec<i64> = added.iter().map(|added| added.count).collect();
    // Locked in one order, so that two nodes cannot deadlock.
    let grown = sqlx::query!(
        r#"WITH locked AS (
           SELECT o.id, added.count FROM output_assets o
           JOIN UNNEST($1::uuid[], $2::bigint[]) AS added (id, count) ON added.id = o.id
           ORDER BY o.id FOR NO KEY UPDATE OF o
         )
         UPDATE output_assets o SET view_count = o.view_count + locked.count FROM locked WHERE o.id = locked.id
         RETURNING o.id, o.user_id, o.view_count AS after, locked.count AS "added!""#,
        &ids,
        &counts
    )
    .fetch_all(tx)
    .await?;
    let grown = grown.into_iter().map(|row| CountChange {
        owner: UserId(row.user_id),
        about: NotificationSubject::OutputAsset(OutputAssetId(row.id)),
        what: MilestoneMetric::View,
        before: row.after - row.added,
        after: row.after,
    });
    Ok(grown.collect())
}
