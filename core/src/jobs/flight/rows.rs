//! What is written of jobs together with credits.

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::fleet::Undelivered;
use crate::gallery::NewOutputAsset;
use crate::ids::{BatchId, JobId, NodeId, UserId, WorkflowApiVersionId};
use crate::jobs::flight::moves::Ticket;
use crate::jobs::status::{Lane, Status};

/// A job that is accepted.
#[derive(Debug, Clone)]
pub(in crate::jobs) struct Accepted {
    pub id: JobId,
    pub user: UserId,
    pub lane: Lane,
    pub pool: String,
    /// Hash of what a worker must have.
    pub needs: String,
    pub vstart: i64,
    pub version: Option<WorkflowApiVersionId>,
    pub prompt_hash: Option<String>,
    /// JSON texts, written by whoever submits: the ledger's lane, which all pass, has the least to do then.
    pub form: Option<String>,
    pub seeds: Option<String>,
    pub files: Option<String>,
    pub extra_data: Option<String>,
    /// What is wrong with outputs that are left out.
    pub node_errors: Option<Value>,
    pub strict: bool,
    pub rate: i64,
    pub max_run_ms: i64,
    pub estimate_ms: i64,
    pub created_at: DateTime<Utc>,
    /// The batch that it was sent in.
    pub batch: Option<BatchId>,
    /// Idempotency key and the hash of the request it came with.
    pub key: Option<(String, String)>,
}

/// The idempotency key was used before.
#[derive(Debug)]
pub(in crate::jobs) struct KeyTaken;

/// Who may write about a job in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) struct Lease {
    pub job: JobId,
    pub node: NodeId,
    pub attempt: i16,
}

/// The row says that somebody else has the job, or that it has ended.
#[derive(Debug)]
pub(in crate::jobs) struct LeaseLost;

/// A job in flight moves on, or back into the queue.
#[derive(Debug, Clone)]
pub(in crate::jobs) struct Moved {
    pub lease: Lease,
    /// `Connected`, `Running`, or `Pending` for another try.
    pub status: Status,
    /// When it began to run, where it has since the last write.
    pub started_at: Option<DateTime<Utc>>,
    /// Another try is not made before this.
    pub not_before: Option<DateTime<Utc>>,
    /// What it needs from now on, where a worker did not take it that should have.
    pub needs: Option<String>,
    /// This attempt was taken back before it began, and is none of its tries.
    pub withdrawn: bool,
    /// Whether it was taken back before it was written.
    pub ticket: Ticket,
}

/// A job in flight ends, with its outputs.
#[derive(Debug, Clone)]
pub(in crate::jobs) struct Ended {
    pub lease: Lease,
    pub status: Status,
    pub at: DateTime<Utc>,
    /// When it began to run, where no row says so yet.
    pub started_at: Option<DateTime<Utc>>,
    pub ran_ms: i64,
    pub credits_used: i64,
    pub execute: Option<Value>,
    pub validate: Option<Value>,
    /// What the worker said of outputs that it left out.
    pub node_errors: Option<Value>,
    pub outputs: Vec<NewOutput>,
}

/// One piece of an output, in the order of the job's outputs.
#[derive(Debug, Clone)]
pub(in crate::jobs) struct NewOutput {
    pub position: i32,
    pub node_id: String,
    /// An output type's word.
    pub kind: String,
    pub piece: NewPiece,
}

/// A text, a file that is kept in the gallery, or a note about what is neither.
#[derive(Debug, Clone)]
pub(in crate::jobs) enum NewPiece {
    Text(String),
    File(Box<NewOutputAsset>),
    Undelivered(Undelivered),
}

/// A waiting job ends without ever having been claimed.
#[derive(Debug, Clone)]
pub(in crate::jobs) struct Unclaimed {
    pub job: JobId,
    pub status: Status,
    pub validate: Option<Value>,
    pub ended_at: DateTime<Utc>,
}
