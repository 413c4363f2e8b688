//! The lifecycle of an agreement. Pure: no clock, no database, no provider.
//!
//! ```text
//!   Opening ──▶ Open ──▶ Canceling ──▶ Over
//!      └───────────────────▲
//! ```
//!
//! It is `Canceling` as soon as its subscription is canceled or has ended, and `Over` when the provider says that it
//! charges no more. PayPal tries a failed charge again by itself. Seven days after the end of the paid month without a
//! payment, the subscription ends. PayPal cannot cancel an agreement that is not approved: it is asked until PayPal has
//! forgotten it.

use chrono::{DateTime, TimeDelta, Utc};

use super::agreement::ProviderAgreement;
use crate::billing::providers::{AgreementReport, AgreementStatus};
use crate::billing::subscriptions::state::{cancel, end, is_stopped, month_after};
use crate::billing::subscriptions::subscription::{EndReason, Subscription, SubscriptionStatus};

/// How long a buyer may take to approve an agreement.
const APPROVAL_TIME: TimeDelta = TimeDelta::hours(3);
/// When an agreement that no answer opened is given up. The buyer cannot approve it.
const OPENING_TIME: TimeDelta = TimeDelta::minutes(2);
/// When PayPal has forgotten an agreement that is not approved.
const FORGOTTEN_AFTER: TimeDelta = TimeDelta::days(3);
/// How long after the end of a month its plan stays without a payment of the next one.
const UNPAID_TIME: TimeDelta = TimeDelta::days(7);
/// How late a payment may be until it counts as failed.
const LATE_TIME: TimeDelta = TimeDelta::days(1);
/// A month begins when the last one has ended, unless its payment is later than this.
const SAME_CALENDAR: TimeDelta = TimeDelta::days(8);
/// The pauses between questions in the middle of a month, and while its payment is late.
const QUIET_PAUSE: TimeDelta = TimeDelta::days(1);
const LATE_PAUSE: TimeDelta = TimeDelta::minutes(15);
const FAILED_PAUSE: TimeDelta = TimeDelta::hours(1);
/// The last question before the end of a month, and the first one after it.
const BEFORE_END: TimeDelta = TimeDelta::hours(1);
const AFTER_END: TimeDelta = TimeDelta::minutes(5);
/// Seconds between the questions to the provider while it has no news.
pub(super) const PAUSES: [f64; 9] = [10.0, 20.0, 40.0, 80.0, 160.0, 320.0, 640.0, 1280.0, 1800.0];

/// What to do about an agreement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AgreementStep {
    /// Ask again, after pauses that grow.
    Wait,
    AskAt(DateTime<Utc>),
    /// The subscription becomes this one.
    Change(Box<Subscription>),
    /// Cancel it at the provider.
    Cancel,
    /// The provider charges no more.
    Close,
}

/// What follows from the provider's word on an agreement, after its payments were booked.
pub(super) fn step(
    agreement: &ProviderAgreement,
    subscription: &Subscription,
    report: AgreementReport,
    now: DateTime<Utc>,
) -> AgreementStep {
    let age = now - agreement.created_at;
    let is_pending = subscription.status == SubscriptionStatus::Pending;
    match (is_stopped(subscription), report.status) {
        (true, AgreementStatus::Ended) => AgreementStep::Close,
        (true, AgreementStatus::Active | AgreementStatus::Suspended) => AgreementStep::Cancel,
        (true, AgreementStatus::Waiting) if age > FORGOTTEN_AFTER => AgreementStep::Close,
        (false, AgreementStatus::Ended) => changed(ended_at_provider(subscription, now)),
        (false, AgreementStatus::Waiting) if is_pending && age > APPROVAL_TIME => {
            changed(end(subscription, EndReason::NotApproved, now))
        }
        (false, AgreementStatus::Active | AgreementStatus::Suspended) if is_pending && age > UNPAID_TIME => {
            changed(end(subscription, EndReason::Declined, now))
        }
        (_, AgreementStatus::Waiting) => AgreementStep::Wait,
        (false, AgreementStatus::Active | AgreementStatus::Suspended) if is_pending => AgreementStep::Wait,
        (false, AgreementStatus::Active | AgreementStatus::Suspended) => running(subscription, report, now),
    }
}

/// The step of a subscription that has a paid month.
fn running(subscription: &Subscription, report: AgreementReport, now: DateTime<Utc>) -> AgreementStep {
    let Subscription { until, status, tries, .. } = *subscription;
    if now < until {
        let last = until - BEFORE_END;
        let next = if now < last { last } else { until + AFTER_END };
        return AgreementStep::AskAt(next.min(now + QUIET_PAUSE));
    }
    if now >= until + UNPAID_TIME {
        return changed(end(subscription, EndReason::PaymentFailed, now));
    }
    let has_failed = report.failed > 0 || report.status == AgreementStatus::Suspended || now > until + LATE_TIME;
    if !has_failed {
        return AgreementStep::AskAt(now + LATE_PAUSE);
    }
    let failed = report.failed.max(tries).max(1);
    if status == SubscriptionStatus::PastDue && failed == tries {
        return AgreementStep::AskAt(now + FAILED_PAUSE);
    }
    changed(Subscription { status: SubscriptionStatus::PastDue, tries: failed, ..subscription.clone() })
}

/// The subscription after the buyer or the provider has ended the agreement.
fn ended_at_provider(subscription: &Subscription, now: DateTime<Utc>) -> Subscription {
    let reason = match subscription.status {
        SubscriptionStatus::Pending => EndReason::NotApproved,
        SubscriptionStatus::PastDue => EndReason::PaymentFailed,
        SubscriptionStatus::Active | SubscriptionStatus::Ended => EndReason::Canceled,
    };
    stopped(subscription, reason, now)
}

/// The subscription that the provider charges no more: it keeps its paid month.
pub(super) fn stopped(subscription: &Subscription, reason: EndReason, now: DateTime<Utc>) -> Subscription {
    let kept = cancel(subscription, now).filter(|kept| kept.is_canceled);
    kept.unwrap_or_else(|| end(subscription, reason, now))
}

fn changed(subscription: Subscription) -> AgreementStep {
    AgreementStep::Change(Box::new(subscription))
}

/// Whether an agreement of this age without an answer to its opening is given up.
pub(super) fn is_opening_over(age: TimeDelta) -> bool {
    age > OPENING_TIME
}

/// The month that a payment at this time begins: the one after the paid month, or a new calendar after a gap.
pub(super) fn month_of_sale(subscription: &Subscription, at: DateTime<Utc>) -> (DateTime<Utc>, DateTime<Utc>) {
    let follows = subscription.period > 0 && at < subscription.until + SAME_CALENDAR;
    match follows {
        true => (subscription.until, month_after(subscription.anchor, subscription.until)),
        false => (at, month_after(at, at)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::agreement::AgreementState;
    use super::*;
    use crate::billing::providers::ProviderName;
    use crate::billing::subscriptions::state::tests::pending;
    use crate::billing::subscriptions::subscription::PaidWith;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect("a time")
    }

    fn subscription(status: SubscriptionStatus) -> Subscription {
        let from = at("2027-01-31T10:00:00Z");
        let period = i32::from(status != SubscriptionStatus::Pending);
        Subscription { status, paid_with: PaidWith::PayPal, period, ..pending(from) }
    }

    fn step_of(subscription: &Subscription, status: AgreementStatus, failed: i32, now: DateTime<Utc>) -> AgreementStep {
        let agreement = ProviderAgreement {
            subscription: subscription.id,
            provider: ProviderName::PayPal,
            state: AgreementState::Open,
            reference: Some("I-1".into()),
            created_at: subscription.created_at,
            ask_at: None,
        };
        step(&agreement, subscription, AgreementReport { status, failed }, now)
    }

    fn change_of(step: AgreementStep) -> Subscription {
        let AgreementStep::Change(subscription) = step else { panic!("{step:?} is no change") };
        *subscription
    }

    const STATUSES: [AgreementStatus; 4] =
        [AgreementStatus::Waiting, AgreementStatus::Active, AgreementStatus::Suspended, AgreementStatus::Ended];

    #[test]
    fn stopped_agreement_is_canceled_until_paypal_says_that_it_has_ended() {
        let active = subscription(SubscriptionStatus::Active);
        let now = active.from + TimeDelta::days(1);
        let canceled = cancel(&active, now).expect("a cancellation");
        assert_eq!((canceled.is_canceled, canceled.due_at), (true, Some(active.until)));
        let ended = end(&active, EndReason::Refunded, now);
        for one in [&canceled, &ended] {
            let steps = STATUSES.map(|status| step_of(one, status, 0, now));
            let expected = [AgreementStep::Wait, AgreementStep::Cancel, AgreementStep::Cancel, AgreementStep::Close];
            assert_eq!(steps, expected);
            let forgotten = one.created_at + TimeDelta::days(4);
            assert_eq!(step_of(one, AgreementStatus::Waiting, 0, forgotten), AgreementStep::Close);
        }
    }

    #[test]
    fn agreement_that_is_not_approved_or_paid_ends_its_subscription() {
        let pending = subscription(SubscriptionStatus::Pending);
        let after = |time| pending.created_at + time;
        for status in [AgreementStatus::Waiting, AgreementStatus::Active] {
            assert_eq!(step_of(&pending, status, 0, after(TimeDelta::hours(3))), AgreementStep::Wait);
        }
        let late = change_of(step_of(&pending, AgreementStatus::Waiting, 0, after(TimeDelta::hours(4))));
        assert_eq!(late.end_reason, Some(EndReason::NotApproved));
        let unpaid = change_of(step_of(&pending, AgreementStatus::Active, 0, after(TimeDelta::days(8))));
        assert_eq!(unpaid.end_reason, Some(EndReason::Declined));
        let refused = change_of(step_of(&pending, AgreementStatus::Ended, 0, after(TimeDelta::minutes(1))));
        assert_eq!(refused.end_reason, Some(EndReason::NotApproved));
    }

    #[test]
    fn running_month_is_read_daily_and_around_its_end() {
        let active = subscription(SubscriptionStatus::Active);
        let asked = |now| step_of(&active, AgreementStatus::Active, 0, now);
        let until = active.until;
        assert_eq!(asked(active.from), AgreementStep::AskAt(active.from + TimeDelta::days(1)));
        assert_eq!(asked(until - TimeDelta::hours(5)), AgreementStep::AskAt(until - TimeDelta::hours(1)));
        assert_eq!(asked(until - TimeDelta::hours(1)), AgreementStep::AskAt(until + TimeDelta::minutes(5)));
        assert_eq!(asked(until), AgreementStep::AskAt(until + TimeDelta::minutes(15)));
    }

    #[test]
    fn unpaid_month_is_past_due_and_ends_after_seven_days() {
        let active = subscription(SubscriptionStatus::Active);
        let after = |time| active.until + time;
        let failed = change_of(step_of(&active, AgreementStatus::Active, 1, after(TimeDelta::hours(1))));
        assert_eq!((failed.status, failed.tries, failed.due_at), (SubscriptionStatus::PastDue, 1, None));
        let silent = change_of(step_of(&active, AgreementStatus::Active, 0, after(TimeDelta::hours(25))));
        assert_eq!((silent.status, silent.tries), (SubscriptionStatus::PastDue, 1));
        let suspended = change_of(step_of(&failed, AgreementStatus::Suspended, 3, after(TimeDelta::days(6))));
        assert_eq!((suspended.status, suspended.tries), (SubscriptionStatus::PastDue, 3));
        let same = after(TimeDelta::days(6));
        assert_eq!(
            step_of(&suspended, AgreementStatus::Suspended, 0, same),
            AgreementStep::AskAt(same + TimeDelta::hours(1)),
            "a count that PayPal has reset does not change it"
        );
        for one in [&active, &suspended] {
            let over = change_of(step_of(one, AgreementStatus::Active, 0, after(TimeDelta::days(7))));
            assert_eq!(over.end_reason, Some(EndReason::PaymentFailed));
        }
    }

    #[test]
    fn agreement_that_is_ended_at_paypal_keeps_the_paid_month() {
        let active = subscription(SubscriptionStatus::Active);
        let kept = change_of(step_of(&active, AgreementStatus::Ended, 0, active.from));
        assert_eq!((kept.status, kept.is_canceled, kept.due_at), (active.status, true, Some(active.until)));
        let past_due = subscription(SubscriptionStatus::PastDue);
        let over = change_of(step_of(&past_due, AgreementStatus::Ended, 0, past_due.until));
        assert_eq!(over.end_reason, Some(EndReason::PaymentFailed));
    }

    #[test]
    fn months_follow_each_other_and_a_gap_begins_a_new_calendar() {
        let pending = subscription(SubscriptionStatus::Pending);
        let paid_at = at("2027-01-31T10:20:00Z");
        assert_eq!(month_of_sale(&pending, paid_at), (paid_at, at("2027-02-28T10:20:00Z")));
        let active = subscription(SubscriptionStatus::Active);
        for paid_at in ["2027-02-27T22:00:00Z", "2027-02-28T10:00:00Z", "2027-03-06T10:00:00Z"] {
            let month = (at("2027-02-28T10:00:00Z"), at("2027-03-31T10:00:00Z"));
            assert_eq!(month_of_sale(&active, at(paid_at)), month, "{paid_at}");
        }
        let gap = at("2027-03-20T10:00:00Z");
        assert_eq!(month_of_sale(&active, gap), (gap, at("2027-04-20T10:00:00Z")));
    }
}
