//! Gives events their positions.
//!
//! Ids, sequences and transaction numbers are given before a commit, and commits end in another order: a reader that goes by
//! one of them passes over whatever commits late. So a position is given after the commit, by whoever holds the head of the
//! log. What has no position cannot be seen; what has one is seen together with all lower ones.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use uuid::Uuid;

use super::{CHANNEL, store};
use crate::ids::UserId;
use crate::metrics::{self, Counters, Histograms};
use crate::supervision::{Part, Watch};
use crate::{Core, Result};

/// Events that are numbered in one commit.
const AT_ONCE: i64 = 2000;
/// Between two rounds, so that what is written meanwhile goes together.
const GATHER: Duration = Duration::from_millis(15);
/// How long an event may wait whose node did not live to number it.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// People that one message names.
const NAMED: usize = 500;

static NUMBERED: Counters<1> = Counters::new(metrics::EVENTS, "log", || ["events"]);
static WAITED: Histograms<1> = Histograms::new(metrics::EVENT_SECONDS, "log", || ["events"]);

/// Numbers events for as long as the node lives, on the current arbiter.
pub fn start(core: &Core) {
    NUMBERED.begin();
    let core = core.clone();
    core.supervisor.clone().keep(Part::Events, move |watch| run(core.clone(), watch));
}

async fn run(core: Core, watch: Watch) {
    loop {
        watch.at("a round of numbering");
        match number_all(&core).await {
            Ok(0) => {}
            Ok(_) => {
                tokio::time::sleep(GATHER).await;
                continue;
            }
            Err(error) => {
                tracing::warn!(%error, "events have to wait for their positions");
                tokio::time::sleep(LOOK_AGAIN).await;
            }
        }
        tokio::select! {
            () = core.ledger.written().notified() => {}
            () = core.events.written.notified() => {}
            () = tokio::time::sleep(LOOK_AGAIN) => {}
        }
    }
}

/// Numbers what waits now, and tells how much that was.
///
/// # Errors
/// Database errors; what is not numbered waits.
pub(super) async fn number_all(core: &Core) -> Result<i64> {
    let mut all = 0;
    while store::is_waiting(&core.db).await? {
        let mut tx = core.db.begin().await?;
        let last = store::lock_head(&mut tx).await?;
        let numbered = store::number(&mut tx, last, AT_ONCE).await?;
        tx.commit().await?;
        all += numbered.count;
        NUMBERED.add(0, u64::try_from(numbered.count).unwrap_or_default());
        if let Some(oldest) = numbered.oldest {
            WAITED.note(0, (core.clock.now() - oldest).to_std().unwrap_or_default().as_secs_f64());
        }
        for some in numbered.users.chunks(NAMED) {
            core.shared.publish(CHANNEL, letter(some)).await;
        }
        core.events.numbered.send_replace(last + numbered.count);
        if numbered.count < AT_ONCE {
            break;
        }
    }
    Ok(all)
}

fn letter(users: &[Uuid]) -> Bytes {
    let mut letter = BytesMut::with_capacity(users.len() * 16);
    for user in users {
        letter.extend_from_slice(user.as_bytes());
    }
    letter.freeze()
}

/// Whether a message names somebody.
pub(super) fn names(letter: &Bytes, user: UserId) -> bool {
    letter.chunks_exact(16).any(|one| one == user.0.as_bytes())
}
