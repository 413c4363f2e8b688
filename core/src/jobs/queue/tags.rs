//! Fairness: when a job is accepted it gets a virtual start time in its lane, and the lane is served in that order
//! ([`crate::shared::Shared::join`]). All nodes stand in one line, where they share a Redis; otherwise each learns from
//! the rows, every few seconds, what the others have given out and taken.

use std::collections::HashMap;

use uuid::Uuid;

use crate::ids::UserId;
use crate::jobs::status::Lane;
use crate::jobs::store::flight::{self, Counted};
use crate::{Core, supervision};

fn line(pool: &str, lane: Lane) -> String {
    format!("{pool}:{}", lane.name())
}

/// The virtual start time of a job accepted now. `estimate_ms` is what it is expected to run.
pub(in crate::jobs) async fn next(
    core: &Core,
    pool: &str,
    lane: Lane,
    account: UserId,
    estimate_ms: i64,
    weight: u32,
) -> i64 {
    core.shared.join(&line(pool, lane), account.0, estimate_ms / i64::from(weight.max(1))).await
}

/// A job with this start time was taken; `was_last` where this node knows of no other one in the lane.
pub(in crate::jobs) fn taken(core: &Core, pool: &str, lane: Lane, start: i64, was_last: bool) {
    let (core, pool) = (core.clone(), pool.to_owned());
    supervision::spawn(async move {
        // Others may have accepted some of which this node has not heard.
        let alone = core.fleet.living_nodes() <= 1;
        let was_last = was_last && (alone || !flight::waits(&core.db, &pool, lane).await.unwrap_or(true));
        core.shared.took(&line(&pool, lane), start, was_last).await;
    });
}

/// Learns from the rows what waits and what was taken, here and on other nodes.
pub(in crate::jobs) fn learn(core: &Core, counted: &Counted) {
    let mut ends: HashMap<(&str, Lane), Vec<(Uuid, i64)>> = HashMap::new();
    for row in &counted.waiting {
        ends.entry((&row.pool, row.lane)).or_default().push((row.user.0, row.finish));
    }
    for ((pool, lane), ends) in ends {
        core.shared.learn(&line(pool, lane), 0, &ends);
    }
    for (pool, lane, start) in &counted.taken {
        core.shared.learn(&line(pool, *lane), *start, &[]);
    }
}
