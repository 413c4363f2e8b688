//! Revenue over time. A payment counts when it was taken, and a refund when the provider gave the money back, so a period
//! can have a negative net amount.

mod store;
#[cfg(test)]
mod tests;

use chrono::NaiveDate;

use super::items::ProductKind;
use super::money::Currency;
use super::providers::ProviderName;
use super::text::word;
use crate::periods::Periods;
use crate::{Caller, Core, Result};

/// Revenue of some periods.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revenue {
    /// The first days of all periods, also of those without revenue. The first period may begin before the range.
    pub starts: Vec<NaiveDate>,
    /// By period, provider, currency and kind, without empty ones.
    pub rows: Vec<RevenueRow>,
}

/// Revenue of one period, provider, currency and kind of what was sold. Amounts are in the smallest unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevenueRow {
    /// The first day of the period.
    pub start: NaiveDate,
    pub provider: ProviderName,
    pub currency: Currency,
    pub kind: ProductKind,
    /// Orders that were paid.
    pub orders: i64,
    pub paid: i64,
    pub refunded: i64,
}

impl RevenueRow {
    #[must_use]
    pub fn net(&self) -> i64 {
        self.paid - self.refunded
    }
}

/// The revenue of these periods.
///
/// # Errors
/// [`crate::Error::LoginRequired`] or [`crate::Error::Forbidden`] if the caller is no admin.
pub async fn of_periods(core: &Core, caller: &Caller, periods: &Periods) -> Result<Revenue> {
    caller.must_be_admin()?.read_only();
    let mut rows = Vec::new();
    for row in store::sums(&core.db, periods).await? {
        rows.push(RevenueRow {
            start: row.at.date_naive(),
            provider: word(&row.provider)?,
            currency: word(&row.currency)?,
            kind: if row.is_subscription { ProductKind::Subscription } else { ProductKind::Credit },
            orders: row.orders,
            paid: row.paid,
            refunded: row.refunded,
        });
    }
    Ok(Revenue { starts: periods.starts().to_vec(), rows })
}
