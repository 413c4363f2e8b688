//! Follows, for all who listen on this node together, what events do not tell: rows that other nodes change, and places
//! in the queue. Tells the other nodes to what is listened here.
//!
//! A listener itself asks nothing while nothing happens. However many there are, a round costs one statement for the
//! rows and a reading of each pool in which a job waits that somebody listens to (see `queue/snapshot.rs`).

use std::collections::HashMap;
use std::time::Duration;

use super::elsewhere::{self, Ears};
use super::events::Listened;
use crate::ids::JobId;
use crate::jobs::queue::position;
use crate::jobs::status::Status;
use crate::jobs::store;
use crate::supervision::Watch;
use crate::{Core, Result};

/// How often is looked while few listen.
const FEW: Duration = Duration::from_secs(2);
/// How often is looked while more than [`MANY`] listen.
const RARELY: Duration = Duration::from_secs(5);
const MANY: usize = 2_000;
/// A job in flight here is told of by its actor; its row is looked at now and then, in case somebody else has it.
const ROUNDS_IN_FLIGHT: u64 = 5;

/// Looks for as long as the database is open.
pub(in crate::jobs) async fn follow(core: Core, ears: Ears, watch: Watch) {
    tokio::select! {
        () = look_around(&core, &watch) => {}
        () = elsewhere::exchange(&core, ears, &watch) => {}
    }
}

async fn look_around(core: &Core, watch: &Watch) {
    for round in 1.. {
        let listened = core.queue.events().listened();
        tokio::time::sleep(if listened.len() > MANY { RARELY } else { FEW }).await;
        if core.db.is_closed() {
            return;
        }
        watch.at("round");
        if let Err(error) = look(core, round).await {
            tracing::warn!(%error, "looking for those who listen to jobs");
        }
    }
}

async fn look(core: &Core, round: u64) -> Result<()> {
    let every = round.is_multiple_of(ROUNDS_IN_FLIGHT);
    let listened: HashMap<JobId, Listened> = core
        .queue
        .events()
        .listened()
        .into_iter()
        .filter(|one| (every || !one.in_flight) && !one.status.is_some_and(Status::is_terminal))
        .map(|one| (one.job, one))
        .collect();
    if listened.is_empty() {
        return Ok(());
    }
    let not_here: Vec<(JobId, Option<u64>)> =
        listened.values().filter(|one| !one.in_flight).map(|one| (one.job, None)).collect();
    elsewhere::announce(core, &not_here).await;
    let ids: Vec<uuid::Uuid> = listened.keys().map(|job| job.0).collect();
    for row in store::whereabouts(&core.db, &ids).await? {
        let job = row.spot.id;
        let Some(known) = listened.get(&job) else { continue };
        if known.status.is_some_and(|status| status != row.status) {
            core.queue.events().correct(*known, row.status, core.clock.now());
        }
        core.queue.events().note(job, row.status);
        core.queue.events().note_lease(job, row.lease, core.clock.now());
        if row.status == Status::Pending {
            let place = position::place(core, &row.spot).await?;
            core.queue.events().place(job, place);
        }
    }
    Ok(())
}
