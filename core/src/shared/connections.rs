//! Multiplexed connections to Redis for calls on every request. Each thread has its own connection, which pipelines
//! calls and reconnects in the background. Calls do not wait for a missing connection.

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

/// Timeout of a call, after which the node continues without Redis.
pub(super) const ANSWER_WITHIN: Duration = Duration::from_millis(500);
/// Pause before reconnecting.
pub(super) const REOPEN_AFTER: Duration = Duration::from_millis(500);
/// Interval of health checks.
const PING_EVERY: Duration = Duration::from_secs(1);

/// The connections of all threads; `Drop` closes them.
pub(super) struct RedisConnections {
    client: redis::Client,
    threads: Mutex<HashMap<ThreadId, ThreadConnection>>,
    /// Whether the outage was logged.
    is_reported: Arc<AtomicBool>,
}

struct ThreadConnection {
    connection: watch::Receiver<Option<MultiplexedConnection>>,
    broken: Arc<Notify>,
    keeper: JoinHandle<()>,
}

impl RedisConnections {
    /// Opens the connection of this thread in the background; other threads' connections open on first use.
    pub fn open(client: redis::Client) -> Self {
        let connections = Self { client, threads: Mutex::default(), is_reported: Arc::default() };
        drop(connections.thread());
        connections
    }

    /// Whether any thread is connected.
    pub fn is_open(&self) -> bool {
        self.threads().values().any(|thread| thread.connection.borrow().is_some())
    }

    /// Waits until this thread is connected.
    pub async fn wait_open(&self) {
        let (mut connection, _) = self.thread();
        // An error means that the task has ended, which happens only when this value is dropped.
        let _ended = connection.wait_for(Option::is_some).await.is_err();
    }

    /// The connection of this thread, and the signal that it broke.
    fn thread(&self) -> (watch::Receiver<Option<MultiplexedConnection>>, Arc<Notify>) {
        let mut threads = self.threads();
        let thread = threads.entry(thread::current().id()).or_insert_with(|| {
            let (tell, connection) = watch::channel(None);
            let broken = Arc::new(Notify::new());
            let keep = keep(self.client.clone(), tell, Arc::clone(&broken), Arc::clone(&self.is_reported));
            ThreadConnection { connection, broken, keeper: tokio::spawn(keep) }
        });
        (thread.connection.clone(), Arc::clone(&thread.broken))
    }

    fn threads(&self) -> MutexGuard<'_, HashMap<ThreadId, ThreadConnection>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a call on the connection; `None` without a connection or after the timeout.
    pub async fn call<T, F>(&self, work: impl FnOnce(MultiplexedConnection) -> F) -> Option<T>
    where
        F: Future<Output = RedisResult<T>>,
    {
        let (connection, broken) = self.thread();
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

impl std::fmt::Debug for RedisConnections {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RedisConnections").field("is_open", &self.is_open()).finish_non_exhaustive()
    }
}

impl Drop for RedisConnections {
    fn drop(&mut self) {
        for thread in self.threads().values() {
            thread.keeper.abort();
        }
    }
}

async fn keep(
    client: redis::Client,
    tell: watch::Sender<Option<MultiplexedConnection>>,
    broken: Arc<Notify>,
    is_reported: Arc<AtomicBool>,
) {
    loop {
        let opened = client.get_multiplexed_async_connection().await;
        if let Ok(connection) = opened {
            if is_reported.swap(false, Ordering::Relaxed) {
                tracing::info!("redis is back: limits are shared between nodes again");
            }
            // Discards signals about the previous connection.
            let _is_over = broken.notified().now_or_never().is_some();
            tell.send_replace(Some(connection.clone()));
            until_broken(connection, &broken).await;
            tell.send_replace(None);
        }
        if !is_reported.swap(true, Ordering::Relaxed) {
            tracing::warn!("redis cannot be reached: this node counts limits on its own until it is back");
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
