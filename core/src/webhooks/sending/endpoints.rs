//! The endpoints of a node: which addresses it holds, and what wakes them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use actix::Addr;
use tokio::time::Instant;
use uuid::Uuid;

use super::endpoint::{CheckDue, Endpoint, Stop};
use super::permits::AttemptPermits;
use super::{LEASE_SECONDS, fan_out, give_way, store};
use crate::ids::{UserId, WebhookConfigId};
use crate::supervision::{Part, Watch};
use crate::webhooks::store::configs;
use crate::{Core, Result, events};

/// Addresses that are claimed in one statement.
const AT_ONCE: i64 = 100;
/// How often leases are renewed.
const RENEW_EVERY: Duration = Duration::from_secs(2);
/// Polling interval without a wake-up.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// Pause between two rounds, to collect events. The first event after a quiet time does not wait.
const GATHER: Duration = Duration::from_millis(15);

/// Delivers events on the current arbiter, until the node ends.
///
/// Commits are asynchronous, so that they do not take turns with those of submits. Which deliveries there are follows
/// from the log of events, and an attempt whose count is lost in a crash of the database is repeated like one whose
/// answer is lost.
pub fn start(core: &Core) {
    let core = core.with_relaxed_commits();
    core.supervisor.clone().keep(Part::Webhooks, move |watch| run(core.clone(), watch));
}

/// The endpoints of this node.
type Held = Rc<RefCell<HashMap<WebhookConfigId, Addr<Endpoint>>>>;

async fn run(core: Core, watch: Watch) {
    let held = Held::default();
    let permits = AttemptPermits::default();
    let mut news = events::subscribe(&core);
    let mut renewed = Instant::now();
    loop {
        give_way(&core).await;
        watch.at("round");
        if let Err(error) = round(&core, &held, &permits).await {
            tracing::warn!(%error, "a round of webhooks failed, trying again");
        }
        if renewed.elapsed() >= RENEW_EVERY {
            renewed = Instant::now();
            match configs::progress_subscribers(&core.db).await {
                Ok(users) => core.events.set_progress_subscribers(users.into_iter().map(UserId).collect()),
                Err(error) => tracing::warn!(%error, "cannot read which users want progress events"),
            }
            if let Err(error) = renew(&core, &held).await {
                tracing::warn!(%error, "cannot renew the leases of webhooks");
            }
        }
        let ended = Instant::now();
        tokio::select! {
            _ = news.next() => tokio::time::sleep_until(ended + GATHER).await,
            () = core.webhooks.wake_up.notified() => {}
            () = tokio::time::sleep(LOOK_AGAIN) => {}
        }
    }
}

async fn round(core: &Core, held: &Held, permits: &AttemptPermits) -> Result<()> {
    // Only these are told: each of the others that may send more would ask the database in vain.
    let mut due = fan_out::run(core).await?;
    due.extend(core.webhooks.take_requested());
    check_due(held, due);
    held.borrow_mut().retain(|_, endpoint| endpoint.connected());
    loop {
        let taken = store::claim(&core.db, core.node, LEASE_SECONDS, AT_ONCE).await?;
        for id in &taken {
            let make = |watch| Endpoint::new(core.clone(), *id, permits.clone(), watch);
            // An endpoint that panicked is not renewed any more. When its lease has ended, a node starts the next one.
            let endpoint = core.supervisor.start_once(Part::Endpoint, make, || ());
            let former = held.borrow_mut().insert(*id, endpoint);
            if let Some(former) = former {
                // Its lease ended before it was renewed, and this node got it again.
                former.do_send(Stop);
            }
        }
        if taken.len() < usize::try_from(AT_ONCE).unwrap_or(usize::MAX) {
            return Ok(());
        }
    }
}

/// Lets the endpoints of these webhooks that run on this node look for due deliveries.
fn check_due(held: &Held, due: impl IntoIterator<Item = WebhookConfigId>) {
    let held = held.borrow();
    for endpoint in due.into_iter().filter_map(|id| held.get(&id)) {
        endpoint.do_send(CheckDue);
    }
}

/// Renews the leases of running endpoints, and stops endpoints whose lease is lost. A lease without an endpoint ends.
/// Endpoints with due deliveries look for them: another node queued these, or it is time for another attempt.
async fn renew(core: &Core, held: &Held) -> Result<()> {
    held.borrow_mut().retain(|_, endpoint| endpoint.connected());
    let running: Vec<Uuid> = held.borrow().keys().map(|id| id.0).collect();
    if running.is_empty() {
        return Ok(());
    }
    let ours = store::renew(&core.db, core.node, LEASE_SECONDS, &running).await?;
    held.borrow_mut().retain(|id, endpoint| {
        let is_ours = ours.contains_key(id);
        if !is_ours {
            endpoint.do_send(Stop);
        }
        is_ours
    });
    check_due(held, ours.into_iter().filter_map(|(id, has_due)| has_due.then_some(id)));
    Ok(())
}
