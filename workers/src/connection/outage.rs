//! Waits for an unavailable storage with growing pauses, without a limit. Time limits pause while it waits.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use actix::Recipient;
use tokio::time::{Instant, sleep};
use verdigraph_core::assets::Spool;

use super::ports::{Files, FilesError, StoredFile};
use super::state::WorkEvent;
use super::task_message::{TaskMessage, tell};

/// The pause after the first failure, and the longest one. Randomized, because all waiting tasks retry when the storage
/// is back.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How often a paused time limit is checked.
const CHECK_EVERY: Duration = Duration::from_millis(50);

/// Backoff between attempts, each about twice as long as the one before.
pub(super) struct Backoff(Duration);

impl Default for Backoff {
    fn default() -> Self {
        Self(FIRST_PAUSE)
    }
}

impl Backoff {
    pub async fn pause(&mut self) {
        sleep(self.0.mul_f64(rand::random_range(0.5..1.0))).await;
        self.0 = (self.0 * 2).min(LONGEST_PAUSE);
    }
}

/// Tracks how long the files of one assignment wait for the storage.
pub(super) struct Outage {
    to: Recipient<TaskMessage>,
    serial: u64,
    began: Instant,
    /// Files that wait now.
    waiting: Cell<usize>,
    /// When the current wait began, or the last one ended.
    turned: Cell<Instant>,
    /// Total time waited, without the current wait.
    waited: Cell<Duration>,
}

impl Outage {
    /// Starts without an outage. The connection's actor is told when one begins and ends.
    pub fn none(to: Recipient<TaskMessage>, serial: u64) -> Self {
        let now = Instant::now();
        let (waiting, turned, waited) = (Cell::new(0), Cell::new(now), Cell::new(Duration::ZERO));
        Self { to, serial, began: now, waiting, turned, waited }
    }

    /// Stores a file. Waits while the storage is unavailable.
    pub async fn store(&self, files: &Arc<dyn Files>, file: Spool) -> Result<StoredFile, FilesError> {
        let mut pauses = Backoff::default();
        loop {
            let began = Instant::now();
            match files.store(file.clone()).await {
                Err(FilesError::StorageAway) => {
                    self.begin(began).await;
                    files.back().await;
                    self.end().await;
                    pauses.pause().await;
                }
                done => return done,
            }
        }
    }

    /// Completes after `limit`, not counting time spent waiting for the storage.
    pub async fn over(&self, limit: Duration) {
        loop {
            let now = Instant::now();
            let waits = if self.waiting.get() > 0 { now - self.turned.get() } else { Duration::ZERO };
            let left = limit.saturating_sub((now - self.began).saturating_sub(self.waited.get() + waits));
            if left.is_zero() {
                return;
            }
            sleep(left.max(CHECK_EVERY)).await;
        }
    }

    /// A file starts to wait. `began` is when it was first tried.
    async fn begin(&self, began: Instant) {
        self.waiting.set(self.waiting.get() + 1);
        if self.waiting.get() == 1 {
            self.turned.set(self.turned.get().max(began));
            self.tell(true).await;
        }
    }

    async fn end(&self) {
        self.waiting.set(self.waiting.get() - 1);
        if self.waiting.get() == 0 {
            let now = Instant::now();
            self.waited.set(self.waited.get() + (now - self.turned.replace(now)));
            self.tell(false).await;
        }
    }

    async fn tell(&self, away: bool) {
        let event = if away { WorkEvent::StorageAway } else { WorkEvent::StorageBack };
        tell(&self.to, TaskMessage::Work { serial: self.serial, event }).await;
    }
}
