//! Following agreements: asking the provider, booking its payments, and doing what its report demands.
//!
//! Buyers who come back, notices and the upkeep task may follow one agreement at a time. The lock of the subscription
//! and the payments that are booked decide which of them has an effect.

use chrono::TimeDelta;
use futures_util::future::join_all;

use super::agreement::{AgreementState, ProviderAgreement};
use super::state::{self, AgreementStep, is_opening_over, month_of_sale};
use super::store;
use crate::billing::items;
use crate::billing::orders::{self, Order, PlanPeriod, SaleBooking, SaleUse};
use crate::billing::providers::{
    self, AgreementProvider, AgreementReport, AgreementStatus, CallError, ProviderName, ProviderSale, RefundExtent,
};
use crate::billing::subscriptions::state::is_stopped;
use crate::billing::subscriptions::store::subscriptions;
use crate::billing::subscriptions::subscription::{EndReason, PaidWith, Subscription};
use crate::billing::subscriptions::{news, settle};
use crate::ids::{SubscriptionId, UserId};
use crate::settings::Plan;
use crate::{Core, Result, database, users};

/// Agreements of one round.
const FOLLOWED_AT_ONCE: i64 = 50;
/// How long before a month the provider is asked for payments: it may charge early.
const MARGIN: TimeDelta = TimeDelta::days(2);
/// For how long the payments of a running agreement are read again: PayPal refunds them, and hears disputes, for 180
/// days.
const READ_AGAIN: TimeDelta = TimeDelta::days(180);
/// The provider is asked for whole seconds.
const SECOND: TimeDelta = TimeDelta::seconds(1);
/// How often a sale is booked again whose subscription has changed since it was read.
const BOOKINGS: usize = 3;

/// The provider says that something happened to an agreement. Its word is only a hint: it is asked.
pub(in crate::billing) async fn note_notice(core: &Core, reference: &str) -> Result<()> {
    store::ask_at_once(&core.db, reference, core.clock.now()).await?;
    core.payments.wake_up().notify_one();
    Ok(())
}

/// Whether an agreement with this reference is one of ours.
pub(in crate::billing) async fn is_known(core: &Core, reference: &str) -> Result<bool> {
    Ok(store::is_known(&core.db, reference).await?)
}

/// Follows due agreements; returns their number. An error of one does not stop the others.
///
/// # Errors
/// If the due ones cannot be read.
pub(in crate::billing) async fn follow_due(core: &Core) -> Result<u64> {
    let due = store::claim(&core.db, core.clock.now(), FOLLOWED_AT_ONCE).await?;
    for (one, done) in due.iter().zip(join_all(due.iter().map(|one| follow(core, one))).await) {
        if let Err(error) = done {
            let id = one.subscription;
            tracing::warn!(%error, subscription.id = %id, "the agreement of subscription {id} was not followed");
        }
    }
    Ok(due.len() as u64)
}

/// Asks the provider about the agreement of a subscription. If the provider does not answer, nothing changes.
pub(in crate::billing::subscriptions) async fn follow_of(core: &Core, id: SubscriptionId) -> Result<()> {
    match store::find(&core.db, id).await? {
        Some(agreement) => follow(core, &agreement).await,
        None => Ok(()),
    }
}

/// The provider stops to charge a closed account. Its plan stays until the end of the paid month.
///
/// # Errors
/// If the database does not answer.
pub async fn stop_of(core: &Core, user: UserId) -> Result<()> {
    match subscriptions::newest_of(&core.db, user, core.clock.now()).await? {
        Some(found) if found.paid_with == PaidWith::PayPal => stop(core, found.id, EndReason::AccountClosed).await,
        _ => Ok(()),
    }
}

/// Stops a subscription that the provider charges, unless it is stopped.
pub(super) async fn stop(core: &Core, id: SubscriptionId, reason: EndReason) -> Result<()> {
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let Some(before) = subscriptions::lock(&mut tx, id).await?.filter(|found| !is_stopped(found)) else {
        return Ok(());
    };
    let after = state::stopped(&before, reason, now);
    settle::write(&mut tx, &before, &after).await?;
    tx.commit().await?;
    users::invalidate(core, after.user).await;
    core.payments.wake_up().notify_one();
    Ok(())
}

/// Asks the provider about an agreement and does what follows.
async fn follow(core: &Core, agreement: &ProviderAgreement) -> Result<()> {
    let (id, now) = (agreement.subscription, core.clock.now());
    let Some(reference) = agreement.reference.as_deref() else { return unopened(core, agreement).await };
    if agreement.state == AgreementState::Open && store::is_closed(&core.db, id).await? {
        stop(core, id, EndReason::AccountClosed).await?;
    }
    let Some(provider) = answered(agreement, providers::agreements_at(core, agreement.provider)) else { return Ok(()) };
    let Some(report) = answered(agreement, provider.report(id.0, reference).await) else { return Ok(()) };
    // The payments are read after the state, so that those before its end are seen.
    if report.status != AgreementStatus::Waiting && !book_sales(core, &provider, agreement, reference).await? {
        return Ok(());
    }
    let Some(subscription) = subscriptions::find(&core.db, id).await? else { return Ok(()) };
    match state::step(agreement, &subscription, report, now) {
        AgreementStep::Wait => Ok(()),
        AgreementStep::AskAt(at) => Ok(store::ask_at(&core.db, agreement, at).await?),
        AgreementStep::Change(_) => change(core, agreement, report).await,
        AgreementStep::Close => Ok(store::close(&core.db, agreement).await?),
        // The next question shows whether the provider has done it.
        AgreementStep::Cancel => {
            answered(agreement, provider.cancel(reference).await);
            Ok(())
        }
    }
}

/// An agreement without an answer to its opening: nothing at the provider can be approved.
async fn unopened(core: &Core, agreement: &ProviderAgreement) -> Result<()> {
    match agreement.state {
        AgreementState::Opening if is_opening_over(core.clock.now() - agreement.created_at) => {
            stop(core, agreement.subscription, EndReason::NotApproved).await
        }
        AgreementState::Opening | AgreementState::Open => Ok(()),
        AgreementState::Canceling | AgreementState::Over => {
            // Its opening may still be under way.
            if is_opening_over(core.clock.now() - agreement.created_at) {
                store::close(&core.db, agreement).await?;
            }
            Ok(())
        }
    }
}

/// Changes the subscription as the report demands, if it still does.
async fn change(core: &Core, agreement: &ProviderAgreement, report: AgreementReport) -> Result<()> {
    let mut tx = database::begin(&core.db).await?;
    let Some(before) = subscriptions::lock(&mut tx, agreement.subscription).await? else { return Ok(()) };
    let AgreementStep::Change(after) = state::step(agreement, &before, report, core.clock.now()) else { return Ok(()) };
    settle::write(&mut tx, &before, &after).await?;
    let told = news::tell(core, &mut tx, &before, &after).await?;
    tx.commit().await?;
    users::invalidate(core, after.user).await;
    if is_stopped(&after) {
        core.payments.wake_up().notify_one();
    }
    if let Some(told) = told {
        told.announce(core).await;
    }
    Ok(())
}

/// Books all payments, and has refunds recorded that the provider has made of the last ones; false if the provider does
/// not answer.
async fn book_sales(
    core: &Core,
    provider: &AgreementProvider<'_>,
    agreement: &ProviderAgreement,
    reference: &str,
) -> Result<bool> {
    let now = core.clock.now();
    let Some(subscription) = subscriptions::find(&core.db, agreement.subscription).await? else { return Ok(false) };
    let begin = agreement.created_at.max(now - READ_AGAIN).min(subscription.from);
    let times = (begin - MARGIN, now + SECOND);
    let sales = provider.sales(reference, times, subscription.price).await;
    let Some(sales) = answered(agreement, sales) else { return Ok(false) };
    for sale in sales {
        if !orders::is_booked(core, agreement.provider, &sale.id).await? {
            // One that was given back before it was booked is no payment.
            if sale.refund == RefundExtent::Whole {
                continue;
            }
            book(core, agreement, &sale).await?;
        }
        orders::note_refunded_sale(core, agreement.provider, &sale).await?;
    }
    Ok(true)
}

/// Books one payment as the next month, or gives it back if it came after the cancellation.
async fn book(core: &Core, agreement: &ProviderAgreement, sale: &ProviderSale) -> Result<()> {
    let id = agreement.subscription;
    for _ in 0..BOOKINGS {
        let Some(subscription) = subscriptions::find(&core.db, id).await? else { return Ok(()) };
        let sale_use = if is_stopped(&subscription) { SaleUse::Returned } else { SaleUse::Month };
        if sale_use == SaleUse::Returned {
            let (charge, provider) = (&sale.id, agreement.provider.name());
            tracing::warn!(
                subscription.id = %id, charge,
                "{provider} has charged subscription {id} after its cancellation"
            );
        }
        let order = order_of(core, (&subscription, agreement.provider), sale, sale_use).await?;
        if orders::book_sale(core, order, &sale.id, sale_use).await? == SaleBooking::Booked {
            break;
        }
    }
    Ok(())
}

/// The order of a month that the provider has charged. One that is given back gives no credits.
async fn order_of(
    core: &Core,
    (of, provider): (&Subscription, ProviderName),
    sale: &ProviderSale,
    sale_use: SaleUse,
) -> Result<Order> {
    let now = core.clock.now();
    let item = items::find(core, of.item).await?;
    let (from, until) = month_of_sale(of, sale.at.min(now));
    let credits = match sale_use {
        SaleUse::Month => Plan::monthly_credits_of(&core.settings.plans, &of.plan),
        SaleUse::Returned => 0,
    };
    let period = PlanPeriod {
        subscription: of.id,
        plan: of.plan.clone(),
        plan_amount: of.price.amount,
        number: of.period + 1,
        from,
        until,
        is_change: false,
    };
    let order = Order::new(of.user, &item, of.price, provider, now);
    Ok(Order { credits, period: Some(period), ..order })
}

fn answered<T>(agreement: &ProviderAgreement, answer: std::result::Result<T, CallError>) -> Option<T> {
    match answer {
        Ok(answer) => Some(answer),
        Err(error) => {
            let (id, provider) = (agreement.subscription, agreement.provider.name());
            tracing::warn!(
                ?error, subscription.id = %id,
                "{provider} gave no answer about the agreement of subscription {id}"
            );
            None
        }
    }
}
