//! The event bus for listeners of worker messages.

use chrono::{DateTime, Utc};

use super::messages::MessageSubscription;
use super::{EventBus, JobEvent, OutboxEntry, Topic};
use crate::fleet::ClientMessage;
use crate::ids::{JobId, NodeId};

impl EventBus {
    /// Subscribes to the worker messages of a job.
    #[must_use]
    pub(in crate::jobs) fn subscribe_messages(&self, job: JobId) -> MessageSubscription {
        let mut topics = self.lock();
        topics.entry(job).or_insert_with(Topic::new).messages.subscribe()
    }

    /// The kept messages after one, for a listener that has lagged behind.
    #[must_use]
    pub fn messages_since(&self, job: JobId, after: u64) -> Vec<(u64, ClientMessage)> {
        self.lock().get(&job).map(|topic| topic.messages.since(after)).unwrap_or_default()
    }

    /// Those of the jobs whose messages have listeners on this node.
    pub(in crate::jobs) fn with_message_listeners(&self, jobs: impl Iterator<Item = JobId>) -> Vec<JobId> {
        let topics = self.lock();
        jobs.filter(|job| topics.get(job).is_some_and(|topic| topic.messages.listeners() > 0)).collect()
    }

    /// Handles an announcement of message listeners, after that of the node's listeners: sends the kept messages, and new
    /// ones as long as the node listens.
    pub(in crate::jobs) fn add_remote_message_listener(&self, node: NodeId, job: JobId, now: DateTime<Utc>) {
        let mut topics = self.lock();
        let Some(topic) = topics.get_mut(&job) else { return };
        let Some(remote) = topic.remote_listeners.iter_mut().find(|known| known.node == node && known.until > now)
        else {
            return;
        };
        if std::mem::replace(&mut remote.wants_messages, true) || !topic.in_flight {
            return;
        }
        for (id, message) in topic.messages.since(0) {
            let event = JobEvent::Client(message);
            self.0.outbox.put(OutboxEntry { to: node, job, attempt: topic.attempt, id, event });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::Retention;
    use crate::jobs::status::Status;

    fn message(kind: &str, retention: Retention, bytes: usize) -> ClientMessage {
        ClientMessage { kind: kind.to_owned(), retention, body: vec![b'x'; bytes].into() }
    }

    fn kinds(messages: &[(u64, ClientMessage)]) -> Vec<&str> {
        messages.iter().map(|(_, message)| message.kind.as_str()).collect()
    }

    #[test]
    fn reconnected_client_gets_the_kept_messages_and_the_latest_state() {
        let (bus, job, now) = (EventBus::default(), JobId::new(), Utc::now());
        bus.publish(job, JobEvent::Status(Status::Connecting), now);
        for (kind, retention) in [
            ("start", Retention::Kept),
            ("state", Retention::Latest),
            ("step", Retention::Passing),
            ("executed", Retention::Kept),
            ("state", Retention::Latest),
        ] {
            bus.publish(job, JobEvent::Client(message(kind, retention, 1)), now);
        }
        let all = ["start", "state", "step", "executed", "state"];
        assert_eq!(kinds(&bus.subscribe_messages(job).missed), all, "the first client missed nothing");
        assert_eq!(kinds(&bus.subscribe_messages(job).missed), ["start", "executed", "state"]);
        let seen = bus.messages_since(job, 0)[0].0;
        assert_eq!(kinds(&bus.messages_since(job, seen)), ["executed", "state"]);
        bus.publish(job, JobEvent::Status(Status::Pending), now);
        assert!(bus.messages_since(job, 0).is_empty(), "a new attempt begins without the messages of the last one");
    }

    #[test]
    fn messages_of_another_node_keep_their_ids_and_come_once() {
        let (bus, job, now) = (EventBus::default(), JobId::new(), Utc::now());
        let (_events, mut live) = (bus.subscribe(job, None), bus.subscribe_messages(job).live);
        let first = super::super::first_id_at(now);
        // The row's status was read after the messages were sent.
        let later = now + chrono::Duration::milliseconds(20);
        let listened = *bus.listened().first().expect("a listened job");
        bus.correct(listened, Status::Running, later);
        for (id, kind) in [(first, "start"), (first + 1, "executed"), (first, "start"), (first + 1, "executed")] {
            bus.publish_from_peer(job, id, JobEvent::Client(message(kind, Retention::Kept, 1)), later);
        }
        let heard: Vec<u64> = std::iter::from_fn(|| live.try_recv().ok()).map(|(id, _)| id).collect();
        assert_eq!(heard, [first, first + 1]);
        assert_eq!(bus.messages_since(job, first).len(), 1);
    }

    #[test]
    fn other_listeners_do_not_get_messages() {
        let (bus, job, now) = (EventBus::default(), JobId::new(), Utc::now());
        let mut events = bus.subscribe(job, None).live;
        let mut messages = bus.subscribe_messages(job).live;
        bus.publish(job, JobEvent::Client(message("start", Retention::Kept, 1)), now);
        assert!(events.try_recv().is_err(), "a listener of events got a worker message");
        assert_eq!(messages.try_recv().expect("a message").1.kind, "start");
        assert!(bus.subscribe(job, Some(1)).missed.is_empty());
    }
}
