//! SQL of orders. Each is read with its payment.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::billing::coupons::OrderDiscount;
use crate::billing::money::Money;
use crate::billing::orders::order::{Order, OrderFailure, PlanPeriod};
use crate::billing::orders::state::PaymentEnd;
use crate::billing::promotions::PurchaseBonus;
use crate::billing::providers::DeclineReason;
use crate::billing::text::word;
use crate::ids::{CouponId, OrderId, PromotionId, ShopItemId, SubscriptionId, UserId};
use crate::periods::TimesOfDays;
use crate::users::WritePermit;

/// A row of `orders`, with its payment.
struct Row {
    id: Uuid,
    user_id: Uuid,
    item_id: Uuid,
    name: String,
    credits: i64,
    amount: i64,
    currency: String,
    provider: String,
    status: String,
    failure: Option<String>,
    decline_reason: Option<String>,
    refunded_amount: i64,
    refunded_credits: i64,
    created_at: DateTime<Utc>,
    paid_at: Option<DateTime<Utc>>,
    expires_at: Option<DateTime<Utc>>,
    plan: Option<String>,
    plan_amount: Option<i64>,
    subscription_id: Option<Uuid>,
    period: Option<i32>,
    period_from: Option<DateTime<Utc>>,
    period_until: Option<DateTime<Utc>>,
    is_change: bool,
    list_amount: Option<i64>,
    percent_off: Option<i32>,
    coupon_id: Option<Uuid>,
    coupon_code: Option<String>,
    bonus_promotion_id: Option<Uuid>,
    bonus_credits: i64,
    refunded_bonus: i64,
    pay_at: Option<String>,
    is_settling: bool,
}

impl TryFrom<Row> for Order {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> sqlx::Result<Self> {
        let times = row.period_from.zip(row.period_until);
        let period = match (row.subscription_id, row.plan, row.plan_amount, row.period, times) {
            (Some(subscription), Some(plan), Some(plan_amount), Some(number), Some((from, until))) => {
                let subscription = SubscriptionId(subscription);
                Some(PlanPeriod { subscription, plan, plan_amount, number, from, until, is_change: row.is_change })
            }
            _ => None,
        };
        let discount = match (row.list_amount, row.percent_off, row.coupon_id, row.coupon_code) {
            (Some(list_amount), Some(percent), Some(coupon), Some(code)) => {
                Some(OrderDiscount { list_amount, percent, coupon: CouponId(coupon), code })
            }
            _ => None,
        };
        let bonus = row.bonus_promotion_id.map(PromotionId);
        Ok(Self {
            id: OrderId(row.id),
            user: UserId(row.user_id),
            item: ShopItemId(row.item_id),
            name: row.name,
            credits: row.credits,
            price: Money { amount: row.amount, currency: word(&row.currency)? },
            discount,
            bonus: bonus.map(|promotion| PurchaseBonus { promotion, credits: row.bonus_credits }),
            period,
            provider: word(&row.provider)?,
            status: word(&row.status)?,
            failure: row.failure.as_deref().map(word).transpose()?,
            // A newer program may know more reasons.
            decline: row.decline_reason.and_then(|reason| reason.parse().ok()),
            refunded_amount: row.refunded_amount,
            refunded_credits: row.refunded_credits,
            refunded_bonus: row.refunded_bonus,
            created_at: row.created_at,
            paid_at: row.paid_at,
            expires_at: row.expires_at,
            pay_at: row.pay_at,
            is_settling: row.is_settling,
            refundable_until: None,
        })
    }
}

pub(in crate::billing::orders) async fn insert(
    connection: &mut PgConnection,
    _: Option<&WritePermit>,
    order: &Order,
) -> sqlx::Result<()> {
    let (period, discount) = (order.period.as_ref(), order.discount.as_ref());
    sqlx::query!(
        "INSERT INTO orders (id, user_id, item_id, name, credits, amount, currency, provider, status, created_at, plan,
                             plan_amount, subscription_id, period, period_from, period_until, is_change, list_amount,
                             percent_off, coupon_id, coupon_code, bonus_promotion_id, bonus_credits)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
                 $23)",
        order.id.0,
        order.user.0,
        order.item.0,
        order.name,
        order.credits,
        order.price.amount,
        order.price.currency.name(),
        order.provider.name(),
        order.status.name(),
        order.created_at,
        period.map(|period| period.plan.as_str()),
        period.map(|period| period.plan_amount),
        period.map(|period| period.subscription.0),
        period.map(|period| period.number),
        period.map(|period| period.from),
        period.map(|period| period.until),
        period.is_some_and(|period| period.is_change),
        discount.map(|discount| discount.list_amount),
        discount.map(|discount| discount.percent),
        discount.map(|discount| discount.coupon.0),
        discount.map(|discount| discount.code.as_str()),
        order.bonus.map(|bonus| bonus.promotion.0),
        order.bonus_credits(),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The newest order of each of these subscriptions.
pub(in crate::billing) async fn newest_of_subscriptions(db: &PgPool, ids: &[Uuid]) -> sqlx::Result<Vec<Order>> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT o.id, o.user_id, o.item_id, o.name, o.credits, o.amount, o.currency, o.provider, o.status, o.failure,
                  o.refunded_amount, o.refunded_credits, o.created_at, o.paid_at, o.expires_at, o.plan, o.plan_amount,
                  o.subscription_id, o.period, o.period_from, o.period_until, o.is_change, o.list_amount,
                  o.percent_off, o.coupon_id, o.coupon_code, o.bonus_promotion_id, o.bonus_credits, o.refunded_bonus,
                  o.decline_reason, CASE WHEN p.state = 'Open' THEN p.pay_at END AS pay_at,
                  p.state = 'Charging' AS "is_settling!"
           FROM unnest($1::uuid[]) s (id)
           CROSS JOIN LATERAL (SELECT id FROM orders WHERE subscription_id = s.id ORDER BY id DESC LIMIT 1) newest
           JOIN orders o ON o.id = newest.id JOIN payments p ON p.order_id = o.id"#,
        ids,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Order::try_from).collect()
}

pub(in crate::billing::orders) async fn find(db: &PgPool, id: OrderId) -> sqlx::Result<Option<Order>> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT o.id, o.user_id, o.item_id, o.name, o.credits, o.amount, o.currency, o.provider, o.status, o.failure,
                  o.refunded_amount, o.refunded_credits, o.created_at, o.paid_at, o.expires_at, o.plan, o.plan_amount,
                  o.subscription_id, o.period, o.period_from, o.period_until, o.is_change, o.list_amount,
                  o.percent_off, o.coupon_id, o.coupon_code, o.bonus_promotion_id, o.bonus_credits, o.refunded_bonus,
                  o.decline_reason, CASE WHEN p.state = 'Open' THEN p.pay_at END AS pay_at,
                  p.state = 'Charging' AS "is_settling!"
           FROM orders o JOIN payments p ON p.order_id = o.id WHERE o.id = $1"#,
        id.0,
    )
    .fetch_optional(db)
    .await?;
    row.map(Order::try_from).transpose()
}

/// An order, locked until the transaction ends.
pub(in crate::billing::orders) async fn lock(
    connection: &mut PgConnection,
    id: OrderId,
) -> sqlx::Result<Option<Order>> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT o.id, o.user_id, o.item_id, o.name, o.credits, o.amount, o.currency, o.provider, o.status, o.failure,
                  o.refunded_amount, o.refunded_credits, o.created_at, o.paid_at, o.expires_at, o.plan, o.plan_amount,
                  o.subscription_id, o.period, o.period_from, o.period_until, o.is_change, o.list_amount,
                  o.percent_off, o.coupon_id, o.coupon_code, o.bonus_promotion_id, o.bonus_credits, o.refunded_bonus,
                  o.decline_reason, CASE WHEN p.state = 'Open' THEN p.pay_at END AS pay_at,
                  p.state = 'Charging' AS "is_settling!"
           FROM orders o JOIN payments p ON p.order_id = o.id WHERE o.id = $1 FOR UPDATE OF o"#,
        id.0,
    )
    .fetch_optional(connection)
    .await?;
    row.map(Order::try_from).transpose()
}

/// The filter of a list, as its query takes it.
pub(in crate::billing::orders) struct OrderRows {
    pub user: Option<UserId>,
    pub is_plan: Option<bool>,
    pub status: Option<&'static str>,
    pub provider: Option<&'static str>,
    /// A part of the buyer's address.
    pub search: Option<String>,
    pub id: Option<Uuid>,
    pub times: TimesOfDays,
}

/// Orders before an id, newest first.
pub(in crate::billing::orders) async fn list(
    db: &PgPool,
    rows: &OrderRows,
    before: Uuid,
    limit: i64,
) -> sqlx::Result<Vec<Order>> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT o.id, o.user_id, o.item_id, o.name, o.credits, o.amount, o.currency, o.provider, o.status, o.failure,
                  o.refunded_amount, o.refunded_credits, o.created_at, o.paid_at, o.expires_at, o.plan, o.plan_amount,
                  o.subscription_id, o.period, o.period_from, o.period_until, o.is_change, o.list_amount,
                  o.percent_off, o.coupon_id, o.coupon_code, o.bonus_promotion_id, o.bonus_credits, o.refunded_bonus,
                  o.decline_reason, CASE WHEN p.state = 'Open' THEN p.pay_at END AS pay_at,
                  p.state = 'Charging' AS "is_settling!"
           FROM orders o JOIN payments p ON p.order_id = o.id
           WHERE o.id < $1 AND ($3::uuid IS NULL OR o.user_id = $3) AND ($4::text IS NULL OR o.status = $4)
             AND ($5::text IS NULL OR o.provider = $5) AND ($6::timestamptz IS NULL OR o.created_at >= $6)
             AND ($7::timestamptz IS NULL OR o.created_at < $7)
             AND ($8::text IS NULL OR o.id = $9::uuid OR o.user_id IN (
                   SELECT id FROM users WHERE deleted_at IS NULL AND position(lower($8) IN lower(email)) > 0))
             AND ($10::boolean IS NULL OR (o.subscription_id IS NOT NULL) = $10)
           ORDER BY o.id DESC LIMIT $2"#,
        before,
        limit,
        rows.user.map(|user| user.0),
        rows.status,
        rows.provider,
        rows.times.from,
        rows.times.until,
        rows.search.as_deref(),
        rows.id,
        rows.is_plan,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Order::try_from).collect()
}

/// Ends an order that is not paid.
pub(in crate::billing::orders) async fn end(
    connection: &mut PgConnection,
    id: OrderId,
    how: PaymentEnd,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE orders SET status = $2, failure = $3, decline_reason = $4 WHERE id = $1 AND status = 'Ready'",
        id.0,
        how.status.name(),
        how.failure.map(OrderFailure::name),
        how.decline.map(DeclineReason::name),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// An order becomes paid, with the bonus that it has.
pub(in crate::billing::orders) async fn pay(
    connection: &mut PgConnection,
    order: &Order,
    paid_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE orders
         SET status = 'Paid', failure = NULL, decline_reason = NULL, paid_at = $2, expires_at = $3,
             bonus_promotion_id = $4, bonus_credits = $5
         WHERE id = $1 AND status IN ('Ready', 'Canceled', 'Failed')",
        order.id.0,
        paid_at,
        expires_at,
        order.bonus.map(|bonus| bonus.promotion.0),
        order.bonus_credits(),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Changes what was refunded of a locked order.
pub(in crate::billing::orders) async fn set_refunded(connection: &mut PgConnection, order: &Order) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE orders SET refunded_amount = $2, refunded_credits = $3, refunded_bonus = $4, status = $5 WHERE id = $1",
        order.id.0,
        order.refunded_amount,
        order.refunded_credits,
        order.refunded_bonus,
        order.status.name(),
    )
    .execute(connection)
    .await?;
    Ok(())
}
