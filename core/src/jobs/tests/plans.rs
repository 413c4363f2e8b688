//! What the ledger's connections do with the statements of jobs.

use std::any::Any;
use std::sync::Arc;

use crate::database;
use crate::ids::{JobId, NodeId};
use crate::jobs::Status;
use crate::jobs::flight::moves::Ticket;
use crate::jobs::flight::rows::{Ended, Lease, Moved};
use crate::ledger::AttachedRow;
use crate::testing::TestCore;

#[actix::test]
async fn writes_of_jobs_are_not_planned_anew_however_many_are_in_a_batch() {
    let core = TestCore::new().await;
    let lane = database::relaxed_shard(&core.db);
    let lease = || Lease { job: JobId::new(), node: NodeId::new(), attempt: 1 };
    let moved = || {
        let (started_at, not_before, needs, ticket) = (None, None, None, Ticket::default());
        Moved { lease: lease(), status: Status::Running, started_at, not_before, needs, withdrawn: false, ticket }
            .attached()
    };
    let ended = || {
        let row = Ended {
            lease: lease(),
            status: Status::Done,
            at: core.clock.now(),
            started_at: None,
            ran_ms: 1,
            credits_used: 1,
            execute: None,
            validate: None,
            node_errors: None,
            outputs: Vec::new(),
        };
        row.attached()
    };
    let kinds: [&dyn Fn() -> AttachedRow; 2] = [&moved, &ended];
    for kind in kinds {
        for round in 0..20 {
            let attached: Vec<AttachedRow> = (0..=round % 8).map(|_| kind()).collect();
            let rows: Vec<Arc<dyn Any + Send + Sync>> = attached.iter().map(|row| Arc::clone(&row.row)).collect();
            let mut connection = lane.acquire().await.expect("the lane's connection");
            attached[0].writer.write(&mut connection, &rows).await.expect("rows that nobody has");
        }
    }
    let plans: Vec<(i64, i64)> = sqlx::query_as(
        "SELECT generic_plans, custom_plans FROM pg_prepared_statements
         WHERE statement LIKE 'UPDATE jobs j%' OR statement LIKE 'WITH ended AS%'",
    )
    .fetch_all(&lane)
    .await
    .expect("what this session has prepared");
    assert_eq!(
        plans,
        [(15, 5), (15, 5)],
        "they are planned anew for their arrays, or there is a statement for each size"
    );
}
