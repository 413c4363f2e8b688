//! What nodes share beside the database: counters, limits, lines, short-lived values, and messages.
//!
//! Two forms with one behaviour: in the process, for one node; in Redis, for several. Nothing here is ever the only
//! copy of anything: where Redis is lost, a node goes on with its own memory, and only speed and shared limits suffer.

mod bucket;
mod channels;
mod local;
mod pipe;
mod places;
mod redis;
mod turns;

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::broadcast;
use uuid::Uuid;

pub use bucket::{Bucket, Empty, Left};
pub use local::Local;
pub use places::Place;
pub use redis::Redis;

use crate::Clock;
use crate::error::Result;
use crate::settings::RedisSettings;

/// Messages that a slow subscriber may be behind before it misses the oldest.
const BACKLOG: usize = 1024;
/// The channel on which nodes tell each other that somebody wants a place.
const WANTED: &str = "places";

/// A count within its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// How often the key was counted in this window, this time included.
    pub count: u64,
    /// When the window ends and the next begins at 1.
    pub ends_in: Duration,
}

/// Counters, limits, lines, values and messages. No method fails: each says what it does where Redis cannot be reached.
pub trait Shared: Debug + Send + Sync {
    /// Counts one more. The first count of a key opens its window. Without Redis this node counts for itself.
    fn incr<'a>(&'a self, key: &'a str, window: Duration) -> BoxFuture<'a, Counted>;

    /// Takes one of a bucket that all nodes have together. Without Redis each node has a bucket of its own, which gives
    /// a part: what one would give is divided by the nodes that live.
    fn take<'a>(&'a self, key: &'a str, bucket: Bucket) -> BoxFuture<'a, std::result::Result<Left, Empty>>;

    /// One of the places of a key, of which all nodes have so many together; `None` where all are held. What a node
    /// held that is gone without a word is free half a minute later. Without Redis each node has so many.
    fn place<'a>(&'a self, key: &'a str, most: usize) -> BoxFuture<'a, Option<Place>>;

    /// The virtual start of somebody's next turn in a line, in which all get the same share: who has many turns stands
    /// behind themselves ([`turns`]). `length` is what a turn counts for. Without Redis each node has a line of its own,
    /// and knows of the others what it was told to learn.
    fn join<'a>(&'a self, line: &'a str, who: Uuid, length: i64) -> BoxFuture<'a, i64>;

    /// The turn with this start was taken; `was_last` where nobody is left in the line, on any node.
    fn took<'a>(&'a self, line: &'a str, start: i64, was_last: bool) -> BoxFuture<'a, ()>;

    /// Turns of a line that were given before, on other nodes too: the start of one that was taken, and when the last of
    /// each ends.
    fn learn(&self, line: &str, taken: i64, ends: &[(Uuid, i64)]);

    /// The value, if it was set and is not over. Without Redis: what this node set meanwhile.
    fn get<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Option<Bytes>>;

    /// Sets a value for a time. Without Redis only this node sees it.
    fn set<'a>(&'a self, key: &'a str, value: Bytes, lives: Duration) -> BoxFuture<'a, ()>;

    /// Forgets a value or a counter.
    fn remove<'a>(&'a self, key: &'a str) -> BoxFuture<'a, ()>;

    /// Sends a message to all who have subscribed to the channel, here and on other nodes. May be lost.
    fn publish<'a>(&'a self, channel: &'a str, message: Bytes) -> BoxFuture<'a, ()>;

    /// Messages of a channel from now on.
    fn subscribe(&self, channel: &str) -> Subscription;

    /// Sends a message to the one node that has an inbox of this name, whose connection alone carries it. May be lost.
    fn post<'a>(&'a self, inbox: &'a str, message: Bytes) -> BoxFuture<'a, ()>;

    /// What is sent to an inbox from now on, which is this node's.
    fn inbox(&self, name: &str) -> Subscription;

    /// So many nodes live, this one with them.
    fn note_nodes(&self, living: usize);

    /// Whether limits are counted over all nodes at the moment.
    fn counts_together(&self) -> bool;

    /// Forgets on this node what is over.
    fn sweep(&self);
}

/// Has those who hold places of a key hear, on all nodes, that somebody wants one; see [`Place::wanted`].
pub fn want<'a>(shared: &'a dyn Shared, key: &'a str) -> BoxFuture<'a, ()> {
    shared.publish(WANTED, Bytes::copy_from_slice(key.as_bytes())).boxed()
}

/// The form that the settings ask for.
///
/// # Errors
/// Where the address of Redis cannot be read. A Redis that does not answer is no error: it may come later.
pub fn open(settings: &RedisSettings, clock: &Clock) -> Result<Arc<dyn Shared>> {
    match &settings.url {
        Some(url) => Ok(Arc::new(Redis::open(url, settings, clock)?)),
        None => Ok(Arc::new(Local::new(clock.clone()))),
    }
}

/// The receiving end of a channel.
#[derive(Debug)]
pub struct Subscription(broadcast::Receiver<Bytes>);

impl Subscription {
    /// The next message; `None` once nobody can send any more. Where the receiver was too slow, the oldest messages
    /// are passed over.
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
