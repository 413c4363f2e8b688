//! SQL of refunds.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::billing::orders::order::OrderRefund;
use crate::billing::orders::state::PAUSES;
use crate::billing::text::word;
use crate::ids::{OrderId, RefundId};

/// A row of `refunds`.
struct Row {
    id: Uuid,
    order_id: Uuid,
    amount: i64,
    credits: i64,
    bonus_credits: i64,
    reason: String,
    state: String,
    created_at: DateTime<Utc>,
    ended_at: Option<DateTime<Utc>>,
}

impl TryFrom<Row> for OrderRefund {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> sqlx::Result<Self> {
        Ok(Self {
            id: RefundId(row.id),
            order: OrderId(row.order_id),
            amount: row.amount,
            credits: row.credits,
            bonus_credits: row.bonus_credits,
            reason: row.reason,
            status: word(&row.state)?,
            created_at: row.created_at,
            ended_at: row.ended_at,
        })
    }
}

/// Inserts a refund. Its provider is asked for it at `ask_at`; `None`: the provider has made it.
pub(in crate::billing::orders) async fn insert(
    connection: &mut PgConnection,
    refund: &OrderRefund,
    ask_at: Option<DateTime<Utc>>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO refunds (id, order_id, amount, credits, reason, state, created_at, ask_at, bonus_credits, ended_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        refund.id.0,
        refund.order.0,
        refund.amount,
        refund.credits,
        refund.reason,
        refund.status.name(),
        refund.created_at,
        ask_at,
        refund.bonus_credits,
        refund.ended_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The refunds of these orders, oldest first.
pub(in crate::billing::orders) async fn of_orders(db: &PgPool, orders: &[Uuid]) -> sqlx::Result<Vec<OrderRefund>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, order_id, amount, credits, bonus_credits, reason, state, created_at, ended_at FROM refunds
         WHERE order_id = ANY($1) ORDER BY order_id, id",
        orders,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(OrderRefund::try_from).collect()
}

/// Ends a refund that is asked for; false if it has ended.
pub(in crate::billing::orders) async fn end(
    connection: &mut PgConnection,
    id: RefundId,
    state: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE refunds SET state = $2, ended_at = $3, ask_at = NULL WHERE id = $1 AND state = 'Asked'",
        id.0,
        state,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Money of refunds of an order that the provider has given back.
pub(in crate::billing::orders) async fn given(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT coalesce(sum(amount), 0)::bigint AS "sum!" FROM refunds WHERE order_id = $1 AND state = 'Done'"#,
        order.0,
    )
    .fetch_one(connection)
    .await
}

/// Whether the provider is being asked for a refund of an order.
pub(in crate::billing::orders) async fn is_asked(db: &PgPool, order: OrderId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT 1 FROM refunds WHERE order_id = $1 AND state = 'Asked') AS "is_asked!""#,
        order.0,
    )
    .fetch_one(db)
    .await
}

/// Due refunds. Each is due again after a pause that doubles.
pub(in crate::billing::orders) async fn claim(
    db: &PgPool,
    now: DateTime<Utc>,
    most: i64,
) -> sqlx::Result<Vec<OrderRefund>> {
    let rows = sqlx::query_as!(
        Row,
        "UPDATE refunds r
         SET asked = r.asked + 1, ask_at = $1 + make_interval(secs => ($2::float8[])[LEAST(r.asked + 1, cardinality($2::float8[]))])
         WHERE r.id IN (SELECT id FROM refunds WHERE ask_at <= $1 ORDER BY ask_at LIMIT $3 FOR UPDATE SKIP LOCKED)
         RETURNING id, order_id, amount, credits, bonus_credits, reason, state, created_at, ended_at",
        now,
        &PAUSES,
        most,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(OrderRefund::try_from).collect()
}
