//! SQL of payment methods.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use super::method::{PaymentMethod, PaymentMethodState};
use super::state::FORGETTING_PAUSES;
use crate::billing::money::Currency;
use crate::billing::providers::{ProviderName, SavedCardDetails};
use crate::billing::text::word;
use crate::ids::{PaymentMethodId, UserId};
use crate::users::WritePermit;

/// A row of `payment_methods`, without its secret.
struct Row {
    id: Uuid,
    user_id: Uuid,
    provider: String,
    state: String,
    label: String,
    issuer: String,
    currency: String,
    is_default: bool,
    created_at: DateTime<Utc>,
}

impl TryFrom<Row> for PaymentMethod {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> sqlx::Result<Self> {
        Ok(Self {
            id: PaymentMethodId(row.id),
            user: UserId(row.user_id),
            provider: word(&row.provider)?,
            state: word(&row.state)?,
            label: row.label,
            issuer: row.issuer,
            currency: word(&row.currency)?,
            is_default: row.is_default,
            created_at: row.created_at,
        })
    }
}

pub(super) async fn insert(db: &PgPool, _: &WritePermit, method: &PaymentMethod, reference: &str) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO payment_methods (id, user_id, provider, state, reference, currency, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        method.id.0,
        method.user.0,
        method.provider.name(),
        method.state.name(),
        reference,
        method.currency.name(),
        method.created_at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The usable methods of a user: the default one first, then the newest.
pub(super) async fn list(db: &PgPool, user: UserId) -> sqlx::Result<Vec<PaymentMethod>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, user_id, provider, state, label, issuer, currency, is_default, created_at FROM payment_methods
         WHERE user_id = $1 AND state = 'Usable' ORDER BY is_default DESC, id DESC",
        user.0,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(PaymentMethod::try_from).collect()
}

/// The saved methods of a user before an id, also removed ones, newest first.
pub(super) async fn all_of(db: &PgPool, user: UserId, before: Uuid, limit: i64) -> sqlx::Result<Vec<PaymentMethod>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, user_id, provider, state, label, issuer, currency, is_default, created_at FROM payment_methods
         WHERE user_id = $1 AND id < $2 AND (state = 'Usable' OR label <> '')
         ORDER BY id DESC LIMIT $3",
        user.0,
        before,
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(PaymentMethod::try_from).collect()
}

/// The first of [`list`] in a currency at a provider.
pub(super) async fn usable(
    db: &PgPool,
    user: UserId,
    currency: Currency,
    provider: ProviderName,
) -> sqlx::Result<Option<PaymentMethod>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, user_id, provider, state, label, issuer, currency, is_default, created_at FROM payment_methods
         WHERE user_id = $1 AND state = 'Usable' AND currency = $2 AND provider = $3
         ORDER BY is_default DESC, id DESC LIMIT 1",
        user.0,
        currency.name(),
        provider.name(),
    )
    .fetch_optional(db)
    .await?;
    row.map(PaymentMethod::try_from).transpose()
}

pub(super) async fn find(db: &PgPool, id: PaymentMethodId) -> sqlx::Result<Option<PaymentMethod>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, user_id, provider, state, label, issuer, currency, is_default, created_at FROM payment_methods
         WHERE id = $1",
        id.0,
    )
    .fetch_optional(db)
    .await?;
    row.map(PaymentMethod::try_from).transpose()
}

/// The provider's id, and the sealed secret.
pub(super) async fn secret(
    db: impl PgExecutor<'_>,
    id: PaymentMethodId,
) -> sqlx::Result<Option<(String, Option<Vec<u8>>)>> {
    let row = sqlx::query!("SELECT reference, secret FROM payment_methods WHERE id = $1", id.0);
    Ok(row.fetch_optional(db).await?.map(|row| (row.reference, row.secret)))
}

/// Locks all methods of a user until the transaction ends, so that one of them is the default.
pub(super) async fn lock(connection: &mut PgConnection, user: UserId) -> sqlx::Result<Vec<PaymentMethod>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, user_id, provider, state, label, issuer, currency, is_default, created_at FROM payment_methods
         WHERE user_id = $1 ORDER BY id FOR UPDATE",
        user.0,
    )
    .fetch_all(connection)
    .await?;
    rows.into_iter().map(PaymentMethod::try_from).collect()
}

/// An opening method becomes usable.
pub(super) async fn save(
    connection: &mut PgConnection,
    method: &PaymentMethod,
    details: &SavedCardDetails,
    secret: Option<&[u8]>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE payment_methods SET state = 'Usable', label = $2, issuer = $3, secret = $4
         WHERE id = $1 AND state = 'Opening'",
        method.id.0,
        details.label,
        details.issuer,
        secret,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Makes a usable method the default of a user whose methods are locked.
pub(super) async fn set_default(connection: &mut PgConnection, method: &PaymentMethod) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE payment_methods SET is_default = false WHERE user_id = $1 AND is_default AND id <> $2",
        method.user.0,
        method.id.0,
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!("UPDATE payment_methods SET is_default = true WHERE id = $1 AND state = 'Usable'", method.id.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// Writes the state of a locked method that is no longer usable.
pub(super) async fn end(
    connection: &mut PgConnection,
    id: PaymentMethodId,
    state: PaymentMethodState,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE payment_methods SET state = $2, secret = NULL, is_default = false WHERE id = $1",
        id.0,
        state.name(),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Ends the methods that were not finished in time, and returns their number.
pub(super) async fn expire(
    db: &PgPool,
    begun_before: DateTime<Utc>,
    state: PaymentMethodState,
    most: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "UPDATE payment_methods SET state = $2 WHERE id IN (
             SELECT id FROM payment_methods WHERE state = 'Opening' AND created_at < $1
             ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED)",
        begun_before,
        state.name(),
        most,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}

/// Removes all methods of a deleted account, and what is shown of them.
pub(super) async fn forget(connection: &mut PgConnection, user: UserId, state: PaymentMethodState) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE payment_methods SET state = $2, secret = NULL, is_default = false, label = '', issuer = ''
         WHERE user_id = $1",
        user.0,
        state.name(),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Queues the billing keys of methods, before they lose them, for the deletion at their provider.
pub(super) async fn forget_keys_of(
    connection: &mut PgConnection,
    methods: &[Uuid],
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO forgotten_billing_keys (id, method_id, secret, created_at, ask_at)
         SELECT gen_random_uuid(), id, secret, $2, $2 FROM payment_methods WHERE id = ANY($1) AND secret IS NOT NULL",
        methods,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Queues a billing key that its method does not keep.
pub(super) async fn forget_spare_key(
    connection: &mut PgConnection,
    method: PaymentMethodId,
    secret: &[u8],
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO forgotten_billing_keys (id, method_id, secret, created_at, ask_at) VALUES ($1, $2, $3, $4, $4)",
        Uuid::now_v7(),
        method.0,
        secret,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// A billing key that its provider is asked to delete.
pub(super) struct ForgottenKey {
    pub id: Uuid,
    pub method: PaymentMethodId,
    pub provider: ProviderName,
    pub secret: Vec<u8>,
    pub created_at: DateTime<Utc>,
}

/// Due billing keys. Each is due again after a pause that grows, so that one node asks for it and none is forgotten.
pub(super) async fn claim_keys(db: &PgPool, now: DateTime<Utc>, most: i64) -> sqlx::Result<Vec<ForgottenKey>> {
    let rows = sqlx::query!(
        "UPDATE forgotten_billing_keys k
         SET asked = k.asked + 1,
             ask_at = $1 + make_interval(secs => ($2::float8[])[LEAST(k.asked + 1, cardinality($2::float8[]))])
         FROM payment_methods m
         WHERE m.id = k.method_id AND k.id IN (
             SELECT id FROM forgotten_billing_keys WHERE ask_at <= $1 ORDER BY ask_at LIMIT $3 FOR UPDATE SKIP LOCKED)
         RETURNING k.id, k.method_id, m.provider, k.secret, k.created_at",
        now,
        &FORGETTING_PAUSES,
        most,
    )
    .fetch_all(db)
    .await?;
    let keys = rows.into_iter().map(|row| {
        Ok(ForgottenKey {
            id: row.id,
            method: PaymentMethodId(row.method_id),
            provider: word(&row.provider)?,
            secret: row.secret,
            created_at: row.created_at,
        })
    });
    keys.collect()
}

/// The provider has deleted a billing key, or it is given up.
pub(super) async fn delete_key(db: &PgPool, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM forgotten_billing_keys WHERE id = $1", id).execute(db).await?;
    Ok(())
}
