//! SQL of the libraries. The function `library_of` has the files of a user that match, with their notes.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::item::{LibraryFilter, LibraryPlace};
use crate::ids::UserId;
use crate::users::WritePermit;

/// Whose files, at which time, and how many of each kind.
type Library = (UserId, DateTime<Utc>, i64);

/// A file in a list.
pub(super) struct FileRow {
    pub id: Uuid,
    pub is_output: bool,
    pub name: String,
    pub tags: Vec<String>,
    pub metadata: Value,
    pub updated_at: DateTime<Utc>,
}

/// What is written about a file.
pub(super) struct NoteRow {
    pub name: Option<String>,
    pub tags: Vec<String>,
    pub metadata: Value,
    pub written_at: DateTime<Utc>,
}

impl NoteRow {
    /// Of a file about which nothing is written.
    pub(super) fn first(tag: &str, at: DateTime<Utc>) -> Self {
        Self { name: None, tags: vec![tag.to_owned()], metadata: json!({}), written_at: at }
    }
}

/// A statement about the matching files `f` of a library: what it selects, the end of the statement, and the parameters
/// of that end.
macro_rules! matching {
    (
        $query:ident!($($row:ident,)? $what:literal), $rest:literal,
        ($user:expr, $now:expr, $most:expr), $filter:expr $(, $more:expr)*
    ) => {
        sqlx::$query!(
            $($row,)?
            "SELECT " + $what + " FROM library_of($1, $2, $3, $4, $5, $6, $7) f" + $rest,
            $user.0,
            $now,
            $most,
            &$filter.include_tags,
            &$filter.exclude_tags,
            $filter.name.as_deref(),
            Value::Object($filter.metadata.clone())
            $(, $more)*
        )
    };
}

pub(super) async fn list(
    db: &PgPool,
    (user, now, most): Library,
    filter: &LibraryFilter,
    place: LibraryPlace,
) -> sqlx::Result<Vec<FileRow>> {
    matching!(
        query_as!(
            FileRow,
            "f.id AS \"id!\", f.is_output AS \"is_output!\", f.name AS \"name!\", f.tags AS \"tags!\",
             f.metadata AS \"metadata!\", f.updated_at AS \"updated_at!\""
        ),
        " ORDER BY CASE WHEN $8::text = 'name' AND NOT $9::boolean THEN lower(f.name) END,
                   CASE WHEN $8 = 'name' AND $9 THEN lower(f.name) END DESC,
                   CASE $8 WHEN 'size' THEN f.size_bytes::double precision
                           WHEN 'updated' THEN extract(epoch FROM f.updated_at)::double precision
                           ELSE extract(epoch FROM f.created_at)::double precision
                   END * CASE WHEN $9 THEN -1 ELSE 1 END,
                   f.id
          OFFSET $10 LIMIT $11",
        (user, now, most),
        filter,
        place.order.word(),
        place.is_descending,
        place.offset,
        place.limit
    )
    .fetch_all(db)
    .await
}

/// The number of files that [`list`] has on all pages.
pub(super) async fn count(db: &PgPool, (user, now, most): Library, filter: &LibraryFilter) -> sqlx::Result<i64> {
    matching!(query_scalar!("count(*) AS \"count!\""), "", (user, now, most), filter).fetch_one(db).await
}

/// The tags of the files that [`list`] has on all pages, with their numbers.
pub(super) async fn tags(
    db: &PgPool,
    (user, now, most): Library,
    filter: &LibraryFilter,
) -> sqlx::Result<Vec<(String, i64)>> {
    let rows = matching!(
        query!("tag AS \"tag!\", count(*) AS \"count!\""),
        ", unnest(f.tags) AS tag GROUP BY tag ORDER BY count(*) DESC, tag",
        (user, now, most),
        filter
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.tag, row.count)).collect())
}

pub(super) async fn note(db: &PgPool, id: Uuid) -> sqlx::Result<Option<NoteRow>> {
    sqlx::query_as!(NoteRow, "SELECT name, tags, metadata, written_at FROM library_notes WHERE asset_id = $1", id)
        .fetch_optional(db)
        .await
}

/// The note of a file, locked until the transaction ends. `first` is written where there is none.
pub(super) async fn lock(
    tx: &mut PgConnection,
    _: &WritePermit,
    (user, id): (UserId, Uuid),
    first: &NoteRow,
) -> sqlx::Result<NoteRow> {
    sqlx::query!(
        "INSERT INTO library_notes (asset_id, user_id, tags, metadata, written_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (asset_id) DO NOTHING",
        id,
        user.0,
        &first.tags,
        first.metadata,
        first.written_at,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query_as!(
        NoteRow,
        "SELECT name, tags, metadata, written_at FROM library_notes WHERE asset_id = $1 FOR UPDATE",
        id,
    )
    .fetch_one(tx)
    .await
}

pub(super) async fn update(tx: &mut PgConnection, _: &WritePermit, id: Uuid, note: &NoteRow) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE library_notes SET name = $2, tags = $3, metadata = $4, written_at = $5 WHERE asset_id = $1",
        id,
        note.name.as_deref(),
        &note.tags,
        note.metadata,
        note.written_at,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub(super) async fn forget(db: &PgPool, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM library_notes WHERE user_id = $1", user.0).execute(db).await?;
    Ok(())
}
