mod traces;
mod uploads;

use chrono::TimeDelta;

use super::*;
use crate::billing::{BillingCountry, NewShopItem, OrderStatus, Prices, Product, Purchase, TestAnswer};
use crate::testing::TestCore;
use crate::users::factory;
use crate::workflows::workflow;

#[actix::test]
async fn private_content_of_a_deleted_account_is_deleted_and_published_content_stays_without_a_name() {
    let core = TestCore::new().await;
    let (ann, bo) = (factory::user().insert(&core.db).await, factory::user().name("Bo").insert(&core.db).await);
    let [public, private] =
        [gallery::factory::output(ann, core.clock.now()), gallery::factory::output(ann, core.clock.now())];
    let others = gallery::factory::output(bo, core.clock.now());
    gallery::factory::insert(&core.db, &[public.clone(), private.clone(), others.clone()]).await;
    gallery::set_private(&core, &Caller::customer(ann), &[public.id], false).await.expect("a published picture");
    let shown = workflow(ann).published(core.clock.now()).insert(&core.db).await;
    let hidden = workflow(ann).insert(&core.db).await;

    delete_account(&core, &Caller::customer(ann), &DeletionProof::Name("Ann".to_owned())).await.expect("a deletion");
    assert_eq!(delete_data(&core).await.expect("a run"), 1);
    assert_eq!(delete_data(&core).await.expect("nothing left"), 0);

    let admin = Caller { admin: true, ..Caller::customer(bo) };
    let left = gallery::find_all(&core, &[public.id, private.id, others.id]).await.expect("pictures");
    let mut left: Vec<_> = left.into_iter().map(|picture| picture.id).collect();
    left.sort_unstable();
    assert_eq!(left, [public.id, others.id]);
    assert!(workflows::find(&core, &admin, hidden.id).await.is_err(), "a private workflow is gone");
    let shown = workflows::find(&core, &Caller::guest(), shown.id).await.expect("a published one stays");
    assert_eq!(users::find(&core, shown.user).await.expect("its author").name, "Deleted user");
}

#[actix::test]
async fn another_node_completes_an_interrupted_deletion() {
    let core = TestCore::new().await;
    let ann = factory::user().insert(&core.db).await;
    let hidden = workflow(ann).insert(&core.db).await;
    users::delete(&core, &Caller::customer(ann), &DeletionProof::Name("Ann".to_owned())).await.expect("a deletion");
    // The node is lost before it deletes the data.
    let other = core.another("other");
    assert_eq!(delete_data(&other).await.expect("a run"), 1);
    let admin = Caller { admin: true, ..Caller::customer(UserId::new()) };
    assert!(workflows::find(&other, &admin, hidden.id).await.is_err());
}

/// A run that cannot delete the data of the workflows.
async fn run_that_fails(core: &TestCore) {
    sqlx::query("ALTER TABLE workflow_drafts RENAME TO drafts_elsewhere").execute(&core.db).await.expect("a fault");
    assert!(delete_data(core).await.is_err());
}

#[actix::test]
async fn webhooks_of_a_deleted_account_end_before_its_data() {
    let core = TestCore::new().await;
    let ann = factory::user().insert(&core.db).await;
    let (name, url) = ("A hook".to_owned(), "https://example.com/".to_owned());
    let new = webhooks::NewConfig { name, url, kinds: vec!["job.canceled".to_owned()] };
    webhooks::create(&core, &Caller::customer(ann), None, new).await.expect("a webhook");
    users::delete(&core, &Caller::customer(ann), &DeletionProof::Name("Ann".to_owned())).await.expect("a deletion");
    run_that_fails(&core).await;
    assert_eq!(core.database.count("SELECT count(*) FROM webhook_configs").await, 0, "it is called again and again");
}

#[actix::test]
async fn open_order_of_a_deleted_account_is_canceled_and_never_charged() {
    let clock = crate::Clock::held(TestCore::start_of_time());
    let core = TestCore::with(clock, |settings| settings.payments.test_provider = true).await;
    let ann = factory::user().insert(&core.db).await;
    let (caller, admin) = (Caller::customer(ann), Caller::system());
    let new = NewShopItem {
        name: "Pack".into(),
        product: Product::Credit(100),
        prices: Prices { krw: Some(9_900), usd: None },
        is_active: true,
    };
    let item = billing::create_item(&core, &admin, new).await.expect("an item");
    let order = billing::buy(&core, &caller, &Purchase::of(item.id, BillingCountry::Korea)).await.expect("an order");
    let page = order.pay_at.as_deref().and_then(|page| page.rsplit('/').next()?.parse().ok()).expect("where to pay");
    // The buyer approves it and does not come back.
    billing::answer_test_payment(&core, page, TestAnswer::Approve).await.expect("an approval");
    delete_account(&core, &caller, &DeletionProof::Name("Ann".to_owned())).await.expect("a deletion");
    run_that_fails(&core).await;

    core.clock.advance(TimeDelta::minutes(5));
    billing::maintain_payments(&core).await.expect("a round");
    let found = billing::find_order_of_anyone(&core, &admin, order.id).await.expect("the order").order;
    assert_eq!(found.bought().map(|order| order.status), Some(OrderStatus::Canceled));
    assert_eq!(core.database.count("SELECT count(*) FROM test_payments WHERE state = 'Captured'").await, 0);
}
