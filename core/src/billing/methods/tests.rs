//! Payment methods on a real database, at the test provider.

use chrono::TimeDelta;
use futures_util::future::join_all;

use super::factory::saved_card;
use super::*;
use crate::billing::providers::{CardWindow, TestCardAnswer, TestCardState, answer_test_card, find_test_card};
use crate::testing::TestCore;
use crate::users::factory::user;

const KOREA: BillingCountry = BillingCountry::Korea;

async fn shop() -> (TestCore, UserId) {
    let clock = crate::Clock::held(TestCore::start_of_time());
    let core = TestCore::with(clock, |settings| settings.payments.test_provider = true).await;
    let ann = user().insert(&core.db).await;
    (core, ann)
}

fn code(refused: Result<impl Sized>) -> &'static str {
    refused.err().expect("a refusal").code().name()
}

async fn works(core: &Core, account: UserId, country: BillingCountry) -> PaymentMethod {
    saved_card(core, account, country, TestCardAnswer::Works).await
}

#[actix::test]
async fn card_is_saved_once_and_the_first_one_is_the_default() {
    let (core, ann) = shop().await;
    let caller = Caller::customer(ann);
    let opened = begin(&core, &caller, KOREA).await.expect("a window");
    assert_eq!(code(complete(&core, &caller, opened.id, None).await), "PAYMENT_METHOD_NOT_READY");
    assert_eq!(list(&core, &caller).await.expect("methods"), []);
    let CardWindow::Page(page) = opened.window else { panic!("a page") };
    let id = page.strip_prefix("/test-card/").and_then(|id| id.parse().ok()).expect("an id");
    assert_eq!(find_test_card(&core, id).await.expect("a card").state(), TestCardState::Created);
    let answered = answer_test_card(&core, id, TestCardAnswer::Works).await.expect("a card");
    assert_eq!(answered.return_url, format!("/account?tab=payment&method={}", opened.id));
    assert_eq!(answered.cancel_url, format!("/account?tab=payment&method={}&failed=1", opened.id));
    assert_eq!(code(answer_test_card(&core, id, TestCardAnswer::Declines).await), "TEST_PAYMENT_ANSWERED");

    let other = core.another("other");
    let nodes = [&core.core, &other];
    let saved = join_all((0..6).map(|at| complete(nodes[at % 2], &caller, opened.id, None))).await;
    let first = saved.into_iter().map(|saved| saved.expect("a card")).next().expect("one");
    assert_eq!((first.label.as_str(), first.issuer.as_str(), first.is_default), ("4330-12**-****-1234", "Test", true));
    let second = works(&core, ann, KOREA).await;
    assert!(!second.is_default && second.currency == Currency::Krw);
    assert_eq!(list(&core, &caller).await.expect("methods"), [first, second]);
}

#[actix::test]
async fn cards_that_are_saved_at_once_have_one_default() {
    let (core, ann) = shop().await;
    let saved = join_all((0..5).map(|_| works(&core, ann, KOREA))).await;
    assert_eq!(list(&core, &Caller::customer(ann)).await.expect("methods").len(), 5);
    let caller = Caller::customer(ann);
    let defaults = join_all(saved.iter().map(|one| make_default(&core, &caller, one.id))).await;
    assert!(defaults.iter().all(Result::is_ok), "{defaults:?}");
    let defaults = core.database.count("SELECT count(*) FROM payment_methods WHERE is_default").await;
    assert_eq!(defaults, 1);
}

#[actix::test]
async fn default_card_is_charged_first_and_cannot_be_removed() {
    let (core, ann) = shop().await;
    let caller = Caller::customer(ann);
    assert_eq!(usable(&core, ann, Currency::Krw).await.expect("an answer"), None);
    let first = works(&core, ann, KOREA).await;
    let second = works(&core, ann, KOREA).await;
    let third = works(&core, ann, KOREA).await;
    assert_eq!(code(begin(&core, &caller, BillingCountry::Other).await), "BUYING_NOT_SET_UP");
    let charged = async |currency| usable(&core, ann, currency).await.expect("an answer").map(|one| one.id);
    assert_eq!(charged(Currency::Krw).await, Some(first.id));
    assert_eq!(charged(Currency::Usd).await, None, "plans in dollars have no cards");
    assert_eq!(code(remove(&core, &caller, first.id).await), "DEFAULT_PAYMENT_METHOD");
    assert!(make_default(&core, &caller, third.id).await.expect("the default").is_default);
    assert_eq!(charged(Currency::Krw).await, Some(third.id));
    remove(&core, &caller, second.id).await.expect("a removal");
    assert_eq!(code(remove(&core, &caller, second.id).await), "NOT_FOUND");
    assert_eq!(code(make_default(&core, &caller, second.id).await), "NOT_FOUND");
    assert_eq!(code(complete(&core, &caller, second.id, None).await), "NOT_FOUND");
}

#[actix::test]
async fn cards_of_others_are_unknown() {
    let (core, ann) = shop().await;
    let first = works(&core, ann, KOREA).await;
    let bob = Caller::customer(user().insert(&core.db).await);
    assert_eq!(code(complete(&core, &bob, first.id, None).await), "NOT_FOUND");
    assert_eq!(code(make_default(&core, &bob, first.id).await), "NOT_FOUND");
    assert_eq!(code(remove(&core, &bob, first.id).await), "NOT_FOUND");
    assert_eq!(code(begin(&core, &Caller::guest(), KOREA).await), "AUTH_LOGIN_REQUIRED");
    let closed = core.another_with("closed", |settings| settings.payments.test_provider = false);
    assert_eq!(code(begin(&closed, &Caller::customer(ann), KOREA).await), "BUYING_NOT_SET_UP");
}

#[actix::test]
async fn unfinished_cards_are_given_up_after_a_day_and_saved_ones_stay() {
    let (core, ann) = shop().await;
    let caller = Caller::customer(ann);
    let saved = works(&core, ann, KOREA).await;
    let opened = begin(&core, &caller, KOREA).await.expect("a window");
    core.clock.advance(TimeDelta::days(1));
    assert_eq!(expire(&core).await.expect("a round"), 0);
    core.clock.advance(TimeDelta::seconds(1));
    assert_eq!(expire(&core).await.expect("a round"), 1);
    assert_eq!(code(complete(&core, &caller, opened.id, None).await), "NOT_FOUND");
    assert_eq!(list(&core, &caller).await.expect("methods"), [saved]);
}

#[actix::test]
async fn deleted_account_has_no_cards() {
    let (core, ann) = shop().await;
    works(&core, ann, KOREA).await;
    begin(&core, &Caller::customer(ann), KOREA).await.expect("a window");
    sqlx::query("UPDATE payment_methods SET secret = 'sealed' WHERE state = 'Usable'")
        .execute(&core.db)
        .await
        .expect("a secret");
    forget(&core, ann).await.expect("a deletion");
    let left = "SELECT count(*) FROM payment_methods WHERE state <> 'Removed' OR secret IS NOT NULL OR label <> ''";
    assert_eq!(core.database.count(left).await, 0);
    assert_eq!(core.database.count("SELECT count(*) FROM payment_methods").await, 2);
}
