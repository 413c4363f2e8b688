//! SQL of visits.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::ids::{UserId, WorkflowId};
use crate::notifications::{MilestoneMetric, NotificationSubject};
use crate::visits::{CountChange, NewVisits};

/// Adds to the views or launches of workflows, and returns the new counts.
pub(in crate::workflows) async fn add(
    tx: &mut PgConnection,
    added: &[NewVisits],
    what: MilestoneMetric,
) -> sqlx::Result<Vec<CountChange>> {
    let ids: Vec<Uuid> = added.iter().map(|added| added.thing).collect();
    let counts: Vec<i64> = added.iter().map(|added| added.count).collect();
    let launches = what == MilestoneMetric::Launch;
    // Locked in one order, so that two nodes cannot deadlock.
    sqlx::query!("SELECT id FROM workflows WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE", &ids)
        .fetch_all(&mut *tx)
        .await?;
    let grown = sqlx::query!(
        r#"UPDATE workflows w SET view_count = view_count + CASE WHEN $3 THEN 0 ELSE added.count END,
                  launch_count = launch_count + CASE WHEN $3 THEN added.count ELSE 0 END
         FROM UNNEST($1::uuid[], $2::bigint[]) AS added (id, count) WHERE w.id = added.id
         RETURNING w.id, w.user_id, w.name, added.count AS "added!",
                   CASE WHEN $3 THEN w.launch_count ELSE w.view_count END AS "after!""#,
        &ids,
        &counts,
        launches,
    )
    .fetch_all(tx)
    .await?;
    let grown = grown.into_iter().map(|row| CountChange {
        owner: UserId(row.user_id),
        about: NotificationSubject::Workflow(WorkflowId(row.id), row.name),
        what,
        before: row.after - row.added,
        after: row.after,
    });
    Ok(grown.collect())
}
