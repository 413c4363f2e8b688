//! The live side of one address: an [`Endpoint`] for each that has something due, on the node that has its lease.
//!
//! It begins attempts, which counts them in their rows, makes them side by side, and writes what came of all that have come
//! back together. It ends when nothing is due, and gives the lease back. A node that dies loses its leases; what was under
//! way counts as tried, and is tried again.

use std::sync::Arc;
use std::time::Duration;

use actix::fut::WrapFuture;
use actix::{Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Handler, Message};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use tokio::sync::Semaphore;

use super::signing::signature;
use super::{MOST_AT_ONCE, disabling};
use crate::ids::WebhookConfigId;
use crate::outbound::{Blocked, Parcel, Purpose};
use crate::supervision::Watch;
use crate::webhooks::state::{Health, Outcome, next};
use crate::webhooks::store::deliveries::{self, Address, Due, Tried};
use crate::{Core, Result};

/// Attempts side by side at an address that does well.
const MOST_BESIDE: usize = 32;
/// At one that nothing is known of.
const FIRST_BESIDE: usize = 2;
/// How many are begun together at most: each beginning is a commit.
const BEGUN_AT_ONCE: usize = 64;
/// Bytes that are kept of an answer.
const KEPT_BYTES: usize = 4096;

/// Says that there may be something due.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(super) struct Look;

/// Says that another node has the address.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(super) struct Leave;

/// What came of an attempt.
#[derive(Message)]
#[rtype(result = "()")]
struct Back(Tried, Outcome);

/// How many attempts a node makes at a time: those at addresses that do well have room of their own, whoever else never
/// answers.
#[derive(Debug, Clone)]
pub(super) struct Rooms {
    well: Arc<Semaphore>,
    others: Arc<Semaphore>,
}

impl Default for Rooms {
    fn default() -> Self {
        Self { well: Arc::new(Semaphore::new(MOST_AT_ONCE)), others: Arc::new(Semaphore::new(MOST_AT_ONCE / 2)) }
    }
}

/// One address with something to send.
pub(super) struct Endpoint {
    core: Core,
    config: WebhookConfigId,
    rooms: Rooms,
    watch: Watch,
    address: Option<Arc<Address>>,
    health: Health,
    /// Attempts that may be made side by side: more after each success, fewer after each failure.
    beside: usize,
    in_flight: usize,
    /// What has come back and is not written.
    back: Vec<(Tried, Outcome)>,
    /// A statement is under way.
    is_busy: bool,
    /// Something may have come since the last look.
    looks_again: bool,
    /// Whether the last attempt succeeded, also one that was made before this began.
    has_succeeded: bool,
}

impl Actor for Endpoint {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        self.go_on(context);
    }
}

impl Handler<Look> for Endpoint {
    type Result = ();

    fn handle(&mut self, _: Look, context: &mut Self::Context) {
        self.looks_again = true;
        self.go_on(context);
    }
}

impl Handler<Leave> for Endpoint {
    type Result = ();

    fn handle(&mut self, _: Leave, context: &mut Self::Context) {
        context.stop();
    }
}

impl Handler<Back> for Endpoint {
    type Result = ();

    fn handle(&mut self, Back(tried, outcome): Back, context: &mut Self::Context) {
        self.watch.at("an answer");
        self.in_flight -= 1;
        self.has_succeeded = outcome == Outcome::Taken;
        self.beside = match outcome {
            Outcome::Taken => (self.beside + 1).min(MOST_BESIDE),
            Outcome::Refused { .. } | Outcome::Gone => self.beside.saturating_sub(2).max(1),
        };
        self.back.push((tried, outcome));
        self.go_on(context);
    }
}

impl Endpoint {
    pub(super) fn new(core: Core, config: WebhookConfigId, rooms: Rooms, watch: Watch) -> Self {
        Self {
            core,
            config,
            rooms,
            watch,
            address: None,
            health: Health::default(),
            beside: FIRST_BESIDE,
            in_flight: 0,
            back: Vec::new(),
            is_busy: false,
            looks_again: true,
            has_succeeded: false,
        }
    }

    /// Does what is next: writes what came back, begins what is due, or ends.
    fn go_on(&mut self, context: &mut Context<Self>) {
        if self.is_busy {
            return;
        }
        if !self.back.is_empty() {
            return self.write(context);
        }
        let now = self.core.clock.now();
        let room = if self.health.is_open(now) { self.allowed().saturating_sub(self.in_flight) } else { 0 };
        if self.looks_again && room > 0 {
            return self.begin(room.min(BEGUN_AT_ONCE), context);
        }
        if self.in_flight == 0 {
            self.settle(context);
        }
    }

    /// One at a time, to see whether an address that failed is well again.
    fn allowed(&self) -> usize {
        if self.health.failures > 0 && !self.has_succeeded { 1 } else { self.beside }
    }

    fn begin(&mut self, most: usize, context: &mut Context<Self>) {
        self.is_busy = true;
        self.looks_again = false;
        let (core, config) = (self.core.clone(), self.config);
        let begin = async move {
            let most = i64::try_from(most).unwrap_or(1);
            let mut tx = core.db.begin().await?;
            let due = deliveries::begin(&mut tx, config, core.node, most).await?;
            // Read after the deliveries: an event that was written after a new secret is signed with the new secret.
            let Some(address) = deliveries::address(&mut tx, config, core.node).await? else { return Ok(None) };
            if !address.health().is_open(core.clock.now()) {
                tx.rollback().await?;
                return Ok(Some((address, Vec::new())));
            }
            tx.commit().await?;
            Ok::<_, sqlx::Error>(Some((address, due)))
        };
        context.spawn(begin.into_actor(self).map(move |begun, actor, context| {
            actor.is_busy = false;
            match begun {
                Ok(Some((address, due))) => {
                    actor.looks_again |= due.len() == most;
                    actor.health = address.health();
                    if actor.address.is_none() {
                        actor.has_succeeded = address.has_succeeded;
                    }
                    let address = Arc::new(address);
                    actor.address = Some(Arc::clone(&address));
                    for one in due {
                        actor.attempt(Arc::clone(&address), one, context);
                    }
                    actor.go_on(context);
                }
                // Deleted, disabled, or another node's.
                Ok(None) => context.stop(),
                Err(error) => actor.rest(&error.into(), context),
            }
        }));
    }

    /// Makes an attempt beside whatever else is under way.
    fn attempt(&mut self, address: Arc<Address>, due: Due, context: &mut Context<Self>) {
        self.in_flight += 1;
        let core = self.core.clone();
        let room = if self.health.failures == 0 && self.has_succeeded { &self.rooms.well } else { &self.rooms.others };
        let room = Arc::clone(room);
        let attempt = async move {
            let _permit = room.acquire_owned().await.ok();
            tried(&core, &address, due).await
        };
        context.spawn(attempt.into_actor(self).map(|(tried, outcome), _, context| {
            context.notify(Back(tried, outcome));
        }));
    }

    fn write(&mut self, context: &mut Context<Self>) {
        self.is_busy = true;
        let (core, config) = (self.core.clone(), self.config);
        let back = std::mem::take(&mut self.back);
        let (mut health, mut disabled) = (self.health, None);
        for (tried, outcome) in &back {
            let (after, why) = health.after(*outcome, tried.responded_at.unwrap_or(tried.at), rand::random());
            health = after;
            disabled = disabled.or(why);
        }
        self.health = health;
        // Whatever is next of the same jobs may go now.
        self.looks_again = true;
        let write = async move {
            let tried: Vec<Tried> = back.iter().map(|(tried, _)| tried.clone()).collect();
            let mut wait = Duration::from_millis(100);
            loop {
                match record(&core, config, &tried, health, disabled).await {
                    Ok(()) => return disabled.is_some(),
                    // What was tried must not be forgotten: it would be tried more often than it may be.
                    Err(error) => {
                        tracing::warn!(%error, webhook.id = %config, "what came of an attempt has to wait");
                        tokio::time::sleep(wait).await;
                        wait = (wait * 2).min(Duration::from_secs(5));
                    }
                }
            }
        };
        context.spawn(write.into_actor(self).map(|is_disabled, actor, context| {
            actor.is_busy = false;
            if is_disabled {
                return context.stop();
            }
            actor.go_on(context);
        }));
    }

    fn settle(&mut self, context: &mut Context<Self>) {
        self.is_busy = true;
        let (core, config) = (self.core.clone(), self.config);
        let settle = async move { deliveries::settle(&core.db, config, core.node).await };
        context.spawn(settle.into_actor(self).map(|settled, actor, context| {
            actor.is_busy = false;
            match settled {
                Ok(()) => context.stop(),
                Err(error) => actor.rest(&error.into(), context),
            }
        }));
    }

    /// The database does not answer: the lease is kept by the node's loop, and this goes on in a while.
    fn rest(&mut self, error: &crate::Error, context: &mut Context<Self>) {
        tracing::warn!(%error, webhook.id = %self.config, "a webhook has to wait for the database");
        self.looks_again = true;
        context.run_later(Duration::from_secs(1), |actor, context| actor.go_on(context));
    }
}

async fn record(
    core: &Core,
    config: WebhookConfigId,
    tried: &[Tried],
    health: Health,
    disabled: Option<crate::webhooks::config::DisabledWhy>,
) -> Result<()> {
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    deliveries::record(&mut tx, config, tried, health, disabled, now).await?;
    let told = match disabled {
        Some(why) => disabling::tell(core, &mut tx, config, why, now).await?,
        None => None,
    };
    tx.commit().await?;
    if let Some(owner) = told {
        disabling::announce(core, owner).await;
    }
    Ok(())
}

/// Sends an event once.
async fn tried(core: &Core, address: &Address, due: Due) -> (Tried, Outcome) {
    let at = core.clock.now();
    let answer = send(core, address, &due, at).await;
    let now = core.clock.now();
    let outcome = match &answer {
        Ok(answer) => Outcome::of_answer(answer.status, answer.retry_after),
        Err(_) => Outcome::Refused { retry_after: None },
    };
    let next = next(due.attempts, outcome, &core.settings.webhooks.retry_seconds, now, rand::random());
    let (response, said, error) = match answer {
        Ok(answer) => (i16::try_from(answer.status).ok(), answer.body, None),
        Err(blocked) => (None, String::new(), Some(blocked.to_string())),
    };
    let tried = Tried {
        delivery: due.id,
        number: due.attempts,
        at,
        responded_at: response.map(|_| now),
        response,
        is_success: outcome == Outcome::Taken,
        said,
        error,
        next,
    };
    (tried, outcome)
}

async fn send(
    core: &Core,
    address: &Address,
    due: &Due,
    at: DateTime<Utc>,
) -> std::result::Result<crate::outbound::Answer, Blocked> {
    let target = core.outbound.target(&address.url, purpose(core))?;
    let (id, timestamp) = (due.event_id.to_string(), at.timestamp());
    let old = address.old_secret.as_deref().filter(|_| address.old_until.is_some_and(|until| until > at));
    let secrets = std::iter::once(address.secret.as_str()).chain(old);
    let signature = signature(secrets, &id, timestamp, due.body.as_bytes());
    let name = format!("{id}.json");
    let headers = [
        ("user-agent", "Verdigraph-Webhooks/1".to_owned()),
        ("webhook-id", id),
        ("webhook-timestamp", timestamp.to_string()),
        ("webhook-signature", signature),
    ];
    let body = Bytes::from(due.body.clone());
    let parcel = Parcel { name: &name, content_type: "application/json", headers: &headers, body: &body };
    core.outbound.deliver(&target, parcel, KEPT_BYTES).await
}

/// What an address may be, as the operator has it.
pub(in crate::webhooks) fn purpose(core: &Core) -> Purpose {
    if core.settings.webhooks.https_only { Purpose::SecureDelivery } else { Purpose::Delivery }
}
