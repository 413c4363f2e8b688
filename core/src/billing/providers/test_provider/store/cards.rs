//! SQL of test cards.

use sqlx::PgPool;
use uuid::Uuid;

use crate::billing::providers::test_provider::test_card::{TestCard, TestCardAnswer};
use crate::billing::text::word;

/// Inserts a card, unless this key has one, and returns the id of the key's card.
pub(in crate::billing::providers::test_provider) async fn insert(
    db: &PgPool,
    key: Uuid,
    card: &TestCard,
) -> sqlx::Result<Uuid> {
    sqlx::query_scalar!(
        "INSERT INTO test_cards (id, key, return_url, cancel_url, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (key) DO UPDATE SET key = excluded.key RETURNING id",
        card.id,
        key,
        card.return_url,
        card.cancel_url,
        card.created_at,
    )
    .fetch_one(db)
    .await
}

pub(in crate::billing::providers::test_provider) async fn find(
    db: &PgPool,
    id: Uuid,
) -> sqlx::Result<Option<TestCard>> {
    let row = sqlx::query!("SELECT return_url, cancel_url, answer, created_at FROM test_cards WHERE id = $1", id)
        .fetch_optional(db)
        .await?;
    row.map(|row| {
        Ok(TestCard {
            id,
            return_url: row.return_url,
            cancel_url: row.cancel_url,
            answer: row.answer.as_deref().map(word).transpose()?,
            created_at: row.created_at,
        })
    })
    .transpose()
}

/// Answers a card; false if it has an answer.
pub(in crate::billing::providers::test_provider) async fn answer(
    db: &PgPool,
    id: Uuid,
    answer: TestCardAnswer,
) -> sqlx::Result<bool> {
    let done = sqlx::query!("UPDATE test_cards SET answer = $2 WHERE id = $1 AND answer IS NULL", id, answer.name())
        .execute(db)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Whether the card has paid.
pub(in crate::billing::providers::test_provider) async fn has_paid(db: &PgPool, id: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT 1 FROM test_payments WHERE card_id = $1 AND state = 'Captured') AS "has_paid!""#,
        id,
    )
    .fetch_one(db)
    .await
}
