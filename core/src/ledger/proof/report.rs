use chrono::{DateTime, Utc};
use serde::Serialize;

/// Result of an audit. The ledger is correct exactly if `differences` is empty.
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
    pub debited: i64,
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

/// Result of an incremental audit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncrementalAudit {
    /// When the last full audit ended.
    pub full_audit_at: DateTime<Utc>,
    /// When the previous audit ended.
    pub since: DateTime<Utc>,
    /// Accounts that changed since their last proof.
    pub moved: u64,
    /// How many of these were audited from their first entry.
    pub reproved: u64,
    /// Entries read since the last proofs.
    pub read: u64,
    /// Sums over all proofs; holds are not counted.
    pub report: Reconciliation,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Audit {
    Full(Reconciliation),
    Incremental(IncrementalAudit),
}

impl Audit {
    #[must_use]
    pub fn report(&self) -> &Reconciliation {
        match self {
            Self::Full(report) | Self::Incremental(IncrementalAudit { report, .. }) => report,
        }
    }
}
