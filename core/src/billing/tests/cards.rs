//! Orders that a saved card pays.

use super::*;
use crate::billing::methods::factory::saved_card;
use crate::billing::methods::{self, PaymentMethod};
use crate::billing::providers::TestCardAnswer;
use crate::database;

/// An order that a card pays, as a renewal places it.
pub(super) async fn placed(core: &Core, item: &ShopItem, method: &PaymentMethod) -> Result<Order> {
    let price = item.prices.in_currency(method.currency).expect("a price");
    let order = Order::new(method.user, item, price, method.provider, core.clock.now());
    let payment = placing::payment_of(&order, Some(method));
    let mut tx = database::begin(&core.db).await?;
    placing::insert(&mut tx, None, &order, &payment).await?;
    tx.commit().await?;
    placing::open(core, &order, &payment, Some(method)).await
}

async fn card(core: &Core, account: UserId, answer: TestCardAnswer) -> PaymentMethod {
    saved_card(core, account, BillingCountry::Korea, answer).await
}

#[actix::test]
async fn card_that_works_pays_each_order_at_once() {
    let (core, item, ann) = shop().await;
    let method = card(&core, ann, TestCardAnswer::Works).await;
    for _ in 0..2 {
        let order = placed(&core, &item, &method).await.expect("an order");
        assert_eq!((order.status, order.pay_at, order.is_settling), (OrderStatus::Paid, None, false));
    }
    assert_eq!((available(&core, ann).await, books(&core).await), (20_000, (2, 0)));
    is_clean(&core).await;
}

#[actix::test]
async fn declined_cards_fail_their_orders() {
    let (core, item, ann) = shop().await;
    let declines = card(&core, ann, TestCardAnswer::Declines).await;
    let order = placed(&core, &item, &declines).await.expect("an order");
    assert_eq!((order.status, order.failure), (OrderStatus::Failed, Some(OrderFailure::Declined)));
    let later = card(&core, ann, TestCardAnswer::DeclinesLater).await;
    assert_eq!(placed(&core, &item, &later).await.expect("an order").status, OrderStatus::Paid);
    for _ in 0..2 {
        let order = placed(&core, &item, &later).await.expect("an order");
        assert_eq!((order.status, order.failure), (OrderStatus::Failed, Some(OrderFailure::Declined)));
    }
    assert_eq!((available(&core, ann).await, books(&core).await), (10_000, (1, 0)));
    is_clean(&core).await;
}

#[actix::test]
async fn lost_answer_to_the_charge_of_a_card_leaves_the_order_settling() {
    let (core, item, ann) = shop().await;
    let method = card(&core, ann, TestCardAnswer::Hangs).await;
    let order = placed(&core, &item, &method).await.expect("an order");
    assert_eq!((order.status, order.is_settling), (OrderStatus::Ready, true));
    let refused = cancel(&core, &Caller::customer(ann), order.id).await;
    assert_eq!(why(refused).0, "ORDER_NOT_CANCELABLE");
    core.clock.advance(TimeDelta::seconds(10));
    assert_eq!(follow_due(&core).await.expect("a round"), 1);
    assert_eq!(completed(&core, &order).await.status, OrderStatus::Paid);
    assert_eq!((available(&core, ann).await, books(&core).await), (10_000, (1, 0)));
    is_clean(&core).await;
}

#[actix::test]
async fn test_card_pays_nothing_after_the_test_provider_was_switched_off() {
    let (core, item, ann) = shop().await;
    let method = card(&core, ann, TestCardAnswer::Works).await;
    let closed = core.another_with("closed", |settings| settings.payments.test_provider = false);
    assert_eq!(why(placed(&closed, &item, &method).await).0, "UNAVAILABLE");
    assert!(methods::usable(&core, ann, method.currency).await.expect("an answer").is_some());
    assert!(methods::usable(&closed, ann, method.currency).await.expect("an answer").is_none());
    let orders = orders_of(&core, ann).await;
    assert_eq!(orders.iter().map(|one| one.status).collect::<Vec<_>>(), [OrderStatus::Failed]);
    assert_eq!(available(&core, ann).await, 0);
    is_clean(&core).await;
}

#[actix::test]
async fn ended_payment_is_asked_about_until_the_provider_answers() {
    let (core, item, ann) = shop().await;
    let order = bought(&core, ann, &item).await;
    answered(&core, &order, TestAnswer::Approve).await;
    let payment = reference(&order);
    for sql in ["UPDATE payments SET state = 'Dropped', ask_at = NULL", "UPDATE orders SET status = 'Canceled'"] {
        sqlx::query(sql).execute(&core.db).await.expect("a race");
    }
    // The provider knows nothing of it for a while.
    let (away, back) = ("UPDATE test_payments SET id = gen_random_uuid()", "UPDATE test_payments SET id = $1");
    let mut asked = 0;
    note_notice(&core, ProviderName::Test, &payment.to_string()).await.expect("a notice");
    sqlx::query(away).execute(&core.db).await.expect("a provider that is away");
    for _ in 0..10 {
        asked += follow_due(&core).await.expect("a round");
        core.clock.advance(TimeDelta::minutes(30));
    }
    assert_eq!(asked, 10);
    sqlx::query(back).bind(payment).execute(&core.db).await.expect("a provider that is back");
    sqlx::query("UPDATE test_payments SET state = 'Captured'").execute(&core.db).await.expect("a charge");
    follow_due(&core).await.expect("a round");
    assert_eq!(completed(&core, &order).await.status, OrderStatus::Paid);

    // One without an effect is asked about once, and one without any answer for some days only.
    let second = bought(&core, ann, &item).await;
    cancel(&core, &Caller::customer(ann), second.id).await.expect("a canceled order");
    let id = reference(&second).to_string();
    note_notice(&core, ProviderName::Test, &id).await.expect("a notice");
    assert_eq!(follow_due(&core).await.expect("a round"), 1);
    core.clock.advance(TimeDelta::days(1));
    assert_eq!(follow_due(&core).await.expect("a round"), 0, "it has answered");
    note_notice(&core, ProviderName::Test, &id).await.expect("a notice");
    sqlx::query("UPDATE test_payments SET id = gen_random_uuid() WHERE state = 'Voided'")
        .execute(&core.db)
        .await
        .expect("a provider that is away");
    let mut asked = 0;
    for _ in 0..200 {
        asked += follow_due(&core).await.expect("a round");
        core.clock.advance(TimeDelta::minutes(30));
    }
    assert_eq!(asked, 151);
    is_clean(&core).await;
}
