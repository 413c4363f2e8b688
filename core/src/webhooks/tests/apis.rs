//! Webhooks of workflow APIs: the batches that they get, and their end after their API.

use super::*;
use crate::ids::{BatchId, WorkflowApiId};
use crate::workflows;

/// A workflow API of this user, and a webhook of it for this event.
async fn api_with_webhook(core: &TestCore, who: &Caller, url: &str, kind: EventKind) -> WorkflowApiId {
    let user = who.user.expect("an account");
    let workflow = workflows::workflow(user).insert(&core.db).await;
    let api = WorkflowApiId::new();
    sqlx::query(
        "INSERT INTO workflow_apis (id, workflow_id, user_id, current_version_id, created_at, updated_at)
         VALUES ($1, $2, $3, $1, now(), now())",
    )
    .bind(api.0)
    .bind(workflow.id.0)
    .bind(user.0)
    .execute(&core.db)
    .await
    .expect("a workflow api");
    let new = NewConfig { name: "A hook".to_owned(), url: url.to_owned(), kinds: vec![kind.name().to_owned()] };
    create(core, who, Some(api), new).await.expect("a webhook");
    api
}

#[actix::test]
async fn webhooks_of_deleted_apis_are_deleted_with_their_last_events() {
    let core = TestCore::new().await;
    let ann = person(&core).await;
    let mut apis = Vec::new();
    for _ in 0..4 {
        apis.push(api_with_webhook(&core, &ann, "https://example.com/", EventKind::WorkflowApiDeleted).await);
    }
    hook(&core, &ann, "https://example.com/", &[EventKind::JobDone]).await;
    for (api, sql) in apis.iter().zip([
        "UPDATE workflow_apis SET deleted_at = $2::timestamptz - interval '31 days' WHERE id = $1",
        "UPDATE workflows SET deleted_at = $2::timestamptz - interval '31 days'
         WHERE id = (SELECT workflow_id FROM workflow_apis WHERE id = $1)",
        "UPDATE workflow_apis SET deleted_at = $2::timestamptz - interval '29 days' WHERE id = $1",
    ]) {
        sqlx::query(sql).bind(api.0).bind(core.clock.now()).execute(&core.db).await.expect("a deleted workflow api");
    }
    assert_eq!(forget_of_deleted_apis(&core).await.expect("a round"), 2);
    let left: Vec<Option<uuid::Uuid>> = sqlx::query_scalar("SELECT workflow_api_id FROM webhook_configs ORDER BY id")
        .fetch_all(&core.db)
        .await
        .expect("the rest");
    assert_eq!(left, [Some(apis[2].0), Some(apis[3].0), None], "a webhook that may still have events is gone");
    assert_eq!(forget_of_deleted_apis(&core).await.expect("a round"), 0);
}

#[actix::test]
async fn batch_that_ran_one_api_reaches_the_webhooks_of_this_api_and_of_the_account() {
    let core = stage(&[1]).await;
    let ann = person(&core).await;
    let (of_api, of_account) = (Receiver::well().await, Receiver::well().await);
    let api = api_with_webhook(&core, &ann, &of_api.url, EventKind::BatchFinished).await;
    hook(&core, &ann, &of_account.url, &[EventKind::BatchFinished]).await;
    let (own, other, mixed) = (BatchId::new(), BatchId::new(), BatchId::new());
    let finished = |batch, workflow_api| NewEvent {
        kind: EventKind::BatchFinished,
        user: ann.user.expect("ann"),
        about: EventSubject { batch: Some(batch), workflow_api, ..EventSubject::default() },
        data: "{}".to_owned(),
        at: chrono::Utc::now(),
    };
    happen(&core, &[finished(mixed, None), finished(other, Some(WorkflowApiId::new())), finished(own, Some(api))])
        .await;
    assert_eq!(of_account.until(3).await.len(), 3);
    let got = of_api.until(1).await;
    let data = &got[0].json()["data"];
    assert_eq!((&data["batch"], &data["workflowApi"]), (&json!(own), &json!(api)));
    until("everything was taken", async || {
        core.database.count("SELECT count(*) FROM webhook_deliveries WHERE state = 1").await == 4
    })
    .await;
}
