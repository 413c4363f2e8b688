//! Who asked for it is told of each quarter of an attempt. The job's row says which was told last, whoever has had the
//! attempt, and is gone when the job has ended: what comes too late tells of nothing.

#[cfg(test)]
mod tests;

use super::JobActor;
use crate::jobs::flight::happened;
use crate::jobs::flight::rows::Lease;
use crate::jobs::live::event::Progress;
use crate::jobs::status::Status;
use crate::jobs::store::flight::note_quarter;
use crate::{Core, Result, database, events, supervision};

impl JobActor {
    /// Notes how far it is, for an owner who wants to know.
    pub(super) fn pass_quarters(&mut self, progress: &Progress) {
        if self.core.events.wants_progress(self.job.user) {
            self.quarters.pass(progress);
            self.tell_quarter();
        }
    }

    /// Tells of a quarter that was passed. Before the begin of the run is written it waits for that.
    pub(super) fn tell_quarter(&mut self) {
        if self.run.status != Status::Running || self.last.is_some() || !self.moves.is_empty() {
            return;
        }
        let Some(quarter) = self.quarters.take() else { return };
        let (core, lease) = (self.core.clone(), self.lease());
        supervision::spawn(async move {
            if let Err(error) = write(&core, lease, quarter).await {
                tracing::warn!(job.id = %lease.job, %error, "nobody is told how far a job is");
            }
        });
    }
}

async fn write(core: &Core, lease: Lease, quarter: i32) -> Result<()> {
    let mut tx = core.db.begin().await?;
    database::relax(&mut tx).await?;
    let Some(row) = note_quarter(&mut tx, lease, quarter).await? else { return Ok(()) };
    events::write(&mut tx, &[happened::progressed(&row, 25 * quarter, core.clock.now())]).await?;
    tx.commit().await?;
    core.events.ring();
    Ok(())
}
