//! The in-memory implementation of [`Shared`].

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::FutureExt;
use futures_util::future::{self, BoxFuture};
use tokio::sync::broadcast;
use uuid::Uuid;

use super::bucket::{Bucket, BucketEmpty, BucketState, Buckets};
use super::fair_queue::FairQueues;
use super::permits::{LocalPermits, Permit};
use super::{BACKLOG, ChannelSubscription, PERMIT_REQUESTS, Shared, WindowCount};
use crate::Clock;

/// Number of entries at which expired ones are removed for the first time.
const CLEAR_AT: usize = 4096;

/// State of one process.
#[derive(Debug)]
pub struct Local {
    clock: Clock,
    entries: Mutex<Entries>,
    channels: Mutex<HashMap<String, broadcast::Sender<Bytes>>>,
    buckets: Buckets,
    permits: Arc<LocalPermits>,
    queues: FairQueues,
    /// The number of living nodes.
    nodes: AtomicU32,
}

#[derive(Debug)]
struct Entries {
    by_key: HashMap<String, Entry>,
    clear_at: usize,
}

#[derive(Debug)]
struct Entry {
    value: Value,
    ends_at: DateTime<Utc>,
}

#[derive(Debug)]
enum Value {
    Count(u64),
    Bytes(Bytes),
}

impl Local {
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self::with(clock, Arc::default())
    }

    /// With these permits.
    pub(super) fn with(clock: Clock, permits: Arc<LocalPermits>) -> Self {
        let entries = Entries { by_key: HashMap::new(), clear_at: CLEAR_AT };
        Self {
            clock,
            entries: Mutex::new(entries),
            channels: Mutex::default(),
            buckets: Buckets::new(),
            permits,
            queues: FairQueues::default(),
            nodes: AtomicU32::new(1),
        }
    }

    /// [`Shared::take`] without a future.
    pub(super) fn take_local(&self, key: &str, bucket: Bucket) -> Result<BucketState, BucketEmpty> {
        self.buckets.take(key, bucket.share(self.nodes.load(Ordering::Relaxed)))
    }

    pub(super) fn buckets(&self) -> &Buckets {
        &self.buckets
    }

    pub(super) fn permits(&self) -> &Arc<LocalPermits> {
        &self.permits
    }

    pub(super) fn queues(&self) -> &FairQueues {
        &self.queues
    }

    /// [`Shared::incr`] without a future.
    pub(super) fn count(&self, key: &str, window: Duration) -> WindowCount {
        let now = self.clock.now();
        let mut entries = self.entries();
        let entry = entries.live(key, now).filter(|entry| matches!(entry.value, Value::Count(_)));
        if let Some(Entry { value: Value::Count(count), ends_at }) = entry {
            *count += 1;
            return WindowCount { count: *count, ends_in: (*ends_at - now).to_std().unwrap_or_default() };
        }
        entries.put(key, Entry { value: Value::Count(1), ends_at: after(now, window) }, now);
        WindowCount { count: 1, ends_in: window }
    }

    /// [`Shared::publish`] without a future.
    pub(super) fn deliver(&self, channel: &str, message: Bytes) {
        if channel == PERMIT_REQUESTS {
            self.permits.request(&String::from_utf8_lossy(&message));
            return;
        }
        let mut channels = self.channels();
        if let Some(sender) = channels.get(channel)
            && sender.send(message).is_err()
        {
            channels.remove(channel);
        }
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn channels(&self) -> MutexGuard<'_, HashMap<String, broadcast::Sender<Bytes>>> {
        self.channels.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entries {
    fn live(&mut self, key: &str, now: DateTime<Utc>) -> Option<&mut Entry> {
        self.by_key.get_mut(key).filter(|entry| entry.ends_at > now)
    }

    fn put(&mut self, key: &str, entry: Entry, now: DateTime<Utc>) {
        if self.by_key.len() >= self.clear_at {
            self.clear(now);
        }
        self.by_key.insert(key.to_owned(), entry);
    }

    fn clear(&mut self, now: DateTime<Utc>) {
        self.by_key.retain(|_, entry| entry.ends_at > now);
        // Live entries may double before the next cleanup, which bounds its cost.
        self.clear_at = (self.by_key.len() * 2).max(CLEAR_AT);
    }
}

pub(super) fn of_inbox(name: &str) -> String {
    format!("inbox:{name}")
}

fn after(now: DateTime<Utc>, lives: Duration) -> DateTime<Utc> {
    TimeDelta::from_std(lives).ok().and_then(|lives| now.checked_add_signed(lives)).unwrap_or(DateTime::<Utc>::MAX_UTC)
}

impl Shared for Local {
    fn incr<'a>(&'a self, key: &'a str, window: Duration) -> BoxFuture<'a, WindowCount> {
        future::ready(self.count(key, window)).boxed()
    }

    fn get<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Option<Bytes>> {
        let now = self.clock.now();
        let value = match self.entries().live(key, now) {
            Some(Entry { value: Value::Bytes(bytes), .. }) => Some(bytes.clone()),
            _ => None,
        };
        future::ready(value).boxed()
    }

    fn set<'a>(&'a self, key: &'a str, value: Bytes, lives: Duration) -> BoxFuture<'a, ()> {
        let now = self.clock.now();
        self.entries().put(key, Entry { value: Value::Bytes(value), ends_at: after(now, lives) }, now);
        future::ready(()).boxed()
    }

    fn remove<'a>(&'a self, key: &'a str) -> BoxFuture<'a, ()> {
        self.entries().by_key.remove(key);
        future::ready(()).boxed()
    }

    fn publish<'a>(&'a self, channel: &'a str, message: Bytes) -> BoxFuture<'a, ()> {
        self.deliver(channel, message);
        future::ready(()).boxed()
    }

    fn post<'a>(&'a self, inbox: &'a str, message: Bytes) -> BoxFuture<'a, ()> {
        self.deliver(&of_inbox(inbox), message);
        future::ready(()).boxed()
    }

    fn inbox(&self, name: &str) -> ChannelSubscription {
        self.subscribe(&of_inbox(name))
    }

    fn take<'a>(&'a self, key: &'a str, bucket: Bucket) -> BoxFuture<'a, Result<BucketState, BucketEmpty>> {
        future::ready(self.take_local(key, bucket)).boxed()
    }

    fn acquire_permit<'a>(&'a self, key: &'a str, most: usize) -> BoxFuture<'a, Option<Permit>> {
        future::ready(self.permits.take(key, most)).boxed()
    }

    fn fair_start<'a>(&'a self, queue: &'a str, who: Uuid, length: i64) -> BoxFuture<'a, i64> {
        future::ready(self.queues.start(queue, who, length)).boxed()
    }

    fn fair_taken<'a>(&'a self, queue: &'a str, start: i64, was_last: bool) -> BoxFuture<'a, ()> {
        self.queues.taken(queue, start, was_last);
        future::ready(()).boxed()
    }

    fn fair_observe(&self, queue: &str, taken: i64, ends: &[(Uuid, i64)]) {
        self.queues.observe(queue, taken, ends.iter().copied());
    }

    fn set_node_count(&self, living: usize) {
        self.nodes.store(u32::try_from(living).unwrap_or(u32::MAX), Ordering::Relaxed);
    }

    fn is_connected(&self) -> bool {
        false
    }

    fn sweep(&self) {
        self.buckets.sweep();
        let now = self.clock.now();
        self.entries().clear(now);
    }

    fn subscribe(&self, channel: &str) -> ChannelSubscription {
        let mut channels = self.channels();
        channels.retain(|_, sender| sender.receiver_count() > 0);
        let sender = channels.entry(channel.to_owned()).or_insert_with(|| broadcast::channel(BACKLOG).0);
        ChannelSubscription(sender.subscribe())
    }
}

#[cfg(test)]
impl Local {
    /// All entries, including expired ones.
    pub(super) fn remembered(&self) -> usize {
        self.entries().by_key.len()
    }
}
