//! Polls the rows of jobs with listeners on this node, for changes that no event tells: rows that other nodes change, and
//! positions in the queue. Announces the listeners to the other nodes.
//!
//! A round costs one statement for the rows, and a snapshot of each pool with such a waiting job (`queue/snapshot.rs`),
//! whatever the number of listeners.

use std::collections::HashMap;
use std::time::Duration;

use super::events::ListenedJob;
use super::peer_events::{self, PeerSubscriptions};
use crate::ids::JobId;
use crate::jobs::queue::position::position;
use crate::jobs::status::Status;
use crate::jobs::store;
use crate::supervision::Watch;
use crate::{Core, Result};

const INTERVAL: Duration = Duration::from_secs(2);
/// The interval with more than [`MANY`] jobs.
const INTERVAL_OF_MANY: Duration = Duration::from_secs(5);
const MANY: usize = 2_000;
/// Rows of jobs in flight on this node are read once in so many rounds: their actors publish the changes, unless another
/// node has taken the job.
const ROUNDS_IN_FLIGHT: u64 = 5;

/// Runs until the database is closed.
pub(in crate::jobs) async fn follow(core: Core, peers: PeerSubscriptions, watch: Watch) {
    tokio::select! {
        () = poll_rows(&core, &watch) => {}
        () = peer_events::exchange(&core, peers, &watch) => {}
    }
}

async fn poll_rows(core: &Core, watch: &Watch) {
    for round in 1.. {
        let listened = core.queue.events().listened();
        tokio::time::sleep(if listened.len() > MANY { INTERVAL_OF_MANY } else { INTERVAL }).await;
        if core.db.is_closed() {
            return;
        }
        watch.at("round");
        if let Err(error) = poll(core, round).await {
            tracing::warn!(%error, "the rows of jobs with listeners could not be read");
        }
    }
}

async fn poll(core: &Core, round: u64) -> Result<()> {
    let every = round.is_multiple_of(ROUNDS_IN_FLIGHT);
    let events = core.queue.events();
    let listened: HashMap<JobId, ListenedJob> = events
        .listened()
        .into_iter()
        .filter(|one| (every || !one.in_flight) && !one.status.is_some_and(Status::is_terminal))
        .map(|one| (one.job, one))
        .collect();
    if listened.is_empty() {
        return Ok(());
    }
    let remote: Vec<(JobId, Option<u64>)> =
        listened.values().filter(|one| !one.in_flight).map(|one| (one.job, None)).collect();
    peer_events::announce(core, &remote).await;
    let ids: Vec<uuid::Uuid> = listened.keys().map(|job| job.0).collect();
    for row in store::locations(&core.db, &ids).await? {
        let job = row.entry.id;
        let Some(known) = listened.get(&job) else { continue };
        if known.status.is_some_and(|status| status != row.status) {
            events.correct(*known, row.status, core.clock.now());
        }
        events.note_status(job, row.status);
        events.note_lease(job, row.lease, core.clock.now());
        if row.status == Status::Pending {
            events.publish_position(job, position(core, &row.entry).await?);
        }
    }
    Ok(())
}
