//! Connections to Redis for what is asked at every request: each thread has one, which nobody else has to drive, calls
//! go over it without waiting for each other's answers, and it is opened again by itself. While it is not there nobody
//! waits for it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use deadpool_redis::redis::aio::MultiplexedConnection;
use deadpool_redis::redis::{self, RedisResult};
use futures_util::FutureExt;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How long a call may take before the node goes on without Redis.
pub(super) const ANSWER_WITHIN: Duration = Duration::from_millis(500);
/// How long a connection that broke waits before it is opened again.
pub(super) const REOPEN_AFTER: Duration = Duration::from_millis(500);
/// How often it is asked whether it still works, beside the calls.
const PING_EVERY: Duration = Duration::from_secs(1);

/// The connections of all threads. Where it is dropped they are closed.
pub(super) struct Pipe {
    client: redis::Client,
    lines: Mutex<HashMap<ThreadId, Line>>,
    /// Whether it was said that Redis is away.
    is_away: Arc<AtomicBool>,
}

/// The connection of one thread.
struct Line {
    connection: watch::Receiver<Option<MultiplexedConnection>>,
    broken: Arc<Notify>,
    keeper: JoinHandle<()>,
}

impl Pipe {
    /// Opens the connection of this thread beside, on its runtime; those of others when they are first wanted.
    pub fn open(client: redis::Client) -> Self {
        let pipe = Self { client, lines: Mutex::default(), is_away: Arc::default() };
        drop(pipe.line());
        pipe
    }

    /// Whether there is a connection.
    pub fn is_open(&self) -> bool {
        self.lines().values().any(|line| line.connection.borrow().is_some())
    }

    /// Waits until this thread's is there.
    pub async fn opened(&self) {
        let (mut connection, _) = self.line();
        // An error means that the keeper is gone, which happens only when this value is dropped.
        let _ended = connection.wait_for(Option::is_some).await.is_err();
    }

    /// The connection of this thread, and how to say that it broke.
    fn line(&self) -> (watch::Receiver<Option<MultiplexedConnection>>, Arc<Notify>) {
        let mut lines = self.lines();
        let line = lines.entry(thread::current().id()).or_insert_with(|| {
            let (tell, connection) = watch::channel(None);
            let broken = Arc::new(Notify::new());
            let keep = keep(self.client.clone(), tell, Arc::clone(&broken), Arc::clone(&self.is_away));
            Line { connection, broken, keeper: tokio::spawn(keep) }
        });
        (line.connection.clone(), Arc::clone(&line.broken))
    }

    fn lines(&self) -> MutexGuard<'_, HashMap<ThreadId, Line>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with it; `None` where it is not there, or does not answer in time.
    pub async fn call<T, F>(&self, work: impl FnOnce(MultiplexedConnection) -> F) -> Option<T>
    where
        F: Future<Output = RedisResult<T>>,
    {
        let (connection, broken) = self.line();
        let connection = connection.borrow().clone()?;
        match timeout(ANSWER_WITHIN, work(connection)).await {
            Ok(Ok(value)) => return Some(value),
            Ok(Err(error)) => tracing::debug!(%error, "redis refused a call"),
            Err(_) => tracing::debug!("redis was too slow for a call"),
        }
        broken.notify_one();
        None
    }
}

impl std::fmt::Debug for Pipe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pipe").field("is_open", &self.is_open()).finish_non_exhaustive()
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        for line in self.lines().values() {
            line.keeper.abort();
        }
    }
}

async fn keep(
    client: redis::Client,
    tell: watch::Sender<Option<MultiplexedConnection>>,
    broken: Arc<Notify>,
    is_away: Arc<AtomicBool>,
) {
    loop {
        let opened = client.get_multiplexed_async_connection().await;
        if let Ok(connection) = opened {
            if is_away.swap(false, Ordering::Relaxed) {
                tracing::info!("redis is back: nodes count together again");
            }
            // Calls over the connection before this one.
            let _is_over = broken.notified().now_or_never().is_some();
            tell.send_replace(Some(connection.clone()));
            until_broken(connection, &broken).await;
            tell.send_replace(None);
        }
        if !is_away.swap(true, Ordering::Relaxed) {
            tracing::warn!("redis cannot be reached: this node counts its limits by itself until it can");
        }
        tokio::time::sleep(REOPEN_AFTER).await;
    }
}

async fn until_broken(mut connection: MultiplexedConnection, broken: &Notify) {
    loop {
        tokio::select! {
            () = broken.notified() => return,
            () = tokio::time::sleep(PING_EVERY) => {}
        }
        let ping = redis::cmd("PING");
        if !matches!(timeout(ANSWER_WITHIN, ping.query_async::<()>(&mut connection)).await, Ok(Ok(()))) {
            return;
        }
    }
}
