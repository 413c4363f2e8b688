//! SQL of the text search: what is called so first, then what only speaks of it, each the latest published first.
//!
//! A common word is soon met among the latest posts, a rare one is in few rows of the index of words. So the latest are
//! looked through first, and only where they do not fill the page is all that has the words found and put in order.
//! `(SELECT $1::text::tsquery)` reads the question once and not for each row.

use sqlx::{PgConnection, PgPool};

use super::{Found, found};
use crate::ids::WorkflowId;
use crate::workflows::lists::cursor::Cursor;

/// Added to the key of what is called so, which puts it beyond all times.
const CALLED_SO: i64 = 1 << 60;

/// Looks through the latest 2000 posts of each kind, safe or not, until it has found a page of it; the index of their
/// order serves it.
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

/// Finds all that has the words; the indexes of words serve it, and `OFFSET 0` keeps the planner from walking by date.
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

/// One page, from the latest on. The latest are enough where each kind filled a page by itself.
macro_rules! page {
    ($db:expr, $hit:literal, $limit:expr, $question:expr, $nsfw:expr, $($argument:expr),+) => {{
        let limit = usize::try_from($limit).unwrap_or(0);
        let mut latest: Found = found!($db, among_latest!($hit, $question, $nsfw, $($argument),+, $limit));
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
    after: Cursor,
    limit: i64,
) -> sqlx::Result<Found> {
    let mut page: Found = Vec::new();
    let mut from = after;
    if after.key >= CALLED_SO {
        let called = Cursor { key: after.key - CALLED_SO, ..after };
        let (at, id) = (called.at(), called.id.0);
        page = page!(db, "search_name @@ (SELECT $1::text::tsquery)", limit, question, nsfw, at, id);
        page.iter_mut().for_each(|(_, key)| *key += CALLED_SO);
        from = Cursor::top(after.sort);
    }
    let missing = limit - i64::try_from(page.len()).unwrap_or(limit);
    if missing > 0 {
        let (at, id) = (from.at(), from.id.0);
        let spoken: Found = page!(
            db,
            "search @@ (SELECT $1::text::tsquery) AND NOT search_name @@ (SELECT $1::text::tsquery)",
            missing,
            question,
            nsfw,
            at,
            id
        );
        page.extend(spoken);
    }
    Ok(page)
}

/// Published workflows, safe for work, whose names in any language are like this text, letter by letter: the most alike
/// first.
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

/// Those of everybody that have this text in their names, the latest made first.
pub(in crate::workflows) async fn called(db: &PgPool, text: &str, limit: i64) -> sqlx::Result<Vec<WorkflowId>> {
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
