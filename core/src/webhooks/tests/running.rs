//! Running endpoints: what makes them look for due deliveries, and what ends them.

use super::*;
use crate::webhooks::sending::fan_out;

/// Short of the 15 seconds that an attempt without an answer lasts.
const BEFORE_THE_END: Duration = Duration::from_secs(10);

/// A webhook whose receiver never answers the first message, which it has got.
async fn busy() -> (TestCore, Caller, Receiver, WebhookConfigId) {
    let core = stage(&[1]).await;
    let ann = person(&core).await;
    let receiver = Receiver::start(|number, _| (number > 0).then(|| "200 OK\r\n".to_owned())).await;
    let (id, _) = hook(&core, &ann, &receiver.url, &[EventKind::JobDone]).await;
    happen(&core, &[event(ann.user.expect("an account"), JobId::new(), EventKind::JobDone)]).await;
    receiver.until(1).await;
    (core, ann, receiver, id)
}

#[actix::test]
async fn test_is_sent_beside_an_attempt_that_hangs() {
    let (core, ann, receiver, id) = busy().await;
    let began = tokio::time::Instant::now();
    test(&core, &ann, id).await.expect("a test");
    assert_eq!(receiver.until(2).await[1].json()["type"], "test");
    assert!(began.elapsed() < BEFORE_THE_END, "it waited for the attempt that hangs");
}

#[actix::test]
async fn delivery_that_another_node_queued_is_sent_beside_an_attempt_that_hangs() {
    let (core, _, receiver, id) = busy().await;
    let began = tokio::time::Instant::now();
    queue(&core, id).await;
    receiver.until(2).await;
    assert!(began.elapsed() < BEFORE_THE_END, "it waited for the attempt that hangs");
}

#[actix::test]
async fn only_webhooks_that_want_an_event_look_for_deliveries() {
    let core = TestCore::new().await;
    events::start(&core.core);
    let (ann, bob) = (person(&core).await, person(&core).await);
    let (id, _) = hook(&core, &ann, "https://example.com/", &[EventKind::JobDone]).await;
    hook(&core, &ann, "https://example.com/", &[EventKind::JobFailed]).await;
    hook(&core, &bob, "https://example.com/", &[EventKind::JobDone]).await;
    happen(&core, &[event(ann.user.expect("ann"), JobId::new(), EventKind::JobDone)]).await;
    let mut queued = HashSet::new();
    until("the event was looked through", async || {
        queued.extend(fan_out::run(&core).await.expect("a round"));
        deliveries::head(&core.db).await.expect("a head") == 1
    })
    .await;
    assert_eq!(queued, HashSet::from([id]));
}

#[actix::test]
async fn deleted_webhook_ends_with_an_attempt_on_its_way() {
    let (core, ann, receiver, id) = busy().await;
    let began = tokio::time::Instant::now();
    delete(&core, &ann, id).await.expect("deleted");
    let next = Receiver::well().await;
    hook(&core, &ann, &next.url, &[EventKind::JobDone]).await;
    happen(&core, &[event(ann.user.expect("ann"), JobId::new(), EventKind::JobDone)]).await;
    next.until(1).await;
    until("the history has the new one alone", async || {
        core.database.count("SELECT count(*) FROM webhook_attempts").await == 1
    })
    .await;
    assert_eq!(receiver.got().len(), 1, "a deleted webhook got a message");
    assert!(began.elapsed() < BEFORE_THE_END, "the next one waited for the attempt that hangs");
}
