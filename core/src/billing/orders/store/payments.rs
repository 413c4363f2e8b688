//! SQL of payments. Their state decides every race; orders follow it in the same transaction.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use crate::billing::orders::order::Payment;
use crate::billing::orders::state::PAUSES;
use crate::billing::providers::OpenedPayment;
use crate::billing::text::word;
use crate::ids::{OrderId, PaymentId, UserId};

/// A row of `payments`, with its order.
struct Row {
    id: Uuid,
    order_id: Uuid,
    user_id: Uuid,
    credits: i64,
    provider: String,
    state: String,
    reference: Option<String>,
    created_at: DateTime<Utc>,
}

impl TryFrom<Row> for Payment {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> sqlx::Result<Self> {
        Ok(Self {
            id: PaymentId(row.id),
            order: OrderId(row.order_id),
            user: UserId(row.user_id),
            credits: row.credits,
            provider: word(&row.provider)?,
            state: word(&row.state)?,
            reference: row.reference,
            created_at: row.created_at,
        })
    }
}

/// Inserts the payment of a new order, before its provider is called.
pub(in crate::billing::orders) async fn insert(
    connection: &mut PgConnection,
    payment: &Payment,
    ask_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO payments (id, order_id, state, created_at, ask_at) VALUES ($1, $2, $3, $4, $5)",
        payment.id.0,
        payment.order.0,
        payment.state.name(),
        payment.created_at,
        ask_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes what the provider has opened; false if the payment has ended meanwhile.
pub(in crate::billing::orders) async fn open(
    db: &PgPool,
    id: PaymentId,
    opened: &OpenedPayment,
    ask_at: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE payments SET state = 'Open', reference = $2, pay_at = $3, ask_at = $4
         WHERE id = $1 AND state = 'Opening'",
        id.0,
        opened.reference,
        opened.pay_at,
        ask_at,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub(in crate::billing::orders) async fn of_order(db: &PgPool, order: OrderId) -> sqlx::Result<Option<Payment>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT p.id, p.order_id, o.user_id, o.credits, o.provider, p.state, p.reference, p.created_at
         FROM payments p JOIN orders o ON o.id = p.order_id WHERE p.order_id = $1",
        order.0,
    )
    .fetch_optional(db)
    .await?;
    row.map(Payment::try_from).transpose()
}

/// The provider's id of an order's charge.
pub(in crate::billing::orders) async fn charge_of(
    db: impl PgExecutor<'_>,
    order: OrderId,
) -> sqlx::Result<Option<String>> {
    let charge = sqlx::query_scalar!("SELECT charge FROM payments WHERE order_id = $1", order.0);
    Ok(charge.fetch_optional(db).await?.flatten())
}

/// Says before the call that the provider is asked to charge; false if the payment has ended.
pub(in crate::billing::orders) async fn begin_charge(
    db: &PgPool,
    id: PaymentId,
    ask_at: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE payments SET state = 'Charging', ask_at = $2 WHERE id = $1 AND state IN ('Open', 'Charging')",
        id.0,
        ask_at,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Ends a payment without money; false if it is in none of these states.
pub(in crate::billing::orders) async fn end(
    connection: &mut PgConnection,
    id: PaymentId,
    state: &str,
    from: &[String],
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE payments SET state = $2, ask_at = NULL WHERE id = $1 AND state = ANY($3)",
        id.0,
        state,
        from,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Writes that the money is taken; false if that is known.
pub(in crate::billing::orders) async fn take(
    connection: &mut PgConnection,
    id: PaymentId,
    charge: &str,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE payments SET state = 'Taken', charge = $2, ask_at = NULL WHERE id = $1 AND state <> 'Taken'",
        id.0,
        charge,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The provider is asked about the payment with this reference at once, unless its money is taken.
pub(in crate::billing::orders) async fn ask_at_once(
    db: &PgPool,
    reference: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!("UPDATE payments SET ask_at = $2 WHERE reference = $1 AND state <> 'Taken'", reference, now)
        .execute(db)
        .await?;
    Ok(())
}

/// Due payments. Each is due again after a pause that doubles, so that one node follows it and none is forgotten.
/// Ended payments are due only once, after a notice.
pub(in crate::billing::orders) async fn claim(
    db: &PgPool,
    now: DateTime<Utc>,
    most: i64,
) -> sqlx::Result<Vec<Payment>> {
    let rows = sqlx::query_as!(
        Row,
        "UPDATE payments p
         SET asked = p.asked + 1,
             ask_at = CASE WHEN p.state IN ('Opening', 'Open', 'Charging')
                           THEN $1 + make_interval(secs => ($2::float8[])[LEAST(p.asked + 1, cardinality($2::float8[]))]) END
         FROM orders o
         WHERE o.id = p.order_id AND p.id IN (
             SELECT id FROM payments WHERE ask_at <= $1 ORDER BY ask_at LIMIT $3 FOR UPDATE SKIP LOCKED)
         RETURNING p.id, p.order_id, o.user_id, o.credits, o.provider, p.state, p.reference, p.created_at",
        now,
        &PAUSES,
        most,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Payment::try_from).collect()
}
