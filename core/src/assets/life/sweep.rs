//! The sweep over orphaned files. Several nodes may sweep at once.

use chrono::TimeDelta;

use super::store::{self, Due};
use super::{FileOwner, references};
use crate::assets::locks;
use crate::assets::storage::content_hash::ContentHash;
use crate::metrics::{self, Counters};
use crate::{Core, Result};

/// Files per sweep.
pub const SWEPT_AT_ONCE: i64 = 200;
/// When an orphaned file is checked first.
pub(super) const FIRST_CHECK: TimeDelta = TimeDelta::minutes(5);
/// How long a file stays in the trash, besides the time for storing outputs and ending their job. A stored file is
/// referenced well within this time.
const IN_TRASH: TimeDelta = TimeDelta::minutes(20);
/// After this, another node continues an unfinished sweep.
const LEASE: TimeDelta = TimeDelta::minutes(5);

static DELETED: Counters<1> = Counters::new(metrics::FILES_DELETED, "", || [""]);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SweepOutcome {
    /// Files that are referenced after all.
    pub kept: usize,
    /// Files that were moved to the trash.
    pub trashed: usize,
    /// Files to check again: a job references them, or their bytes were stored again.
    pub later: usize,
    pub deleted: usize,
}

impl SweepOutcome {
    /// All files that were processed.
    #[must_use]
    pub fn all(self) -> u64 {
        (self.kept + self.trashed + self.later + self.deleted) as u64
    }
}

/// Moves the next due files one step further. A file that fails is retried later and delays no others.
pub async fn sweep(core: &Core, owners: &[FileOwner]) -> Result<SweepOutcome> {
    let now = core.clock.now();
    let due = store::claim(&core.db, now, now + LEASE, SWEPT_AT_ONCE).await?;
    let contents: Vec<ContentHash> = due.iter().map(|one| one.content.clone()).collect();
    if contents.is_empty() {
        return Ok(SweepOutcome::default());
    }
    let kept = references(core, owners, &contents).await?;
    let mut swept = SweepOutcome::default();
    let (mut finished, mut gone) = (Vec::new(), Vec::new());
    for one in due {
        let step = match (kept.get(&one.content), one.in_trash) {
            (Some(is_temporary), _) => keep(core, &one, *is_temporary).await,
            (None, false) => move_to_trash(core, &one).await,
            (None, true) => delete(core, &one).await,
        };
        match step {
            Ok(Step::Kept) => swept.kept += 1,
            Ok(Step::Trashed) => swept.trashed += 1,
            Ok(Step::Later) => swept.later += 1,
            Ok(Step::Deleted) => swept.deleted += 1,
            Err(error) => {
                tracing::warn!(%error, file.content = one.content.as_str(), "cannot process an orphaned file");
                continue;
            }
        }
        if matches!(step, Ok(Step::Deleted)) {
            gone.push(one.content.clone());
        }
        if matches!(step, Ok(Step::Kept | Step::Deleted)) {
            finished.push(one);
        }
    }
    let contents: Vec<ContentHash> = finished.iter().map(|one| one.content.clone()).collect();
    for owner in owners {
        (owner.forget)(core, &contents).await?;
    }
    locks::store::forget_pixels(&core.db, &gone).await?;
    store::delete(&core.db, &finished).await?;
    DELETED.add(0, swept.deleted as u64);
    Ok(swept)
}

enum Step {
    Kept,
    Trashed,
    Later,
    Deleted,
}

/// The file is referenced; restores it if it is in the trash.
async fn keep(core: &Core, one: &Due, is_temporary: bool) -> Result<Step> {
    core.files.storage.restore_from_trash(&one.content).await?;
    if is_temporary {
        store::restart(&core.db, one, core.clock.now() + FIRST_CHECK).await?;
        return Ok(Step::Later);
    }
    Ok(Step::Kept)
}

async fn move_to_trash(core: &Core, one: &Due) -> Result<Step> {
    let now = core.clock.now();
    let collected = TimeDelta::seconds(i64::try_from(core.settings.jobs.collect_seconds).unwrap_or(3600).min(86_400));
    // Written first: a file in the trash must always be checked again.
    if store::set_trashed(&core.db, one, now, now + IN_TRASH + collected).await? {
        core.files.storage.move_to_trash(&one.content).await?;
    }
    Ok(Step::Trashed)
}

/// The file stayed unreferenced in the trash. If its bytes were stored again in the meantime, a reference is about to
/// be committed: its lifecycle restarts.
async fn delete(core: &Core, one: &Due) -> Result<Step> {
    if core.files.storage.is_in_place(&one.content).await? {
        store::restart(&core.db, one, core.clock.now() + FIRST_CHECK).await?;
        return Ok(Step::Later);
    }
    core.files.storage.delete(&one.content).await?;
    Ok(Step::Deleted)
}
