//! SQL of lists: the ids of a page with their sort keys, then the rows of those ids.

pub(in crate::workflows) mod filtered;
pub(in crate::workflows) mod search;

use sqlx::PgPool;
use sqlx::types::Json;
use uuid::Uuid;

use super::filter::{Slice, WorkflowOrder};
use crate::ids::{UserId, WorkflowId, WorkflowTagId};
use crate::list::Keyset;
use crate::workflows::app_traits::kind::WorkflowKind;
use crate::workflows::app_traits::{AppFilter, Makes, Takes};
use crate::workflows::store::{Row, columns};
use crate::workflows::translations::Translations;
use crate::workflows::workflow::Workflow;

/// Ids with their sort keys.
pub(in crate::workflows) type KeyedIds = Vec<(WorkflowId, i64)>;

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

/// A page over several slices. Each slice is a range of the order's index, and the page is the first rows of all.
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

/// A page of the published mini apps by the index of the order.
macro_rules! apps {
    ($key:literal, $before:literal, $order:literal, $($argument:expr),+) => {
        sqlx::query!(
            "SELECT id, " + $key + " AS \"key!\" FROM workflows
             WHERE deleted_at IS NULL AND NOT is_private AND NOT is_nsfw AND workflow_api_id IS NOT NULL
               AND ($4::text IS NULL OR $4 = ANY(app_takes)) AND ($5::text IS NULL OR $5 = ANY(app_makes))
               AND ($6::bool IS NULL OR app_works = $6)
               AND ($7::text IS NULL OR coalesce(marked_kind, 'easyapp') = $7)
               AND " + $before + " ORDER BY " + $order + " LIMIT $1",
            $($argument),+
        )
    };
}

/// The rows of a query as ids with sort keys.
macro_rules! found {
    ($db:expr, $query:expr) => {
        $query.fetch_all($db).await?.into_iter().map(|row| (WorkflowId(row.id), row.key)).collect()
    };
}
pub(in crate::workflows) use found;

pub(in crate::workflows) async fn sliced(
    db: &PgPool,
    slices: &[Slice],
    keyset: Keyset<WorkflowOrder>,
) -> sqlx::Result<KeyedIds> {
    let private: Vec<bool> = slices.iter().map(|slice| slice.is_private).collect();
    let nsfw: Vec<bool> = slices.iter().map(|slice| slice.is_nsfw).collect();
    let Keyset { sort, after, limit, .. } = keyset;
    let (key, at, id) = (after.key, after.time(), after.id);
    macro_rules! page {
        ($key:literal, $before:literal, $order:literal, $outer:literal, $($place:expr),+) => {
            found!(db, sliced!($key, $before, $order, $outer, &private, &nsfw, limit, $($place),+))
        };
    }
    Ok(match sort {
        WorkflowOrder::Oldest => page!("0::bigint", "id > $4", "id", "page.id", id),
        WorkflowOrder::Like => page!(
            "like_count",
            "(like_count, id) < ($4, $5)",
            "like_count DESC, id DESC",
            "page.key DESC, page.id DESC",
            key,
            id
        ),
        WorkflowOrder::View => page!(
            "view_count",
            "(view_count, id) < ($4, $5)",
            "view_count DESC, id DESC",
            "page.key DESC, page.id DESC",
            key,
            id
        ),
        WorkflowOrder::PublishedAt => page!(
            "(extract(epoch FROM coalesce(published_at, TIMESTAMPTZ '1970-01-01 00:00:00+00')) * 1000000)::bigint",
            "(coalesce(published_at, TIMESTAMPTZ '1970-01-01 00:00:00+00'), id) < ($4, $5)",
            "coalesce(published_at, TIMESTAMPTZ '1970-01-01 00:00:00+00') DESC, id DESC",
            "page.key DESC, page.id DESC",
            at,
            id
        ),
        _ => page!("0::bigint", "id < $4", "id DESC", "page.id DESC", id),
    })
}

pub(in crate::workflows) async fn tagged(
    db: &PgPool,
    tag: WorkflowTagId,
    nsfw: &[bool],
    keyset: Keyset<WorkflowOrder>,
) -> sqlx::Result<KeyedIds> {
    let query = by_time!(
        "SELECT page.workflow_id AS id, page.listed_at AS at FROM UNNEST($2::bool[]) AS slice(is_nsfw)
         CROSS JOIN LATERAL (
           SELECT workflow_id, listed_at FROM workflow_tag_links
           WHERE tag_id = $1 AND listed_at IS NOT NULL AND is_nsfw = slice.is_nsfw
             AND (listed_at, workflow_id) < ($3, $4) ORDER BY listed_at DESC, workflow_id DESC LIMIT $5
         ) page ORDER BY page.listed_at DESC, page.workflow_id DESC LIMIT $5",
        tag.0,
        nsfw,
        keyset.after.time(),
        keyset.after.id,
        keyset.limit,
    );
    Ok(found!(db, query))
}

pub(in crate::workflows) async fn basic(db: &PgPool, keyset: Keyset<WorkflowOrder>) -> sqlx::Result<KeyedIds> {
    let query = sqlx::query!(
        r#"SELECT id, basic_rank AS "key!" FROM workflows
           WHERE deleted_at IS NULL AND NOT is_private AND basic_at IS NOT NULL AND (basic_rank, id) < ($1, $2)
           ORDER BY basic_rank DESC, id DESC LIMIT $3"#,
        keyset.after.key,
        keyset.after.id,
        keyset.limit,
    );
    Ok(found!(db, query))
}

pub(in crate::workflows) async fn published_by(
    db: &PgPool,
    user: UserId,
    nsfw: &[bool],
    keyset: Keyset<WorkflowOrder>,
) -> sqlx::Result<KeyedIds> {
    let query = by_time!(
        "SELECT id, published_at AS at FROM workflows
         WHERE user_id = $1 AND deleted_at IS NULL AND NOT is_private AND is_nsfw = ANY($2)
           AND (published_at, id) < ($3, $4) ORDER BY published_at DESC, id DESC LIMIT $5",
        user.0,
        nsfw,
        keyset.after.time(),
        keyset.after.id,
        keyset.limit,
    );
    Ok(found!(db, query))
}

pub(in crate::workflows) async fn unpublished_by(
    db: &PgPool,
    user: UserId,
    keyset: Keyset<WorkflowOrder>,
) -> sqlx::Result<KeyedIds> {
    let query = sqlx::query!(
        r#"SELECT id, 0::bigint AS "key!" FROM workflows
           WHERE user_id = $1 AND deleted_at IS NULL AND is_private AND id < $2 ORDER BY id DESC LIMIT $3"#,
        user.0,
        keyset.after.id,
        keyset.limit,
    );
    Ok(found!(db, query))
}

pub(in crate::workflows) async fn mine(
    db: &PgPool,
    user: UserId,
    keyset: Keyset<WorkflowOrder>,
) -> sqlx::Result<KeyedIds> {
    let query = sqlx::query!(
        r#"SELECT id, 0::bigint AS "key!" FROM workflows
           WHERE user_id = $1 AND deleted_at IS NULL AND id < $2 ORDER BY id DESC LIMIT $3"#,
        user.0,
        keyset.after.id,
        keyset.limit,
    );
    Ok(found!(db, query))
}

pub(in crate::workflows) async fn published_apps(
    db: &PgPool,
    filter: AppFilter,
    keyset: Keyset<WorkflowOrder>,
) -> sqlx::Result<KeyedIds> {
    let (takes, makes) = (filter.takes.map(Takes::name), filter.makes.map(Makes::name));
    let kind = filter.kind.map(WorkflowKind::name);
    let Keyset { sort, after, limit, .. } = keyset;
    let (key, at, id) = (after.key, after.time(), after.id);
    macro_rules! page {
        ($key:literal, $before:literal, $order:literal, $place:expr) => {
            found!(db, apps!($key, $before, $order, limit, $place, id, takes, makes, filter.works, kind))
        };
    }
    Ok(match sort {
        WorkflowOrder::Oldest => page!(
            "(extract(epoch FROM published_at) * 1000000)::bigint",
            "(published_at, id) > ($2, $3)",
            "published_at, id",
            at
        ),
        WorkflowOrder::Like => {
            page!("like_count", "(like_count, id) < ($2, $3)", "like_count DESC, id DESC", key)
        }
        WorkflowOrder::View => {
            page!("view_count", "(view_count, id) < ($2, $3)", "view_count DESC, id DESC", key)
        }
        _ => page!(
            "(extract(epoch FROM published_at) * 1000000)::bigint",
            "(published_at, id) < ($2, $3)",
            "published_at DESC, id DESC",
            at
        ),
    })
}

/// Rows with the beginnings of their descriptions in all languages.
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
