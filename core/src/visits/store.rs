//! SQL of visits.

use chrono::NaiveDate;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::visit::{NewVisits, Visit, VisitKind};

/// Returns the salt of a day, inserting this one if there is none.
pub(super) async fn salt(db: &PgPool, day: NaiveDate, fresh: &[u8]) -> sqlx::Result<Vec<u8>> {
    sqlx::query!("INSERT INTO visit_salts (day, salt) VALUES ($1, $2) ON CONFLICT DO NOTHING", day, fresh)
        .execute(db)
        .await?;
    sqlx::query_scalar!("SELECT salt FROM visit_salts WHERE day = $1", day).fetch_one(db).await
}

/// Inserts visits of one kind and returns the number of new ones per target, sorted by id.
pub(super) async fn insert(tx: &mut PgConnection, kind: VisitKind, noted: &[Visit]) -> sqlx::Result<Vec<NewVisits>> {
    let days: Vec<NaiveDate> = noted.iter().map(|visit| visit.day).collect();
    let things: Vec<Uuid> = noted.iter().map(|visit| visit.thing).collect();
    let viewers: Vec<Vec<u8>> = noted.iter().map(|visit| visit.viewer.to_vec()).collect();
    // Inserted in one order, so that nodes do not deadlock.
    sqlx::query_as!(
        NewVisits,
        r#"WITH fresh AS (
           INSERT INTO visits (day, kind, thing_id, viewer)
           SELECT day, $2, thing, viewer FROM UNNEST($1::date[], $3::uuid[], $4::bytea[]) AS v (day, thing, viewer)
           ORDER BY day, thing, viewer
           ON CONFLICT DO NOTHING RETURNING thing_id
         )
         SELECT thing_id AS "thing!", count(*) AS "count!" FROM fresh GROUP BY thing_id ORDER BY thing_id"#,
        &days,
        kind as i16,
        &things,
        &viewers,
    )
    .fetch_all(tx)
    .await
}

pub(super) async fn delete_old(db: &PgPool, before: NaiveDate) -> sqlx::Result<u64> {
    sqlx::query!("DELETE FROM visit_salts WHERE day < $1", before).execute(db).await?;
    let done = sqlx::query!("DELETE FROM visits WHERE day < $1", before).execute(db).await?;
    Ok(done.rows_affected())
}
