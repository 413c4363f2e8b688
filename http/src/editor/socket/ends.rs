//! How a job ended, read from its row.

use verdigraph_core::jobs::{self, Job};
use verdigraph_core::{Caller, Core, Error};

use super::relay::JobEnd;
use crate::editor::dialect::Dialect;
use crate::editor::queue::exception_type;
use crate::editor::queue::outputs::by_node;

/// The end of an ended job, as a client of the dialect expects it.
///
/// # Errors
/// [`Error::NotFound`] where the job belongs to another account.
pub async fn read(core: &Core, caller: &Caller, job: &Job, dialect: Dialect) -> Result<JobEnd, Error> {
    let outputs = jobs::outputs(core, caller, job.id).await?;
    let reason = job.validate_exception.as_ref().and_then(|why| why.get("message")?.as_str().map(str::to_owned));
    Ok(JobEnd {
        status: job.status,
        outputs: by_node(&outputs),
        exception: job.execute_exception.clone(),
        failure_type: exception_type(job.status, dialect),
        reason,
        timestamp: job.ended_at.unwrap_or(job.created_at).timestamp_millis(),
    })
}
