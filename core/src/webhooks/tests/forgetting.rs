//! What is deleted with a webhook and with time.

use super::*;
use crate::ids::min_id;

/// A webhook with one delivery and one attempt, made at this time.
async fn tried_webhook(core: &TestCore, who: &Caller, at: chrono::DateTime<chrono::Utc>) -> WebhookConfigId {
    let (config, _) = hook(core, who, "https://example.com/", &[EventKind::JobDone]).await;
    let id = min_id(at);
    let delivery =
        "INSERT INTO webhook_deliveries (id, config_id, event_id, kind, position, body, created_at, next_at, state)
                    VALUES ($1, $2, $1, 2, 1, '{}', $3, $3, 1)";
    let attempt = "INSERT INTO webhook_attempts (id, delivery_id, config_id, number, attempt_at, is_success, said)
                   VALUES ($1, $1, $2, 1, $3, true, 'private')";
    for sql in [delivery, attempt] {
        sqlx::query(sql).bind(id).bind(config.0).bind(at).execute(&core.db).await.expect("a row");
    }
    config
}

async fn rows(core: &TestCore) -> (i64, i64) {
    let deliveries = core.database.count("SELECT count(*) FROM webhook_deliveries").await;
    (deliveries, core.database.count("SELECT count(*) FROM webhook_attempts").await)
}

#[actix::test]
async fn deliveries_and_attempts_are_deleted_with_their_webhook() {
    let core = TestCore::new().await;
    let (ann, bob) = (person(&core).await, person(&core).await);
    let now = core.clock.now();
    let mut webhooks = Vec::new();
    for minutes in 1..=3 {
        webhooks.push(tried_webhook(&core, &ann, now - TimeDelta::minutes(minutes)).await);
    }
    tried_webhook(&core, &bob, now).await;
    assert_eq!(rows(&core).await, (4, 4));
    delete(&core, &ann, webhooks[0]).await.expect("deleted");
    assert_eq!(rows(&core).await, (3, 3));
    forget(&core, ann.user.expect("ann")).await.expect("forgotten");
    assert_eq!(rows(&core).await, (1, 1), "another person's are left");
}

#[actix::test]
async fn old_deliveries_and_attempts_are_deleted() {
    let core = TestCore::new().await;
    let ann = person(&core).await;
    let now = core.clock.now();
    for days in [events::KEPT_DAYS + 1, events::KEPT_DAYS - 1] {
        tried_webhook(&core, &ann, now - TimeDelta::days(days)).await;
    }
    // Of a program that deleted the delivery alone.
    sqlx::query("DELETE FROM webhook_deliveries WHERE created_at < $1")
        .bind(now - TimeDelta::days(events::KEPT_DAYS))
        .execute(&core.db)
        .await
        .expect("a deletion");
    assert_eq!(rows(&core).await, (1, 2));
    assert_eq!(forget_old(&core).await.expect("a round"), 1);
    assert_eq!(rows(&core).await, (1, 1));
    assert_eq!(forget_old(&core).await.expect("a round"), 0);
}

#[actix::test]
async fn attempts_that_were_written_after_their_webhook_was_deleted_are_deleted() {
    let core = TestCore::new().await;
    let ann = person(&core).await;
    let now = core.clock.now();
    let mut webhooks = Vec::new();
    for minutes in 0..4 {
        webhooks.push(tried_webhook(&core, &ann, now - TimeDelta::minutes(minutes)).await);
    }
    // The same rows are left by a program from before migration 0128, and by an attempt that ends during the deletion.
    for gone in [webhooks[1], webhooks[3]] {
        sqlx::query("DELETE FROM webhook_configs WHERE id = $1").bind(gone.0).execute(&core.db).await.expect("deleted");
    }
    assert_eq!(rows(&core).await, (2, 4));
    for gone in [2, 0] {
        assert_eq!(forget_of_deleted_apis(&core).await.expect("a round"), gone);
        assert_eq!(rows(&core).await, (2, 2), "attempts of webhooks that exist are kept");
    }
}
