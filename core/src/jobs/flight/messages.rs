//! Messages of the dispatcher and of job actors.

use actix::Message;

use super::state::StopReason;
use crate::ids::{JobId, WorkerId};

/// There may be a job to claim.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(in crate::jobs) struct Wake;

/// Stop a job that is in flight on any node.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(in crate::jobs) struct StopJob(pub JobId);

/// A job actor has ended; its worker is free again.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(in crate::jobs) struct AttemptEnded {
    pub job: JobId,
    pub worker: WorkerId,
}

#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub(in crate::jobs) struct StopAttempt(pub StopReason);

/// Take a prefetched job that has not begun back from its worker's queue.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub(in crate::jobs) struct Withdraw;
