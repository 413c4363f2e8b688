//! The addresses of a node: which it has, and what wakes them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use actix::Addr;
use tokio::time::Instant;

use super::endpoint::{Endpoint, Leave, Look, Rooms};
use super::{LEASE_SECONDS, fan_out};
use crate::ids::{UserId, WebhookConfigId};
use crate::supervision::{Part, Watch};
use crate::webhooks::store::{configs, deliveries};
use crate::{Core, Result, events};

/// Addresses that are taken in one go.
const AT_ONCE: i64 = 100;
/// How often a lease is made longer.
const RENEW_EVERY: Duration = Duration::from_secs(2);
/// Between two looks where nobody rang.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// Between two rounds, so that what happens meanwhile goes together.
const GATHER: Duration = Duration::from_millis(15);

/// Brings events for as long as the node lives, on the current arbiter.
pub fn start(core: &Core) {
    let core = core.clone();
    core.supervisor.clone().keep(Part::Webhooks, move |watch| run(core.clone(), watch));
}

/// The addresses that this node has.
type Held = Rc<RefCell<HashMap<WebhookConfigId, Addr<Endpoint>>>>;

async fn run(core: Core, watch: Watch) {
    let held = Held::default();
    let rooms = Rooms::default();
    let mut news = events::all_news(&core);
    let mut renewed = Instant::now();
    loop {
        watch.at("a round of webhooks");
        if let Err(error) = round(&core, &held, &rooms).await {
            tracing::warn!(%error, "webhooks have to wait");
        }
        if renewed.elapsed() >= RENEW_EVERY {
            renewed = Instant::now();
            match configs::wanting_progress(&core.db).await {
                Ok(users) => core.events.set_progress_wanted(users.into_iter().map(UserId).collect()),
                Err(error) => tracing::warn!(%error, "whose jobs tell how far they are could not be read"),
            }
            if let Err(error) = renew(&core, &held).await {
                tracing::warn!(%error, "the leases of webhooks could not be made longer");
            }
        }
        tokio::select! {
            _ = news.next() => tokio::time::sleep(GATHER).await,
            () = core.webhooks.0.notified() => {}
            () = tokio::time::sleep(LOOK_AGAIN) => {}
        }
    }
}

async fn round(core: &Core, held: &Held, rooms: &Rooms) -> Result<()> {
    if fan_out::run(core).await? {
        // Those that are here already have something new perhaps.
        for endpoint in held.borrow().values() {
            endpoint.do_send(Look);
        }
    }
    held.borrow_mut().retain(|_, endpoint| endpoint.connected());
    loop {
        let taken = deliveries::claim(&core.db, core.node, LEASE_SECONDS, AT_ONCE).await?;
        for id in &taken {
            let (all, mine) = (Rc::clone(held), *id);
            let panicked = move || drop(all.borrow_mut().remove(&mine));
            let make = |watch| Endpoint::new(core.clone(), mine, rooms.clone(), watch);
            let endpoint = core.supervisor.start_once(Part::Endpoint, make, panicked);
            held.borrow_mut().insert(*id, endpoint);
        }
        if taken.len() < usize::try_from(AT_ONCE).unwrap_or(usize::MAX) {
            return Ok(());
        }
    }
}

/// Keeps what is here, and lets go of what is not this node's any more.
async fn renew(core: &Core, held: &Held) -> Result<()> {
    if held.borrow().is_empty() {
        return Ok(());
    }
    let ours = deliveries::renew(&core.db, core.node, LEASE_SECONDS).await?;
    held.borrow_mut().retain(|id, endpoint| {
        let is_ours = ours.contains(&id.0);
        if !is_ours {
            endpoint.do_send(Leave);
        }
        is_ours && endpoint.connected()
    });
    Ok(())
}
