//! The Redis form of [`Shared`].
//!
//! Every call has a short time to be answered; after that, and where Redis is away, the node's own memory takes over.
//! Messages of all channels come over one connection, which is opened again for as long as the value lives.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use deadpool_redis::redis::aio::PubSub;
use deadpool_redis::redis::{self, AsyncCommands, Script};
use deadpool_redis::{Config, Connection, Pool, PoolConfig, Runtime, Timeouts};
use futures_util::{FutureExt, StreamExt, future::BoxFuture};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::local::of_inbox;
use super::{Counted, Local, Shared, Subscription};
use crate::Clock;
use crate::error::{Error, Result};
use crate::settings::RedisSettings;

/// How long a call may take before the node goes on without Redis.
const ANSWER_WITHIN: Duration = Duration::from_millis(500);
/// How long the connection for messages waits before it is opened again.
const REOPEN_AFTER: Duration = Duration::from_millis(500);

/// Memory that several nodes share.
#[derive(Debug)]
pub struct Redis {
    pool: Pool,
    prefix: String,
    count: Script,
    local: Arc<Local>,
    listening: watch::Receiver<bool>,
    inboxes: UnboundedSender<String>,
    listener: JoinHandle<()>,
}

impl Redis {
    /// Connects when it is first used; messages are listened for from now on. Call it inside a runtime.
    ///
    /// # Errors
    /// Where the address cannot be read.
    pub fn open(url: &SecretString, settings: &RedisSettings, clock: &Clock) -> Result<Self> {
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
        let local = Arc::new(Local::new(clock.clone()));
        let (tell, listening) = watch::channel(false);
        let (inboxes, wanted) = mpsc::unbounded_channel();
        let channels = Channels { prefix: settings.prefix.clone(), wanted, inboxes: Vec::new() };
        let listener = tokio::spawn(listen(client, channels, Arc::clone(&local), tell));
        let count = Script::new(
            "local count = redis.call('INCR', KEYS[1])
             if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
             return {count, redis.call('PTTL', KEYS[1])}",
        );
        Ok(Self { pool, prefix: settings.prefix.clone(), count, local, listening, inboxes, listener })
    }

    /// Waits until messages of other nodes arrive here.
    pub async fn connected(&self) {
        // An error means that the listener is gone, which happens only when this value is dropped.
        let mut listening = self.listening.clone();
        let _ended = listening.wait_for(|listening| *listening).await.is_err();
    }

    fn key(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
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
        self.listener.abort();
    }
}

/// What is listened to: everything that is for all nodes, and the inboxes of this one.
struct Channels {
    prefix: String,
    /// Inboxes that are to be added.
    wanted: UnboundedReceiver<String>,
    inboxes: Vec<String>,
}

/// Passes the messages of all channels on to the subscribers of this node.
async fn listen(client: redis::Client, mut channels: Channels, local: Arc<Local>, tell: watch::Sender<bool>) {
    loop {
        if let Ok(connection) = client.get_async_pubsub().await {
            // An error means that the connection broke.
            let _broken = channels.hear(connection, &local, &tell).await.is_err();
        }
        tell.send_replace(false);
        tokio::time::sleep(REOPEN_AFTER).await;
    }
}

impl Channels {
    /// Hears what comes over a connection until it breaks.
    async fn hear(&mut self, connection: PubSub, local: &Local, tell: &watch::Sender<bool>) -> redis::RedisResult<()> {
        let (mut wants, mut messages) = connection.split();
        let bus = format!("{}bus:", self.prefix);
        wants.psubscribe(format!("{bus}*")).await?;
        for inbox in &self.inboxes {
            wants.subscribe(format!("{}{inbox}", self.prefix)).await?;
        }
        tell.send_replace(true);
        loop {
            tokio::select! {
                message = messages.next() => {
                    let Some(message) = message else { return Ok(()) };
                    let name = message.get_channel_name();
                    let channel = name.strip_prefix(&bus).or_else(|| name.strip_prefix(&self.prefix));
                    if let Some(channel) = channel {
                        local.deliver(channel, Bytes::copy_from_slice(message.get_payload_bytes()));
                    }
                }
                Some(inbox) = self.wanted.recv() => {
                    let name = format!("{}{inbox}", self.prefix);
                    self.inboxes.push(inbox);
                    wants.subscribe(name).await?;
                }
            }
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
            let (name, bytes) = (self.key(&of_inbox(inbox)), message.to_vec());
            // Without Redis there is nobody to send it to: a node does not write to itself.
            let _unreachable: Option<()> =
                self.with(|mut connection| async move { connection.publish(name, bytes).await }).await;
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
