//! SQL of test agreements.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::billing::money::Money;
use crate::billing::providers::test_provider::test_agreement::TestAgreement;
use crate::billing::text::word;

/// A row of `test_agreements`.
struct Row {
    id: Uuid,
    description: String,
    amount: i64,
    currency: String,
    return_url: String,
    cancel_url: String,
    state: String,
    failed: i32,
    created_at: DateTime<Utc>,
}

impl TryFrom<Row> for TestAgreement {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> sqlx::Result<Self> {
        Ok(Self {
            id: row.id,
            description: row.description,
            price: Money { amount: row.amount, currency: word(&row.currency)? },
            return_url: row.return_url,
            cancel_url: row.cancel_url,
            state: word(&row.state)?,
            failed: row.failed,
            created_at: row.created_at,
        })
    }
}

/// Inserts an agreement, unless this key has one, and returns the id of the key's agreement.
pub(in crate::billing::providers::test_provider) async fn insert(
    db: &PgPool,
    key: Uuid,
    new: &TestAgreement,
) -> sqlx::Result<Uuid> {
    sqlx::query_scalar!(
        "INSERT INTO test_agreements (id, key, description, amount, currency, return_url, cancel_url, state, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (key) DO UPDATE SET key = excluded.key RETURNING id",
        new.id,
        key,
        new.description,
        new.price.amount,
        new.price.currency.name(),
        new.return_url,
        new.cancel_url,
        new.state.name(),
        new.created_at,
    )
    .fetch_one(db)
    .await
}

pub(in crate::billing::providers::test_provider) async fn find(
    db: &PgPool,
    id: Uuid,
) -> sqlx::Result<Option<TestAgreement>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, description, amount, currency, return_url, cancel_url, state, failed, created_at
         FROM test_agreements WHERE id = $1",
        id,
    )
    .fetch_optional(db)
    .await?;
    row.map(TestAgreement::try_from).transpose()
}

/// Reads an agreement and locks its row.
pub(in crate::billing::providers::test_provider) async fn lock(
    connection: &mut PgConnection,
    id: Uuid,
) -> sqlx::Result<Option<TestAgreement>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, description, amount, currency, return_url, cancel_url, state, failed, created_at
         FROM test_agreements WHERE id = $1 FOR UPDATE",
        id,
    )
    .fetch_optional(connection)
    .await?;
    row.map(TestAgreement::try_from).transpose()
}

/// Writes what an answer has changed.
pub(in crate::billing::providers::test_provider) async fn update(
    connection: &mut PgConnection,
    after: &TestAgreement,
    loses_answer: bool,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE test_agreements SET state = $2, failed = $3, loses_answer = $4 WHERE id = $1",
        after.id,
        after.state.name(),
        after.failed,
        loses_answer,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Whether the next answer about an agreement is to be lost. The one after it is not.
pub(in crate::billing::providers::test_provider) async fn lose_answer(db: &PgPool, id: Uuid) -> sqlx::Result<bool> {
    let done = sqlx::query!("UPDATE test_agreements SET loses_answer = false WHERE id = $1 AND loses_answer", id)
        .execute(db)
        .await?;
    Ok(done.rows_affected() == 1)
}

pub(in crate::billing::providers::test_provider) async fn end(db: &PgPool, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("UPDATE test_agreements SET state = 'Ended' WHERE id = $1", id).execute(db).await?;
    Ok(())
}

/// Takes the money of a month. `id` is the payment's, and its key: each press of the page takes one.
pub(in crate::billing::providers::test_provider) async fn insert_sale(
    connection: &mut PgConnection,
    of: &TestAgreement,
    id: Uuid,
    at: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO test_payments (id, key, description, amount, currency, return_url, cancel_url, state, agreement_id,
                                    created_at)
         VALUES ($1, $1, $2, $3, $4, $5, $6, 'Captured', $7, $8)",
        id,
        of.description,
        of.price.amount,
        of.price.currency.name(),
        of.return_url,
        of.cancel_url,
        of.id,
        at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The payments of an agreement between two times, oldest first.
pub(in crate::billing::providers::test_provider) async fn sales(
    db: &PgPool,
    agreement: Uuid,
    (from, until): (DateTime<Utc>, DateTime<Utc>),
) -> sqlx::Result<Vec<(Uuid, DateTime<Utc>)>> {
    let rows = sqlx::query!(
        "SELECT id, created_at FROM test_payments
         WHERE agreement_id = $1 AND state = 'Captured' AND created_at BETWEEN $2 AND $3 ORDER BY created_at, id",
        agreement,
        from,
        until,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.created_at)).collect())
}
