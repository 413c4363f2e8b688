//! Live events of jobs: fan-out within a node, and to those nodes where somebody listens (`elsewhere`).
//!
//! Events are a courtesy: one that is lost is repeated by the next look at the row. A job's topic exists while
//! somebody listens or the job is in flight here, and for a minute after an end that somebody heard.
//!
//! The id of an event is the time at which it happened, in the clock of the node that runs the job, and higher than that
//! of the event before it. So whoever has lost its node goes on at another one from the last event that it has seen.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Duration, Utc};
use tokio::sync::broadcast;

use super::event::{JobEvent, Progress};
use super::outbox::{Outbox, Parcel};
use crate::ids::{JobId, NodeId};
use crate::jobs::metrics;
use crate::jobs::queue::position::QueuePosition;
use crate::jobs::status::Status;

/// Events kept for somebody who comes back with a `Last-Event-ID`.
const KEPT: usize = 64;
/// Events that a slow listener may be behind before it is given the current state instead. The room for them is taken
/// when somebody begins to listen, so that it is what an idle listener costs.
const BEHIND: usize = 16;
/// How long another node is told of a job's events after it said that somebody listens there. It says so every few
/// seconds.
const TOLD_FOR: Duration = Duration::seconds(15);
/// How long a lease counts that was read from a row: the row is read again every few seconds while a caller listens.
pub(super) const LEASE_LASTS: Duration = Duration::seconds(10);
/// The least time between two reads of a job's row for events that come from another lease.
const BETWEEN_READS: Duration = Duration::milliseconds(200);
/// Ids that an event's millisecond has room for.
const ID_BITS: u32 = 10;

/// The node's events. Cheap to clone.
#[derive(Clone, Default)]
pub struct EventBus(Arc<Bus>);

#[derive(Default)]
struct Bus {
    topics: Mutex<HashMap<JobId, Topic>>,
    /// What other nodes are told.
    outbox: Outbox,
}

struct Topic {
    /// The least id of the next event; ids of a job go up, also over its tries.
    next: u64,
    kept: VecDeque<(u64, JobEvent)>,
    /// Made for the first listener: most jobs have none.
    live: Option<broadcast::Sender<(u64, JobEvent)>>,
    status: Option<Status>,
    progress: Option<Progress>,
    place: Option<QueuePosition>,
    /// On this node.
    in_flight: bool,
    /// The attempt that runs here, or the latest that did.
    attempt: i16,
    /// The node and the attempt that have the job by its row, as it was read last, and when that was.
    lease: Option<Lease>,
    read_at: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
    /// Other nodes on which somebody listens, and until when they are told.
    elsewhere: Vec<(NodeId, DateTime<Utc>)>,
}

/// The node and the attempt that a job is leased to.
pub(in crate::jobs) type Lease = (NodeId, i16);

/// A job that somebody listens to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) struct Listened {
    pub job: JobId,
    /// The status that listeners know.
    pub status: Option<Status>,
    /// Whether an actor of this node tells what happens to it.
    pub in_flight: bool,
    /// Tells whether something was told since.
    next: u64,
}

/// What a listener gets.
pub struct Subscription {
    /// What it missed since the event it names, or the latest progress where that is too long ago.
    pub missed: Vec<(u64, JobEvent)>,
    /// The event that it has seen last, where it names one; 0 where it does not. What another node repeats may be older.
    pub seen: u64,
    pub live: broadcast::Receiver<(u64, JobEvent)>,
}

impl EventBus {
    /// Listens to a job from after the event `after` on.
    #[must_use]
    pub fn subscribe(&self, job: JobId, after: Option<u64>) -> Subscription {
        let mut topics = self.lock();
        let topic = topics.entry(job).or_insert_with(Topic::new);
        let missed = topic.since(after);
        let live = topic.live.get_or_insert_with(|| broadcast::channel(BEHIND).0).subscribe();
        Subscription { missed, seen: after.unwrap_or(0), live }
    }

    /// Tells everybody who listens. Previews are not kept.
    pub fn publish(&self, job: JobId, event: JobEvent, now: DateTime<Utc>) {
        self.publish_of(job, None, event, now);
    }

    /// The same for what happens to an attempt of a job that runs here.
    pub(in crate::jobs) fn publish_of(&self, job: JobId, attempt: Option<i16>, event: JobEvent, now: DateTime<Utc>) {
        let mut topics = self.lock();
        let topic = topics.entry(job).or_insert_with(Topic::new);
        topic.attempt = attempt.unwrap_or(topic.attempt);
        let (id, attempt) = (topic.id(now), topic.attempt);
        match &event {
            JobEvent::Status(status) => {
                metrics::moved(*status);
                topic.comes_to(*status, now);
                topic.in_flight = !status.is_terminal() && *status != Status::Pending;
            }
            JobEvent::Progress(progress) => topic.progress = Some(progress.clone()),
            JobEvent::Preview(_) | JobEvent::Position(_) => {}
        }
        topic.elsewhere.retain(|(_, until)| *until > now);
        for (node, _) in &topic.elsewhere {
            self.0.outbox.put(Parcel { to: *node, job, attempt, id, event: event.clone() });
        }
        topic.tell(id, event);
        // Of a job that has ended the row tells everything; only those who listen now shall hear of the end.
        if topic.ended_at.is_some() && topic.listeners() == 0 {
            topics.remove(&job);
        }
    }

    /// Somebody listens to a job on another node, from after the event `after` on. What that node has missed of it is on
    /// its way then, and for a while everything that happens.
    pub(in crate::jobs) fn listened_elsewhere(&self, node: NodeId, job: JobId, after: Option<u64>, now: DateTime<Utc>) {
        let mut topics = self.lock();
        let topic = topics.entry(job).or_insert_with(Topic::new);
        let until = now + TOLD_FOR;
        if let Some((_, known)) = topic.elsewhere.iter_mut().find(|(known, _)| *known == node) {
            *known = until;
            return;
        }
        topic.elsewhere.push((node, until));
        if topic.in_flight {
            for (id, event) in topic.since(after) {
                self.0.outbox.put(Parcel { to: node, job, attempt: topic.attempt, id, event });
            }
        }
    }

    /// Whether an event that a node sends of an attempt may be told here, as the row of the job was read last. `None`
    /// where the row has to be read first: it is read at most once in [`BETWEEN_READS`] for events that it does not name.
    pub(in crate::jobs) fn comes_from_lease(&self, job: JobId, from: Lease, now: DateTime<Utc>) -> Option<bool> {
        let topics = self.lock();
        let Some(topic) = topics.get(&job).filter(|topic| topic.listeners() > 0 && !topic.in_flight) else {
            return Some(false);
        };
        let is_old = topic.read_at.is_none_or(|at| now - at > LEASE_LASTS);
        if topic.lease == Some(from) && !is_old {
            return Some(true);
        }
        topic.read_at.is_some_and(|at| now - at < BETWEEN_READS).then_some(false)
    }

    /// The lease that a row names.
    pub(in crate::jobs) fn note_lease(&self, job: JobId, lease: Option<Lease>, now: DateTime<Utc>) {
        if let Some(topic) = self.lock().get_mut(&job) {
            (topic.lease, topic.read_at) = (lease, Some(now));
        }
    }

    /// Tells what the node that a job is leased to says of it.
    pub(in crate::jobs) fn happened_elsewhere(&self, job: JobId, id: u64, event: JobEvent, now: DateTime<Utc>) {
        let mut topics = self.lock();
        let Some(topic) = topics.get_mut(&job).filter(|topic| topic.listeners() > 0 && !topic.in_flight) else {
            return;
        };
        // The row may have told of it before.
        if topic.ended_at.is_some() || matches!(&event, JobEvent::Status(status) if topic.status == Some(*status)) {
            return;
        }
        let id = id.max(topic.next);
        topic.next = id + 1;
        match &event {
            JobEvent::Status(status) => topic.comes_to(*status, now),
            JobEvent::Progress(progress) => topic.progress = Some(progress.clone()),
            JobEvent::Preview(_) | JobEvent::Position(_) => {}
        }
        topic.tell(id, event);
    }

    /// What is to be sent to other nodes.
    pub(in crate::jobs) fn outbox(&self) -> &Outbox {
        &self.0.outbox
    }

    /// The status that a listener has read from the row, where no event has told a newer one.
    pub(in crate::jobs) fn note(&self, job: JobId, status: Status) {
        if let Some(topic) = self.lock().get_mut(&job) {
            topic.status.get_or_insert(status);
        }
    }

    /// The jobs that somebody listens to.
    pub(in crate::jobs) fn listened(&self) -> Vec<Listened> {
        let topics = self.lock();
        let listened = topics.iter().filter(|(_, topic)| topic.listeners() > 0);
        listened
            .map(|(job, topic)| Listened {
                job: *job,
                status: topic.status,
                in_flight: topic.in_flight,
                next: topic.next,
            })
            .collect()
    }

    /// Tells what a row says that was changed elsewhere, unless something newer was told since it was asked for.
    pub(in crate::jobs) fn correct(&self, listened: Listened, status: Status, now: DateTime<Utc>) {
        let mut topics = self.lock();
        let Some(topic) = topics.get_mut(&listened.job).filter(|topic| topic.next == listened.next) else { return };
        let id = topic.id(now);
        topic.comes_to(status, now);
        // A row that has ended is nobody's any more, whatever an actor here still believes.
        topic.in_flight &= !status.is_terminal();
        topic.tell(id, JobEvent::Status(status));
    }

    /// Tells a place in the queue, where it is another than before.
    pub(in crate::jobs) fn place(&self, job: JobId, place: QueuePosition) {
        let mut topics = self.lock();
        let Some(topic) = topics.get_mut(&job).filter(|topic| topic.status == Some(Status::Pending)) else { return };
        if topic.place.replace(place) != Some(place) {
            topic.send(topic.next.saturating_sub(1), JobEvent::Position(place));
        }
    }

    /// What listeners of a job were told last: its status and how far it is. For one that could not keep up.
    #[must_use]
    pub fn latest(&self, job: JobId) -> Option<(Status, Option<Progress>)> {
        self.lock().get(&job).and_then(|topic| Some((topic.status?, topic.progress.clone())))
    }

    /// Forgets a topic to which nobody listens after all.
    pub(in crate::jobs) fn forget(&self, job: JobId) {
        let mut topics = self.lock();
        if topics.get(&job).is_some_and(|topic| topic.listeners() == 0 && topic.kept.is_empty()) {
            topics.remove(&job);
        }
    }

    /// Tells those who listen that a job has ended, where anybody does; nothing is kept for others.
    pub(in crate::jobs) fn publish_end(&self, job: JobId, status: Status, now: DateTime<Utc>) {
        let heard = self.lock().get(&job).is_some_and(|topic| topic.listeners() + topic.elsewhere.len() > 0);
        if heard {
            self.publish(job, JobEvent::Status(status), now);
        }
    }

    /// Whether an actor of this node tells what happens to a job.
    pub(in crate::jobs) fn is_in_flight(&self, job: JobId) -> bool {
        self.lock().get(&job).is_some_and(|topic| topic.in_flight)
    }

    /// How far a job is that runs on this node, or to which somebody listens here.
    #[must_use]
    pub fn progress(&self, job: JobId) -> Option<Progress> {
        self.lock().get(&job).and_then(|topic| topic.progress.clone())
    }

    /// Forgets topics that nobody needs any more.
    pub fn sweep(&self, now: DateTime<Utc>) {
        self.lock().retain(|_, topic| {
            topic.elsewhere.retain(|(_, until)| *until > now);
            topic.listeners() + topic.elsewhere.len() > 0
                || topic.in_flight
                || topic.ended_at.is_some_and(|ended_at| now - ended_at < Duration::minutes(1))
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
            place: None,
            in_flight: false,
            attempt: 0,
            lease: None,
            read_at: None,
            ended_at: None,
            elsewhere: Vec::new(),
        }
    }

    /// The id of an event that happens now.
    fn id(&mut self, now: DateTime<Utc>) -> u64 {
        let id = first_id_at(now).max(self.next);
        self.next = id + 1;
        id
    }

    fn comes_to(&mut self, status: Status, now: DateTime<Utc>) {
        self.status = Some(status);
        self.place = None;
        self.progress = None;
        self.ended_at = status.is_terminal().then_some(now);
    }

    /// What somebody has missed since an event, or the latest progress where it is not known any more what that was.
    fn since(&self, after: Option<u64>) -> Vec<(u64, JobEvent)> {
        match after {
            Some(after) if self.kept.len() < KEPT || self.kept.front().is_some_and(|(first, _)| *first <= after) => {
                self.kept.iter().filter(|(id, _)| *id > after).cloned().collect()
            }
            _ => {
                let latest = self.next.saturating_sub(1);
                self.progress.iter().map(|progress| (latest, JobEvent::Progress(progress.clone()))).collect()
            }
        }
    }

    /// Keeps an event for those who come back, and tells it. Previews are not kept.
    fn tell(&mut self, id: u64, event: JobEvent) {
        if !matches!(event, JobEvent::Preview(_)) {
            self.kept.push_back((id, event.clone()));
            if self.kept.len() > KEPT {
                self.kept.pop_front();
            }
        }
        self.send(id, event);
    }

    fn send(&self, id: u64, event: JobEvent) {
        if let Some(live) = &self.live {
            // Nobody listening is no error.
            drop(live.send((id, event)));
        }
    }

    fn listeners(&self) -> usize {
        self.live.as_ref().map_or(0, broadcast::Sender::receiver_count)
    }
}

/// The first id that an event has which happens now.
pub(in crate::jobs) fn first_id_at(now: DateTime<Utc>) -> u64 {
    u64::try_from(now.timestamp_millis()).unwrap_or(0) << ID_BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(value: f64) -> JobEvent {
        JobEvent::Progress(Progress {
            node_id: "1".into(),
            node_title: "Blur".into(),
            value,
            max: 10.0,
            nodes_done: 0,
            nodes_total: 2,
        })
    }

    #[test]
    fn who_comes_back_gets_exactly_what_it_missed() {
        let (bus, job, now) = (EventBus::default(), JobId::new(), Utc::now());
        let first = first_id_at(now);
        bus.publish(job, JobEvent::Status(Status::Running), now);
        bus.publish(job, progress(1.0), now);
        bus.publish(job, progress(2.0), now);
        let missed = bus.subscribe(job, Some(first)).missed;
        assert_eq!(missed, [(first + 1, progress(1.0)), (first + 2, progress(2.0))]);
    }

    #[test]
    fn who_was_away_too_long_gets_the_latest_progress() {
        let (bus, job, now) = (EventBus::default(), JobId::new(), Utc::now());
        for step in 0..200 {
            bus.publish(job, progress(f64::from(step)), now);
        }
        let latest = first_id_at(now) + 199;
        assert_eq!(bus.subscribe(job, Some(first_id_at(now) + 3)).missed, [(latest, progress(199.0))]);
    }

    #[test]
    fn a_row_that_was_read_before_the_latest_event_corrects_nothing() {
        let (bus, job, now) = (EventBus::default(), JobId::new(), Utc::now());
        let mut live = bus.subscribe(job, None).live;
        bus.note(job, Status::Pending);
        let before = bus.listened()[0];
        bus.publish(job, JobEvent::Status(Status::Running), now);
        bus.correct(before, Status::Connecting, now);
        assert_eq!(live.try_recv().expect("an event").1, JobEvent::Status(Status::Running));
        assert!(live.try_recv().is_err(), "what is old was told after what is new");
        bus.correct(bus.listened()[0], Status::Done, now);
        assert_eq!(live.try_recv().expect("an event").1, JobEvent::Status(Status::Done));
        drop(live);
        bus.sweep(now + Duration::seconds(90));
        assert!(bus.lock().is_empty(), "a job that ran elsewhere leaves its topic behind");
    }

    #[test]
    fn a_place_is_told_once_until_it_changes() {
        let (bus, job) = (EventBus::default(), JobId::new());
        let mut live = bus.subscribe(job, None).live;
        bus.note(job, Status::Pending);
        let place = QueuePosition { position: 3, eta_seconds: Some((1, 2)) };
        bus.place(job, place);
        bus.place(job, place);
        assert_eq!(live.try_recv().expect("an event").1, JobEvent::Position(place));
        assert!(live.try_recv().is_err(), "the same place was told twice");
    }

    #[test]
    fn a_topic_lasts_as_long_as_the_job_and_a_minute_for_those_who_listened() {
        let (bus, job, now) = (EventBus::default(), JobId::new(), Utc::now());
        bus.publish(job, JobEvent::Status(Status::Running), now);
        bus.sweep(now + Duration::hours(1));
        assert_eq!(bus.lock().len(), 1, "a job in flight keeps its topic");
        let listener = bus.subscribe(job, None);
        bus.publish(job, JobEvent::Status(Status::Done), now);
        drop(listener);
        bus.sweep(now + Duration::seconds(30));
        assert_eq!(bus.lock().len(), 1);
        bus.sweep(now + Duration::seconds(90));
        assert!(bus.lock().is_empty());
    }

    #[test]
    fn a_job_that_ends_unheard_leaves_nothing_in_memory() {
        let (bus, job, now) = (EventBus::default(), JobId::new(), Utc::now());
        bus.publish(job, JobEvent::Status(Status::Running), now);
        bus.publish(job, progress(1.0), now);
        bus.publish(job, JobEvent::Status(Status::Done), now);
        assert!(bus.lock().is_empty());
    }
}
