//! Revenue, with a real database and the test provider.

use chrono::TimeDelta;

use super::*;
use crate::billing::items::{self, NewShopItem, Prices, Product};
use crate::billing::methods::factory::saved_card;
use crate::billing::money::BillingCountry;
use crate::billing::orders::tests::{answered, bought, completed, is_clean, shop};
use crate::billing::orders::{Order, refund};
use crate::billing::providers::{TestAnswer, TestCardAnswer};
use crate::billing::subscriptions::subscribe;
use crate::billing::{ShopItem, orders};
use crate::ids::UserId;
use crate::periods::Grouping;
use crate::testing::TestCore;
use crate::users::factory::user;
use crate::{Error, ledger};

async fn paid(core: &Core, account: UserId, item: &ShopItem) -> Order {
    let order = bought(core, account, item).await;
    answered(core, &order, TestAnswer::Approve).await;
    completed(core, &order).await
}

fn periods(first: NaiveDate, last: NaiveDate, by: Grouping) -> Periods {
    Periods::new(first, last, by).expect("periods")
}

fn row(start: NaiveDate, kind: ProductKind, [orders, paid, refunded]: [i64; 3]) -> RevenueRow {
    RevenueRow { start, provider: ProviderName::Test, currency: Currency::Krw, kind, orders, paid, refunded }
}

#[actix::test]
async fn payments_and_refunds_count_in_the_period_in_which_they_happened() {
    let (core, item, ann) = shop().await;
    let admin = Caller::system();
    let first = core.clock.now().date_naive();
    let second = first.succ_opt().expect("a day");
    let order = paid(&core, ann, &item).await;
    bought(&core, ann, &item).await;
    core.clock.advance(TimeDelta::days(1));
    paid(&core, ann, &item).await;
    refund(&core, &admin, order.id, (4_950, 0), "a complaint").await.expect("a refund");

    let days = of_periods(&core, &admin, &periods(first, second, Grouping::Day)).await.expect("revenue");
    assert_eq!(days.starts, [first, second]);
    let expected =
        [row(first, ProductKind::Credit, [1, 9_900, 0]), row(second, ProductKind::Credit, [1, 9_900, 4_950])];
    assert_eq!(days.rows, expected, "an order that is not paid does not count");
    assert_eq!(days.rows.iter().map(RevenueRow::net).collect::<Vec<_>>(), [9_900, 4_950]);
    let month = of_periods(&core, &admin, &periods(first, second, Grouping::Month)).await.expect("revenue");
    assert_eq!(month.rows, [row(first, ProductKind::Credit, [2, 19_800, 4_950])]);
    let before = first.pred_opt().expect("a day");
    let nothing = of_periods(&core, &admin, &periods(before, before, Grouping::Day)).await.expect("revenue");
    assert_eq!((nothing.starts, nothing.rows), (vec![before], Vec::new()));
    let forbidden = of_periods(&core, &Caller::customer(ann), &periods(first, first, Grouping::Day)).await;
    assert!(matches!(forbidden, Err(Error::Forbidden)), "{forbidden:?}");
    is_clean(&core).await;
}

#[actix::test]
async fn plans_and_packs_are_summed_apart() {
    let (core, pack, ann) = shop().await;
    let admin = Caller::system();
    let plan = core.settings.plans.get(1).expect("a plan that is sold").name.clone();
    let prices = Prices { krw: Some(29_900), usd: None };
    let new = NewShopItem { name: plan.clone(), product: Product::Subscription(plan), prices, is_active: true };
    let item = items::create(&core, &admin, new).await.expect("an item");
    let bob = user().insert(&core.db).await;
    saved_card(&core, bob, BillingCountry::Korea, TestCardAnswer::Works).await;
    let caller = Caller::customer(bob);
    subscribe(&core, &caller, item.id, BillingCountry::Korea, 29_900).await.expect("a subscription");
    paid(&core, ann, &pack).await;
    let today = core.clock.now().date_naive();
    let revenue = of_periods(&core, &admin, &periods(today, today, Grouping::Day)).await.expect("revenue");
    let expected =
        [row(today, ProductKind::Credit, [1, 9_900, 0]), row(today, ProductKind::Subscription, [1, 29_900, 0])];
    assert_eq!(revenue.rows, expected);
    assert_eq!(ledger::available(&core, ann).await.expect("a balance"), 10_000);
    assert_eq!(orders::audit(&core.db).await.expect("an audit"), Vec::<String>::new());
}

/// Paid orders of this item, one an hour.
async fn many_orders(core: &TestCore, buyer: UserId, item: &ShopItem) {
    sqlx::query(
        "INSERT INTO orders (id, user_id, item_id, name, credits, amount, currency, provider, status, created_at, paid_at,
                             expires_at)
         SELECT gen_random_uuid(), $1, $2, 'Pack', 1, 100, 'KRW', 'Test', 'Paid', at, at, at + interval '90 days'
         FROM generate_series(1, 5000) n, LATERAL (SELECT $3 - n * interval '1 hour' AS at) earlier",
    )
    .bind(buyer.0)
    .bind(item.id.0)
    .bind(core.clock.now())
    .execute(&core.db)
    .await
    .expect("orders");
    sqlx::query("ANALYZE orders").execute(&core.db).await.expect("statistics");
}

#[actix::test]
async fn revenue_of_a_few_days_reads_an_index() {
    let (core, item, ann) = shop().await;
    many_orders(&core, ann, &item).await;
    let lines: Vec<String> = sqlx::query_scalar(
        "EXPLAIN SELECT sum(amount) FROM orders WHERE paid_at >= '2025-12-30 00:00Z' AND paid_at < '2026-01-01 00:00Z'",
    )
    .fetch_all(&core.db)
    .await
    .expect("a plan");
    let plan = lines.join("\n");
    assert!(plan.contains("orders_revenue_idx"), "all orders are read:\n{plan}");
    let last = core.clock.now().date_naive().pred_opt().expect("a day");
    let first = last.pred_opt().expect("a day");
    let revenue = of_periods(&core, &Caller::system(), &periods(first, last, Grouping::Day)).await.expect("revenue");
    assert_eq!(revenue.rows.iter().map(|row| row.orders).collect::<Vec<_>>(), [24, 24]);
}
