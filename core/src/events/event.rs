//! An event: what happened, to whose things, and what the log tells of it.

use chrono::{DateTime, Utc};
use serde_json::value::RawValue;

use crate::ids::{BatchId, EventId, JobId, UserId, WorkflowApiId, WorkflowApiVersionId};
use crate::word_list::word_list;

word_list! {
    /// What happened.
    #[repr(i16)]
    pub enum EventKind for "type" {
        /// A job was accepted.
        JobCreated = 0 => "job.created",
        /// A worker began with it. Another try begins once more.
        JobStarted = 1 => "job.started",
        /// It ended well, and its outputs are stored.
        JobDone = 2 => "job.done",
        /// It ended in any other way than well or by its owner.
        JobFailed = 3 => "job.failed",
        /// Its owner ended it.
        JobCanceled = 4 => "job.canceled",
        /// An attempt at it is a quarter, a half or three quarters done; of what is passed at once the last is told. Only
        /// for those who asked for it, which is not done by reading the feed.
        JobProgress = 5 => "job.progress",
        /// All jobs of a batch have ended, and nobody sends more of them. Jobs that come later open it again, and it is
        /// finished once more.
        BatchFinished = 6 => "batch.finished",
        WorkflowApiSaved = 7 => "workflow_api.saved",
        WorkflowApiDeleted = 8 => "workflow_api.deleted",
        /// Somebody tries out whether events arrive.
        Test = 9 => "test",
    } else Test
}

/// What an event is about; each as far as there is one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct About {
    pub job: Option<JobId>,
    pub batch: Option<BatchId>,
    /// The version of the workflow API that a job ran.
    pub version: Option<WorkflowApiVersionId>,
    pub workflow_api: Option<WorkflowApiId>,
}

/// An event as it is written.
#[derive(Debug, Clone)]
pub struct NewEvent {
    pub kind: EventKind,
    /// Whose thing it is about, who alone can see it.
    pub user: UserId,
    pub about: About,
    /// A JSON object of a few hundred bytes, as the API shows it beside what it is about.
    pub data: String,
    pub at: DateTime<Utc>,
}

/// An event in the log.
#[derive(Debug, Clone)]
pub struct Event {
    pub id: EventId,
    /// Its place in the log, which has no other of that number and will never have one before it that was not there
    /// when this one could be seen.
    pub position: i64,
    pub kind: EventKind,
    pub user: UserId,
    pub about: About,
    pub data: Box<RawValue>,
    pub at: DateTime<Utc>,
}
