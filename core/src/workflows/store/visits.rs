//! SQL of visits.

use chrono::NaiveDate;
use sqlx::PgPool;
use uuid::Uuid;

use super::super::visits::{Noted, Visit};

/// The salt of a day: the one that is there, or this one.
pub(in super::super) async fn salt(db: &PgPool, day: NaiveDate, fresh: &[u8]) -> sqlx::Result<Vec<u8>> {
    sqlx::query!("INSERT INTO workflow_visit_salts (day, salt) VALUES ($1, $2) ON CONFLICT DO NOTHING", day, fresh)
        .execute(db)
        .await?;
    sqlx::query_scalar!("SELECT salt FROM workflow_visit_salts WHERE day = $1", day).fetch_one(db).await
}

/// Writes visits down and adds those that are new to the counts.
pub(in super::super) async fn settle(db: &PgPool, noted: &[Noted]) -> sqlx::Result<()> {
    let days: Vec<NaiveDate> = noted.iter().map(|visit| visit.day).collect();
    let ids: Vec<Uuid> = noted.iter().map(|visit| visit.workflow.0).collect();
    let kinds: Vec<i16> = noted.iter().map(|visit| i16::from(visit.visit == Visit::Launch)).collect();
    let viewers: Vec<Vec<u8>> = noted.iter().map(|visit| visit.viewer.to_vec()).collect();
    let mut tx = db.begin().await?;
    // Locked in one order, so that two nodes never wait for each other.
    sqlx::query!("SELECT id FROM workflows WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE", &ids)
        .fetch_all(&mut *tx)
        .await?;
    sqlx::query!(
        "WITH fresh AS (
           INSERT INTO workflow_visits (day, workflow_id, kind, viewer)
           SELECT * FROM UNNEST($1::date[], $2::uuid[], $3::smallint[], $4::bytea[])
           ON CONFLICT DO NOTHING RETURNING workflow_id, kind
         )
         UPDATE workflows w SET view_count = view_count + added.views, launch_count = launch_count + added.launches
         FROM (SELECT workflow_id, count(*) FILTER (WHERE kind = 0) AS views, count(*) FILTER (WHERE kind = 1) AS launches
               FROM fresh GROUP BY workflow_id) added
         WHERE w.id = added.workflow_id",
        &days,
        &ids,
        &kinds,
        &viewers,
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await
}

/// Forgets who came before a day.
pub(in super::super) async fn forget(db: &PgPool, before: NaiveDate) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM workflow_visit_salts WHERE day < $1", before).execute(db).await?;
    sqlx::query!("DELETE FROM workflow_visits WHERE day < $1", before).execute(db).await?;
    Ok(())
}
