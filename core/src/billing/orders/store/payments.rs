//! SQL of payments. Their state decides every race; orders follow it in the same transaction.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use crate::billing::money::Money;
use crate::billing::orders::order::{Payment, PaymentState};
use crate::billing::orders::state::{MAX_LATE_QUESTIONS, PAUSES};
use crate::billing::providers::{OpenedPayment, ProviderName, ProviderSale, RefundExtent};
use crate::billing::text::word;
use crate::ids::{OrderId, PaymentId, PaymentMethodId, UserId};

/// Refunds of one payment whose ids are kept.
const MAX_TOLD_REFUNDS: i32 = 20;

/// A row of `payments`, with its order.
struct Row {
    id: Uuid,
    order_id: Uuid,
    name: String,
    amount: i64,
    currency: String,
    provider: String,
    method_id: Option<Uuid>,
    state: String,
    reference: Option<String>,
    created_at: DateTime<Utc>,
    ask_at: Option<DateTime<Utc>>,
}

impl TryFrom<Row> for Payment {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> sqlx::Result<Self> {
        Ok(Self {
            id: PaymentId(row.id),
            order: OrderId(row.order_id),
            name: row.name,
            price: Money { amount: row.amount, currency: word(&row.currency)? },
            provider: word(&row.provider)?,
            method: row.method_id.map(PaymentMethodId),
            state: word(&row.state)?,
            reference: row.reference,
            created_at: row.created_at,
            ask_at: row.ask_at,
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
        "INSERT INTO payments (id, order_id, method_id, state, created_at, ask_at) VALUES ($1, $2, $3, $4, $5, $6)",
        payment.id.0,
        payment.order.0,
        payment.method.map(|method| method.0),
        payment.state.name(),
        payment.created_at,
        ask_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Inserts the payment of a sale, which its provider has charged by itself.
pub(in crate::billing::orders) async fn insert_sale(
    connection: &mut PgConnection,
    payment: &Payment,
    charge: &str,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO payments (id, order_id, state, reference, charge, created_at) VALUES ($1, $2, 'Taken', $3, $3, $4)",
        payment.id.0,
        payment.order.0,
        charge,
        payment.created_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes what the provider has opened; false if the payment has ended meanwhile.
pub(in crate::billing::orders) async fn open(
    db: &PgPool,
    id: PaymentId,
    state: PaymentState,
    opened: &OpenedPayment,
    ask_at: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE payments SET state = $5, reference = $2, pay_at = $3, ask_at = $4
         WHERE id = $1 AND state = 'Opening'",
        id.0,
        opened.reference,
        opened.pay_at,
        ask_at,
        state.name(),
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub(in crate::billing::orders) async fn of_order(db: &PgPool, order: OrderId) -> sqlx::Result<Option<Payment>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT p.id, p.order_id, o.name, o.amount, o.currency, o.provider, p.method_id, p.state,
                p.reference, p.created_at, p.ask_at
         FROM payments p JOIN orders o ON o.id = p.order_id WHERE p.order_id = $1",
        order.0,
    )
    .fetch_optional(db)
    .await?;
    row.map(Payment::try_from).transpose()
}

/// The payments of packs that a user may still approve.
pub(in crate::billing::orders) async fn open_of(db: &PgPool, user: UserId) -> sqlx::Result<Vec<Payment>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT p.id, p.order_id, o.name, o.amount, o.currency, o.provider, p.method_id, p.state,
                p.reference, p.created_at, p.ask_at
         FROM payments p JOIN orders o ON o.id = p.order_id
         WHERE o.user_id = $1 AND o.subscription_id IS NULL AND p.state IN ('Opening', 'Open')",
        user.0,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Payment::try_from).collect()
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

/// Locks a payment until the transaction ends; false if its money is taken.
pub(in crate::billing::orders) async fn lock_open(connection: &mut PgConnection, id: PaymentId) -> sqlx::Result<bool> {
    let state = sqlx::query_scalar!("SELECT state FROM payments WHERE id = $1 FOR UPDATE", id.0)
        .fetch_optional(connection)
        .await?;
    Ok(state.is_some_and(|state| state != PaymentState::Taken.name()))
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

/// The provider is asked about its payment with this reference at once, unless its money is taken.
pub(in crate::billing::orders) async fn ask_at_once(
    db: &PgPool,
    provider: ProviderName,
    reference: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE payments p SET ask_at = $2, asked = 0
         WHERE reference = $1 AND state <> 'Taken'
           AND EXISTS (SELECT 1 FROM orders o WHERE o.id = p.order_id AND o.provider = $3)",
        reference,
        now,
        provider.name(),
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Whether a provider's payment is one of ours, by its id or that of its charge.
pub(in crate::billing::orders) async fn is_known(
    db: impl PgExecutor<'_>,
    provider: ProviderName,
    reference: &str,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT 1 FROM payments p JOIN orders o ON o.id = p.order_id
                          WHERE (p.reference = $1 OR p.charge = $1) AND o.provider = $2) AS "is_known!""#,
        reference,
        provider.name(),
    )
    .fetch_one(db)
    .await
}

/// The provider is asked at once how much of a charge was given back; `charge` is its id, or that of its payment. Keeps the
/// provider's id of the refund.
pub(in crate::billing::orders) async fn ask_of_refund(
    db: &PgPool,
    provider: ProviderName,
    charge: &str,
    refund: Option<&str>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE payments p
         SET ask_at = $3, asked = 0,
             told_refunds = CASE WHEN $4::text IS NULL OR $4 = ANY(p.told_refunds) OR cardinality(p.told_refunds) >= $5
                            THEN p.told_refunds ELSE array_append(p.told_refunds, $4) END
         WHERE (p.charge = $1 OR p.reference = $1) AND p.state = 'Taken'
           AND EXISTS (SELECT 1 FROM orders o WHERE o.id = p.order_id AND o.provider = $2)",
        charge,
        provider.name(),
        now,
        refund,
        MAX_TOLD_REFUNDS,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The provider is asked at once about a sale of which it has given back more than its order says; false if the order
/// says enough. How much a part is, a sale does not say: the order must have a refund.
pub(in crate::billing::orders) async fn ask_of_refunded_sale(
    db: &PgPool,
    provider: ProviderName,
    sale: &ProviderSale,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let is_whole = sale.refund == RefundExtent::Whole;
    let done = sqlx::query!(
        "UPDATE payments p SET ask_at = $3, asked = 0 FROM orders o
         WHERE o.id = p.order_id AND p.charge = $1 AND p.state = 'Taken' AND p.ask_at IS NULL AND o.provider = $2
           AND o.status = 'Paid' AND o.refunded_amount < CASE WHEN $4::boolean THEN o.amount ELSE 1 END",
        sale.id,
        provider.name(),
        now,
        is_whole,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// The charge of a payment that is taken, and the provider's ids of refunds of which notices have told.
pub(in crate::billing::orders) async fn told_refunds(
    db: &PgPool,
    id: PaymentId,
) -> sqlx::Result<Option<(String, Vec<String>)>> {
    let row = sqlx::query!(
        r#"SELECT charge AS "charge!", told_refunds FROM payments WHERE id = $1 AND state = 'Taken'"#,
        id.0,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| (row.charge, row.told_refunds)))
}

/// The provider has answered about a payment that is taken or has ended; it is not asked again, unless a notice came
/// since `payment` was read.
pub(in crate::billing::orders) async fn ask_no_more(db: &PgPool, payment: &Payment) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE payments SET ask_at = NULL
         WHERE id = $1 AND state IN ('Taken', 'Dropped', 'Refused') AND ask_at IS NOT DISTINCT FROM $2",
        payment.id.0,
        payment.ask_at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Due payments. Each is due again after a pause that grows, so that one node follows it and none is forgotten. One that
/// is taken or has ended is due after a notice, until the provider answers or has been asked [`MAX_LATE_QUESTIONS`] times.
pub(in crate::billing::orders) async fn claim(
    db: &PgPool,
    now: DateTime<Utc>,
    most: i64,
) -> sqlx::Result<Vec<Payment>> {
    let rows = sqlx::query_as!(
        Row,
        "UPDATE payments p
         SET asked = p.asked + 1,
             ask_at = CASE WHEN p.state IN ('Opening', 'Open', 'Charging') OR p.asked < $4
                           THEN $1 + make_interval(secs => ($2::float8[])[LEAST(p.asked + 1, cardinality($2::float8[]))]) END
         FROM orders o
         WHERE o.id = p.order_id AND p.id IN (
             SELECT id FROM payments WHERE ask_at <= $1 ORDER BY ask_at LIMIT $3 FOR UPDATE SKIP LOCKED)
         RETURNING p.id, p.order_id, o.name, o.amount, o.currency, o.provider, p.method_id,
                   p.state, p.reference, p.created_at, p.ask_at",
        now,
        &PAUSES,
        most,
        MAX_LATE_QUESTIONS,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Payment::try_from).collect()
}
