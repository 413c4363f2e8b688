//! SQL of lists. Each order has a statement that reads ids by an index of its own.

pub(in crate::gallery) mod filtered;

use sqlx::PgPool;
use uuid::Uuid;

use super::filter::OutputOrder;
use crate::filter::Nsfw;
use crate::ids::{OutputAssetId, UserId};
use crate::list::{Cursor, Keyset};

fn ids(found: Vec<Uuid>) -> Vec<OutputAssetId> {
    found.into_iter().map(OutputAssetId).collect()
}

/// Ids of published outputs: the conditions and the order. Each visibility is a statement of its own: `Only` has
/// indexes of its own, and the others use the index of the order.
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

pub(in crate::gallery) async fn published(
    db: &PgPool,
    nsfw: Nsfw,
    keyset: Keyset<OutputOrder>,
) -> sqlx::Result<Vec<OutputAssetId>> {
    let Keyset { sort, after: Cursor { key: count, id }, limit, .. } = keyset;
    let found = match sort {
        OutputOrder::Newest => published!(db, nsfw, " AND id < $1 ORDER BY id DESC LIMIT $2", id, limit),
        OutputOrder::Oldest => published!(db, nsfw, " AND id > $1 ORDER BY id LIMIT $2", id, limit),
        OutputOrder::Like => published!(
            db,
            nsfw,
            " AND (like_count, id) < ($3, $1) ORDER BY like_count DESC, id DESC LIMIT $2",
            id,
            limit,
            count
        ),
        OutputOrder::View => published!(
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

pub(in crate::gallery) async fn published_of(
    db: &PgPool,
    user: UserId,
    nsfw: Nsfw,
    keyset: Keyset<OutputOrder>,
) -> sqlx::Result<Vec<OutputAssetId>> {
    let Keyset { sort, after: Cursor { key: count, id }, limit, .. } = keyset;
    let found = match sort {
        OutputOrder::Newest => {
            published!(db, nsfw, " AND user_id = $3 AND id < $1 ORDER BY id DESC LIMIT $2", id, limit, user.0)
        }
        OutputOrder::Oldest => {
            published!(db, nsfw, " AND user_id = $3 AND id > $1 ORDER BY id LIMIT $2", id, limit, user.0)
        }
        OutputOrder::Like => published!(
            db,
            nsfw,
            " AND user_id = $4 AND (like_count, id) < ($3, $1) ORDER BY like_count DESC, id DESC LIMIT $2",
            id,
            limit,
            count,
            user.0
        ),
        OutputOrder::View => published!(
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

/// Private outputs, by age alone.
pub(in crate::gallery) async fn unpublished_of(
    db: &PgPool,
    user: UserId,
    keyset: Keyset<OutputOrder>,
) -> sqlx::Result<Vec<OutputAssetId>> {
    let found = match keyset.sort {
        OutputOrder::Oldest => {
            sqlx::query_scalar!(
                "SELECT id FROM output_assets WHERE user_id = $1 AND deleted_at IS NULL AND is_private AND id > $2
                 ORDER BY id LIMIT $3",
                user.0,
                keyset.after.id,
                keyset.limit
            )
            .fetch_all(db)
            .await?
        }
        OutputOrder::Newest | OutputOrder::Like | OutputOrder::View => {
            sqlx::query_scalar!(
                "SELECT id FROM output_assets WHERE user_id = $1 AND deleted_at IS NULL AND is_private AND id < $2
                 ORDER BY id DESC LIMIT $3",
                user.0,
                keyset.after.id,
                keyset.limit
            )
            .fetch_all(db)
            .await?
        }
    };
    Ok(ids(found))
}

pub(in crate::gallery) async fn of_user(
    db: &PgPool,
    user: UserId,
    keyset: Keyset<OutputOrder>,
) -> sqlx::Result<Vec<OutputAssetId>> {
    let found = sqlx::query_scalar!(
        "SELECT id FROM output_assets WHERE user_id = $1 AND deleted_at IS NULL AND id < $2 ORDER BY id DESC LIMIT $3",
        user.0,
        keyset.after.id,
        keyset.limit
    )
    .fetch_all(db)
    .await?;
    Ok(ids(found))
}
