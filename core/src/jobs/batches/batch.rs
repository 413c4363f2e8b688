//! A batch, and how far it is.

use chrono::{DateTime, Utc};

use crate::ids::{BatchId, UserId};
use crate::jobs::status::Status;

/// Jobs that were sent in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    pub id: BatchId,
    pub user: UserId,
    /// What its owner calls it: the same key goes on with the same batch.
    pub key: Option<String>,
    pub created_at: DateTime<Utc>,
    /// Nothing is accepted from then on.
    pub cancel_requested_at: Option<DateTime<Utc>>,
    /// When its last job had ended and nobody was sending more; `None` while it goes on.
    pub finished_at: Option<DateTime<Utc>>,
}

/// The jobs of a batch in one status.
pub(in crate::jobs) struct StatusCount {
    pub status: Status,
    pub count: i64,
    pub first_started_at: Option<DateTime<Utc>>,
    pub last_ended_at: Option<DateTime<Utc>>,
}

/// How far a batch is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchStatus {
    pub batch: Batch,
    /// The statuses that occur, and how many of its jobs are in each.
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

    /// All of its jobs.
    #[must_use]
    pub fn total(&self) -> i64 {
        self.counts.iter().map(|(_, count)| count).sum()
    }

    /// Jobs that wait or run.
    #[must_use]
    pub fn active(&self) -> i64 {
        self.counts.iter().filter(|(status, _)| !status.is_terminal()).map(|(_, count)| count).sum()
    }
}
