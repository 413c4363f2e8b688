//! Amounts of money. A currency is part of each amount, and none is converted.

use std::fmt;

use serde_json::json;

use crate::language::grouped;
use crate::word_list::word_list;
use crate::{Code, Error, Result};

word_list! {
    /// A currency of the shop.
    pub enum Currency for "currency" {
        /// Won; the smallest unit is one won.
        Krw => "KRW",
        /// US dollars; the smallest unit is a cent.
        Usd => "USD",
    }
}

impl Currency {
    /// The least amount that a card is charged with.
    #[must_use]
    pub const fn least_charge(self) -> i64 {
        match self {
            Self::Krw => 100,
            Self::Usd => 50,
        }
    }

    /// Whether its plans are charged to saved cards. PayPal charges those of other currencies by its own calendar, and the
    /// test provider stands for both.
    #[must_use]
    pub(super) const fn has_saved_cards(self) -> bool {
        matches!(self, Self::Krw)
    }
}

/// An amount in the smallest unit of its currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Money {
    pub amount: i64,
    pub currency: Currency,
}

/// As a mail in any language has it: `₩9,900`, `US$6.99`.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.currency {
            Currency::Krw => write!(f, "₩{}", grouped(self.amount)),
            Currency::Usd => write!(f, "US${}.{:02}", grouped(self.amount / 100), self.amount % 100),
        }
    }
}

impl Money {
    /// So many percent less, rounded down in the smallest unit, but never below the least charge of the currency.
    #[must_use]
    pub fn less_percent(self, percent: i32) -> Self {
        let left = i128::from(self.amount) * i128::from((100 - percent).clamp(0, 100)) / 100;
        let amount = i64::try_from(left).unwrap_or(self.amount).max(self.currency.least_charge());
        Self { amount: amount.min(self.amount), ..self }
    }

    /// Checks that the buyer has seen this price.
    ///
    /// # Errors
    /// [`Error::ConflictWith`] with `PRICE_CHANGED`, `amount` and `currency`.
    pub(super) fn must_be_shown(self, shown: i64) -> Result<()> {
        if self.amount == shown {
            return Ok(());
        }
        Err(Error::ConflictWith {
            code: Code::PriceChanged,
            message: format!("the price is now {} {}", self.amount, self.currency.name()),
            details: json!({ "amount": self.amount, "currency": self.currency.name() }),
        })
    }
}

word_list! {
    /// Where a buyer's bills go. It decides the currency, and thereby the provider.
    pub enum BillingCountry for "country" {
        /// The Republic of Korea.
        Korea => "KR",
        Other,
    }
}

impl BillingCountry {
    #[must_use]
    pub fn currency(self) -> Currency {
        match self {
            Self::Korea => Currency::Krw,
            Self::Other => Currency::Usd,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discounts_are_rounded_down_and_leave_the_least_charge() {
        let won = |amount| Money { amount, currency: Currency::Krw };
        let cents = |amount| Money { amount, currency: Currency::Usd };
        for (list, percent, price) in [
            (won(9_900), 10, won(8_910)),
            (won(9_999), 15, won(8_499)),
            (won(100), 90, won(100)),
            (won(1_001), 90, won(100)),
            (cents(699), 33, cents(468)),
            (cents(60), 50, cents(50)),
            (won(1_000_000_000), 1, won(990_000_000)),
        ] {
            assert_eq!(list.less_percent(percent), price, "{percent} % less than {list:?}");
        }
    }
}
