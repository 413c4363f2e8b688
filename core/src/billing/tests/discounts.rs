//! Codes that lower the price of a purchase: reserved with the order, freed with it, and never beyond their limits.

use futures_util::future::join_all;

use super::*;
use crate::billing::coupons::{self, Coupon, CouponBenefit, NewCodes, NewCoupon, redeem};
use crate::billing::orders::quote;
use crate::users::RequestOrigin;

fn new_coupon(code: &str, percent: i32) -> NewCoupon {
    NewCoupon {
        name: "Spring".into(),
        benefit: CouponBenefit::PercentOff { percent },
        codes: NewCodes::Shared(code.into()),
        uses_per_account: 1,
        max_uses: None,
        starts_at: None,
        ends_at: None,
    }
}

async fn coupon(core: &Core, new: NewCoupon) -> Coupon {
    coupons::create(core, &Caller::system(), new).await.expect("a coupon")
}

fn with_code(item: &ShopItem, code: &str) -> Purchase {
    Purchase { code: Some(code.into()), ..Purchase::of(item.id, BillingCountry::Korea) }
}

async fn uses(core: &TestCore) -> (i64, i64) {
    let counted = core.database.count("SELECT coalesce(sum(use_count), 0)::bigint FROM coupons").await;
    (counted, core.database.count("SELECT count(*) FROM coupon_uses").await)
}

#[actix::test]
async fn price_with_a_code_is_shown_charged_and_kept() {
    let (core, item, ann) = shop().await;
    let caller = Caller::customer(ann);
    coupon(&core, new_coupon("SPRING", 15)).await;
    let purchase = with_code(&item, "spring");
    let quoted = quote(&core, &caller, &purchase).await.expect("a quote");
    assert_eq!((quoted.price.amount, quoted.credits, uses(&core).await), (8_415, 10_000, (0, 0)));

    let old = Purchase { shown: Some(9_900), ..purchase.clone() };
    let refused = why(buy(&core, &caller, &old).await);
    assert_eq!(refused, ("PRICE_CHANGED", json!({ "amount": 8_415, "currency": "KRW" })));
    let shown = Purchase { shown: Some(8_415), ..purchase.clone() };
    let order = buy(&core, &caller, &shown).await.expect("an order");
    assert_eq!((order.price.amount, &order.discount, uses(&core).await), (8_415, &quoted.discount, (1, 1)));
    answered(&core, &order, TestAnswer::Approve).await;
    let order = completed(&core, &order).await;
    let discount = order.discount.clone().expect("a discount");
    assert_eq!((discount.list_amount, discount.percent, discount.code.as_str()), (9_900, 15, "SPRING"));
    let taken = core.database.count("SELECT amount FROM test_payments WHERE state = 'Captured'").await;
    assert_eq!((taken, uses(&core).await), (8_415, (1, 1)), "a paid order keeps its use");
    assert_eq!(why(buy(&core, &caller, &purchase).await).0, "COUPON_USED");
    assert_eq!(why(quote(&core, &caller, &purchase).await).0, "COUPON_USED");

    let own = coupons::own_uses(&core, &caller, ListQuery::at((), None, 10)).await.expect("uses");
    assert_eq!(own.items.iter().map(|one| (one.code.as_str(), one.until)).collect::<Vec<_>>(), [("SPRING", None)]);
    let back = refund_own(&core, &caller, order.id).await.expect("a refund");
    assert_eq!((back.status, back.refunded_amount), (OrderStatus::Refunded, 8_415), "what was charged");
    assert_eq!(uses(&core).await, (1, 1), "a refund does not free it");
    is_clean(&core).await;
}

#[actix::test]
async fn use_is_freed_if_the_order_is_canceled_or_fails() {
    let (core, item, ann) = shop().await;
    let caller = Caller::customer(ann);
    coupon(&core, NewCoupon { max_uses: Some(1), ..new_coupon("SPRING", 10) }).await;
    let purchase = with_code(&item, "SPRING");
    let canceled = buy(&core, &caller, &purchase).await.expect("an order");
    assert_eq!(uses(&core).await, (1, 1));
    for _ in 0..2 {
        cancel(&core, &caller, canceled.id).await.expect("a canceled order");
        assert_eq!(uses(&core).await, (0, 0));
    }
    let declined = buy(&core, &caller, &purchase).await.expect("an order");
    answered(&core, &declined, TestAnswer::Decline).await;
    assert_eq!(completed(&core, &declined).await.failure, Some(OrderFailure::Declined));
    assert_eq!(uses(&core).await, (0, 0));
    let last = buy(&core, &caller, &purchase).await.expect("an order");
    for _ in 0..30 {
        core.clock.advance(TimeDelta::minutes(10));
        follow_due(&core).await.expect("a round");
    }
    assert_eq!(completed(&core, &last).await.failure, Some(OrderFailure::NotApproved));
    assert_eq!(uses(&core).await, (0, 0));
    is_clean(&core).await;
}

#[actix::test]
async fn money_of_a_canceled_order_uses_its_code_again() {
    let (core, item, ann) = shop().await;
    coupon(&core, NewCoupon { codes: NewCodes::Single(1), ..new_coupon("", 10) }).await;
    let code: String = sqlx::query_scalar("SELECT shown FROM coupon_codes").fetch_one(&core.db).await.expect("a code");
    let order = buy(&core, &Caller::customer(ann), &with_code(&item, &code)).await.expect("an order");
    answered(&core, &order, TestAnswer::Approve).await;
    // The provider takes the money while the order ends here.
    for sql in [
        "UPDATE test_payments SET state = 'Captured'",
        "UPDATE payments SET state = 'Dropped', ask_at = NULL",
        "UPDATE orders SET status = 'Canceled'",
        "DELETE FROM coupon_uses",
        "UPDATE coupons SET use_count = 0",
    ] {
        sqlx::query(sql).execute(&core.db).await.expect("a race");
    }
    is_clean(&core).await;
    note_notice(&core, ProviderName::Test, &reference(&order).to_string()).await.expect("a notice");
    follow_due(&core).await.expect("a round");
    assert_eq!(completed(&core, &order).await.status, OrderStatus::Paid);
    assert_eq!(uses(&core).await, (1, 1));
    is_clean(&core).await;
}

#[actix::test]
async fn limits_hold_for_orders_at_once_on_two_nodes() {
    let (core, item, ann) = shop().await;
    let other = core.another("other");
    let nodes = [&core.core, &other];
    coupon(&core, NewCoupon { max_uses: Some(3), uses_per_account: 1, ..new_coupon("SPRING", 10) }).await;
    let purchase = with_code(&item, "SPRING");
    let caller = Caller::customer(ann);
    let tries = join_all((0..6).map(|at| buy(nodes[at % 2], &caller, &purchase))).await;
    assert_eq!(tries.iter().filter(|order| order.is_ok()).count(), 1, "once per account: {tries:?}");
    let mut accounts = Vec::new();
    for _ in 0..8 {
        accounts.push(Caller::customer(user().insert(&core.db).await));
    }
    let tries = join_all(accounts.iter().enumerate().map(|(at, caller)| buy(nodes[at % 2], caller, &purchase))).await;
    assert_eq!(tries.iter().filter(|order| order.is_ok()).count(), 2, "three in all: {tries:?}");
    assert_eq!(uses(&core).await, (3, 3));
    assert_eq!(core.database.count("SELECT count(*) FROM orders").await, 3, "a refused code leaves no order");
    is_clean(&core).await;
}

#[actix::test]
async fn codes_are_for_purchases_or_for_the_account() {
    let (core, item, ann) = shop().await;
    let caller = Caller::customer(ann);
    let credits = CouponBenefit::Credits { amount: 10, days: None };
    coupon(&core, NewCoupon { benefit: credits, ..new_coupon("CREDITS", 1) }).await;
    coupon(&core, new_coupon("SPRING", 90)).await;
    assert_eq!(why(buy(&core, &caller, &with_code(&item, "CREDITS")).await).0, "COUPON_NOT_FOR_PURCHASES");
    assert_eq!(why(buy(&core, &caller, &with_code(&item, "NONE")).await).0, "COUPON_UNKNOWN");
    let redeemed = redeem(&core, &caller, &RequestOrigin::default(), "SPRING").await;
    assert_eq!(why(redeemed).0, "COUPON_FOR_PURCHASES");
    assert_eq!((uses(&core).await, available(&core, ann).await), ((0, 0), 0));
    let order = buy(&core, &caller, &with_code(&item, "SPRING")).await.expect("an order");
    assert_eq!(order.price.amount, 990);
    is_clean(&core).await;
}
