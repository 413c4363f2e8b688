//! Orders on a real database, against the test provider: each way that a purchase and a refund can go.

use std::time::Duration;

use chrono::TimeDelta;
use futures_util::future::join_all;
use serde_json::json;
use tokio::time::timeout;
use uuid::Uuid;

use super::*;
use crate::billing::money::BillingCountry;
use crate::billing::providers::{ProviderName, TestAnswer};
use crate::billing::{NewShopItem, Prices, Product, ShopItem, ShopItemChange, items};
use crate::ids::{JobId, OrderId, UserId};
use crate::ledger::{self, Denial, GrantKind, LedgerPost, Movement, PostError, reconcile};
use crate::list::ListQuery;
use crate::testing::TestCore;
use crate::users::factory::user;
use crate::{Caller, Core, Error, Result};

/// Longer than any of these tests takes.
const PATIENCE: Duration = Duration::from_secs(60);

pub(in crate::billing) async fn shop() -> (TestCore, ShopItem, UserId) {
    let clock = crate::Clock::held(TestCore::start_of_time());
    let core = TestCore::with(clock, |settings| settings.payments.test_provider = true).await;
    let item = new_item(&core).await;
    let ann = user().insert(&core.db).await;
    (core, item, ann)
}

pub(in crate::billing) async fn new_item(core: &Core) -> ShopItem {
    let prices = Prices { krw: Some(9_900), usd: Some(699) };
    let new = NewShopItem { name: "Ten thousand".into(), product: Product::Credit(10_000), prices, is_active: true };
    items::create(core, &Caller::system(), new).await.expect("an item")
}

pub(in crate::billing) async fn bought(core: &Core, account: UserId, item: &ShopItem) -> Order {
    buy(core, &Caller::customer(account), &Purchase::of(item.id, BillingCountry::Korea)).await.expect("an order")
}

/// The test provider's id of an order's payment.
pub(in crate::billing) fn reference(order: &Order) -> Uuid {
    let address = order.pay_at.as_deref().expect("where to pay");
    address.rsplit('/').next().and_then(|id| id.parse().ok()).expect("an id")
}

pub(in crate::billing) async fn answered(core: &Core, order: &Order, answer: TestAnswer) {
    answer_test_payment(core, reference(order), answer).await.expect("an answer");
}

pub(in crate::billing) async fn completed(core: &Core, order: &Order) -> Order {
    let caller = Caller::customer(order.user);
    let done = timeout(PATIENCE, complete(core, &caller, order.id));
    done.await.expect("an answer in time").expect("an order")
}

/// The orders of an account that have payments, newest first.
pub(in crate::billing) async fn orders_of(core: &Core, account: UserId) -> Vec<Order> {
    let page = own(core, &Caller::customer(account), ListQuery::at((), None, 100)).await.expect("orders");
    page.items.iter().filter_map(HistoryOrder::bought).cloned().collect()
}

async fn paid(core: &Core, account: UserId, item: &ShopItem) -> Order {
    let order = bought(core, account, item).await;
    answered(core, &order, TestAnswer::Approve).await;
    let order = completed(core, &order).await;
    assert_eq!(order.status, OrderStatus::Paid);
    order
}

pub(in crate::billing) async fn available(core: &Core, account: UserId) -> i64 {
    ledger::available(core, account).await.expect("a balance")
}

/// How often the provider has taken money, and how often it gave some back.
pub(in crate::billing) async fn books(core: &TestCore) -> (i64, i64) {
    let taken = core.database.count("SELECT count(*) FROM test_payments WHERE state = 'Captured'").await;
    (taken, core.database.count("SELECT count(*) FROM test_refunds").await)
}

pub(in crate::billing) async fn is_clean(core: &TestCore) {
    let report = reconcile(&core.db).await.expect("an audit");
    assert!(report.is_clean(), "{:#?}", report.differences);
    assert_eq!(audit(&core.db).await.expect("an audit"), Vec::<String>::new());
}

async fn use_credits(core: &Core, account: UserId, amount: i64) {
    let job = JobId::new();
    for movement in [
        Movement::Hold { job, want: amount, at_least: amount, day_ceiling: None },
        Movement::Settle { job, used: amount },
    ] {
        core.ledger.post(LedgerPost { account, movement, attached: None }).await.expect("credits");
    }
}

pub(in crate::billing) fn why(refused: Result<impl Sized>) -> (&'static str, serde_json::Value) {
    let error = refused.err().expect("a refusal");
    (error.code().name(), error.details().unwrap_or_default())
}

#[actix::test]
async fn approved_purchase_gives_its_credits_once() {
    let (core, item, ann) = shop().await;
    let order = bought(&core, ann, &item).await;
    assert_eq!((order.status, order.price.amount, order.credits), (OrderStatus::Ready, 9_900, 10_000));
    assert_eq!(completed(&core, &order).await.status, OrderStatus::Ready, "nobody has approved it");
    assert_eq!(available(&core, ann).await, 0);

    answered(&core, &order, TestAnswer::Approve).await;
    let order = completed(&core, &order).await;
    let expires_at = core.clock.now() + TimeDelta::days(i64::from(core.settings.credits.days));
    assert_eq!((order.status, order.expires_at, order.pay_at.clone()), (OrderStatus::Paid, Some(expires_at), None));
    assert_eq!(order.refundable_until, Some(core.clock.now() + TimeDelta::days(7)));
    let [lot] = &ledger::grants(&core, &Caller::customer(ann)).await.expect("grants")[..] else { panic!("one lot") };
    assert_eq!((lot.kind, lot.amount, lot.expires_at), (GrantKind::Purchase, 10_000, Some(expires_at)));

    assert_eq!(completed(&core, &order).await, order, "a reload changes nothing");
    follow_due(&core).await.expect("a round");
    let own = own(&core, &Caller::customer(ann), ListQuery::at((), None, 10)).await.expect("orders");
    assert_eq!(own.items, [HistoryOrder::from(order)]);
    assert_eq!((available(&core, ann).await, books(&core).await), (10_000, (1, 0)));
    is_clean(&core).await;
}

#[actix::test]
async fn many_who_follow_one_payment_at_once_take_it_once() {
    let (core, item, ann) = shop().await;
    let other = core.another("other");
    let order = bought(&core, ann, &item).await;
    answered(&core, &order, TestAnswer::Twice).await;
    let nodes = [&core.core, &other];
    let follows = join_all((0..10).map(|at| completed(nodes[at % 2], &order)));
    let (_, rounds) = futures_util::join!(follows, join_all(nodes.map(follow_due)));
    assert!(rounds.into_iter().all(|round| round.is_ok()));
    core.clock.advance(TimeDelta::minutes(1));
    follow_due(&core).await.expect("a round");
    assert_eq!(completed(&core, &order).await.status, OrderStatus::Paid);
    assert_eq!((available(&core, ann).await, books(&core).await), (10_000, (1, 0)));
    is_clean(&core).await;
}

#[actix::test]
async fn lost_answer_to_a_charge_is_found_out_by_asking() {
    let (core, item, ann) = shop().await;
    let order = bought(&core, ann, &item).await;
    answered(&core, &order, TestAnswer::Hang).await;
    let order = completed(&core, &order).await;
    assert!(order.is_settling && order.status == OrderStatus::Ready && order.pay_at.is_none(), "{order:?}");
    let refused = cancel(&core, &Caller::customer(ann), order.id).await;
    assert_eq!(why(refused).0, "ORDER_NOT_CANCELABLE");
    assert_eq!((available(&core, ann).await, books(&core).await), (0, (1, 0)));
    core.clock.advance(TimeDelta::seconds(10));
    assert_eq!(follow_due(&core).await.expect("a round"), 1);
    assert_eq!(completed(&core, &order).await.status, OrderStatus::Paid);
    assert_eq!((available(&core, ann).await, books(&core).await), (10_000, (1, 0)));
    is_clean(&core).await;
}

#[actix::test]
async fn declined_canceled_and_forgotten_purchases_give_nothing() {
    let (core, item, ann) = shop().await;
    let caller = Caller::customer(ann);
    let declined = bought(&core, ann, &item).await;
    answered(&core, &declined, TestAnswer::Decline).await;
    let declined = completed(&core, &declined).await;
    assert_eq!((declined.status, declined.failure), (OrderStatus::Failed, Some(OrderFailure::Declined)));

    let canceled = bought(&core, ann, &item).await;
    for _ in 0..2 {
        let now = cancel(&core, &caller, canceled.id).await.expect("a canceled order");
        assert_eq!((now.status, now.failure, now.pay_at), (OrderStatus::Canceled, None, None));
    }
    let late = answer_test_payment(&core, reference(&canceled), TestAnswer::Approve).await;
    assert_eq!(why(late).0, "TEST_PAYMENT_ANSWERED", "it has ended at the provider too");

    let forgotten = bought(&core, ann, &item).await;
    for _ in 0..30 {
        core.clock.advance(TimeDelta::minutes(10));
        follow_due(&core).await.expect("a round");
    }
    let forgotten = completed(&core, &forgotten).await;
    assert_eq!((forgotten.status, forgotten.failure), (OrderStatus::Canceled, Some(OrderFailure::NotApproved)));
    assert_eq!((available(&core, ann).await, books(&core).await), (0, (0, 0)));
    is_clean(&core).await;
}

#[actix::test]
async fn payment_that_was_never_opened_is_given_up() {
    let (core, item, ann) = shop().await;
    let order = bought(&core, ann, &item).await;
    sqlx::query("UPDATE payments SET state = 'Opening', reference = NULL, pay_at = NULL")
        .execute(&core.db)
        .await
        .expect("a node that died");
    core.clock.advance(TimeDelta::minutes(2));
    follow_due(&core).await.expect("a round");
    assert_eq!(completed(&core, &order).await.status, OrderStatus::Ready);
    core.clock.advance(TimeDelta::minutes(1));
    follow_due(&core).await.expect("a round");
    let order = completed(&core, &order).await;
    assert_eq!((order.status, order.failure), (OrderStatus::Failed, Some(OrderFailure::ProviderUnavailable)));
    is_clean(&core).await;
}

#[actix::test]
async fn money_of_a_canceled_order_still_gives_its_credits() {
    let (core, item, ann) = shop().await;
    let order = bought(&core, ann, &item).await;
    answered(&core, &order, TestAnswer::Approve).await;
    // The provider takes the money while the order ends here.
    let sql = [
        "UPDATE test_payments SET state = 'Captured'",
        "UPDATE payments SET state = 'Dropped', ask_at = NULL",
        "UPDATE orders SET status = 'Canceled'",
    ];
    for sql in sql {
        sqlx::query(sql).execute(&core.db).await.expect("a race");
    }
    follow::note_notice(&core, ProviderName::Test, &reference(&order).to_string()).await.expect("a notice");
    follow_due(&core).await.expect("a round");
    assert_eq!(completed(&core, &order).await.status, OrderStatus::Paid);
    assert_eq!((available(&core, ann).await, books(&core).await), (10_000, (1, 0)));
    is_clean(&core).await;
}

#[actix::test]
async fn buyers_have_their_money_back_while_nothing_is_used() {
    let (core, item, ann) = shop().await;
    let caller = Caller::customer(ann);
    let order = paid(&core, ann, &item).await;
    let bob = Caller::customer(user().insert(&core.db).await);
    assert_eq!(why(refund_own(&core, &bob, order.id).await).0, "NOT_FOUND");
    let at_once = join_all((0..5).map(|_| refund_own(&core, &caller, order.id))).await;
    assert_eq!(at_once.iter().filter(|done| done.is_ok()).count(), 1, "{at_once:?}");
    let order = find_own(&core, &caller, order.id).await.expect("the order");
    assert_eq!((order.status, order.refunded_amount, order.refunded_credits), (OrderStatus::Refunded, 9_900, 10_000));
    assert_eq!((available(&core, ann).await, books(&core).await), (0, (1, 1)));
    let again = refund_own(&core, &caller, order.id).await;
    assert_eq!(why(again), ("ORDER_NOT_REFUNDABLE", json!({ "why": "NotPaid" })));

    let used = paid(&core, ann, &item).await;
    use_credits(&core, ann, 1).await;
    assert_eq!(find_own(&core, &caller, used.id).await.expect("the order").refundable_until, None);
    assert_eq!(why(refund_own(&core, &caller, used.id).await).1, json!({ "why": "Used" }));
    let late = paid(&core, ann, &item).await;
    core.clock.advance(TimeDelta::days(7));
    assert_eq!(why(refund_own(&core, &caller, late.id).await).1, json!({ "why": "TooLate" }));
    assert_eq!((available(&core, ann).await, books(&core).await), (19_999, (3, 1)));
    is_clean(&core).await;
}

#[actix::test]
async fn admins_refund_in_parts_and_never_more_than_is_left() {
    let (core, item, ann) = shop().await;
    let admin = Caller::system();
    let order = paid(&core, ann, &item).await;
    use_credits(&core, ann, 4_000).await;
    let part = refund(&core, &admin, order.id, (4_950, 5_000), "half of it").await.expect("a refund");
    assert_eq!((part.order.status, part.order.refunded_amount), (OrderStatus::Paid, 4_950));
    assert_eq!(part.refunds.iter().map(|one| one.status).collect::<Vec<_>>(), [RefundStatus::Done]);
    assert_eq!(credits_left(&core, &admin, &part.order).await.expect("credits"), 1_000);
    for (amount, credits, field) in [(4_951, 0, "amount"), (0, 0, "amount"), (1, 1_001, "credits"), (1, -1, "credits")]
    {
        let refused = refund(&core, &admin, order.id, (amount, credits), "too much").await;
        assert!(matches!(&refused, Err(Error::Invalid { field: wrong, .. }) if wrong == field), "{refused:?}");
    }
    let blank = refund(&core, &admin, order.id, (1, 0), " ").await;
    assert!(matches!(&blank, Err(Error::Invalid { field, .. }) if field == "reason"), "{blank:?}");
    let rest = refund(&core, &admin, order.id, (4_950, 0), "the rest").await.expect("a refund");
    assert_eq!((rest.order.status, rest.refunds.len()), (OrderStatus::Refunded, 2));
    assert_eq!((available(&core, ann).await, books(&core).await), (1_000, (1, 2)));
    let logged = core.database.count("SELECT count(*) FROM audit_entries WHERE action = 'order.refund'").await;
    assert_eq!(logged, 2);
    is_clean(&core).await;
}

#[actix::test]
async fn lost_answer_to_a_refund_gives_the_money_back_once() {
    let (core, item, ann) = shop().await;
    let order = bought(&core, ann, &item).await;
    answered(&core, &order, TestAnswer::Hang).await;
    completed(&core, &order).await;
    core.clock.advance(TimeDelta::seconds(10));
    follow_due(&core).await.expect("a round");
    let asked = refund_own(&core, &Caller::customer(ann), order.id).await.expect("a refund");
    assert_eq!((asked.status, asked.refunded_amount), (OrderStatus::Paid, 9_900), "the provider has not said so");
    assert_eq!(available(&core, ann).await, 0, "the credits are taken back first");
    core.clock.advance(TimeDelta::seconds(30));
    assert_eq!(follow_due(&core).await.expect("a round"), 1);
    assert_eq!(completed(&core, &order).await.status, OrderStatus::Refunded);
    assert_eq!(books(&core).await, (1, 1));
    is_clean(&core).await;
}

#[actix::test]
async fn credits_return_if_the_provider_refuses_a_refund() {
    let (core, item, ann) = shop().await;
    let order = paid(&core, ann, &item).await;
    sqlx::query("UPDATE test_payments SET state = 'Voided'").execute(&core.db).await.expect("a provider that refuses");
    let kept = refund_own(&core, &Caller::customer(ann), order.id).await.expect("the order");
    assert_eq!((kept.status, kept.refunded_amount, kept.refunded_credits), (OrderStatus::Paid, 0, 0));
    assert_eq!(available(&core, ann).await, 10_000);
    let refunds = find_any(&core, &Caller::system(), order.id).await.expect("the order").refunds;
    assert_eq!(refunds.iter().map(|one| one.status).collect::<Vec<_>>(), [RefundStatus::Refused]);
    is_clean(&core).await;
}

#[actix::test]
async fn credits_that_are_held_meanwhile_stop_a_refund() {
    let (core, item, ann) = shop().await;
    let order = paid(&core, ann, &item).await;
    let hold = Movement::Hold { job: JobId::new(), want: 1, at_least: 1, day_ceiling: None };
    core.ledger.post(LedgerPost { account: ann, movement: hold, attached: None }).await.expect("a hold");
    // Both have read the lot before; the ledger decides.
    let debit = Movement::Debit { source: format!("order:{}", order.id), amount: 10_000 };
    let denied = core.ledger.post(LedgerPost { account: ann, movement: debit, attached: None }).await;
    assert!(matches!(denied, Err(PostError::Denied(Denial::LotTooSmall { available: 9_999 }))), "{denied:?}");
    is_clean(&core).await;
}

#[actix::test]
async fn only_what_is_offered_can_be_bought() {
    let (core, item, ann) = shop().await;
    let caller = Caller::customer(ann);
    let change = ShopItemChange { prices: Some(Prices { krw: None, usd: Some(699) }), ..ShopItemChange::default() };
    items::change(&core, &Caller::system(), item.id, change).await.expect("a change");
    assert_eq!(why(buy(&core, &caller, &Purchase::of(item.id, BillingCountry::Korea)).await).0, "BUYING_NOT_SET_UP");
    let order = buy(&core, &caller, &Purchase::of(item.id, BillingCountry::Other)).await.expect("an order");
    assert_eq!(order.price.amount, 699);
    let change = ShopItemChange { is_active: Some(false), ..ShopItemChange::default() };
    items::change(&core, &Caller::system(), item.id, change).await.expect("a change");
    assert_eq!(why(buy(&core, &caller, &Purchase::of(item.id, BillingCountry::Other)).await).0, "NOT_FOUND");
    assert!(items::offered(&core).await.expect("items").is_empty());
    answered(&core, &order, TestAnswer::Approve).await;
    assert_eq!(completed(&core, &order).await.status, OrderStatus::Paid, "what was ordered is honoured");

    let closed = core.another_with("closed", |settings| settings.payments.test_provider = false);
    let other = new_item(&core).await;
    assert_eq!(why(buy(&closed, &caller, &Purchase::of(other.id, BillingCountry::Other)).await).0, "BUYING_NOT_SET_UP");
    let page = crate::billing::find_test_payment(&closed, reference(&order)).await;
    assert_eq!(why(page).0, "NOT_FOUND");
}

#[actix::test]
async fn audit_finds_what_does_not_agree() {
    let (core, item, ann) = shop().await;
    let order = paid(&core, ann, &item).await;
    is_clean(&core).await;
    for (forged, undone) in [
        ("UPDATE orders SET credits = credits + 1", "UPDATE orders SET credits = credits - 1"),
        ("UPDATE orders SET refunded_amount = 1", "UPDATE orders SET refunded_amount = 0"),
        (
            "UPDATE orders SET status = 'Ready', paid_at = NULL, expires_at = NULL",
            "UPDATE orders SET status = 'Paid', paid_at = created_at, expires_at = created_at",
        ),
        (
            "UPDATE credit_grants SET source = 'order:none' WHERE source LIKE 'order:%'",
            "UPDATE credit_grants SET source = (SELECT 'order:' || id FROM orders)",
        ),
    ] {
        sqlx::query(forged).execute(&core.db).await.expect("a forgery");
        assert!(!audit(&core.db).await.expect("an audit").is_empty(), "{forged}");
        sqlx::query(undone).execute(&core.db).await.expect("an end of it");
    }
    is_clean(&core).await;
    let found = list(&core, &Caller::system(), ListQuery::at(OrderFilter::default(), None, 10)).await.expect("orders");
    assert_eq!(found.items.iter().map(|one| one.order.id()).collect::<Vec<OrderId>>(), [order.id]);
}
