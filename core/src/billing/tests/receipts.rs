//! Receipts by mail: who gets which, and how often.

use futures_util::future::join_all;
use sqlx::types::Json;

use super::cards::placed;
use super::*;
use crate::billing::methods::factory::saved_card;
use crate::billing::providers::TestCardAnswer;
use crate::language::Language;
use crate::mail::{Content, Receipt, ReceiptRefund};
use crate::testing::smtp::TestSmtp;
use crate::users;

/// Language and content of all queued mails, in order.
async fn queued(core: &Core) -> Vec<(String, Content)> {
    let rows: Vec<(String, Json<Content>)> =
        sqlx::query_as("SELECT language, letter FROM mails ORDER BY id").fetch_all(&core.db).await.expect("mails");
    rows.into_iter().map(|(language, letter)| (language, letter.0)).collect()
}

fn paid(content: &Content) -> &Receipt {
    let Content::PaymentReceipt { receipt, .. } = content else { panic!("{content:?}") };
    receipt
}

fn refunded(content: &Content) -> (&Receipt, &ReceiptRefund) {
    let Content::RefundReceipt { receipt, refund, .. } = content else { panic!("{content:?}") };
    (receipt, refund)
}

#[actix::test]
async fn payment_and_each_refund_have_one_receipt_in_the_language_of_the_account() {
    let (core, item, ann) = shop().await;
    let caller = Caller::customer(ann);
    users::set_language(&core, &caller, Language::Ko).await.expect("a language");
    let order = bought(&core, ann, &item).await;
    assert_eq!(queued(&core).await, [], "nothing is paid");
    answered(&core, &order, TestAnswer::Twice).await;
    let other = core.another("other");
    let nodes = [&core.core, &other];
    join_all((0..6).map(|at| completed(nodes[at % 2], &order))).await;
    follow_due(&core).await.expect("a round");
    let mails = queued(&core).await;
    let [(language, mail)] = &mails[..] else { panic!("{mails:?}") };
    assert_eq!(language, "ko");
    let expected = Receipt {
        order: order.id.0,
        paid_at: core.clock.now(),
        item: "Ten thousand".into(),
        period: None,
        credits: 10_000,
        bonus_credits: 0,
        list_price: "₩9,900".into(),
        amount: "₩9,900".into(),
        card: None,
        provider: "Test".into(),
    };
    assert_eq!(paid(mail), &expected);

    refund(&core, &Caller::system(), order.id, (900, 1_000), "a part").await.expect("a refund");
    core.clock.advance(TimeDelta::days(1));
    refund(&core, &Caller::system(), order.id, (9_000, 0), "the rest").await.expect("a refund");
    follow_due(&core).await.expect("a round");
    let mails = queued(&core).await;
    let [_, (_, part), (_, rest)] = &mails[..] else { panic!("{mails:?}") };
    for (mail, amount, credits) in [(part, "₩900", 1_000), (rest, "₩9,000", 0)] {
        let (receipt, refund) = refunded(mail);
        assert_eq!((receipt, refund.amount.as_str(), refund.credits), (&expected, amount, credits));
    }
    is_clean(&core).await;
}

#[actix::test]
async fn declined_payment_and_refused_refund_have_no_receipt() {
    let (core, item, ann) = shop().await;
    let order = bought(&core, ann, &item).await;
    answered(&core, &order, TestAnswer::Decline).await;
    completed(&core, &order).await;
    assert_eq!(queued(&core).await, []);
    let order = bought(&core, ann, &item).await;
    answered(&core, &order, TestAnswer::Approve).await;
    completed(&core, &order).await;
    sqlx::query("UPDATE test_payments SET state = 'Voided'").execute(&core.db).await.expect("a provider that refuses");
    refund_own(&core, &Caller::customer(ann), order.id).await.expect("the order");
    assert_eq!(queued(&core).await.len(), 1, "the receipt of the payment alone");
}

#[actix::test]
async fn receipt_of_a_card_names_its_last_digits() {
    let (core, item, ann) = shop().await;
    let method = saved_card(&core, ann, BillingCountry::Korea, TestCardAnswer::Works).await;
    placed(&core, &item, &method).await.expect("an order");
    let mails = queued(&core).await;
    let [(_, mail)] = &mails[..] else { panic!("{mails:?}") };
    let receipt = paid(mail);
    assert_eq!((receipt.card.as_deref(), receipt.amount.as_str()), (Some("1234"), "₩9,900"));
}

#[actix::test]
async fn full_outbox_stops_no_payment() {
    let clock = crate::Clock::held(TestCore::start_of_time());
    let core = TestCore::with(clock, |settings| {
        settings.payments.test_provider = true;
        settings.mail.max_waiting = 0;
    })
    .await;
    let (item, ann) = (new_item(&core).await, user().insert(&core.db).await);
    let order = bought(&core, ann, &item).await;
    answered(&core, &order, TestAnswer::Approve).await;
    assert_eq!(completed(&core, &order).await.status, OrderStatus::Paid);
    assert_eq!(queued(&core).await.len(), 1);
}

#[actix::test]
async fn account_without_a_verified_address_gets_no_receipt() {
    let clock = crate::Clock::held(TestCore::start_of_time());
    let core = TestCore::with(clock, |settings| {
        settings.payments.test_provider = true;
        TestSmtp::configure(settings, 1);
    })
    .await;
    let item = new_item(&core).await;
    for (account, count) in [(user().unverified(), 0), (user(), 1)] {
        let account = account.insert(&core.db).await;
        let order = bought(&core, account, &item).await;
        answered(&core, &order, TestAnswer::Approve).await;
        assert_eq!(completed(&core, &order).await.status, OrderStatus::Paid);
        assert_eq!(queued(&core).await.len(), count);
    }
}
