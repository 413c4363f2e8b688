//! Whether a worker can run an app now. The room of jobs checks it after a save, regularly, and whenever the classes or
//! models of the workers have changed. This room stores the results and notifies authors, before users' runs fail.
//!
//! ```text
//! Yes ──▶ shown as working; a later No notifies the author
//! No ───▶ shown as not working; the author is notified if it worked since the last notification
//! Unknown ▶ nothing is shown; the workers that have what it needs are offline and may come back
//! ```

mod due_app;
mod failure_notice;
pub(in crate::mini_apps) mod store;
mod verdict;
mod words;

use std::collections::HashSet;

use chrono::TimeDelta;

pub use due_app::DueApp;
pub use verdict::{AppVerdict, Missing};

use self::failure_notice::FailureNotice;
use crate::database;
use crate::ids::{UserId, WorkflowApiId, WorkflowApiVersionId, WorkflowId};
use crate::workflows;
use crate::{Core, Result, mail, notifications};

/// How long a positive result is valid.
const VALID_FOR: TimeDelta = TimeDelta::hours(24);
/// Other results are checked again sooner, because an operator may be fixing the workers.
const RECHECK_AFTER: TimeDelta = TimeDelta::hours(1);
/// The shortest time between two changes of the fleet that make all apps due. Workers that connect one after the other
/// are one change.
const SETTLING: TimeDelta = TimeDelta::seconds(10);

/// Records what the workers offer together. A change makes all apps due, at the earliest [`SETTLING`] after the previous
/// change. Returns the number of the fleet.
pub async fn note_fleet(core: &Core, digest: &str) -> Result<i64> {
    let now = core.clock.now();
    Ok(store::note_fleet(&core.db, digest, now, now - SETTLING).await?)
}

/// Apps to check with their current versions: those whose result is too old, and those that were checked against an
/// earlier fleet.
pub async fn due_for_check(core: &Core, fleet: i64, limit: i64) -> Result<Vec<DueApp>> {
    Ok(store::due(&core.db, core.clock.now(), fleet, limit).await?)
}

/// An app in this version; `None` if it is deleted or has another version now.
pub async fn app_for_check(core: &Core, id: WorkflowApiId, version: WorkflowApiVersionId) -> Result<Option<DueApp>> {
    Ok(store::in_version(&core.db, id, version).await?)
}

/// Writes the results of checks against this fleet, and notifies the authors of apps that stopped working. An app that
/// was saved after its check stays due.
///
/// # Errors
/// [`crate::Error::Unavailable`] where too much mail waits.
pub async fn record_verdicts(core: &Core, fleet: i64, found: &[(DueApp, AppVerdict)]) -> Result<()> {
    let now = core.clock.now();
    let note = |(app, verdict): &(DueApp, AppVerdict)| store::Note {
        app: app.id,
        version: app.version,
        works: verdict.flag(),
        missing: verdict.missing().cloned(),
        due_at: now + if *verdict == AppVerdict::Yes { VALID_FOR } else { RECHECK_AFTER },
    };
    let (same, changed): (Vec<_>, Vec<_>) = found.iter().partition(|(app, verdict)| app.is_known_as(verdict));
    if !same.is_empty() {
        let notes: Vec<store::Note> = same.into_iter().map(note).collect();
        store::note(&mut *core.db.acquire().await?, &notes, fleet, now).await?;
    }
    if changed.is_empty() {
        return Ok(());
    }
    // Read before the transaction, which locks rows.
    let mut notices = Vec::new();
    for (app, verdict) in &changed {
        if let AppVerdict::No(missing) = verdict
            && app.stops_working(verdict)
        {
            notices.extend(FailureNotice::of(core, app, missing).await?);
        }
    }
    let notes: Vec<store::Note> = changed.iter().copied().map(note).collect();
    let workflows: Vec<WorkflowId> = changed.iter().map(|(app, _)| app.workflow).collect();
    let mut tx = database::begin(&core.db).await?;
    // A save locks the workflow before the app's row, so no app gets another version from here on.
    workflows::lock_all(&mut tx, &workflows).await?;
    let noted = store::note(&mut tx, &notes, fleet, now).await?;
    let works: Vec<(WorkflowId, Option<bool>)> = changed
        .iter()
        .filter(|(app, _)| noted.contains_key(&app.id))
        .map(|(app, verdict)| (app.workflow, verdict.flag()))
        .collect();
    workflows::set_apps_work(&mut tx, &works).await?;
    let mut authors: HashSet<UserId> = HashSet::new();
    // Another check may have written the same result first.
    for notice in notices.iter().filter(|notice| noted.get(&notice.app) == Some(&true)) {
        notice.write(core, &mut tx, now).await?;
        authors.insert(notice.author);
    }
    tx.commit().await?;
    if !authors.is_empty() {
        mail::wake_sending(core);
    }
    for author in authors {
        notifications::announce(core, author).await;
    }
    Ok(())
}
