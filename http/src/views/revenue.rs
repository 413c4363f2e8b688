//! Revenue over time.

use chrono::NaiveDate;
use serde::Serialize;
use verdigraph_core::billing::{Revenue, RevenueRow};

use super::words::{CurrencyWord, PaymentProviderWord, ProductKindWord};
use crate::openapi::ToSchema;

/// Revenue of some periods.
#[derive(Debug, Serialize, ToSchema)]
pub struct RevenueView {
    /// The first days of all periods. The first period may begin before the range.
    pub periods: Vec<NaiveDate>,
    /// By period, provider, currency and kind; without empty ones.
    pub rows: Vec<RevenueRowView>,
}

impl From<Revenue> for RevenueView {
    fn from(revenue: Revenue) -> Self {
        Self { periods: revenue.starts, rows: revenue.rows.into_iter().map(RevenueRowView::from).collect() }
    }
}

/// Revenue of one period, provider, currency and kind. Amounts are in the smallest unit of the currency.
#[derive(Debug, Serialize, ToSchema)]
pub struct RevenueRowView {
    /// The first day of the period.
    pub period: NaiveDate,
    pub provider: PaymentProviderWord,
    pub currency: CurrencyWord,
    pub kind: ProductKindWord,
    /// Orders that were paid in the period.
    pub orders: i64,
    pub paid: i64,
    /// What the provider gave back in the period, also of earlier orders.
    pub refunded: i64,
    /// `paid` without `refunded`; it can be negative.
    pub net: i64,
}

impl From<RevenueRow> for RevenueRowView {
    fn from(row: RevenueRow) -> Self {
        Self {
            period: row.start,
            provider: row.provider.into(),
            currency: row.currency.into(),
            kind: row.kind.into(),
            orders: row.orders,
            paid: row.paid,
            refunded: row.refunded,
            net: row.net(),
        }
    }
}
