//! Renewals: subscriptions that are due are charged, changed or ended.
//!
//! The order of a period is committed with the subscription that names it, before the provider is called. What the
//! payment brings is written with the order's end; see `settle`.

use super::news;
use super::settle;
use super::state::{self, DueStep, NextPeriod};
use super::store::subscriptions::{self, DueSubscription};
use super::subscription::{EndReason, Subscription};
use crate::billing::items;
use crate::billing::methods::{self, PaymentMethod};
use crate::billing::money::Money;
use crate::billing::orders::{Order, PlanPeriod, placing};
use crate::settings::Plan;
use crate::users::WritePermit;
use crate::{Core, Error, Result, database, users};

/// Subscriptions of one round.
pub const RENEWED_AT_ONCE: i64 = 50;

/// Renews, charges again or ends subscriptions that are due; returns their number. An error of one does not stop the
/// others.
///
/// # Errors
/// If the due ones cannot be read.
pub async fn renew_due(core: &Core) -> Result<u64> {
    let due = subscriptions::due(&core.db, core.clock.now(), RENEWED_AT_ONCE).await?;
    for one in &due {
        if let Err(error) = renew(core, one).await {
            let id = one.id;
            tracing::warn!(%error, subscription.id = %id, "subscription {id} was not renewed");
        }
    }
    Ok(due.len() as u64)
}

/// Does what a subscription needs that is due; nothing if it is not due any more.
async fn renew(core: &Core, due: &DueSubscription) -> Result<()> {
    let now = core.clock.now();
    let method = methods::usable(core, due.user, due.currency).await?;
    let mut tx = database::begin(&core.db).await?;
    let Some(before) = subscriptions::lock(&mut tx, due.id).await? else { return Ok(()) };
    if before.due_at.is_none_or(|at| at > now) {
        return Ok(());
    }
    let step = if due.is_closed { DueStep::End(EndReason::AccountClosed) } else { state::due(&before, now) };
    let (after, period) = match step {
        DueStep::Wait(at) => (Subscription { due_at: Some(at), ..before.clone() }, None),
        DueStep::End(reason) => (state::end(&before, reason, now), None),
        DueStep::Charge(period) => match &method {
            Some(method) => (before.clone(), Some((period, method))),
            None => (state::failed_try(&before, now), None),
        },
    };
    let Some((period, method)) = period else {
        settle::write(&mut tx, &before, &after).await?;
        let told = news::tell(core, &mut tx, &before, &after).await?;
        tx.commit().await?;
        users::invalidate(core, after.user).await;
        if let Some(told) = told {
            told.announce(core).await;
        }
        return Ok(());
    };
    let order = order_of(core, &before, period, method).await?;
    let payment = placing::payment_of(&order, Some(method));
    placing::insert(&mut tx, None, &order, &payment).await?;
    let after = Subscription { open_order: Some(order.id), due_at: None, ..after };
    subscriptions::update(&mut tx, &after).await?;
    tx.commit().await?;
    // Its outcome is written with the order.
    placing::open(core, &order, &payment, Some(method)).await?;
    Ok(())
}

/// The order of a next period.
async fn order_of(
    core: &Core,
    subscription: &Subscription,
    period: NextPeriod,
    method: &PaymentMethod,
) -> Result<Order> {
    let NextPeriod { number, from, until, plan } = period;
    let item = items::find(core, plan.item).await?;
    let credits = Plan::monthly_credits_of(&core.settings.plans, &plan.plan);
    let price = Money { amount: plan.amount, currency: subscription.price.currency };
    let order = Order::new(subscription.user, &item, price, method.provider, core.clock.now());
    let period = PlanPeriod {
        subscription: subscription.id,
        plan: plan.plan,
        plan_amount: plan.amount,
        number,
        from,
        until,
        is_change: false,
    };
    Ok(Order { credits, period: Some(period), ..order })
}

/// Charges a subscription whose last charge failed, without waiting for the next try.
///
/// # Errors
/// As [`renew`].
pub(super) async fn charge_now(core: &Core, permit: &WritePermit, subscription: &Subscription) -> Result<()> {
    if !subscriptions::make_due(&core.db, permit, subscription.id, core.clock.now()).await? {
        return Err(Error::NotFound { what: "failed payment" });
    }
    let Subscription { id, user, price, .. } = subscription;
    renew(core, &DueSubscription { id: *id, user: *user, currency: price.currency, is_closed: false }).await
}
