//! That an attempt's quarters are told in order, by whoever has it.

use super::*;
use crate::ids::{JobId, NodeId, UserId};
use crate::testing::TestCore;

#[actix::test]
async fn what_is_told_of_an_attempt_never_goes_back_whoever_has_it_and_stops_with_it() {
    let core = TestCore::new().await;
    let (job, node) = (JobId::new(), NodeId::new());
    sqlx::query(
        "INSERT INTO jobs (id, user_id, status, lane, pool, needs, vstart, attempt, lease_node, prompt_hash, rate,
                           max_run_ms, estimate_ms, created_at)
         VALUES ($1, $2, 2, 1, 'cpu', 'blur', 0, 1, $3, 'p', 1, 600000, 1000, now())",
    )
    .bind(job.0)
    .bind(UserId::new().0)
    .bind(node.0)
    .execute(&core.db)
    .await
    .expect("a job in flight");
    let tell = async |node, attempt, quarter| {
        write(&core, Lease { job, node, attempt }, quarter).await.expect("a write");
        let told: Vec<i32> =
            sqlx::query_scalar("SELECT (data->>'percent')::int FROM events_outbox WHERE kind = 5 ORDER BY seq")
                .fetch_all(&core.db)
                .await
                .expect("events");
        told
    };
    let set = async |sql: &'static str| {
        sqlx::query(sql).execute(&core.db).await.expect("a change");
    };
    assert!(tell(node, 1, 1).await.is_empty(), "its begin is not written");
    set("UPDATE jobs SET status = 3").await;
    assert_eq!(tell(node, 1, 2).await, [50]);
    assert_eq!(tell(node, 1, 1).await, [50], "a write that was overtaken");
    assert_eq!(tell(node, 1, 2).await, [50], "whoever took the attempt over");
    assert_eq!(tell(NodeId::new(), 1, 3).await, [50], "a stale node");
    set("UPDATE jobs SET attempt = 2").await;
    assert_eq!(tell(node, 1, 3).await, [50], "an earlier attempt");
    assert_eq!(tell(node, 2, 1).await, [50, 25], "another attempt begins anew");
    crate::jobs::ended::factory::end(&core.db, job, Status::Done, core.clock.now()).await;
    assert_eq!(tell(node, 2, 2).await, [50, 25], "it has ended");
}
