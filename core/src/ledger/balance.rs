//! The balance of an account.

use serde::Serialize;

/// The maximum credits of an account, available and held together. JSON numbers can carry it, and sums over all
/// accounts stay far below 64 bits.
pub const MAX_BALANCE: i64 = 1_000_000_000_000_000;

/// A balance in credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Balance {
    /// Free to be held by the next job.
    pub available: i64,
    /// Held by jobs that have not ended.
    pub held: i64,
}
