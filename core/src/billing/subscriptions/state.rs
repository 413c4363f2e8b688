//! The lifecycle of a subscription. Pure: no clock, no database, no provider.
//!
//! ```text
//!   Pending ──▶ Active ◀──▶ PastDue
//!      │           │            │      (charged on the day, and three and seven days later)
//!      └───────────┴────────────┴──▶ Ended
//! ```
//!
//! A period is paid by one order, and a larger plan in its middle by another. While a payment is under way, the
//! subscription names its order, and none is charged beside it. A month without a payment is not made up for: a renewal
//! that is late by more than the three charges begins its period when it is charged.
//!
//! A subscription that PayPal charges is never due before its end: PayPal's payments renew it; see `agreements`. After its
//! cancellation PayPal must not charge it, so that it cannot be resumed, and a payment that comes later is given back.

use chrono::{DateTime, Datelike as _, Months, TimeDelta, Utc};

use super::subscription::{ChangeTime, EndReason, PaidWith, PlanChange, PlannedPlan, Subscription, SubscriptionStatus};
use crate::billing::money::Money;
use crate::billing::orders::{Order, OrderFailure};
use crate::ids::ShopItemId;

/// When a charge is tried again after the end of the paid period.
const TRIES: [TimeDelta; 2] = [TimeDelta::days(3), TimeDelta::days(7)];
/// The least time between two of them.
const LEAST_PAUSE: TimeDelta = TimeDelta::days(1);
/// For how long after the end of the paid period a charge without an answer of its provider does not count.
const UNANSWERED_TIME: TimeDelta = TimeDelta::days(14);
/// When such a charge is tried again at first. The pauses double, up to a day.
const UNANSWERED_PAUSE: TimeDelta = TimeDelta::hours(1);
/// When a renewal looks again while a change of plan is being paid.
const BUSY_PAUSE: TimeDelta = TimeDelta::minutes(10);

/// A period to charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NextPeriod {
    pub number: i32,
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
    pub plan: PlannedPlan,
}

/// What a subscription that is due needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DueStep {
    Wait(DateTime<Utc>),
    Charge(NextPeriod),
    End(EndReason),
}

/// The end of the month that begins at `from`. Months are counted from the anchor, so that a period that begins on the
/// last day of February ends on the day of the anchor.
pub(super) fn month_after(anchor: DateTime<Utc>, from: DateTime<Utc>) -> DateTime<Utc> {
    let months = (from.year() - anchor.year()) * 12 + from.month().cast_signed() - anchor.month().cast_signed();
    let next = anchor.checked_add_months(Months::new((months + 1).max(1).cast_unsigned()));
    next.unwrap_or(from + TimeDelta::days(30))
}

/// What follows when a subscription is due.
pub(super) fn due(subscription: &Subscription, now: DateTime<Utc>) -> DueStep {
    if subscription.open_order.is_some() {
        return DueStep::Wait(now + BUSY_PAUSE);
    }
    if subscription.is_canceled {
        return DueStep::End(EndReason::Canceled);
    }
    let is_late = now - subscription.until > TRIES[1] + LEAST_PAUSE && subscription.tries == 0;
    let (from, until) = match is_late {
        true => (now, month_after(now, now)),
        false => (subscription.until, month_after(subscription.anchor, subscription.until)),
    };
    let same =
        || PlannedPlan { item: subscription.item, plan: subscription.plan.clone(), amount: subscription.price.amount };
    let plan = subscription.next.clone().unwrap_or_else(same);
    DueStep::Charge(NextPeriod { number: subscription.period + 1, from, until, plan })
}

/// Whether PayPal must not charge it any more.
pub(super) fn is_stopped(subscription: &Subscription) -> bool {
    subscription.paid_with == PaidWith::PayPal
        && (subscription.status == SubscriptionStatus::Ended || subscription.is_canceled)
}

/// The subscription after an order of it was paid. An ended one stays so.
pub(super) fn paid(subscription: &Subscription, order: &Order) -> Subscription {
    let mut next = subscription.clone();
    if is_stopped(subscription) {
        // The money is given back, so the month is only counted.
        next.period = order.period.as_ref().map_or(next.period, |period| period.number);
        return next;
    }
    next.open_order = next.open_order.filter(|open| *open != order.id);
    let Some(period) = order.period.as_ref().filter(|_| subscription.status != SubscriptionStatus::Ended) else {
        return next;
    };
    let is_next = !period.is_change && period.number == subscription.period + 1;
    // A payment whose answer was lost may be known only after one for a larger plan.
    let is_larger_plan =
        period.is_change && period.number == subscription.period && period.plan_amount > subscription.price.amount;
    if !(is_next || is_larger_plan) {
        return next;
    }
    next.item = order.item;
    next.plan.clone_from(&period.plan);
    next.price.amount = period.plan_amount;
    // It began, or a larger plan was chosen after it.
    next.next = None;
    if is_next {
        if period.from != subscription.until || subscription.period == 0 {
            next.anchor = period.from;
        }
        next.status = SubscriptionStatus::Active;
        next.period = period.number;
        (next.from, next.until) = (period.from, period.until);
        next.tries = 0;
        next.due_at = Some(period.until).filter(|_| subscription.paid_with == PaidWith::Card);
    }
    next
}

/// The subscription after an order of it has ended without a payment.
pub(super) fn unpaid(
    subscription: &Subscription,
    order: &Order,
    failure: Option<OrderFailure>,
    now: DateTime<Utc>,
) -> Subscription {
    let mut next = subscription.clone();
    next.open_order = next.open_order.filter(|open| *open != order.id);
    if order.period.as_ref().is_none_or(|period| period.is_change || period.number != subscription.period + 1) {
        return next;
    }
    match (subscription.status, failure) {
        (SubscriptionStatus::Ended, _) => next,
        (SubscriptionStatus::Pending, _) => end(&next, EndReason::Declined, now),
        (_, Some(OrderFailure::ProviderUnavailable)) if now - subscription.until < UNANSWERED_TIME => {
            let pause = (now - subscription.until).clamp(UNANSWERED_PAUSE, LEAST_PAUSE);
            Subscription { due_at: Some(now + pause), ..next }
        }
        _ => failed_try(&next, now),
    }
}

/// The subscription after one more charge of its next period has failed.
pub(super) fn failed_try(subscription: &Subscription, now: DateTime<Utc>) -> Subscription {
    let tries = subscription.tries + 1;
    let next = Subscription { tries, status: SubscriptionStatus::PastDue, ..subscription.clone() };
    let pause = usize::try_from(subscription.tries).ok().and_then(|failed| TRIES.get(failed));
    match pause {
        Some(pause) => Subscription { due_at: Some((subscription.until + *pause).max(now + LEAST_PAUSE)), ..next },
        None => end(&next, EndReason::PaymentFailed, now),
    }
}

/// The subscription after its end.
pub(super) fn end(subscription: &Subscription, reason: EndReason, now: DateTime<Utc>) -> Subscription {
    Subscription {
        status: SubscriptionStatus::Ended,
        ended_at: Some(now),
        end_reason: Some(reason),
        due_at: None,
        next: None,
        ..subscription.clone()
    }
}

/// The subscription after its owner cancels it: it ends with the paid period, or at once without one. `None` while a
/// period is being paid. A planned change stays for the case that the cancellation is taken back.
pub(super) fn cancel(subscription: &Subscription, now: DateTime<Utc>) -> Option<Subscription> {
    match (subscription.status, subscription.paid_with) {
        (SubscriptionStatus::Active, PaidWith::PayPal) => {
            Some(Subscription { is_canceled: true, due_at: Some(subscription.until), ..subscription.clone() })
        }
        (SubscriptionStatus::Pending, PaidWith::PayPal) => Some(end(subscription, EndReason::Canceled, now)),
        (SubscriptionStatus::Active, PaidWith::Card) if subscription.due_at.is_some() => {
            Some(Subscription { is_canceled: true, ..subscription.clone() })
        }
        (SubscriptionStatus::PastDue, _) if subscription.open_order.is_none() => {
            Some(end(subscription, EndReason::Canceled, now))
        }
        (SubscriptionStatus::Ended, _) => Some(subscription.clone()),
        _ => None,
    }
}

/// The subscription after its owner takes a cancellation back; `None` if it cannot be.
pub(super) fn resume(subscription: &Subscription, now: DateTime<Utc>) -> Option<Subscription> {
    let may = subscription.status == SubscriptionStatus::Active
        && subscription.paid_with == PaidWith::Card
        && now < subscription.until;
    may.then(|| Subscription { is_canceled: false, ..subscription.clone() })
}

/// Whether the plan can be changed.
pub(super) fn is_changeable(subscription: &Subscription, now: DateTime<Utc>) -> bool {
    subscription.status == SubscriptionStatus::Active
        && subscription.paid_with == PaidWith::Card
        && subscription.open_order.is_none()
        && !subscription.is_canceled
        && now < subscription.until
}

/// A plan to change to, or from.
#[derive(Debug, Clone, Copy)]
pub(super) struct ComparedPlan<'a> {
    pub item: ShopItemId,
    pub plan: &'a str,
    /// Its place among the plans.
    pub rank: usize,
    /// The price of a month, and its credits.
    pub amount: i64,
    pub credits: i64,
}

/// What a change to another plan costs and gives. A larger plan begins at once and costs the difference for the whole
/// days that are left, rounded down; a smaller one, or one whose difference is too small to charge, begins with the next
/// period.
pub(super) fn change(
    subscription: &Subscription,
    from: ComparedPlan<'_>,
    to: ComparedPlan<'_>,
    now: DateTime<Utc>,
) -> PlanChange {
    let days_of_period = (subscription.until - subscription.from).num_days().max(1);
    let days_left = (subscription.until - now).num_days().clamp(0, days_of_period);
    let part = |difference: i64| {
        let part = i128::from(difference.max(0)) * i128::from(days_left) / i128::from(days_of_period);
        i64::try_from(part).unwrap_or(i64::MAX)
    };
    let currency = subscription.price.currency;
    let amount = part(to.amount.saturating_sub(from.amount));
    let is_now = to.rank > from.rank && amount >= currency.least_charge();
    PlanChange {
        plan: to.plan.to_owned(),
        when: if is_now { ChangeTime::Now } else { ChangeTime::AtPeriodEnd },
        price: Money { amount: if is_now { amount } else { 0 }, currency },
        credits: if is_now { part(to.credits.saturating_sub(from.credits)) } else { 0 },
        days_left,
        days_of_period,
        at: if is_now { now } else { subscription.until },
        next_amount: to.amount,
    }
}

/// The subscription with this plan from its next period on; choosing the current one takes a planned change back.
pub(super) fn plan_next(subscription: &Subscription, to: ComparedPlan<'_>) -> Subscription {
    let planned = PlannedPlan { item: to.item, plan: to.plan.to_owned(), amount: to.amount };
    let next = (to.plan != subscription.plan).then_some(planned);
    Subscription { next, ..subscription.clone() }
}

#[cfg(test)]
pub(super) mod tests;
