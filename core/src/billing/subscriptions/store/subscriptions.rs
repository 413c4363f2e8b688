//! SQL of subscriptions. Every change locks the row first.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::billing::money::{Currency, Money};
use crate::billing::subscriptions::subscription::{PlannedPlan, Subscription};
use crate::billing::text::word;
use crate::ids::{OrderId, ShopItemId, SubscriptionId, UserId};
use crate::users::WritePermit;

/// A row of `subscriptions`.
struct Row {
    id: Uuid,
    user_id: Uuid,
    state: String,
    paid_with: String,
    item_id: Uuid,
    plan: String,
    amount: i64,
    currency: String,
    period: i32,
    anchor: DateTime<Utc>,
    period_from: DateTime<Utc>,
    period_until: DateTime<Utc>,
    is_canceled: bool,
    next_item_id: Option<Uuid>,
    next_plan: Option<String>,
    next_amount: Option<i64>,
    tries: i32,
    open_order: Option<Uuid>,
    due_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    ended_at: Option<DateTime<Utc>>,
    end_reason: Option<String>,
}

impl TryFrom<Row> for Subscription {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> sqlx::Result<Self> {
        let next = match (row.next_item_id, row.next_plan, row.next_amount) {
            (Some(item), Some(plan), Some(amount)) => Some(PlannedPlan { item: ShopItemId(item), plan, amount }),
            _ => None,
        };
        Ok(Self {
            id: SubscriptionId(row.id),
            user: UserId(row.user_id),
            status: word(&row.state)?,
            paid_with: word(&row.paid_with)?,
            item: ShopItemId(row.item_id),
            plan: row.plan,
            price: Money { amount: row.amount, currency: word(&row.currency)? },
            period: row.period,
            anchor: row.anchor,
            from: row.period_from,
            until: row.period_until,
            is_canceled: row.is_canceled,
            next,
            tries: row.tries,
            open_order: row.open_order.map(OrderId),
            due_at: row.due_at,
            created_at: row.created_at,
            ended_at: row.ended_at,
            end_reason: row.end_reason.as_deref().map(word).transpose()?,
        })
    }
}

pub(in crate::billing::subscriptions) async fn insert(
    connection: &mut PgConnection,
    new: &Subscription,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO subscriptions (id, user_id, state, item_id, plan, amount, currency, period, anchor, period_from,
                                    period_until, open_order, due_at, created_at, paid_with)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
        new.id.0,
        new.user.0,
        new.status.name(),
        new.item.0,
        new.plan,
        new.price.amount,
        new.price.currency.name(),
        new.period,
        new.anchor,
        new.from,
        new.until,
        new.open_order.map(|order| order.0),
        new.due_at,
        new.created_at,
        new.paid_with.name(),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes a locked subscription.
pub(in crate::billing::subscriptions) async fn update(
    connection: &mut PgConnection,
    subscription: &Subscription,
) -> sqlx::Result<()> {
    let next = subscription.next.as_ref();
    sqlx::query!(
        "UPDATE subscriptions
         SET state = $2, item_id = $3, plan = $4, amount = $5, period = $6, anchor = $7, period_from = $8,
             period_until = $9, is_canceled = $10, next_item_id = $11, next_plan = $12, next_amount = $13, tries = $14,
             open_order = $15, due_at = $16, ended_at = $17, end_reason = $18
         WHERE id = $1",
        subscription.id.0,
        subscription.status.name(),
        subscription.item.0,
        subscription.plan,
        subscription.price.amount,
        subscription.period,
        subscription.anchor,
        subscription.from,
        subscription.until,
        subscription.is_canceled,
        next.map(|next| next.item.0),
        next.map(|next| next.plan.as_str()),
        next.map(|next| next.amount),
        subscription.tries,
        subscription.open_order.map(|order| order.0),
        subscription.due_at,
        subscription.ended_at,
        subscription.end_reason.map(|reason| reason.name()),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// A subscription, locked until the transaction ends.
pub(in crate::billing::subscriptions) async fn lock(
    connection: &mut PgConnection,
    id: SubscriptionId,
) -> sqlx::Result<Option<Subscription>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, user_id, state, paid_with, item_id, plan, amount, currency, period, anchor, period_from,
                period_until, is_canceled, next_item_id, next_plan, next_amount, tries, open_order, due_at, created_at,
                ended_at, end_reason
         FROM subscriptions WHERE id = $1 FOR UPDATE",
        id.0,
    )
    .fetch_optional(connection)
    .await?;
    row.map(Subscription::try_from).transpose()
}

/// A subscription.
pub(in crate::billing::subscriptions) async fn find(
    db: &PgPool,
    id: SubscriptionId,
) -> sqlx::Result<Option<Subscription>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, user_id, state, paid_with, item_id, plan, amount, currency, period, anchor, period_from,
                period_until, is_canceled, next_item_id, next_plan, next_amount, tries, open_order, due_at, created_at,
                ended_at, end_reason
         FROM subscriptions WHERE id = $1",
        id.0,
    )
    .fetch_optional(db)
    .await?;
    row.map(Subscription::try_from).transpose()
}

/// The user's live subscription, or the last one that ended after `since`.
pub(in crate::billing::subscriptions) async fn newest_of(
    db: &PgPool,
    user: UserId,
    since: DateTime<Utc>,
) -> sqlx::Result<Option<Subscription>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, user_id, state, paid_with, item_id, plan, amount, currency, period, anchor, period_from,
                period_until, is_canceled, next_item_id, next_plan, next_amount, tries, open_order, due_at, created_at,
                ended_at, end_reason
         FROM subscriptions WHERE user_id = $1 AND (ended_at IS NULL OR ended_at >= $2)
         ORDER BY id DESC LIMIT 1",
        user.0,
        since,
    )
    .fetch_optional(db)
    .await?;
    row.map(Subscription::try_from).transpose()
}

/// All subscriptions of a user before an id, newest first.
pub(in crate::billing::subscriptions) async fn all_of(
    db: &PgPool,
    user: UserId,
    before: Uuid,
    limit: i64,
) -> sqlx::Result<Vec<Subscription>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, user_id, state, paid_with, item_id, plan, amount, currency, period, anchor, period_from,
                period_until, is_canceled, next_item_id, next_plan, next_amount, tries, open_order, due_at, created_at,
                ended_at, end_reason
         FROM subscriptions WHERE user_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3",
        user.0,
        before,
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Subscription::try_from).collect()
}

/// A subscription that is due.
pub(in crate::billing::subscriptions) struct DueSubscription {
    pub id: SubscriptionId,
    pub user: UserId,
    pub currency: Currency,
    /// Whether its owner's account is closed.
    pub is_closed: bool,
}

pub(in crate::billing::subscriptions) async fn due(
    db: &PgPool,
    now: DateTime<Utc>,
    most: i64,
) -> sqlx::Result<Vec<DueSubscription>> {
    let rows = sqlx::query!(
        r#"SELECT s.id, s.user_id, s.currency, u.disabled_at IS NOT NULL AS "is_closed!" FROM subscriptions s JOIN users u ON u.id = s.user_id
           WHERE s.due_at <= $1 ORDER BY s.due_at LIMIT $2"#,
        now,
        most,
    )
    .fetch_all(db)
    .await?;
    let due = rows.into_iter().map(|row| {
        Ok(DueSubscription {
            id: SubscriptionId(row.id),
            user: UserId(row.user_id),
            currency: word(&row.currency)?,
            is_closed: row.is_closed,
        })
    });
    due.collect()
}

/// The filter of a list, as its query takes it.
pub(in crate::billing::subscriptions) struct SubscriptionRows {
    pub status: Option<&'static str>,
    pub from: Option<DateTime<Utc>>,
    pub until: Option<DateTime<Utc>>,
    /// A part of the owner's address.
    pub search: Option<String>,
    pub id: Option<Uuid>,
}

/// Subscriptions before an id, newest first.
pub(in crate::billing::subscriptions) async fn list(
    db: &PgPool,
    rows: &SubscriptionRows,
    before: Uuid,
    limit: i64,
) -> sqlx::Result<Vec<Subscription>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, user_id, state, paid_with, item_id, plan, amount, currency, period, anchor, period_from,
                period_until, is_canceled, next_item_id, next_plan, next_amount, tries, open_order, due_at, created_at,
                ended_at, end_reason
         FROM subscriptions
         WHERE id < $1 AND ($3::text IS NULL OR state = $3)
           AND ($4::timestamptz IS NULL OR (due_at >= $4 AND due_at < $5)
                OR (due_at IS NULL AND paid_with = 'PayPal' AND state = 'Active' AND period_until >= $4 AND period_until < $5)
                OR id IN (SELECT c.subscription_id FROM planned_charges($4, $5::timestamptz) c)
                OR id IN (SELECT o.subscription_id FROM orders o
                          WHERE o.subscription_id IS NOT NULL
                            AND ((o.paid_at >= $4 AND o.paid_at < $5)
                                 OR (o.status = 'Failed' AND o.created_at >= $4 AND o.created_at < $5))))
           AND ($6::text IS NULL OR id = $7::uuid OR user_id IN (
                 SELECT id FROM users WHERE deleted_at IS NULL AND position(lower($6) IN lower(email)) > 0))
         ORDER BY id DESC LIMIT $2",
        before,
        limit,
        rows.status,
        rows.from,
        rows.until,
        rows.search.as_deref(),
        rows.id,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Subscription::try_from).collect()
}

/// A subscription whose charge failed becomes due now; false if it is not waiting for its next try.
pub(in crate::billing::subscriptions) async fn make_due(
    db: &PgPool,
    _: &WritePermit,
    id: SubscriptionId,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE subscriptions SET due_at = $2
         WHERE id = $1 AND state = 'PastDue' AND open_order IS NULL AND due_at IS NOT NULL",
        id.0,
        now,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}
