//! Purchases through PayPal, against a test server.

use super::*;
use crate::billing::notices::take_paypal_notice;
use crate::billing::providers::PayPalSignature;
use crate::testing::payment_server::PaymentFault;
use crate::testing::paypal::TestPayPal;
use crate::users::RequestOrigin;

async fn paypal_shop() -> (TestCore, TestPayPal, ShopItem, UserId) {
    let paypal = TestPayPal::start().await;
    let clock = crate::Clock::held(TestCore::start_of_time());
    let core = TestCore::with(clock, |settings| {
        paypal.configure(settings);
        // The real one is used for its currency.
        settings.payments.test_provider = true;
    })
    .await;
    let item = new_item(&core).await;
    let ann = user().insert(&core.db).await;
    (core, paypal, item, ann)
}

async fn bought_in_dollars(core: &Core, account: UserId, item: &ShopItem) -> Order {
    buy(core, &Caller::customer(account), &Purchase::of(item.id, BillingCountry::Other)).await.expect("an order")
}

fn paypal_id(order: &Order) -> String {
    let address = order.pay_at.as_deref().expect("where to pay");
    address.strip_prefix("https://paypal.example/approve/").expect("PayPal's page").to_owned()
}

async fn paid_in_dollars(core: &Core, paypal: &TestPayPal, account: UserId, item: &ShopItem) -> Order {
    let order = bought_in_dollars(core, account, item).await;
    paypal.approve(&paypal_id(&order));
    let order = completed(core, &order).await;
    assert_eq!(order.status, OrderStatus::Paid);
    order
}

fn notice(kind: &str, resource: &serde_json::Value) -> String {
    json!({ "id": "WH-1", "event_type": kind, "resource": resource }).to_string()
}

fn signature(sig: &str) -> PayPalSignature {
    PayPalSignature {
        auth_algo: "SHA256withRSA".into(),
        cert_url: "https://api.paypal.com/cert".into(),
        transmission_id: "t-1".into(),
        transmission_sig: sig.into(),
        transmission_time: "2026-01-01T00:00:00Z".into(),
    }
}

async fn noticed(core: &Core, body: &str) {
    let signature = signature(&TestPayPal::sign(body));
    take_paypal_notice(core, &RequestOrigin::default(), &signature, body).await.expect("a notice");
}

/// How often PayPal was called for this.
fn calls(paypal: &TestPayPal, operation: &str) -> usize {
    paypal.calls().iter().filter(|call| *call == operation).count()
}

#[actix::test]
async fn approved_paypal_order_is_captured_and_refunded_in_parts_and_whole() {
    let (core, paypal, item, ann) = paypal_shop().await;
    let order = bought_in_dollars(&core, ann, &item).await;
    assert_eq!((order.provider, order.price.amount), (ProviderName::PayPal, 699));
    let order = completed(&core, &order).await;
    assert_eq!((order.status, available(&core, ann).await), (OrderStatus::Ready, 0), "it is not approved");
    paypal.approve(&paypal_id(&order));
    let order = completed(&core, &order).await;
    assert_eq!((order.status, available(&core, ann).await), (OrderStatus::Paid, 10_000));
    assert_eq!(paypal.books(), (1, 699));
    assert_eq!(calls(&paypal, "token"), 1, "a token is kept");

    let admin = Caller::system();
    refund(&core, &admin, order.id, (199, 1_000), "a part").await.expect("a refund");
    assert_eq!(paypal.books(), (1, 500));
    let rest = refund(&core, &admin, order.id, (500, 0), "the rest").await.expect("a refund");
    assert_eq!((rest.order.status, paypal.books()), (OrderStatus::Refunded, (1, 0)));

    let whole = paid_in_dollars(&core, &paypal, ann, &item).await;
    let whole = refund_own(&core, &Caller::customer(ann), whole.id).await.expect("a refund");
    assert_eq!((whole.status, paypal.books()), (OrderStatus::Refunded, (2, 0)));
    is_clean(&core).await;
}

#[actix::test]
async fn lost_answers_of_paypal_lead_to_one_charge_one_grant_and_one_refund() {
    let (core, paypal, item, ann) = paypal_shop().await;
    for operation in ["create", "capture", "refund"] {
        paypal.fail(operation, PaymentFault::LoseAnswer);
    }
    let order = bought_in_dollars(&core, ann, &item).await;
    assert_eq!(calls(&paypal, "create"), 2);
    paypal.approve(&paypal_id(&order));
    let order = completed(&core, &order).await;
    assert!(order.is_settling, "{order:?}");
    core.clock.advance(TimeDelta::seconds(10));
    follow_due(&core).await.expect("a round");
    let order = completed(&core, &order).await;
    assert_eq!((order.status, available(&core, ann).await, paypal.books()), (OrderStatus::Paid, 10_000, (1, 699)));
    let asked = refund_own(&core, &Caller::customer(ann), order.id).await.expect("a refund");
    assert_eq!((asked.status, paypal.books()), (OrderStatus::Paid, (1, 0)));
    core.clock.advance(TimeDelta::seconds(30));
    follow_due(&core).await.expect("a round");
    assert_eq!(completed(&core, &order).await.status, OrderStatus::Refunded);
    assert_eq!((available(&core, ann).await, paypal.books()), (0, (1, 0)));
    is_clean(&core).await;
}

#[actix::test]
async fn errors_of_a_capture_decide_what_becomes_of_the_order() {
    let (core, paypal, item, ann) = paypal_shop().await;
    let cases = [
        (422, "UNPROCESSABLE_ENTITY", "INSTRUMENT_DECLINED", OrderStatus::Failed),
        (422, "UNPROCESSABLE_ENTITY", "PAYER_CANNOT_PAY", OrderStatus::Failed),
        (422, "UNPROCESSABLE_ENTITY", "ORDER_NOT_APPROVED", OrderStatus::Ready),
        (422, "UNPROCESSABLE_ENTITY", "DECIMAL_PRECISION", OrderStatus::Ready),
        (403, "NOT_AUTHORIZED", "PERMISSION_DENIED", OrderStatus::Ready),
        (429, "RATE_LIMIT_REACHED", "", OrderStatus::Ready),
        (500, "INTERNAL_SERVER_ERROR", "", OrderStatus::Ready),
    ];
    let mut taken = 0;
    for (status, name, issue, expected) in cases {
        let order = bought_in_dollars(&core, ann, &item).await;
        paypal.approve(&paypal_id(&order));
        paypal.refuse("capture", status, name, issue);
        assert_eq!(completed(&core, &order).await.status, expected, "{issue}");
        if expected == OrderStatus::Ready {
            taken += 1;
            assert_eq!(completed(&core, &order).await.status, OrderStatus::Paid, "{issue} ends");
        }
    }
    assert_eq!((available(&core, ann).await, paypal.books()), (10_000 * taken, (5, 699 * taken)));
    // It was captured by a call whose answer is lost.
    let order = bought_in_dollars(&core, ann, &item).await;
    paypal.approve(&paypal_id(&order));
    paypal.fail("capture", PaymentFault::LoseAnswer);
    completed(&core, &order).await;
    paypal.refuse("capture", 422, "UNPROCESSABLE_ENTITY", "ORDER_ALREADY_CAPTURED");
    assert_eq!(completed(&core, &order).await.status, OrderStatus::Paid);
    is_clean(&core).await;
}

#[actix::test]
async fn refused_creation_fails_the_order_and_a_forgotten_one_ends_it() {
    let (core, paypal, item, ann) = paypal_shop().await;
    let caller = Caller::customer(ann);
    for (status, name, issue) in [
        (422, "UNPROCESSABLE_ENTITY", "INVALID_CURRENCY_CODE"),
        (422, "UNPROCESSABLE_ENTITY", "DUPLICATE_INVOICE_ID"),
        (503, "", ""),
    ] {
        paypal.refuse("create", status, name, issue);
        assert_eq!(why(buy(&core, &caller, &Purchase::of(item.id, BillingCountry::Other)).await).0, "UNAVAILABLE");
    }
    let orders = orders_of(&core, ann).await;
    assert!(orders.iter().all(|one| one.failure == Some(OrderFailure::ProviderUnavailable)), "{orders:?}");
    let order = bought_in_dollars(&core, ann, &item).await;
    paypal.forget(&paypal_id(&order));
    let order = completed(&core, &order).await;
    assert_eq!((order.status, order.failure), (OrderStatus::Canceled, Some(OrderFailure::NotApproved)));
    assert_eq!(paypal.books(), (0, 0));
    is_clean(&core).await;
}

#[actix::test]
async fn another_amount_or_currency_is_never_taken() {
    let (core, paypal, item, ann) = paypal_shop().await;
    for fault in [PaymentFault::WrongAmount, PaymentFault::WrongCurrency] {
        paypal.fail("create", fault.clone());
        let refused = buy(&core, &Caller::customer(ann), &Purchase::of(item.id, BillingCountry::Other)).await;
        assert_eq!(why(refused).0, "UNAVAILABLE", "{fault:?}");
        let order = bought_in_dollars(&core, ann, &item).await;
        paypal.approve(&paypal_id(&order));
        for operation in ["capture", "get"] {
            paypal.fail(operation, fault.clone());
        }
        assert_eq!(completed(&core, &order).await.status, OrderStatus::Ready, "{fault:?}");
    }
    assert_eq!(available(&core, ann).await, 0);
    is_clean(&core).await;
}

#[actix::test]
async fn ended_token_is_renewed_once_and_every_node_has_its_own() {
    let (core, paypal, item, ann) = paypal_shop().await;
    let order = bought_in_dollars(&core, ann, &item).await;
    paypal.end_tokens();
    paypal.approve(&paypal_id(&order));
    assert_eq!(completed(&core, &order).await.status, OrderStatus::Paid);
    assert_eq!(calls(&paypal, "token"), 2);
    core.clock.advance(TimeDelta::hours(9));
    bought_in_dollars(&core, ann, &item).await;
    assert_eq!(calls(&paypal, "token"), 3, "it was renewed before its end");
    paypal.refuse("token", 401, "", "");
    paypal.end_tokens();
    let refused = buy(&core, &Caller::customer(ann), &Purchase::of(item.id, BillingCountry::Other)).await;
    assert_eq!(why(refused).0, "UNAVAILABLE");
}

#[actix::test]
async fn refunds_that_paypal_refuses_or_has_made_are_told_apart() {
    let (core, paypal, item, ann) = paypal_shop().await;
    let caller = Caller::customer(ann);
    let order = paid_in_dollars(&core, &paypal, ann, &item).await;
    paypal.refuse("refund", 422, "UNPROCESSABLE_ENTITY", "REFUND_TIME_LIMIT_EXCEEDED");
    let kept = refund_own(&core, &caller, order.id).await.expect("the order");
    assert_eq!((kept.status, available(&core, ann).await), (OrderStatus::Paid, 10_000), "the credits return");
    // An operator has given the money back at PayPal's site.
    let order = paid_in_dollars(&core, &paypal, ann, &item).await;
    paypal.fail("refund", PaymentFault::LoseAnswer);
    refund_own(&core, &caller, order.id).await.expect("the order");
    paypal.refuse("refund", 422, "UNPROCESSABLE_ENTITY", "CAPTURE_FULLY_REFUNDED");
    core.clock.advance(TimeDelta::seconds(30));
    follow_due(&core).await.expect("a round");
    assert_eq!(completed(&core, &order).await.status, OrderStatus::Refunded);
    is_clean(&core).await;
}

#[actix::test]
async fn pack_that_paypal_gives_back_after_notices_loses_its_credits_once() {
    let (core, paypal, item, ann) = paypal_shop().await;
    let order = paid_in_dollars(&core, &paypal, ann, &item).await;
    let charge: String = sqlx::query_scalar("SELECT charge FROM payments").fetch_one(&core.db).await.expect("a charge");
    let refund = paypal.give_back(&charge, 233);
    let links = json!([{ "rel": "up", "href": format!("https://api.paypal.com/v2/payments/captures/{charge}") }]);
    let part = notice("PAYMENT.CAPTURE.REFUNDED", &json!({ "id": refund, "links": links }));
    for _ in 0..2 {
        noticed(&core, &part).await;
        follow_due(&core).await.expect("a round");
    }
    let in_part = completed(&core, &order).await;
    assert_eq!((in_part.status, in_part.refunded_amount, in_part.refunded_credits), (OrderStatus::Paid, 233, 3_333));
    assert_eq!(available(&core, ann).await, 6_667);

    assert!(paypal.give_back(&charge, 466).starts_with("REFUND"));
    let disputed = json!({ "dispute_id": "PP-D-1", "disputed_transactions": [{ "seller_transaction_id": charge }] });
    noticed(&core, &notice("CUSTOMER.DISPUTE.RESOLVED", &disputed)).await;
    follow_due(&core).await.expect("a round");
    assert_eq!(completed(&core, &order).await.status, OrderStatus::Refunded);
    assert_eq!((available(&core, ann).await, paypal.books()), (0, (1, 0)));

    let verified = calls(&paypal, "verify");
    noticed(&core, &notice("PAYMENT.SALE.REFUNDED", &json!({ "id": "R", "sale_id": "UNKNOWN" }))).await;
    assert_eq!(calls(&paypal, "verify"), verified, "a charge of another shop is not worth a question");
    is_clean(&core).await;
}

#[actix::test]
async fn notices_in_any_number_and_order_take_a_payment_once_and_forged_ones_change_nothing() {
    let (core, paypal, item, ann) = paypal_shop().await;
    let order = bought_in_dollars(&core, ann, &item).await;
    let id = paypal_id(&order);
    paypal.approve(&id);
    let approved = notice("CHECKOUT.ORDER.APPROVED", &json!({ "id": id }));
    let forged = take_paypal_notice(&core, &RequestOrigin::default(), &signature("forged"), &approved).await;
    assert_eq!(why(forged).0, "FORBIDDEN");
    let unsigned = take_paypal_notice(&core, &RequestOrigin::default(), &PayPalSignature::default(), &approved).await;
    assert_eq!(why(unsigned).0, "FORBIDDEN");
    assert_eq!(follow_due(&core).await.expect("a round"), 0, "a forged notice asks nothing");

    let captured = json!({ "id": "C", "supplementary_data": { "related_ids": { "order_id": id } } });
    for body in [
        notice("PAYMENT.CAPTURE.COMPLETED", &captured),
        approved.clone(),
        approved,
        notice("CHECKOUT.ORDER.APPROVED", &json!({ "id": "UNKNOWN" })),
    ] {
        noticed(&core, &body).await;
        follow_due(&core).await.expect("a round");
    }
    assert_eq!(completed(&core, &order).await.status, OrderStatus::Paid);
    assert_eq!((available(&core, ann).await, paypal.books()), (10_000, (1, 699)));

    let verified = calls(&paypal, "verify");
    let unknown = notice("CHECKOUT.ORDER.APPROVED", &json!({ "id": "UNKNOWN" }));
    for other in [
        unknown.as_str(),
        "no JSON",
        "{}",
        r#"{"event_type":"X","resource":{"id":"1"}}"#,
        r#"{"event_type":1,"resource":[]}"#,
    ] {
        noticed(&core, other).await;
    }
    assert_eq!(calls(&paypal, "verify"), verified, "what names no order of ours is not worth a question");
    paypal.refuse("verify", 503, "", "");
    let body = notice("CHECKOUT.ORDER.APPROVED", &json!({ "id": id }));
    let away = take_paypal_notice(&core, &RequestOrigin::default(), &signature(&TestPayPal::sign(&body)), &body).await;
    assert_eq!(why(away).0, "UNAVAILABLE", "PayPal sends it again");
    is_clean(&core).await;
}
