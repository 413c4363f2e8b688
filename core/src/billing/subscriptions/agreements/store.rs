//! SQL of agreements, and of the plans at PayPal.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::agreement::{PayPalPlan, ProviderAgreement};
use super::state::PAUSES;
use crate::billing::money::Money;
use crate::billing::providers::{OpenedPayment, ProviderName};
use crate::billing::text::word;
use crate::ids::SubscriptionId;
use crate::users::WritePermit;

/// A row of `paypal_agreements`.
struct Row {
    subscription_id: Uuid,
    provider: String,
    state: String,
    reference: Option<String>,
    created_at: DateTime<Utc>,
    ask_at: Option<DateTime<Utc>>,
}

impl TryFrom<Row> for ProviderAgreement {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> sqlx::Result<Self> {
        Ok(Self {
            subscription: SubscriptionId(row.subscription_id),
            provider: word(&row.provider)?,
            state: word(&row.state)?,
            reference: row.reference,
            created_at: row.created_at,
            ask_at: row.ask_at,
        })
    }
}

/// Inserts the agreement of a new subscription, before the provider is called.
pub(super) async fn insert(
    connection: &mut PgConnection,
    _: &WritePermit,
    agreement: &ProviderAgreement,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO paypal_agreements (subscription_id, provider, state, created_at, ask_at) VALUES ($1, $2, $3, $4, $5)",
        agreement.subscription.0,
        agreement.provider.name(),
        agreement.state.name(),
        agreement.created_at,
        agreement.ask_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes what the provider has opened; false if the subscription has ended since. The provider is then still asked
/// about it.
pub(super) async fn open(
    db: &PgPool,
    id: SubscriptionId,
    opened: &OpenedPayment,
    ask_at: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let state = sqlx::query_scalar!(
        "UPDATE paypal_agreements
         SET reference = $2, pay_at = $3, ask_at = $4, state = CASE state WHEN 'Opening' THEN 'Open' ELSE 'Canceling' END
         WHERE subscription_id = $1 AND reference IS NULL RETURNING state",
        id.0,
        opened.reference,
        opened.pay_at,
        ask_at,
    )
    .fetch_optional(db)
    .await?;
    Ok(state.is_some_and(|state| state == "Open"))
}

pub(super) async fn find(db: &PgPool, id: SubscriptionId) -> sqlx::Result<Option<ProviderAgreement>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT subscription_id, provider, state, reference, created_at, ask_at FROM paypal_agreements
         WHERE subscription_id = $1",
        id.0,
    )
    .fetch_optional(db)
    .await?;
    row.map(ProviderAgreement::try_from).transpose()
}

/// Where the buyer approves an agreement, and its provider.
pub(in crate::billing::subscriptions) async fn page_of(
    db: &PgPool,
    id: SubscriptionId,
) -> sqlx::Result<Option<(String, ProviderName)>> {
    let found = sqlx::query!("SELECT pay_at, provider FROM paypal_agreements WHERE subscription_id = $1", id.0)
        .fetch_optional(db)
        .await?;
    let Some((Some(page), provider)) = found.map(|row| (row.pay_at, row.provider)) else { return Ok(None) };
    Ok(Some((page, word(&provider)?)))
}

/// Whether an agreement with this reference is one of ours.
pub(super) async fn is_known(db: &PgPool, reference: &str) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT 1 FROM paypal_agreements WHERE reference = $1) AS "is_known!""#,
        reference,
    )
    .fetch_one(db)
    .await
}

/// The provider is asked about its agreement with this reference at once.
pub(super) async fn ask_at_once(db: &PgPool, reference: &str, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("UPDATE paypal_agreements SET ask_at = $2, asked = 0 WHERE reference = $1", reference, now)
        .execute(db)
        .await?;
    Ok(())
}

/// The provider must not charge a subscription any more. It is asked at once.
pub(in crate::billing::subscriptions) async fn stop(
    connection: &mut PgConnection,
    id: SubscriptionId,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE paypal_agreements SET state = 'Canceling', ask_at = created_at, asked = 0
         WHERE subscription_id = $1 AND state IN ('Opening', 'Open')",
        id.0,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Due agreements. Each is due again after a pause that grows, so that one node follows it and none is forgotten.
pub(super) async fn claim(db: &PgPool, now: DateTime<Utc>, most: i64) -> sqlx::Result<Vec<ProviderAgreement>> {
    let rows = sqlx::query_as!(
        Row,
        "UPDATE paypal_agreements
         SET asked = asked + 1,
             ask_at = $1 + make_interval(secs => ($2::float8[])[LEAST(asked + 1, cardinality($2::float8[]))])
         WHERE subscription_id IN (
             SELECT subscription_id FROM paypal_agreements WHERE ask_at <= $1
             ORDER BY ask_at LIMIT $3 FOR UPDATE SKIP LOCKED)
         RETURNING subscription_id, provider, state, reference, created_at, ask_at",
        now,
        &PAUSES,
        most,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(ProviderAgreement::try_from).collect()
}

/// The provider is asked about an open agreement at this time, unless a notice came since it was read.
pub(super) async fn ask_at(db: &PgPool, agreement: &ProviderAgreement, at: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE paypal_agreements SET ask_at = $3, asked = 0
         WHERE subscription_id = $1 AND ask_at IS NOT DISTINCT FROM $2 AND state = 'Open'",
        agreement.subscription.0,
        agreement.ask_at,
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The provider charges an agreement no more. It is not asked again, unless a notice came since the agreement was read.
pub(super) async fn close(db: &PgPool, agreement: &ProviderAgreement) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE paypal_agreements SET state = 'Over', ask_at = NULL
         WHERE subscription_id = $1 AND ask_at IS NOT DISTINCT FROM $2 AND state IN ('Canceling', 'Over')",
        agreement.subscription.0,
        agreement.ask_at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Whether the account of a subscription is closed.
pub(super) async fn is_closed(db: &PgPool, id: SubscriptionId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT 1 FROM subscriptions s JOIN users u ON u.id = s.user_id
                          WHERE s.id = $1 AND u.disabled_at IS NOT NULL) AS "is_closed!""#,
        id.0,
    )
    .fetch_one(db)
    .await
}

/// PayPal's plan for a price of a month; a new row without PayPal's ids if there is none.
pub(super) async fn find_plan(db: &PgPool, plan: &str, price: Money, now: DateTime<Utc>) -> sqlx::Result<PayPalPlan> {
    sqlx::query!(
        "INSERT INTO paypal_plans (id, plan, amount, currency, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (plan, amount, currency) DO NOTHING",
        Uuid::now_v7(),
        plan,
        price.amount,
        price.currency.name(),
        now,
    )
    .execute(db)
    .await?;
    sqlx::query_as!(
        PayPalPlan,
        "SELECT id, product, reference FROM paypal_plans WHERE plan = $1 AND amount = $2 AND currency = $3",
        plan,
        price.amount,
        price.currency.name(),
    )
    .fetch_one(db)
    .await
}

/// Writes PayPal's ids of a plan.
pub(super) async fn set_plan(db: &PgPool, id: Uuid, product: &str, reference: Option<&str>) -> sqlx::Result<()> {
    sqlx::query!("UPDATE paypal_plans SET product = $2, reference = $3 WHERE id = $1", id, product, reference)
        .execute(db)
        .await?;
    Ok(())
}

/// PayPal does not know a plan any more: the next buyer makes a new one.
pub(super) async fn forget_plan(db: &PgPool, reference: &str) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM paypal_plans WHERE reference = $1", reference).execute(db).await?;
    Ok(())
}
