use super::super::quarters::Quarters;
use super::*;
use crate::ids::{JobId, NodeId, UserId};
use crate::testing::TestCore;

#[actix::test]
async fn progress_events_increase_within_an_attempt_and_stop_at_its_end() {
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
    assert!(tell(node, 1, 1).await.is_empty(), "the start of the run is not written");
    set("UPDATE jobs SET status = 3").await;
    assert_eq!(tell(node, 1, 2).await, [50]);
    assert_eq!(tell(node, 1, 1).await, [50], "a late write");
    assert_eq!(tell(node, 1, 2).await, [50], "the same quarter again");
    assert_eq!(tell(NodeId::new(), 1, 3).await, [50], "a stale node");
    set("UPDATE jobs SET attempt = 2").await;
    assert_eq!(tell(node, 1, 3).await, [50], "an earlier attempt");
    assert_eq!(tell(node, 2, 1).await, [50, 25], "the next attempt starts at zero");
    crate::jobs::ended::factory::end(&core.db, job, Status::Done, core.clock.now()).await;
    assert_eq!(tell(node, 2, 2).await, [50, 25], "it has ended");
}

fn progress(nodes_done: usize, value: f64, max: f64) -> JobProgress {
    let [node_title, node_class] = [String::new(), String::new()];
    JobProgress { node_id: "1".into(), node_title, node_class, value, max, nodes_done, nodes_total: 4 }
}

#[test]
fn each_quarter_is_returned_once_and_skipped_ones_not_at_all() {
    let mut quarters = Quarters::default();
    let mut taken = Vec::new();
    for step in [
        (0, 19.0, 20.0),
        (0, 20.0, 20.0),
        (1, 5.0, 20.0),
        (0, 0.0, 20.0),
        (1, 0.0, 0.0),
        (3, 19.0, 20.0),
        (4, 1.0, 1.0),
    ] {
        quarters.pass(&progress(step.0, step.1, step.2));
        taken.extend(quarters.take());
    }
    assert_eq!(taken, [1, 3], "one step passes the second and third quarter, and the end is no quarter");
}

#[test]
fn share_is_between_0_and_1_for_any_report() {
    let shares = [
        (progress(0, f64::NAN, 20.0), 0.0),
        (progress(0, 1.0, f64::NAN), 0.0),
        (progress(0, -3.0, 20.0), 0.0),
        (progress(1, 30.0, 20.0), 0.5),
        (progress(9, 1.0, 1.0), 1.0),
        (JobProgress { nodes_total: 0, ..progress(0, 5.0, 20.0) }, 0.25),
    ];
    for (progress, share) in shares {
        let found = progress.share();
        assert!((found - share).abs() < 1e-9, "{progress:?}: {found}");
    }
}
