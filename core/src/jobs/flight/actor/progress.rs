//! Progress events in the event log: one for each quarter of an attempt, for accounts that asked for them. The row
//! remembers the last quarter, also under another lease. A write after the end of the job has no effect.

#[cfg(test)]
mod tests;

use super::JobActor;
use crate::jobs::flight::job_events;
use crate::jobs::flight::rows::Lease;
use crate::jobs::live::event::JobProgress;
use crate::jobs::status::Status;
use crate::jobs::store::flight::note_quarter;
use crate::{Core, Result, database, events, supervision};

impl JobActor {
    pub(super) fn note_progress(&mut self, progress: &JobProgress) {
        if self.core.events.wants_progress(self.job.user) {
            self.quarters.pass(progress);
            self.write_quarter();
        }
    }

    /// Writes the event of the last passed quarter, unless the start of the run is not written yet.
    pub(super) fn write_quarter(&mut self) {
        if self.run.status != Status::Running || self.last.is_some() || !self.transitions.is_empty() {
            return;
        }
        let Some(quarter) = self.quarters.take() else { return };
        let (core, lease) = (self.core.clone(), self.lease());
        supervision::spawn(async move {
            if let Err(error) = write(&core, lease, quarter).await {
                tracing::warn!(job.id = %lease.job, %error, "the progress event of job {} was not written", lease.job);
            }
        });
    }
}

async fn write(core: &Core, lease: Lease, quarter: i32) -> Result<()> {
    let mut tx = database::begin(&core.db).await?;
    database::use_async_commit(&mut tx).await?;
    let Some(row) = note_quarter(&mut tx, lease, quarter).await? else { return Ok(()) };
    events::write(&mut tx, &[job_events::progress(&row, 25 * quarter, core.clock.now())]).await?;
    tx.commit().await?;
    core.events.notify_written();
    Ok(())
}
