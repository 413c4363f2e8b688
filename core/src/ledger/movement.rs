//! What can be done to the credits of an account.

use chrono::{DateTime, Utc};

use super::grant::GrantKind;
use crate::ids::JobId;

/// What shall happen to the credits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Movement {
    /// Nothing; only the attached row is committed.
    None,
    /// A new lot. Repeating a source changes nothing.
    Grant { kind: GrantKind, source: String, amount: i64, expires_at: Option<DateTime<Utc>> },
    /// Holds `want` credits for a job, or what there is down to `at_least`.
    Hold { job: JobId, want: i64, at_least: i64 },
    /// Holds `by` more for a job whose hold is still open; all or nothing.
    Extend { job: JobId, by: i64 },
    /// Captures `used` (at most what is held and, beyond that, available) and gives the rest back.
    Settle { job: JobId, used: i64 },
    /// Lets every lot expire whose time has come.
    Expire,
}

impl Movement {
    /// The job whose hold the movement needs or makes.
    pub(super) fn job(&self) -> Option<JobId> {
        match self {
            Self::Hold { job, .. } | Self::Extend { job, .. } | Self::Settle { job, .. } => Some(*job),
            Self::None | Self::Grant { .. } | Self::Expire => None,
        }
    }
}
