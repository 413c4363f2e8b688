//! The caller's own jobs.

use uuid::Uuid;
use verdigraph_core::Error;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, JobStatus};

use crate::mcp::failure::Failure;
use crate::mcp::outcome::Context;

/// The job with this id, if it is the caller's own. Admins see no others here either.
pub async fn find(context: &Context, id: Uuid) -> Result<JobStatus, Failure> {
    let user = context.caller.signed_in()?;
    match jobs::status(&context.core, &context.caller, JobId(id)).await {
        Ok(status) if status.job.user == user => Ok(status),
        Ok(_) => Err(Failure::missing("job_id", Error::NotFound { what: "job" })),
        Err(error) => Err(Failure::missing("job_id", error)),
    }
}
