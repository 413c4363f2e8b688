//! Every state of a payment with every report, and the rules of refunds.

use super::*;
use crate::billing::money::{Currency, Money};
use crate::billing::promotions::PurchaseBonus;
use crate::billing::providers::ProviderName;
use crate::ids::{OrderId, PromotionId, ShopItemId, UserId};

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).expect("a time")
}

fn paid_order() -> Order {
    Order {
        id: OrderId::new(),
        user: UserId::new(),
        item: ShopItemId::new(),
        name: "Pack".into(),
        credits: 100,
        price: Money { amount: 9_900, currency: Currency::Krw },
        discount: None,
        bonus: None,
        period: None,
        provider: ProviderName::Test,
        status: OrderStatus::Paid,
        failure: None,
        decline: None,
        refunded_amount: 0,
        refunded_credits: 0,
        refunded_bonus: 0,
        created_at: at(0),
        paid_at: Some(at(0)),
        expires_at: Some(at(0)),
        pay_at: None,
        is_settling: false,
        refundable_until: None,
    }
}

#[test]
fn money_that_is_taken_is_never_ignored_and_only_an_open_payment_is_charged() {
    let taken = ProviderReport::Taken { charge: "c".into() };
    for state in PaymentState::ALL {
        for report in [
            ProviderReport::Waiting,
            ProviderReport::Approved,
            taken.clone(),
            ProviderReport::Declined(None),
            ProviderReport::Ended,
        ] {
            for age in [TimeDelta::zero(), TimeDelta::days(9)] {
                let next = step(state, &report, age);
                let is_live = matches!(state, PaymentState::Open | PaymentState::Charging);
                assert_eq!(
                    matches!(next, PaymentStep::Take { .. }),
                    report == taken && state != PaymentState::Taken,
                    "{state:?} {report:?}"
                );
                assert_eq!(next == PaymentStep::Charge, is_live && report == ProviderReport::Approved);
                if let PaymentStep::End(end) = next {
                    assert!(is_live, "{state:?} has ended or is not open");
                    assert!(matches!(end.status, OrderStatus::Canceled | OrderStatus::Failed));
                    assert!(matches!(end.state, PaymentState::Dropped | PaymentState::Refused));
                }
            }
        }
    }
}

#[test]
fn declined_charge_keeps_the_reason_of_its_provider() {
    for reason in DeclineReason::ALL.map(Some).into_iter().chain([None]) {
        let report = ProviderReport::Declined(reason);
        let PaymentStep::End(end) = step(PaymentState::Charging, &report, TimeDelta::zero()) else { panic!("an end") };
        assert_eq!((end.failure, end.decline), (Some(OrderFailure::Declined), reason));
    }
}

#[test]
fn buyer_has_three_hours_to_approve() {
    let waiting = |age| step(PaymentState::Open, &ProviderReport::Waiting, age);
    assert_eq!(waiting(TimeDelta::hours(3)), PaymentStep::Wait);
    let PaymentStep::End(end) = waiting(TimeDelta::hours(3) + TimeDelta::seconds(1)) else { panic!("it is over") };
    assert_eq!((end.status, end.failure), (OrderStatus::Canceled, Some(OrderFailure::NotApproved)));
    assert!(!is_opening_over(TimeDelta::minutes(2)) && is_opening_over(TimeDelta::minutes(3)));
}

/// A paid order with a bonus of 21 credits.
fn with_bonus() -> Order {
    Order { bonus: Some(PurchaseBonus { promotion: PromotionId::new(), credits: 21 }), ..paid_order() }
}

#[test]
fn buyer_has_seven_days_for_credits_that_nothing_has_touched() {
    let left = |pack, bonus| CreditsLeft { pack, bonus };
    let order = paid_order();
    let (week, before) = (at(7 * 86_400), at(7 * 86_400 - 1));
    assert_eq!(own_refund_until(&order, left(100, 0), before), Ok(week));
    assert_eq!(own_refund_until(&order, left(100, 0), week), Err(RefundRefusal::TooLate));
    assert_eq!(own_refund_until(&order, left(99, 0), before), Err(RefundRefusal::Used));
    assert_eq!(own_refund_until(&with_bonus(), left(100, 21), before), Ok(week));
    assert_eq!(own_refund_until(&with_bonus(), left(100, 20), before), Err(RefundRefusal::Used), "the bonus was used");
    let in_part = Order { refunded_amount: 1, ..paid_order() };
    assert_eq!(own_refund_until(&in_part, left(100, 0), before), Err(RefundRefusal::Used));
    for status in OrderStatus::ALL.into_iter().filter(|status| *status != OrderStatus::Paid) {
        let order = Order { status, ..paid_order() };
        assert_eq!(own_refund_until(&order, left(100, 0), before), Err(RefundRefusal::NotPaid));
        assert_eq!(may_refund(&order, 1, (0, 0)), Err(RefundRefusal::NotPaid));
    }
}

#[test]
fn no_more_is_refunded_than_was_paid() {
    let order = Order { refunded_amount: 9_000, refunded_credits: 60, refunded_bonus: 20, ..with_bonus() };
    assert_eq!(may_refund(&order, 900, (40, 1)), Ok(()));
    assert_eq!(may_refund(&order, 901, (0, 0)), Err(RefundRefusal::TooMuch));
    assert_eq!(may_refund(&order, 1, (41, 0)), Err(RefundRefusal::TooMuch));
    assert_eq!(may_refund(&order, 1, (0, 2)), Err(RefundRefusal::TooMuch));
}

#[test]
fn bonus_is_taken_back_in_proportion_and_the_rest_with_the_rest() {
    let order = with_bonus();
    for (amount, left, taken) in [(1, 21, 0), (4_950, 21, 10), (4_950, 3, 3), (9_899, 21, 20), (9_900, 21, 21)] {
        assert_eq!(bonus_to_take(&order, amount, left), taken, "{amount} of the money, {left} left");
    }
    let second = Order { refunded_amount: 4_950, refunded_bonus: 10, ..with_bonus() };
    assert_eq!(bonus_to_take(&second, 4_950, 11), 11);
    assert_eq!(bonus_to_take(&paid_order(), 9_900, 0), 0);
}

#[test]
fn refund_by_the_provider_takes_its_part_of_the_credits_that_are_left() {
    let left = |pack, bonus| CreditsLeft { pack, bonus };
    let order = with_bonus();
    for (amount, has, taken) in [
        (4_950, left(100, 21), left(50, 10)),
        (4_950, left(30, 3), left(30, 3)),
        (98, left(100, 21), left(0, 0)),
        (9_900, left(40, 0), left(40, 0)),
    ] {
        assert_eq!(credits_to_take(&order, amount, has), taken, "{amount} of the money");
    }
    let second = Order { refunded_amount: 4_950, refunded_credits: 50, refunded_bonus: 10, ..with_bonus() };
    assert_eq!(credits_to_take(&second, 4_950, left(50, 11)), left(50, 11), "the rest with the rest");
}
