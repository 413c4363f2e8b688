//! SQL of blocks.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use super::block::Block;
use crate::ids::UserId;

pub(super) async fn insert(db: &PgPool, user: UserId, other: UserId, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO user_blocks (user_id, blocked_id, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        user.0,
        other.0,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

pub(super) async fn delete(db: &PgPool, user: UserId, other: UserId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM user_blocks WHERE user_id = $1 AND blocked_id = $2", user.0, other.0).execute(db).await?;
    Ok(())
}

pub(super) async fn delete_all(connection: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM user_blocks WHERE user_id = $1", user.0).execute(connection).await?;
    Ok(())
}

pub(super) async fn count(db: &PgPool, user: UserId) -> sqlx::Result<i64> {
    sqlx::query_scalar!(r#"SELECT count(*) AS "count!" FROM user_blocks WHERE user_id = $1"#, user.0)
        .fetch_one(db)
        .await
}

pub(super) async fn of(db: &PgPool, user: UserId, limit: i64) -> sqlx::Result<Vec<Block>> {
    let rows = sqlx::query!(
        "SELECT blocked_id, created_at FROM user_blocks WHERE user_id = $1 ORDER BY created_at DESC, blocked_id LIMIT $2",
        user.0,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| Block { user: UserId(row.blocked_id), since: row.created_at }).collect())
}

pub(super) async fn among(db: &PgPool, user: UserId, others: &[UserId]) -> sqlx::Result<HashSet<UserId>> {
    let others: Vec<Uuid> = others.iter().map(|other| other.0).collect();
    let rows = sqlx::query_scalar!(
        "SELECT blocked_id FROM user_blocks WHERE user_id = $1 AND blocked_id = ANY($2)",
        user.0,
        &others,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(UserId).collect())
}

pub(super) async fn exists(db: impl PgExecutor<'_>, user: UserId, other: UserId) -> sqlx::Result<bool> {
    let found = sqlx::query_scalar!(
        "SELECT 1 AS one FROM user_blocks WHERE user_id = $1 AND blocked_id = $2",
        user.0,
        other.0,
    )
    .fetch_optional(db)
    .await?;
    Ok(found.is_some())
}
