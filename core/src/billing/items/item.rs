//! What is sold.

use chrono::{DateTime, Utc};

use crate::billing::money::{Currency, Money};
use crate::ids::ShopItemId;

/// A pack of credits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShopItem {
    pub id: ShopItemId,
    pub name: String,
    pub credits: i64,
    pub prices: Prices,
    /// Whether it is offered.
    pub is_active: bool,
    pub created_at: DateTime<Utc>,
}

/// Prices in the smallest units; `None`: not sold in this currency.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Prices {
    pub krw: Option<i64>,
    pub usd: Option<i64>,
}

impl Prices {
    #[must_use]
    pub fn in_currency(&self, currency: Currency) -> Option<Money> {
        let amount = match currency {
            Currency::Krw => self.krw,
            Currency::Usd => self.usd,
        };
        amount.map(|amount| Money { amount, currency })
    }
}

/// An item to create.
#[derive(Debug, Clone)]
pub struct NewShopItem {
    pub name: String,
    pub credits: i64,
    pub prices: Prices,
    pub is_active: bool,
}

/// A change of an item; `None` keeps what is there.
#[derive(Debug, Clone, Default)]
pub struct ShopItemChange {
    pub name: Option<String>,
    pub credits: Option<i64>,
    pub prices: Option<Prices>,
    pub is_active: Option<bool>,
}
