//! Deletion of the data of a deleted account.
//!
//! Private pictures, uploads, notes about files, workflows, settings and files of the node editor, requests for nodes and
//! models, comments, shares, payment methods and notifications are deleted, jobs are canceled, and the content of jobs is
//! erased. Files without references are deleted within the hour (`assets::life`). Published content stays, by "Deleted
//! user". So do entries of the ledger, orders and uses of coupons, because credits, money and the limits of coupons follow
//! from them. An upkeep task does this, and repeats it until nothing is left: it waits for running jobs, and a node that
//! dies halfway loses nothing. The room deletes single uploads too, and those that expire.

mod uploads;

use tokio::sync::Notify;

pub use uploads::{delete_inputs, delete_kept_upload, delete_upload, expire_uploads};

use crate::ids::{OutputAssetId, UserId, WorkflowId};
use crate::jobs::{self, JobFilter, Status};
use crate::list::ListQuery;
use crate::users::{self, DeletionProof};
use crate::{
    Caller, Core, Result, billing, comments, editor, events, gallery, mini_apps, notifications, requirements, webhooks,
    workflows,
};

/// Items of one query.
const PAGE: i64 = 100;
/// Accounts of one query.
const ACCOUNTS: i64 = 20;

/// Wakes the upkeep task after a deletion.
#[derive(Debug, Default)]
pub struct DeletionNotifier(Notify);

impl DeletionNotifier {
    pub fn wake_up(&self) -> &Notify {
        &self.0
    }
}

/// Deletes the caller's account; see [`users::delete`] for what is deleted at once.
///
/// # Errors
/// As [`users::delete`].
pub async fn delete_account(core: &Core, caller: &Caller, proof: &DeletionProof) -> Result<()> {
    users::delete(core, caller, proof).await?;
    core.deletions.0.notify_one();
    Ok(())
}

/// Deletes the data of deleted accounts; returns the number of completed ones. An error of one account does not stop the
/// others. Several nodes may run this concurrently.
///
/// # Errors
/// The first error of an account, after all accounts were handled.
pub async fn delete_data(core: &Core) -> Result<u64> {
    let (mut cleared, mut failed, mut last) = (0, None, None);
    loop {
        let accounts = users::deleted_users(core, last, ACCOUNTS).await?;
        for user in &accounts {
            match delete_data_of(core, *user).await {
                Ok(true) => {
                    users::mark_cleaned_up(core, *user).await?;
                    cleared += 1;
                }
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(%error, user.id = %user, "the data of deleted account {user} could not be deleted");
                    failed.get_or_insert(error);
                }
            }
        }
        last = accounts.last().copied();
        if last.is_none() {
            return failed.map_or(Ok(cleared), Err);
        }
    }
}

/// `true`: all data is deleted. A job that still runs may add outputs.
async fn delete_data_of(core: &Core, user: UserId) -> Result<bool> {
    // The lists of the account itself find all of its data.
    let owner = Caller::customer(user);
    // First the webhooks and the payments: no server is told of what the following does, and nothing is charged, however
    // long it takes.
    webhooks::forget(core, user).await?;
    billing::forget_payment_methods(core, user).await?;
    billing::stop_agreed_charges_of(core, user).await?;
    billing::cancel_open_orders_of(core, user).await?;
    let ended = cancel_jobs(core, &owner).await?;
    delete_workflows(core, &owner).await?;
    workflows::forget_drafts(core, user).await?;
    delete_output_assets(core, &owner).await?;
    delete_comments(core, user).await?;
    mini_apps::forget_shares(core, user).await?;
    notifications::forget(core, user).await?;
    uploads::delete_all(core, user).await?;
    gallery::forget_named_inputs(core, user).await?;
    gallery::forget_library(core, user).await?;
    editor::forget(core, user).await?;
    requirements::forget(core, user).await?;
    if ended {
        jobs::forget(core, user).await?;
        // No job writes an event after this.
        events::forget(core, user).await?;
        jobs::forget_apps(core, user).await?;
    }
    Ok(ended)
}

async fn cancel_jobs(core: &Core, owner: &Caller) -> Result<bool> {
    let statuses = vec![Status::Pending, Status::Connecting, Status::Connected, Status::Running];
    let active = JobFilter { statuses, ..JobFilter::default() };
    let (mut before, mut ended) = (None, true);
    loop {
        let page = jobs::list(core, owner, &active, before, PAGE).await?;
        let Some(last) = page.last() else { return Ok(ended) };
        before = Some(last.id);
        for job in page {
            ended &= jobs::cancel(core, owner, job.id).await?.status.is_terminal();
        }
    }
}

async fn delete_workflows(core: &Core, owner: &Caller) -> Result<()> {
    let mut cursor = None;
    loop {
        let page = workflows::mine(core, owner, ListQuery::at((), cursor.as_deref(), PAGE)).await?;
        let private: Vec<WorkflowId> = page.items.iter().filter(|one| one.is_private).map(|one| one.id).collect();
        for id in private {
            workflows::delete(core, owner, id).await?;
        }
        match page.next_cursor {
            Some(next) => cursor = Some(next),
            None => return Ok(()),
        }
    }
}

async fn delete_output_assets(core: &Core, owner: &Caller) -> Result<()> {
    let mut cursor = None;
    loop {
        let page = gallery::mine(core, owner, ListQuery::at((), cursor.as_deref(), PAGE)).await?;
        let private: Vec<OutputAssetId> = page.items.iter().filter(|one| one.is_private).map(|one| one.id).collect();
        gallery::delete(core, owner, &private).await?;
        match page.next_cursor {
            Some(next) => cursor = Some(next),
            None => return Ok(()),
        }
    }
}

/// A comment without an author counts as deleted everywhere, so the comments are deleted too.
async fn delete_comments(core: &Core, user: UserId) -> Result<()> {
    while comments::delete_some_of(core, user, PAGE).await? > 0 {}
    Ok(())
}

#[cfg(test)]
mod tests;
