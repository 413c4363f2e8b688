//! How much work a backlog takes.

use super::*;
use crate::ids::NodeId;

#[actix::test]
async fn attempts_of_a_busy_address_are_written_together() {
    const EVENTS: usize = 600;
    let core = stage(&[1]).await;
    let ann = person(&core).await;
    let user = ann.user.expect("ann");
    let receiver = Receiver::well().await;
    hook(&core, &ann, &receiver.url, &[EventKind::JobDone]).await;
    let began = tokio::time::Instant::now();
    happen(&core, &(0..EVENTS).map(|_| event(user, JobId::new(), EventKind::JobDone)).collect::<Vec<_>>()).await;
    let taken = "SELECT count(*) FROM webhook_deliveries WHERE state = 1 AND attempts = 1";
    until("everything was taken", async || {
        usize::try_from(core.database.count(taken).await).is_ok_and(|taken| taken == EVENTS)
    })
    .await;
    // Some for the start and the end, and one whenever results have waited for long.
    let most = 16 + EVENTS / 16 + usize::try_from(began.elapsed().as_millis() / 50).expect("a count");
    assert_eq!(receiver.got().len(), EVENTS, "an event was sent twice");
    // Each statement is a transaction, and a row names the one that wrote it.
    let statements = core.database.count("SELECT count(DISTINCT xmin::text) FROM webhook_attempts").await;
    let statements = usize::try_from(statements).expect("a count");
    assert!(statements <= most, "{statements} statements wrote {EVENTS} attempts");
}

#[actix::test]
async fn finished_attempts_are_written_while_others_hang() {
    const ANSWERED: usize = 60;
    let core = stage(&[1]).await;
    let ann = person(&core).await;
    let user = ann.user.expect("ann");
    let receiver = Receiver::start(|number, _| (number < ANSWERED).then(|| "200 OK\r\n".to_owned())).await;
    hook(&core, &ann, &receiver.url, &[EventKind::JobDone]).await;
    let began = tokio::time::Instant::now();
    happen(&core, &(0..300).map(|_| event(user, JobId::new(), EventKind::JobDone)).collect::<Vec<_>>()).await;
    until("what was answered is written", async || {
        let taken = "SELECT count(*) FROM webhook_deliveries WHERE state = 1";
        usize::try_from(core.database.count(taken).await).is_ok_and(|taken| taken == ANSWERED)
    })
    .await;
    // An attempt without an answer lasts 15 seconds.
    assert!(began.elapsed() < Duration::from_secs(12), "results waited for attempts that hang");
}

#[actix::test]
async fn events_of_a_paused_address_wait_without_a_lease() {
    let core = TestCore::new().await;
    let ann = person(&core).await;
    let (id, _) = hook(&core, &ann, "https://example.com/", &[EventKind::JobDone]).await;
    let claim = async || sending::store::claim(&core.db, NodeId::new(), 6.0, 10).await.expect("a claim");
    let pause = "UPDATE webhook_configs SET paused_until = now() + interval '1 hour'";
    sqlx::query(pause).execute(&core.db).await.expect("a pause");
    queue(&core, id).await;
    assert!(claim().await.is_empty(), "a paused address was claimed");
    let due = "SELECT count(*) FROM webhook_configs WHERE due_at = paused_until";
    assert_eq!(core.database.count(due).await, 1, "it is not due after its pause");
    let end = "UPDATE webhook_configs SET paused_until = now() - interval '1 second'";
    sqlx::query(end).execute(&core.db).await.expect("the end of the pause");
    queue(&core, id).await;
    assert_eq!(claim().await, [id]);
}
