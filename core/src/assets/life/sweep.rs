//! The sweep over what was let go. Any number of nodes may sweep at once.

use chrono::TimeDelta;

use super::store::{self, Due};
use super::{Owner, named};
use crate::assets::locks;
use crate::assets::storage::content_hash::ContentHash;
use crate::metrics::{self, Counters};
use crate::{Core, Result};

/// Files of one go.
pub const SWEPT_AT_ONCE: i64 = 200;
/// Files that are let go are looked at after this.
pub(super) const BEFORE_ASIDE: TimeDelta = TimeDelta::minutes(5);
/// How long a file stands aside, beyond the time in which outputs are stored and their job is ended. Whoever stores a
/// file names it well within this.
const ASIDE: TimeDelta = TimeDelta::minutes(20);
/// After this another node takes up what one has begun and not finished.
const LEASE: TimeDelta = TimeDelta::minutes(5);

static DELETED: Counters<1> = Counters::new(metrics::FILES_DELETED, "", || [""]);

/// What a sweep did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Swept {
    /// Files that somebody names after all.
    pub kept: usize,
    /// Files that were put aside.
    pub aside: usize,
    /// Files that are looked at again: a job has them, or their bytes came once more.
    pub later: usize,
    /// Files that are gone.
    pub deleted: usize,
}

impl Swept {
    /// Files that were looked at.
    #[must_use]
    pub fn all(self) -> u64 {
        (self.kept + self.aside + self.later + self.deleted) as u64
    }
}

/// Takes the next files whose time has come one step further; tells what became of them. One that the store fails on is
/// tried again later and keeps no other one waiting.
///
/// # Errors
/// Database errors.
pub async fn sweep(core: &Core, owners: &[Owner]) -> Result<Swept> {
    let now = core.clock.now();
    let due = store::claim(&core.db, now, now + LEASE, SWEPT_AT_ONCE).await?;
    let contents: Vec<ContentHash> = due.iter().map(|one| one.content.clone()).collect();
    if contents.is_empty() {
        return Ok(Swept::default());
    }
    let kept = named(core, owners, &contents).await?;
    let mut swept = Swept::default();
    let (mut settled, mut gone) = (Vec::new(), Vec::new());
    for one in due {
        let step = match (kept.get(&one.content), one.aside) {
            (Some(only_for_now), _) => keep(core, &one, *only_for_now).await,
            (None, false) => put_aside(core, &one).await,
            (None, true) => delete(core, &one).await,
        };
        match step {
            Ok(Step::Kept) => swept.kept += 1,
            Ok(Step::Aside) => swept.aside += 1,
            Ok(Step::Later) => swept.later += 1,
            Ok(Step::Deleted) => swept.deleted += 1,
            Err(error) => {
                tracing::warn!(%error, file.content = one.content.as_str(), "a file could not be put away");
                continue;
            }
        }
        if matches!(step, Ok(Step::Deleted)) {
            gone.push(one.content.clone());
        }
        if matches!(step, Ok(Step::Kept | Step::Deleted)) {
            settled.push(one);
        }
    }
    let contents: Vec<ContentHash> = settled.iter().map(|one| one.content.clone()).collect();
    for owner in owners {
        (owner.forget)(core, &contents).await?;
    }
    locks::store::forget_pixels(&core.db, &gone).await?;
    store::settle(&core.db, &settled).await?;
    DELETED.add(0, swept.deleted as u64);
    Ok(swept)
}

enum Step {
    Kept,
    Aside,
    Later,
    Deleted,
}

/// Somebody names it. Where it stands aside it is taken back.
async fn keep(core: &Core, one: &Due, only_for_now: bool) -> Result<Step> {
    core.files.storage.take_back(&one.content).await?;
    if only_for_now {
        store::begin_again(&core.db, one, core.clock.now() + BEFORE_ASIDE).await?;
        return Ok(Step::Later);
    }
    Ok(Step::Kept)
}

async fn put_aside(core: &Core, one: &Due) -> Result<Step> {
    let now = core.clock.now();
    let collected = TimeDelta::seconds(i64::try_from(core.settings.jobs.collect_seconds).unwrap_or(3600).min(86_400));
    // Written first: what is aside is always looked at again.
    if store::note_aside(&core.db, one, now, now + ASIDE + collected).await? {
        core.files.storage.put_aside(&one.content).await?;
    }
    Ok(Step::Aside)
}

/// Nobody has named it while it stood aside. Where its bytes were stored anew meanwhile, whoever did so is about to name
/// them: its time begins again.
async fn delete(core: &Core, one: &Due) -> Result<Step> {
    if core.files.storage.is_in_place(&one.content).await? {
        store::begin_again(&core.db, one, core.clock.now() + BEFORE_ASIDE).await?;
        return Ok(Step::Later);
    }
    core.files.storage.delete(&one.content).await?;
    Ok(Step::Deleted)
}
