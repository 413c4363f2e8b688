//! The bonus of a first purchase: promised with the order, given once, and taken back with the money.

use futures_util::future::join_all;

use super::*;
use crate::billing::promotions::{self, NewPromotion, Promotion, PromotionChange, PromotionOffer};
use crate::ids::JobId;
use crate::ledger::{self, LedgerPost, Movement};

/// An active bonus of 20 percent.
async fn promotion(core: &Core) -> Promotion {
    let offer = PromotionOffer::FirstPurchase { percent: 20 };
    let new = NewPromotion { name: "First".into(), offer, is_active: true, starts_at: None, ends_at: None };
    promotions::create(core, &Caller::system(), new).await.expect("a promotion")
}

async fn paid(core: &Core, account: UserId, item: &ShopItem) -> Order {
    let order = bought(core, account, item).await;
    answered(core, &order, TestAnswer::Approve).await;
    completed(core, &order).await
}

async fn use_credits(core: &Core, account: UserId, amount: i64) {
    let job = JobId::new();
    let hold = Movement::Hold { job, want: amount, at_least: amount, day_ceiling: None };
    for movement in [hold, Movement::Settle { job, used: amount }] {
        core.ledger.post(LedgerPost { account, movement, attached: None }).await.expect("credits");
    }
}

/// What is left of the bonus.
async fn bonus_left(core: &Core, order: &Order) -> i64 {
    let lot = ledger::lot(core, order.user, &order.bonus_source()).await.expect("the ledger");
    lot.map_or(0, |lot| lot.remaining)
}

#[actix::test]
async fn first_pack_gives_a_bonus_that_expires_like_it() {
    let (core, item, ann) = shop().await;
    promotion(&core).await;
    let first = paid(&core, ann, &item).await;
    assert_eq!((first.status, first.credits, first.bonus_credits()), (OrderStatus::Paid, 10_000, 2_000));
    let lot = ledger::lot(&core, ann, &first.bonus_source()).await.expect("the ledger").expect("a bonus");
    assert_eq!((lot.amount, lot.expires_at), (2_000, first.expires_at));
    let second = paid(&core, ann, &item).await;
    assert_eq!((second.bonus_credits(), available(&core, ann).await), (0, 22_000));
    is_clean(&core).await;
}

#[actix::test]
async fn orders_that_are_paid_at_once_give_one_bonus() {
    let (core, item, ann) = shop().await;
    let other = core.another("other");
    promotion(&core).await;
    let mut orders = Vec::new();
    for _ in 0..6 {
        let order = bought(&core, ann, &item).await;
        assert_eq!(order.bonus_credits(), 2_000, "promised until one is paid");
        answered(&core, &order, TestAnswer::Approve).await;
        orders.push(order);
    }
    let nodes = [&core.core, &other];
    join_all(orders.iter().enumerate().map(|(at, order)| completed(nodes[at % 2], order))).await;
    core.clock.advance(TimeDelta::minutes(1));
    follow_due(&core).await.expect("a round");
    let mut given = Vec::new();
    for order in &orders {
        let order = completed(&core, order).await;
        assert_eq!(order.status, OrderStatus::Paid);
        given.push(order.bonus_credits());
    }
    given.sort_unstable();
    assert_eq!((given, available(&core, ann).await), (vec![0, 0, 0, 0, 0, 2_000], 62_000));
    assert_eq!(core.database.count("SELECT count(*) FROM purchase_bonuses").await, 1);
    is_clean(&core).await;
}

#[actix::test]
async fn inactive_bonus_is_not_promised_and_a_promised_one_is_honoured() {
    let (core, item, ann) = shop().await;
    let promotion = promotion(&core).await;
    let order = bought(&core, ann, &item).await;
    let off = PromotionChange { is_active: Some(false), ..PromotionChange::default() };
    promotions::change(&core, &Caller::system(), promotion.id, off).await.expect("a change");
    answered(&core, &order, TestAnswer::Approve).await;
    assert_eq!(completed(&core, &order).await.bonus_credits(), 2_000);
    let bob = user().insert(&core.db).await;
    assert_eq!(paid(&core, bob, &item).await.bonus_credits(), 0);
    let on = PromotionChange { is_active: Some(true), ..PromotionChange::default() };
    promotions::change(&core, &Caller::system(), promotion.id, on).await.expect("a change");
    let second = paid(&core, bob, &item).await;
    assert_eq!(second.bonus_credits(), 0, "it is not the first purchase");
    is_clean(&core).await;
}

#[actix::test]
async fn whole_refund_takes_the_bonus_back_and_no_second_one_is_given() {
    let (core, item, ann) = shop().await;
    let caller = Caller::customer(ann);
    promotion(&core).await;
    let order = paid(&core, ann, &item).await;
    let back = refund_own(&core, &caller, order.id).await.expect("a refund");
    assert_eq!((back.status, back.refunded_credits, back.refunded_bonus), (OrderStatus::Refunded, 10_000, 2_000));
    assert_eq!(available(&core, ann).await, 0);
    assert_eq!(paid(&core, ann, &item).await.bonus_credits(), 0);
    is_clean(&core).await;
}

#[actix::test]
async fn used_bonus_stops_a_refund_by_the_buyer() {
    let (core, item, ann) = shop().await;
    promotion(&core).await;
    let order = paid(&core, ann, &item).await;
    // Both lots expire at once; one credit of either is enough.
    use_credits(&core, ann, 1).await;
    let refused = refund_own(&core, &Caller::customer(ann), order.id).await;
    assert_eq!(why(refused), ("ORDER_NOT_REFUNDABLE", json!({ "why": "Used" })));
    is_clean(&core).await;
}

#[actix::test]
async fn refund_in_parts_takes_the_bonus_in_proportion() {
    let (core, item, ann) = shop().await;
    promotion(&core).await;
    let order = paid(&core, ann, &item).await;
    let admin = Caller::system();
    let part = refund(&core, &admin, order.id, (3_300, 0), "a third").await.expect("a refund");
    assert_eq!((part.order.refunded_bonus, part.refunds[0].bonus_credits), (666, 666), "rounded down");
    assert_eq!((bonus_left(&core, &order).await, available(&core, ann).await), (1_334, 11_334));
    let rest = refund(&core, &admin, order.id, (6_600, 10_000), "the rest").await.expect("a refund");
    assert_eq!((rest.order.status, rest.order.refunded_bonus), (OrderStatus::Refunded, 2_000));
    assert_eq!(available(&core, ann).await, 0);
    is_clean(&core).await;
}

#[actix::test]
async fn bonus_returns_if_the_provider_refuses_the_refund() {
    let (core, item, ann) = shop().await;
    promotion(&core).await;
    let order = paid(&core, ann, &item).await;
    sqlx::query("UPDATE test_payments SET state = 'Voided'").execute(&core.db).await.expect("a provider that refuses");
    let kept = refund_own(&core, &Caller::customer(ann), order.id).await.expect("the order");
    assert_eq!((kept.status, kept.refunded_bonus, available(&core, ann).await), (OrderStatus::Paid, 0, 12_000));
    is_clean(&core).await;
}

#[actix::test]
async fn audit_finds_a_bonus_that_does_not_agree() {
    let (core, item, ann) = shop().await;
    promotion(&core).await;
    paid(&core, ann, &item).await;
    for (forged, undone) in [
        ("UPDATE orders SET bonus_credits = bonus_credits + 1", "UPDATE orders SET bonus_credits = bonus_credits - 1"),
        ("UPDATE purchase_bonuses SET credits = 1", "UPDATE purchase_bonuses SET credits = 2000"),
        (
            "UPDATE credit_grants SET source = 'bonus:none' WHERE source LIKE 'bonus:%'",
            "UPDATE credit_grants SET source = (SELECT 'bonus:' || id FROM orders) WHERE source LIKE 'bonus:%'",
        ),
    ] {
        sqlx::query(forged).execute(&core.db).await.expect("a forgery");
        let found = crate::billing::orders::audit(&core.db).await.expect("an audit");
        assert!(!found.is_empty(), "{forged}");
        sqlx::query(undone).execute(&core.db).await.expect("an end of it");
    }
    is_clean(&core).await;
}
