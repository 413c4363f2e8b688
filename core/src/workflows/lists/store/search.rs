//! SQL of the text search: matches of the name first, then other matches, each the latest published first.
//!
//! The latest posts soon contain a common word, and the index of words has few rows for a rare one. So the search scans
//! the latest posts first, and reads and sorts all matches only where those do not fill the page.
//! `(SELECT $1::text::tsquery)` parses the query once and not for each row.

use sqlx::{PgConnection, PgPool};

use super::{KeyedIds, found};
use crate::ids::WorkflowId;
use crate::list::{Cursor, Keyset};
use crate::workflows::lists::filter::WorkflowOrder;

/// Added to the key of a match of the name, which puts it beyond all times.
const NAME_MATCH: i64 = 1 << 60;

/// Scans the latest 2000 posts, safe for work and not, by the index of their order, until a page is full.
macro_rules! among_latest {
    ($hit:literal, $($argument:expr),+) => {
        sqlx::query!(
            "SELECT page.id AS \"id!\", (extract(epoch FROM page.at) * 1000000)::bigint AS \"key!\"
             FROM UNNEST($2::bool[]) AS slice(is_nsfw)
             CROSS JOIN LATERAL (
               SELECT id, at FROM (
                 SELECT id, coalesce(published_at, TIMESTAMPTZ '1970-01-01 00:00:00+00') AS at, search, search_name
                 FROM workflows
                 WHERE deleted_at IS NULL AND is_private = false AND is_nsfw = slice.is_nsfw
                   AND (coalesce(published_at, TIMESTAMPTZ '1970-01-01 00:00:00+00'), id) < ($3, $4)
                 ORDER BY coalesce(published_at, TIMESTAMPTZ '1970-01-01 00:00:00+00') DESC, id DESC LIMIT 2000
               ) latest WHERE " + $hit + " ORDER BY at DESC, id DESC LIMIT $5
             ) page ORDER BY page.at DESC, page.id DESC",
            $($argument),+
        )
    };
}

/// Finds all matches by the indexes of words. `OFFSET 0` keeps the planner from scanning by date.
macro_rules! among_all {
    ($hit:literal, $($argument:expr),+) => {
        sqlx::query!(
            "SELECT id AS \"id!\", (extract(epoch FROM at) * 1000000)::bigint AS \"key!\" FROM (
               SELECT id, coalesce(published_at, TIMESTAMPTZ '1970-01-01 00:00:00+00') AS at FROM workflows
               WHERE deleted_at IS NULL AND NOT is_private AND is_nsfw = ANY($2) AND " + $hit + "
               OFFSET 0
             ) hits WHERE (at, id) < ($3, $4) ORDER BY at DESC, id DESC LIMIT $5",
            $($argument),+
        )
    };
}

/// A page, the latest first. The latest posts are enough where each visibility filled a page by itself.
macro_rules! page {
    ($db:expr, $hit:literal, $limit:expr, $question:expr, $nsfw:expr, $($argument:expr),+) => {{
        let limit = usize::try_from($limit).unwrap_or(0);
        let mut latest: KeyedIds = found!($db, among_latest!($hit, $question, $nsfw, $($argument),+, $limit));
        if latest.len() < limit * $nsfw.len() {
            latest = found!($db, among_all!($hit, $question, $nsfw, $($argument),+, $limit));
        }
        latest.truncate(limit);
        latest
    }};
}

pub(in crate::workflows) async fn search(
    db: &PgPool,
    question: &str,
    nsfw: &[bool],
    keyset: Keyset<WorkflowOrder>,
) -> sqlx::Result<KeyedIds> {
    let mut page: KeyedIds = Vec::new();
    let Keyset { sort, after, limit, .. } = keyset;
    let mut from = after;
    if after.key >= NAME_MATCH {
        let called = Cursor { key: after.key - NAME_MATCH, ..after };
        let (at, id) = (called.time(), called.id);
        page = page!(db, "search_name @@ (SELECT $1::text::tsquery)", limit, question, nsfw, at, id);
        page.iter_mut().for_each(|(_, key)| *key += NAME_MATCH);
        from = Cursor::start(sort);
    }
    let missing = limit - i64::try_from(page.len()).unwrap_or(limit);
    if missing > 0 {
        let (at, id) = (from.time(), from.id);
        let others: KeyedIds = page!(
            db,
            "search @@ (SELECT $1::text::tsquery) AND NOT search_name @@ (SELECT $1::text::tsquery)",
            missing,
            question,
            nsfw,
            at,
            id
        );
        page.extend(others);
    }
    Ok(page)
}

/// Published workflows, safe for work, whose names in any language resemble a text by letters: the most similar first.
pub(in crate::workflows) async fn similar(
    tx: &mut PgConnection,
    text: &str,
    limit: i64,
) -> sqlx::Result<Vec<WorkflowId>> {
    let found = sqlx::query_scalar!(
        r#"SELECT id AS "id!" FROM workflows
           WHERE deleted_at IS NULL AND NOT is_private AND NOT is_nsfw
             AND normalize($1::text, NFD) <% workflow_letters(name, translations)
           ORDER BY word_similarity(normalize($1, NFD), workflow_letters(name, translations)) DESC, like_count DESC,
                    id DESC LIMIT $2"#,
        text,
        limit,
    )
    .fetch_all(tx)
    .await?;
    Ok(found.into_iter().map(WorkflowId).collect())
}

pub(in crate::workflows) async fn ids_by_name(db: &PgPool, text: &str, limit: i64) -> sqlx::Result<Vec<WorkflowId>> {
    let rows = sqlx::query!(
        "SELECT id FROM workflows WHERE deleted_at IS NULL AND position(lower($1::text) IN lower(name)) > 0
         ORDER BY id DESC LIMIT $2",
        text,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| WorkflowId(row.id)).collect())
}
