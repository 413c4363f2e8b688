//! The calendar, every step of a subscription, and random histories.

use super::*;
use crate::billing::items::{Prices, Product, ShopItem};
use crate::billing::money::Currency;
use crate::billing::orders::PlanPeriod;
use crate::billing::providers::ProviderName;
use crate::ids::{SubscriptionId, UserId};

const BASIC: i64 = 9_900;
const PRO: i64 = 99_000;

fn at(text: &str) -> DateTime<Utc> {
    text.parse().expect("a time")
}

pub(in crate::billing::subscriptions) fn pending(from: DateTime<Utc>) -> Subscription {
    Subscription {
        id: SubscriptionId::new(),
        user: UserId::new(),
        status: SubscriptionStatus::Pending,
        paid_with: PaidWith::Card,
        item: ShopItemId::new(),
        plan: "Basic".into(),
        price: Money { amount: BASIC, currency: Currency::Krw },
        period: 0,
        anchor: from,
        from,
        until: month_after(from, from),
        is_canceled: false,
        next: None,
        tries: 0,
        open_order: None,
        due_at: None,
        created_at: from,
        ended_at: None,
        end_reason: None,
    }
}

fn order_of(subscription: &Subscription, period: NextPeriod, is_change: bool) -> Order {
    let NextPeriod { number, from, until, plan } = period;
    let item = ShopItem {
        id: plan.item,
        name: plan.plan.clone(),
        product: Product::Subscription(plan.plan.clone()),
        prices: Prices::default(),
        is_active: true,
        created_at: from,
    };
    let price = Money { amount: plan.amount, currency: Currency::Krw };
    let period = PlanPeriod {
        subscription: subscription.id,
        plan: plan.plan,
        plan_amount: plan.amount,
        number,
        from,
        until,
        is_change,
    };
    let order = Order::new(subscription.user, &item, price, ProviderName::Test, from);
    Order { period: Some(period), ..order }
}

fn own_period(of: &Subscription, number: i32) -> NextPeriod {
    let plan = PlannedPlan { item: of.item, plan: of.plan.clone(), amount: of.price.amount };
    NextPeriod { number, from: of.from, until: of.until, plan }
}

fn active(from: DateTime<Utc>) -> Subscription {
    let new = pending(from);
    let first = order_of(&new, own_period(&new, 1), false);
    paid(&new, &first)
}

/// The subscription while the charge of its next period is under way.
fn charged(subscription: &Subscription, now: DateTime<Utc>) -> (Subscription, Order) {
    let DueStep::Charge(period) = due(subscription, now) else { panic!("{subscription:?} is not charged") };
    let order = order_of(subscription, period, false);
    (Subscription { open_order: Some(order.id), due_at: None, ..subscription.clone() }, order)
}

fn renewed(subscription: &Subscription) -> Subscription {
    let (open, order) = charged(subscription, subscription.due_at.expect("a due time"));
    paid(&open, &order)
}

#[test]
fn months_end_on_the_day_of_the_anchor_or_on_the_last_day() {
    let expected = [
        ("2027-10-31", ["2027-11-30", "2027-12-31", "2028-01-31", "2028-02-29", "2028-03-31", "2028-04-30"]),
        ("2026-12-29", ["2027-01-29", "2027-02-28", "2027-03-29", "2027-04-29", "2027-05-29", "2027-06-29"]),
        ("2028-02-29", ["2028-03-29", "2028-04-29", "2028-05-29", "2028-06-29", "2028-07-29", "2028-08-29"]),
    ];
    for (first, ends) in expected {
        let mut one = active(at(&format!("{first}T23:59:59Z")));
        for (month, end) in ends.iter().enumerate() {
            assert_eq!(one.until, at(&format!("{end}T23:59:59Z")), "{first}, month {month}");
            one = renewed(&one);
        }
        assert_eq!(one.period, 7);
    }
}

#[test]
fn failed_charge_is_tried_three_times_over_seven_days() {
    let one = active(at("2027-01-10T12:00:00Z"));
    let until = one.until;
    let mut now = one.until;
    let mut one = one;
    for (tries, days) in [(1, 3), (2, 7)] {
        let (open, order) = charged(&one, now);
        one = unpaid(&open, &order, Some(OrderFailure::Declined), now);
        assert_eq!(
            (one.status, one.tries, one.due_at),
            (SubscriptionStatus::PastDue, tries, Some(until + TimeDelta::days(days)))
        );
        now = one.due_at.expect("a next try");
    }
    let (open, order) = charged(&one, now);
    let paid_late = paid(&open, &order);
    assert_eq!(
        (paid_late.status, paid_late.tries, paid_late.from),
        (SubscriptionStatus::Active, 0, until),
        "no day is given away"
    );
    let ended = unpaid(&open, &order, Some(OrderFailure::Declined), now);
    assert_eq!((ended.status, ended.end_reason), (SubscriptionStatus::Ended, Some(EndReason::PaymentFailed)));
}

#[test]
fn tries_after_an_outage_keep_a_day_between_them_and_silence_of_the_provider_does_not_count() {
    let one = active(at("2027-01-10T12:00:00Z"));
    let late = one.until + TimeDelta::days(6);
    let (open, order) = charged(&one, late);
    let unavailable = |at| unpaid(&open, &order, Some(OrderFailure::ProviderUnavailable), at);
    let silent = unavailable(late);
    assert_eq!((silent.status, silent.tries), (SubscriptionStatus::Active, 0));
    assert_eq!(silent.due_at, Some(late + LEAST_PAUSE));
    assert_eq!(unavailable(one.until).due_at, Some(one.until + UNANSWERED_PAUSE));
    let gone = unavailable(one.until + UNANSWERED_TIME);
    assert_eq!((gone.status, gone.tries), (SubscriptionStatus::PastDue, 1), "a provider that is gone for weeks");
    let failed = unpaid(&open, &order, Some(OrderFailure::Declined), late);
    assert_eq!(failed.due_at, Some(late + LEAST_PAUSE));
}

#[test]
fn renewal_that_is_late_by_weeks_begins_when_it_is_charged() {
    let one = active(at("2027-01-31T12:00:00Z"));
    let late = one.until + TimeDelta::days(40);
    let (open, order) = charged(&one, late);
    let next = paid(&open, &order);
    assert_eq!((next.anchor, next.from, next.until), (late, late, month_after(late, late)));
}

#[test]
fn first_charge_that_fails_ends_the_subscription() {
    let new = pending(at("2027-01-10T12:00:00Z"));
    let first = order_of(&new, own_period(&new, 1), false);
    let ended = unpaid(&new, &first, Some(OrderFailure::Declined), new.from);
    assert_eq!(
        (ended.status, ended.end_reason, ended.period),
        (SubscriptionStatus::Ended, Some(EndReason::Declined), 0)
    );
    assert_eq!(paid(&ended, &first), ended, "an ended subscription does not begin");
}

#[test]
fn cancellation_ends_with_the_period_and_can_be_taken_back_before() {
    let one = active(at("2027-01-10T12:00:00Z"));
    let canceled = cancel(&one, one.from).expect("a cancellation");
    assert_eq!(due(&canceled, canceled.until), DueStep::End(EndReason::Canceled));
    assert_eq!(resume(&canceled, one.from), Some(one.clone()));
    assert_eq!(resume(&canceled, one.until), None);
    let planned = plan_next(&one, compared("Pro", 4, PRO, 0));
    let canceled = cancel(&planned, one.from).expect("a cancellation");
    assert_eq!(due(&canceled, canceled.until), DueStep::End(EndReason::Canceled));
    let coming = |one: &Subscription| one.coming_plan().map(|next| next.plan.clone());
    assert_eq!((coming(&planned).as_deref(), coming(&canceled)), (Some("Pro"), None));
    assert_eq!(resume(&canceled, one.from), Some(planned), "a planned change is planned again");
    let (open, _) = charged(&one, one.until);
    assert_eq!(cancel(&open, one.until), None, "while a period is being paid");
    let failed = failed_try(&one, one.until);
    assert_eq!(cancel(&failed, one.until).map(|one| one.status), Some(SubscriptionStatus::Ended), "no period is paid");
}

fn compared(plan: &'static str, rank: usize, amount: i64, credits: i64) -> ComparedPlan<'static> {
    ComparedPlan { item: ShopItemId(uuid::Uuid::nil()), plan, rank, amount, credits }
}

#[test]
fn larger_plan_costs_the_difference_for_whole_days_that_are_left() {
    let one = active(at("2027-01-01T12:00:00Z"));
    let (basic, pro) = (compared("Basic", 1, BASIC, 3_100), compared("Pro", 4, PRO, 31_000));
    let quoted = |to, now: &str| {
        let change = change(&one, basic, to, at(now));
        (change.when, change.price.amount, change.credits, change.days_left)
    };
    // 31 days of period.
    assert_eq!(quoted(pro, "2027-01-01T12:00:00Z"), (ChangeTime::Now, PRO - BASIC, 27_900, 31));
    assert_eq!(quoted(pro, "2027-01-01T12:00:01Z"), (ChangeTime::Now, 86_225, 27_000, 30));
    assert_eq!(quoted(pro, "2027-01-31T00:00:00Z"), (ChangeTime::Now, 2_874, 900, 1));
    assert_eq!(quoted(pro, "2027-01-31T13:00:00Z"), (ChangeTime::AtPeriodEnd, 0, 0, 0));
    let nearly = compared("Standard", 2, BASIC + 100, 6_200);
    assert_eq!(quoted(nearly, "2027-01-11T12:00:00Z"), (ChangeTime::AtPeriodEnd, 0, 0, 21), "too little to charge");
    let down = change(&one, pro, basic, one.from);
    assert_eq!((down.when, down.price.amount, down.at), (ChangeTime::AtPeriodEnd, 0, one.until));
}

#[test]
fn planned_change_begins_with_the_next_period_and_choosing_the_current_plan_takes_it_back() {
    let one = active(at("2027-01-10T12:00:00Z"));
    let planned = plan_next(&one, compared("Pro", 4, PRO, 0));
    let next = renewed(&planned);
    assert_eq!((next.plan.as_str(), next.price.amount, next.next), ("Pro", PRO, None));
    let current = compared("Basic", 1, BASIC, 0);
    assert_eq!(plan_next(&planned, current), one);
}

#[test]
fn change_that_is_paid_begins_at_once_and_an_unpaid_or_late_one_changes_nothing() {
    let one = active(at("2027-01-10T12:00:00Z"));
    let plan = PlannedPlan { item: ShopItemId::new(), plan: "Pro".into(), amount: PRO };
    let order = order_of(&one, NextPeriod { plan, ..own_period(&one, 1) }, true);
    let open = Subscription { open_order: Some(order.id), ..one.clone() };
    assert!(matches!(due(&open, one.until), DueStep::Wait(_)), "the renewal waits for it");
    let larger = paid(&open, &order);
    assert_eq!((larger.plan.as_str(), larger.price.amount, larger.period), ("Pro", PRO, 1));
    assert_eq!((larger.until, larger.due_at, larger.open_order), (one.until, one.due_at, None));
    assert_eq!(unpaid(&open, &order, Some(OrderFailure::Declined), one.from), one);
    let later = renewed(&one);
    assert_eq!(paid(&later, &order), later, "its month is over");
}

#[test]
fn larger_plan_replaces_a_planned_smaller_one_and_an_older_difference_changes_nothing() {
    let one = active(at("2027-01-10T12:00:00Z"));
    let difference = |plan: &str, amount| {
        let plan = PlannedPlan { item: ShopItemId::new(), plan: plan.into(), amount };
        order_of(&one, NextPeriod { plan, ..own_period(&one, 1) }, true)
    };
    let standard = paid(&one, &difference("Standard", 2 * BASIC));
    let planned = plan_next(&standard, compared("Basic", 1, BASIC, 0));
    let pro = paid(&planned, &difference("Pro", PRO));
    assert_eq!((pro.plan.as_str(), &pro.next), ("Pro", &None), "the last choice holds");
    let next = renewed(&pro);
    assert_eq!((next.plan.as_str(), next.price.amount), ("Pro", PRO));
    // The answer to an earlier charge comes after the larger plan was paid.
    assert_eq!(paid(&pro, &difference("Advanced", 5 * BASIC)), pro);
}

mod histories {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Periods follow each other without a gap or an overlap, each is paid by one order, and after each step the
        /// subscription is due, is being paid, or has ended.
        #[test]
        fn every_period_is_paid_once(day in 0_i64..400, steps in proptest::collection::vec(0_u8..6, 1..60)) {
            let mut one = active(at("2027-01-01T08:00:00Z") + TimeDelta::days(day));
            let mut periods = vec![(one.period, one.from, one.until)];
            let mut now = one.from;
            for step in steps {
                match step {
                    0 => if let Some(next) = cancel(&one, now) { one = next },
                    1 => if let Some(next) = resume(&one, now) { one = next },
                    _ => {
                        let Some(at) = one.due_at else { break };
                        now = now.max(at);
                        match due(&one, now) {
                            DueStep::End(reason) => one = end(&one, reason, now),
                            DueStep::Wait(_) => prop_assert!(false, "nothing is open"),
                            DueStep::Charge(_) => {
                                let (open, order) = charged(&one, now);
                                prop_assert_eq!(open.open_order, Some(order.id));
                                one = match step {
                                    2 => unpaid(&open, &order, Some(OrderFailure::Declined), now),
                                    3 => unpaid(&open, &order, Some(OrderFailure::ProviderUnavailable), now),
                                    _ => paid(&open, &order),
                                };
                                // A repeated report changes nothing.
                                let again = if step > 3 { paid(&one, &order) } else { one.clone() };
                                prop_assert_eq!(&again, &one);
                            }
                        }
                    }
                }
                if one.period != periods.last().map_or(0, |last| last.0) {
                    let last = *periods.last().expect("a period");
                    prop_assert_eq!((one.period, one.from), (last.0 + 1, last.2));
                    prop_assert!(one.from < one.until);
                    periods.push((one.period, one.from, one.until));
                }
                prop_assert!(one.tries < 4 && one.open_order.is_none());
                prop_assert_eq!(one.status == SubscriptionStatus::Ended, one.due_at.is_none());
            }
        }
    }
}
