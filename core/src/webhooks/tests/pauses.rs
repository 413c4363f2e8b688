//! Addresses that fail: pauses, requests of the owner in spite of them, and the end after days.

use super::*;

const IDLE: &str = "SELECT count(*) FROM webhook_configs WHERE lease_node IS NULL";

/// Pauses an address for an hour, after many failures in a row.
async fn pause(core: &TestCore, id: WebhookConfigId) {
    sqlx::query(
        "UPDATE webhook_configs SET failing_since = now(), failures = 9, paused_until = now() + interval '1 hour',
                                    due_at = now() + interval '1 hour', lease_node = NULL, lease_until = NULL
         WHERE id = $1",
    )
    .bind(id.0)
    .execute(&core.db)
    .await
    .expect("a paused webhook");
}

async fn endpoint_ended(core: &TestCore) {
    until("the endpoint has ended", async || core.database.count(IDLE).await == 1).await;
}

#[actix::test]
async fn resend_and_test_are_attempted_first_and_without_the_pause() {
    let core = stage(&[3600]).await;
    let ann = person(&core).await;
    let user = ann.user.expect("ann");
    let receiver = Receiver::start(|_, _| Some("500 Sorry\r\n".to_owned())).await;
    let (id, _) = hook(&core, &ann, &receiver.url, &[EventKind::JobDone]).await;
    happen(&core, &[event(user, JobId::new(), EventKind::JobDone)]).await;
    until("the attempt is in the history", async || {
        !history(&core, &ann, id, (1, 1), None).await.expect("a page").items.is_empty()
    })
    .await;
    let first = history(&core, &ann, id, (1, 1), None).await.expect("a page").items[0].clone();
    // The endpoint has ended: nothing is due for an hour.
    endpoint_ended(&core).await;

    // Others wait for the pause to end.
    pause(&core, id).await;
    let before = events::last(&core).await.expect("a position");
    let others: Vec<NewEvent> = (0..5).map(|_| event(user, JobId::new(), EventKind::JobDone)).collect();
    happen(&core, &others).await;
    until("they were looked through", async || deliveries::head(&core.db).await.expect("a head") >= before + 5).await;
    endpoint_ended(&core).await;
    assert_eq!(receiver.got().len(), 1, "a paused address got a message");

    resend(&core, &ann, first.id).await.expect("a resend");
    let got = receiver.until(2).await;
    assert_eq!(got[1].id(), got[0].id(), "another message was attempted before the requested one");
    endpoint_ended(&core).await;
    // The failure has paused the address again.
    assert_eq!(receiver.got().len(), 2, "the rest did not wait");

    test(&core, &ann, id).await.expect("a test");
    assert_eq!(receiver.until(3).await[2].json()["type"], "test");
    endpoint_ended(&core).await;
    assert_eq!(receiver.got().len(), 3, "the rest did not wait");
}

#[actix::test]
async fn address_that_fails_for_three_days_is_disabled_by_bell_and_mail() {
    let core = stage(&[3600]).await;
    let ann = person(&core).await;
    let receiver = Receiver::start(|_, _| Some("500 Sorry\r\n".to_owned())).await;
    let (id, _) = hook(&core, &ann, &receiver.url, &[EventKind::JobDone]).await;
    let fail = async |since: &'static str| {
        let sql = format!("UPDATE webhook_configs SET failing_since = now() - interval '{since}', failures = 3");
        sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&core.db).await.expect("a failing webhook");
        happen(&core, &[event(ann.user.expect("ann"), JobId::new(), EventKind::JobDone)]).await;
    };
    let config = async || find_own(&core, &ann, id).await.expect("the webhook");
    fail("2 days 23 hours").await;
    until("an attempt failed", async || config().await.last.is_some() && core.database.count(IDLE).await == 1).await;
    assert!(config().await.disabled.is_none(), "it is too early");
    fail("3 days 1 minute").await;
    until("it is disabled", async || config().await.disabled.is_some_and(|(_, why)| why == DisabledReason::Failing))
        .await;
    assert_eq!(crate::notifications::unread(&core, &ann).await.expect("a count").all, 1);
    let mails = core.mails().await;
    let [(_, mail)] = mails.as_slice() else { panic!("{mails:?}") };
    let text = mail.replace("=\r\n", "").replace("=3D", "=");
    assert!(text.contains("for three days") && text.contains(&format!("/account?tab=webhooks&webhook={id}")), "{text}");
}

#[actix::test]
async fn new_address_begins_without_the_pause_and_failures_of_the_old_one() {
    let core = stage(&[3600]).await;
    let ann = person(&core).await;
    let old = Receiver::start(|_, _| Some("500 Sorry\r\n".to_owned())).await;
    let new = Receiver::well().await;
    let (id, _) = hook(&core, &ann, &old.url, &[EventKind::JobDone]).await;
    pause(&core, id).await;
    let before = events::last(&core).await.expect("a position");
    happen(&core, &[event(ann.user.expect("ann"), JobId::new(), EventKind::JobDone)]).await;
    until("it was looked through", async || deliveries::head(&core.db).await.expect("a head") > before).await;

    let same = ConfigChange { name: Some("Same".to_owned()), url: Some(old.url.clone()), kinds: None };
    let config = update(&core, &ann, id, same).await.expect("a change");
    assert!(config.failing_since.is_some() && config.waiting == 1, "the address is the same: {config:?}");
    let moved = ConfigChange { url: Some(new.url.clone()), ..ConfigChange::default() };
    let config = update(&core, &ann, id, moved).await.expect("a change");
    assert!(config.failing_since.is_none(), "{config:?}");
    new.until(1).await;
    endpoint_ended(&core).await;
    assert!(old.got().is_empty(), "the old address was not paused");
    let config = find_own(&core, &ann, id).await.expect("the webhook");
    assert!(config.failing_since.is_none() && config.waiting == 0, "{config:?}");
}

/// An address that takes 24 events and then answers every one with `after`, while many more wait.
async fn nothing_is_counted_and_not_made(after: &'static str) {
    const WELL: usize = 24;
    let core = stage(&[3600]).await;
    let ann = person(&core).await;
    let user = ann.user.expect("ann");
    let receiver =
        Receiver::start(move |number, _| Some(if number < WELL { "200 OK\r\n" } else { after }.to_owned())).await;
    hook(&core, &ann, &receiver.url, &[EventKind::JobDone]).await;
    let all: Vec<NewEvent> = (0..WELL * 8).map(|_| event(user, JobId::new(), EventKind::JobDone)).collect();
    happen(&core, &all).await;
    receiver.until(WELL + 1).await;
    endpoint_ended(&core).await;
    let attempts = core.database.count("SELECT sum(attempts) FROM webhook_deliveries").await;
    assert_eq!(
        usize::try_from(attempts).expect("a count"),
        receiver.got().len(),
        "an attempt was counted and not made"
    );
    assert_eq!(
        core.database.count("SELECT count(*) FROM webhook_attempts").await,
        attempts,
        "one is not in the history"
    );
    assert!(receiver.got().len() < all.len(), "nothing was left at the end");
    assert_eq!(core.database.count("SELECT count(*) FROM webhook_deliveries WHERE in_flight").await, 0);
}

#[actix::test]
async fn pause_takes_back_what_was_counted_ahead() {
    nothing_is_counted_and_not_made("503 Busy\r\nretry-after: 600\r\n").await;
}

#[actix::test]
async fn end_of_an_address_takes_back_what_was_counted_ahead() {
    nothing_is_counted_and_not_made("410 Gone\r\n").await;
}
