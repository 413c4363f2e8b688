//! Fair queuing: an accepted job gets a virtual start time in its lane, and the lane is served in that order
//! ([`crate::shared::Shared::fair_start`]). Nodes with a common Redis share the virtual time. Without it, each node learns the
//! times of the others from the rows every few seconds.

use std::collections::HashMap;

use uuid::Uuid;

use crate::ids::UserId;
use crate::jobs::status::Lane;
use crate::jobs::store::flight::{self, QueueCount};
use crate::{Core, supervision};

fn lane_key(pool: &str, lane: Lane) -> String {
    format!("{pool}:{}", lane.name())
}

/// The virtual start time of a job that is accepted now. `estimate_ms` is its expected run.
pub(in crate::jobs) async fn next(
    core: &Core,
    pool: &str,
    lane: Lane,
    account: UserId,
    estimate_ms: i64,
    weight: u32,
) -> i64 {
    core.shared.fair_start(&lane_key(pool, lane), account.0, estimate_ms / i64::from(weight.max(1))).await
}

/// The account that an account's promoted jobs count for. They have turns of their own: the first one does not wait behind
/// the account's other jobs, and many delay other accounts no more than those of one account do.
pub(in crate::jobs) fn of_promoted(account: UserId) -> UserId {
    UserId(Uuid::from_u128(!account.0.as_u128()))
}

/// Advances the virtual time of a lane to the start of a claimed job. `was_last`: this node knows no other job in the lane.
pub(in crate::jobs) fn advance(core: &Core, pool: &str, lane: Lane, start: i64, was_last: bool) {
    let (core, pool) = (core.clone(), pool.to_owned());
    supervision::spawn(async move {
        // Other nodes may have accepted jobs that this node does not know yet.
        let alone = core.fleet.living_nodes() <= 1;
        let was_last = was_last && (alone || !flight::waits(&core.db, &pool, lane).await.unwrap_or(true));
        core.shared.fair_taken(&lane_key(&pool, lane), start, was_last).await;
    });
}

/// Learns the virtual times of all nodes from the rows.
pub(in crate::jobs) fn learn(core: &Core, counted: &QueueCount) {
    let mut ends: HashMap<(&str, Lane), Vec<(Uuid, i64)>> = HashMap::new();
    for row in &counted.waiting {
        ends.entry((&row.pool, row.lane)).or_default().push((row.user.0, row.flow_end));
    }
    for ((pool, lane), ends) in ends {
        core.shared.fair_observe(&lane_key(pool, lane), 0, &ends);
    }
    for (pool, lane, start) in &counted.claimed {
        core.shared.fair_observe(&lane_key(pool, *lane), *start, &[]);
    }
}
