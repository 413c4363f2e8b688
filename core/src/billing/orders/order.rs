//! An order, its payment and its refunds.

use chrono::{DateTime, Utc};

use crate::billing::coupons::OrderDiscount;
use crate::billing::items::{ProductKind, ShopItem};
use crate::billing::money::Money;
use crate::billing::promotions::PurchaseBonus;
use crate::billing::providers::{DeclineReason, PaymentCall, ProviderName, SavedCard};
use crate::ids::{OrderId, PaymentId, PaymentMethodId, RefundId, ShopItemId, SubscriptionId, UserId};
use crate::word_list::word_list;

word_list! {
    /// The state of an order.
    pub enum OrderStatus for "status" { Ready, Paid, Canceled, Failed, Refunded }
}

word_list! {
    /// Why an order failed or was canceled.
    pub enum OrderFailure for "failure" {
        Declined => "DECLINED",
        ProviderUnavailable => "PROVIDER_UNAVAILABLE",
        /// Nobody approved the payment in time.
        NotApproved => "NOT_APPROVED",
    }
}

word_list! {
    /// The state of a payment at its provider, as far as it is known.
    pub enum PaymentState for "state" { Opening, Open, Charging, Taken, Refused, Dropped }
}

word_list! {
    /// The state of a refund. Its credits are taken back when it is asked for, and given back if it is refused.
    pub enum RefundStatus for "status" { Asked, Done, Refused }
}

/// One purchase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub id: OrderId,
    pub user: UserId,
    pub item: ShopItemId,
    /// The item's name and credits when it was ordered.
    pub name: String,
    pub credits: i64,
    /// What is charged, after the discount.
    pub price: Money,
    pub discount: Option<OrderDiscount>,
    /// Promised until the order is paid; `None` then if the account had a bonus.
    pub bonus: Option<PurchaseBonus>,
    /// The month of a plan that it pays; `None` for a pack of credits.
    pub period: Option<PlanPeriod>,
    pub provider: ProviderName,
    pub status: OrderStatus,
    pub failure: Option<OrderFailure>,
    /// Why the charge was declined, if the provider has said so.
    pub decline: Option<DeclineReason>,
    /// Of refunds that the provider has not refused.
    pub refunded_amount: i64,
    pub refunded_credits: i64,
    pub refunded_bonus: i64,
    pub created_at: DateTime<Utc>,
    pub paid_at: Option<DateTime<Utc>>,
    /// When its credits expire.
    pub expires_at: Option<DateTime<Utc>>,
    /// Where the buyer approves the payment, while that is needed.
    pub pay_at: Option<String>,
    /// Whether the provider was asked to charge and its answer is not known.
    pub is_settling: bool,
    /// Until when the buyer may ask for the money; read for the buyer only.
    pub refundable_until: Option<DateTime<Utc>>,
}

/// A month of a plan, as an order pays it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanPeriod {
    pub subscription: SubscriptionId,
    pub plan: String,
    /// The price of a whole month.
    pub plan_amount: i64,
    /// From 1.
    pub number: i32,
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
    /// Whether the order pays only the difference to a larger plan, for the rest of the month.
    pub is_change: bool,
}

impl Order {
    #[must_use]
    pub fn kind(&self) -> ProductKind {
        if self.period.is_some() { ProductKind::Subscription } else { ProductKind::Credit }
    }

    /// The price of its item: of a plan, that of a whole month.
    #[must_use]
    pub(super) fn list_price(&self) -> Money {
        let without_period = self.discount.as_ref().map_or(self.price.amount, |discount| discount.list_amount);
        let amount = self.period.as_ref().map_or(without_period, |period| period.plan_amount);
        Money { amount, currency: self.price.currency }
    }

    /// A new order, which is not paid.
    #[must_use]
    pub(in crate::billing) fn new(
        user: UserId,
        item: &ShopItem,
        price: Money,
        provider: ProviderName,
        now: DateTime<Utc>,
    ) -> Self {
        Self {
            id: OrderId::new(),
            user,
            item: item.id,
            name: item.name.clone(),
            credits: item.product.credits().unwrap_or(0),
            price,
            discount: None,
            bonus: None,
            period: None,
            provider,
            status: OrderStatus::Ready,
            failure: None,
            decline: None,
            refunded_amount: 0,
            refunded_credits: 0,
            refunded_bonus: 0,
            created_at: now,
            paid_at: None,
            expires_at: None,
            pay_at: None,
            is_settling: false,
            refundable_until: None,
        }
    }

    /// The source of its grant in the ledger.
    #[must_use]
    pub(super) fn source(&self) -> String {
        format!("order:{}", self.id)
    }

    /// The source of the grant of its bonus.
    #[must_use]
    pub(in crate::billing) fn bonus_source(&self) -> String {
        format!("bonus:{}", self.id)
    }

    /// The money that can still be given back.
    #[must_use]
    pub(super) fn money_left(&self) -> i64 {
        self.price.amount - self.refunded_amount
    }

    /// Counts a refund that its provider is asked for, or has made.
    pub(super) fn add_refund(&mut self, refund: &OrderRefund) {
        self.refunded_amount += refund.amount;
        self.refunded_credits += refund.credits;
        self.refunded_bonus += refund.bonus_credits;
    }

    /// Counts a refund no longer, because its provider has refused it.
    pub(super) fn remove_refund(&mut self, refund: &OrderRefund) {
        self.refunded_amount -= refund.amount;
        self.refunded_credits -= refund.credits;
        self.refunded_bonus -= refund.bonus_credits;
    }

    #[must_use]
    pub fn bonus_credits(&self) -> i64 {
        self.bonus.map_or(0, |bonus| bonus.credits)
    }
}

/// The order whose credits or bonus the grant of this source gave; `None` for a grant of anything else.
#[must_use]
pub fn order_of_source(source: &str) -> Option<OrderId> {
    source.strip_prefix("order:").or_else(|| source.strip_prefix("bonus:"))?.parse().ok()
}

/// The payment of an order.
#[derive(Debug, Clone)]
pub(in crate::billing) struct Payment {
    pub id: PaymentId,
    pub order: OrderId,
    /// What is bought.
    pub name: String,
    pub price: Money,
    pub provider: ProviderName,
    /// The method that is charged; `None`: the buyer approves the payment at the provider.
    pub method: Option<PaymentMethodId>,
    pub state: PaymentState,
    /// The provider's id of it.
    pub reference: Option<String>,
    pub created_at: DateTime<Utc>,
    /// When the provider is asked next.
    pub ask_at: Option<DateTime<Utc>>,
}

impl Payment {
    /// The payment of a new order.
    pub(super) fn new(order: &Order, method: Option<PaymentMethodId>) -> Self {
        Self {
            id: PaymentId::new(),
            order: order.id,
            name: order.name.clone(),
            price: order.price,
            provider: order.provider,
            method,
            state: PaymentState::Opening,
            reference: None,
            created_at: order.created_at,
            ask_at: None,
        }
    }

    /// For calls about it; `None` before the provider has opened it.
    pub(super) fn call<'a>(&'a self, card: Option<&'a SavedCard>) -> Option<PaymentCall<'a>> {
        let (key, reference) = (self.id.0, self.reference.as_deref()?);
        Some(PaymentCall { key, reference, description: &self.name, price: self.price, card })
    }
}

/// Money that is given back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderRefund {
    pub id: RefundId,
    pub order: OrderId,
    pub amount: i64,
    /// Credits that were taken back.
    pub credits: i64,
    /// Bonus credits that were taken back.
    pub bonus_credits: i64,
    pub reason: String,
    pub status: RefundStatus,
    pub created_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
}

impl OrderRefund {
    /// A refund that the provider is asked for.
    #[must_use]
    pub(super) fn asked(
        order: OrderId,
        amount: i64,
        (credits, bonus_credits): (i64, i64),
        reason: String,
        now: DateTime<Utc>,
    ) -> Self {
        Self {
            id: RefundId::new(),
            order,
            amount,
            credits,
            bonus_credits,
            reason,
            status: RefundStatus::Asked,
            created_at: now,
            ended_at: None,
        }
    }
}

/// An order as admins see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderWithRefunds {
    pub order: Order,
    /// Newest last.
    pub refunds: Vec<OrderRefund>,
}
