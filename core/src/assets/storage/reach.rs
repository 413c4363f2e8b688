//! Whether the store can be reached: one state for the whole node, which every operation tells and everybody may ask.
//!
//! ```text
//!   There ──an operation finds nobody──▶ Doubtful ──a probe fails──▶ Away ──a probe succeeds──▶ There
//!                                           └───────a probe succeeds───────────────────────────▶
//! ```
//!
//! What counts as an outage says [`is_outage`], and nothing else does: a store that cannot be reached, that is
//! overloaded, that lets nobody in, or that takes nothing more, is no fault of the file that is stored or read. One
//! operation that fails proves nothing, so that a probe decides; while the store is away, nothing but the probe asks it.

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

/// How often a store that is away is asked whether it is back.
const PROBE_EVERY: Duration = Duration::from_secs(1);
/// How long it may take to answer.
const PROBE_WITHIN: Duration = Duration::from_secs(3);
/// What a probe writes, and where. It stays there: it is a few bytes, and no name of a file.
const PROBE: &str = "probe";
/// By this name errors of a local folder are told.
const FOLDER: &str = "LocalFileSystem";

/// Whether the store can be reached. Cheap to clone; all clones are one.
#[derive(Debug, Clone)]
pub struct Reach(Arc<watch::Sender<State>>);

#[derive(Debug, Clone, Copy, Default)]
struct State {
    now: Now,
    /// When it was last found to be back.
    back_at: Option<Instant>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Now {
    #[default]
    There,
    Doubtful,
    Away {
        since: Instant,
        lacks: Lack,
    },
}

/// What a store that is away does not do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lack {
    /// It takes nothing, and gives what it has: a full disk.
    Writing,
    All,
}

impl Default for Reach {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(State::default())))
    }
}

impl Reach {
    /// For how long it has been away, where it is.
    #[must_use]
    pub fn away_for(&self) -> Option<Duration> {
        match self.0.borrow().now {
            Now::Away { since, .. } => Some(since.elapsed()),
            Now::There | Now::Doubtful => None,
        }
    }

    /// Whether it has been away at any time since then, or is now.
    #[must_use]
    pub fn was_away_since(&self, then: Instant) -> bool {
        let State { now, back_at } = *self.0.borrow();
        now != Now::There || back_at.is_some_and(|back_at| back_at >= then)
    }

    /// Ends when it is there, as far as anybody knows.
    pub async fn back(&self) {
        // An error would mean that the sender is gone, which is held here.
        drop(self.0.subscribe().wait_for(|state| state.now == Now::There).await);
    }

    /// Refuses to read from a store that is known to give nothing.
    pub(super) fn may_read(&self) -> Result<()> {
        match self.0.borrow().now {
            Now::Away { lacks: Lack::All, .. } => Err(Error::StorageAway),
            _ => Ok(()),
        }
    }

    /// Refuses to write to a store that is known to take nothing.
    pub(super) fn may_write(&self) -> Result<()> {
        match self.0.borrow().now {
            Now::Away { .. } => Err(Error::StorageAway),
            _ => Ok(()),
        }
    }

    /// What an error of an operation that reads, moves or deletes means. Its words are for the log alone.
    pub(super) fn failed(&self, error: object_store::Error) -> Error {
        if is_outage(&error) { self.doubt(&error) } else { Error::Internal(format!("storage: {error}")) }
    }

    /// The same, where the object may be missing.
    pub(super) fn missing_or_failed(&self, error: object_store::Error) -> Error {
        match error {
            object_store::Error::NotFound { .. } => Error::NotFound { what: "file" },
            other => self.failed(other),
        }
    }

    /// The same for one that writes: what is missing then is the place for all objects.
    pub(super) fn unwritten(&self, error: object_store::Error) -> Error {
        match error {
            object_store::Error::NotFound { .. } => self.doubt(&error),
            other => self.failed(other),
        }
    }

    fn doubt(&self, error: &object_store::Error) -> Error {
        self.0.send_if_modified(|state| {
            let is_new = state.now == Now::There;
            if is_new {
                tracing::warn!(error = error as &dyn StdError, "the storage does not do what it should; it is probed");
                state.now = Now::Doubtful;
            }
            is_new
        });
        Error::StorageAway
    }

    fn found(&self, lacks: Option<Lack>) {
        self.0.send_if_modified(|state| {
            let now = match (lacks, state.now) {
                (None, _) => Now::There,
                (Some(lacks), Now::Away { since, .. }) => Now::Away { since, lacks },
                (Some(lacks), _) => Now::Away { since: Instant::now(), lacks },
            };
            match (state.now, now) {
                (Now::Away { .. }, Now::Away { .. }) => {}
                (_, Now::Away { .. }) => tracing::error!("the storage is away; results wait, and no job is begun"),
                (Now::Away { since, .. }, _) => {
                    let seconds = since.elapsed().as_secs();
                    tracing::warn!(seconds, "the storage is back");
                    state.back_at = Some(Instant::now());
                }
                _ => {}
            }
            std::mem::replace(&mut state.now, now) != now
        });
    }

    /// Probes the store at the start, and whenever it is in doubt or away.
    pub(super) async fn look_after(self, store: Arc<dyn ObjectStore>, watch: Watch) {
        if let Err(error) = reads(&*store).await {
            self.doubt(&error);
        }
        let mut state = self.0.subscribe();
        while state.wait_for(|state| state.now != Now::There).await.is_ok() {
            watch.at("probe");
            let lacks = probe(&*store).await;
            self.found(lacks);
            if lacks.is_some() {
                tokio::time::sleep(PROBE_EVERY).await;
            }
        }
    }
}

/// What the store does not do now. It is written to first: what is there then, may be read by whoever may read anything.
async fn probe(store: &dyn ObjectStore) -> Option<Lack> {
    let written = within(store.put(&Path::from(PROBE), "verdigraph".into())).await;
    if let Err(error) = &written {
        tracing::debug!(%error, "the storage takes no probe");
    }
    match (written, reads(store).await) {
        (_, Err(_)) => Some(Lack::All),
        (Err(_), Ok(())) => Some(Lack::Writing),
        (Ok(_), Ok(())) => None,
    }
}

/// Whether the store answers; that the object is not there is an answer.
async fn reads(store: &dyn ObjectStore) -> object_store::Result<()> {
    match within(store.head(&Path::from(PROBE))).await {
        Err(error) if is_outage(&error) => {
            tracing::debug!(%error, "the storage answers no probe");
            Err(error)
        }
        _ => Ok(()),
    }
}

async fn within<T>(asked: impl Future<Output = object_store::Result<T>>) -> object_store::Result<T> {
    tokio::time::timeout(PROBE_WITHIN, asked).await.unwrap_or_else(|late| {
        Err(object_store::Error::Generic { store: PROBE, source: io::Error::new(ErrorKind::TimedOut, late).into() })
    })
}

/// Whether an operation failed because of the store, and not because of what was asked of it. The one definition of
/// an outage: nobody there, no answer in time, an answer that is none of those that an operation has, or a store that
/// lets us do nothing; of a folder, whatever the system says that is not about the one file.
fn is_outage(error: &object_store::Error) -> bool {
    match error {
        object_store::Error::PermissionDenied { .. } | object_store::Error::Unauthenticated { .. } => true,
        object_store::Error::Generic { store: FOLDER, source } => is_of_the_system(source.as_ref()),
        // Refusals that mean something (missing, there already, …) have kinds of their own; this is all the rest: no
        // connection, no answer, 5xx, 429, and the 400 by which S3 says that it waited for us too long.
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
    async fn a_folder_that_takes_nothing_is_a_storage_that_is_away_until_it_takes_something_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let (place, aside) = (folder.path().join("files"), folder.path().join("aside"));
        let storage = Storage::local(&place).expect("a storage");
        storage.keep_in_reach(&Supervisor::default());
        let kept = storage.put("kept".into()).await.expect("a name");
        // Where a folder has to be, there is something else: also for root, whom no permission keeps out.
        std::fs::rename(&place, &aside).expect("a folder to move");
        std::fs::write(&place, "in the way").expect("a file");
        let began = Instant::now();
        assert!(matches!(storage.put("lost".into()).await, Err(Error::StorageAway)));
        while storage.reach().away_for().is_none() {
            assert!(began.elapsed() < Duration::from_secs(20), "nobody has noticed");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert!(matches!(storage.put("refused".into()).await, Err(Error::StorageAway)));
        assert!(storage.reach().was_away_since(began));
        std::fs::remove_file(&place).expect("a file to remove");
        std::fs::rename(&aside, &place).expect("a folder to move back");
        tokio::time::timeout(Duration::from_secs(20), storage.reach().back()).await.expect("it is back");
        assert_eq!(storage.get(&kept).await.expect("the bytes"), "kept");
        assert!(storage.put("lost".into()).await.is_ok());
        assert!(storage.reach().was_away_since(began) && !storage.reach().was_away_since(Instant::now()));
    }

    #[actix::test]
    async fn one_operation_that_fails_is_no_outage_and_a_missing_file_is_not_even_a_doubt() {
        let reach = Reach::default();
        let io = |kind: ErrorKind| object_store::Error::Generic { store: FOLDER, source: io::Error::from(kind).into() };
        for of_the_file in [ErrorKind::NotFound, ErrorKind::InvalidInput] {
            assert!(matches!(reach.failed(io(of_the_file)), Error::Internal(_)), "{of_the_file}");
        }
        let missing = || object_store::Error::NotFound { path: "a".into(), source: "none".into() };
        assert!(matches!(reach.missing_or_failed(missing()), Error::NotFound { .. }));
        assert_eq!(reach.0.borrow().now, Now::There);
        for of_the_store in [ErrorKind::StorageFull, ErrorKind::PermissionDenied, ErrorKind::ReadOnlyFilesystem] {
            assert!(matches!(reach.failed(io(of_the_store)), Error::StorageAway), "{of_the_store}");
        }
        // A place for objects that is gone takes none.
        assert!(matches!(reach.unwritten(missing()), Error::StorageAway));
        assert_eq!((reach.away_for(), reach.may_write().is_ok()), (None, true), "nothing was probed yet");
        reach.found(None);
        reach.back().await;
        reach.found(Some(Lack::Writing));
        assert!(reach.may_read().is_ok() && reach.may_write().is_err(), "a full disk gives what it has");
        reach.found(Some(Lack::All));
        assert!(reach.may_read().is_err() && reach.away_for().is_some());
    }
}
