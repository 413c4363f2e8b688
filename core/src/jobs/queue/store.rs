//! SQL of estimates.

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use crate::jobs::queue::estimate::Estimate;

/// Writes estimates. The last writer wins.
pub(crate) async fn keep(db: &PgPool, learned: &[(String, Estimate)], now: DateTime<Utc>) -> sqlx::Result<()> {
    let kinds: Vec<String> = learned.iter().map(|(kind, _)| kind.clone()).collect();
    let means: Vec<f64> = learned.iter().map(|(_, estimate)| estimate.mean_ms).collect();
    let deviations: Vec<f64> = learned.iter().map(|(_, estimate)| estimate.deviation_ms).collect();
    sqlx::query!(
        "INSERT INTO job_estimates (kind, mean_ms, deviation_ms, updated_at)
         SELECT kind, mean_ms, deviation_ms, $4
         FROM UNNEST($1::text[], $2::float8[], $3::float8[]) AS v(kind, mean_ms, deviation_ms) ORDER BY kind
         ON CONFLICT (kind) DO UPDATE
         SET mean_ms = EXCLUDED.mean_ms, deviation_ms = EXCLUDED.deviation_ms, updated_at = EXCLUDED.updated_at",
        &kinds,
        &means,
        &deviations,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Estimates that were written at `since` or later, newest first.
pub(crate) async fn since(
    db: &PgPool,
    since: Option<DateTime<Utc>>,
    limit: i64,
) -> sqlx::Result<Vec<(String, Estimate, DateTime<Utc>)>> {
    let rows = sqlx::query!(
        "SELECT kind, mean_ms, deviation_ms, updated_at FROM job_estimates
         WHERE $1::timestamptz IS NULL OR updated_at >= $1 ORDER BY updated_at DESC LIMIT $2",
        since,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let estimate = Estimate { mean_ms: row.mean_ms, deviation_ms: row.deviation_ms };
            (row.kind, estimate, row.updated_at)
        })
        .collect())
}

/// Deletes the estimates of kinds that did not run since `before`.
pub(crate) async fn delete(db: &PgPool, before: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM job_estimates WHERE updated_at < $1", before).execute(db).await?;
    Ok(())
}
