mod traces;
mod uploads;

use super::*;
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

#[actix::test]
async fn webhooks_of_a_deleted_account_end_before_its_data() {
    let core = TestCore::new().await;
    let ann = factory::user().insert(&core.db).await;
    let (name, url) = ("A hook".to_owned(), "https://example.com/".to_owned());
    let new = webhooks::NewConfig { name, url, kinds: vec!["job.canceled".to_owned()] };
    webhooks::create(&core, &Caller::customer(ann), None, new).await.expect("a webhook");
    users::delete(&core, &Caller::customer(ann), &DeletionProof::Name("Ann".to_owned())).await.expect("a deletion");
    // The rest cannot be deleted for now.
    sqlx::query("ALTER TABLE workflow_drafts RENAME TO drafts_elsewhere").execute(&core.db).await.expect("a fault");
    assert!(delete_data(&core).await.is_err());
    assert_eq!(core.database.count("SELECT count(*) FROM webhook_configs").await, 0, "it is called again and again");
}
