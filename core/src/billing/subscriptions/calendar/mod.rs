//! The calendar of charges: what subscriptions bring on each day of a month.

mod store;

use std::collections::HashMap;

use chrono::{Days, Months, NaiveDate, NaiveTime};

use crate::billing::money::Currency;
use crate::billing::text::word;
use crate::{Caller, Core, Result};

/// Charges of one day in one currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChargeSum {
    pub currency: Currency,
    pub count: i64,
    pub amount: i64,
}

/// What is charged on one day of UTC.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargeDay {
    pub day: NaiveDate,
    /// Charges of subscriptions that go on.
    pub planned: Vec<ChargeSum>,
    pub paid: Vec<ChargeSum>,
    /// Orders that failed.
    pub failed: i64,
}

/// What is charged on each day of a month. Each subscription that goes on is planned to be charged once in a later month.
///
/// # Errors
/// [`crate::Error::LoginRequired`] or [`crate::Error::Forbidden`] if the caller is no admin.
pub async fn calendar(core: &Core, caller: &Caller, month: NaiveDate) -> Result<Vec<ChargeDay>> {
    caller.must_be_admin()?.read_only();
    let next = month.checked_add_months(Months::new(1)).unwrap_or(NaiveDate::MAX);
    let begin = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc();
    let mut days: HashMap<NaiveDate, ChargeDay> = HashMap::new();
    let empty = |day| ChargeDay { day, planned: Vec::new(), paid: Vec::new(), failed: 0 };
    for row in store::days(&core.db, begin(month), begin(next)).await? {
        let day = days.entry(row.day).or_insert_with(|| empty(row.day));
        let sum = ChargeSum { currency: word(&row.currency)?, count: row.count, amount: row.amount };
        match row.kind.as_str() {
            "planned" => day.planned.push(sum),
            "paid" => day.paid.push(sum),
            _ => day.failed += row.count,
        }
    }
    let all = (0..31).filter_map(|day| month.checked_add_days(Days::new(day))).take_while(|day| *day < next);
    Ok(all.map(|day| days.remove(&day).unwrap_or_else(|| empty(day))).collect())
}
