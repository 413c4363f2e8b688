//! SQL of the warning before outputs expire.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::ids::UserId;

/// Progress of the warnings.
pub(in crate::gallery) struct WarningProgress {
    pub until: DateTime<Utc>,
    /// The running round, and the last owner it warned.
    pub round: Option<(DateTime<Utc>, UserId)>,
}

/// The content of a warning.
pub(in crate::gallery) struct ExpiryWarning {
    pub user: UserId,
    pub count: i64,
    pub first: DateTime<Utc>,
}

/// The one row, locked until the transaction ends; `None` while another node holds it.
pub(in crate::gallery) async fn lock_progress(connection: &mut PgConnection) -> sqlx::Result<Option<WarningProgress>> {
    let row = sqlx::query!("SELECT told_until, round_until, after_user FROM expiry_warnings FOR UPDATE SKIP LOCKED")
        .fetch_optional(connection)
        .await?;
    Ok(row.map(|row| WarningProgress { until: row.told_until, round: row.round_until.zip(row.after_user.map(UserId)) }))
}

/// The next owners whose private outputs expire in this time, in the order of their ids.
pub(in crate::gallery) async fn next_warnings(
    connection: &mut PgConnection,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
    after: UserId,
    most: i64,
) -> sqlx::Result<Vec<ExpiryWarning>> {
    let rows = sqlx::query!(
        r#"SELECT user_id, count(*) AS "count!", min(expires_at) AS "first!" FROM output_assets
           WHERE deleted_at IS NULL AND is_private AND expires_at >= $1 AND expires_at < $2 AND user_id > $3
           GROUP BY user_id ORDER BY user_id LIMIT $4"#,
        from,
        until,
        after.0,
        most,
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| ExpiryWarning { user: UserId(row.user_id), count: row.count, first: row.first })
        .collect())
}

/// Writes the progress of the round; `None` ends it.
pub(in crate::gallery) async fn write_progress(
    connection: &mut PgConnection,
    until: DateTime<Utc>,
    after: Option<UserId>,
) -> sqlx::Result<()> {
    let after: Option<Uuid> = after.map(|user| user.0);
    sqlx::query!(
        "UPDATE expiry_warnings SET after_user = $2, 
                round_until = CASE WHEN $2::uuid IS NOT NULL THEN $1::timestamptz END,
                told_until = CASE WHEN $2::uuid IS NULL THEN $1::timestamptz ELSE told_until END",
        until,
        after,
    )
    .execute(connection)
    .await?;
    Ok(())
}
