//! Purchases through TossPayments, against a test server.

use secrecy::SecretString;

use super::*;
use crate::billing::methods::{self, PaymentMethod};
use crate::billing::notices::take_toss_notice;
use crate::billing::providers::{CardForm, CardWindow, DeclineReason};
use crate::testing::payment_server::PaymentFault;
use crate::testing::toss::{TOSS_AUTH_KEY, TestToss};
use crate::users::RequestOrigin;

pub(super) async fn toss_shop() -> (TestCore, TestToss, ShopItem, UserId) {
    let toss = TestToss::start().await;
    let clock = crate::Clock::held(TestCore::start_of_time());
    let core = TestCore::with(clock, |settings| toss.configure(settings)).await;
    let item = new_item(&core).await;
    let ann = user().insert(&core.db).await;
    (core, toss, item, ann)
}

pub(super) fn form() -> CardForm {
    CardForm {
        number: SecretString::from("5327-5012 3456 7890"),
        password_digits: SecretString::from("37"),
        identity_number: SecretString::from("881224"),
        expiration_month: 1,
        expiration_year: 2026,
        name: "Ann".into(),
        email: Some("ann@example.com".into()),
    }
}

pub(super) async fn card_by_window(core: &Core, account: UserId) -> PaymentMethod {
    let caller = Caller::customer(account);
    let opened = methods::begin(core, &caller, BillingCountry::Korea).await.expect("a window");
    let key = SecretString::from(TOSS_AUTH_KEY);
    methods::complete(core, &caller, opened.id, Some(&key)).await.expect("a saved card")
}

async fn bought_by_card(core: &Core, account: UserId, item: &ShopItem) -> Order {
    bought(core, account, item).await
}

#[actix::test]
async fn card_is_saved_by_the_window_of_toss() {
    let (core, toss, _, ann) = toss_shop().await;
    let caller = Caller::customer(ann);
    let opened = methods::begin(&core, &caller, BillingCountry::Korea).await.expect("a window");
    let CardWindow::Toss(window) = &opened.window else { panic!("a window of Toss") };
    let back = format!("/account?tab=payment&method={}", opened.id);
    assert!(window.success_url.starts_with("http") && window.success_url.ends_with(&back), "{window:?}");
    assert_eq!(window.fail_url, format!("{}&failed=1", window.success_url));
    assert!(opened.has_card_form && methods::has_card_form(&core));

    let none = methods::complete(&core, &caller, opened.id, None).await;
    assert_eq!(why(none).0, "PAYMENT_METHOD_NOT_READY");
    let wrong = methods::complete(&core, &caller, opened.id, Some(&SecretString::from("another"))).await;
    assert_eq!(why(wrong), ("CARD_REFUSED", json!({ "reason": "INVALID_AUTHORIZE_AUTH" })));
    let key = SecretString::from(TOSS_AUTH_KEY);
    toss.fail("issue", PaymentFault::LoseAnswer);
    assert_eq!(why(methods::complete(&core, &caller, opened.id, Some(&key)).await).0, "UNAVAILABLE");
    let saved = methods::complete(&core, &caller, opened.id, Some(&key)).await.expect("a saved card");
    assert_eq!((saved.label.as_str(), saved.issuer.as_str()), ("4330-12**-****-123*", "현대"));
    assert!(saved.is_default && saved.provider == ProviderName::TossPayments);
    assert_eq!(methods::complete(&core, &caller, opened.id, Some(&key)).await.expect("the card"), saved);
    assert_eq!(toss.calls().len(), 3, "a reload asks nothing");
    let refused = methods::begin(&core, &caller, BillingCountry::Other).await;
    assert_eq!(why(refused).0, "BUYING_NOT_SET_UP");
}

#[actix::test]
async fn card_is_saved_by_the_form_and_its_faults_are_named() {
    let (core, toss, _, ann) = toss_shop().await;
    let caller = Caller::customer(ann);
    let opened = methods::begin(&core, &caller, BillingCountry::Korea).await.expect("a window");
    let wrong = CardForm {
        number: SecretString::from("1234"),
        password_digits: SecretString::from("x1"),
        identity_number: SecretString::from("1"),
        expiration_month: 13,
        expiration_year: 26,
        name: " ".into(),
        email: Some("nowhere".into()),
    };
    let Err(Error::InvalidFields { fields }) = methods::save_card(&core, &caller, opened.id, wrong).await else {
        panic!("faults")
    };
    let named: Vec<&str> = fields.iter().map(|fault| fault.field.as_str()).collect();
    let all = ["number", "passwordDigits", "identityNumber", "expirationMonth", "expirationYear", "name", "email"];
    assert_eq!(named, all);
    let expired = CardForm { expiration_year: 2025, expiration_month: 12, ..form() };
    assert!(matches!(
        methods::save_card(&core, &caller, opened.id, expired).await,
        Err(Error::InvalidFields { fields }) if fields[0].field == "expirationYear"
    ));
    for code in ["INVALID_CARD_NUMBER", "INVALID_CARD_EXPIRATION", "INVALID_CARD_PASSWORD", "INVALID_CARD_IDENTITY"] {
        toss.refuse("card", 400, code);
        let refused = methods::save_card(&core, &caller, opened.id, form()).await;
        assert_eq!(why(refused), ("CARD_REFUSED", json!({ "reason": code })));
    }
    toss.refuse("card", 401, "UNAUTHORIZED_KEY");
    assert_eq!(why(methods::save_card(&core, &caller, opened.id, form()).await).0, "UNAVAILABLE");
    let saved = methods::save_card(&core, &caller, opened.id, form()).await.expect("a saved card");
    assert_eq!((saved.label.as_str(), saved.is_default), ("5327-50**-****-999*", true));
    let off = core.another_with("off", |settings| settings.payments.toss_card_form = false);
    assert_eq!(why(methods::save_card(&off, &caller, opened.id, form()).await).0, "NOT_FOUND");
}

#[actix::test]
async fn pack_is_charged_to_the_saved_card_and_canceled_in_parts() {
    let (core, toss, item, ann) = toss_shop().await;
    let none = buy(&core, &Caller::customer(ann), &Purchase::of(item.id, BillingCountry::Korea)).await;
    assert_eq!(why(none).0, "NO_PAYMENT_METHOD");
    card_by_window(&core, ann).await;
    let order = bought_by_card(&core, ann, &item).await;
    assert_eq!(
        (order.status, order.provider, order.pay_at.clone()),
        (OrderStatus::Paid, ProviderName::TossPayments, None)
    );
    assert_eq!((available(&core, ann).await, toss.books()), (10_000, (9_900, 1)));
    refund(&core, &Caller::system(), order.id, (900, 1_000), "a part").await.expect("a refund");
    assert_eq!(toss.books(), (9_000, 1));
    let rest = refund(&core, &Caller::system(), order.id, (9_000, 9_000), "the rest").await.expect("a refund");
    assert_eq!((rest.order.status, toss.books()), (OrderStatus::Refunded, (0, 1)));
    is_clean(&core).await;
}

#[actix::test]
async fn declined_charges_fail_and_uncertain_ones_are_asked_about() {
    let (core, toss, item, ann) = toss_shop().await;
    card_by_window(&core, ann).await;
    for (status, code) in [
        (400, "INVALID_STOPPED_CARD"),
        (400, "INVALID_CARD_LOST_OR_STOLEN"),
        (400, "NOT_SUPPORTED_CARD_TYPE"),
        (403, "REJECT_CARD_COMPANY"),
        (403, "REJECT_CARD_PAYMENT"),
        (403, "EXCEED_MAX_AMOUNT"),
        (400, "EXCEED_MAX_DAILY_PAYMENT_COUNT"),
        (400, "BELOW_MINIMUM_AMOUNT"),
        (403, "FDS_ERROR"),
        (400, "INVALID_BILL_KEY_REQUEST"),
        (403, "NOT_MATCHES_CUSTOMER_KEY"),
    ] {
        toss.refuse("charge", status, code);
        let order = bought_by_card(&core, ann, &item).await;
        assert_eq!((order.status, order.failure), (OrderStatus::Failed, Some(OrderFailure::Declined)), "{code}");
        // That one is a fault of ours, about which the buyer can do nothing.
        let said = Some(code).filter(|code| *code != "NOT_MATCHES_CUSTOMER_KEY");
        assert_eq!(order.decline.map(DeclineReason::name), said);
    }
    assert_eq!(toss.books(), (0, 0));
    let uncertain = [
        (409, "IDEMPOTENT_REQUEST_PROCESSING"),
        (400, "PROVIDER_ERROR"),
        (500, "FAILED_INTERNAL_SYSTEM_PROCESSING"),
        (401, "UNAUTHORIZED_KEY"),
        (502, ""),
    ];
    for (status, code) in uncertain {
        toss.refuse("charge", status, code);
        let order = bought_by_card(&core, ann, &item).await;
        assert!(order.is_settling && order.status == OrderStatus::Ready, "{code}: {order:?}");
    }
    core.clock.advance(TimeDelta::seconds(10));
    assert_eq!(follow_due(&core).await.expect("a round"), 5);
    assert_eq!((available(&core, ann).await, toss.books()), (50_000, (49_500, 5)));
    is_clean(&core).await;
}

#[actix::test]
async fn lost_answers_of_toss_lead_to_one_charge_and_one_refund() {
    let (core, toss, item, ann) = toss_shop().await;
    card_by_window(&core, ann).await;
    toss.fail("charge", PaymentFault::LoseAnswer);
    let order = bought_by_card(&core, ann, &item).await;
    assert!(order.is_settling, "{order:?}");
    // Toss is asked and does not answer either; then the charge is repeated while its first answer is away.
    toss.refuse("find", 503, "");
    core.clock.advance(TimeDelta::seconds(10));
    follow_due(&core).await.expect("a round");
    toss.refuse("find", 404, "NOT_FOUND_PAYMENT");
    core.clock.advance(TimeDelta::minutes(1));
    follow_due(&core).await.expect("a round");
    assert_eq!(completed(&core, &order).await.status, OrderStatus::Paid);
    assert_eq!((available(&core, ann).await, toss.books()), (10_000, (9_900, 1)));

    toss.fail("cancel", PaymentFault::LoseAnswer);
    refund_own(&core, &Caller::customer(ann), order.id).await.expect("a refund");
    toss.refuse("cancel", 400, "ALREADY_CANCELED_PAYMENT");
    core.clock.advance(TimeDelta::seconds(30));
    follow_due(&core).await.expect("a round");
    assert_eq!((completed(&core, &order).await.status, toss.books()), (OrderStatus::Refunded, (0, 1)));

    let duplicate = bought_by_card(&core, ann, &item).await;
    assert_eq!(duplicate.status, OrderStatus::Paid);
    toss.refuse("cancel", 403, "NOT_CANCELABLE_AMOUNT");
    let kept = refund_own(&core, &Caller::customer(ann), duplicate.id).await.expect("the order");
    assert_eq!((kept.status, available(&core, ann).await), (OrderStatus::Paid, 10_000), "the credits return");
    is_clean(&core).await;
}

#[actix::test]
async fn used_order_number_is_read_and_another_amount_is_never_taken() {
    let (core, toss, item, ann) = toss_shop().await;
    card_by_window(&core, ann).await;
    for fault in [PaymentFault::WrongAmount, PaymentFault::WrongCurrency] {
        toss.fail("charge", fault.clone());
        let order = bought_by_card(&core, ann, &item).await;
        assert!(order.is_settling, "{fault:?}");
        toss.fail("find", fault.clone());
        core.clock.advance(TimeDelta::minutes(1));
        follow_due(&core).await.expect("a round");
        assert_eq!(
            (completed_without_asking(&core, &order).await, available(&core, ann).await),
            (true, 0),
            "{fault:?}"
        );
        sqlx::query("UPDATE payments SET ask_at = NULL").execute(&core.db).await.expect("an end of it");
    }
    toss.fail("charge", PaymentFault::LoseAnswer);
    let order = bought_by_card(&core, ann, &item).await;
    toss.refuse("find", 404, "NOT_FOUND_PAYMENT");
    toss.refuse("charge", 400, "DUPLICATED_ORDER_ID");
    core.clock.advance(TimeDelta::minutes(1));
    follow_due(&core).await.expect("a round");
    assert_eq!((find_own(&core, &Caller::customer(ann), order.id).await.expect("the order").status), OrderStatus::Paid);
    is_clean(&core).await;
}

#[actix::test]
async fn payment_that_is_canceled_at_toss_becomes_a_refund_that_takes_credits_back() {
    let (core, toss, item, ann) = toss_shop().await;
    card_by_window(&core, ann).await;
    let order = bought_by_card(&core, ann, &item).await;
    let payment: Uuid = sqlx::query_scalar("SELECT id FROM payments").fetch_one(&core.db).await.expect("a payment");
    let told = async |status: &str| {
        let body = json!({ "eventType": "PAYMENT_STATUS_CHANGED", "data": { "orderId": payment, "status": status } });
        take_toss_notice(&core, &RequestOrigin::default(), &body.to_string()).await.expect("a notice");
        follow_due(&core).await.expect("a round");
        find_any(&core, &Caller::system(), order.id).await.expect("the order")
    };
    // The word of a forged notice changes nothing.
    let kept = told("CANCELED").await;
    assert_eq!((kept.order.status, kept.refunds.len()), (OrderStatus::Paid, 0));

    toss.cancel_at_toss(900);
    let part = told("PARTIAL_CANCELED").await;
    assert_eq!((part.order.status, part.order.refunded_amount), (OrderStatus::Paid, 900));
    assert_eq!(part.refunds.first().map(|refund| refund.reason.as_str()), Some("refunded at TossPayments"));
    toss.cancel_at_toss(9_000);
    for _ in 0..2 {
        let whole = told("CANCELED").await;
        assert_eq!((whole.order.status, whole.order.refunded_amount), (OrderStatus::Refunded, 9_900));
        assert_eq!(whole.refunds.len(), 2, "a repeated notice changes nothing");
    }
    assert_eq!((available(&core, ann).await, toss.books()), (0, (0, 1)));
    is_clean(&core).await;
}

/// Whether an order still waits for its provider.
async fn completed_without_asking(core: &Core, order: &Order) -> bool {
    find_own(core, &Caller::customer(order.user), order.id).await.expect("the order").is_settling
}

#[actix::test]
async fn removed_card_is_charged_no_more_and_one_with_another_key_stays_unread() {
    let (core, toss, item, ann) = toss_shop().await;
    let first = card_by_window(&core, ann).await;
    toss.refuse("charge", 500, "");
    let order = bought_by_card(&core, ann, &item).await;
    assert!(order.is_settling);
    let other = core.another_with("other", |settings| {
        settings.payments.key = Some(SecretString::from("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="));
    });
    core.clock.advance(TimeDelta::seconds(10));
    assert_eq!(follow_due(&other).await.expect("a round"), 1);
    assert_eq!(toss.books(), (0, 0));
    methods::forget(&core, ann).await.expect("a deleted account");
    core.clock.advance(TimeDelta::minutes(1));
    follow_due(&core).await.expect("a round");
    let order = find_own(&core, &Caller::customer(ann), order.id).await.expect("the order");
    assert_eq!((order.status, order.failure), (OrderStatus::Failed, Some(OrderFailure::Declined)));
    assert_eq!((toss.books(), first.is_default), ((0, 0), true));
    is_clean(&core).await;
}

#[actix::test]
async fn notice_of_toss_is_only_a_hint() {
    let (core, toss, item, ann) = toss_shop().await;
    card_by_window(&core, ann).await;
    toss.fail("charge", PaymentFault::LoseAnswer);
    let order = bought_by_card(&core, ann, &item).await;
    let payment: Uuid = sqlx::query_scalar("SELECT id FROM payments").fetch_one(&core.db).await.expect("a payment");
    for body in [
        json!({ "eventType": "PAYMENT_STATUS_CHANGED", "data": { "orderId": payment, "status": "DONE" } }),
        json!({ "eventType": "PAYMENT_STATUS_CHANGED", "data": { "orderId": "unknown", "status": "DONE" } }),
        json!({ "orderId": payment }),
        json!([1]),
    ] {
        take_toss_notice(&core, &RequestOrigin::default(), &body.to_string()).await.expect("a notice");
        follow_due(&core).await.expect("a round");
    }
    assert_eq!(find_own(&core, &Caller::customer(ann), order.id).await.expect("the order").status, OrderStatus::Paid);
    assert_eq!((available(&core, ann).await, toss.books()), (10_000, (9_900, 1)));
    let closed = core.another_with("closed", |settings| settings.payments.toss_client_key = None);
    assert_eq!(why(take_toss_notice(&closed, &RequestOrigin::default(), "{}").await).0, "NOT_FOUND");
    is_clean(&core).await;
}
