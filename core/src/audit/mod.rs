//! The audit log: what admins did, to what, and how it was before and after.
//!
//! A line is written in the transaction of what it tells of, so that neither is there without the other; only that an
//! admin asked to cancel a job is written before, because the ledger ends the job in a commit of its own. There is no
//! verb that changes or deletes one. Whoever acts as an admin holds an [`AdminAct`], which leads here.

mod action;
mod store;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

pub use action::Action;

use crate::caller::{AdminAct, Authority};
use crate::ids::{AuditId, UserId};
use crate::{Caller, Core, Error, Result};

/// The largest page.
pub const MAX_PAGE: i64 = 100;

/// What is to be written down.
#[derive(Debug, Clone, PartialEq)]
pub struct Act {
    pub action: Action,
    /// The thing, of the action's noun.
    pub target: Uuid,
    /// Whose it is.
    pub person: Option<UserId>,
    /// What of it was otherwise before; `null` where there was nothing.
    pub before: Value,
    /// What of it is otherwise now; `null` where nothing is left.
    pub after: Value,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub id: AuditId,
    /// `None` for the command line of the platform.
    pub admin: Option<UserId>,
    pub act: Act,
    pub request_id: Option<String>,
    pub address: Option<String>,
    pub created_at: DateTime<Utc>,
}

/// Which lines a list shows; `None` leaves a thing open.
#[derive(Debug, Clone, Copy, Default)]
pub struct Filter {
    pub admin: Option<UserId>,
    pub action: Option<Action>,
    /// The thing, or the person whose it is.
    pub target: Option<Uuid>,
    /// From then on.
    pub from: Option<DateTime<Utc>>,
    /// Before then.
    pub to: Option<DateTime<Utc>>,
}

impl Act {
    /// Something done to a thing.
    #[must_use]
    pub fn new(action: Action, target: impl Into<Uuid>) -> Self {
        Self { action, target: target.into(), person: None, before: Value::Null, after: Value::Null }
    }

    /// Whose it is.
    #[must_use]
    pub fn of(mut self, person: UserId) -> Self {
        self.person = Some(person);
        self
    }

    /// How it was before.
    #[must_use]
    pub fn before(mut self, before: Value) -> Self {
        self.before = before;
        self
    }

    /// How it is now.
    #[must_use]
    pub fn after(mut self, after: Value) -> Self {
        self.after = after;
        self
    }
}

/// Writes down what an admin does, within the transaction that does it.
///
/// # Errors
/// Database errors.
pub async fn record(tx: &mut PgConnection, by: AdminAct, act: Act, now: DateTime<Utc>) -> sqlx::Result<()> {
    let AdminLine { admin, request_id, address } = AdminLine::of(&by);
    let entry = Entry { id: AuditId::new(), admin, act, request_id, address, created_at: now };
    store::insert(tx, &entry).await
}

/// As [`record`] where it is somebody else's thing; what people do to their own is nobody's business.
///
/// # Errors
/// Database errors.
pub async fn record_over(tx: &mut PgConnection, by: Authority, act: Act, now: DateTime<Utc>) -> sqlx::Result<()> {
    match by {
        Authority::Ordinary => Ok(()),
        Authority::Admin(by) => record(tx, by, act, now).await,
    }
}

/// The log, newest first: at most `limit` lines older than `before`.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin; [`Error::Invalid`] for a limit outside of
/// 1 to [`MAX_PAGE`].
pub async fn entries(
    core: &Core,
    caller: &Caller,
    filter: Filter,
    before: Option<AuditId>,
    limit: i64,
) -> Result<Vec<Entry>> {
    caller.must_be_admin()?.to_read();
    if !(1..=MAX_PAGE + 1).contains(&limit) {
        return Err(Error::invalid("limit", format!("must be between 1 and {MAX_PAGE}")));
    }
    Ok(store::list(&core.db, filter, before, limit).await?)
}

/// Of two states of a thing, as objects of the same keys, what is otherwise: as it was, and as it is.
#[must_use]
pub fn changed(before: Value, after: Value) -> [Value; 2] {
    match (before, after) {
        (Value::Object(mut before), Value::Object(mut after)) => {
            let same: Vec<String> =
                before.iter().filter(|(key, was)| after.get(*key) == Some(was)).map(|(key, _)| key.clone()).collect();
            for key in same {
                before.remove(&key);
                after.remove(&key);
            }
            [Value::Object(before), Value::Object(after)]
        }
        both => both.into(),
    }
}

/// What the log keeps of who acted.
struct AdminLine {
    admin: Option<UserId>,
    request_id: Option<String>,
    address: Option<String>,
}

impl AdminLine {
    fn of(by: &AdminAct) -> Self {
        let trace = by.trace();
        Self {
            admin: by.admin(),
            request_id: trace.map(|trace| trace.request_id.clone()),
            address: trace.and_then(|trace| trace.address).map(|address| address.to_string()),
        }
    }
}

#[cfg(test)]
mod tests;
