//! Subscriptions that PayPal charges, on a real database, against a test server with a clock of its own.

mod refunds;

use chrono::{DateTime, TimeDelta, Utc};

use super::*;
use crate::billing::items::{self, NewShopItem, Prices, Product, ShopItem, ShopItemChange};
use crate::billing::money::BillingCountry;
use crate::billing::notices::take_paypal_notice;
use crate::billing::orders::tests::{available, is_clean, orders_of, why};
use crate::billing::orders::{self, Order, OrderStatus};
use crate::billing::providers::PayPalSignature;
use crate::billing::subscriptions::{
    EndReason, PaidWith, Subscription, SubscriptionDetails, SubscriptionStatus, calendar, cancel, change_plan,
    complete, current, end, quote_change, renew_due, resume, retry, subscribe,
};
use crate::ids::UserId;
use crate::testing::TestCore;
use crate::testing::payment_server::PaymentFault;
use crate::testing::paypal::TestPayPal;
use crate::users::RequestOrigin;
use crate::users::factory::user;
use crate::{Caller, Result, users};

const START: &str = "2027-01-31T10:00:00Z";
const BASIC: i64 = 990;
const PRO: i64 = 9_900;

/// A shop that sells two plans in dollars.
struct PayPalShop {
    core: TestCore,
    paypal: TestPayPal,
    basic: ShopItem,
    pro: ShopItem,
}

impl PayPalShop {
    async fn open() -> Self {
        let paypal = TestPayPal::start().await;
        let clock = crate::Clock::held(at(START));
        let core = TestCore::with(clock, |settings| paypal.configure(settings)).await;
        let [basic, pro] = [item(&core, "Basic", BASIC).await, item(&core, "Pro", PRO).await];
        paypal.pass_to(at(START));
        Self { core, paypal, basic, pro }
    }

    async fn person(&self) -> UserId {
        user().insert(&self.core.db).await
    }

    async fn try_subscribe(&self, who: UserId, item: &ShopItem) -> Result<SubscriptionDetails> {
        let price = item.prices.usd.expect("a price");
        subscribe(&self.core, &Caller::customer(who), item.id, BillingCountry::Other, price).await
    }

    /// A subscription that waits for the approval, and PayPal's id.
    async fn opened(&self, who: UserId, item: &ShopItem) -> String {
        let made = self.try_subscribe(who, item).await.expect("a subscription");
        let Subscription { status, paid_with, .. } = made.subscription;
        assert_eq!((status, paid_with), (SubscriptionStatus::Pending, PaidWith::PayPal));
        let page = made.pay_at.expect("where to approve");
        page.strip_prefix("https://paypal.example/approve/").expect("PayPal's page").to_owned()
    }

    /// A subscription whose first month is paid, and PayPal's id.
    async fn subscribed(&self, who: UserId, item: &ShopItem) -> String {
        let id = self.opened(who, item).await;
        self.paypal.approve_agreement(&id, self.core.clock.now());
        assert_eq!(self.completed(who).await.status, SubscriptionStatus::Active);
        id
    }

    /// The subscription after the buyer has come back.
    async fn completed(&self, who: UserId) -> Subscription {
        complete(&self.core, &Caller::customer(who)).await.expect("a subscription").subscription
    }

    async fn details(&self, who: UserId) -> SubscriptionDetails {
        current(&self.core, &Caller::customer(who)).await.expect("an answer").expect("a subscription")
    }

    async fn current(&self, who: UserId) -> Subscription {
        self.details(who).await.subscription
    }

    async fn plan(&self, who: UserId) -> String {
        users::plan(&self.core, who).await.expect("a plan").name.clone()
    }

    fn credits(&self, plan: &str) -> i64 {
        self.core.settings.plan(plan).expect("a plan").monthly_credits
    }

    async fn orders(&self, who: UserId) -> Vec<Order> {
        orders_of(&self.core, who).await
    }

    /// Moves both clocks, and lets the upkeep tasks run.
    async fn pass_to(&self, at: DateTime<Utc>) {
        self.core.clock.advance(at - self.core.clock.now());
        self.paypal.pass_to(at);
        self.settle().await;
    }

    async fn pass(&self, time: TimeDelta) {
        self.pass_to(self.core.clock.now() + time).await;
    }

    async fn settle(&self) {
        renew_due(&self.core).await.expect("renewals");
        follow_due(&self.core).await.expect("agreements");
        orders::follow_due(&self.core).await.expect("refunds");
    }

    fn calls(&self, operation: &str) -> usize {
        self.paypal.calls().iter().filter(|call| *call == operation).count()
    }
}

async fn item(core: &TestCore, plan: &str, price: i64) -> ShopItem {
    let (product, prices) = (Product::Subscription(plan.into()), Prices { krw: None, usd: Some(price) });
    let new = NewShopItem { name: plan.into(), product, prices, is_active: true };
    items::create(core, &Caller::system(), new).await.expect("an item")
}

fn at(text: &str) -> DateTime<Utc> {
    text.parse().expect("a time")
}

/// The signature of a notice.
fn signed(body: &str) -> PayPalSignature {
    PayPalSignature {
        auth_algo: "SHA256withRSA".into(),
        cert_url: "https://api.paypal.com/cert".into(),
        transmission_id: "t-1".into(),
        transmission_sig: TestPayPal::sign(body),
        transmission_time: "2026-01-01T00:00:00Z".into(),
    }
}

#[actix::test]
async fn approved_subscription_is_charged_by_paypal_each_month_until_it_is_canceled() {
    let shop = PayPalShop::open().await;
    let ann = shop.person().await;
    let id = shop.opened(ann, &shop.basic).await;
    assert_eq!(shop.completed(ann).await.status, SubscriptionStatus::Pending, "it is not approved");
    assert_eq!(why(shop.try_subscribe(ann, &shop.basic).await).0, "SUBSCRIPTION_EXISTS");
    shop.paypal.approve_agreement(&id, shop.core.clock.now());
    let first = shop.completed(ann).await;
    assert_eq!((first.status, first.period, first.until), (SubscriptionStatus::Active, 1, at("2027-02-28T10:00:00Z")));
    assert_eq!((shop.plan(ann).await, available(&shop.core, ann).await), ("Basic".to_owned(), shop.credits("Basic")));
    let orders = shop.orders(ann).await;
    assert_eq!((orders.len(), orders[0].status, orders[0].provider.name()), (1, OrderStatus::Paid, "PayPal"));
    assert_eq!(shop.details(ann).await.pay_at, None);
    let month = calendar(&shop.core, &Caller::system(), "2027-02-01".parse().expect("a day")).await.expect("a month");
    assert_eq!(month[27].planned.first().map(|sum| (sum.count, sum.amount)), Some((1, BASIC)));

    shop.pass_to(at("2027-02-28T10:06:00Z")).await;
    let second = shop.current(ann).await;
    assert_eq!((second.period, second.from, second.until), (2, first.until, at("2027-03-31T10:00:00Z")));
    assert_eq!(available(&shop.core, ann).await, shop.credits("Basic"), "the old month's credits have expired");
    let caller = Caller::customer(ann);
    for refused in [
        why(quote_change(&shop.core, &caller, shop.pro.id).await),
        why(change_plan(&shop.core, &caller, shop.pro.id, 0).await),
        why(retry(&shop.core, &caller).await),
    ] {
        assert_eq!(refused.0, "SUBSCRIPTION_AT_PAYPAL");
    }
    let canceled = cancel(&shop.core, &caller).await.expect("a cancellation").subscription;
    assert_eq!((canceled.status, canceled.is_canceled), (SubscriptionStatus::Active, true));
    assert_eq!(why(resume(&shop.core, &caller).await).0, "SUBSCRIPTION_AT_PAYPAL");
    shop.settle().await;
    assert_eq!(shop.paypal.agreement_status(&id), "CANCELLED", "PayPal is told at once");
    shop.pass_to(at("2027-03-31T10:06:00Z")).await;
    let ended = shop.current(ann).await;
    assert_eq!((ended.status, ended.end_reason), (SubscriptionStatus::Ended, Some(EndReason::Canceled)));
    assert_eq!((shop.plan(ann).await, shop.paypal.sales()), ("Free".to_owned(), (2, 2 * BASIC)));
    shop.pass(TimeDelta::days(1)).await;
    let asked = shop.calls("agreement");
    shop.pass(TimeDelta::days(40)).await;
    assert_eq!(shop.calls("agreement"), asked, "what is over is not asked for");
    is_clean(&shop.core).await;
}

#[actix::test]
async fn lost_answers_and_refusals_of_paypal_lead_to_one_plan_one_agreement_and_one_order() {
    let shop = PayPalShop::open().await;
    let (ann, bob) = (shop.person().await, shop.person().await);
    for operation in ["product", "plan", "subscribe", "agreement", "sales", "cancel"] {
        shop.paypal.fail(operation, PaymentFault::LoseAnswer);
    }
    let id = shop.opened(ann, &shop.basic).await;
    shop.paypal.approve_agreement(&id, shop.core.clock.now());
    for _ in 0..2 {
        assert_eq!(shop.completed(ann).await.status, SubscriptionStatus::Pending);
    }
    assert_eq!(shop.completed(ann).await.status, SubscriptionStatus::Active);
    shop.subscribed(bob, &shop.basic).await;
    assert_eq!((shop.calls("product"), shop.calls("plan")), (2, 2), "a plan is made once");
    cancel(&shop.core, &Caller::customer(ann)).await.expect("a cancellation");
    shop.settle().await;
    shop.pass(TimeDelta::minutes(1)).await;
    shop.pass(TimeDelta::minutes(1)).await;
    assert_eq!((shop.paypal.agreement_status(&id), shop.calls("cancel")), ("CANCELLED", 1));
    assert_eq!(shop.paypal.sales(), (2, 2 * BASIC));
    is_clean(&shop.core).await;
}

#[actix::test]
async fn price_has_a_plan_of_its_own_and_a_forgotten_plan_is_made_again() {
    let shop = PayPalShop::open().await;
    let (ann, bob, cid) = (shop.person().await, shop.person().await, shop.person().await);
    shop.subscribed(ann, &shop.basic).await;
    let prices = Prices { krw: None, usd: Some(1_290) };
    let change = ShopItemChange { prices: Some(prices), ..ShopItemChange::default() };
    let dearer = items::change(&shop.core, &Caller::system(), shop.basic.id, change).await.expect("a new price");
    shop.subscribed(bob, &dearer).await;
    shop.paypal.forget_plans();
    assert_eq!(why(shop.try_subscribe(cid, &dearer).await).0, "UNAVAILABLE");
    assert_eq!(shop.current(cid).await.end_reason, Some(EndReason::NotApproved));
    shop.subscribed(cid, &dearer).await;
    assert_eq!(shop.calls("plan"), 3);
    shop.pass_to(at("2027-02-28T10:06:00Z")).await;
    let (old, new) = (shop.current(ann).await, shop.current(bob).await);
    assert_eq!((old.period, old.price.amount), (2, BASIC), "an old subscriber keeps the price");
    assert_eq!((new.period, new.price.amount), (2, 1_290));
    is_clean(&shop.core).await;
}

#[actix::test]
async fn agreement_that_is_not_approved_ends_and_can_be_given_up() {
    let shop = PayPalShop::open().await;
    let (ann, bob) = (shop.person().await, shop.person().await);
    shop.opened(ann, &shop.basic).await;
    let id = shop.opened(bob, &shop.basic).await;
    cancel(&shop.core, &Caller::customer(bob)).await.expect("a cancellation");
    assert_eq!(shop.current(bob).await.end_reason, Some(EndReason::Canceled));
    shop.pass(TimeDelta::hours(2)).await;
    assert_eq!(shop.current(ann).await.status, SubscriptionStatus::Pending);
    // The buyer approves what was given up.
    shop.paypal.approve_agreement(&id, shop.core.clock.now());
    shop.pass(TimeDelta::hours(2)).await;
    assert_eq!(shop.current(ann).await.end_reason, Some(EndReason::NotApproved));
    shop.pass(TimeDelta::hours(1)).await;
    assert_eq!(shop.paypal.agreement_status(&id), "CANCELLED");
    assert_eq!(shop.paypal.sales(), (1, 0), "the payment is given back");
    let orders = shop.orders(bob).await;
    assert_eq!((orders.len(), orders[0].status, orders[0].credits), (1, OrderStatus::Refunded, 0));
    assert_eq!((shop.plan(bob).await, available(&shop.core, bob).await), ("Free".to_owned(), 0));
    is_clean(&shop.core).await;
}

#[actix::test]
async fn month_that_paypal_charges_after_the_cancellation_is_given_back() {
    let shop = PayPalShop::open().await;
    let ann = shop.person().await;
    let id = shop.subscribed(ann, &shop.basic).await;
    cancel(&shop.core, &Caller::customer(ann)).await.expect("a cancellation");
    shop.paypal.refuse("cancel", 503, "", "");
    shop.settle().await;
    assert_eq!(shop.paypal.agreement_status(&id), "ACTIVE");
    // A day before the end of the paid month, because PayPal's clock differs.
    let early = at("2027-02-27T10:00:00Z");
    shop.core.clock.advance(early - shop.core.clock.now());
    shop.paypal.pass_to(at("2027-02-28T10:00:00Z"));
    shop.settle().await;
    shop.settle().await;
    let kept = shop.current(ann).await;
    assert_eq!((kept.status, kept.until), (SubscriptionStatus::Active, at("2027-02-28T10:00:00Z")));
    assert_eq!((shop.paypal.sales(), shop.paypal.agreement_status(&id)), ((2, BASIC), "CANCELLED"));
    assert_eq!((shop.plan(ann).await, available(&shop.core, ann).await), ("Basic".to_owned(), shop.credits("Basic")));
    shop.pass_to(at("2027-02-28T10:06:00Z")).await;
    assert_eq!(shop.current(ann).await.end_reason, Some(EndReason::Canceled));
    is_clean(&shop.core).await;
}

#[actix::test]
async fn refund_closed_account_operator_and_paypals_site_stop_the_charges() {
    let shop = PayPalShop::open().await;
    let mut people = Vec::new();
    for _ in 0..4 {
        let who = shop.person().await;
        people.push((who, shop.subscribed(who, &shop.basic).await));
    }
    let [refunded, closed, ended, left] = &people[..] else { panic!("four people") };
    let admin = Caller::system();
    let order = shop.orders(refunded.0).await[0].clone();
    orders::refund(&shop.core, &admin, order.id, (BASIC, order.credits), "a test").await.expect("a refund");
    assert_eq!(shop.current(refunded.0).await.end_reason, Some(EndReason::Refunded));
    stop_of(&shop.core, closed.0).await.expect("a closed account");
    let subscription = shop.current(ended.0).await.id;
    end(&shop.core, &admin, subscription, "a test").await.expect("an end");
    shop.paypal.set_agreement_status(&left.1, "CANCELLED");
    for _ in 0..2 {
        shop.pass(TimeDelta::hours(25)).await;
    }
    for (_, id) in &people {
        assert_eq!(shop.paypal.agreement_status(id), "CANCELLED");
    }
    for who in [closed.0, left.0] {
        let kept = shop.current(who).await;
        assert_eq!((kept.status, kept.is_canceled), (SubscriptionStatus::Active, true), "the paid month stays");
    }
    shop.pass_to(at("2027-03-02T10:00:00Z")).await;
    assert_eq!(shop.paypal.sales(), (4, 3 * BASIC));
    for (who, _) in &people {
        assert_eq!(shop.current(*who).await.status, SubscriptionStatus::Ended);
    }
    is_clean(&shop.core).await;
}

#[actix::test]
async fn account_that_is_banned_is_charged_no_more() {
    let shop = PayPalShop::open().await;
    let ann = shop.person().await;
    let id = shop.subscribed(ann, &shop.basic).await;
    sqlx::query("UPDATE users SET disabled_at = now()").execute(&shop.core.db).await.expect("a ban");
    for _ in 0..2 {
        shop.pass(TimeDelta::hours(25)).await;
    }
    assert_eq!(shop.paypal.agreement_status(&id), "CANCELLED");
    shop.pass_to(at("2027-03-02T10:00:00Z")).await;
    assert_eq!(shop.paypal.sales(), (1, BASIC));
}

#[actix::test]
async fn notices_in_any_number_lead_to_one_order_and_forged_ones_change_nothing() {
    let shop = PayPalShop::open().await;
    let ann = shop.person().await;
    let id = shop.opened(ann, &shop.basic).await;
    shop.settle().await;
    shop.paypal.approve_agreement(&id, shop.core.clock.now());
    let activated = format!(r#"{{"event_type":"BILLING.SUBSCRIPTION.ACTIVATED","resource":{{"id":"{id}"}}}}"#);
    let paid =
        format!(r#"{{"event_type":"PAYMENT.SALE.COMPLETED","resource":{{"id":"S","billing_agreement_id":"{id}"}}}}"#);
    let origin = RequestOrigin::default();
    let forged = take_paypal_notice(&shop.core, &origin, &signed("another one"), &activated).await;
    assert_eq!(why(forged).0, "FORBIDDEN");
    shop.settle().await;
    assert_eq!(shop.current(ann).await.status, SubscriptionStatus::Pending);
    for body in [&paid, &activated, &paid, &activated] {
        take_paypal_notice(&shop.core, &origin, &signed(body), body).await.expect("a notice");
        shop.settle().await;
    }
    assert_eq!(shop.current(ann).await.period, 1);
    assert_eq!((shop.orders(ann).await.len(), available(&shop.core, ann).await), (1, shop.credits("Basic")));
    let verified = shop.calls("verify");
    let unknown = r#"{"event_type":"BILLING.SUBSCRIPTION.CANCELLED","resource":{"id":"I-UNKNOWN"}}"#;
    take_paypal_notice(&shop.core, &origin, &signed(unknown), unknown).await.expect("a notice");
    assert_eq!(shop.calls("verify"), verified, "an agreement of another shop is not worth a question");
    is_clean(&shop.core).await;
}

#[actix::test]
async fn two_nodes_at_once_book_a_sale_once() {
    let shop = PayPalShop::open().await;
    let ann = shop.person().await;
    let id = shop.opened(ann, &shop.basic).await;
    shop.paypal.approve_agreement(&id, shop.core.clock.now());
    let other = shop.core.another("other");
    let caller = Caller::customer(ann);
    let (here, there) = tokio::join!(complete(&shop.core, &caller), complete(&other, &caller));
    assert!(here.is_ok() && there.is_ok(), "{here:?} {there:?}");
    assert_eq!((shop.current(ann).await.period, shop.orders(ann).await.len()), (1, 1));
    is_clean(&shop.core).await;
}

/// Months that PayPal charges while it has its own clock: month ends, a leap day, charges that fail, a cancellation.
#[actix::test]
async fn two_years_at_paypal_give_each_charged_month_once_with_exact_credits() {
    let shop = PayPalShop::open().await;
    let [steady, leaving] = [shop.person().await, shop.person().await];
    let [failing, rescued] = [shop.person().await, shop.person().await];
    for (who, item) in [(steady, &shop.basic), (leaving, &shop.pro)] {
        shop.subscribed(who, item).await;
    }
    let failing_id = shop.subscribed(failing, &shop.basic).await;
    let rescued_id = shop.subscribed(rescued, &shop.basic).await;
    let (begin, credits) = (at(START), shop.credits("Basic"));
    for day in 1..=730 {
        match day {
            20 => {
                shop.paypal.set_declined(&failing_id, true);
                shop.paypal.set_declined(&rescued_id, true);
            }
            // The first month ends on day 28; PayPal tries again each day.
            30 => shop.paypal.set_declined(&rescued_id, false),
            100 => drop(cancel(&shop.core, &Caller::customer(leaving)).await.expect("a cancellation")),
            _ => {}
        }
        shop.pass_to(begin + TimeDelta::days(day) + TimeDelta::minutes(6)).await;
        assert_eq!(available(&shop.core, steady).await, credits, "day {day}");
        assert_eq!(shop.plan(steady).await, "Basic", "day {day}");
        let of_rescued = if (28..30).contains(&day) { 0 } else { credits };
        assert_eq!(available(&shop.core, rescued).await, of_rescued, "day {day}");
        assert_eq!(shop.plan(rescued).await, "Basic", "day {day}");
        let plan_of_failing = if day < 35 { "Basic" } else { "Free" };
        assert_eq!(shop.plan(failing).await, plan_of_failing, "day {day}");
        let plan_of_leaving = if day < 120 { "Pro" } else { "Free" };
        assert_eq!(shop.plan(leaving).await, plan_of_leaving, "day {day}");
        if day % 100 == 0 {
            is_clean(&shop.core).await;
        }
    }
    for who in [steady, rescued] {
        let one = shop.current(who).await;
        let month = (at("2028-12-31T10:00:00Z"), at("2029-01-31T10:00:00Z"));
        assert_eq!((one.period, (one.from, one.until), one.tries), (24, month, 0));
    }
    assert_eq!(shop.paypal.agreement_status(&failing_id), "CANCELLED");
    assert_eq!(shop.paypal.sales(), (24 + 24 + 4 + 1, (24 + 24 + 1) * BASIC + 4 * PRO));
    is_clean(&shop.core).await;
}
