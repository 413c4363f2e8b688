//! A grant: credits of one source, and what became of them.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::ids::GrantId;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[repr(i16)]
pub enum GrantKind {
    /// A plan's monthly allowance.
    Plan = 0,
    /// Bought in the shop.
    Purchase = 1,
    /// Given by an operator.
    Operator = 2,
    Coupon = 3,
}

/// A lot of credits with one expiry. `amount = remaining + held + spent + expired + debited`, always.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    pub id: GrantId,
    pub kind: GrantKind,
    /// Names what the grant is for (`plan:2026-11`); one source grants once.
    pub source: String,
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

impl Grant {
    /// Credits that can be used at this time. An expired lot has none, even before it is written off.
    #[must_use]
    pub fn available_at(&self, now: DateTime<Utc>) -> i64 {
        if self.expires_at.is_none_or(|at| at > now) { self.remaining } else { 0 }
    }
}

/// A lot to be granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGrant {
    pub kind: GrantKind,
    /// Names what it is for; one source grants once per account.
    pub source: String,
    pub amount: i64,
    pub expires_at: Option<DateTime<Utc>>,
}
