//! One connection to Redis for what is asked at every request: calls go over it without waiting for each other's
//! answers, and it is opened again by itself. While it is not there nobody waits for it.

use std::sync::Arc;
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

/// The connection. Where it is dropped it is closed.
pub(super) struct Pipe {
    line: watch::Receiver<Option<MultiplexedConnection>>,
    broken: Arc<Notify>,
    keeper: JoinHandle<()>,
}

impl Pipe {
    /// Opens it beside, on the current runtime, which also drives it.
    pub fn open(client: redis::Client) -> Self {
        let (tell, line) = watch::channel(None);
        let broken = Arc::new(Notify::new());
        let keeper = tokio::spawn(keep(client, tell, Arc::clone(&broken)));
        Self { line, broken, keeper }
    }

    /// Whether it is there.
    pub fn is_open(&self) -> bool {
        self.line.borrow().is_some()
    }

    /// Waits until it is there.
    pub async fn opened(&self) {
        // An error means that the keeper is gone, which happens only when this value is dropped.
        let _ended = self.line.clone().wait_for(Option::is_some).await.is_err();
    }

    /// Does something with it; `None` where it is not there, or does not answer in time.
    pub async fn call<T, F>(&self, work: impl FnOnce(MultiplexedConnection) -> F) -> Option<T>
    where
        F: Future<Output = RedisResult<T>>,
    {
        let line = self.line.borrow().clone()?;
        match timeout(ANSWER_WITHIN, work(line)).await {
            Ok(Ok(value)) => return Some(value),
            Ok(Err(error)) => tracing::debug!(%error, "redis refused a call"),
            Err(_) => tracing::debug!("redis was too slow for a call"),
        }
        self.broken.notify_one();
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
        self.keeper.abort();
    }
}

async fn keep(client: redis::Client, tell: watch::Sender<Option<MultiplexedConnection>>, broken: Arc<Notify>) {
    let mut is_away = false;
    loop {
        let opened = client.get_multiplexed_async_connection().await;
        if let Ok(line) = opened {
            if is_away {
                tracing::info!("redis is back: nodes count together again");
            }
            // Calls over the connection before this one.
            let _is_over = broken.notified().now_or_never().is_some();
            tell.send_replace(Some(line.clone()));
            until_broken(line, &broken).await;
            tell.send_replace(None);
            is_away = false;
        }
        if !is_away {
            tracing::warn!("redis cannot be reached: this node counts its limits by itself until it can");
            is_away = true;
        }
        tokio::time::sleep(REOPEN_AFTER).await;
    }
}

async fn until_broken(mut line: MultiplexedConnection, broken: &Notify) {
    loop {
        tokio::select! {
            () = broken.notified() => return,
            () = tokio::time::sleep(PING_EVERY) => {}
        }
        let ping = redis::cmd("PING");
        if !matches!(timeout(ANSWER_WITHIN, ping.query_async::<()>(&mut line)).await, Ok(Ok(()))) {
            return;
        }
    }
}
