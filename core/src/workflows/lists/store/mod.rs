//! SQL of lists: the ids of a page with what they are ordered by, then the rows of those ids.

pub(in crate::workflows) mod filtered;
pub(in crate::workflows) mod search;

use sqlx::PgPool;
use sqlx::types::Json;
use uuid::Uuid;

use super::cursor::{Cursor, Sort};
use super::slice::Slice;
use crate::ids::{UserId, WorkflowId, WorkflowTagId};
use crate::workflows::app_traits::{AppWanted, Makes, Takes};
use crate::workflows::store::{Row, columns};
use crate::workflows::translations::Translations;
use crate::workflows::workflow::Workflow;

/// Ids with their keys.
pub(in crate::workflows) type Found = Vec<(WorkflowId, i64)>;

/// A list whose key is a time, as microseconds.
macro_rules! by_time {
    ($($sql:literal)+, $($argument:expr),+ $(,)?) => {
        sqlx::query!(
            "SELECT id AS \"id!\", (extract(epoch FROM at) * 1000000)::bigint AS \"key!\" FROM (" $(+ $sql)+
                + ") page ORDER BY at DESC, id DESC",
            $($argument),+
        )
    };
}

/// One page over several slices: each is a range of the order's index, and the first of all of them are the page.
macro_rules! sliced {
    ($key:literal, $before:literal, $order:literal, $outer:literal, $($argument:expr),+) => {
        sqlx::query!(
            "SELECT page.id AS \"id!\", page.key AS \"key!\"
             FROM UNNEST($1::bool[], $2::bool[]) AS slice(is_private, is_nsfw)
             CROSS JOIN LATERAL (
               SELECT id, " + $key + " AS key FROM workflows
               WHERE deleted_at IS NULL AND is_private = slice.is_private AND is_nsfw = slice.is_nsfw
                 AND " + $before + " ORDER BY " + $order + " LIMIT $3
             ) page ORDER BY " + $outer + " LIMIT $3",
            $($argument),+
        )
    };
}

/// One page of the published mini apps; the index of the order serves it.
macro_rules! apps {
    ($key:literal, $before:literal, $order:literal, $($argument:expr),+) => {
        sqlx::query!(
            "SELECT id, " + $key + " AS \"key!\" FROM workflows
             WHERE deleted_at IS NULL AND NOT is_private AND NOT is_nsfw AND workflow_api_id IS NOT NULL
               AND ($4::text IS NULL OR $4 = ANY(app_takes)) AND ($5::text IS NULL OR $5 = ANY(app_makes))
               AND ($6::bool IS NULL OR app_works = $6)
               AND " + $before + " ORDER BY " + $order + " LIMIT $1",
            $($argument),+
        )
    };
}

/// Gives the rows of a query as ids with keys.
macro_rules! found {
    ($db:expr, $query:expr) => {
        $query.fetch_all($db).await?.into_iter().map(|row| (WorkflowId(row.id), row.key)).collect()
    };
}
pub(in crate::workflows) use found;

pub(in crate::workflows) async fn sliced(
    db: &PgPool,
    slices: &[Slice],
    after: Cursor,
    limit: i64,
) -> sqlx::Result<Found> {
    let private: Vec<bool> = slices.iter().map(|slice| slice.is_private).collect();
    let nsfw: Vec<bool> = slices.iter().map(|slice| slice.is_nsfw).collect();
    let (key, at, id) = (after.key, after.at(), after.id.0);
    Ok(match after.sort {
        Sort::Oldest => {
            found!(db, sliced!("0::bigint", "id > $4", "id", "page.id", &private, &nsfw, limit, id))
        }
        Sort::Like => found!(
            db,
            sliced!(
                "like_count",
                "(like_count, id) < ($4, $5)",
                "like_count DESC, id DESC",
                "page.key DESC, page.id DESC",
                &private,
                &nsfw,
                limit,
                key,
                id
            )
        ),
        Sort::View => found!(
            db,
            sliced!(
                "view_count",
                "(view_count, id) < ($4, $5)",
                "view_count DESC, id DESC",
                "page.key DESC, page.id DESC",
                &private,
                &nsfw,
                limit,
                key,
                id
            )
        ),
        Sort::PublishedAt => found!(
            db,
            sliced!(
                "(extract(epoch FROM coalesce(published_at, TIMESTAMPTZ '1970-01-01 00:00:00+00')) * 1000000)::bigint",
                "(coalesce(published_at, TIMESTAMPTZ '1970-01-01 00:00:00+00'), id) < ($4, $5)",
                "coalesce(published_at, TIMESTAMPTZ '1970-01-01 00:00:00+00') DESC, id DESC",
                "page.key DESC, page.id DESC",
                &private,
                &nsfw,
                limit,
                at,
                id
            )
        ),
        _ => {
            found!(db, sliced!("0::bigint", "id < $4", "id DESC", "page.id DESC", &private, &nsfw, limit, id))
        }
    })
}

pub(in crate::workflows) async fn tagged(
    db: &PgPool,
    tag: WorkflowTagId,
    nsfw: &[bool],
    after: Cursor,
    limit: i64,
) -> sqlx::Result<Found> {
    let query = by_time!(
        "SELECT page.workflow_id AS id, page.listed_at AS at FROM UNNEST($2::bool[]) AS slice(is_nsfw)
         CROSS JOIN LATERAL (
           SELECT workflow_id, listed_at FROM workflow_tag_links
           WHERE tag_id = $1 AND listed_at IS NOT NULL AND is_nsfw = slice.is_nsfw
             AND (listed_at, workflow_id) < ($3, $4) ORDER BY listed_at DESC, workflow_id DESC LIMIT $5
         ) page ORDER BY page.listed_at DESC, page.workflow_id DESC LIMIT $5",
        tag.0,
        nsfw,
        after.at(),
        after.id.0,
        limit,
    );
    Ok(found!(db, query))
}

pub(in crate::workflows) async fn basic(db: &PgPool, after: Cursor, limit: i64) -> sqlx::Result<Found> {
    let query = sqlx::query!(
        r#"SELECT id, basic_rank AS "key!" FROM workflows
           WHERE deleted_at IS NULL AND NOT is_private AND basic_at IS NOT NULL AND (basic_rank, id) < ($1, $2)
           ORDER BY basic_rank DESC, id DESC LIMIT $3"#,
        after.key,
        after.id.0,
        limit,
    );
    Ok(found!(db, query))
}

pub(in crate::workflows) async fn published_by(
    db: &PgPool,
    user: UserId,
    nsfw: &[bool],
    after: Cursor,
    limit: i64,
) -> sqlx::Result<Found> {
    let query = by_time!(
        "SELECT id, published_at AS at FROM workflows
         WHERE user_id = $1 AND deleted_at IS NULL AND NOT is_private AND is_nsfw = ANY($2)
           AND (published_at, id) < ($3, $4) ORDER BY published_at DESC, id DESC LIMIT $5",
        user.0,
        nsfw,
        after.at(),
        after.id.0,
        limit,
    );
    Ok(found!(db, query))
}

pub(in crate::workflows) async fn unpublished_by(
    db: &PgPool,
    user: UserId,
    after: Cursor,
    limit: i64,
) -> sqlx::Result<Found> {
    let query = sqlx::query!(
        r#"SELECT id, 0::bigint AS "key!" FROM workflows
           WHERE user_id = $1 AND deleted_at IS NULL AND is_private AND id < $2 ORDER BY id DESC LIMIT $3"#,
        user.0,
        after.id.0,
        limit,
    );
    Ok(found!(db, query))
}

pub(in crate::workflows) async fn mine(db: &PgPool, user: UserId, after: Cursor, limit: i64) -> sqlx::Result<Found> {
    let query = sqlx::query!(
        r#"SELECT id, 0::bigint AS "key!" FROM workflows
           WHERE user_id = $1 AND deleted_at IS NULL AND id < $2 ORDER BY id DESC LIMIT $3"#,
        user.0,
        after.id.0,
        limit,
    );
    Ok(found!(db, query))
}

pub(in crate::workflows) async fn published_apps(
    db: &PgPool,
    wanted: AppWanted,
    sort: Sort,
    after: Cursor,
    limit: i64,
) -> sqlx::Result<Found> {
    let (takes, makes) = (wanted.takes.map(Takes::name), wanted.makes.map(Makes::name));
    let (key, at, id) = (after.key, after.at(), after.id.0);
    Ok(match sort {
        Sort::Oldest => found!(
            db,
            apps!(
                "(extract(epoch FROM published_at) * 1000000)::bigint",
                "(published_at, id) > ($2, $3)",
                "published_at, id",
                limit,
                at,
                id,
                takes,
                makes,
                wanted.works
            )
        ),
        Sort::Like => {
            found!(
                db,
                apps!(
                    "like_count",
                    "(like_count, id) < ($2, $3)",
                    "like_count DESC, id DESC",
                    limit,
                    key,
                    id,
                    takes,
                    makes,
                    wanted.works
                )
            )
        }
        Sort::View => {
            found!(
                db,
                apps!(
                    "view_count",
                    "(view_count, id) < ($2, $3)",
                    "view_count DESC, id DESC",
                    limit,
                    key,
                    id,
                    takes,
                    makes,
                    wanted.works
                )
            )
        }
        _ => found!(
            db,
            apps!(
                "(extract(epoch FROM published_at) * 1000000)::bigint",
                "(published_at, id) < ($2, $3)",
                "published_at DESC, id DESC",
                limit,
                at,
                id,
                takes,
                makes,
                wanted.works
            )
        ),
    })
}

/// Rows with the beginning of their descriptions, in whatever language.
pub(in crate::workflows) async fn rows(db: &PgPool, ids: &[WorkflowId]) -> sqlx::Result<Vec<Workflow>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let rows = columns!(
        "left(description, 600) AS \"description!\"",
        "(SELECT coalesce(jsonb_object_agg(key, value || jsonb_build_object('description',
                                                                           left(value ->> 'description', 600))), '{}')
          FROM jsonb_each(translations))",
        "WHERE id = ANY($1) AND deleted_at IS NULL",
        &ids
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}
