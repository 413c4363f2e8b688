//! The statement of claims in a long queue.

use crate::jobs::store::claims::CLAIM;
use crate::jobs::tests::{TestJob, stage};

#[actix::test]
async fn claim_reads_the_first_jobs_of_a_long_queue() {
    let core = stage().await;
    TestJob::default().insert(&core).await;
    sqlx::raw_sql(
        "INSERT INTO jobs SELECT (jsonb_populate_record(j, jsonb_build_object('id', gen_random_uuid(), 'vstart', n))).*
         FROM jobs j, generate_series(1, 20000) n;
         ANALYZE jobs",
    )
    .execute(&core.db)
    .await
    .expect("jobs");
    let types = "text, int[], smallint[], text[], bigint[], bigint[], int[], uuid[], text[], timestamptz, float8, uuid";
    let worker = "'{00000000-0000-0000-0000-000000000001}'";
    let values = format!(
        "'cpu', '{{0}}', '{{0}}', '{{blur}}', '{{1}}', '{{17}}', '{{0}}', {worker}, '{{NULL}}', now(), 30,
         '00000000-0000-0000-0000-000000000002'"
    );
    let plan = core.database.plan(types, CLAIM, &values).await;
    let most = plan.split("(actual rows=").skip(1).filter_map(|rest| rest.split(' ').next()?.parse::<f64>().ok());
    let most = most.fold(0.0, f64::max);
    assert!(plan.contains("Update on jobs") && most < 100.0, "the claim read {most} rows:\n{plan}");
}
