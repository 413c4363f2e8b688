//! Batched reads of who may run a mini app, and in which version.
//!
//! The rows are read for each submit, so that saving, hiding and deleting take effect at once on all nodes. A call that
//! arrives during a read waits for the next read, which serves all waiting calls. That read begins after they arrived,
//! so its result is current for them.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use sqlx::PgPool;

use super::form::compiled::AppAccess;
use super::store;
use crate::ids::{UserId, WorkflowApiId};

/// An app and the user who runs it.
type AccessRequest = (WorkflowApiId, Option<UserId>);

/// The waiting calls, and the result of the last read.
#[derive(Debug, Default)]
pub struct AccessBatcher {
    arrivals: AtomicU64,
    waiting: Mutex<HashSet<AccessRequest>>,
    last: tokio::sync::Mutex<BatchRead>,
}

/// The result of one statement.
#[derive(Debug, Default)]
struct BatchRead {
    /// Calls with a lower number had arrived when the read began.
    before: u64,
    requests: HashSet<AccessRequest>,
    /// `None` after a database error: the waiting calls fail too and do not repeat the read.
    found: Option<HashMap<WorkflowApiId, AppAccess>>,
}

impl AccessBatcher {
    /// The access of an app that exists, on a workflow that exists, for a user.
    ///
    /// # Errors
    /// [`sqlx::Error::PoolTimedOut`] where the read that this call waited for failed.
    pub(super) async fn of(
        &self,
        db: &PgPool,
        id: WorkflowApiId,
        user: Option<UserId>,
    ) -> sqlx::Result<Option<AppAccess>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert((id, user));
        let number = self.arrivals.fetch_add(1, Ordering::SeqCst);
        let mut last = self.last.lock().await;
        if number < last.before && last.requests.contains(&(id, user)) {
            let found = last.found.as_ref().ok_or(sqlx::Error::PoolTimedOut)?;
            return Ok(found.get(&id).cloned());
        }
        let before = self.arrivals.load(Ordering::SeqCst);
        let mut requests = std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        // The call whose read took this entry may have been canceled.
        requests.insert((id, user));
        let apps: HashSet<WorkflowApiId> = requests.iter().map(|(app, _)| *app).collect();
        let users: HashSet<UserId> = requests.iter().filter_map(|(_, user)| *user).collect();
        let read = store::access(db, &Vec::from_iter(apps), &Vec::from_iter(users)).await;
        let found = read.as_ref().ok().map(|access| access.iter().cloned().collect());
        *last = BatchRead { before, requests, found };
        Ok(read?.into_iter().find_map(|(app, access)| (app == id).then_some(access)))
    }
}
