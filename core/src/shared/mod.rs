//! State that nodes share beside the database: counters, limits, fair queues, short-lived values, and messages.
//!
//! There are two implementations: in memory for one node, and in Redis for several. Nothing here is the only copy of
//! its data. Without Redis a node continues with its own memory; only performance and the accuracy of shared limits
//! suffer.

mod bucket;
mod connections;
mod fair_queue;
mod listener;
mod local;
mod permits;
mod redis;

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::broadcast;
use uuid::Uuid;

pub use bucket::{Bucket, BucketEmpty, BucketState};
pub use local::Local;
pub use permits::Permit;
pub use redis::Redis;

use crate::Clock;
use crate::error::Result;
use crate::settings::RedisSettings;

/// Messages that a slow subscriber may lag behind before it loses the oldest.
const BACKLOG: usize = 1024;
/// Channel on which nodes announce that a permit is requested.
const PERMIT_REQUESTS: &str = "places";

/// A count within a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowCount {
    /// The count of the key in this window, including this call.
    pub count: u64,
    /// Time until the window ends and the count restarts.
    pub ends_in: Duration,
}

/// Shared state. No method fails; each documents its behavior without Redis.
pub trait Shared: Debug + Send + Sync {
    /// Increments a counter. The first count of a key starts its window. Without Redis each node counts on its own.
    fn incr<'a>(&'a self, key: &'a str, window: Duration) -> BoxFuture<'a, WindowCount>;

    /// Takes a token from a bucket shared by all nodes. Without Redis each node has its own bucket with its share of
    /// the limit, divided by the number of living nodes.
    fn take<'a>(&'a self, key: &'a str, bucket: Bucket)
    -> BoxFuture<'a, std::result::Result<BucketState, BucketEmpty>>;

    /// Acquires one of `most` permits of a key, shared by all nodes; `None` if all are held. Permits of a dead node
    /// expire after half a minute. Without Redis each node has `most` permits.
    fn acquire_permit<'a>(&'a self, key: &'a str, most: usize) -> BoxFuture<'a, Option<Permit>>;

    /// The virtual start time of a flow's next turn in a fair queue ([`fair_queue`]). `length` is the cost of the turn.
    /// Without Redis each node has its own queue and knows of others only what it observed.
    fn fair_start<'a>(&'a self, queue: &'a str, who: Uuid, length: i64) -> BoxFuture<'a, i64>;

    /// Records that the turn with this start was taken; `was_last` if the queue is empty on all nodes.
    fn fair_taken<'a>(&'a self, queue: &'a str, start: i64, was_last: bool) -> BoxFuture<'a, ()>;

    /// Restores a queue from turns that were given earlier, also by other nodes: the start of a taken turn, and the
    /// last end of each flow.
    fn fair_observe(&self, queue: &str, taken: i64, ends: &[(Uuid, i64)]);

    /// The value, if it is set and not expired. Without Redis: what this node set.
    fn get<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Option<Bytes>>;

    /// Sets a value with a lifetime. Without Redis it is visible on this node only.
    fn set<'a>(&'a self, key: &'a str, value: Bytes, lives: Duration) -> BoxFuture<'a, ()>;

    /// Deletes a value or a counter.
    fn remove<'a>(&'a self, key: &'a str) -> BoxFuture<'a, ()>;

    /// Sends a message to all subscribers of a channel, on all nodes. Messages may be lost.
    fn publish<'a>(&'a self, channel: &'a str, message: Bytes) -> BoxFuture<'a, ()>;

    /// The future messages of a channel.
    fn subscribe(&self, channel: &str) -> ChannelSubscription;

    /// Sends a message to the node with this inbox, over that node's connection only. Messages may be lost.
    fn post<'a>(&'a self, inbox: &'a str, message: Bytes) -> BoxFuture<'a, ()>;

    /// The future messages of an inbox of this node.
    fn inbox(&self, name: &str) -> ChannelSubscription;

    /// Sets the number of living nodes, including this one.
    fn set_node_count(&self, living: usize);

    /// Whether state is currently shared with other nodes.
    fn is_connected(&self) -> bool;

    /// Removes expired entries from this node's memory.
    fn sweep(&self);
}

/// Asks all holders of a key's permits, on all nodes, to check whether they still need them; see [`Permit::requested`].
pub fn request_permit<'a>(shared: &'a dyn Shared, key: &'a str) -> BoxFuture<'a, ()> {
    shared.publish(PERMIT_REQUESTS, Bytes::copy_from_slice(key.as_bytes())).boxed()
}

/// Opens the implementation that the settings choose.
///
/// # Errors
/// If the URL of Redis is invalid. An unreachable Redis is not an error, because it may return.
pub fn open(settings: &RedisSettings, clock: &Clock) -> Result<Arc<dyn Shared>> {
    match &settings.url {
        Some(url) => Ok(Arc::new(Redis::open(url, settings, clock)?)),
        None => Ok(Arc::new(Local::new(clock.clone()))),
    }
}

#[derive(Debug)]
pub struct ChannelSubscription(broadcast::Receiver<Bytes>);

impl ChannelSubscription {
    /// The next message; `None` if the channel is closed. A slow receiver loses the oldest messages.
    pub async fn next(&mut self) -> Option<Bytes> {
        loop {
            match self.0.recv().await {
                Ok(message) => return Some(message),
                Err(broadcast::error::RecvError::Lagged(_)) => {}
                Err(broadcast::error::RecvError::Closed) => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests;
