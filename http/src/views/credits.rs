//! Balances, grants and the statement.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use verdigraph_core::ledger::{Balance, Grant, GrantKind, LedgerEntry, LedgerEntryKind};
use verdigraph_core::users::Ceilings;

use crate::openapi::ToSchema;

/// A user's credits.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct BalanceView {
    /// Available for the next job.
    pub available: i64,
    /// Held by jobs that have not ended.
    pub held: i64,
}

/// Balance and grants.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreditView {
    #[serde(flatten)]
    pub balance: BalanceView,
    /// In spending order.
    pub grants: Vec<GrantView>,
    pub ceilings: CeilingsView,
    /// What was charged on this day of UTC.
    #[serde(rename = "spentToday")]
    pub spent_today: i64,
}

/// The most credits that a user wants to spend; `null`: no ceiling.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CeilingsView {
    /// On one run. A run that reaches it ends as `ExecutionTimeout`.
    #[schema(minimum = 1, maximum = 1_000_000_000_000_i64)]
    pub per_run: Option<i64>,
    /// On one day of UTC, with what active jobs hold. A submit beyond it is refused with `CREDIT_CEILING`, and a run that
    /// needs more ends as `ExecutionTimeout`.
    #[schema(minimum = 1, maximum = 1_000_000_000_000_i64)]
    pub per_day: Option<i64>,
}

impl From<Ceilings> for CeilingsView {
    fn from(Ceilings { run, day }: Ceilings) -> Self {
        Self { per_run: run, per_day: day }
    }
}

/// Credits granted together, with one expiry.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GrantView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// `Plan`, `Purchase`, `Operator` or `Coupon`.
    pub kind: &'static str,
    pub amount: i64,
    pub remaining: i64,
    pub held: i64,
    pub spent: i64,
    pub expired: i64,
    /// Taken back, for example by the refund of an order.
    pub debited: i64,
    pub issued_at: DateTime<Utc>,
    pub expires_at: Option<DateTime<Utc>>,
}

/// One line of the statement.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntryView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// `Grant`, `Hold`, `Capture`, `Release`, `Expire` or `Debit`.
    pub kind: &'static str,
    /// Always positive; the kind gives the direction.
    pub amount: i64,
    /// The available credits after it.
    pub balance_after: i64,
    pub job: Option<Uuid>,
    pub grant: Uuid,
    pub created_at: DateTime<Utc>,
}

impl From<Balance> for BalanceView {
    fn from(balance: Balance) -> Self {
        Self { available: balance.available, held: balance.held }
    }
}

impl From<Grant> for GrantView {
    fn from(grant: Grant) -> Self {
        let kind = match grant.kind {
            GrantKind::Plan => "Plan",
            GrantKind::Purchase => "Purchase",
            GrantKind::Operator => "Operator",
            GrantKind::Coupon => "Coupon",
        };
        Self {
            id: grant.id.0,
            kind,
            amount: grant.amount,
            remaining: grant.remaining,
            held: grant.held,
            spent: grant.spent,
            expired: grant.expired,
            debited: grant.debited,
            issued_at: grant.issued_at,
            expires_at: grant.expires_at,
        }
    }
}

/// The name of an entry's kind in the API.
pub fn entry_word(kind: LedgerEntryKind) -> &'static str {
    match kind {
        LedgerEntryKind::Grant => "Grant",
        LedgerEntryKind::Hold => "Hold",
        LedgerEntryKind::Capture => "Capture",
        LedgerEntryKind::Release => "Release",
        LedgerEntryKind::Expire => "Expire",
        LedgerEntryKind::Debit => "Debit",
    }
}

impl From<LedgerEntry> for EntryView {
    fn from(entry: LedgerEntry) -> Self {
        Self {
            id: entry.id.0,
            kind: entry_word(entry.kind),
            amount: entry.amount,
            balance_after: entry.balance_after,
            job: entry.job.map(|job| job.0),
            grant: entry.grant.0,
            created_at: entry.created_at,
        }
    }
}
