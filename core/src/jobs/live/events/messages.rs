//! Worker messages for the client that submitted a job. They have their own channel, because there are far more of them
//! than other events, and most listeners do not want them.

use std::collections::VecDeque;

use tokio::sync::broadcast;

use crate::fleet::{ClientMessage, Retention};

/// Messages that a slow listener may lag behind before it loses those that are not kept.
const CHANNEL_CAPACITY: usize = 256;
/// Messages of an attempt that are kept, and their bytes. Beyond that the oldest are dropped: clients get the outputs
/// again from the rows.
const MAX_KEPT: usize = 512;
const MAX_KEPT_BYTES: usize = 256 << 10;

/// The messages of one attempt. Until the first client listens all are kept, because short prompts end before the
/// client knows of its job.
#[derive(Default)]
pub(super) struct AttemptMessages {
    kept: VecDeque<(u64, ClientMessage)>,
    kept_bytes: usize,
    /// The id of the last message; 0 without one.
    last: u64,
    /// The latest of each type.
    latest: Vec<(u64, ClientMessage)>,
    /// Created for the first listener.
    live: Option<broadcast::Sender<(u64, ClientMessage)>>,
}

/// A subscription to the messages of a job.
pub struct MessageSubscription {
    /// The kept messages until now.
    pub missed: Vec<(u64, ClientMessage)>,
    pub live: broadcast::Receiver<(u64, ClientMessage)>,
}

impl AttemptMessages {
    /// Forgets the messages: another attempt begins.
    pub fn clear(&mut self) {
        self.kept.clear();
        self.latest.clear();
        self.kept_bytes = 0;
        self.last = 0;
    }

    pub fn last_id(&self) -> u64 {
        self.last
    }

    pub fn add(&mut self, id: u64, message: ClientMessage) {
        self.last = id;
        if let Some(live) = &self.live {
            // An error means that there are no listeners.
            drop(live.send((id, message.clone())));
        }
        if self.live.is_some() && message.retention != Retention::Kept {
            return self.note_latest(id, message);
        }
        self.kept_bytes += message.body.len();
        self.kept.push_back((id, message));
        if self.is_full() {
            self.compact();
        }
        while self.is_full() {
            let Some((_, oldest)) = self.kept.pop_front() else { break };
            self.kept_bytes -= oldest.body.len();
        }
    }

    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Whether a client has listened.
    pub fn had_listeners(&self) -> bool {
        self.live.is_some()
    }

    fn is_full(&self) -> bool {
        self.kept.len() > MAX_KEPT || self.kept_bytes > MAX_KEPT_BYTES
    }

    fn note_latest(&mut self, id: u64, message: ClientMessage) {
        if message.retention == Retention::Latest {
            self.latest.retain(|(_, known)| known.kind != message.kind);
            self.latest.push((id, message));
        }
    }

    /// Drops what is of no use to clients that connect again.
    fn compact(&mut self) {
        for (id, message) in std::mem::take(&mut self.kept) {
            if message.retention == Retention::Kept {
                self.kept.push_back((id, message));
            } else {
                self.kept_bytes -= message.body.len();
                self.note_latest(id, message);
            }
        }
    }

    /// The kept messages after one, in order.
    pub fn since(&self, after: u64) -> Vec<(u64, ClientMessage)> {
        let mut messages: Vec<_> =
            self.kept.iter().chain(&self.latest).filter(|(id, _)| *id > after).cloned().collect();
        messages.sort_by_key(|(id, _)| *id);
        messages
    }

    /// Subscribes to new messages, with the kept ones.
    pub fn subscribe(&mut self) -> MessageSubscription {
        let live = self.live.get_or_insert_with(|| broadcast::channel(CHANNEL_CAPACITY).0).subscribe();
        let missed = self.since(0);
        self.compact();
        MessageSubscription { missed, live }
    }

    pub fn listeners(&self) -> usize {
        self.live.as_ref().map_or(0, broadcast::Sender::receiver_count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(bytes: usize) -> ClientMessage {
        ClientMessage { kind: "executed".to_owned(), retention: Retention::Kept, body: vec![b'x'; bytes].into() }
    }

    #[test]
    fn kept_messages_are_bounded() {
        let mut messages = AttemptMessages::default();
        for id in 0..10_000 {
            messages.add(id, message(10));
        }
        assert_eq!(messages.since(0).len(), MAX_KEPT);
        for id in 10_000..10_100 {
            messages.add(id, message(MAX_KEPT_BYTES / 4));
        }
        assert_eq!(messages.since(0).len(), 4);
    }
}
