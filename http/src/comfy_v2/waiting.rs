//! Reads of jobs that wait. The SDKs poll a job until its end, with pauses of half a second to five: the fuller the
//! queue, the more requests each job costs. So a repeated read of a queued job is answered when it runs or ends.
//!
//! An account that polls many jobs opens no live streams by this, so its streams keep their places.

use std::time::Duration;

use actix_web::rt::time::{Instant, sleep_until};
use actix_web::{HttpMessage as _, HttpRequest};
use tokio::sync::broadcast::error::RecvError;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, EventSubscription, JobEvent, JobStatus, Status};
use verdigraph_core::{Core, Error};

use super::errors::{ComfyError, Result};
use super::views::status_word;
use crate::caller::{Caller, auth_watch};
use crate::deadline::Deadline;
use crate::edge::Edge;

/// How long a read waits. SDKs give an answer up after 30 seconds, and look at their own time limit only after it.
const LONGEST: Duration = Duration::from_secs(10);
/// A job that ends within this time of its start is not read in between.
const SHORT_RUN: Duration = Duration::from_secs(1);

/// The status of a job to answer a read with: `found`, or a later one if the job waits and was read a moment ago.
pub async fn settled(
    core: &Core,
    edge: &Edge,
    caller: &Caller,
    request: &HttpRequest,
    found: JobStatus,
) -> Result<JobStatus> {
    let job = found.job.id;
    if !is_queued(&found) {
        return Ok(found);
    }
    let status = match edge.polls.wait(job) {
        // Boxed: reading the database takes far more stack than a read that waits.
        Some(_place) => Box::pin(changed(core, edge, caller, request, job)).await?,
        None => found,
    };
    if is_queued(&status) {
        edge.polls.note(job);
    }
    Ok(status)
}

fn is_queued(status: &JobStatus) -> bool {
    status_word(&status.job) == "queued"
}

/// Waits until a queued job runs or ends, or the time is over.
async fn changed(core: &Core, edge: &Edge, caller: &Caller, request: &HttpRequest, job: JobId) -> Result<JobStatus> {
    let missing = ComfyError::about("job_not_found");
    let mut auth = auth_watch(core, request).await?;
    let (status, EventSubscription { mut live, .. }) =
        jobs::subscribe(core, caller, job, None).await.map_err(&missing)?;
    if !is_queued(&status) {
        return Ok(status);
    }
    if let Some(deadline) = request.extensions().get::<Deadline>() {
        deadline.waiting(LONGEST);
    }
    let mut stopping = edge.stopping();
    let mut until = Instant::now() + LONGEST;
    loop {
        let event = tokio::select! {
            () = sleep_until(until) => break,
            _ = stopping.wait_for(|stopping| *stopping) => break,
            () = auth.ended() => return Err(Error::LoginRequired.into()),
            event = live.recv() => event,
        };
        match event {
            Ok((_, JobEvent::Status(Status::Running))) => until = until.min(Instant::now() + SHORT_RUN),
            Ok((_, JobEvent::Status(status))) if !status.is_terminal() => {}
            Ok((_, JobEvent::Status(_))) | Err(RecvError::Lagged(_) | RecvError::Closed) => break,
            Ok(_) => {}
        }
    }
    jobs::status(core, caller, job).await.map_err(&missing)
}
