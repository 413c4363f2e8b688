//! Sharing: users who may run a mini app although its workflow is private.
//!
//! They see the app's form and results, and run it for their own credits. They see neither the graph nor other users'
//! runs. The rows are read for each run (see `access_batcher`), so that unsharing takes effect at once on all nodes. Workflows
//! that moderators hid are not shared.

mod share;
pub(in crate::mini_apps) mod store;
mod words;

use std::sync::Arc;

use serde_json::json;

pub use share::{Share, SharedApp};

use super::own::own;
use super::{GONE, as_gone};
use crate::audit::{self, Act, Action};
use crate::database;
use crate::ids::{UserId, WorkflowApiId, WorkflowApiShareId};
use crate::list::{Cursor, ListQuery, Page};
use crate::mail::{self, Content, Email};
use crate::users;
use crate::workflows;
use crate::{Caller, Code, Core, Error, Result, notifications};

/// Users with whom one app can be shared.
pub const MAX_SHARES: i64 = 200;
/// Addresses that one user can try in an hour, because the answer reveals which addresses have accounts.
const TRIES_PER_HOUR: u32 = 60;

/// The shares of an app of the caller (any, for an admin), newest first.
///
/// # Errors
/// [`Error::NotFound`] for another user's.
pub async fn shares(core: &Core, caller: &Caller, app: WorkflowApiId) -> Result<Vec<Share>> {
    own(core, caller, app).await?;
    let rows = store::of_app(&core.db, app, MAX_SHARES).await?;
    let people: Vec<UserId> = rows.iter().map(|row| row.user).collect();
    let people = users::find_all(core, &people).await?;
    let share = |row: store::Row| {
        // A user who is being deleted has no address.
        let user = people.get(&row.user).filter(|user| user.name != users::DELETED_NAME)?;
        Some(Share { id: row.id, user: Arc::clone(user), created_at: row.created_at })
    };
    Ok(rows.into_iter().filter_map(share).collect())
}

/// Shares an app of the caller (any, for an admin) with the user of an address, and notifies that user.
///
/// Unverified addresses do not count, because another person may own the address. A user who has blocked the caller or
/// the owner is not found either.
///
/// # Errors
/// As [`users::may_publish`], because a mail is sent; [`Error::NotFound`] for another user's app;
/// [`Error::RateLimited`]; [`Error::Invalid`] for an invalid address; [`Error::ShareUserUnknown`]; [`Error::Conflict`]
/// with `SHARE_WITH_YOURSELF` or `SHARED_ALREADY`; [`Error::Refused`] with `SHARE_LIMIT`.
pub async fn share(core: &Core, caller: &Caller, id: WorkflowApiId, email: &str) -> Result<Share> {
    let by = users::current(core, caller).await?;
    let permit = users::may_publish(core, caller).await?;
    let workflow = own(core, caller, id).await?;
    users::take_quota(core, "share", &by.id.to_string(), TRIES_PER_HOUR).await?;
    let user = users::by_email(core, "userEmail", email).await?.ok_or(Error::ShareUserUnknown)?;
    if user.id == by.id || user.id == workflow.user {
        return Err(Error::conflict(Code::ShareWithYourself, "you cannot share an app with its owner"));
    }
    for other in [by.id, workflow.user] {
        if users::has_blocked(&core.db, user.id, other).await? {
            return Err(Error::ShareUserUnknown);
        }
    }
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let (workflow, right) = workflows::locked_own(&mut tx, caller, workflow.id).await.map_err(as_gone)?;
    if workflow.workflow_api != Some(id) {
        return Err(GONE);
    }
    let row = store::Row { id: WorkflowApiShareId::new(), app: id, user: user.id, created_at: now };
    if !store::insert(&mut tx, permit.permit(), &row).await? {
        return Err(Error::conflict(Code::SharedAlready, "this app is shared with this person already"));
    }
    if store::count(&mut tx, id, MAX_SHARES + 1).await? > MAX_SHARES {
        let message = format!("an app can be shared with at most {MAX_SHARES} people");
        return Err(Error::refused(Code::ShareLimit, message));
    }
    let new = words::notification(&by.name, &workflow.name, &row);
    notifications::notify(&mut tx, user.id, Some(by.id), &new, now).await?;
    let (name, by_name, app) = (user.name.clone(), by.name.clone(), workflow.name.clone());
    let content = Content::AppShared { name, by: by_name, app, id: id.0 };
    let letter = Email { to: user.email.clone(), language: user.language, content };
    mail::queue(core, &mut tx, &letter).await?;
    let after = json!({ "name": workflow.name, "user": user.id });
    let act = Act::new(Action::MiniAppShare, id).of(workflow.user).after(after);
    audit::record_if_admin(&mut tx, right, act, now).await?;
    tx.commit().await?;
    notifications::announce(core, user.id).await;
    mail::wake_sending(core);
    Ok(Share { id: row.id, user, created_at: now })
}

/// Deletes a share: of an app of the caller (any, for an admin), or one that the caller received.
///
/// # Errors
/// [`Error::NotFound`] for another user's.
pub async fn unshare(core: &Core, caller: &Caller, id: WorkflowApiShareId) -> Result<()> {
    let row = store::find(&core.db, id).await?.ok_or(NOT_SHARED)?;
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    if caller.user != Some(row.user) {
        let workflow = own(core, caller, row.app).await.map_err(as_not_shared)?;
        let right = caller.authority_over(workflow.user)?;
        let before = json!({ "name": workflow.name, "user": row.user });
        let act = Act::new(Action::MiniAppUnshare, row.app).of(workflow.user).before(before);
        audit::record_if_admin(&mut tx, right, act, now).await?;
    }
    if !store::delete(&mut tx, id).await? {
        return Err(NOT_SHARED);
    }
    Ok(tx.commit().await?)
}

/// The apps that are shared with the caller, the latest share first, without those by users whom the caller has
/// blocked.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for a cursor that this list did not return.
pub async fn shared_with(core: &Core, caller: &Caller, query: ListQuery<'_>) -> Result<Page<SharedApp>> {
    let user = caller.signed_in()?;
    let keyset = query.keyset()?;
    let rows = store::with_user(&core.db, user, keyset.after.id, keyset.limit).await?;
    Ok(keyset.page(rows, |last| Cursor::of(last.id)))
}

/// Deletes the shares that a deleted user received and made.
pub async fn forget_shares(core: &Core, user: UserId) -> Result<()> {
    Ok(store::forget(&core.db, user).await?)
}

/// Deletes the shares of deleted apps and workflows; returns their number. The upkeep calls it.
pub async fn forget_shares_of_deleted(core: &Core) -> Result<u64> {
    Ok(store::forget_of_deleted(&core.db).await?)
}

const NOT_SHARED: Error = Error::NotFound { what: "share" };

/// A caller who does not see an app does not see its shares.
fn as_not_shared(error: Error) -> Error {
    match error {
        Error::NotFound { .. } => NOT_SHARED,
        other => other,
    }
}

#[cfg(test)]
mod tests;
