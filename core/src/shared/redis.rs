//! The Redis form of [`Shared`].
//!
//! Every call has a short time to be answered; after that, and where Redis is away, the node's own memory takes over.
//! Messages of all channels come over one connection, which is opened again for as long as the value lives, and limits
//! are counted over another one ([`Pipe`]).

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

use super::bucket::{self, Bucket, Empty, Left};
use super::channels::Channels;
use super::local::of_inbox;
use super::pipe::{ANSWER_WITHIN, Pipe};
use super::places::{Leases, Place};
use super::turns;
use super::{Counted, Local, Shared, Subscription};
use crate::Clock;
use crate::error::{Error, Result};
use crate::settings::RedisSettings;

/// How long a place is held whose node says nothing any more.
const LEASE: Duration = Duration::from_secs(30);

/// Memory that several nodes share.
#[derive(Debug)]
pub struct Redis {
    pool: Pool,
    prefix: String,
    count: Script,
    take: Script,
    join: Script,
    took: Script,
    leases: Arc<Leases>,
    pipe: Arc<Pipe>,
    local: Arc<Local>,
    listening: watch::Receiver<bool>,
    inboxes: UnboundedSender<String>,
    tasks: [JoinHandle<()>; 2],
}

impl Redis {
    /// Connects when it is first used; messages are listened for from now on. Call it inside a runtime.
    ///
    /// # Errors
    /// Where the address cannot be read.
    pub fn open(url: &SecretString, settings: &RedisSettings, clock: &Clock) -> Result<Self> {
        Self::leasing(LEASE, url, settings, clock)
    }

    /// The same with another lease of places.
    pub(super) fn leasing(
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
        let (leases, places, mut given_back) = Leases::new(&settings.prefix, lease);
        let local = Arc::new(Local::with(clock.clone(), Arc::clone(&places)));
        let (tell, listening) = watch::channel(false);
        let (inboxes, wanted) = mpsc::unbounded_channel();
        let channels = Channels::new(&settings.prefix, wanted);
        let pipe = Arc::new(Pipe::open(client.clone()));
        let leases = Arc::new(leases);
        let (kept, over) = (Arc::clone(&leases), Arc::clone(&pipe));
        let tasks = [
            tokio::spawn(channels.listen(client, Arc::clone(&local), tell)),
            tokio::spawn(async move { kept.keep(&over, &places, &mut given_back).await }),
        ];
        let count = Script::new(
            "local count = redis.call('INCR', KEYS[1])
             if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
             return {count, redis.call('PTTL', KEYS[1])}",
        );
        let prefix = settings.prefix.clone();
        let (take, join, took) = (bucket::take_script(), turns::join_script(), turns::took_script());
        Ok(Self { pool, prefix, count, take, join, took, leases, pipe, local, listening, inboxes, tasks })
    }

    /// Waits until messages of other nodes arrive here, and limits are counted with them.
    pub async fn connected(&self) {
        self.pipe.opened().await;
        // An error means that the listener is gone, which happens only when this value is dropped.
        let mut listening = self.listening.clone();
        let _ended = listening.wait_for(|listening| *listening).await.is_err();
    }

    fn key(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }

    /// Where the ends and the clock of a line are.
    fn line(&self, line: &str) -> (String, String) {
        (self.key(&format!("line:{{{line}}}:ends")), self.key(&format!("line:{{{line}}}:clock")))
    }

    /// Does something with a connection; `None` where Redis cannot be reached in time.
    async fn with<T, F>(&self, work: impl FnOnce(Connection) -> F) -> Option<T>
    where
        F: Future<Output = redis::RedisResult<T>>,
    {
        let connection = match self.pool.get().await {
            Ok(connection) => connection,
            Err(error) => {
                tracing::warn!(%error, "redis cannot be reached, going on with this node's memory");
                return None;
            }
        };
        match tokio::time::timeout(ANSWER_WITHIN, work(connection)).await {
            Ok(Ok(value)) => Some(value),
            Ok(Err(error)) => {
                tracing::warn!(%error, "redis failed, going on with this node's memory");
                None
            }
            Err(_) => {
                tracing::warn!("redis does not answer, going on with this node's memory");
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
    fn incr<'a>(&'a self, key: &'a str, window: Duration) -> BoxFuture<'a, Counted> {
        async move {
            let name = self.key(key);
            let counted: Option<(u64, i64)> = self
                .with(|mut connection| async move {
                    self.count.key(name).arg(millis(window)).invoke_async(&mut connection).await
                })
                .await;
            match counted {
                Some((count, ends_in)) => {
                    Counted { count, ends_in: u64::try_from(ends_in).map_or(window, Duration::from_millis) }
                }
                None => self.local.count(key, window),
            }
        }
        .boxed()
    }

    fn take<'a>(&'a self, key: &'a str, bucket: Bucket) -> BoxFuture<'a, std::result::Result<Left, Empty>> {
        async move {
            // Others only make it emptier than it is known to be here.
            self.local.buckets().look(key, bucket)?;
            let (name, (every, burst)) = (self.key(&format!("bucket:{key}")), bucket.parts());
            let call = |mut line| async move {
                self.take.key(name).arg(every).arg(burst).invoke_async::<u64>(&mut line).await
            };
            let Some(before) = self.pipe.call(call).await else { return self.local.draw(key, bucket) };
            let taken = bucket.take(before);
            self.local.buckets().learn(key, taken.unwrap_or(before));
            bucket.told(taken)
        }
        .boxed()
    }

    fn place<'a>(&'a self, key: &'a str, most: usize) -> BoxFuture<'a, Option<Place>> {
        async move {
            let place = self.local.places().take(key, most)?;
            let may_be_kept = self.leases.take(&self.pipe, &place, most).await;
            may_be_kept.unwrap_or(true).then_some(place)
        }
        .boxed()
    }

    fn join<'a>(&'a self, line: &'a str, who: Uuid, length: i64) -> BoxFuture<'a, i64> {
        async move {
            let (clock, end) = self.local.lines().known(line, who);
            let call = |mut pipe| async move {
                let (ends, clocks) = self.line(line);
                let mut script = self.join.key(ends);
                let script = script.key(clocks).arg(who.to_string()).arg(clock).arg(end).arg(length.max(1));
                script.invoke_async::<(i64, i64)>(&mut pipe).await
            };
            let Some((start, clock)) = self.pipe.call(call).await else {
                return self.local.lines().join(line, who, length);
            };
            self.local.lines().learn(line, clock, [(who, start + length.max(1))]);
            start
        }
        .boxed()
    }

    fn took<'a>(&'a self, line: &'a str, start: i64, was_last: bool) -> BoxFuture<'a, ()> {
        self.local.lines().took(line, start, was_last);
        async move {
            let call = |mut pipe| async move {
                let (ends, clocks) = self.line(line);
                let mut script = self.took.key(ends);
                let script = script.key(clocks).arg(start).arg(i32::from(was_last));
                script.invoke_async::<i64>(&mut pipe).await
            };
            if let Some(clock) = self.pipe.call(call).await {
                self.local.lines().learn(line, clock, []);
            }
        }
        .boxed()
    }

    fn learn(&self, line: &str, taken: i64, ends: &[(Uuid, i64)]) {
        self.local.learn(line, taken, ends);
    }

    fn note_nodes(&self, living: usize) {
        self.local.note_nodes(living);
    }

    fn counts_together(&self) -> bool {
        self.pipe.is_open()
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
            // Subscribers of this node shall not miss what happens here because Redis is away.
            if sent.is_none() || !*self.listening.borrow() {
                self.local.deliver(channel, message);
            }
        }
        .boxed()
    }

    fn post<'a>(&'a self, inbox: &'a str, message: Bytes) -> BoxFuture<'a, ()> {
        async move {
            let name = self.key(&of_inbox(inbox));
            // Without Redis there is nobody to send it to: a node does not write to itself.
            let _unreachable: Option<()> =
                self.pipe.call(|mut line| async move { line.publish(name, &message[..]).await }).await;
        }
        .boxed()
    }

    fn inbox(&self, name: &str) -> Subscription {
        let channel = of_inbox(name);
        let subscription = self.local.subscribe(&channel);
        // The listener ends with this value.
        drop(self.inboxes.send(channel));
        subscription
    }

    fn subscribe(&self, channel: &str) -> Subscription {
        self.local.subscribe(channel)
    }
}
