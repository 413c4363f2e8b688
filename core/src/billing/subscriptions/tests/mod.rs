//! Subscriptions on a real database, with cards of the test provider.

mod life;
mod two_years;

use chrono::{DateTime, TimeDelta, Utc};

use super::*;
use crate::billing::items::{self, NewShopItem, Prices, Product, ShopItem};
use crate::billing::methods::{self, factory::saved_card};
use crate::billing::money::BillingCountry;
use crate::billing::orders;
use crate::billing::providers::TestCardAnswer;
use crate::ids::{PaymentMethodId, UserId};
use crate::ledger::{self, reconcile};
use crate::testing::TestCore;
use crate::users::factory::user;
use crate::{Caller, Core, Result, users};

/// A shop with all plans that are sold, at a time of its own.
struct Shop {
    core: TestCore,
    items: Vec<ShopItem>,
}

/// The price of a month by the place of the plan: Free is not sold.
const PRICES: [i64; 5] = [0, 9_900, 29_900, 54_900, 149_000];

impl Shop {
    async fn open(now: DateTime<Utc>) -> Self {
        let core = TestCore::with(crate::Clock::held(now), |settings| settings.payments.test_provider = true).await;
        let mut items = Vec::new();
        for (plan, price) in core.settings.plans.iter().zip(PRICES).skip(1) {
            let product = Product::Subscription(plan.name.clone());
            let prices = Prices { krw: Some(price), usd: Some(price / 10) };
            let new = NewShopItem { name: plan.name.clone(), product, prices, is_active: true };
            items.push(items::create(&core, &Caller::system(), new).await.expect("an item"));
        }
        Self { core, items }
    }

    async fn person(&self, card: TestCardAnswer) -> UserId {
        let id = user().insert(&self.core.db).await;
        self.card(id, card).await;
        id
    }

    /// Saves a test card, and makes it the default.
    async fn card(&self, of: UserId, answer: TestCardAnswer) -> PaymentMethodId {
        let method = saved_card(&self.core, of, BillingCountry::Korea, answer).await;
        methods::make_default(&self.core, &Caller::customer(of), method.id).await.expect("a default").id
    }

    fn item(&self, plan: &str) -> &ShopItem {
        self.items.iter().find(|item| item.name == plan).expect("a sold plan")
    }

    fn price(&self, plan: &str) -> i64 {
        self.item(plan).prices.krw.expect("a price")
    }

    fn credits(&self, plan: &str) -> i64 {
        self.core.settings.plan(plan).expect("a plan").monthly_credits
    }

    async fn try_subscribe(&self, who: UserId, plan: &str) -> Result<SubscriptionDetails> {
        let (item, price) = (self.item(plan).id, self.price(plan));
        subscribe(&self.core, &Caller::customer(who), item, BillingCountry::Korea, price).await
    }

    async fn subscribed(&self, who: UserId, plan: &str) -> SubscriptionDetails {
        let made = self.try_subscribe(who, plan).await.expect("a subscription");
        assert_eq!(made.subscription.status, SubscriptionStatus::Active, "{made:?}");
        made
    }

    /// Changes the plan for what it costs, and returns that.
    async fn change(&self, who: UserId, plan: &str) -> PlanChange {
        let (caller, item) = (Caller::customer(who), self.item(plan).id);
        let change = quote_change(&self.core, &caller, item).await.expect("a quote");
        change_plan(&self.core, &caller, item, change.price.amount).await.expect("a change");
        change
    }

    async fn current(&self, who: UserId) -> Subscription {
        let found = current(&self.core, &Caller::customer(who)).await.expect("an answer");
        found.expect("a subscription").subscription
    }

    async fn plan(&self, who: UserId) -> String {
        users::plan(&self.core, who).await.expect("a plan").name.clone()
    }

    async fn available(&self, who: UserId) -> i64 {
        ledger::available(&self.core, who).await.expect("a balance")
    }

    /// Moves the clock, and lets the upkeep tasks run.
    async fn pass(&self, time: TimeDelta) {
        self.core.clock.advance(time);
        self.settle().await;
    }

    async fn settle(&self) {
        renew_due(&self.core).await.expect("renewals");
        orders::follow_due(&self.core).await.expect("payments");
    }

    /// Moves the clock to a time, and lets the upkeep tasks run.
    async fn pass_to(&self, at: DateTime<Utc>) {
        self.pass(at - self.core.clock.now()).await;
    }

    /// What the provider has taken from a user, less what it gave back.
    async fn taken(&self, who: UserId) -> i64 {
        let sql = "SELECT (coalesce(sum(t.amount), 0) - coalesce(sum((SELECT sum(r.amount) FROM test_refunds r
                       WHERE r.payment_id = t.id)), 0))::bigint
             FROM test_payments t JOIN payments p ON p.id = t.key JOIN orders o ON o.id = p.order_id
             WHERE t.state = 'Captured' AND o.user_id = $1";
        let taken = sqlx::query_scalar(sql).bind(who.0).fetch_one(&self.core.db).await;
        taken.expect("the books of the provider")
    }

    async fn is_clean(&self) {
        let report = reconcile(&self.core.db).await.expect("an audit");
        assert!(report.is_clean(), "{:#?}", report.differences);
        assert_eq!(orders::audit(&self.core.db).await.expect("an audit"), Vec::<String>::new());
    }
}

fn at(text: &str) -> DateTime<Utc> {
    text.parse().expect("a time")
}

fn code(refused: Result<impl Sized>) -> &'static str {
    refused.err().expect("a refusal").code().name()
}

async fn order_of(core: &Core, who: UserId) -> orders::Order {
    let found = current(core, &Caller::customer(who)).await.expect("an answer");
    found.and_then(|found| found.order).expect("an order")
}
