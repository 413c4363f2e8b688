//! The audit log: what admins did, to what, and how it was before and after.
//!
//! A line is written in the transaction of what it tells of, so that neither is there without the other; only that an
//! admin asked to cancel a job is written before, because the ledger ends the job in a commit of its own. There is no
//! verb that changes or deletes one. Whoever acts as an admin holds an [`AdminAct`], which leads here.

mod action;
mod entry;
mod store;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;

pub use action::Action;
pub use entry::{Act, Entry, Filter};

use crate::caller::{AdminAct, Authority};
use crate::ids::{AuditId, UserId};
use crate::{Caller, Core, Error, Result};

/// The largest page.
pub const MAX_PAGE: i64 = 100;

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
