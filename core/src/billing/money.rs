//! Amounts of money. A currency is part of each amount, and none is converted.

use std::fmt;

use crate::language::grouped;
use crate::word_list::word_list;

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
