//! SQL of revocations: users that every node must remove from its cache.

use sqlx::{PgConnection, PgPool};

use crate::ids::UserId;

/// The revocations since an earlier poll.
pub(in crate::users) struct NewRevocations {
    pub rows: Vec<(i64, UserId)>,
    /// The oldest transaction in progress. All later commits are of this one or a newer one.
    pub next: i64,
}

pub(in crate::users) async fn insert(tx: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("INSERT INTO user_revocations (user_id) VALUES ($1)", user.0).execute(tx).await?;
    Ok(())
}

/// Committed revocations of transactions that are not older than `oldest`.
pub(in crate::users) async fn since(db: &PgPool, oldest: i64) -> sqlx::Result<NewRevocations> {
    // One statement, so that rows and snapshot are consistent.
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
    Ok(NewRevocations { rows, next })
}

/// Deletes revocations that every node has read, and returns their number.
pub(in crate::users) async fn delete_old(db: &PgPool) -> sqlx::Result<u64> {
    let deleted = sqlx::query!("DELETE FROM user_revocations WHERE at < clock_timestamp() - interval '1 hour'");
    Ok(deleted.execute(db).await?.rows_affected())
}
