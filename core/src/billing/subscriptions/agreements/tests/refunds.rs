//! Months that PayPal gives back without our request: at its site, or after a dispute.

use serde_json::json;

use super::*;
use crate::billing::orders::{OrderRefund, RefundStatus};

/// A third of a month.
const PART: i64 = BASIC / 3;

/// A notice of a refund, as PayPal sends it for the sale of an agreement.
fn told(sale: &str, refund: &str) -> String {
    let resource = json!({ "id": refund, "sale_id": sale, "state": "completed" });
    json!({ "id": "WH-1", "event_type": "PAYMENT.SALE.REFUNDED", "resource": resource }).to_string()
}

/// Money and credits of each refund.
fn sums(refunds: &[OrderRefund]) -> Vec<(i64, i64)> {
    refunds.iter().map(|one| (one.amount, one.credits)).collect()
}

impl PayPalShop {
    /// A buyer with a paid month, PayPal's ids of the agreement and of the sale, and the order.
    async fn buyer(&self) -> (UserId, String, String, Order) {
        let who = self.person().await;
        let agreement = self.subscribed(who, &self.basic).await;
        let sale = self.paypal.sale_ids(&agreement)[0].clone();
        let order = self.orders(who).await[0].clone();
        (who, agreement, sale, order)
    }

    async fn noticed(&self, body: &str) {
        take_paypal_notice(&self.core, &RequestOrigin::default(), &signed(body), body).await.expect("a notice");
    }

    async fn refunds(&self, order: &Order) -> Vec<OrderRefund> {
        orders::find_any(&self.core, &Caller::system(), order.id).await.expect("an order").refunds
    }

    async fn status(&self, order: &Order) -> OrderStatus {
        orders::find_any(&self.core, &Caller::system(), order.id).await.expect("an order").order.status
    }
}

#[actix::test]
async fn month_that_paypal_gives_back_is_refunded_once_and_ends_the_plan() {
    let shop = PayPalShop::open().await;
    let (ann, agreement, sale, order) = shop.buyer().await;
    let notice = told(&sale, &shop.paypal.give_back(&sale, BASIC));
    let forged = take_paypal_notice(&shop.core, &RequestOrigin::default(), &signed("another one"), &notice).await;
    assert_eq!(why(forged).0, "FORBIDDEN");
    shop.settle().await;
    assert_eq!(shop.status(&order).await, OrderStatus::Paid, "a forged notice asks nothing");
    for _ in 0..3 {
        shop.noticed(&notice).await;
        shop.settle().await;
    }
    let ended = shop.current(ann).await;
    assert_eq!((ended.status, ended.end_reason), (SubscriptionStatus::Ended, Some(EndReason::Refunded)));
    assert_eq!((shop.plan(ann).await, available(&shop.core, ann).await), ("Free".to_owned(), 0));
    let refunds = shop.refunds(&order).await;
    assert_eq!((sums(&refunds), shop.status(&order).await), (vec![(BASIC, order.credits)], OrderStatus::Refunded));
    assert_eq!((refunds[0].status, refunds[0].reason.as_str()), (RefundStatus::Done, "refunded at PayPal"));
    assert_eq!((shop.paypal.agreement_status(&agreement), shop.paypal.sales()), ("CANCELLED", (1, 0)));
    is_clean(&shop.core).await;
}

#[actix::test]
async fn part_that_paypal_gives_back_takes_the_same_part_of_the_credits() {
    let shop = PayPalShop::open().await;
    let (ann, _, sale, order) = shop.buyer().await;
    let [first, second] = [(); 2].map(|()| told(&sale, &shop.paypal.give_back(&sale, PART)));
    for operation in ["read", "refunded"] {
        shop.paypal.fail(operation, PaymentFault::LoseAnswer);
    }
    // The second notice comes first. It has the sum of both.
    shop.noticed(&second).await;
    shop.settle().await;
    shop.pass(TimeDelta::seconds(10)).await;
    assert_eq!(shop.refunds(&order).await, [], "PayPal has not answered");
    shop.pass(TimeDelta::minutes(1)).await;
    let two_parts = (2 * PART, order.credits * 2 * PART / BASIC);
    assert_eq!(sums(&shop.refunds(&order).await), [two_parts]);
    for notice in [&first, &second] {
        shop.noticed(notice).await;
        shop.settle().await;
    }
    assert_eq!(sums(&shop.refunds(&order).await), [two_parts], "both are known");
    assert_eq!(available(&shop.core, ann).await, order.credits - two_parts.1);
    assert_eq!((shop.plan(ann).await, shop.status(&order).await), ("Basic".to_owned(), OrderStatus::Paid));

    shop.noticed(&told(&sale, &shop.paypal.give_back(&sale, PART))).await;
    shop.settle().await;
    assert_eq!(sums(&shop.refunds(&order).await), [two_parts, (PART, order.credits - two_parts.1)]);
    assert_eq!((shop.plan(ann).await, available(&shop.core, ann).await), ("Free".to_owned(), 0));
    is_clean(&shop.core).await;
}

#[actix::test]
async fn refund_without_a_notice_is_found_by_the_daily_reading() {
    let shop = PayPalShop::open().await;
    let (ann, of_ann, _, first) = shop.buyer().await;
    let (bob, of_bob, ..) = shop.buyer().await;
    shop.pass_to(at("2027-02-28T10:06:00Z")).await;
    // Ann has the month before back, and Bob the running one.
    for sale in [&shop.paypal.sale_ids(&of_ann)[0], &shop.paypal.sale_ids(&of_bob)[1]] {
        assert!(shop.paypal.give_back(sale, BASIC).starts_with("REFUND"));
    }
    shop.pass(TimeDelta::hours(25)).await;
    assert_eq!(
        (shop.status(&first).await, sums(&shop.refunds(&first).await)),
        (OrderStatus::Refunded, vec![(BASIC, 0)])
    );
    assert_eq!((shop.plan(ann).await, available(&shop.core, ann).await), ("Basic".to_owned(), shop.credits("Basic")));
    let ended = shop.current(bob).await;
    assert_eq!((ended.status, ended.end_reason), (SubscriptionStatus::Ended, Some(EndReason::Refunded)));
    assert_eq!((shop.plan(bob).await, available(&shop.core, bob).await), ("Free".to_owned(), 0));
    let read = shop.calls("read");
    shop.pass(TimeDelta::hours(25)).await;
    assert_eq!(shop.calls("read"), read, "what is recorded is not read again");
    is_clean(&shop.core).await;
}

#[actix::test]
async fn part_of_which_no_notice_tells_is_not_guessed() {
    let shop = PayPalShop::open().await;
    let (ann, _, sale, order) = shop.buyer().await;
    let refund = shop.paypal.give_back(&sale, PART);
    shop.pass(TimeDelta::hours(25)).await;
    assert_eq!((shop.calls("read"), shop.refunds(&order).await), (1, Vec::new()));
    assert_eq!(available(&shop.core, ann).await, order.credits);
    shop.noticed(&told(&sale, &refund)).await;
    shop.settle().await;
    assert_eq!(sums(&shop.refunds(&order).await), [(PART, order.credits * PART / BASIC)]);
    is_clean(&shop.core).await;
}

#[actix::test]
async fn refund_of_an_admin_whose_answer_is_lost_and_one_at_paypal_count_once_each() {
    let shop = PayPalShop::open().await;
    let (ann, _, sale, order) = shop.buyer().await;
    shop.paypal.fail("refund", PaymentFault::LoseAnswer);
    orders::refund(&shop.core, &Caller::system(), order.id, (PART, 100), "a test").await.expect("a refund");
    shop.noticed(&told(&sale, &shop.paypal.give_back(&sale, 2 * PART))).await;
    shop.settle().await;
    assert_eq!(sums(&shop.refunds(&order).await), [(PART, 100)], "the first one ends first");
    for _ in 0..2 {
        shop.pass(TimeDelta::minutes(1)).await;
    }
    assert_eq!(sums(&shop.refunds(&order).await), [(PART, 100), (2 * PART, order.credits - 100)]);
    assert_eq!((shop.status(&order).await, available(&shop.core, ann).await), (OrderStatus::Refunded, 0));
    assert_eq!(shop.paypal.sales(), (1, 0));
    is_clean(&shop.core).await;
}

#[actix::test]
async fn refund_that_the_buyer_asks_for_while_paypal_makes_one_is_made_once() {
    let shop = PayPalShop::open().await;
    let (ann, _, sale, order) = shop.buyer().await;
    shop.noticed(&told(&sale, &shop.paypal.give_back(&sale, BASIC))).await;
    let caller = Caller::customer(ann);
    let asked = orders::refund_own(&shop.core, &caller, order.id);
    // Either may be the first. The other one finds nothing to refund.
    let (_asked, followed) = tokio::join!(asked, orders::follow_due(&shop.core));
    followed.expect("a round");
    for _ in 0..2 {
        shop.pass(TimeDelta::minutes(1)).await;
    }
    assert_eq!(sums(&shop.refunds(&order).await), [(BASIC, order.credits)]);
    assert_eq!((shop.status(&order).await, available(&shop.core, ann).await), (OrderStatus::Refunded, 0));
    is_clean(&shop.core).await;
}
