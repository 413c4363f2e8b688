//! How many statements a backlog takes.

use super::*;

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
