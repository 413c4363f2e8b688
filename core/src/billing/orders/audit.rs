//! Whether money and credits agree: each taken payment has one order and one grant, and refunds took back what they say.

use sqlx::PgPool;

use super::store;
use crate::Result;

/// Differences that are reported at once.
const REPORTED: i64 = 100;

/// Compares all orders with their payments, their refunds and the ledger, and returns what does not agree.
pub async fn audit(db: &PgPool) -> Result<Vec<String>> {
    Ok(store::audit::differences(db, REPORTED).await?)
}
