//! SQL of revocations: of whom every node is to forget what it remembers.

use sqlx::{PgConnection, PgPool};

use crate::ids::UserId;

/// What was committed since an earlier look.
pub(in crate::users) struct News {
    /// The rows, by id.
    pub rows: Vec<(i64, UserId)>,
    /// The oldest transaction that was under way: whatever is committed later is of this one or a later one.
    pub next: i64,
}

pub(in crate::users) async fn insert(tx: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("INSERT INTO user_revocations (user_id) VALUES ($1)", user.0).execute(tx).await?;
    Ok(())
}

/// What transactions have committed that are no older than this one.
pub(in crate::users) async fn since(db: &PgPool, oldest: i64) -> sqlx::Result<News> {
    // Of one statement, so that rows and transactions are of one instant.
    let rows = sqlx::query!(
        r#"SELECT look.next AS "next!", r.id AS "id?", r.user_id AS "user_id?"
           FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS next) look
           LEFT JOIN user_revocations r ON r.tx >= $1"#,
        oldest,
    )
    .fetch_all(db)
    .await?;
    let next = rows.first().map_or(oldest, |row| row.next);
    let rows = rows.into_iter().filter_map(|row| Some((row.id?, UserId(row.user_id?)))).collect();
    Ok(News { rows, next })
}

/// Deletes those that every node has read long since; tells how many.
pub(in crate::users) async fn delete_old(db: &PgPool) -> sqlx::Result<u64> {
    let deleted = sqlx::query!("DELETE FROM user_revocations WHERE at < clock_timestamp() - interval '1 hour'");
    Ok(deleted.execute(db).await?.rows_affected())
}
