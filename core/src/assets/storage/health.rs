//! Whether the store is available: one state for the node, which every operation updates.
//!
//! ```text
//!   Available ──an operation fails──▶ Doubtful ──a probe fails──▶ Away ──a probe succeeds──▶ Available
//!                                        └────────a probe succeeds────────────────────────▶
//! ```
//!
//! Only [`is_outage`] decides what counts as an outage: a store that cannot be reached, is overloaded, denies access or
//! accepts no more writes. These are not faults of the file. One failed operation proves nothing, so a probe decides.
//! While the store is away, only probes access it.

use std::error::Error as StdError;
use std::future::Future;
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use tokio::sync::watch;

use crate::error::{Error, Result};
use crate::supervision::Watch;

/// How often an unavailable store is probed.
const PROBE_INTERVAL: Duration = Duration::from_secs(1);
/// Timeout of one probe.
const PROBE_TIMEOUT: Duration = Duration::from_secs(3);
/// The object that a probe writes. It stays: it is small, and its name is not a file's.
const PROBE: &str = "probe";
/// The store name in errors of a local folder.
const FOLDER: &str = "LocalFileSystem";

/// Whether the store is available. Clones share the state.
#[derive(Debug, Clone)]
pub struct StorageHealth(Arc<watch::Sender<State>>);

#[derive(Debug, Clone, Copy, Default)]
struct State {
    status: Status,
    /// When the last outage ended.
    back_at: Option<Instant>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Status {
    #[default]
    Available,
    Doubtful,
    Away {
        since: Instant,
        missing: Missing,
    },
}

/// What an unavailable store cannot do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Missing {
    /// It can be read, but accepts no writes: a full disk.
    Writes,
    Everything,
}

impl Default for StorageHealth {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(State::default())))
    }
}

impl StorageHealth {
    /// How long the current outage has lasted.
    #[must_use]
    pub fn away_for(&self) -> Option<Duration> {
        match self.0.borrow().status {
            Status::Away { since, .. } => Some(since.elapsed()),
            Status::Available | Status::Doubtful => None,
        }
    }

    /// Whether there was an outage at any time since then, including now.
    #[must_use]
    pub fn was_away_since(&self, then: Instant) -> bool {
        let State { status, back_at } = *self.0.borrow();
        status != Status::Available || back_at.is_some_and(|back_at| back_at >= then)
    }

    /// Waits until the store is available.
    pub async fn back(&self) {
        // The sender is held here, so this cannot fail.
        drop(self.0.subscribe().wait_for(|state| state.status == Status::Available).await);
    }

    /// Fails if the store is known to be unreadable.
    pub(super) fn may_read(&self) -> Result<()> {
        match self.0.borrow().status {
            Status::Away { missing: Missing::Everything, .. } => Err(Error::StorageAway),
            _ => Ok(()),
        }
    }

    /// Fails if the store is known to accept no writes.
    pub(super) fn may_write(&self) -> Result<()> {
        match self.0.borrow().status {
            Status::Away { .. } => Err(Error::StorageAway),
            _ => Ok(()),
        }
    }

    /// Converts the error of a read, move or deletion. Its text is for the log only.
    pub(super) fn failed(&self, error: object_store::Error) -> Error {
        if is_outage(&error) { self.report_failure(&error) } else { Error::Internal(format!("storage: {error}")) }
    }

    /// As [`Self::failed`], for objects that may be missing.
    pub(super) fn missing_or_failed(&self, error: object_store::Error) -> Error {
        match error {
            object_store::Error::NotFound { .. } => Error::NotFound { what: "file" },
            other => self.failed(other),
        }
    }

    /// As [`Self::failed`], for writes: a missing bucket or folder counts as an outage.
    pub(super) fn write_failed(&self, error: object_store::Error) -> Error {
        match error {
            object_store::Error::NotFound { .. } => self.report_failure(&error),
            other => self.failed(other),
        }
    }

    /// As [`Self::failed`], for the folders of a local storage.
    pub(super) fn folder_failed(&self, error: io::Error) -> Error {
        self.failed(object_store::Error::Generic { store: FOLDER, source: error.into() })
    }

    fn report_failure(&self, error: &object_store::Error) -> Error {
        self.0.send_if_modified(|state| {
            let is_new = state.status == Status::Available;
            if is_new {
                tracing::warn!(error = error as &dyn StdError, "the storage failed; probing it");
                state.status = Status::Doubtful;
            }
            is_new
        });
        Error::StorageAway
    }

    fn record_probe(&self, missing: Option<Missing>) {
        self.0.send_if_modified(|state| {
            let status = match (missing, state.status) {
                (None, _) => Status::Available,
                (Some(missing), Status::Away { since, .. }) => Status::Away { since, missing },
                (Some(missing), _) => Status::Away { since: Instant::now(), missing },
            };
            match (state.status, status) {
                (Status::Away { .. }, Status::Away { .. }) => {}
                (_, Status::Away { .. }) => {
                    tracing::error!("the storage is unavailable; outputs wait and no job starts")
                }
                (Status::Away { since, .. }, _) => {
                    let seconds = since.elapsed().as_secs();
                    tracing::warn!(seconds, "the storage is available again");
                    state.back_at = Some(Instant::now());
                }
                _ => {}
            }
            std::mem::replace(&mut state.status, status) != status
        });
    }

    /// Probes the store at the start and after failures, until it is available.
    pub(super) async fn run_probes(self, store: Arc<dyn ObjectStore>, watch: Watch) {
        if let Err(error) = can_read(&*store).await {
            self.report_failure(&error);
        }
        let mut state = self.0.subscribe();
        while state.wait_for(|state| state.status != Status::Available).await.is_ok() {
            watch.at("probe");
            let missing = probe(&*store).await;
            self.record_probe(missing);
            if missing.is_some() {
                tokio::time::sleep(PROBE_INTERVAL).await;
            }
        }
    }
}

/// What the store cannot do now. It writes first, so that the object exists for the read.
async fn probe(store: &dyn ObjectStore) -> Option<Missing> {
    let written = with_timeout(store.put(&Path::from(PROBE), "verdigraph".into())).await;
    if let Err(error) = &written {
        tracing::debug!(%error, "cannot write the storage probe");
    }
    match (written, can_read(store).await) {
        (_, Err(_)) => Some(Missing::Everything),
        (Err(_), Ok(())) => Some(Missing::Writes),
        (Ok(_), Ok(())) => None,
    }
}

/// Whether the store answers; a missing object is an answer.
async fn can_read(store: &dyn ObjectStore) -> object_store::Result<()> {
    match with_timeout(store.head(&Path::from(PROBE))).await {
        Err(error) if is_outage(&error) => {
            tracing::debug!(%error, "cannot read the storage probe");
            Err(error)
        }
        _ => Ok(()),
    }
}

async fn with_timeout<T>(asked: impl Future<Output = object_store::Result<T>>) -> object_store::Result<T> {
    tokio::time::timeout(PROBE_TIMEOUT, asked).await.unwrap_or_else(|late| {
        Err(object_store::Error::Generic { store: PROBE, source: io::Error::new(ErrorKind::TimedOut, late).into() })
    })
}

/// Whether an operation failed because of the store and not because of its arguments. The only definition of an outage:
/// unreachable, no answer in time, an unexpected answer, or no permission; for a folder, any system error that is not
/// about the one file.
fn is_outage(error: &object_store::Error) -> bool {
    match error {
        object_store::Error::PermissionDenied { .. } | object_store::Error::Unauthenticated { .. } => true,
        object_store::Error::Generic { store: FOLDER, source } => is_of_the_system(source.as_ref()),
        // Meaningful refusals (missing, already exists, …) have kinds of their own. This is all the rest: no
        // connection, no answer, 5xx, 429, and the 400 by which S3 reports a request timeout.
        object_store::Error::Generic { .. } => true,
        _ => false,
    }
}

fn is_of_the_system(error: &(dyn StdError + 'static)) -> bool {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    let of_the_file = [ErrorKind::NotFound, ErrorKind::InvalidInput, ErrorKind::InvalidData];
    causes.filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|failed| !of_the_file.contains(&failed.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::Storage;
    use crate::supervision::Supervisor;

    #[actix::test]
    async fn unwritable_folder_is_an_outage_until_it_is_writable_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let (place, aside) = (folder.path().join("files"), folder.path().join("aside"));
        let storage = Storage::local(&place).expect("a storage");
        storage.monitor_health(&Supervisor::default());
        let kept = storage.put("kept".into()).await.expect("a name");
        // A file in place of the folder also keeps root out, unlike permissions.
        std::fs::rename(&place, &aside).expect("a folder to move");
        std::fs::write(&place, "in the way").expect("a file");
        let began = Instant::now();
        assert!(matches!(storage.put("lost".into()).await, Err(Error::StorageAway)));
        while storage.health().away_for().is_none() {
            assert!(began.elapsed() < Duration::from_secs(20), "the outage was not detected");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert!(matches!(storage.put("refused".into()).await, Err(Error::StorageAway)));
        assert!(storage.health().was_away_since(began));
        std::fs::remove_file(&place).expect("a file to remove");
        std::fs::rename(&aside, &place).expect("a folder to move back");
        tokio::time::timeout(Duration::from_secs(20), storage.health().back()).await.expect("the storage is available");
        assert_eq!(storage.get(&kept).await.expect("the bytes"), "kept");
        assert!(storage.put("lost".into()).await.is_ok());
        assert!(storage.health().was_away_since(began) && !storage.health().was_away_since(Instant::now()));
    }

    #[actix::test]
    async fn failed_operation_is_no_outage_and_missing_file_no_failure() {
        let health = StorageHealth::default();
        let io = |kind: ErrorKind| object_store::Error::Generic { store: FOLDER, source: io::Error::from(kind).into() };
        for of_the_file in [ErrorKind::NotFound, ErrorKind::InvalidInput] {
            assert!(matches!(health.failed(io(of_the_file)), Error::Internal(_)), "{of_the_file}");
        }
        let missing = || object_store::Error::NotFound { path: "a".into(), source: "none".into() };
        assert!(matches!(health.missing_or_failed(missing()), Error::NotFound { .. }));
        assert_eq!(health.0.borrow().status, Status::Available);
        for of_the_store in [ErrorKind::StorageFull, ErrorKind::PermissionDenied, ErrorKind::ReadOnlyFilesystem] {
            assert!(matches!(health.failed(io(of_the_store)), Error::StorageAway), "{of_the_store}");
        }
        // A missing bucket or folder accepts no writes.
        assert!(matches!(health.write_failed(missing()), Error::StorageAway));
        assert_eq!((health.away_for(), health.may_write().is_ok()), (None, true), "no probe has run yet");
        health.record_probe(None);
        health.back().await;
        health.record_probe(Some(Missing::Writes));
        assert!(health.may_read().is_ok() && health.may_write().is_err(), "a full disk can still be read");
        health.record_probe(Some(Missing::Everything));
        assert!(health.may_read().is_err() && health.away_for().is_some());
    }
}
