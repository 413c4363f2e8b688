//! Assigns positions to events.
//!
//! Ids, sequence values and transaction ids are assigned before a commit, and commits finish in another order: a reader
//! that follows them misses events that commit late. Therefore a position is assigned after the commit, under a lock on
//! the log's head. Events without a position are invisible; an event becomes visible together with all lower positions.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use uuid::Uuid;

use super::{CHANNEL, store};
use crate::database;
use crate::ids::UserId;
use crate::metrics::{self, Counters, Histograms};
use crate::supervision::{Part, Watch};
use crate::{Core, Result};

/// Events that are numbered in one commit.
const AT_ONCE: i64 = 2000;
/// Pause between two rounds, to collect events.
const GATHER: Duration = Duration::from_millis(15);
/// Polling interval, for events of nodes that died before numbering them.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// Users per message.
const NAMED: usize = 500;

static NUMBERED: Counters<1> = Counters::new(metrics::EVENTS, "log", || ["events"]);
static WAITED: Histograms<1> = Histograms::new(metrics::EVENT_SECONDS, "log", || ["events"]);

/// Numbers events on the current arbiter, until the node ends.
pub fn start(core: &Core) {
    NUMBERED.begin();
    let core = core.clone();
    core.supervisor.clone().keep(Part::Events, move |watch| run(core.clone(), watch));
}

async fn run(core: Core, watch: Watch) {
    loop {
        watch.at("round");
        match number_all(&core).await {
            Ok(0) => {}
            Ok(_) => {
                tokio::time::sleep(GATHER).await;
                continue;
            }
            Err(error) => {
                tracing::warn!(%error, "cannot number events, trying again");
                tokio::time::sleep(LOOK_AGAIN).await;
            }
        }
        tokio::select! {
            () = core.ledger.rows_written().notified() => {}
            () = core.events.written.notified() => {}
            () = tokio::time::sleep(LOOK_AGAIN) => {}
        }
    }
}

/// Numbers all waiting events and returns their count.
pub(super) async fn number_all(core: &Core) -> Result<i64> {
    let mut all = 0;
    while store::is_waiting(&core.db).await? {
        let mut tx = database::begin(&core.db).await?;
        let last = store::lock_head(&mut tx).await?;
        let numbered = store::number(&mut tx, last, AT_ONCE).await?;
        tx.commit().await?;
        all += numbered.count;
        NUMBERED.add(0, u64::try_from(numbered.count).unwrap_or_default());
        if let Some(oldest) = numbered.oldest {
            WAITED.note(0, (core.clock.now() - oldest).to_std().unwrap_or_default().as_secs_f64());
        }
        for some in numbered.users.chunks(NAMED) {
            core.shared.publish(CHANNEL, message(some)).await;
        }
        if numbered.count < AT_ONCE {
            break;
        }
    }
    Ok(all)
}

fn message(users: &[Uuid]) -> Bytes {
    let mut message = BytesMut::with_capacity(users.len() * 16);
    for user in users {
        message.extend_from_slice(user.as_bytes());
    }
    message.freeze()
}

/// Whether a message names this user.
pub(super) fn names(message: &Bytes, user: UserId) -> bool {
    message.chunks_exact(16).any(|one| one == user.0.as_bytes())
}
