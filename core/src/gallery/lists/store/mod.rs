//! SQL of lists: ids alone, one statement for each order, each with an index of its own.

pub(in crate::gallery) mod filtered;

use sqlx::PgPool;
use uuid::Uuid;

use super::cursor::{Cursor, Order};
use crate::filter::Nsfw;
use crate::ids::{OutputAssetId, UserId};

fn ids(found: Vec<Uuid>) -> Vec<OutputAssetId> {
    found.into_iter().map(OutputAssetId).collect()
}

/// The ids of a public list, by how it is limited and ordered. Each visibility is a statement of its own: what is not
/// safe for work alone has indexes of its own, and the others go by the index of the order.
macro_rules! published {
    (@ $db:expr, $visible:literal, $rest:literal $(, $value:expr)*) => {
        sqlx::query_scalar!(
            "SELECT id FROM output_assets WHERE deleted_at IS NULL AND NOT is_private" + $visible + $rest,
            $($value),*
        )
        .fetch_all($db)
        .await
    };
    ($db:expr, $nsfw:expr, $rest:literal $(, $value:expr)*) => {
        match $nsfw {
            Nsfw::View => published!(@ $db, "", $rest $(, $value)*),
            Nsfw::Hide => published!(@ $db, " AND NOT is_nsfw", $rest $(, $value)*),
            Nsfw::Only => published!(@ $db, " AND is_nsfw", $rest $(, $value)*),
        }
    };
}

/// What everybody may see.
pub(in crate::gallery) async fn published(
    db: &PgPool,
    order: Order,
    after: Cursor,
    nsfw: Nsfw,
    limit: i64,
) -> sqlx::Result<Vec<OutputAssetId>> {
    let Cursor { id, count } = after;
    let found = match order {
        Order::Newest => published!(db, nsfw, " AND id < $1 ORDER BY id DESC LIMIT $2", id, limit),
        Order::Oldest => published!(db, nsfw, " AND id > $1 ORDER BY id LIMIT $2", id, limit),
        Order::Like => published!(
            db,
            nsfw,
            " AND (like_count, id) < ($3, $1) ORDER BY like_count DESC, id DESC LIMIT $2",
            id,
            limit,
            count
        ),
        Order::View => published!(
            db,
            nsfw,
            " AND (view_count, id) < ($3, $1) ORDER BY view_count DESC, id DESC LIMIT $2",
            id,
            limit,
            count
        ),
    };
    Ok(ids(found?))
}

/// What one person shows to everybody.
pub(in crate::gallery) async fn published_of(
    db: &PgPool,
    user: UserId,
    order: Order,
    after: Cursor,
    nsfw: Nsfw,
    limit: i64,
) -> sqlx::Result<Vec<OutputAssetId>> {
    let Cursor { id, count } = after;
    let found = match order {
        Order::Newest => {
            published!(db, nsfw, " AND user_id = $3 AND id < $1 ORDER BY id DESC LIMIT $2", id, limit, user.0)
        }
        Order::Oldest => published!(db, nsfw, " AND user_id = $3 AND id > $1 ORDER BY id LIMIT $2", id, limit, user.0),
        Order::Like => published!(
            db,
            nsfw,
            " AND user_id = $4 AND (like_count, id) < ($3, $1) ORDER BY like_count DESC, id DESC LIMIT $2",
            id,
            limit,
            count,
            user.0
        ),
        Order::View => published!(
            db,
            nsfw,
            " AND user_id = $4 AND (view_count, id) < ($3, $1) ORDER BY view_count DESC, id DESC LIMIT $2",
            id,
            limit,
            count,
            user.0
        ),
    };
    Ok(ids(found?))
}

/// What one person keeps private: by age, whatever other order is wished for.
pub(in crate::gallery) async fn unpublished_of(
    db: &PgPool,
    user: UserId,
    order: Order,
    after: Cursor,
    limit: i64,
) -> sqlx::Result<Vec<OutputAssetId>> {
    let found = match order {
        Order::Oldest => {
            sqlx::query_scalar!(
                "SELECT id FROM output_assets WHERE user_id = $1 AND deleted_at IS NULL AND is_private AND id > $2
                 ORDER BY id LIMIT $3",
                user.0,
                after.id,
                limit
            )
            .fetch_all(db)
            .await?
        }
        Order::Newest | Order::Like | Order::View => {
            sqlx::query_scalar!(
                "SELECT id FROM output_assets WHERE user_id = $1 AND deleted_at IS NULL AND is_private AND id < $2
                 ORDER BY id DESC LIMIT $3",
                user.0,
                after.id,
                limit
            )
            .fetch_all(db)
            .await?
        }
    };
    Ok(ids(found))
}

/// Everything of one person, newest first.
pub(in crate::gallery) async fn of_user(
    db: &PgPool,
    user: UserId,
    after: Cursor,
    limit: i64,
) -> sqlx::Result<Vec<OutputAssetId>> {
    let found = sqlx::query_scalar!(
        "SELECT id FROM output_assets WHERE user_id = $1 AND deleted_at IS NULL AND id < $2 ORDER BY id DESC LIMIT $3",
        user.0,
        after.id,
        limit
    )
    .fetch_all(db)
    .await?;
    Ok(ids(found))
}
