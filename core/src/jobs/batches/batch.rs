//! Batches and their status.

use chrono::{DateTime, Utc};

use crate::ids::{BatchId, UserId};
use crate::jobs::status::Status;

/// Jobs of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    pub id: BatchId,
    pub user: UserId,
    /// The idempotency key: an upload with the same key continues the batch.
    pub key: Option<String>,
    pub created_at: DateTime<Utc>,
    /// No job is accepted after this.
    pub cancel_requested_at: Option<DateTime<Utc>>,
    /// When its last job had ended and no upload was under way.
    pub finished_at: Option<DateTime<Utc>>,
}

/// The jobs of a batch in one status.
pub(in crate::jobs) struct StatusCount {
    pub status: Status,
    pub count: i64,
    pub first_started_at: Option<DateTime<Utc>>,
    pub last_ended_at: Option<DateTime<Utc>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchStatus {
    pub batch: Batch,
    /// The number of jobs by status, without zeros.
    pub counts: Vec<(Status, i64)>,
    pub first_started_at: Option<DateTime<Utc>>,
    pub last_ended_at: Option<DateTime<Utc>>,
}

impl BatchStatus {
    pub(in crate::jobs) fn of(batch: Batch, counts: Vec<StatusCount>) -> Self {
        Self {
            batch,
            first_started_at: counts.iter().filter_map(|count| count.first_started_at).min(),
            last_ended_at: counts.iter().filter_map(|count| count.last_ended_at).max(),
            counts: counts.into_iter().map(|count| (count.status, count.count)).collect(),
        }
    }

    #[must_use]
    pub fn total(&self) -> i64 {
        self.counts.iter().map(|(_, count)| count).sum()
    }

    /// The number of unfinished jobs.
    #[must_use]
    pub fn active(&self) -> i64 {
        self.counts.iter().filter(|(status, _)| !status.is_terminal()).map(|(_, count)| count).sum()
    }
}
