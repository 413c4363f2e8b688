//! What audits come to.

use chrono::{DateTime, Utc};
use serde::Serialize;

/// What an audit found. Money is right exactly when `differences` is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reconciliation {
    pub accounts: i64,
    pub grants: i64,
    pub holds: i64,
    pub entries: i64,
    /// Sums over everything, in credits.
    pub granted: i64,
    pub available: i64,
    pub held: i64,
    pub spent: i64,
    pub expired: i64,
    /// One sentence each, at most 100 per kind.
    pub differences: Vec<String>,
}

impl Reconciliation {
    /// Whether everything adds up.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.differences.is_empty()
    }
}

/// What an audit found that went on from the proofs before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// When everything was last proved from the beginning; what was proved then or since is taken as it was proved.
    pub from_the_beginning_at: DateTime<Utc>,
    /// When the audit before this one ended.
    pub since: DateTime<Utc>,
    /// Accounts that have moved since their last proof, and of these how many had to be proved from their beginning.
    pub moved: u64,
    pub anew: u64,
    /// Entries that were read beyond the last proofs.
    pub read: u64,
    /// Sums over all proofs; the holds are not counted.
    pub report: Reconciliation,
}

/// What an audit came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Audit {
    FromTheBeginning(Reconciliation),
    Since(Progress),
}

impl Audit {
    /// What was found, either way.
    #[must_use]
    pub fn report(&self) -> &Reconciliation {
        match self {
            Self::FromTheBeginning(report) | Self::Since(Progress { report, .. }) => report,
        }
    }
}
