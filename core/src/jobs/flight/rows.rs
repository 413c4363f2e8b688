//! Rows of jobs that are committed together with credits.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use crate::fleet::Undelivered;
use crate::gallery::NewOutputAsset;
use crate::ids::{BatchId, JobId, NodeId, UserId, WorkflowApiVersionId};
use crate::jobs::flight::transitions::WriteTicket;
use crate::jobs::price_classes::class::Promotion;
use crate::jobs::status::{Lane, Status};

/// A new job.
#[derive(Debug, Clone)]
pub(in crate::jobs) struct AcceptedRow {
    pub id: JobId,
    pub user: UserId,
    pub lane: Lane,
    pub pool: String,
    /// Hash of the needs.
    pub needs: String,
    pub vstart: i64,
    pub version: Option<WorkflowApiVersionId>,
    pub prompt_hash: Option<String>,
    /// JSON, serialized before the post, because all posts share the ledger's lane.
    pub form: Option<String>,
    pub seeds: Option<String>,
    pub files: Option<String>,
    pub extra_data: Option<String>,
    /// The errors of omitted outputs.
    pub node_errors: Option<Value>,
    pub strict: bool,
    pub rate: i64,
    /// The part of the rate that it costs.
    pub percent: i16,
    pub max_run_ms: i64,
    /// The most that it may cost, if its submit says so.
    pub max_credits: Option<i64>,
    pub deadline: Option<DateTime<Utc>>,
    /// Of a job in the lane flex.
    pub promotion: Option<Promotion>,
    pub estimate_ms: i64,
    pub created_at: DateTime<Utc>,
    pub batch: Option<BatchId>,
    pub labels: Option<Value>,
    /// Idempotency key and the hash of its request.
    pub key: Option<(String, String)>,
}

/// The idempotency key was used before.
#[derive(Debug)]
pub(in crate::jobs) struct KeyTaken;

/// The right to write to the row of a job in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) struct Lease {
    pub job: JobId,
    pub node: NodeId,
    pub attempt: i16,
}

/// The row has another lease, or the job has ended.
#[derive(Debug)]
pub(in crate::jobs) struct LeaseLost;

/// A job in flight gets another status, or goes back into the queue.
#[derive(Debug, Clone)]
pub(in crate::jobs) struct TransitionRow {
    pub lease: Lease,
    /// `Connected`, `Running`, or `Pending` for another try.
    pub status: Status,
    /// Set by the first row of a running job.
    pub started_at: Option<DateTime<Utc>>,
    /// The earliest time of the next claim.
    pub not_before: Option<DateTime<Utc>>,
    /// The new needs of a job that its worker refused although it meets the old ones.
    pub needs: Option<String>,
    /// Whether the prompt had not begun, so that the attempt spends no try.
    pub withdrawn: bool,
    pub ticket: WriteTicket,
}

impl TransitionRow {
    pub fn new(lease: Lease, status: Status) -> Self {
        let ticket = WriteTicket::default();
        Self { lease, status, started_at: None, not_before: None, needs: None, withdrawn: false, ticket }
    }
}

/// A job in flight ends, with its outputs.
#[derive(Debug, Clone)]
pub(in crate::jobs) struct EndedRow {
    pub lease: Lease,
    pub status: Status,
    pub at: DateTime<Utc>,
    /// Set where no earlier row has it.
    pub started_at: Option<DateTime<Utc>>,
    pub ran_ms: i64,
    pub credits_used: i64,
    pub execute: Option<Value>,
    pub validate: Option<Value>,
    /// The errors of outputs that the worker omitted.
    pub node_errors: Option<Value>,
    pub outputs: Vec<NewOutput>,
}

impl EndedRow {
    /// The end of a job without a run to charge.
    pub fn uncharged(lease: Lease, status: Status, at: DateTime<Utc>, message: Option<&str>) -> Self {
        Self {
            lease,
            status,
            at,
            started_at: None,
            ran_ms: 0,
            credits_used: 0,
            execute: None,
            validate: message.map(|message| json!({ "message": message })),
            node_errors: None,
            outputs: Vec::new(),
        }
    }
}

/// One piece of an output, in the order of the job's outputs.
#[derive(Debug, Clone)]
pub(in crate::jobs) struct NewOutput {
    pub position: i32,
    pub node_id: String,
    /// The name of the output type.
    pub kind: String,
    pub piece: NewPiece,
}

#[derive(Debug, Clone)]
pub(in crate::jobs) enum NewPiece {
    Text(String),
    File(Box<NewOutputAsset>),
    Undelivered(Undelivered),
}

/// A waiting job ends.
#[derive(Debug, Clone)]
pub(in crate::jobs) struct UnclaimedRow {
    pub job: JobId,
    pub status: Status,
    pub validate: Option<Value>,
    pub ended_at: DateTime<Utc>,
}
