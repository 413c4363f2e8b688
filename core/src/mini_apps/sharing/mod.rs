//! Sharing: people who may run a mini app although its workflow is private.
//!
//! Whoever an app is shared with sees what it asks for and what it gives, and runs it for their own credits. They see
//! neither the graph nor what others ran. The rows say it each time (see `heads`), so that taking a share back counts at
//! once on all nodes. What moderators have hidden is shared with nobody.

mod share;
pub(in crate::mini_apps) mod store;
mod words;

use std::sync::Arc;

use serde_json::json;
use uuid::Uuid;

pub use share::{Share, SharedApp};

use super::store as apps;
use super::{GONE, as_gone};
use crate::audit::{self, Act, Action};
use crate::ids::{UserId, WorkflowApiId, WorkflowApiShareId};
use crate::mail::{self, Content, Letter};
use crate::users;
use crate::workflows::{self, Page, Workflow};
use crate::{Caller, Code, Core, Error, Result, cursor, notifications};

/// People whom one app can be shared with at a time.
pub const MAX_SHARES: i64 = 200;
/// Addresses that one person can try in an hour: sharing tells who has an account.
const TRIES_PER_HOUR: u32 = 60;

/// Whom an app of the caller's (or any, for an admin) is shared with, newest first.
///
/// # Errors
/// [`Error::NotFound`] for anybody else's.
pub async fn shares(core: &Core, caller: &Caller, app: WorkflowApiId) -> Result<Vec<Share>> {
    own(core, caller, app).await?;
    let rows = store::of_app(&core.db, app, MAX_SHARES).await?;
    let people: Vec<UserId> = rows.iter().map(|row| row.user).collect();
    let people = users::find_all(core, &people).await?;
    let share = |row: store::Row| {
        // Whoever is leaving has no address any more.
        let user = people.get(&row.user).filter(|user| user.name != users::DELETED_NAME)?;
        Some(Share { id: row.id, user: Arc::clone(user), created_at: row.created_at })
    };
    Ok(rows.into_iter().filter_map(share).collect())
}

/// Shares an app of the caller's (or any, for an admin) with whoever has this address, and tells them.
///
/// An address that nobody has shown to be theirs is nobody's: it may be somebody else's who signed up with it. Somebody
/// who has blocked the caller or the owner hears nothing of them, and is nobody either.
///
/// # Errors
/// As [`users::may_publish`], because a letter is sent; [`Error::NotFound`] for anybody else's app;
/// [`Error::RateLimited`]; [`Error::Invalid`] for what is no address; [`Error::ShareUserUnknown`];
/// [`Error::Conflict`] with `SHARE_WITH_YOURSELF` or `SHARED_ALREADY`; [`Error::Refused`] with `SHARE_LIMIT`.
pub async fn share(core: &Core, caller: &Caller, id: WorkflowApiId, email: &str) -> Result<Share> {
    let by = users::current(core, caller).await?;
    let permit = users::may_publish(core, caller).await?;
    let workflow = own(core, caller, id).await?;
    users::take_quota(core, "share", &by.id.to_string(), TRIES_PER_HOUR).await?;
    let user = users::by_email(core, "userEmail", email).await?.ok_or(Error::ShareUserUnknown)?;
    if user.id == by.id || user.id == workflow.user {
        return Err(Error::conflict(Code::ShareWithYourself, "whoever owns an app need not be given it"));
    }
    for other in [by.id, workflow.user] {
        if users::has_blocked(&core.db, user.id, other).await? {
            return Err(Error::ShareUserUnknown);
        }
    }
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
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
    let fact = words::fact(&by.name, &workflow.name, &row);
    notifications::tell(&mut tx, user.id, Some(by.id), &fact, now).await?;
    let (name, by_name, app) = (user.name.clone(), by.name.clone(), workflow.name.clone());
    let content = Content::AppShared { name, by: by_name, app, id: id.0 };
    let letter = Letter { to: user.email.clone(), language: user.language, content };
    mail::queue(core, &mut tx, &letter).await?;
    let act = Act::new(Action::MiniAppShare, id).of(workflow.user).after(json!({ "user": user.id }));
    audit::record_over(&mut tx, right, act, now).await?;
    tx.commit().await?;
    notifications::announce(core, user.id).await;
    mail::ring(core);
    Ok(Share { id: row.id, user, created_at: now })
}

/// Takes a share back: of an app of the caller's (or any, for an admin), or one that was given to the caller.
///
/// # Errors
/// [`Error::NotFound`] for anybody else's.
pub async fn unshare(core: &Core, caller: &Caller, id: WorkflowApiShareId) -> Result<()> {
    let row = store::find(&core.db, id).await?.ok_or(NOT_SHARED)?;
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    if caller.user != Some(row.user) {
        let workflow = own(core, caller, row.app).await.map_err(as_not_shared)?;
        let right = caller.authority_over(workflow.user)?;
        let act = Act::new(Action::MiniAppUnshare, row.app).of(workflow.user).before(json!({ "user": row.user }));
        audit::record_over(&mut tx, right, act, now).await?;
    }
    if !store::delete(&mut tx, id).await? {
        return Err(NOT_SHARED);
    }
    Ok(tx.commit().await?)
}

/// The apps that are shared with the caller, the latest shared first; not those of people whom they have blocked.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for a cursor that this list did not give.
pub async fn shared_with(core: &Core, caller: &Caller, cursor: Option<&str>, limit: i64) -> Result<Page<SharedApp>> {
    let user = caller.signed_in()?;
    let before = match cursor {
        Some(text) => Uuid::parse_str(text).map_err(|_| cursor::refused())?,
        None => Uuid::max(),
    };
    let limit = limit.clamp(1, workflows::MAX_PAGE);
    let mut items = store::with_user(&core.db, user, before, limit + 1).await?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = items.len() > limit;
    items.truncate(limit);
    let next_cursor = items.last().filter(|_| more).map(|last| last.id.to_string());
    Ok(Page { items, next_cursor })
}

/// Forgets what was shared with somebody who left, and what they had shared.
///
/// # Errors
/// Database errors.
pub async fn forget_shares(core: &Core, user: UserId) -> Result<()> {
    Ok(store::forget(&core.db, user).await?)
}

/// Forgets the shares of apps that were deleted, or whose workflows were; tells how many. The upkeep calls it.
///
/// # Errors
/// Database errors.
pub async fn forget_shares_of_deleted(core: &Core) -> Result<u64> {
    Ok(store::forget_of_deleted(&core.db).await?)
}

/// The workflow of an app of the caller's, or of any for an admin.
async fn own(core: &Core, caller: &Caller, id: WorkflowApiId) -> Result<Workflow> {
    caller.signed_in()?;
    let app = apps::find(&core.db, id).await?.ok_or(GONE)?;
    let workflow = workflows::find(core, caller, app.workflow).await.map_err(as_gone)?;
    if caller.owns_or_admin(workflow.user) { Ok(workflow) } else { Err(GONE) }
}

const NOT_SHARED: Error = Error::NotFound { what: "share" };

/// Whoever may not see an app does not see its shares.
fn as_not_shared(error: Error) -> Error {
    match error {
        Error::NotFound { .. } => NOT_SHARED,
        other => other,
    }
}

#[cfg(test)]
mod tests;
