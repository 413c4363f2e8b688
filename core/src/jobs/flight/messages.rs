//! What the dispatcher and the actors of jobs are told.

use actix::Message;

use super::state::Stopping;
use crate::ids::{JobId, WorkerId};

/// There may be work.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(in crate::jobs) struct Wake;

/// Stop this job, where it is in flight here.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(in crate::jobs) struct StopJob(pub JobId);

/// A job actor ended; its worker is free again.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(in crate::jobs) struct Down {
    pub job: JobId,
    pub worker: WorkerId,
}

/// Stop the job.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub(in crate::jobs) struct Stop(pub Stopping);

/// Take the job back from its worker's queue, where it waits behind another one and has not begun.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub(in crate::jobs) struct Withdraw;
