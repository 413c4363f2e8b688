//! What nodes share beside the database: counters, short-lived values, and messages.
//!
//! Two forms with one behaviour: in the process, for one node; in Redis, for several. Nothing here is ever the only
//! copy of anything: where Redis is lost, a node goes on with its own memory, and only speed and shared limits suffer.

mod local;
mod redis;

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use tokio::sync::broadcast;

pub use local::Local;
pub use redis::Redis;

use crate::Clock;
use crate::error::Result;
use crate::settings::RedisSettings;

/// Messages that a slow subscriber may be behind before it misses the oldest.
const BACKLOG: usize = 1024;

/// A count within its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// How often the key was counted in this window, this time included.
    pub count: u64,
    /// When the window ends and the next begins at 1.
    pub ends_in: Duration,
}

/// Counters, values and messages. No method fails: each says what it does where Redis cannot be reached.
pub trait Shared: Debug + Send + Sync {
    /// Counts one more. The first count of a key opens its window. Without Redis this node counts for itself.
    fn incr<'a>(&'a self, key: &'a str, window: Duration) -> BoxFuture<'a, Counted>;

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
