//! Prepared statements of job writes on the ledger's connections.

use std::any::Any;
use std::sync::Arc;

use crate::database;
use crate::ids::{JobId, NodeId};
use crate::jobs::Status;
use crate::jobs::flight::rows::{EndedRow, Lease, TransitionRow};
use crate::ledger::AttachedRow;
use crate::testing::TestCore;

#[actix::test]
async fn one_generic_plan_serves_writes_of_any_batch_size() {
    let core = TestCore::new().await;
    let lane = database::relaxed_shard(&core.db);
    let lease = || Lease { job: JobId::new(), node: NodeId::new(), attempt: 1 };
    let moved = || TransitionRow::new(lease(), Status::Running).attached();
    let ended = || EndedRow::uncharged(lease(), Status::Done, core.clock.now(), None).attached();
    let kinds: [&dyn Fn() -> AttachedRow; 2] = [&moved, &ended];
    for kind in kinds {
        for round in 0..20 {
            let attached: Vec<AttachedRow> = (0..=round % 8).map(|_| kind()).collect();
            let rows: Vec<Arc<dyn Any + Send + Sync>> = attached.iter().map(|row| Arc::clone(&row.row)).collect();
            let mut connection = lane.acquire().await.expect("the lane's connection");
            attached[0].writer.write(&mut connection, &rows).await.expect("rows without a lease");
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
        "the statements are planned again for their arrays, or there is one for each size"
    );
}
