//! The audit log: actions of admins, with the target before and after.
//!
//! An entry is written in the transaction of its action, so that neither exists without the other. Only the
//! cancellation of a job is recorded before, because the ledger ends jobs in a commit of its own. No verb changes or
//! deletes entries. An admin verb holds an [`AdminAct`], which must be passed to [`record`] or marked as read-only.

mod action;
mod entry;
mod store;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;

pub use action::Action;
pub use entry::{Act, AuditEntry, AuditFilter};

use crate::caller::{AdminAct, Authority};
use crate::ids::{AuditId, UserId};
use crate::{Caller, Core, Error, Result};

pub const MAX_PAGE: i64 = 100;

/// Records an admin's action in the transaction that does it.
pub async fn record(tx: &mut PgConnection, by: AdminAct, act: Act, now: DateTime<Utc>) -> sqlx::Result<()> {
    let AdminFields { admin, request_id, address } = AdminFields::of(&by);
    let entry = AuditEntry { id: AuditId::new(), admin, act, request_id, address, created_at: now };
    store::insert(tx, &entry).await
}

/// Records an action on another user's target; actions of owners are not recorded.
pub async fn record_if_admin(tx: &mut PgConnection, by: Authority, act: Act, now: DateTime<Utc>) -> sqlx::Result<()> {
    match by {
        Authority::Ordinary => Ok(()),
        Authority::Admin(by) => record(tx, by, act, now).await,
    }
}

/// The log, newest first: at most `limit` entries older than `before`.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for non-admins; [`Error::Invalid`] for a limit outside of 1 to
/// [`MAX_PAGE`].
pub async fn entries(
    core: &Core,
    caller: &Caller,
    filter: AuditFilter,
    before: Option<AuditId>,
    limit: i64,
) -> Result<Vec<AuditEntry>> {
    caller.must_be_admin()?.read_only();
    if !(1..=MAX_PAGE + 1).contains(&limit) {
        return Err(Error::invalid("limit", format!("must be between 1 and {MAX_PAGE}")));
    }
    Ok(store::list(&core.db, filter, before, limit).await?)
}

/// The fields that differ between two objects with the same keys, before and after. The name stays in the first one, so
/// that the log says what was changed.
#[must_use]
pub fn changed(before: Value, after: Value) -> [Value; 2] {
    match (before, after) {
        (Value::Object(mut before), Value::Object(mut after)) => {
            let same: Vec<String> =
                before.iter().filter(|(key, was)| after.get(*key) == Some(was)).map(|(key, _)| key.clone()).collect();
            for key in same {
                after.remove(&key);
                if key != "name" {
                    before.remove(&key);
                }
            }
            [Value::Object(before), Value::Object(after)]
        }
        both => both.into(),
    }
}

struct AdminFields {
    admin: Option<UserId>,
    request_id: Option<String>,
    address: Option<String>,
}

impl AdminFields {
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
