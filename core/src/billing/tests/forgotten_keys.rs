//! Billing keys of removed cards are deleted at Toss.

use futures_util::future::join_all;

use super::toss::{card_by_window, form, toss_shop};
use super::*;
use crate::billing::methods::{self, forget_due};
use crate::testing::payment_server::PaymentFault;
use crate::testing::toss::TestToss;

/// Rows that wait.
async fn waiting(core: &TestCore) -> i64 {
    core.database.count("SELECT count(*) FROM forgotten_billing_keys").await
}

async fn round(core: &TestCore) -> u64 {
    forget_due(core).await.expect("a round")
}

fn forgotten(toss: &TestToss) -> usize {
    toss.calls().iter().filter(|call| *call == "forget").count()
}

#[actix::test]
async fn key_of_a_removed_card_is_deleted_once() {
    let (core, toss, item, ann) = toss_shop().await;
    let caller = Caller::customer(ann);
    let kept = card_by_window(&core, ann).await;
    let removed = card_by_window(&core, ann).await;
    methods::remove(&core, &caller, removed.id).await.expect("a removal");
    assert_eq!((toss.cards(), waiting(&core).await), (2, 1), "the call has its row before it is made");
    let other = core.another("other");
    let (here, there) = tokio::join!(forget_due(&core), forget_due(&other));
    assert_eq!(here.expect("a round") + there.expect("a round"), 1);
    assert_eq!((toss.cards(), waiting(&core).await, forgotten(&toss)), (1, 0, 1));
    assert_eq!(round(&core).await, 0);
    let order = bought(&core, ann, &item).await;
    assert_eq!((order.status, kept.is_default), (OrderStatus::Paid, true), "the other card still pays");
}

#[actix::test]
async fn lost_answer_is_repeated_and_an_unknown_key_is_deleted() {
    let (core, toss, _, ann) = toss_shop().await;
    card_by_window(&core, ann).await;
    let removed = card_by_window(&core, ann).await;
    methods::remove(&core, &Caller::customer(ann), removed.id).await.expect("a removal");
    toss.fail("forget", PaymentFault::LoseAnswer);
    assert_eq!(round(&core).await, 1);
    assert_eq!((toss.cards(), waiting(&core).await), (1, 1));
    assert_eq!(round(&core).await, 0, "it is not due");
    core.clock.advance(TimeDelta::minutes(1));
    assert_eq!(round(&core).await, 1);
    assert_eq!((toss.cards(), waiting(&core).await, forgotten(&toss)), (1, 0, 2), "Toss knows it no more");
}

#[actix::test]
async fn keys_of_a_deleted_account_are_deleted() {
    let (core, toss, _, ann) = toss_shop().await;
    card_by_window(&core, ann).await;
    card_by_window(&core, ann).await;
    for _ in 0..2 {
        methods::forget(&core, ann).await.expect("a deleted account");
    }
    assert_eq!(waiting(&core).await, 2, "a repetition queues nothing");
    assert_eq!(round(&core).await, 2);
    assert_eq!((toss.cards(), waiting(&core).await), (0, 0));
}

#[actix::test]
async fn card_that_is_entered_twice_at_once_leaves_one_key() {
    let (core, toss, item, ann) = toss_shop().await;
    let caller = Caller::customer(ann);
    let opened = methods::begin(&core, &caller, BillingCountry::Korea).await.expect("a window");
    let saved = join_all((0..3).map(|_| methods::save_card(&core, &caller, opened.id, form()))).await;
    assert!(saved.iter().all(Result::is_ok), "{saved:?}");
    while round(&core).await > 0 {}
    assert_eq!((toss.cards(), waiting(&core).await), (1, 0));
    assert_eq!(bought(&core, ann, &item).await.status, OrderStatus::Paid, "the key that is kept pays");
}

#[actix::test]
async fn key_that_the_provider_does_not_delete_is_given_up_after_a_week() {
    let (core, toss, _, ann) = toss_shop().await;
    card_by_window(&core, ann).await;
    methods::forget(&core, ann).await.expect("a deleted account");
    for day in 0..8 {
        toss.refuse("forget", 401, "UNAUTHORIZED_KEY");
        assert_eq!((round(&core).await, waiting(&core).await), (1, 1), "day {day}");
        core.clock.advance(TimeDelta::days(1));
    }
    toss.refuse("forget", 503, "");
    assert_eq!((round(&core).await, waiting(&core).await, toss.cards()), (1, 0, 1));
}
