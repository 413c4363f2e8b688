use chrono::{DateTime, Utc};
use serde_json::value::RawValue;

use crate::ids::{BatchId, EventId, JobId, UserId, WorkflowApiId, WorkflowApiVersionId};
use crate::word_list::word_list;

word_list! {
    #[repr(i16)]
    pub enum EventKind for "type" {
        /// A job was accepted.
        JobCreated = 0 => "job.created",
        /// A worker started the job. A retry sends this again.
        JobStarted = 1 => "job.started",
        /// The job succeeded, and its outputs are stored.
        JobDone = 2 => "job.done",
        /// The job ended in any other way than success or cancellation.
        JobFailed = 3 => "job.failed",
        /// The owner canceled the job.
        JobCanceled = 4 => "job.canceled",
        /// An attempt is at 25, 50 or 75 percent; if several are passed at once, only the last is sent. Only written
        /// for users with a webhook for it; reading the feed does not subscribe.
        JobProgress = 5 => "job.progress",
        /// All jobs of a batch have ended and its owner sends no more. Later jobs reopen the batch, and it finishes
        /// again.
        BatchFinished = 6 => "batch.finished",
        WorkflowApiSaved = 7 => "workflow_api.saved",
        WorkflowApiDeleted = 8 => "workflow_api.deleted",
        /// A test that the owner of a webhook requested.
        Test = 9 => "test",
    } else Test
}

/// The things that an event is about, if any.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EventSubject {
    pub job: Option<JobId>,
    pub batch: Option<BatchId>,
    /// The version of the workflow API that a job ran.
    pub version: Option<WorkflowApiVersionId>,
    /// The one that changed, or that all jobs of a batch ran.
    pub workflow_api: Option<WorkflowApiId>,
}

#[derive(Debug, Clone)]
pub struct NewEvent {
    pub kind: EventKind,
    /// The owner of the subject; only the owner sees the event.
    pub user: UserId,
    pub about: EventSubject,
    /// A JSON object of a few hundred bytes; the API merges it into the event's `data`.
    pub data: String,
    pub at: DateTime<Utc>,
}

#[derive(Debug, Clone)]
pub struct Event {
    pub id: EventId,
    /// Its unique position in the log. No event appears at a lower position after this one is visible.
    pub position: i64,
    pub kind: EventKind,
    pub user: UserId,
    pub about: EventSubject,
    pub data: Box<RawValue>,
    pub at: DateTime<Utc>,
}
