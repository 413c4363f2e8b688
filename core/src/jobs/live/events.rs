//! Live events of jobs: fan-out to the listeners of this node, and to other nodes with listeners (`peer_events`).
//!
//! Events may be lost; the next read of the row repeats them. A job's topic exists while it has listeners or is in
//! flight on this node, and for a minute after an end that was published to listeners.
//!
//! Event ids of a job increase. They are times of the node that runs the job, so that a client which reconnects to
//! another node continues after the last event that it has seen.

mod message_listeners;
pub(in crate::jobs) mod messages;

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Duration, Utc};
use tokio::sync::broadcast;

use self::messages::AttemptMessages;
use super::event::{JobEvent, JobProgress};
use super::outbox::{Outbox, OutboxEntry};
use crate::ids::{JobId, NodeId};
use crate::jobs::metrics;
use crate::jobs::queue::position::QueuePosition;
use crate::jobs::status::Status;

/// Events that a topic keeps for clients that reconnect with a `Last-Event-ID`.
const MAX_KEPT: usize = 64;
/// Events that a slow listener may lag behind before it gets the current state instead. Each channel allocates them.
const CHANNEL_CAPACITY: usize = 16;
/// How long a node gets the events of a job after its announcement, which it repeats every few seconds.
const REMOTE_LISTENER_TTL: Duration = Duration::seconds(15);
/// How long a lease is valid after its read from the row. `follow` reads it again every few seconds.
pub(super) const LEASE_TTL: Duration = Duration::seconds(10);
/// The least time between two reads of a row for events from another node than the lease holder.
const MIN_READ_INTERVAL: Duration = Duration::milliseconds(200);
/// Bits below the milliseconds of an event id.
const ID_BITS: u32 = 10;

/// The event bus of a node. Cheap to clone.
#[derive(Clone, Default)]
pub struct EventBus(Arc<Bus>);

#[derive(Default)]
struct Bus {
    topics: Mutex<HashMap<JobId, Topic>>,
    outbox: Outbox,
}

struct Topic {
    /// The least id of the next event. It increases over the attempts of a job.
    next: u64,
    kept: VecDeque<(u64, JobEvent)>,
    /// Created for the first listener, because most jobs have none.
    live: Option<broadcast::Sender<(u64, JobEvent)>>,
    status: Option<Status>,
    progress: Option<JobProgress>,
    position: Option<QueuePosition>,
    /// On this node.
    in_flight: bool,
    /// The current or latest attempt on this node.
    attempt: i16,
    /// The lease by the last read of the row, and the time of that read.
    lease: Option<LeaseHolder>,
    read_at: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
    remote_listeners: Vec<RemoteListener>,
    messages: AttemptMessages,
}

/// Another node with listeners.
struct RemoteListener {
    node: NodeId,
    /// When its announcement expires.
    until: DateTime<Utc>,
    /// Whether it also listens to worker messages.
    wants_messages: bool,
}

/// The node and the attempt that a job is leased to.
pub(in crate::jobs) type LeaseHolder = (NodeId, i16);

/// A job with listeners on this node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) struct ListenedJob {
    pub job: JobId,
    /// The last published status.
    pub status: Option<Status>,
    /// Whether an actor of this node publishes its events.
    pub in_flight: bool,
    /// The topic's `next`: detects later events.
    next: u64,
}

pub struct EventSubscription {
    /// The events since the one that the client has seen, or the latest progress where those are not kept any more.
    pub missed: Vec<(u64, JobEvent)>,
    /// The id of the last event that the client has seen; 0 without one. Another node may repeat older events.
    pub seen: u64,
    pub live: broadcast::Receiver<(u64, JobEvent)>,
}

impl EventBus {
    /// Subscribes to the events of a job after the event `after`.
    #[must_use]
    pub fn subscribe(&self, job: JobId, after: Option<u64>) -> EventSubscription {
        let mut topics = self.lock();
        let topic = topics.entry(job).or_insert_with(Topic::new);
        let missed = topic.since(after);
        let live = topic.live.get_or_insert_with(|| broadcast::channel(CHANNEL_CAPACITY).0).subscribe();
        EventSubscription { missed, seen: after.unwrap_or(0), live }
    }

    /// Publishes an event to all listeners.
    pub fn publish(&self, job: JobId, event: JobEvent, now: DateTime<Utc>) {
        self.publish_attempt(job, None, event, now);
    }

    /// Publishes an event of an attempt that runs on this node.
    pub(in crate::jobs) fn publish_attempt(
        &self,
        job: JobId,
        attempt: Option<i16>,
        event: JobEvent,
        now: DateTime<Utc>,
    ) {
        let mut topics = self.lock();
        let topic = topics.entry(job).or_insert_with(Topic::new);
        topic.attempt = attempt.unwrap_or(topic.attempt);
        let (id, attempt) = (topic.next_id(now), topic.attempt);
        match &event {
            JobEvent::Status(status) => {
                metrics::moved(*status);
                topic.set_status(*status, now);
                topic.in_flight = !status.is_terminal() && *status != Status::Pending;
            }
            JobEvent::Progress(progress) => topic.progress = Some(progress.clone()),
            JobEvent::Preview(_) | JobEvent::Position(_) | JobEvent::Client(_) => {}
        }
        topic.remote_listeners.retain(|remote| remote.until > now);
        let is_message = matches!(event, JobEvent::Client(_));
        for remote in topic.remote_listeners.iter().filter(|remote| remote.wants_messages || !is_message) {
            self.0.outbox.put(OutboxEntry { to: remote.node, job, attempt, id, event: event.clone() });
        }
        topic.keep_and_send(id, event);
        // The row of an ended job says everything, so only current listeners need its topic.
        if topic.ended_at.is_some() && topic.listeners() == 0 && topic.messages.is_empty() {
            topics.remove(&job);
        }
    }

    /// Handles an announcement: sends the node the events after `after`, and new ones until the announcement expires.
    pub(in crate::jobs) fn add_remote_listener(
        &self,
        node: NodeId,
        job: JobId,
        after: Option<u64>,
        now: DateTime<Utc>,
    ) {
        let mut topics = self.lock();
        let topic = topics.entry(job).or_insert_with(Topic::new);
        let until = now + REMOTE_LISTENER_TTL;
        if let Some(known) = topic.remote_listeners.iter_mut().find(|known| known.node == node) {
            known.until = until;
            return;
        }
        topic.remote_listeners.push(RemoteListener { node, until, wants_messages: false });
        if topic.in_flight {
            for (id, event) in topic.since(after) {
                self.0.outbox.put(OutboxEntry { to: node, job, attempt: topic.attempt, id, event });
            }
        }
    }

    /// Whether a node and attempt hold the lease of a job. `None`: the row has to be read first, which happens at most
    /// once in [`MIN_READ_INTERVAL`] for other nodes than the lease holder.
    pub(in crate::jobs) fn is_lease_holder(&self, job: JobId, from: LeaseHolder, now: DateTime<Utc>) -> Option<bool> {
        let topics = self.lock();
        let Some(topic) = topics.get(&job).filter(|topic| topic.listeners() > 0 && !topic.in_flight) else {
            return Some(false);
        };
        let is_old = topic.read_at.is_none_or(|at| now - at > LEASE_TTL);
        if topic.lease == Some(from) && !is_old {
            return Some(true);
        }
        topic.read_at.is_some_and(|at| now - at < MIN_READ_INTERVAL).then_some(false)
    }

    /// Takes over the lease of a row.
    pub(in crate::jobs) fn note_lease(&self, job: JobId, lease: Option<LeaseHolder>, now: DateTime<Utc>) {
        if let Some(topic) = self.lock().get_mut(&job) {
            (topic.lease, topic.read_at) = (lease, Some(now));
        }
    }

    /// Publishes an event of the node that holds the job's lease.
    pub(in crate::jobs) fn publish_from_peer(&self, job: JobId, id: u64, event: JobEvent, now: DateTime<Utc>) {
        let mut topics = self.lock();
        let Some(topic) = topics.get_mut(&job).filter(|topic| topic.listeners() > 0 && !topic.in_flight) else {
            return;
        };
        // The row may have been read before.
        if topic.ended_at.is_some() || matches!(&event, JobEvent::Status(status) if topic.status == Some(*status)) {
            return;
        }
        // Messages keep the ids of the node that runs the job: the status of the row, which this node may have published
        // before they came, must not move them behind it.
        if let JobEvent::Client(message) = event {
            // Those that are sent again, for a listener that came later, are known.
            if id > topic.messages.last_id() {
                topic.messages.add(id, message);
            }
            return;
        }
        let id = id.max(topic.next);
        topic.next = id + 1;
        match &event {
            JobEvent::Status(status) => topic.set_status(*status, now),
            JobEvent::Progress(progress) => topic.progress = Some(progress.clone()),
            JobEvent::Preview(_) | JobEvent::Position(_) | JobEvent::Client(_) => {}
        }
        topic.keep_and_send(id, event);
    }

    /// Events for other nodes.
    pub(in crate::jobs) fn outbox(&self) -> &Outbox {
        &self.0.outbox
    }

    /// Takes over the status of a row, unless an event has set a newer one.
    pub(in crate::jobs) fn note_status(&self, job: JobId, status: Status) {
        if let Some(topic) = self.lock().get_mut(&job) {
            topic.status.get_or_insert(status);
        }
    }

    /// The jobs with listeners on this node.
    pub(in crate::jobs) fn listened(&self) -> Vec<ListenedJob> {
        let topics = self.lock();
        let listened = topics.iter().filter(|(_, topic)| topic.listeners() > 0);
        listened
            .map(|(job, topic)| ListenedJob {
                job: *job,
                status: topic.status,
                in_flight: topic.in_flight,
                next: topic.next,
            })
            .collect()
    }

    /// Publishes the status of a row that another node has changed, unless the topic got an event since `listened`.
    pub(in crate::jobs) fn correct(&self, listened: ListenedJob, status: Status, now: DateTime<Utc>) {
        let mut topics = self.lock();
        let Some(topic) = topics.get_mut(&listened.job).filter(|topic| topic.next == listened.next) else { return };
        let id = topic.next_id(now);
        topic.set_status(status, now);
        // An ended row has no lease, even if this node still has an actor.
        topic.in_flight &= !status.is_terminal();
        topic.keep_and_send(id, JobEvent::Status(status));
    }

    /// Publishes the position of a waiting job if it has changed.
    pub(in crate::jobs) fn publish_position(&self, job: JobId, position: QueuePosition) {
        let mut topics = self.lock();
        let Some(topic) = topics.get_mut(&job).filter(|topic| topic.status == Some(Status::Pending)) else { return };
        if topic.position.replace(position) != Some(position) {
            topic.send(topic.next.saturating_sub(1), JobEvent::Position(position));
        }
    }

    /// The last published status and progress, for a listener that has lagged behind.
    #[must_use]
    pub fn latest(&self, job: JobId) -> Option<(Status, Option<JobProgress>)> {
        self.lock().get(&job).and_then(|topic| Some((topic.status?, topic.progress.clone())))
    }

    /// Removes a topic without listeners and events.
    pub(in crate::jobs) fn remove_unused(&self, job: JobId) {
        let mut topics = self.lock();
        if topics.get(&job).is_some_and(|topic| topic.listeners() == 0 && topic.kept.is_empty()) {
            topics.remove(&job);
        }
    }

    /// Publishes the end of a job if it has listeners.
    pub(in crate::jobs) fn publish_end(&self, job: JobId, status: Status, now: DateTime<Utc>) {
        let has_listeners = self.lock().get(&job).is_some_and(Topic::has_listeners);
        if has_listeners {
            self.publish(job, JobEvent::Status(status), now);
        }
    }

    /// Whether an actor of this node publishes the events of a job.
    pub(in crate::jobs) fn is_in_flight(&self, job: JobId) -> bool {
        self.lock().get(&job).is_some_and(|topic| topic.in_flight)
    }

    /// The progress of a job that runs or has listeners on this node.
    #[must_use]
    pub fn progress(&self, job: JobId) -> Option<JobProgress> {
        self.lock().get(&job).and_then(|topic| topic.progress.clone())
    }

    /// Removes topics that are not needed any more.
    pub fn sweep(&self, now: DateTime<Utc>) {
        self.lock().retain(|_, topic| {
            topic.remote_listeners.retain(|remote| remote.until > now);
            topic.has_listeners()
                || topic.in_flight
                || topic.ended_at.is_some_and(|ended_at| now - ended_at < topic.kept_after_end())
        });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<JobId, Topic>> {
        self.0.topics.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Topic {
    fn new() -> Self {
        Self {
            next: 1,
            kept: VecDeque::new(),
            live: None,
            status: None,
            progress: None,
            position: None,
            in_flight: false,
            attempt: 0,
            lease: None,
            read_at: None,
            ended_at: None,
            remote_listeners: Vec::new(),
            messages: AttemptMessages::default(),
        }
    }

    /// How long the topic of an ended job is kept.
    fn kept_after_end(&self) -> Duration {
        match self.messages.is_empty() || self.messages.had_listeners() {
            true => Duration::minutes(1),
            // A client would listen by now.
            false => Duration::seconds(5),
        }
    }

    fn next_id(&mut self, now: DateTime<Utc>) -> u64 {
        let id = first_id_at(now).max(self.next);
        self.next = id + 1;
        id
    }

    fn set_status(&mut self, status: Status, now: DateTime<Utc>) {
        self.status = Some(status);
        self.position = None;
        self.progress = None;
        if matches!(status, Status::Pending | Status::Connecting) {
            self.messages.clear();
        }
        self.ended_at = status.is_terminal().then_some(now);
    }

    /// The events after one, or the latest progress where they are not kept any more.
    fn since(&self, after: Option<u64>) -> Vec<(u64, JobEvent)> {
        match after {
            Some(after)
                if self.kept.len() < MAX_KEPT || self.kept.front().is_some_and(|(first, _)| *first <= after) =>
            {
                self.kept.iter().filter(|(id, _)| *id > after).cloned().collect()
            }
            _ => {
                let latest = self.next.saturating_sub(1);
                self.progress.iter().map(|progress| (latest, JobEvent::Progress(progress.clone()))).collect()
            }
        }
    }

    /// Sends an event, and keeps it for clients that reconnect unless it is a preview.
    fn keep_and_send(&mut self, id: u64, event: JobEvent) {
        if let JobEvent::Client(message) = event {
            return self.messages.add(id, message);
        }
        if !matches!(event, JobEvent::Preview(_)) {
            self.kept.push_back((id, event.clone()));
            if self.kept.len() > MAX_KEPT {
                self.kept.pop_front();
            }
        }
        self.send(id, event);
    }

    fn send(&self, id: u64, event: JobEvent) {
        if let Some(live) = &self.live {
            // An error means that there are no listeners.
            drop(live.send((id, event)));
        }
    }

    fn has_listeners(&self) -> bool {
        self.listeners() + self.remote_listeners.len() > 0
    }

    /// The listeners on this node.
    fn listeners(&self) -> usize {
        self.live.as_ref().map_or(0, broadcast::Sender::receiver_count) + self.messages.listeners()
    }
}

/// The least id of an event at this time.
pub(in crate::jobs) fn first_id_at(now: DateTime<Utc>) -> u64 {
    u64::try_from(now.timestamp_millis()).unwrap_or(0) << ID_BITS
}

#[cfg(test)]
mod tests;
