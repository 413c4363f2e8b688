//! What becomes of what was somebody's, after they left.
//!
//! Private pictures, uploads and workflows go, comments, shares and the notification box too, waiting jobs are canceled, and what
//! jobs were told is forgotten; bytes that nobody names then are deleted within the hour (`assets::life`). What
//! they published stays, by "Deleted user". It is done beside the request and repeated until nothing is left: a node
//! that dies halfway loses nothing, and a job that still runs is waited for. An upload that its owner takes back goes the
//! same way.

mod uploads;

use tokio::sync::Notify;

pub use uploads::{delete_inputs, take_back};

use crate::gallery::Wanted;
use crate::ids::{OutputAssetId, UserId, WorkflowId};
use crate::jobs::{self, JobFilter, Status};
use crate::users::{self, Farewell};
use crate::{Caller, Core, Result, comments, events, gallery, mini_apps, notifications, webhooks, workflows};

/// Things that are asked for at a time.
const PAGE: i64 = 100;
/// People who are cleared up after in one go.
const PEOPLE: i64 = 20;
/// The bell that says that somebody left.
#[derive(Debug, Default)]
pub struct Departures(Notify);

impl Departures {
    /// Rings when somebody left.
    pub fn bell(&self) -> &Notify {
        &self.0
    }
}

/// Deletes the caller's account; see [`users::delete`] for what goes at once.
///
/// # Errors
/// As [`users::delete`].
pub async fn leave(core: &Core, caller: &Caller, farewell: &Farewell) -> Result<()> {
    users::delete(core, caller, farewell).await?;
    core.departures.0.notify_one();
    Ok(())
}

/// Clears up after those who left; tells after how many it is done. Somebody after whom it fails keeps nobody behind
/// them waiting. Several nodes may do so side by side.
///
/// # Errors
/// The first of the rooms' errors; what was cleared stays cleared, and the rest is for the next time.
pub async fn clear(core: &Core) -> Result<u64> {
    let (mut cleared, mut failed, mut last) = (0, None, None);
    loop {
        let people = users::departed(core, last, PEOPLE).await?;
        for user in &people {
            match clear_after(core, *user).await {
                Ok(true) => {
                    users::note_cleared(core, *user).await?;
                    cleared += 1;
                }
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(%error, user.id = %user, "clearing up after somebody who left has to wait");
                    failed.get_or_insert(error);
                }
            }
        }
        last = people.last().copied();
        if last.is_none() {
            return failed.map_or(Ok(cleared), Err);
        }
    }
}

/// Tells whether nothing is left: a job that runs may still bring pictures.
async fn clear_after(core: &Core, user: UserId) -> Result<bool> {
    // What is theirs is found as they would find it.
    let them = Caller::customer(user);
    let ended = cancel_jobs(core, &them).await?;
    delete_workflows(core, &them).await?;
    delete_output_assets(core, &them).await?;
    delete_comments(core, user).await?;
    mini_apps::forget_shares(core, user).await?;
    notifications::forget(core, user).await?;
    uploads::delete_all(core, user).await?;
    webhooks::forget(core, user).await?;
    if ended {
        jobs::forget(core, user).await?;
        // After it nothing is told of their jobs any more.
        events::forget(core, user).await?;
        jobs::forget_apps(core, user).await?;
    }
    Ok(ended)
}

async fn cancel_jobs(core: &Core, them: &Caller) -> Result<bool> {
    let statuses = vec![Status::Pending, Status::Connecting, Status::Connected, Status::Running];
    let active = JobFilter { statuses, ..JobFilter::default() };
    let (mut before, mut ended) = (None, true);
    loop {
        let page = jobs::list(core, them, &active, before, PAGE).await?;
        let Some(last) = page.last() else { return Ok(ended) };
        before = Some(last.id);
        for job in page {
            ended &= jobs::cancel(core, them, job.id).await?.status.is_terminal();
        }
    }
}

async fn delete_workflows(core: &Core, them: &Caller) -> Result<()> {
    let mut cursor = None;
    loop {
        let page = workflows::mine(core, them, cursor.as_deref(), PAGE).await?;
        let private: Vec<WorkflowId> = page.items.iter().filter(|one| one.is_private).map(|one| one.id).collect();
        for id in private {
            workflows::delete(core, them, id).await?;
        }
        match page.next_cursor {
            Some(next) => cursor = Some(next),
            None => return Ok(()),
        }
    }
}

async fn delete_output_assets(core: &Core, them: &Caller) -> Result<()> {
    let mut cursor = None;
    loop {
        let wanted = Wanted { cursor: cursor.as_deref(), limit: PAGE, ..Wanted::default() };
        let page = gallery::mine(core, them, wanted).await?;
        let private: Vec<OutputAssetId> = page.items.iter().filter(|one| one.is_private).map(|one| one.id).collect();
        gallery::delete(core, them, &private).await?;
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(()),
        }
    }
}

/// A comment without its author counts as deleted everywhere, so theirs are.
async fn delete_comments(core: &Core, user: UserId) -> Result<()> {
    while comments::delete_some_of(core, user, PAGE).await? > 0 {}
    Ok(())
}
#[cfg(test)]
mod tests;
