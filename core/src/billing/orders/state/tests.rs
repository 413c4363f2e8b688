//! Every state of a payment with every report, and the rules of refunds.

use super::*;
use crate::billing::money::{Currency, Money};
use crate::billing::providers::ProviderName;
use crate::ids::{OrderId, ShopItemId, UserId};

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
        period: None,
        provider: ProviderName::Test,
        status: OrderStatus::Paid,
        failure: None,
        refunded_amount: 0,
        refunded_credits: 0,
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
            ProviderReport::Declined,
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
fn buyer_has_three_hours_to_approve() {
    let waiting = |age| step(PaymentState::Open, &ProviderReport::Waiting, age);
    assert_eq!(waiting(TimeDelta::hours(3)), PaymentStep::Wait);
    let PaymentStep::End(end) = waiting(TimeDelta::hours(3) + TimeDelta::seconds(1)) else { panic!("it is over") };
    assert_eq!((end.status, end.failure), (OrderStatus::Canceled, Some(OrderFailure::NotApproved)));
    assert!(!is_opening_over(TimeDelta::minutes(5)) && is_opening_over(TimeDelta::minutes(6)));
}

#[test]
fn buyer_has_seven_days_for_credits_that_nothing_has_touched() {
    let order = paid_order();
    let (week, before) = (at(7 * 86_400), at(7 * 86_400 - 1));
    assert_eq!(own_refund_until(&order, 100, before), Ok(week));
    assert_eq!(own_refund_until(&order, 100, week), Err(RefundRefusal::TooLate));
    assert_eq!(own_refund_until(&order, 99, before), Err(RefundRefusal::Used));
    let in_part = Order { refunded_amount: 1, ..paid_order() };
    assert_eq!(own_refund_until(&in_part, 100, before), Err(RefundRefusal::Used));
    for status in OrderStatus::ALL.into_iter().filter(|status| *status != OrderStatus::Paid) {
        let order = Order { status, ..paid_order() };
        assert_eq!(own_refund_until(&order, 100, before), Err(RefundRefusal::NotPaid));
        assert_eq!(may_refund(&order, 1, 0), Err(RefundRefusal::NotPaid));
    }
}

#[test]
fn no_more_is_refunded_than_was_paid() {
    let order = Order { refunded_amount: 9_000, refunded_credits: 60, ..paid_order() };
    assert_eq!(may_refund(&order, 900, 40), Ok(()));
    assert_eq!(may_refund(&order, 901, 0), Err(RefundRefusal::TooMuch));
    assert_eq!(may_refund(&order, 1, 41), Err(RefundRefusal::TooMuch));
}
