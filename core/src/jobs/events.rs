//! Live events of jobs: fan-out within a node.
//!
//! Events are a courtesy: one that is lost is repeated by the next look at the row. A job's topic exists while
//! somebody listens or the job is in flight here, and for a minute after its end.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Duration, Utc};
use serde::Serialize;
use tokio::sync::broadcast;

use super::Status;
use crate::fleet::Preview;
use crate::ids::JobId;

/// Events kept for somebody who comes back with a `Last-Event-ID`.
const KEPT: usize = 64;
/// Events that a slow listener may be behind before it is given the current state instead.
const BEHIND: usize = 256;

/// One thing that happened to a job.
#[derive(Debug, Clone, PartialEq)]
pub enum JobEvent {
    /// The status changed; everything else about it is in the row.
    Status(Status),
    Progress(Progress),
    Preview(Preview),
}

/// How far a running job is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// The node that runs.
    pub node_id: String,
    /// Its title in the graph.
    pub node_title: String,
    /// Steps of the node, done and in all.
    pub value: f64,
    pub max: f64,
    /// Nodes of the graph, done and in all.
    pub nodes_done: usize,
    pub nodes_total: usize,
}

/// The node's events. Cheap to clone.
#[derive(Clone, Default)]
pub struct EventBus(Arc<Mutex<HashMap<JobId, Topic>>>);

struct Topic {
    /// Id of the next event; ids of a job go up, also over its tries.
    next: u64,
    kept: VecDeque<(u64, JobEvent)>,
    /// Only while somebody listens: a channel takes as much room as a thousand jobs without one.
    live: Option<broadcast::Sender<(u64, JobEvent)>>,
    progress: Option<Progress>,
    in_flight: bool,
    ended_at: Option<DateTime<Utc>>,
}

/// What a listener gets.
pub struct Subscription {
    /// What it missed since the event it names, or the latest progress where that is too long ago.
    pub missed: Vec<(u64, JobEvent)>,
    pub live: broadcast::Receiver<(u64, JobEvent)>,
}

impl EventBus {
    /// Listens to a job from after the event `after` on.
    #[must_use]
    pub fn subscribe(&self, job: JobId, after: Option<u64>) -> Subscription {
        let mut topics = self.lock();
        let topic = topics.entry(job).or_insert_with(Topic::new);
        let missed = match after {
            Some(after) if topic.kept.front().is_none_or(|(first, _)| *first <= after + 1) => {
                topic.kept.iter().filter(|(id, _)| *id > after).cloned().collect()
            }
            _ => {
                let latest = topic.next.saturating_sub(1);
                topic.progress.iter().map(|progress| (latest, JobEvent::Progress(progress.clone()))).collect()
            }
        };
        let live = topic.live.get_or_insert_with(|| broadcast::channel(BEHIND).0);
        Subscription { missed, live: live.subscribe() }
    }

    /// Tells everybody who listens. Previews are not kept.
    pub fn publish(&self, job: JobId, event: JobEvent, now: DateTime<Utc>) {
        let mut topics = self.lock();
        let topic = topics.entry(job).or_insert_with(Topic::new);
        let id = topic.next;
        topic.next += 1;
        match &event {
            JobEvent::Status(status) => {
                topic.in_flight = !status.is_terminal() && *status != Status::Pending;
                topic.ended_at = status.is_terminal().then_some(now);
                topic.progress = None;
            }
            JobEvent::Progress(progress) => topic.progress = Some(progress.clone()),
            JobEvent::Preview(_) => {}
        }
        if !matches!(event, JobEvent::Preview(_)) {
            topic.kept.push_back((id, event.clone()));
            if topic.kept.len() > KEPT {
                topic.kept.pop_front();
            }
        }
        // Nobody listening is no error.
        topic.live = topic.live.take().filter(|live| live.send((id, event)).is_ok());
    }

    /// How far a job is that runs on this node.
    #[must_use]
    pub fn progress(&self, job: JobId) -> Option<Progress> {
        self.lock().get(&job).and_then(|topic| topic.progress.clone())
    }

    /// Forgets topics that nobody needs any more.
    pub fn sweep(&self, now: DateTime<Utc>) {
        self.lock().retain(|_, topic| {
            topic.live = topic.live.take().filter(|live| live.receiver_count() > 0);
            topic.live.is_some()
                || topic.in_flight
                || topic.ended_at.is_some_and(|ended_at| now - ended_at < Duration::minutes(1))
        });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<JobId, Topic>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Topic {
    fn new() -> Self {
        Self { next: 1, kept: VecDeque::new(), live: None, progress: None, in_flight: false, ended_at: None }
    }
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
        bus.publish(job, JobEvent::Status(Status::Running), now);
        bus.publish(job, progress(1.0), now);
        bus.publish(job, progress(2.0), now);
        let missed = bus.subscribe(job, Some(1)).missed;
        assert_eq!(missed, [(2, progress(1.0)), (3, progress(2.0))]);
    }

    #[test]
    fn who_was_away_too_long_gets_the_latest_progress() {
        let (bus, job, now) = (EventBus::default(), JobId::new(), Utc::now());
        for step in 0..200 {
            bus.publish(job, progress(f64::from(step)), now);
        }
        assert_eq!(bus.subscribe(job, Some(3)).missed, [(200, progress(199.0))]);
    }

    #[test]
    fn a_channel_is_there_only_while_somebody_listens() {
        let (bus, job, now) = (EventBus::default(), JobId::new(), Utc::now());
        let has_channel = || bus.lock().get(&job).is_some_and(|topic| topic.live.is_some());
        bus.publish(job, progress(1.0), now);
        assert!(!has_channel(), "jobs that nobody follows would fill the memory");
        let mut listener = bus.subscribe(job, None);
        bus.publish(job, progress(2.0), now);
        assert_eq!(listener.live.try_recv(), Ok((2, progress(2.0))));
        drop(listener);
        bus.publish(job, progress(3.0), now);
        assert!(!has_channel());
        let mut another = bus.subscribe(job, Some(2));
        assert_eq!(another.missed, [(3, progress(3.0))]);
        bus.publish(job, progress(4.0), now);
        assert_eq!(another.live.try_recv(), Ok((4, progress(4.0))), "ids go on");
    }

    #[test]
    fn a_topic_is_forgotten_a_minute_after_the_end_and_not_before() {
        let (bus, job, now) = (EventBus::default(), JobId::new(), Utc::now());
        bus.publish(job, JobEvent::Status(Status::Running), now);
        bus.sweep(now + Duration::hours(1));
        assert_eq!(bus.lock().len(), 1, "a job in flight keeps its topic");
        bus.publish(job, JobEvent::Status(Status::Done), now);
        bus.sweep(now + Duration::seconds(30));
        assert_eq!(bus.lock().len(), 1);
        bus.sweep(now + Duration::seconds(90));
        assert!(bus.lock().is_empty());
    }
}
