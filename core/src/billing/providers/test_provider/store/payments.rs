//! SQL of test payments.

use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::billing::money::Money;
use crate::billing::providers::test_provider::test_payment::{TestAnswer, TestPayment, TestPaymentState};
use crate::billing::text::word;

/// Inserts a payment, unless this key has one, and returns the id of the key's payment.
pub(in crate::billing::providers::test_provider) async fn insert(
    db: &PgPool,
    key: Uuid,
    payment: &TestPayment,
) -> sqlx::Result<Uuid> {
    sqlx::query_scalar!(
        "INSERT INTO test_payments (id, key, description, amount, currency, return_url, cancel_url, state, card_id,
                                    answer, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (key) DO UPDATE SET key = excluded.key RETURNING id",
        payment.id,
        key,
        payment.description,
        payment.price.amount,
        payment.price.currency.name(),
        payment.return_url,
        payment.cancel_url,
        payment.state.name(),
        payment.card,
        payment.answer.map(TestAnswer::name),
        payment.created_at,
    )
    .fetch_one(db)
    .await
}

pub(in crate::billing::providers::test_provider) async fn find(
    db: &PgPool,
    id: Uuid,
) -> sqlx::Result<Option<TestPayment>> {
    let row = sqlx::query!(
        "SELECT description, amount, currency, return_url, cancel_url, state, answer, card_id, created_at
         FROM test_payments WHERE id = $1",
        id,
    )
    .fetch_optional(db)
    .await?;
    row.map(|row| {
        Ok(TestPayment {
            id,
            description: row.description,
            price: Money { amount: row.amount, currency: word(&row.currency)? },
            return_url: row.return_url,
            cancel_url: row.cancel_url,
            state: word(&row.state)?,
            answer: row.answer.as_deref().map(word).transpose()?,
            card: row.card_id,
            created_at: row.created_at,
        })
    })
    .transpose()
}

/// Answers a payment that has no answer; false if it has one, or has ended.
pub(in crate::billing::providers::test_provider) async fn answer(
    db: &PgPool,
    id: Uuid,
    answer: TestAnswer,
    state: TestPaymentState,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE test_payments SET answer = $2, state = $3 WHERE id = $1 AND state = 'Created'",
        id,
        answer.name(),
        state.name(),
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Takes the money of an approved payment; false if it is no longer one.
pub(in crate::billing::providers::test_provider) async fn capture(db: &PgPool, id: Uuid) -> sqlx::Result<bool> {
    let done = sqlx::query!("UPDATE test_payments SET state = 'Captured' WHERE id = $1 AND state = 'Approved'", id)
        .execute(db)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// An approved payment is one whose charge will be declined.
pub(in crate::billing::providers::test_provider) async fn decline(db: &PgPool, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("UPDATE test_payments SET state = 'Declined' WHERE id = $1 AND state = 'Approved'", id)
        .execute(db)
        .await?;
    Ok(())
}

/// Ends a payment; false if it is captured.
pub(in crate::billing::providers::test_provider) async fn void(db: &PgPool, id: Uuid) -> sqlx::Result<bool> {
    let done = sqlx::query!("UPDATE test_payments SET state = 'Voided' WHERE id = $1 AND state <> 'Captured'", id)
        .execute(db)
        .await?;
    Ok(done.rows_affected() == 1)
}

pub(in crate::billing::providers::test_provider) enum Refunded {
    Now,
    /// With this key.
    Before,
    TooMuch,
}

pub(in crate::billing::providers::test_provider) async fn refund(
    connection: &mut PgConnection,
    key: Uuid,
    payment: Uuid,
    amount: i64,
) -> sqlx::Result<Refunded> {
    let captured = sqlx::query_scalar!(
        "SELECT amount FROM test_payments WHERE id = $1 AND state = 'Captured' FOR UPDATE",
        payment
    )
    .fetch_optional(&mut *connection)
    .await?;
    let before = sqlx::query_scalar!("SELECT amount FROM test_refunds WHERE key = $1", key)
        .fetch_optional(&mut *connection)
        .await?;
    if before.is_some() {
        return Ok(Refunded::Before);
    }
    let given = sqlx::query_scalar!(
        r#"SELECT coalesce(sum(amount), 0)::bigint AS "sum!" FROM test_refunds WHERE payment_id = $1"#,
        payment
    )
    .fetch_one(&mut *connection)
    .await?;
    if captured.is_none_or(|captured| given.saturating_add(amount) > captured) {
        return Ok(Refunded::TooMuch);
    }
    sqlx::query!("INSERT INTO test_refunds (key, payment_id, amount) VALUES ($1, $2, $3)", key, payment, amount)
        .execute(connection)
        .await?;
    Ok(Refunded::Now)
}
