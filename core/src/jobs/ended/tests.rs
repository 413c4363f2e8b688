//! Tests of ended jobs.

mod months;

use std::any::Any;
use std::sync::Arc;

use sqlx::Connection as _;

use crate::Caller;
use crate::database;
use crate::ids::{JobId, NodeId, UserId};
use crate::jobs::flight::rows::{EndedRow, Lease, UnclaimedRow};
use crate::jobs::{JobFilter, Status, find, list};
use crate::ledger::{AttachedOutcome, AttachedRow};
use crate::testing::TestCore;

/// Writes rows as a group commit does; returns which of them were refused.
async fn write(core: &TestCore, attached: Vec<AttachedRow>) -> Vec<bool> {
    let rows: Vec<Arc<dyn Any + Send + Sync>> = attached.iter().map(|row| Arc::clone(&row.row)).collect();
    let mut connection = database::relaxed_shard(&core.db).acquire().await.expect("a connection");
    let outcomes = attached[0].writer.write(&mut connection, &rows).await.expect("a write");
    outcomes.iter().map(|outcome| matches!(outcome, AttachedOutcome::Refused(_))).collect()
}

async fn count(core: &TestCore, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql).fetch_one(&core.db).await.expect("a count")
}

#[actix::test]
async fn ended_jobs_have_no_row_in_the_queue() {
    let core = TestCore::new().await;
    let (user, node) = (UserId::new(), NodeId::new());
    sqlx::query(
        "INSERT INTO jobs (id, user_id, status, lane, pool, needs, vstart, prompt_hash, form_written, rate, max_run_ms,
                           estimate_ms, created_at)
         SELECT gen_random_uuid(), $1, 0, 1, 'cpu', 'blur', n, 'p', '{\"b\": -0.0, \"a\": 1}', 1, 600000, 1000, $2
         FROM generate_series(1, 1000) n",
    )
    .bind(user.0)
    .bind(core.clock.now())
    .execute(&core.db)
    .await
    .expect("a backlog");
    let ids: Vec<uuid::Uuid> = sqlx::query_scalar("SELECT id FROM jobs").fetch_all(&core.db).await.expect("ids");
    sqlx::query("UPDATE jobs SET status = 3, attempt = 1, lease_node = $1 WHERE vstart <= 500")
        .bind(node.0)
        .execute(&core.db)
        .await
        .expect("a flight");
    let unclaimed = |id: &uuid::Uuid| {
        UnclaimedRow { job: JobId(*id), status: Status::Canceled, validate: None, ended_at: core.clock.now() }
            .attached()
    };
    let ended = |id: &uuid::Uuid| {
        let lease = Lease { job: JobId(*id), node, attempt: 1 };
        let at = core.clock.now();
        let row = EndedRow::uncharged(lease, Status::Done, at, None);
        let row = EndedRow { started_at: Some(at), ran_ms: 7, credits_used: 9, ..row };
        row.attached()
    };
    let refused = write(&core, ids.iter().map(ended).collect()).await;
    assert_eq!(refused.iter().filter(|refused| **refused).count(), 500, "waiting jobs have no lease");
    let refused = write(&core, ids.iter().map(unclaimed).collect()).await;
    assert_eq!(refused.iter().filter(|refused| **refused).count(), 500, "half of them had ended");
    assert_eq!(count(&core, "SELECT count(*) FROM jobs").await, 0, "an ended job is still in the queue");
    assert_eq!(count(&core, "SELECT count(*) FROM ended_jobs WHERE status = 4 AND credits_used = 9").await, 500);
    assert_eq!(count(&core, "SELECT count(*) FROM all_jobs WHERE credits_used = 0 AND status = 11").await, 500);
    assert!(write(&core, ids.iter().map(ended).collect()).await.iter().all(|refused| *refused), "a job ended twice");
    assert!(write(&core, ids.iter().map(unclaimed).collect()).await.iter().all(|refused| *refused));
    let found: Vec<(i16, i64, i64)> = sqlx::query_as(
        "SELECT kind, count(*), count(DISTINCT job_id) FROM events_outbox WHERE user_id = $1 GROUP BY 1 ORDER BY 1",
    )
    .bind(user.0)
    .fetch_all(&core.db)
    .await
    .expect("events");
    // Once each: a start that was written with its end, that end, and the end of a job that never started.
    assert_eq!(found, [(1, 500, 500), (2, 500, 500), (4, 500, 500)]);
    let turned =
        "SELECT count(*) FROM events_outbox b JOIN events_outbox e USING (job_id) WHERE b.kind = 1 AND e.kind = 2
                  AND b.seq > e.seq";
    assert_eq!(count(&core, turned).await, 0, "a job ended before it began");
    let caller = Caller::customer(user);
    let job = find(&core, &caller, JobId(ids[0])).await.expect("a job that has ended");
    assert_eq!(job.form.expect("a form").to_string(), r#"{"b":-0.0,"a":1}"#, "the form has changed");
    let waits = JobId::new();
    sqlx::query(
        "INSERT INTO jobs (id, user_id, status, lane, pool, needs, vstart, prompt_hash, rate, max_run_ms, estimate_ms,
                           created_at)
         VALUES ($1, $2, 0, 1, 'cpu', 'blur', 0, 'p', 1, 600000, 1000, $3)",
    )
    .bind(waits.0)
    .bind(user.0)
    .bind(core.clock.now())
    .execute(&core.db)
    .await
    .expect("a job that waits");
    let listed = list(&core, &caller, &JobFilter::default(), None, 2000).await.expect("a list");
    assert_eq!(listed.len(), 1001, "a list has both");
    assert!(listed.is_sorted_by(|one, next| one.id.0 > next.id.0), "newest first, from both tables");
    assert!(listed.iter().any(|job| job.id == waits && job.status == Status::Pending));
}

#[actix::test]
async fn migration_moves_ended_jobs_unchanged() {
    let core = TestCore::new().await;
    let mut old = core.db.acquire().await.expect("a connection").detach();
    let make = |sql: &'static str| sqlx::raw_sql(sql);
    make("CREATE SCHEMA before; SET search_path = before").execute(&mut old).await.expect("a schema");
    make(include_str!("../../../migrations/0013_jobs.sql")).execute(&mut old).await.expect("tables");
    make(include_str!("../../../migrations/0022_jobs_withdrawn.sql")).execute(&mut old).await.expect("a column");
    make(
        r#"INSERT INTO jobs (id, user_id, status, lane, pool, needs, vstart, version_id, form_written, form, seeds, rate,
                             max_run_ms, estimate_ms, created_at, ended_at)
           SELECT CASE n % 2 WHEN 0 THEN gen_random_uuid()
                             ELSE ('018c251e-c400-7000-8000-' || lpad(n::text, 12, '0'))::uuid END,
                  gen_random_uuid(), n % 5, 0, 'cpu', 'x', 0, gen_random_uuid(), '{"b": -0.0, "a": 1}', '{}', '{"s": 1}', 1, 1,
                  1, '2023-12-01', CASE n % 5 WHEN 4 THEN timestamptz '2023-12-01' END
           FROM generate_series(0, 99) n"#,
    )
    .execute(&mut old)
    .await
    .expect("rows");
    make(include_str!("../../../migrations/0027_jobs_ended.sql")).execute(&mut old).await.expect("the migration");
    let rows: (i64, i64, i64, i64) = sqlx::query_as(
        r#"SELECT (SELECT count(*) FROM jobs), (SELECT count(*) FROM ended_jobs),
                  (SELECT count(*) FROM ended_jobs WHERE form::text = '{"b": -0.0, "a": 1}' AND seeds ->> 's' = '1'),
                  (SELECT count(*) FROM ended_jobs_2023_12)"#,
    )
    .fetch_one(&mut old)
    .await
    .expect("counts");
    assert_eq!(rows, (80, 20, 20, 10), "jobs that have ended, and those of them that have a month");
    old.close().await.expect("a close");
}

#[actix::test]
async fn lookup_reads_one_partition_and_the_list_of_an_account_needs_no_sort() {
    let core = TestCore::new().await;
    // From the beginning of the month on, in all months that exist: one with few rows is read without an index.
    sqlx::raw_sql(
        "INSERT INTO ended_jobs (created_at, ended_at, estimate_ms, id, user_id, prompt_hash, status, lane, attempt, withdrawn,
                                 strict, pool)
         SELECT at, at, 1, (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || lpad(n::text, 20, '0'))::uuid,
                lpad((n % 50)::text, 32, '0')::uuid, 'p', 4, 0, 1, 0, false, 'cpu'
         FROM generate_series(1, 8500) n,
              LATERAL (SELECT date_trunc('month', now()) + n * interval '20 minutes' AS at) later;
         INSERT INTO jobs (id, user_id, status, lane, pool, needs, vstart, prompt_hash, rate, max_run_ms, estimate_ms, created_at)
         SELECT gen_random_uuid(), lpad((n % 50)::text, 32, '0')::uuid, 0, 1, 'cpu', 'blur', n, 'p', 1, 1, 1, now()
         FROM generate_series(1, 2000) n;
         ANALYZE jobs; ANALYZE ended_jobs",
    )
    .execute(&core.db)
    .await
    .expect("jobs");
    let id: uuid::Uuid =
        sqlx::query_scalar("SELECT id FROM ended_jobs OFFSET 3000 LIMIT 1").fetch_one(&core.db).await.expect("an id");
    let one = core.database.plan("uuid", "SELECT status FROM all_jobs WHERE id = $1", &format!("'{id}'")).await;
    assert_eq!(one.matches("on ended_jobs").count(), 1, "a job is looked for in other months:\n{one}");
    assert!(!one.contains("Seq Scan"), "{one}");
    let list =
        "SELECT id, status FROM all_jobs WHERE user_id = $1 AND (cardinality($2::smallint[]) = 0 OR status = ANY($2))
                AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4";
    let values = "'00000000-0000-0000-0000-000000000007', '{}', NULL, 20";
    let list = core.database.plan("uuid, smallint[], uuid, bigint", list, values).await;
    assert!(list.contains("Merge Append") && !list.contains("Seq Scan") && !list.contains("Sort Method"), "{list}");
    let of_app = "SELECT id, status FROM all_jobs
                  WHERE version_id = ANY(ARRAY(SELECT v.id FROM workflow_api_versions v WHERE v.workflow_api_id = $2))
                    AND user_id = $1 ORDER BY id DESC LIMIT 20";
    let values = "'00000000-0000-0000-0000-000000000007', '00000000-0000-0000-0000-000000000001'";
    let of_app = core.database.plan("uuid, uuid", of_app, values).await;
    let finds = of_app.contains("_user_id_version_id_id_idx") || of_app.contains("_user_id_id_idx");
    assert!(finds && !of_app.contains("Seq Scan on ended_jobs_2"), "{of_app}");
}
