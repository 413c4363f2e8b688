//! An [`Endpoint`] actor sends the due deliveries of one address, on the node that holds the address's lease.
//!
//! It counts attempts in their rows before making them, makes several at a time, and writes finished ones together with
//! the count of the next ones ([`store::exchange`]). For a healthy address, some more than can be sent are counted
//! ahead, so that sending goes on during the exchange. While enough of them are left, finished attempts wait for others,
//! so that one statement writes many. It stops and returns the lease when nothing is due. A node that dies loses its
//! leases; its unfinished attempts stay counted and are repeated.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{self, Poll};
use std::time::Duration;

use actix::fut::{ActorFuture, WrapFuture};
use actix::{Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Handler, Message};

use super::attempt::{Destination, tried};
use super::permits::{AddressClass, AttemptPermits, is_slow};
use super::running::RunningFutures;
use super::store::{self, Address, AttemptResult, DueDelivery, Progress};
use super::{disabling, give_way};
use crate::database;
use crate::ids::WebhookConfigId;
use crate::supervision::Watch;
use crate::webhooks::config::DisabledReason;
use crate::webhooks::state::{AttemptOutcome, EndpointHealth};
use crate::{Core, Result};

/// Maximum concurrent attempts at a healthy address.
const MAX_CONCURRENCY: usize = 32;
/// Concurrent attempts at an address without history.
const FIRST_CONCURRENCY: usize = 2;
/// Attempts that are counted in one statement.
const COUNTED_AT_ONCE: usize = 256;
/// The longest that a finished attempt waits for others before it is written.
const GATHERED_FOR: Duration = Duration::from_millis(50);

/// Deliveries may be due.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(super) struct CheckDue;

/// Another node has the lease.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(super) struct Stop;

/// Whether finished attempts wait for others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gathering {
    No,
    /// A timer runs.
    Waiting,
    /// The timer has ended: they are written next.
    Overdue,
}

pub(super) struct Endpoint {
    core: Core,
    config: WebhookConfigId,
    permits: AttemptPermits,
    watch: Watch,
    destination: Option<Arc<Destination>>,
    health: EndpointHealth,
    /// Concurrent attempts: raised after a success, lowered after a failure.
    concurrency: usize,
    in_flight: RunningFutures<(AttemptResult, AttemptOutcome)>,
    /// Counted attempts that are not made yet, in the order of events.
    counted: VecDeque<DueDelivery>,
    /// Finished attempts that are not written yet.
    done: Vec<(AttemptResult, AttemptOutcome)>,
    gathering: Gathering,
    /// Whether a statement is running.
    is_busy: bool,
    /// Whether deliveries may have become due since the last query.
    may_have_due: bool,
    /// Whether the last attempt succeeded, including attempts before this actor started.
    has_succeeded: bool,
    /// Whether the last attempt took long.
    is_slow: bool,
}

impl Actor for Endpoint {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.spawn(CollectAttempts);
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

/// Passes finished attempts to their endpoint, for as long as it lives.
struct CollectAttempts;

impl ActorFuture<Endpoint> for CollectAttempts {
    type Output = ();

    fn poll(
        self: Pin<&mut Self>,
        endpoint: &mut Endpoint,
        context: &mut Context<Endpoint>,
        task: &mut task::Context<'_>,
    ) -> Poll<()> {
        while let Poll::Ready((tried, outcome)) = endpoint.in_flight.poll_finished(task) {
            endpoint.attempt_done(tried, outcome, context);
        }
        Poll::Pending
    }
}

impl Endpoint {
    pub(super) fn new(core: Core, config: WebhookConfigId, permits: AttemptPermits, watch: Watch) -> Self {
        Self {
            core,
            config,
            permits,
            watch,
            destination: None,
            health: EndpointHealth::default(),
            concurrency: FIRST_CONCURRENCY,
            in_flight: RunningFutures::default(),
            counted: VecDeque::new(),
            done: Vec::new(),
            gathering: Gathering::No,
            is_busy: false,
            may_have_due: true,
            has_succeeded: false,
            is_slow: false,
        }
    }

    fn attempt_done(&mut self, tried: AttemptResult, outcome: AttemptOutcome, context: &mut Context<Self>) {
        self.watch.at("AttemptDone");
        self.has_succeeded = outcome == AttemptOutcome::Accepted;
        self.is_slow = tried.responded_at.is_some_and(|ended| is_slow(tried.at, ended));
        self.concurrency = match outcome {
            AttemptOutcome::Accepted => (self.concurrency + 1).min(MAX_CONCURRENCY),
            AttemptOutcome::Refused { .. } | AttemptOutcome::Gone => self.concurrency.saturating_sub(2).max(1),
        };
        self.done.push((tried, outcome));
        self.advance(context);
    }

    /// Makes counted attempts, writes finished ones and counts due ones, or stops.
    fn advance(&mut self, context: &mut Context<Self>) {
        // An address that is gone is sent to no more, and disabled after the attempts that are on their way.
        let is_gone = self.done.iter().any(|(_, outcome)| *outcome == AttemptOutcome::Gone);
        let is_open = !is_gone && self.health.is_open(self.core.clock.now());
        while is_open && self.in_flight.count() < self.allowed() {
            let (Some(destination), Some(due)) = (self.destination.clone(), self.counted.pop_front()) else { break };
            self.attempt(destination, due);
        }
        if self.is_busy || is_gone && self.in_flight.count() > 0 {
            return;
        }
        let has_unsent = !is_open && !self.counted.is_empty();
        let room = if is_open { self.ahead().saturating_sub(self.in_flight.count() + self.counted.len()) } else { 0 };
        let most = if self.may_have_due { room.min(COUNTED_AT_ONCE) } else { 0 };
        if most > 0 || !self.done.is_empty() || has_unsent {
            if is_open && self.can_gather() {
                self.gather(context);
            } else {
                self.exchange(most, context);
            }
        } else if self.in_flight.count() == 0 {
            self.settle(context);
        }
    }

    /// A failing address gets one attempt at a time, to see whether it works again. So does one that is not read yet.
    fn allowed(&self) -> usize {
        let is_failing = self.health.failures > 0 && !self.has_succeeded;
        if is_failing || self.destination.is_none() { 1 } else { self.concurrency }
    }

    /// The most attempts that are counted and not finished.
    fn ahead(&self) -> usize {
        self.class().counted_ahead() * self.allowed()
    }

    fn is_healthy(&self) -> bool {
        self.health.failures == 0 && self.has_succeeded
    }

    /// Whether finished attempts can wait for others: the address takes everything, all attempts that it may have are on
    /// their way, and enough are counted to be sent during the statement. A statement for each few would take the
    /// processor from sending.
    fn can_gather(&self) -> bool {
        self.gathering != Gathering::Overdue
            && self.in_flight.count() >= self.allowed()
            && self.counted.len() >= self.ahead() / 2
            && self.done.iter().all(|(_, outcome)| *outcome == AttemptOutcome::Accepted)
    }

    /// Waits for more finished attempts, but not for long: the receiver may answer slowly.
    fn gather(&mut self, context: &mut Context<Self>) {
        if self.gathering == Gathering::Waiting {
            return;
        }
        self.gathering = Gathering::Waiting;
        context.run_later(GATHERED_FOR, |actor, context| {
            actor.gathering = Gathering::Overdue;
            actor.advance(context);
        });
    }

    /// Writes finished attempts and counts up to `most` due ones. An address that is paused or disabled now gets back what
    /// was counted.
    fn exchange(&mut self, most: usize, context: &mut Context<Self>) {
        self.watch.at("exchange");
        self.is_busy = true;
        // A timer that runs stays for the next ones.
        if self.gathering == Gathering::Overdue {
            self.gathering = Gathering::No;
        }
        let (core, config) = (self.core.clone(), self.config);
        let (mut tried, mut health, mut disabled) = (Vec::new(), self.health, None);
        for (result, outcome) in self.done.drain(..) {
            let (after, why) = health.after(outcome, result.responded_at.unwrap_or(result.at), rand::random());
            health = after;
            disabled = disabled.or(why);
            tried.push(result);
        }
        self.health = health;
        let is_open = disabled.is_none() && health.is_open(core.clock.now());
        let unsent: Vec<DueDelivery> = if is_open { Vec::new() } else { self.counted.drain(..).collect() };
        // A pause or the end of the address begins at once. After an attempt, the next deliveries of its job are due, which
        // this statement does not see yet.
        let most = if is_open { most } else { 0 };
        self.may_have_due = (self.may_have_due && most == 0) || !tried.is_empty();
        let is_nothing_tried = tried.is_empty();
        let url = self.destination.as_ref().map(|destination| destination.address.url.clone());
        let exchange = async move {
            give_way(&core).await;
            let most = i64::try_from(most).unwrap_or(1);
            let progress = Progress { tried: &tried, unsent: &unsent, health, url: url.as_deref() };
            let mut wait = Duration::from_millis(100);
            loop {
                match exchanged(&core, config, progress, most, disabled).await {
                    Ok(exchanged) => return exchanged,
                    // Retried until written: a lost result would allow more attempts than the limit.
                    Err(error) => {
                        tracing::warn!(%error, webhook.id = %config, "cannot write webhook attempts, trying again");
                        tokio::time::sleep(wait).await;
                        wait = (wait * 2).min(Duration::from_secs(5));
                    }
                }
            }
        };
        context.spawn(exchange.into_actor(self).map(move |exchanged, actor, context| {
            actor.watch.at("exchanged");
            actor.is_busy = false;
            // Without an address, the config was deleted or disabled, or another node has the lease.
            let Some((address, due)) = exchanged else { return context.stop() };
            actor.may_have_due |= most > 0 && due.len() == most;
            let former = actor.destination.take();
            let is_moved = former.as_ref().is_some_and(|former| former.address.url != address.url);
            if is_nothing_tried || is_moved {
                actor.health = address.health();
            }
            if former.is_none() {
                actor.has_succeeded = address.has_succeeded;
            }
            actor.destination = Some(Arc::new(Destination::new(&actor.core, address, former.as_deref())));
            actor.counted.extend(due);
            actor.advance(context);
        }));
    }

    fn class(&self) -> AddressClass {
        match (self.is_healthy(), self.is_slow) {
            (false, _) => AddressClass::Other,
            (true, true) => AddressClass::Slow,
            (true, false) => AddressClass::Healthy,
        }
    }

    fn attempt(&mut self, destination: Arc<Destination>, due: DueDelivery) {
        let core = self.core.clone();
        let room = self.permits.of(self.class());
        self.in_flight.push(async move {
            let _permit = room.acquire_owned().await.ok();
            tried(&core, &destination, due).await
        });
    }

    fn settle(&mut self, context: &mut Context<Self>) {
        self.watch.at("settle");
        self.is_busy = true;
        self.may_have_due = false;
        let (core, config) = (self.core.clone(), self.config);
        let settle = async move { store::settle(&core.db, config, core.node).await };
        context.spawn(settle.into_actor(self).map(|settled, actor, context| {
            actor.is_busy = false;
            match settled {
                Ok(()) => {
                    // The address of what was queued in this time can be claimed only now.
                    if actor.may_have_due {
                        actor.core.webhooks.wake_up.notify_one();
                    }
                    context.stop();
                }
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

/// See [`store::exchange`]; also disables the address.
async fn exchanged(
    core: &Core,
    config: WebhookConfigId,
    progress: Progress<'_>,
    most: i64,
    disabled: Option<DisabledReason>,
) -> Result<Option<(Address, Vec<DueDelivery>)>> {
    let now = core.clock.now();
    let exchanged = store::exchange(&core.db, (config, core.node), progress, most, now).await?;
    let Some(why) = disabled else { return Ok(exchanged) };
    let mut tx = database::begin(&core.db).await?;
    let notified = if store::disable(&mut tx, (config, core.node), progress.url, why, now).await? {
        disabling::notify_owner(core, &mut tx, config, why, now).await?
    } else {
        None
    };
    tx.commit().await?;
    if let Some(owner) = notified {
        disabling::announce(core, owner).await;
    }
    Ok(None)
}
