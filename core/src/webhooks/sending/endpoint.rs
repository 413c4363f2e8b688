//! An [`Endpoint`] actor sends the due deliveries of one address, on the node that holds the address's lease.
//!
//! It counts attempts in their rows before making them, makes several at a time, and writes finished ones together. It
//! stops and returns the lease when nothing is due. A node that dies loses its leases; its unfinished attempts stay
//! counted and are repeated.

use std::sync::Arc;
use std::time::Duration;

use actix::fut::WrapFuture;
use actix::{Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Handler, Message};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use tokio::sync::Semaphore;

use super::signing::signature;
use super::{MAX_NODE_ATTEMPTS, disabling};
use crate::database;
use crate::ids::WebhookConfigId;
use crate::outbound::{OutboundError, OutboundMessage, Purpose};
use crate::supervision::Watch;
use crate::webhooks::state::{AttemptOutcome, EndpointHealth, next};
use crate::webhooks::store::deliveries::{self, Address, AttemptResult, DueDelivery};
use crate::{Core, Result};

/// Maximum concurrent attempts at a healthy address.
const MAX_CONCURRENCY: usize = 32;
/// Concurrent attempts at an address without history.
const FIRST_CONCURRENCY: usize = 2;
/// Deliveries started in one commit.
const BEGUN_AT_ONCE: usize = 64;
/// Bytes that are kept of a response.
const KEPT_BYTES: usize = 4096;

/// Deliveries may be due.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(super) struct CheckDue;

/// Another node has the lease.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(super) struct Stop;

/// An attempt finished.
#[derive(Message)]
#[rtype(result = "()")]
struct AttemptDone(AttemptResult, AttemptOutcome);

/// Limits a node's concurrent attempts. Healthy addresses have permits of their own, so that unresponsive ones cannot
/// block them.
#[derive(Debug, Clone)]
pub(super) struct AttemptPermits {
    healthy: Arc<Semaphore>,
    others: Arc<Semaphore>,
}

impl Default for AttemptPermits {
    fn default() -> Self {
        Self {
            healthy: Arc::new(Semaphore::new(MAX_NODE_ATTEMPTS)),
            others: Arc::new(Semaphore::new(MAX_NODE_ATTEMPTS / 2)),
        }
    }
}

pub(super) struct Endpoint {
    core: Core,
    config: WebhookConfigId,
    permits: AttemptPermits,
    watch: Watch,
    address: Option<Arc<Address>>,
    health: EndpointHealth,
    /// Concurrent attempts: raised after a success, lowered after a failure.
    concurrency: usize,
    in_flight: usize,
    /// Finished attempts that are not written yet.
    done: Vec<(AttemptResult, AttemptOutcome)>,
    /// Whether a statement is running.
    is_busy: bool,
    /// Whether deliveries may have become due since the last query.
    may_have_due: bool,
    /// Whether the last attempt succeeded, including attempts before this actor started.
    has_succeeded: bool,
}

impl Actor for Endpoint {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        self.advance(context);
    }
}

impl Handler<CheckDue> for Endpoint {
    type Result = ();

    fn handle(&mut self, _: CheckDue, context: &mut Self::Context) {
        self.may_have_due = true;
        self.advance(context);
    }
}

impl Handler<Stop> for Endpoint {
    type Result = ();

    fn handle(&mut self, _: Stop, context: &mut Self::Context) {
        context.stop();
    }
}

impl Handler<AttemptDone> for Endpoint {
    type Result = ();

    fn handle(&mut self, AttemptDone(tried, outcome): AttemptDone, context: &mut Self::Context) {
        self.watch.at("AttemptDone");
        self.in_flight -= 1;
        self.has_succeeded = outcome == AttemptOutcome::Accepted;
        self.concurrency = match outcome {
            AttemptOutcome::Accepted => (self.concurrency + 1).min(MAX_CONCURRENCY),
            AttemptOutcome::Refused { .. } | AttemptOutcome::Gone => self.concurrency.saturating_sub(2).max(1),
        };
        self.done.push((tried, outcome));
        self.advance(context);
    }
}

impl Endpoint {
    pub(super) fn new(core: Core, config: WebhookConfigId, permits: AttemptPermits, watch: Watch) -> Self {
        Self {
            core,
            config,
            permits,
            watch,
            address: None,
            health: EndpointHealth::default(),
            concurrency: FIRST_CONCURRENCY,
            in_flight: 0,
            done: Vec::new(),
            is_busy: false,
            may_have_due: true,
            has_succeeded: false,
        }
    }

    /// Writes finished attempts, starts due ones, or stops.
    fn advance(&mut self, context: &mut Context<Self>) {
        if self.is_busy {
            return;
        }
        if !self.done.is_empty() {
            return self.write(context);
        }
        let now = self.core.clock.now();
        let room = if self.health.is_open(now) { self.allowed().saturating_sub(self.in_flight) } else { 0 };
        if self.may_have_due && room > 0 {
            return self.begin(room.min(BEGUN_AT_ONCE), context);
        }
        if self.in_flight == 0 {
            self.settle(context);
        }
    }

    /// A failing address gets one attempt at a time, to see whether it works again. So does one that is not read yet.
    fn allowed(&self) -> usize {
        let is_failing = self.health.failures > 0 && !self.has_succeeded;
        if is_failing || self.address.is_none() { 1 } else { self.concurrency }
    }

    fn begin(&mut self, most: usize, context: &mut Context<Self>) {
        self.watch.at("begin");
        self.is_busy = true;
        self.may_have_due = false;
        let (core, config) = (self.core.clone(), self.config);
        let begin = async move {
            let most = i64::try_from(most).unwrap_or(1);
            let mut tx = database::begin(&core.db).await?;
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
            actor.watch.at("begun");
            actor.is_busy = false;
            match begun {
                Ok(Some((address, due))) => {
                    actor.may_have_due |= due.len() == most;
                    actor.health = address.health();
                    if actor.address.is_none() {
                        actor.has_succeeded = address.has_succeeded;
                    }
                    let address = Arc::new(address);
                    actor.address = Some(Arc::clone(&address));
                    for one in due {
                        actor.attempt(Arc::clone(&address), one, context);
                    }
                    actor.advance(context);
                }
                // The config was deleted or disabled, or another node has the lease.
                Ok(None) => context.stop(),
                Err(error) => actor.retry_later(&error.into(), context),
            }
        }));
    }

    fn attempt(&mut self, address: Arc<Address>, due: DueDelivery, context: &mut Context<Self>) {
        self.in_flight += 1;
        let core = self.core.clone();
        let room =
            if self.health.failures == 0 && self.has_succeeded { &self.permits.healthy } else { &self.permits.others };
        let room = Arc::clone(room);
        let attempt = async move {
            let _permit = room.acquire_owned().await.ok();
            tried(&core, &address, due).await
        };
        context.spawn(attempt.into_actor(self).map(|(tried, outcome), _, context| {
            context.notify(AttemptDone(tried, outcome));
        }));
    }

    fn write(&mut self, context: &mut Context<Self>) {
        self.watch.at("write");
        self.is_busy = true;
        let (core, config) = (self.core.clone(), self.config);
        let back = std::mem::take(&mut self.done);
        let (mut health, mut disabled) = (self.health, None);
        for (tried, outcome) in &back {
            let (after, why) = health.after(*outcome, tried.responded_at.unwrap_or(tried.at), rand::random());
            health = after;
            disabled = disabled.or(why);
        }
        self.health = health;
        // The next deliveries of the same jobs may be due now.
        self.may_have_due = true;
        let write = async move {
            let tried: Vec<AttemptResult> = back.iter().map(|(tried, _)| tried.clone()).collect();
            let mut wait = Duration::from_millis(100);
            loop {
                match record(&core, config, &tried, health, disabled).await {
                    Ok(()) => return disabled.is_some(),
                    // Retried until written: a lost result would allow more attempts than the limit.
                    Err(error) => {
                        tracing::warn!(%error, webhook.id = %config, "cannot write webhook attempts, trying again");
                        tokio::time::sleep(wait).await;
                        wait = (wait * 2).min(Duration::from_secs(5));
                    }
                }
            }
        };
        context.spawn(write.into_actor(self).map(|is_disabled, actor, context| {
            actor.watch.at("written");
            actor.is_busy = false;
            if is_disabled {
                return context.stop();
            }
            actor.advance(context);
        }));
    }

    fn settle(&mut self, context: &mut Context<Self>) {
        self.watch.at("settle");
        self.is_busy = true;
        let (core, config) = (self.core.clone(), self.config);
        let settle = async move { deliveries::settle(&core.db, config, core.node).await };
        context.spawn(settle.into_actor(self).map(|settled, actor, context| {
            actor.is_busy = false;
            match settled {
                Ok(()) => context.stop(),
                Err(error) => actor.retry_later(&error.into(), context),
            }
        }));
    }

    /// Waits after a database error. The node's loop keeps renewing the lease.
    fn retry_later(&mut self, error: &crate::Error, context: &mut Context<Self>) {
        tracing::warn!(%error, webhook.id = %self.config, "the database does not answer; the webhook is delayed");
        self.may_have_due = true;
        context.run_later(Duration::from_secs(1), |actor, context| actor.advance(context));
    }
}

async fn record(
    core: &Core,
    config: WebhookConfigId,
    tried: &[AttemptResult],
    health: EndpointHealth,
    disabled: Option<crate::webhooks::config::DisabledReason>,
) -> Result<()> {
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let is_ours = deliveries::record(&mut tx, (config, core.node), tried, health, disabled, now).await?;
    let notified = match disabled.filter(|_| is_ours) {
        Some(why) => disabling::notify_owner(core, &mut tx, config, why, now).await?,
        None => None,
    };
    tx.commit().await?;
    if let Some(owner) = notified {
        disabling::announce(core, owner).await;
    }
    Ok(())
}

/// Makes one attempt.
async fn tried(core: &Core, address: &Address, due: DueDelivery) -> (AttemptResult, AttemptOutcome) {
    let at = core.clock.now();
    let answer = send(core, address, &due, at).await;
    let now = core.clock.now();
    let outcome = match &answer {
        Ok(answer) => AttemptOutcome::of_answer(answer.status, answer.retry_after),
        Err(_) => AttemptOutcome::Refused { retry_after: None },
    };
    let next = next(due.attempts, outcome, &core.settings.webhooks.retry_seconds, now, rand::random());
    let (response, response_body, error) = match answer {
        Ok(answer) => (i16::try_from(answer.status).ok(), answer.body, None),
        Err(blocked) => (None, String::new(), Some(blocked.to_string())),
    };
    let tried = AttemptResult {
        delivery: due.id,
        number: due.attempts,
        at,
        responded_at: response.map(|_| now),
        response,
        is_success: outcome == AttemptOutcome::Accepted,
        response_body,
        error,
        next,
    };
    (tried, outcome)
}

async fn send(
    core: &Core,
    address: &Address,
    due: &DueDelivery,
    at: DateTime<Utc>,
) -> std::result::Result<crate::outbound::DeliveryResponse, OutboundError> {
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
    let message = OutboundMessage { name: &name, content_type: "application/json", headers: &headers, body: &body };
    core.outbound.deliver(&target, message, KEPT_BYTES).await
}

/// The kind of address that the operator allows.
pub(in crate::webhooks) fn purpose(core: &Core) -> Purpose {
    if core.settings.webhooks.https_only { Purpose::SecureDelivery } else { Purpose::Delivery }
}
