//! SQL of the floors: the platform's rows, written in the simplest way.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;
use verdigraph_core::database;

/// Credits of one hold: a minute of the pool "standard".
const HOLD: i64 = 600;
const NEEDS: &str = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

pub fn form(seed: u64) -> String {
    format!(
        "{{\"prompt\":\"a lighthouse on a cliff above a stormy sea, oil on canvas, warm evening light, thick strokes\",\
         \"negative\":\"text, watermark, blurry, low quality, distorted\",\"steps\":24,\"cfg\":6.5,\"width\":768,\
         \"height\":512,\"seed\":{seed}}}"
    )
}

/// Grants credits to each account.
pub async fn grant(db: &PgPool, accounts: &[Uuid]) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO credit_grants (id, account_id, kind, source, amount, remaining, issued_at)
         SELECT gen_random_uuid(), account, 2, 'floors', 1000000000000, 1000000000000, now() FROM UNNEST($1::uuid[]) AS account",
    )
    .bind(accounts)
    .execute(db)
    .await?;
    Ok(())
}

/// One request as one transaction: locks the account's lots, holds credits, inserts the entry and the job.
pub async fn accept(db: &PgPool, account: Uuid, form: Value) -> sqlx::Result<Uuid> {
    let (job, now) = (Uuid::now_v7(), Utc::now());
    let seeds = json!({ "seed": form.get("seed") });
    let mut tx = database::begin(db).await?;
    let lots: Vec<(Uuid, i64)> = sqlx::query_as(
        "SELECT id, remaining FROM credit_grants
         WHERE account_id = $1 AND remaining > 0 AND (expires_at IS NULL OR expires_at > $2)
         ORDER BY expires_at NULLS LAST, issued_at FOR UPDATE",
    )
    .bind(account)
    .bind(now)
    .fetch_all(&mut *tx)
    .await?;
    let Some((lot, remaining)) = lots.into_iter().find(|(_, remaining)| *remaining >= HOLD) else {
        return Err(sqlx::Error::RowNotFound);
    };
    sqlx::query("UPDATE credit_grants SET remaining = remaining - $2, held = held + $2 WHERE id = $1")
        .bind(lot)
        .bind(HOLD)
        .execute(&mut *tx)
        .await?;
    sqlx::query(
        "INSERT INTO credit_holds (job_id, account_id, state, held, captured, grant_ids, amounts, created_at)
         VALUES ($1, $2, 0, $3, 0, $4, $5, $6)",
    )
    .bind(job)
    .bind(account)
    .bind(HOLD)
    .bind(vec![lot])
    .bind(vec![HOLD])
    .bind(now)
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "INSERT INTO credit_entries (id, account_id, grant_id, job_id, kind, amount, balance_after, created_at)
         VALUES ($1, $2, $3, $4, 1, $5, $6, $7)",
    )
    .bind(Uuid::now_v7())
    .bind(account)
    .bind(lot)
    .bind(job)
    .bind(HOLD)
    .bind(remaining - HOLD)
    .bind(now)
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "INSERT INTO jobs (id, user_id, status, lane, pool, needs, vstart, version_id, form, seeds, rate, max_run_ms,
                           estimate_ms, created_at)
         VALUES ($1, $2, 0, 1, 'standard', $3, $4, $5, $6, $7, 10, 600000, 1000, $8)",
    )
    .bind(job)
    .bind(account)
    .bind(NEEDS)
    .bind(now.timestamp_millis())
    .bind(account)
    .bind(form)
    .bind(seeds)
    .bind(now)
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(job)
}

/// Job rows that are inserted with one statement, like the platform's group commit.
pub struct Batch {
    users: Vec<Uuid>,
    forms: Vec<Value>,
    seeds: Vec<Value>,
    created_at: Vec<DateTime<Utc>>,
}

impl Batch {
    /// This many rows, alternating between accounts.
    pub fn new(accounts: &[Uuid], rows: usize) -> Self {
        let form = |number: u64| serde_json::from_str(&form(1_000_000_000_000 + number)).unwrap_or_default();
        let count = u64::try_from(rows).unwrap_or(0);
        Self {
            users: accounts.iter().copied().cycle().take(rows).collect(),
            forms: (0..count).map(form).collect(),
            seeds: (0..count).map(|number| json!({ "seed": 1_000_000_000_000 + number })).collect(),
            created_at: vec![Utc::now(); rows],
        }
    }

    /// Inserts them with new ids.
    pub async fn insert(&self, connection: &mut PgConnection) -> sqlx::Result<()> {
        let rows = self.users.len();
        sqlx::query(
            "INSERT INTO jobs (id, user_id, status, lane, pool, needs, vstart, version_id, prompt_hash, form, seeds,
                               files, extra_data, rate, max_run_ms, estimate_ms, created_at)
             SELECT id, user_id, 0, lane, pool, needs, vstart, version_id, prompt_hash, form, seeds, files, extra_data,
                    rate, max_run_ms, estimate_ms, created_at
             FROM UNNEST($1::uuid[], $2::uuid[], $3::smallint[], $4::text[], $5::text[], $6::bigint[], $7::uuid[],
                         $8::text[], $9::jsonb[], $10::jsonb[], $11::jsonb[], $12::jsonb[], $13::bigint[],
                         $14::bigint[], $15::bigint[], $16::timestamptz[])
               AS v(id, user_id, lane, pool, needs, vstart, version_id, prompt_hash, form, seeds, files, extra_data,
                    rate, max_run_ms, estimate_ms, created_at)",
        )
        .bind((0..rows).map(|_| Uuid::now_v7()).collect::<Vec<_>>())
        .bind(&self.users)
        .bind(vec![1_i16; rows])
        .bind(vec!["standard"; rows])
        .bind(vec![NEEDS; rows])
        .bind((0..rows).map(|_| Utc::now().timestamp_millis()).collect::<Vec<_>>())
        .bind(&self.users)
        .bind(vec![None::<String>; rows])
        .bind(&self.forms)
        .bind(&self.seeds)
        .bind(vec![None::<Value>; rows])
        .bind(vec![None::<Value>; rows])
        .bind(vec![10_i64; rows])
        .bind(vec![600_000_i64; rows])
        .bind(vec![1000_i64; rows])
        .bind(&self.created_at)
        .execute(connection)
        .await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use sqlx::Connection as _;
    use verdigraph_core::testing::TestDatabase;

    use super::*;

    #[tokio::test]
    async fn floors_write_the_platforms_rows() {
        let database = TestDatabase::new().await;
        let (db, account) = (&database.db, Uuid::now_v7());
        grant(db, &[account]).await.expect("a lot");
        let form = serde_json::from_str(&form(7)).expect("a form");
        let job = accept(db, account, form).await.expect("a job");
        let held: (i64, i64, i64, i64) = sqlx::query_as(
            "SELECT g.held, h.held, e.amount, g.remaining - e.balance_after FROM credit_grants g, credit_holds h
             JOIN credit_entries e ON e.job_id = h.job_id JOIN jobs j ON j.id = h.job_id
             WHERE h.job_id = $1 AND g.id = h.grant_ids[1] AND e.grant_id = g.id AND j.user_id = $2",
        )
        .bind(job)
        .bind(account)
        .fetch_one(db)
        .await
        .expect("lot, hold, entry and job");
        assert_eq!(held, (HOLD, HOLD, HOLD, 0));
        let broke = accept(db, Uuid::now_v7(), json!({})).await;
        assert!(broke.is_err(), "an account without credits gets no job");

        let mut connection = db.acquire().await.expect("a connection").detach();
        let batch = Batch::new(&[account, Uuid::now_v7(), Uuid::now_v7()], 64);
        batch.insert(&mut connection).await.expect("64 rows");
        batch.insert(&mut connection).await.expect("64 more, under other ids");
        connection.close().await.expect("a close");
        let jobs: (i64, i64) =
            sqlx::query_as("SELECT count(*), count(DISTINCT user_id) FROM jobs WHERE form ? 'seed' AND seeds ? 'seed'")
                .fetch_one(db)
                .await
                .expect("counts");
        assert_eq!(jobs, (129, 3));
    }
}
