//! The shop: items, orders, refunds, and payments at the test provider.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use verdigraph_core::billing::{
    GivenOrder, HistoryLine, HistoryOrder, Order, OrderProvider, OrderRefund, OrderStatus, PaymentType, Prices,
    Product, PurchaseQuote, ShopItem, TestPayment,
};
use verdigraph_core::settings::{Plan, Settings};

use super::users::UserCard;
use super::words::{
    CurrencyWord, DeclineReasonWord, OrderFailureWord, OrderProviderWord, OrderStatusWord, PaymentTypeWord,
    ProductKindWord, RefundStatusWord, TestPaymentStateWord,
};
use crate::openapi::ToSchema;

/// Prices in the smallest unit of each currency: won, and cents. `null`: not sold in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE", deny_unknown_fields)]
pub struct PricesView {
    #[serde(default)]
    #[schema(minimum = 100, maximum = 1_000_000_000_i64, example = 9_900)]
    pub krw: Option<i64>,
    #[serde(default)]
    #[schema(minimum = 50, maximum = 10_000_000, example = 699)]
    pub usd: Option<i64>,
}

impl From<Prices> for PricesView {
    fn from(Prices { krw, usd }: Prices) -> Self {
        Self { krw, usd }
    }
}

impl From<PricesView> for Prices {
    fn from(PricesView { krw, usd }: PricesView) -> Self {
        Self { krw, usd }
    }
}

/// A pack of credits, or a month of a plan, that is sold.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShopItemView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub kind: ProductKindWord,
    pub name: String,
    /// The plan of a subscription.
    pub plan: Option<String>,
    /// What it gives; for a plan, each month.
    pub credits: i64,
    /// The same as `credits`: how much is sold, not what it costs.
    pub amount: i64,
    pub prices: PricesView,
}

impl ShopItemView {
    /// The view, with what plans give by these settings.
    #[must_use]
    pub fn new(item: ShopItem, settings: &Settings) -> Self {
        let kind = item.product.kind().into();
        let (plan, credits) = match item.product {
            Product::Credit(credits) => (None, credits),
            Product::Subscription(plan) => {
                let credits = Plan::monthly_credits_of(&settings.plans, &plan);
                (Some(plan), credits)
            }
        };
        Self { id: item.id.0, kind, name: item.name, plan, credits, amount: credits, prices: item.prices.into() }
    }
}

/// An item as admins see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdminShopItemView {
    #[serde(flatten)]
    pub item: ShopItemView,
    /// Whether it is offered.
    pub is_active: bool,
    pub created_at: DateTime<Utc>,
}

impl AdminShopItemView {
    /// The view, with what plans give by these settings.
    #[must_use]
    pub fn new(item: ShopItem, settings: &Settings) -> Self {
        Self { is_active: item.is_active, created_at: item.created_at, item: ShopItemView::new(item, settings) }
    }
}

/// What can be bought, and how.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShopView {
    /// Plans from the smallest to the largest, then packs, fewest credits first.
    pub items: Vec<ShopItemView>,
    pub buying: BuyingView,
}

/// How purchases are paid.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BuyingView {
    /// Whether payments move no money.
    pub is_test: bool,
    /// Currencies with a payment provider. Without any, buying is not set up on this installation. Plans in won are charged
    /// to a saved card; PayPal charges those in US dollars.
    pub currencies: Vec<CurrencyWord>,
}

/// What a purchase costs and gives now. Nothing is reserved.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PurchaseQuoteView {
    /// What would be charged, in the smallest unit of the currency.
    pub amount: i64,
    pub currency: CurrencyWord,
    /// The price before the discount; `null` without one.
    pub list_amount: Option<i64>,
    pub percent_off: Option<i32>,
    /// As it is shown.
    pub coupon_code: Option<String>,
    pub credits: i64,
    /// Bonus credits of a first purchase.
    pub bonus_credits: i64,
}

impl From<PurchaseQuote> for PurchaseQuoteView {
    fn from(quote: PurchaseQuote) -> Self {
        Self {
            amount: quote.price.amount,
            currency: quote.price.currency.into(),
            list_amount: quote.discount.as_ref().map(|discount| discount.list_amount),
            percent_off: quote.discount.as_ref().map(|discount| discount.percent),
            coupon_code: quote.discount.map(|discount| discount.code),
            credits: quote.credits,
            bonus_credits: quote.bonus_credits,
        }
    }
}

/// One purchase, or what the user was given without a payment: by a coupon, or from an admin. What was given costs 0, is
/// paid, and is never refunded.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    #[serde(rename = "type")]
    pub payment_type: PaymentTypeWord,
    pub kind: ProductKindWord,
    /// The item's name and credits when it was ordered.
    pub name: String,
    /// The plan of which it pays a month, or which was given.
    pub plan: Option<String>,
    pub period_from: Option<DateTime<Utc>>,
    /// `null` for a plan that was given without an end.
    pub period_until: Option<DateTime<Utc>>,
    /// Whether it pays only the difference to a larger plan, for the rest of the month.
    pub is_change: bool,
    pub credits: i64,
    /// Bonus credits of a first purchase, in a grant of their own. They are promised until the order is paid; then 0 if
    /// another purchase of the account was the first.
    pub bonus_credits: i64,
    /// What is charged, in the smallest unit of the currency.
    pub amount: i64,
    /// The price before the discount of a coupon; `null` without one.
    pub list_amount: Option<i64>,
    pub percent_off: Option<i32>,
    pub coupon_code: Option<String>,
    /// `null` for what was given.
    pub currency: Option<CurrencyWord>,
    pub provider: OrderProviderWord,
    pub status: OrderStatusWord,
    /// Whether the provider was asked to charge and its answer is not known.
    pub is_settling: bool,
    /// Why it failed or was canceled.
    pub failure: Option<OrderFailureWord>,
    /// Why the card was declined, if the provider has said so.
    pub decline_reason: Option<DeclineReasonWord>,
    /// Where the buyer approves the payment, while that is needed.
    pub pay_at: Option<String>,
    /// Of refunds that the provider has not refused.
    pub refunded_amount: i64,
    pub refunded_credits: i64,
    pub refunded_bonus_credits: i64,
    /// Until when the buyer can have all money back; `null` if that is not possible, and for admins.
    pub refundable_until: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub paid_at: Option<DateTime<Utc>>,
    /// When its credits expire.
    pub expires_at: Option<DateTime<Utc>>,
}

impl From<Order> for OrderView {
    fn from(order: Order) -> Self {
        Self {
            id: order.id.0,
            payment_type: PaymentType::Payment.into(),
            kind: order.kind().into(),
            period_from: order.period.as_ref().map(|period| period.from),
            period_until: order.period.as_ref().map(|period| period.until),
            is_change: order.period.as_ref().is_some_and(|period| period.is_change),
            bonus_credits: order.bonus_credits(),
            list_amount: order.discount.as_ref().map(|discount| discount.list_amount),
            percent_off: order.discount.as_ref().map(|discount| discount.percent),
            coupon_code: order.discount.map(|discount| discount.code),
            plan: order.period.map(|period| period.plan),
            name: order.name,
            credits: order.credits,
            amount: order.price.amount,
            currency: Some(order.price.currency.into()),
            provider: OrderProvider::from(order.provider).into(),
            status: order.status.into(),
            is_settling: order.is_settling,
            failure: order.failure.map(Into::into),
            decline_reason: order.decline.map(Into::into),
            pay_at: order.pay_at,
            refunded_amount: order.refunded_amount,
            refunded_credits: order.refunded_credits,
            refunded_bonus_credits: order.refunded_bonus,
            refundable_until: order.refundable_until,
            created_at: order.created_at,
            paid_at: order.paid_at,
            expires_at: order.expires_at,
        }
    }
}

impl From<GivenOrder> for OrderView {
    fn from(given: GivenOrder) -> Self {
        let is_plan = given.plan.is_some();
        Self {
            id: given.id.0,
            payment_type: given.provider.payment_type().into(),
            kind: given.kind().into(),
            name: given.name,
            plan: given.plan,
            period_from: Some(given.from).filter(|_| is_plan),
            period_until: given.until.filter(|_| is_plan),
            is_change: false,
            credits: given.credits,
            bonus_credits: 0,
            amount: 0,
            list_amount: None,
            percent_off: None,
            coupon_code: given.code,
            currency: None,
            provider: given.provider.into(),
            status: OrderStatus::Paid.into(),
            is_settling: false,
            failure: None,
            decline_reason: None,
            pay_at: None,
            refunded_amount: 0,
            refunded_credits: 0,
            refunded_bonus_credits: 0,
            refundable_until: None,
            created_at: given.given_at,
            paid_at: Some(given.given_at),
            expires_at: given.until.filter(|_| !is_plan),
        }
    }
}

impl From<HistoryOrder> for OrderView {
    fn from(order: HistoryOrder) -> Self {
        match order {
            HistoryOrder::Bought(order) => (*order).into(),
            HistoryOrder::Given(given) => given.into(),
        }
    }
}

/// Money that was given back, and credits that were taken back for it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderRefundView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub amount: i64,
    pub credits: i64,
    pub bonus_credits: i64,
    pub reason: String,
    pub status: RefundStatusWord,
    pub created_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
}

impl From<OrderRefund> for OrderRefundView {
    fn from(refund: OrderRefund) -> Self {
        Self {
            id: refund.id.0,
            amount: refund.amount,
            credits: refund.credits,
            bonus_credits: refund.bonus_credits,
            reason: refund.reason,
            status: refund.status.into(),
            created_at: refund.created_at,
            ended_at: refund.ended_at,
        }
    }
}

/// An order as admins see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdminOrderView {
    #[serde(flatten)]
    pub order: OrderView,
    pub user: Option<UserCard>,
    /// Oldest first.
    pub refunds: Vec<OrderRefundView>,
    /// Credits of the order that are neither used nor held, have not expired and were not taken back; `null` in lists, and
    /// for what was given.
    pub credits_left: Option<i64>,
}

impl AdminOrderView {
    /// The view, with the user.
    #[must_use]
    pub fn new(found: HistoryLine, user: Option<UserCard>, credits_left: Option<i64>) -> Self {
        let refunds = found.refunds.into_iter().map(OrderRefundView::from).collect();
        Self { order: found.order.into(), user, refunds, credits_left }
    }
}

/// A payment at the test provider.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestPaymentView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub description: String,
    pub amount: i64,
    pub currency: CurrencyWord,
    pub state: TestPaymentStateWord,
    /// Where the browser goes to cancel.
    pub cancel_url: String,
}

impl From<TestPayment> for TestPaymentView {
    fn from(payment: TestPayment) -> Self {
        Self {
            id: payment.id,
            description: payment.description,
            amount: payment.price.amount,
            currency: payment.price.currency.into(),
            state: payment.state.into(),
            cancel_url: payment.cancel_url,
        }
    }
}

/// Where the browser goes after a test payment.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestPaymentAnsweredView {
    pub return_url: String,
}
