//! What an account has.

use serde::Serialize;

/// The most credits that an account has, available and held together: numbers of JSON carry them, and the sums of all
/// accounts stay far from where 64 bits end.
pub const MAX_BALANCE: i64 = 1_000_000_000_000_000;

/// What a person has, in credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Balance {
    /// Free to be held by the next job.
    pub available: i64,
    /// Held by jobs that have not ended.
    pub held: i64,
}
