//! What an order's end does to its subscription, in the transaction that ends the order.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::agreements;
use super::news::{self, PaymentNews};
use super::state;
use super::store::subscriptions;
use super::subscription::{EndReason, PaidWith, Subscription, SubscriptionStatus};
use crate::billing::orders::{Order, OrderFailure, PlanPeriod};
use crate::{Core, Result, users};

/// The money of an order was taken. Its period begins, or the larger plan.
pub(in crate::billing) async fn paid(connection: &mut PgConnection, order: &Order) -> sqlx::Result<()> {
    let Some(before) = locked(connection, order).await? else { return Ok(()) };
    let after = state::paid(&before, order);
    if after.status == SubscriptionStatus::Ended && after.paid_with == PaidWith::Card {
        tracing::error!(order.id = %order.id, "order {} was paid after its subscription {} had ended", order.id, after.id);
    }
    write(connection, &before, &after).await
}

/// Whether an order of a payment that PayPal has taken pays the next month; `is_returned`: PayPal should not have taken
/// it. The subscription stays locked until the transaction ends.
pub(in crate::billing) async fn awaits(
    connection: &mut PgConnection,
    order: &Order,
    is_returned: bool,
) -> sqlx::Result<bool> {
    let number = order.period.as_ref().map(|period| period.number);
    let found = locked(connection, order).await?;
    Ok(found.is_some_and(|found| Some(found.period + 1) == number && state::is_stopped(&found) == is_returned))
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
    // A month that PayPal has charged after the cancellation is counted, and never runs.
    let runs = |period: &PlanPeriod| period.number == before.period && period.from < before.until;
    let is_running = order.period.as_ref().is_some_and(runs);
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
    if state::is_stopped(after) && !state::is_stopped(before) {
        agreements::stop(connection, after.id).await?;
    }
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
