//! Who may run a mini app, and which version: read for all who ask at about the same time together.
//!
//! The rows say it each time, so that saving, hiding and deleting count at once on all nodes. Who asks while a reading is
//! under way waits for the next one, which is theirs all: it begins after they have asked, and so tells what held then.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use sqlx::PgPool;

use super::form::compiled::Head;
use super::store;
use crate::ids::{UserId, WorkflowApiId};

/// An app, and whoever asks for it.
type Wish = (WorkflowApiId, Option<UserId>);

/// Those who ask, and what the last of them have read.
#[derive(Debug, Default)]
pub struct Heads {
    asked: AtomicU64,
    wanted: Mutex<HashSet<Wish>>,
    last: tokio::sync::Mutex<Reading>,
}

/// One statement's answer.
#[derive(Debug, Default)]
struct Reading {
    /// Whoever's number is lower had asked when it began.
    before: u64,
    of: HashSet<Wish>,
    /// `None` where the database did not answer: then it is not asked once more for each of those who wait.
    found: Option<HashMap<WorkflowApiId, Head>>,
}

impl Heads {
    /// The head of an app that is there, on a workflow that is there, as far as it concerns whoever asks.
    ///
    /// # Errors
    /// Database errors; [`sqlx::Error::PoolTimedOut`] where the reading that this one waited for failed.
    pub(super) async fn of(&self, db: &PgPool, id: WorkflowApiId, asker: Option<UserId>) -> sqlx::Result<Option<Head>> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner).insert((id, asker));
        let number = self.asked.fetch_add(1, Ordering::SeqCst);
        let mut last = self.last.lock().await;
        if number < last.before && last.of.contains(&(id, asker)) {
            let found = last.found.as_ref().ok_or(sqlx::Error::PoolTimedOut)?;
            return Ok(found.get(&id).cloned());
        }
        let before = self.asked.load(Ordering::SeqCst);
        let mut of = std::mem::take(&mut *self.wanted.lock().unwrap_or_else(PoisonError::into_inner));
        // Taken already by somebody who was cut off while they read.
        of.insert((id, asker));
        let apps: HashSet<WorkflowApiId> = of.iter().map(|(app, _)| *app).collect();
        let askers: HashSet<UserId> = of.iter().filter_map(|(_, asker)| *asker).collect();
        let read = store::heads(db, &Vec::from_iter(apps), &Vec::from_iter(askers)).await;
        let found = read.as_ref().ok().map(|heads| heads.iter().cloned().collect());
        *last = Reading { before, of, found };
        Ok(read?.into_iter().find_map(|(app, head)| (app == id).then_some(head)))
    }
}
