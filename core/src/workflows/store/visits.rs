//! SQL of visits.

use chrono::NaiveDate;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::super::visits::{Noted, Visit};

/// The salt of a day: the one that is there, or this one.
pub(in super::super) async fn salt(db: &PgPool, day: NaiveDate, fresh: &[u8]) -> sqlx::Result<Vec<u8>> {
    sqlx::query!("INSERT INTO workflow_visit_salts (day, salt) VALUES ($1, $2) ON CONFLICT DO NOTHING", day, fresh)
        .execute(db)
        .await?;
    sqlx::query_scalar!("SELECT salt FROM workflow_visit_salts WHERE day = $1", day).fetch_one(db).await
}

/// A workflow whose counts grew: each as it was and as it is.
pub(in super::super) struct Grown {
    pub id: Uuid,
    pub user_id: Uuid,
    pub name: String,
    pub views_before: i64,
    pub views: i64,
    pub launches_before: i64,
    pub launches: i64,
}

/// Writes visits down, adds those that are new to the counts, and tells which counts grew.
pub(in super::super) async fn settle(tx: &mut PgConnection, noted: &[Noted]) -> sqlx::Result<Vec<Grown>> {
    let days: Vec<NaiveDate> = noted.iter().map(|visit| visit.day).collect();
    let ids: Vec<Uuid> = noted.iter().map(|visit| visit.workflow.0).collect();
    let kinds: Vec<i16> = noted.iter().map(|visit| i16::from(visit.visit == Visit::Launch)).collect();
    let viewers: Vec<Vec<u8>> = noted.iter().map(|visit| visit.viewer.to_vec()).collect();
    // Locked in one order, so that two nodes never wait for each other.
    sqlx::query!("SELECT id FROM workflows WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE", &ids)
        .fetch_all(&mut *tx)
        .await?;
    sqlx::query_as!(
        Grown,
        r#"WITH fresh AS (
           INSERT INTO workflow_visits (day, workflow_id, kind, viewer)
           SELECT * FROM UNNEST($1::date[], $2::uuid[], $3::smallint[], $4::bytea[])
           ON CONFLICT DO NOTHING RETURNING workflow_id, kind
         )
         UPDATE workflows w SET view_count = view_count + added.views, launch_count = launch_count + added.launches
         FROM (SELECT workflow_id, count(*) FILTER (WHERE kind = 0) AS views, count(*) FILTER (WHERE kind = 1) AS launches
               FROM fresh GROUP BY workflow_id) added
         WHERE w.id = added.workflow_id
         RETURNING w.id, w.user_id, w.name, w.view_count - added.views AS "views_before!", w.view_count AS views,
                   w.launch_count - added.launches AS "launches_before!", w.launch_count AS launches"#,
        &days,
        &ids,
        &kinds,
        &viewers,
    )
    .fetch_all(&mut *tx)
    .await
}

/// Forgets who came before a day.
pub(in super::super) async fn forget(db: &PgPool, before: NaiveDate) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM workflow_visit_salts WHERE day < $1", before).execute(db).await?;
    sqlx::query!("DELETE FROM workflow_visits WHERE day < $1", before).execute(db).await?;
    Ok(())
}
