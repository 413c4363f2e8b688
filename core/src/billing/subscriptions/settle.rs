//! What an order's end does to its subscription, in the transaction that ends the order.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::news::{self, PaymentNews};
use super::state;
use super::store::subscriptions;
use super::subscription::{EndReason, Subscription, SubscriptionStatus};
use crate::billing::orders::{Order, OrderFailure};
use crate::{Core, Result, users};

/// The money of an order was taken. Its period begins, or the larger plan.
pub(in crate::billing) async fn paid(connection: &mut PgConnection, order: &Order) -> sqlx::Result<()> {
    let Some(before) = locked(connection, order).await? else { return Ok(()) };
    let after = state::paid(&before, order);
    if after.status == SubscriptionStatus::Ended {
        tracing::error!(order.id = %order.id, "order {} was paid after its subscription {} had ended", order.id, after.id);
    }
    write(connection, &before, &after).await
}

/// An order has ended without a payment. Call [`PaymentNews::announce`] after the commit.
pub(in crate::billing) async fn unpaid(
    core: &Core,
    connection: &mut PgConnection,
    order: &Order,
    failure: Option<OrderFailure>,
) -> Result<Option<PaymentNews>> {
    let Some(before) = locked(connection, order).await? else { return Ok(None) };
    let after = state::unpaid(&before, order, failure, core.clock.now());
    write(connection, &before, &after).await?;
    news::tell(core, connection, &before, &after).await
}

/// An order was refunded as a whole. If it paid the running period, the subscription ends.
pub(in crate::billing) async fn refunded(
    connection: &mut PgConnection,
    order: &Order,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let Some(before) = locked(connection, order).await? else { return Ok(()) };
    let is_running = order.period.as_ref().is_some_and(|period| period.number == before.period);
    if is_running && before.status != SubscriptionStatus::Ended {
        write(connection, &before, &state::end(&before, EndReason::Refunded, now)).await?;
    }
    Ok(())
}

/// Writes a locked subscription, and the plan of its owner.
pub(super) async fn write(
    connection: &mut PgConnection,
    before: &Subscription,
    after: &Subscription,
) -> sqlx::Result<()> {
    subscriptions::update(connection, after).await?;
    match after.status {
        // The user may have another one by now.
        _ if before.status == SubscriptionStatus::Ended => Ok(()),
        SubscriptionStatus::Pending => Ok(()),
        SubscriptionStatus::Ended => users::set_subscription_plan_tx(connection, after.user, None).await,
        SubscriptionStatus::Active | SubscriptionStatus::PastDue => {
            users::set_subscription_plan_tx(connection, after.user, Some(&after.plan)).await
        }
    }
}

async fn locked(connection: &mut PgConnection, order: &Order) -> sqlx::Result<Option<Subscription>> {
    match &order.period {
        Some(period) => subscriptions::lock(connection, period.subscription).await,
        None => Ok(None),
    }
}
