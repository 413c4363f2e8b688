//! The Redis implementation of [`Shared`].
//!
//! Every call has a short timeout; after that, or without Redis, the node's own memory is used. Messages of all
//! channels arrive on one connection, and limits use another one per thread ([`RedisConnections`]).

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use deadpool_redis::redis::{self, AsyncCommands, Script};
use deadpool_redis::{Config, Connection, Pool, PoolConfig, Runtime, Timeouts};
use futures_util::{FutureExt, future::BoxFuture};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::bucket::{self, Bucket, BucketEmpty, BucketState};
use super::connections::{ANSWER_WITHIN, RedisConnections};
use super::fair_queue;
use super::listener::RedisListener;
use super::local::of_inbox;
use super::permits::{Permit, PermitLeases};
use super::{ChannelSubscription, Local, Shared, WindowCount};
use crate::Clock;
use crate::error::{Error, Result};
use crate::settings::RedisSettings;

/// Lease of a permit without renewal.
const LEASE: Duration = Duration::from_secs(30);

/// State shared by several nodes.
#[derive(Debug)]
pub struct Redis {
    pool: Pool,
    prefix: String,
    count: Script,
    take: Script,
    join: Script,
    took: Script,
    leases: Arc<PermitLeases>,
    connections: Arc<RedisConnections>,
    local: Arc<Local>,
    listening: watch::Receiver<bool>,
    inboxes: UnboundedSender<String>,
    tasks: [JoinHandle<()>; 2],
}

impl Redis {
    /// Connects on first use and listens for messages immediately. Requires a runtime.
    ///
    /// # Errors
    /// If the URL is invalid.
    pub fn open(url: &SecretString, settings: &RedisSettings, clock: &Clock) -> Result<Self> {
        Self::open_with_lease(LEASE, url, settings, clock)
    }

    /// With another lease of permits.
    pub(super) fn open_with_lease(
        lease: Duration,
        url: &SecretString,
        settings: &RedisSettings,
        clock: &Clock,
    ) -> Result<Self> {
        let wrong = |_| Error::Internal("redis.url: not an address of the form redis://host:6379".to_owned());
        let client = redis::Client::open(url.expose_secret()).map_err(wrong)?;
        let mut config = Config::from_url(url.expose_secret());
        config.pool = Some(PoolConfig {
            max_size: settings.pool_connections,
            timeouts: Timeouts { wait: Some(ANSWER_WITHIN), create: Some(ANSWER_WITHIN), recycle: Some(ANSWER_WITHIN) },
            ..PoolConfig::default()
        });
        let pool =
            config.create_pool(Some(Runtime::Tokio1)).map_err(|error| Error::Internal(format!("redis: {error}")))?;
        let (leases, permits, mut given_back) = PermitLeases::new(&settings.prefix, lease);
        let local = Arc::new(Local::with(clock.clone(), Arc::clone(&permits)));
        let (tell, listening) = watch::channel(false);
        let (inboxes, wanted) = mpsc::unbounded_channel();
        let channels = RedisListener::new(&settings.prefix, wanted);
        let connections = Arc::new(RedisConnections::open(client.clone()));
        let leases = Arc::new(leases);
        let (kept, over) = (Arc::clone(&leases), Arc::clone(&connections));
        let tasks = [
            tokio::spawn(channels.listen(client, Arc::clone(&local), tell)),
            tokio::spawn(async move { kept.keep(&over, &permits, &mut given_back).await }),
        ];
        let count = Script::new(
            "local count = redis.call('INCR', KEYS[1])
             if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
             return {count, redis.call('PTTL', KEYS[1])}",
        );
        let prefix = settings.prefix.clone();
        let (take, join, took) = (bucket::take_script(), fair_queue::start_script(), fair_queue::taken_script());
        Ok(Self { pool, prefix, count, take, join, took, leases, connections, local, listening, inboxes, tasks })
    }

    /// Waits until messages of other nodes arrive and limits are shared.
    pub async fn connected(&self) {
        self.connections.wait_open().await;
        // An error means that the listener has ended, which happens only when this value is dropped.
        let mut listening = self.listening.clone();
        let _ended = listening.wait_for(|listening| *listening).await.is_err();
    }

    fn key(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }

    /// The keys of a queue's ends and clock.
    fn queue_keys(&self, queue: &str) -> (String, String) {
        (self.key(&format!("line:{{{queue}}}:ends")), self.key(&format!("line:{{{queue}}}:clock")))
    }

    /// Runs a call on a pooled connection; `None` if Redis is not reachable in time.
    async fn with<T, F>(&self, work: impl FnOnce(Connection) -> F) -> Option<T>
    where
        F: Future<Output = redis::RedisResult<T>>,
    {
        let connection = match self.pool.get().await {
            Ok(connection) => connection,
            Err(error) => {
                tracing::warn!(%error, "redis cannot be reached, using this node's memory");
                return None;
            }
        };
        match tokio::time::timeout(ANSWER_WITHIN, work(connection)).await {
            Ok(Ok(value)) => Some(value),
            Ok(Err(error)) => {
                tracing::warn!(%error, "redis failed, using this node's memory");
                None
            }
            Err(_) => {
                tracing::warn!("redis does not answer, using this node's memory");
                None
            }
        }
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

fn millis(lives: Duration) -> u64 {
    u64::try_from(lives.as_millis()).unwrap_or(u64::MAX).max(1)
}

impl Shared for Redis {
    fn incr<'a>(&'a self, key: &'a str, window: Duration) -> BoxFuture<'a, WindowCount> {
        async move {
            let name = self.key(key);
            let counted: Option<(u64, i64)> = self
                .with(|mut connection| async move {
                    self.count.key(name).arg(millis(window)).invoke_async(&mut connection).await
                })
                .await;
            match counted {
                Some((count, ends_in)) => {
                    WindowCount { count, ends_in: u64::try_from(ends_in).map_or(window, Duration::from_millis) }
                }
                None => self.local.count(key, window),
            }
        }
        .boxed()
    }

    fn take<'a>(
        &'a self,
        key: &'a str,
        bucket: Bucket,
    ) -> BoxFuture<'a, std::result::Result<BucketState, BucketEmpty>> {
        async move {
            // Other nodes can only have taken more tokens than this node knows of.
            self.local.buckets().check(key, bucket)?;
            let (name, (every, burst)) = (self.key(&format!("bucket:{key}")), bucket.parts());
            let call = |mut connection| async move {
                self.take.key(name).arg(every).arg(burst).invoke_async::<u64>(&mut connection).await
            };
            let Some(before) = self.connections.call(call).await else { return self.local.take_local(key, bucket) };
            let taken = bucket.take(before);
            self.local.buckets().observe(key, taken.unwrap_or(before));
            bucket.outcome(taken)
        }
        .boxed()
    }

    fn acquire_permit<'a>(&'a self, key: &'a str, most: usize) -> BoxFuture<'a, Option<Permit>> {
        async move {
            let permit = self.local.permits().take(key, most)?;
            let may_be_kept = self.leases.take(&self.connections, &permit, most).await;
            may_be_kept.unwrap_or(true).then_some(permit)
        }
        .boxed()
    }

    fn fair_start<'a>(&'a self, queue: &'a str, who: Uuid, length: i64) -> BoxFuture<'a, i64> {
        async move {
            let (clock, end) = self.local.queues().known(queue, who);
            let call = |mut pipe| async move {
                let (ends, clocks) = self.queue_keys(queue);
                let mut script = self.join.key(ends);
                let script = script.key(clocks).arg(who.to_string()).arg(clock).arg(end).arg(length.max(1));
                script.invoke_async::<(i64, i64)>(&mut pipe).await
            };
            let Some((start, clock)) = self.connections.call(call).await else {
                return self.local.queues().start(queue, who, length);
            };
            self.local.queues().observe(queue, clock, [(who, start + length.max(1))]);
            start
        }
        .boxed()
    }

    fn fair_taken<'a>(&'a self, queue: &'a str, start: i64, was_last: bool) -> BoxFuture<'a, ()> {
        self.local.queues().taken(queue, start, was_last);
        async move {
            let call = |mut pipe| async move {
                let (ends, clocks) = self.queue_keys(queue);
                let mut script = self.took.key(ends);
                let script = script.key(clocks).arg(start).arg(i32::from(was_last));
                script.invoke_async::<i64>(&mut pipe).await
            };
            if let Some(clock) = self.connections.call(call).await {
                self.local.queues().observe(queue, clock, []);
            }
        }
        .boxed()
    }

    fn fair_observe(&self, queue: &str, taken: i64, ends: &[(Uuid, i64)]) {
        self.local.fair_observe(queue, taken, ends);
    }

    fn set_node_count(&self, living: usize) {
        self.local.set_node_count(living);
    }

    fn is_connected(&self) -> bool {
        self.connections.is_open()
    }

    fn sweep(&self) {
        self.local.sweep();
    }

    fn get<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Option<Bytes>> {
        async move {
            let name = self.key(key);
            let found: Option<Option<Vec<u8>>> =
                self.with(|mut connection| async move { connection.get(name).await }).await;
            match found {
                Some(value) => value.map(Bytes::from),
                None => self.local.get(key).await,
            }
        }
        .boxed()
    }

    fn set<'a>(&'a self, key: &'a str, value: Bytes, lives: Duration) -> BoxFuture<'a, ()> {
        async move {
            let (name, bytes) = (self.key(key), value.to_vec());
            let set: Option<()> =
                self.with(|mut connection| async move { connection.pset_ex(name, bytes, millis(lives)).await }).await;
            if set.is_none() {
                self.local.set(key, value, lives).await;
            }
        }
        .boxed()
    }

    fn remove<'a>(&'a self, key: &'a str) -> BoxFuture<'a, ()> {
        async move {
            let name = self.key(key);
            let _unreachable: Option<()> = self.with(|mut connection| async move { connection.del(name).await }).await;
            self.local.remove(key).await;
        }
        .boxed()
    }

    fn publish<'a>(&'a self, channel: &'a str, message: Bytes) -> BoxFuture<'a, ()> {
        async move {
            let (name, bytes) = (self.key(&format!("bus:{channel}")), message.to_vec());
            let sent: Option<()> =
                self.with(|mut connection| async move { connection.publish(name, bytes).await }).await;
            // Local subscribers must get local messages without Redis.
            if sent.is_none() || !*self.listening.borrow() {
                self.local.deliver(channel, message);
            }
        }
        .boxed()
    }

    fn post<'a>(&'a self, inbox: &'a str, message: Bytes) -> BoxFuture<'a, ()> {
        async move {
            let name = self.key(&of_inbox(inbox));
            // Without Redis there is no other node to reach, and a node does not post to itself.
            let _unreachable: Option<()> = self
                .connections
                .call(|mut connection| async move { connection.publish(name, &message[..]).await })
                .await;
        }
        .boxed()
    }

    fn inbox(&self, name: &str) -> ChannelSubscription {
        let channel = of_inbox(name);
        let subscription = self.local.subscribe(&channel);
        // The listener ends with this value.
        drop(self.inboxes.send(channel));
        subscription
    }

    fn subscribe(&self, channel: &str) -> ChannelSubscription {
        self.local.subscribe(channel)
    }
}
