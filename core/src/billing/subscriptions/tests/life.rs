//! What can happen to one subscription.

use futures_util::future::join_all;

use super::*;
use crate::billing::orders::OrderStatus;
use crate::ids::JobId;
use crate::ledger::{LedgerPost, Movement};
use crate::list::ListQuery;

const START: &str = "2027-01-10T09:00:00Z";

#[actix::test]
async fn subscription_charges_once_gives_plan_and_credits_and_renews() {
    let shop = Shop::open(at(START)).await;
    let ann = shop.person(TestCardAnswer::Works).await;
    let made = shop.subscribed(ann, "Basic").await;
    assert_eq!((made.subscription.period, made.subscription.until), (1, at("2027-02-10T09:00:00Z")));
    assert_eq!(made.order.expect("an order").status, OrderStatus::Paid);
    assert!(made.method.is_some_and(|method| method.is_default));
    assert_eq!((shop.plan(ann).await, shop.available(ann).await), ("Basic".to_owned(), shop.credits("Basic")));
    let owner = users::find(&shop.core, ann).await.expect("a user");
    assert!(users::plan_with_allowance(&shop.core, &owner).expect("a plan").is_none(), "the payment gives the credits");

    shop.pass(TimeDelta::days(30)).await;
    assert_eq!(shop.taken(ann).await, shop.price("Basic"), "not before its day");
    shop.pass(TimeDelta::days(1)).await;
    assert_eq!(shop.taken(ann).await, 2 * shop.price("Basic"));
    assert_eq!(shop.available(ann).await, shop.credits("Basic"), "the old month's credits have expired");
    assert_eq!(shop.current(ann).await.until, at("2027-03-10T09:00:00Z"));
    shop.is_clean().await;
}

#[actix::test]
async fn subscribing_needs_a_card_the_shown_price_and_a_larger_plan() {
    let shop = Shop::open(at(START)).await;
    let ann = user().insert(&shop.core.db).await;
    assert_eq!(code(shop.try_subscribe(ann, "Basic").await), "NO_PAYMENT_METHOD");
    shop.card(ann, TestCardAnswer::Works).await;
    let (caller, item) = (Caller::customer(ann), shop.item("Basic").id);
    let shown_before = subscribe(&shop.core, &caller, item, BillingCountry::Korea, 1).await;
    assert_eq!(code(shown_before), "PRICE_CHANGED");
    users::give_plan(&shop.core, &Caller::system(), ann, "Standard", None).await.expect("a plan");
    assert_eq!(code(shop.try_subscribe(ann, "Standard").await), "PLAN_NOT_BETTER");
    assert_eq!(code(quote_change(&shop.core, &caller, item).await), "NOT_FOUND");
    shop.subscribed(ann, "Pro").await;
    assert_eq!(code(shop.try_subscribe(ann, "Pro").await), "SUBSCRIPTION_EXISTS");
    shop.is_clean().await;
}

#[actix::test]
async fn five_subscribes_at_once_charge_once() {
    let shop = Shop::open(at(START)).await;
    let ann = shop.person(TestCardAnswer::Works).await;
    let made = join_all((0..5).map(|_| shop.try_subscribe(ann, "Basic"))).await;
    assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 1);
    assert_eq!((shop.taken(ann).await, shop.available(ann).await), (shop.price("Basic"), shop.credits("Basic")));
    join_all((0..5).map(|_| shop.pass(TimeDelta::days(7)))).await;
    join_all((0..5).map(|_| shop.settle())).await;
    assert_eq!(shop.taken(ann).await, 2 * shop.price("Basic"), "as many nodes renew it at once");
    shop.is_clean().await;
}

#[actix::test]
async fn declined_first_charge_gives_nothing_and_another_card_can_try() {
    let shop = Shop::open(at(START)).await;
    let ann = shop.person(TestCardAnswer::Declines).await;
    let made = shop.try_subscribe(ann, "Basic").await.expect("an ended subscription");
    assert_eq!(made.subscription.end_reason, Some(EndReason::Declined));
    assert_eq!((shop.plan(ann).await, shop.available(ann).await), ("Free".to_owned(), 0));
    shop.card(ann, TestCardAnswer::Works).await;
    shop.subscribed(ann, "Basic").await;
    shop.is_clean().await;
}

#[actix::test]
async fn lost_answer_settles_without_a_second_charge() {
    let shop = Shop::open(at(START)).await;
    let ann = shop.person(TestCardAnswer::Hangs).await;
    let made = shop.try_subscribe(ann, "Basic").await.expect("a subscription");
    assert_eq!(made.subscription.status, SubscriptionStatus::Pending);
    assert!(made.order.expect("an order").is_settling);
    assert_eq!(code(shop.try_subscribe(ann, "Basic").await), "SUBSCRIPTION_EXISTS");
    assert_eq!(code(cancel(&shop.core, &Caller::customer(ann)).await), "SUBSCRIPTION_NOT_CHANGEABLE");
    shop.pass(TimeDelta::seconds(30)).await;
    assert_eq!(shop.current(ann).await.status, SubscriptionStatus::Active);
    assert_eq!((shop.taken(ann).await, shop.available(ann).await), (shop.price("Basic"), shop.credits("Basic")));
    shop.is_clean().await;
}

#[actix::test]
async fn card_that_fails_is_tried_three_times_and_told_then_the_plan_ends() {
    let shop = Shop::open(at(START)).await;
    let ann = shop.person(TestCardAnswer::DeclinesLater).await;
    shop.subscribed(ann, "Basic").await;
    shop.pass_to(at("2027-02-10T09:00:00Z")).await;
    let failed = shop.current(ann).await;
    assert_eq!(
        (failed.status, failed.tries, failed.due_at),
        (SubscriptionStatus::PastDue, 1, Some(at("2027-02-13T09:00:00Z")))
    );
    assert_eq!((shop.plan(ann).await, shop.available(ann).await), ("Basic".to_owned(), 0), "the plan without credits");
    shop.pass_to(at("2027-02-13T09:00:00Z")).await;
    assert_eq!(shop.current(ann).await.tries, 2);
    shop.pass_to(at("2027-02-17T09:00:00Z")).await;
    assert_eq!(shop.current(ann).await.end_reason, Some(EndReason::PaymentFailed));
    assert_eq!(shop.plan(ann).await, "Free");
    assert_eq!(shop.taken(ann).await, shop.price("Basic"));
    let told = shop.core.database.count("SELECT count(*) FROM notifications").await;
    assert_eq!(told, 3, "each failure is told");
    shop.pass(TimeDelta::days(60)).await;
    assert_eq!(shop.taken(ann).await, shop.price("Basic"), "it is over");
    shop.is_clean().await;
}

#[actix::test]
async fn failed_payment_can_be_made_with_another_card_at_once() {
    let shop = Shop::open(at(START)).await;
    let ann = shop.person(TestCardAnswer::DeclinesLater).await;
    shop.subscribed(ann, "Basic").await;
    assert_eq!(code(retry(&shop.core, &Caller::customer(ann)).await), "SUBSCRIPTION_NOT_CHANGEABLE");
    shop.pass_to(at("2027-02-10T09:00:00Z")).await;
    shop.card(ann, TestCardAnswer::Works).await;
    let paid = retry(&shop.core, &Caller::customer(ann)).await.expect("a payment").subscription;
    assert_eq!((paid.status, paid.period, paid.tries), (SubscriptionStatus::Active, 2, 0));
    assert_eq!((paid.from, paid.until), (at("2027-02-10T09:00:00Z"), at("2027-03-10T09:00:00Z")));
    assert_eq!(shop.available(ann).await, shop.credits("Basic"));
    shop.is_clean().await;
}

#[actix::test]
async fn larger_plan_begins_at_once_for_the_difference_and_a_smaller_one_with_the_next_month() {
    let shop = Shop::open(at(START)).await;
    let ann = shop.person(TestCardAnswer::Works).await;
    shop.subscribed(ann, "Basic").await;
    shop.pass(TimeDelta::days(10)).await;
    let change = shop.change(ann, "Pro").await;
    let (price, credits) = (shop.price("Pro") - shop.price("Basic"), shop.credits("Pro") - shop.credits("Basic"));
    assert_eq!((change.price.amount, change.credits), (price * 21 / 31, credits * 21 / 31));
    assert_eq!(shop.plan(ann).await, "Pro");
    assert_eq!(shop.available(ann).await, shop.credits("Basic") + change.credits);
    assert_eq!(order_of(&shop.core, ann).await.expires_at, Some(at("2027-02-10T09:00:00Z")));

    let down = shop.change(ann, "Standard").await;
    assert_eq!((down.when, down.price.amount), (ChangeTime::AtPeriodEnd, 0));
    assert_eq!(shop.plan(ann).await, "Pro");
    shop.pass_to(at("2027-02-10T09:00:00Z")).await;
    assert_eq!((shop.plan(ann).await, shop.available(ann).await), ("Standard".to_owned(), shop.credits("Standard")));
    let taken = shop.price("Basic") + change.price.amount + shop.price("Standard");
    assert_eq!(shop.taken(ann).await, taken);
    shop.is_clean().await;
}

#[actix::test]
async fn smaller_plan_and_then_a_larger_one_in_a_day_go_on_with_the_larger_one() {
    let shop = Shop::open(at(START)).await;
    let ann = shop.person(TestCardAnswer::Works).await;
    let caller = Caller::customer(ann);
    shop.subscribed(ann, "Standard").await;
    shop.change(ann, "Basic").await;
    cancel(&shop.core, &caller).await.expect("a cancellation");
    resume(&shop.core, &caller).await.expect("no cancellation");
    assert_eq!(shop.current(ann).await.next.map(|next| next.plan).as_deref(), Some("Basic"), "as before");
    let up = shop.change(ann, "Pro").await;
    assert_eq!((up.when, up.next_amount), (ChangeTime::Now, shop.price("Pro")));
    assert_eq!((shop.plan(ann).await, shop.current(ann).await.next), ("Pro".to_owned(), None));
    shop.pass_to(at("2027-02-10T09:00:00Z")).await;
    assert_eq!((shop.plan(ann).await, shop.available(ann).await), ("Pro".to_owned(), shop.credits("Pro")));
    assert_eq!(shop.taken(ann).await, 2 * shop.price("Pro"), "a month at the price of Standard and the difference");
    shop.is_clean().await;
}

#[actix::test]
async fn declined_difference_keeps_the_plan() {
    let shop = Shop::open(at(START)).await;
    let ann = shop.person(TestCardAnswer::DeclinesLater).await;
    shop.subscribed(ann, "Basic").await;
    shop.change(ann, "Pro").await;
    assert_eq!(
        (shop.plan(ann).await, order_of(&shop.core, ann).await.status),
        ("Basic".to_owned(), OrderStatus::Failed)
    );
    let kept = shop.current(ann).await;
    assert_eq!((kept.status, kept.tries, kept.open_order), (SubscriptionStatus::Active, 0, None));
    shop.is_clean().await;
}

#[actix::test]
async fn canceled_plan_stays_until_its_end_and_can_be_resumed_before() {
    let shop = Shop::open(at(START)).await;
    let ann = shop.person(TestCardAnswer::Works).await;
    let caller = Caller::customer(ann);
    shop.subscribed(ann, "Basic").await;
    cancel(&shop.core, &caller).await.expect("a cancellation");
    assert_eq!(code(quote_change(&shop.core, &caller, shop.item("Pro").id).await), "SUBSCRIPTION_NOT_CHANGEABLE");
    assert!(!resume(&shop.core, &caller).await.expect("a subscription").subscription.is_canceled);
    cancel(&shop.core, &caller).await.expect("a cancellation");
    shop.pass(TimeDelta::days(30)).await;
    assert_eq!(shop.plan(ann).await, "Basic");
    shop.pass(TimeDelta::days(1)).await;
    assert_eq!(
        (shop.plan(ann).await, shop.current(ann).await.end_reason),
        ("Free".to_owned(), Some(EndReason::Canceled))
    );
    assert_eq!(shop.taken(ann).await, shop.price("Basic"));
    assert_eq!(code(resume(&shop.core, &caller).await), "NOT_FOUND");
    shop.subscribed(ann, "Basic").await;
    shop.is_clean().await;
}

#[actix::test]
async fn refund_of_the_running_month_ends_the_plan_and_takes_its_credits() {
    let shop = Shop::open(at(START)).await;
    let ann = shop.person(TestCardAnswer::Works).await;
    let caller = Caller::customer(ann);
    let order = shop.subscribed(ann, "Basic").await.order.expect("an order");
    orders::refund_own(&shop.core, &caller, order.id).await.expect("a refund");
    assert_eq!((shop.plan(ann).await, shop.available(ann).await, shop.taken(ann).await), ("Free".to_owned(), 0, 0));
    assert_eq!(shop.current(ann).await.end_reason, Some(EndReason::Refunded));
    shop.subscribed(ann, "Standard").await;
    let job = JobId::new();
    for movement in [Movement::Hold { job, want: 5, at_least: 5, day_ceiling: None }, Movement::Settle { job, used: 5 }]
    {
        shop.core.ledger.post(LedgerPost { account: ann, movement, attached: None }).await.expect("credits");
    }
    let used = order_of(&shop.core, ann).await;
    assert_eq!(code(orders::refund_own(&shop.core, &caller, used.id).await), "ORDER_NOT_REFUNDABLE");
    shop.is_clean().await;
}

#[actix::test]
async fn admins_see_the_calendar_and_end_a_subscription() {
    let shop = Shop::open(at(START)).await;
    let (ann, bob) = (shop.person(TestCardAnswer::Works).await, shop.person(TestCardAnswer::Works).await);
    let made = shop.subscribed(ann, "Basic").await.subscription;
    shop.subscribed(bob, "Pro").await;
    let admin = Caller::system();
    let month = |day: &str| day.parse().expect("a day");
    let days = calendar(&shop.core, &admin, month("2027-01-01")).await.expect("a calendar");
    assert_eq!(
        (days.len(), days[9].paid[0].count, days[9].paid[0].amount),
        (31, 2, shop.price("Basic") + shop.price("Pro"))
    );
    let days = calendar(&shop.core, &admin, month("2027-02-01")).await.expect("a calendar");
    assert_eq!((days.len(), days[9].planned[0].count, days[9].failed), (28, 2, 0));
    let query = |day| SubscriptionFilter { day, ..SubscriptionFilter::default() };
    let due =
        list(&shop.core, &admin, ListQuery::at(query(Some(month("2027-02-10"))), None, 10)).await.expect("a page");
    assert_eq!(due.items.len(), 2);
    // Later months have a charge of each subscription that goes on.
    let days = calendar(&shop.core, &admin, month("2027-03-01")).await.expect("a calendar");
    let planned: i64 = days.iter().flat_map(|day| &day.planned).map(|sum| sum.count).sum();
    assert_eq!(
        (planned, days[9].planned[0].count, days[9].planned[0].amount),
        (2, 2, shop.price("Basic") + shop.price("Pro"))
    );
    for (day, count) in [("2027-01-10", 2), ("2027-01-11", 0), ("2027-03-10", 2), ("2027-03-11", 0)] {
        let page = list(&shop.core, &admin, ListQuery::at(query(Some(month(day))), None, 10)).await.expect("a page");
        assert_eq!(page.items.len(), count, "{day}");
    }
    assert_eq!(code(end(&shop.core, &Caller::customer(bob), made.id, "test").await), "FORBIDDEN");
    end(&shop.core, &admin, made.id, "asked by telephone").await.expect("an end");
    let days = calendar(&shop.core, &admin, month("2027-03-01")).await.expect("a calendar");
    assert_eq!(days[9].planned[0].count, 1, "a subscription that ended is not charged");
    assert_eq!((shop.plan(ann).await, shop.plan(bob).await), ("Free".to_owned(), "Pro".to_owned()));
    assert_eq!(code(end(&shop.core, &admin, made.id, "again").await), "NOT_FOUND");
    shop.is_clean().await;
}

#[actix::test]
async fn plan_that_was_given_holds_beside_a_smaller_subscription() {
    let shop = Shop::open(at(START)).await;
    let ann = shop.person(TestCardAnswer::Works).await;
    shop.subscribed(ann, "Basic").await;
    let until = at("2027-01-20T00:00:00Z");
    users::give_plan(&shop.core, &Caller::system(), ann, "Pro", Some(until)).await.expect("a plan");
    assert_eq!(shop.plan(ann).await, "Pro");
    let owner = users::find(&shop.core, ann).await.expect("a user");
    let (plans, now) = (&shop.core.settings.plans, shop.core.clock.now());
    assert!(owner.given_plan_in_effect_at(plans, now).is_some());
    assert_eq!(
        (owner.plan_at(plans, until), owner.own_plan.as_str()),
        ("Basic", "Free"),
        "the next plan is the paid one"
    );
    shop.pass_to(until).await;
    assert_eq!(shop.plan(ann).await, "Basic");
    shop.is_clean().await;
}

#[actix::test]
async fn lost_node_between_the_order_and_its_payment_charges_once() {
    let shop = Shop::open(at(START)).await;
    let ann = shop.person(TestCardAnswer::Works).await;
    shop.subscribed(ann, "Basic").await;
    // The node dies before it has asked the provider for anything.
    shop.core.clock.advance(TimeDelta::days(31));
    let lost = "WITH made AS (
               INSERT INTO orders (id, user_id, item_id, name, credits, amount, currency, provider, status, created_at, plan,
                                   plan_amount, subscription_id, period, period_from, period_until)
               SELECT gen_random_uuid(), user_id, item_id, plan, 72000, amount, currency, 'Test', 'Ready', period_until, plan,
                      amount, id, 2, period_until, period_until + interval '28 days'
               FROM subscriptions RETURNING id, subscription_id, created_at),
             paying AS (
               INSERT INTO payments (id, order_id, state, created_at, ask_at, method_id)
               SELECT gen_random_uuid(), made.id, 'Opening', made.created_at, made.created_at, m.id
               FROM made, payment_methods m)
             UPDATE subscriptions SET open_order = made.id, due_at = NULL FROM made";
    sqlx::query(lost).execute(&shop.core.db).await.expect("an order without a payment");
    shop.settle().await;
    shop.pass(TimeDelta::minutes(10)).await;
    shop.pass(TimeDelta::hours(2)).await;
    let renewed = shop.current(ann).await;
    assert_eq!(
        (renewed.status, renewed.period, renewed.open_order),
        (SubscriptionStatus::Active, 2, None),
        "{renewed:?}"
    );
    assert_eq!(shop.taken(ann).await, 2 * shop.price("Basic"));
    shop.is_clean().await;
}
