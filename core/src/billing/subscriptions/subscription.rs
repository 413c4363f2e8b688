//! A plan that a user pays by the month.

use chrono::{DateTime, NaiveDate, Utc};

use crate::billing::methods::PaymentMethod;
use crate::billing::money::Money;
use crate::billing::orders::Order;
use crate::ids::{OrderId, ShopItemId, SubscriptionId, UserId};
use crate::word_list::word_list;

word_list! {
    /// The state of a subscription; see `state`.
    pub enum SubscriptionStatus for "status" {
        /// The first payment is under way.
        Pending,
        Active,
        /// A period has ended, and its next one is not paid.
        PastDue,
        Ended,
    }
}

word_list! {
    /// What pays a subscription.
    pub enum PaidWith for "paidWith" {
        /// A saved card, which the platform charges.
        Card,
        /// PayPal, which charges the buyer by its own calendar.
        PayPal,
    }
}

word_list! {
    /// Why a subscription ended.
    pub enum EndReason for "reason" {
        Canceled,
        /// The charges of a period failed.
        PaymentFailed,
        /// The order of its period was refunded as a whole.
        Refunded,
        AccountClosed,
        /// The first charge failed.
        Declined,
        /// An admin ended it.
        EndedByOperator,
        /// The buyer did not approve it at PayPal.
        NotApproved,
    }
}

/// A user's plan, which is renewed each month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    pub id: SubscriptionId,
    pub user: UserId,
    pub status: SubscriptionStatus,
    pub paid_with: PaidWith,
    pub item: ShopItemId,
    pub plan: String,
    /// The price of a month as it was agreed.
    pub price: Money,
    /// The number of the paid period; 0 before the first payment.
    pub period: i32,
    /// Its periods begin on this day of each month, or on the last day of a shorter one.
    pub anchor: DateTime<Utc>,
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
    /// Whether it ends with the period.
    pub is_canceled: bool,
    /// A change of plan with the next period.
    pub next: Option<PlannedPlan>,
    /// Charges of the next period that failed.
    pub tries: i32,
    /// The order whose payment is under way.
    pub open_order: Option<OrderId>,
    /// When it is renewed, charged again, or ended; `None` while a payment of a period is under way, and while PayPal
    /// charges it.
    pub due_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
    pub end_reason: Option<EndReason>,
}

impl Subscription {
    /// The change of plan that comes with the next period. A canceled subscription has none, and keeps the planned one for
    /// the case that the cancellation is taken back.
    #[must_use]
    pub fn coming_plan(&self) -> Option<&PlannedPlan> {
        self.next.as_ref().filter(|_| !self.is_canceled)
    }
}

/// A plan of the next period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedPlan {
    pub item: ShopItemId,
    pub plan: String,
    /// The price of a month.
    pub amount: i64,
}

/// A subscription with what its owner sees of it.
#[derive(Debug, Clone)]
pub struct SubscriptionDetails {
    pub subscription: Subscription,
    /// The newest.
    pub order: Option<Order>,
    /// What the next charge goes to.
    pub method: Option<PaymentMethod>,
    /// Where its owner approves it at PayPal, while that is needed.
    pub pay_at: Option<String>,
    /// The page of its agreement at the test provider, if that charges it.
    pub test_page: Option<String>,
}

word_list! {
    /// When a change of plan takes effect.
    pub enum ChangeTime for "when" { Now, AtPeriodEnd }
}

/// A change of plan, before it is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanChange {
    pub plan: String,
    pub when: ChangeTime,
    /// What is paid at once.
    pub price: Money,
    /// Credits that are given at once.
    pub credits: i64,
    /// Whole days of the period that are left, and all of its days.
    pub days_left: i64,
    pub days_of_period: i64,
    /// When the plan begins.
    pub at: DateTime<Utc>,
    /// The price of each month that follows.
    pub next_amount: i64,
}

/// Which subscriptions an admin's list has. The day is in UTC.
#[derive(Debug, Clone, Copy, Default)]
pub struct SubscriptionFilter<'a> {
    pub status: Option<SubscriptionStatus>,
    /// The day of a charge that is planned, was paid or failed, or of the end.
    pub day: Option<NaiveDate>,
    /// A part of the owner's address, or an id of a subscription.
    pub search: Option<&'a str>,
}
