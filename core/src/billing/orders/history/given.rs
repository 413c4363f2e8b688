//! What users got without a payment, as the history of their orders has it: by a coupon, or from an admin.
//!
//! No provider knows it, so it has no row in `orders`: nothing charges, refunds or sums it up.

use chrono::{DateTime, Utc};

use crate::billing::items::ProductKind;
use crate::billing::providers::ProviderName;
use crate::ids::{OrderId, UserId};
use crate::word_list::word_list;

word_list! {
    /// How a user got something.
    pub enum PaymentType for "type" {
        /// With money.
        Payment,
        Coupon,
        /// From an admin.
        Free,
    }
}

word_list! {
    /// Where an order was paid, or what gave it without a payment.
    pub enum OrderProvider for "provider" { Test, PayPal, TossPayments, Coupon, Free }
}

impl OrderProvider {
    #[must_use]
    pub fn payment_type(self) -> PaymentType {
        match self {
            Self::Test | Self::PayPal | Self::TossPayments => PaymentType::Payment,
            Self::Coupon => PaymentType::Coupon,
            Self::Free => PaymentType::Free,
        }
    }
}

impl From<ProviderName> for OrderProvider {
    fn from(provider: ProviderName) -> Self {
        match provider {
            ProviderName::Test => Self::Test,
            ProviderName::PayPal => Self::PayPal,
            ProviderName::TossPayments => Self::TossPayments,
        }
    }
}

/// Something that a user got without a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenOrder {
    /// Of the use of the coupon, or of the admin's act in the audit log.
    pub id: OrderId,
    pub user: UserId,
    pub provider: OrderProvider,
    /// The coupon's, or the plan's.
    pub name: String,
    /// The code of the coupon as it is shown.
    pub code: Option<String>,
    /// 0 for a plan: its credits come as those of any plan do.
    pub credits: i64,
    pub plan: Option<String>,
    /// When the plan or the credits began: days of a plan that was given already begin at its end.
    pub from: DateTime<Utc>,
    /// When the plan ends or the credits expire; `None`: never.
    pub until: Option<DateTime<Utc>>,
    pub given_at: DateTime<Utc>,
}

impl GivenOrder {
    #[must_use]
    pub fn kind(&self) -> ProductKind {
        if self.plan.is_some() { ProductKind::Subscription } else { ProductKind::Credit }
    }
}
