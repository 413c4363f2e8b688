//! Lines of the history of orders, and which of them a list has.

use chrono::NaiveDate;

use super::given::{GivenOrder, OrderProvider, PaymentType};
use crate::billing::items::ProductKind;
use crate::billing::orders::order::{Order, OrderRefund, OrderStatus, OrderWithRefunds};
use crate::ids::{OrderId, UserId};

/// One line of the history of orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HistoryOrder {
    Bought(Box<Order>),
    Given(GivenOrder),
}

impl HistoryOrder {
    #[must_use]
    pub fn id(&self) -> OrderId {
        match self {
            Self::Bought(order) => order.id,
            Self::Given(given) => given.id,
        }
    }

    #[must_use]
    pub fn user(&self) -> UserId {
        match self {
            Self::Bought(order) => order.user,
            Self::Given(given) => given.user,
        }
    }

    /// The order of a payment.
    #[must_use]
    pub fn bought(&self) -> Option<&Order> {
        match self {
            Self::Bought(order) => Some(order),
            Self::Given(_) => None,
        }
    }
}

impl From<Order> for HistoryOrder {
    fn from(order: Order) -> Self {
        Self::Bought(Box::new(order))
    }
}

/// A line of the history as admins see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryLine {
    pub order: HistoryOrder,
    /// Newest last. What was given has none.
    pub refunds: Vec<OrderRefund>,
}

impl From<OrderWithRefunds> for HistoryLine {
    fn from(found: OrderWithRefunds) -> Self {
        Self { order: found.order.into(), refunds: found.refunds }
    }
}

/// Which orders a list has. Days are in UTC and inclusive.
#[derive(Debug, Clone, Copy, Default)]
pub struct OrderFilter<'a> {
    pub kind: Option<ProductKind>,
    pub status: Option<OrderStatus>,
    pub payment_type: Option<PaymentType>,
    pub provider: Option<OrderProvider>,
    /// A part of the buyer's address, or an id of an order.
    pub search: Option<&'a str>,
    pub from: Option<NaiveDate>,
    pub until: Option<NaiveDate>,
}
