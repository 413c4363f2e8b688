//! What is sold.

use chrono::{DateTime, Utc};

use crate::billing::money::{Currency, Money};
use crate::ids::ShopItemId;
use crate::word_list::word_list;

/// A pack of credits, or a plan that is paid by the month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShopItem {
    pub id: ShopItemId,
    pub name: String,
    pub product: Product,
    pub prices: Prices,
    /// Whether it is offered.
    pub is_active: bool,
    pub created_at: DateTime<Utc>,
}

word_list! {
    /// The kind of what is sold.
    pub enum ProductKind for "kind" { Credit, Subscription }
}

/// What an item gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Product {
    /// So many credits, once.
    Credit(i64),
    /// A month of a plan of the settings, by name, and the next ones.
    Subscription(String),
}

impl Product {
    #[must_use]
    pub fn kind(&self) -> ProductKind {
        match self {
            Self::Credit(_) => ProductKind::Credit,
            Self::Subscription(_) => ProductKind::Subscription,
        }
    }

    /// The credits of a pack.
    #[must_use]
    pub fn credits(&self) -> Option<i64> {
        match self {
            Self::Credit(credits) => Some(*credits),
            Self::Subscription(_) => None,
        }
    }

    /// The plan of a subscription.
    #[must_use]
    pub fn plan(&self) -> Option<&str> {
        match self {
            Self::Credit(_) => None,
            Self::Subscription(plan) => Some(plan),
        }
    }
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
    pub product: Product,
    pub prices: Prices,
    pub is_active: bool,
}

/// A change of an item; `None` keeps what is there.
#[derive(Debug, Clone, Default)]
pub struct ShopItemChange {
    pub name: Option<String>,
    pub product: Option<Product>,
    pub prices: Option<Prices>,
    pub is_active: Option<bool>,
}
