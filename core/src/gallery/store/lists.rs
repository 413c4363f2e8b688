//! SQL of lists: ids alone, one statement for each order, each with an index of its own.

use sqlx::PgPool;
use uuid::Uuid;

use super::super::cursor::{Order, Place};
use crate::ids::{OutputAssetId, UserId};

/// Whether a public list shows what is not safe for work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Nsfw {
    Shown,
    Left,
}

fn ids(found: Vec<Uuid>) -> Vec<OutputAssetId> {
    found.into_iter().map(OutputAssetId).collect()
}

/// What everybody may see.
pub(in super::super) async fn published(
    db: &PgPool,
    order: Order,
    after: Place,
    nsfw: Nsfw,
    limit: i64,
) -> sqlx::Result<Vec<OutputAssetId>> {
    let shown = nsfw == Nsfw::Shown;
    let found = match order {
        Order::Newest => {
            sqlx::query_scalar!(
                "SELECT id FROM output_assets WHERE deleted_at IS NULL AND NOT is_private AND (NOT is_nsfw OR $1)
                 AND id < $2 ORDER BY id DESC LIMIT $3",
                shown,
                after.id,
                limit
            )
            .fetch_all(db)
            .await?
        }
        Order::Oldest => {
            sqlx::query_scalar!(
                "SELECT id FROM output_assets WHERE deleted_at IS NULL AND NOT is_private AND (NOT is_nsfw OR $1)
                 AND id > $2 ORDER BY id LIMIT $3",
                shown,
                after.id,
                limit
            )
            .fetch_all(db)
            .await?
        }
        Order::Like => {
            sqlx::query_scalar!(
                "SELECT id FROM output_assets WHERE deleted_at IS NULL AND NOT is_private AND (NOT is_nsfw OR $1)
                 AND (like_count, id) < ($2, $3) ORDER BY like_count DESC, id DESC LIMIT $4",
                shown,
                after.count,
                after.id,
                limit
            )
            .fetch_all(db)
            .await?
        }
        Order::View => {
            sqlx::query_scalar!(
                "SELECT id FROM output_assets WHERE deleted_at IS NULL AND NOT is_private AND (NOT is_nsfw OR $1)
                 AND (view_count, id) < ($2, $3) ORDER BY view_count DESC, id DESC LIMIT $4",
                shown,
                after.count,
                after.id,
                limit
            )
            .fetch_all(db)
            .await?
        }
    };
    Ok(ids(found))
}

/// What one person shows to everybody.
pub(in super::super) async fn published_of(
    db: &PgPool,
    user: UserId,
    order: Order,
    after: Place,
    nsfw: Nsfw,
    limit: i64,
) -> sqlx::Result<Vec<OutputAssetId>> {
    let shown = nsfw == Nsfw::Shown;
    let found = match order {
        Order::Newest => {
            sqlx::query_scalar!(
                "SELECT id FROM output_assets WHERE user_id = $1 AND deleted_at IS NULL AND NOT is_private
                 AND (NOT is_nsfw OR $2) AND id < $3 ORDER BY id DESC LIMIT $4",
                user.0,
                shown,
                after.id,
                limit
            )
            .fetch_all(db)
            .await?
        }
        Order::Oldest => {
            sqlx::query_scalar!(
                "SELECT id FROM output_assets WHERE user_id = $1 AND deleted_at IS NULL AND NOT is_private
                 AND (NOT is_nsfw OR $2) AND id > $3 ORDER BY id LIMIT $4",
                user.0,
                shown,
                after.id,
                limit
            )
            .fetch_all(db)
            .await?
        }
        Order::Like => {
            sqlx::query_scalar!(
                "SELECT id FROM output_assets WHERE user_id = $1 AND deleted_at IS NULL AND NOT is_private
                 AND (NOT is_nsfw OR $2) AND (like_count, id) < ($3, $4) ORDER BY like_count DESC, id DESC LIMIT $5",
                user.0,
                shown,
                after.count,
                after.id,
                limit
            )
            .fetch_all(db)
            .await?
        }
        Order::View => {
            sqlx::query_scalar!(
                "SELECT id FROM output_assets WHERE user_id = $1 AND deleted_at IS NULL AND NOT is_private
                 AND (NOT is_nsfw OR $2) AND (view_count, id) < ($3, $4) ORDER BY view_count DESC, id DESC LIMIT $5",
                user.0,
                shown,
                after.count,
                after.id,
                limit
            )
            .fetch_all(db)
            .await?
        }
    };
    Ok(ids(found))
}

/// What one person keeps private: by age, whatever other order is wished for.
pub(in super::super) async fn unpublished_of(
    db: &PgPool,
    user: UserId,
    order: Order,
    after: Place,
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
pub(in super::super) async fn of_user(
    db: &PgPool,
    user: UserId,
    after: Place,
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
