use chrono::{DateTime, Utc};

use super::grant::{GrantKind, NewGrant};
use crate::ids::JobId;

/// A change of an account's credits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Movement {
    /// No change; only the attached row is committed.
    None,
    /// A new lot. Repeating a source changes nothing.
    Grant { kind: GrantKind, source: String, amount: i64, expires_at: Option<DateTime<Utc>> },
    /// Several new lots; all or nothing. If one of their sources has granted before, nothing changes.
    Grants(Vec<NewGrant>),
    /// Holds `want` credits for a job, or fewer down to `at_least`. `day_ceiling` is the most that the account spends and
    /// holds on one day.
    Hold { job: JobId, want: i64, at_least: i64, day_ceiling: Option<i64> },
    /// Holds `by` more credits for a job with an open hold, or as many as are left: the run goes on for what they pay.
    Extend { job: JobId, by: i64, day_ceiling: Option<i64> },
    /// Captures `used` credits, from the hold and then from available credits, and releases the rest of the hold.
    Settle { job: JobId, used: i64 },
    /// Takes back `amount` available credits of the lot of this source; all or nothing. Nothing here makes it unique: a
    /// debit that must happen once has an attached row that is refused the second time.
    Debit { source: String, amount: i64 },
    /// Like [`Movement::Debit`] for several lots, as sources and amounts; all or nothing.
    Debits(Vec<(String, i64)>),
    /// Writes off all expired lots.
    Expire,
}

impl Movement {
    /// The job whose hold the movement changes or creates.
    pub(super) fn job(&self) -> Option<JobId> {
        match self {
            Self::Hold { job, .. } | Self::Extend { job, .. } | Self::Settle { job, .. } => Some(*job),
            Self::None | Self::Grant { .. } | Self::Grants(_) | Self::Debit { .. } | Self::Debits(_) | Self::Expire => {
                None
            }
        }
    }

    /// The sources of the lots that the movement creates.
    pub(super) fn granted(&self) -> Vec<&str> {
        match self {
            Self::Grant { source, .. } => vec![source],
            Self::Grants(lots) => lots.iter().map(|lot| lot.source.as_str()).collect(),
            _ => Vec::new(),
        }
    }
}
