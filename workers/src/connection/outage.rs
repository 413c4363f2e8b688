//! Waiting for a storage that is away: tried again after pauses that grow, for as long as it takes, and at nobody's
//! cost. Time limits stand still meanwhile.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use actix::Recipient;
use tokio::time::{Instant, sleep};
use verdigraph_core::assets::Spool;

use super::ports::{Files, FilesError, StoredFile};
use super::state::WorkEvent;
use super::told::{Told, tell};

/// The pause after the first failure and the longest one. A storage that is back is met by everybody who waits for it.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How often a time limit that stands still is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Pauses between tries, each about twice as long as the one before.
pub(super) struct Pauses(Duration);

impl Default for Pauses {
    fn default() -> Self {
        Self(FIRST_PAUSE)
    }
}

impl Pauses {
    pub async fn pause(&mut self) {
        sleep(self.0.mul_f64(rand::random_range(0.5..1.0))).await;
        self.0 = (self.0 * 2).min(LONGEST_PAUSE);
    }
}

/// The wait of one assignment's files for the storage.
pub(super) struct Outage {
    to: Recipient<Told>,
    serial: u64,
    began: Instant,
    /// Files that wait now.
    waiting: Cell<usize>,
    /// Since when anything waits, or until when something did.
    turned: Cell<Instant>,
    /// How long they have waited in all, the wait that goes on left out.
    waited: Cell<Duration>,
}

impl Outage {
    /// None so far. The assignment's connection is told when one begins and ends.
    pub fn none(to: Recipient<Told>, serial: u64) -> Self {
        let now = Instant::now();
        let (waiting, turned, waited) = (Cell::new(0), Cell::new(now), Cell::new(Duration::ZERO));
        Self { to, serial, began: now, waiting, turned, waited }
    }

    /// Stores a file, and waits for the storage where it is away.
    pub async fn store(&self, files: &Arc<dyn Files>, file: Spool) -> Result<StoredFile, FilesError> {
        let mut pauses = Pauses::default();
        loop {
            let began = Instant::now();
            match files.store(file.clone()).await {
                Err(FilesError::Away) => {
                    self.begin(began).await;
                    files.back().await;
                    self.end().await;
                    pauses.pause().await;
                }
                done => return done,
            }
        }
    }

    /// Ends when so much time is over in which nothing waited for the storage.
    pub async fn over(&self, limit: Duration) {
        loop {
            let now = Instant::now();
            let waits = if self.waiting.get() > 0 { now - self.turned.get() } else { Duration::ZERO };
            let left = limit.saturating_sub((now - self.began).saturating_sub(self.waited.get() + waits));
            if left.is_zero() {
                return;
            }
            sleep(left.max(LOOK_EVERY)).await;
        }
    }

    /// A file waits, for which the outage began when it was first tried.
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
        tell(&self.to, Told::Work { serial: self.serial, event }).await;
    }
}
