//! Deliveries to receivers that accept, fail, or never answer.

mod apis;
mod batches;
mod forgetting;
mod https_only;
mod leases;
mod pauses;
mod receiver;
mod running;
mod secrets;

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::time::Duration;

use serde_json::json;

use super::sending::signing;
use super::sending::store::Progress;
use super::state::EndpointHealth;
use super::store::deliveries;
use super::*;
use crate::events::{EventKind, EventSubject, NewEvent};
use crate::ids::{JobId, UserId};
use crate::testing::TestCore;
use crate::{Clock, Code};
use receiver::Receiver;

/// A core that allows local receivers and retries quickly.
async fn stage(retry: &[u32]) -> TestCore {
    let retry = retry.to_vec();
    let core = TestCore::with(Clock::System, |settings| {
        settings.outbound.private_hosts = vec!["127.0.0.1".to_owned()];
        settings.webhooks.retry_seconds = retry;
    })
    .await;
    events::start(&core.core);
    start(&core.core);
    core
}

async fn person(core: &TestCore) -> Caller {
    Caller::customer(crate::users::factory::user().insert(&core.db).await)
}

async fn hook(core: &TestCore, who: &Caller, url: &str, kinds: &[EventKind]) -> (WebhookConfigId, String) {
    let kinds = kinds.iter().map(|kind| kind.name().to_owned()).collect();
    let new = NewConfig { name: "A hook".to_owned(), url: url.to_owned(), kinds };
    let (config, secret) = create(core, who, None, new).await.expect("a webhook");
    (config.id, secret)
}

fn event(user: UserId, job: JobId, kind: EventKind) -> NewEvent {
    let about = EventSubject { job: Some(job), ..EventSubject::default() };
    NewEvent { kind, user, about, data: json!({ "status": kind.name() }).to_string(), at: chrono::Utc::now() }
}

/// Writes these events in order.
async fn happen(core: &TestCore, all: &[NewEvent]) {
    events::write(&mut core.db.acquire().await.expect("a connection"), all).await.expect("events");
    core.events.notify_written();
}

/// Queues a delivery, as another node does.
async fn queue(core: &TestCore, config: WebhookConfigId) {
    let (id, event) = (uuid::Uuid::now_v7(), uuid::Uuid::now_v7());
    let (kind, body) = (EventKind::JobDone as i16, "{}".to_owned());
    let new = deliveries::NewDelivery { id, config, event, job: None, kind, position: 1, body };
    let mut tx = crate::database::begin(&core.db).await.expect("a transaction");
    deliveries::insert(&mut tx, &[new], chrono::Utc::now()).await.expect("a delivery");
    tx.commit().await.expect("a commit");
}

/// Verifies a message with the public library of Standard Webhooks.
fn verify(message: &receiver::Message, secret: &str) -> std::result::Result<(), standardwebhooks::WebhookError> {
    let names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
    let header = |name: &'static str| {
        let value = http::HeaderValue::from_str(&message.headers[name]).expect("a header");
        (http::HeaderName::from_static(name), value)
    };
    let headers = names.into_iter().map(header).collect();
    standardwebhooks::Webhook::new(secret)?.verify(message.body.as_bytes(), &headers)
}

async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let wait = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    assert!(tokio::time::timeout(Duration::from_secs(60), wait).await.is_ok(), "{what} in time");
}

const ALL: [EventKind; 3] = [EventKind::JobCreated, EventKind::JobStarted, EventKind::JobDone];

#[actix::test]
async fn event_arrives_signed_and_equal_to_the_feed() {
    let core = stage(&[1]).await;
    let (ann, bob) = (person(&core).await, person(&core).await);
    let receiver = Receiver::well().await;
    let (id, secret) = hook(&core, &ann, &receiver.url, &[EventKind::JobDone]).await;
    let job = JobId::new();
    let (user, other) = (ann.user.expect("ann"), bob.user.expect("bob"));
    happen(
        &core,
        &[
            event(user, job, EventKind::JobCreated),
            event(other, JobId::new(), EventKind::JobDone),
            event(user, job, EventKind::JobDone),
        ],
    )
    .await;
    let got = receiver.until(1).await;
    let page =
        events::feed(&core, &ann, events::FeedPosition::Oldest, &[EventKind::JobDone], 10).await.expect("a page");
    let told = events::envelope(&page.items[0], None, &core.settings.public_url());
    assert_eq!(got[0].json(), serde_json::to_value(&told).expect("JSON"), "the feed shows another event");
    assert_eq!(got[0].id(), page.items[0].id.to_string());
    let message = &got[0];
    let at: i64 = message.headers["webhook-timestamp"].parse().expect("seconds");
    assert!((chrono::Utc::now().timestamp() - at).abs() < 60);
    let wanted = signing::signature(std::iter::once(secret.as_str()), message.id(), at, message.body.as_bytes());
    assert_eq!(message.headers["webhook-signature"], wanted);
    verify(message, &secret).expect("a signature of Standard Webhooks");
    assert_eq!(message.headers["content-type"], "application/json");

    // The new secret signs beside the old one.
    let new = new_secret(&core, &ann, id).await.expect("a secret");
    let group = test(&core, &ann, id).await.expect("a test");
    let got = receiver.until(2).await;
    let message = &got[1];
    let at = message.headers["webhook-timestamp"].parse().expect("seconds");
    let both = [new.secret.as_str(), secret.as_str()];
    assert_eq!(
        message.headers["webhook-signature"],
        signing::signature(both.into_iter(), message.id(), at, message.body.as_bytes())
    );
    for secret in [&new.secret, &secret] {
        verify(message, secret).expect("a signature by each secret");
    }
    assert!(verify(message, &signing::new_secret()).is_err());
    assert_eq!(message.json()["type"], "test");
    let tests =
        events::wait(&core, &ann, events::FeedPosition::Oldest, &[EventKind::Test], 10, Duration::from_secs(10))
            .await
            .expect("a page");
    let shown = events::envelope(&tests.items[0], None, &core.settings.public_url());
    assert_eq!(message.json(), serde_json::to_value(&shown).expect("JSON"), "the feed shows another test");
    until("the history has both", async || {
        history(&core, &ann, id, (1, 5), None).await.expect("a page").items.len() == 2
    })
    .await;
    let page = history(&core, &ann, id, (1, 1), None).await.expect("a page");
    assert!(page.next_cursor.is_some() && page.items[0].group == group && page.items[0].is_success);
    assert_eq!((page.items[0].response, page.items[0].response_body.as_str()), (Some(204), ""));
    for (word, count) in [
        (job.to_string(), 1),
        ("job.done".to_owned(), 1),
        ("test".to_owned(), 1),
        ("Success".to_owned(), 2),
        ("Failed".to_owned(), 0),
        ("204".to_owned(), 2),
        ("20".to_owned(), 0),
        ("done".to_owned(), 0),
        (group.to_string(), 1),
    ] {
        let found = history(&core, &ann, id, (1, 5), Some(&word)).await.expect("a page");
        assert_eq!(found.items.len(), count, "{word}");
    }
    assert!(matches!(history(&core, &bob, id, (1, 5), None).await, Err(Error::NotFound { .. })));
    assert_eq!(receiver.got().len(), 2);
}

#[actix::test]
async fn events_of_a_job_arrive_in_order_despite_failures() {
    let core = stage(&[1, 1, 1, 1]).await;
    let ann = person(&core).await;
    let user = ann.user.expect("ann");
    // Every second event fails once: none fails so often that it is given up.
    let seen: Mutex<HashSet<String>> = Mutex::default();
    let receiver = Receiver::start(move |_, message| {
        let mut seen = seen.lock().expect("the events so far");
        let fails = seen.insert(message.id().to_owned()) && seen.len().is_multiple_of(2);
        Some(if fails { "503 Busy\r\n".to_owned() } else { "200 OK\r\n".to_owned() })
    })
    .await;
    let (id, _) = hook(&core, &ann, &receiver.url, &ALL).await;
    let jobs: Vec<JobId> = (0..12).map(|_| JobId::new()).collect();
    for kind in ALL {
        happen(&core, &jobs.iter().map(|job| event(user, *job, kind)).collect::<Vec<_>>()).await;
    }
    until("all were taken", async || {
        let config = find_own(&core, &ann, id).await.expect("the webhook");
        config.waiting == 0 && receiver.got().len() >= 36
    })
    .await;
    let mut firsts: HashMap<String, Vec<String>> = HashMap::new();
    let mut ids: HashMap<String, usize> = HashMap::new();
    for message in receiver.got() {
        let seen = ids.entry(message.id().to_owned()).or_default();
        *seen += 1;
        if *seen == 1 {
            let body = message.json();
            let of_job = firsts.entry(body["data"]["job"].as_str().expect("a job").to_owned()).or_default();
            of_job.push(body["type"].as_str().expect("a type").to_owned());
        }
    }
    assert_eq!((ids.len(), firsts.len()), (36, 12), "each event has one id, however often it is sent");
    for (job, kinds) in firsts {
        assert_eq!(kinds, ["job.created", "job.started", "job.done"], "{job}");
    }
    let taken = core.database.count("SELECT count(*) FROM webhook_deliveries WHERE state = 1 AND NOT in_flight").await;
    assert_eq!(taken, 36);
    let wrong = core
        .database
        .count(
            "SELECT count(*) FROM webhook_deliveries d
             WHERE attempts <> (SELECT count(*) FROM webhook_attempts a WHERE a.delivery_id = d.id)",
        )
        .await;
    assert_eq!(wrong, 0, "attempts are missing in the history");
}

#[actix::test]
async fn given_up_delivery_can_be_resent_up_to_ten_attempts() {
    let core = stage(&[]).await;
    let ann = person(&core).await;
    let receiver = Receiver::start(|_, _| Some("404 Not Found\r\n".to_owned())).await;
    let (id, _) = hook(&core, &ann, &receiver.url, &[EventKind::JobDone]).await;
    happen(&core, &[event(ann.user.expect("ann"), JobId::new(), EventKind::JobDone)]).await;
    for number in 1..=MAX_ATTEMPTS {
        until("an attempt was noted", async || {
            let page = history(&core, &ann, id, (1, 20), None).await.expect("a page");
            page.items.first().is_some_and(|attempt| attempt.number == number)
        })
        .await;
        let last = history(&core, &ann, id, (1, 1), None).await.expect("a page").items[0].clone();
        assert_eq!((last.is_success, last.response, last.next_at), (false, Some(404), None));
        let again = if number % 2 == 0 {
            resend(&core, &ann, last.id).await.map(|_| 1)
        } else {
            resend_failed(&core, &ann, id, last.created_at).await
        };
        if number < MAX_ATTEMPTS {
            assert_eq!(again.expect("another attempt"), 1);
        } else {
            assert!(matches!(again, Err(Error::Refused { code: Code::WebhookAttempts, .. })), "{again:?}");
        }
    }
    assert_eq!(receiver.got().len(), 10);
    assert_eq!(resend_failed(&core, &ann, id, chrono::DateTime::UNIX_EPOCH).await.expect("none"), 0);
}

#[actix::test]
async fn gone_receiver_disables_the_webhook_and_notifies_its_owner() {
    let core = stage(&[1, 1]).await;
    let ann = person(&core).await;
    let user = ann.user.expect("ann");
    let receiver =
        Receiver::start(|number, _| Some(if number == 0 { "410 Gone\r\n" } else { "200 OK\r\n" }.to_owned())).await;
    let (id, _) = hook(&core, &ann, &receiver.url, &[EventKind::JobDone]).await;
    happen(&core, &[event(user, JobId::new(), EventKind::JobDone)]).await;
    until("it is disabled", async || {
        find_own(&core, &ann, id)
            .await
            .expect("the webhook")
            .disabled
            .is_some_and(|(_, why)| why == DisabledReason::Gone)
    })
    .await;
    assert_eq!(crate::notifications::unread(&core, &ann).await.expect("a count").all, 1);
    for error in
        [test(&core, &ann, id).await.err(), resend_failed(&core, &ann, id, chrono::DateTime::UNIX_EPOCH).await.err()]
    {
        assert!(matches!(error, Some(Error::Refused { code: Code::WebhookDisabled, .. })));
    }
    let before = events::last(&core).await.expect("a position");
    happen(&core, &[event(user, JobId::new(), EventKind::JobDone)]).await;
    until("it was looked through", async || deliveries::head(&core.db).await.expect("a head") > before).await;
    enable(&core, &ann, id).await.expect("enabled");
    let job = JobId::new();
    happen(&core, &[event(user, job, EventKind::JobDone)]).await;
    let got = receiver.until(2).await;
    assert_eq!(got[1].json()["data"]["job"], json!(job), "an event from while it was disabled was sent");
}

#[actix::test]
async fn failed_since_a_time_is_what_was_given_up_since_then() {
    let core = stage(&[]).await;
    let ann = person(&core).await;
    let receiver = Receiver::start(|_, _| Some("500 Sorry\r\n".to_owned())).await;
    let (id, _) = hook(&core, &ann, &receiver.url, &[EventKind::JobDone]).await;
    happen(&core, &[event(ann.user.expect("ann"), JobId::new(), EventKind::JobDone)]).await;
    let given_up = "SELECT count(*) FROM webhook_deliveries WHERE state = 2";
    until("it is given up", async || core.database.count(given_up).await == 1).await;
    sqlx::query("UPDATE webhook_deliveries SET created_at = created_at - interval '1 day'")
        .execute(&core.db)
        .await
        .expect("an event of yesterday");
    let now = chrono::Utc::now();
    assert_eq!(resend_failed(&core, &ann, id, now + TimeDelta::minutes(1)).await.expect("none"), 0);
    assert_eq!(resend_failed(&core, &ann, id, now - TimeDelta::minutes(1)).await.expect("a resend"), 1);
    receiver.until(2).await;
}

#[actix::test]
async fn unfinished_attempts_of_a_dead_node_count_and_are_repeated() {
    let core = stage(&[1]).await;
    let ann = person(&core).await;
    // The address does not answer at first.
    let receiver = Receiver::start(|number, _| (number > 0).then(|| "200 OK\r\n".to_owned())).await;
    let (id, _) = hook(&core, &ann, &receiver.url, &[EventKind::JobDone]).await;
    happen(&core, &[event(ann.user.expect("ann"), JobId::new(), EventKind::JobDone)]).await;
    receiver.until(1).await;
    // The lease is lost to another node because this one renewed too late.
    sqlx::query("UPDATE webhook_configs SET lease_node = gen_random_uuid(), lease_until = now() - interval '1 second'")
        .execute(&core.db)
        .await
        .expect("a lost lease");
    let got = receiver.until(2).await;
    assert_eq!(got[0].id(), got[1].id());
    until("it was taken", async || {
        core.database.count("SELECT count(*) FROM webhook_deliveries WHERE state = 1 AND attempts = 2").await == 1
    })
    .await;
    assert_eq!(find_own(&core, &ann, id).await.expect("the webhook").waiting, 0);
}

#[actix::test]
async fn last_attempt_of_a_dead_node_gives_up_the_delivery() {
    let core = stage(&[1]).await;
    let ann = person(&core).await;
    let receiver = Receiver::start(|_, _| None).await;
    let (id, _) = hook(&core, &ann, &receiver.url, &[EventKind::JobDone]).await;
    happen(&core, &[event(ann.user.expect("ann"), JobId::new(), EventKind::JobDone)]).await;
    receiver.until(1).await;
    for sql in [
        "UPDATE webhook_deliveries SET attempts = 10",
        "UPDATE webhook_configs SET lease_node = gen_random_uuid(), lease_until = now() - interval '1 second'",
    ] {
        sqlx::query(sql).execute(&core.db).await.expect("a node that died");
    }
    until("it is given up", async || {
        core.database.count("SELECT count(*) FROM webhook_deliveries WHERE state = 2 AND attempts = 10").await == 1
    })
    .await;
    assert_eq!(find_own(&core, &ann, id).await.expect("the webhook").waiting, 0);
    assert_eq!(receiver.got().len(), 1, "there was an eleventh attempt");
}

#[actix::test]
async fn next_lease_holder_knows_whether_the_address_succeeded() {
    let core = stage(&[1]).await;
    let ann = person(&core).await;
    let receiver = Receiver::first_then("200 OK\r\n", "500 Sorry\r\n").await;
    let (id, _) = hook(&core, &ann, &receiver.url, &[EventKind::JobDone]).await;
    let known = async || {
        let node: uuid::Uuid =
            sqlx::query_scalar("UPDATE webhook_configs SET lease_node = gen_random_uuid() RETURNING lease_node")
                .fetch_one(&core.db)
                .await
                .expect("a node");
        let progress = Progress { tried: &[], unsent: &[], health: EndpointHealth::default(), url: None };
        let node = (id, crate::ids::NodeId(node));
        let exchanged =
            sending::store::exchange(&core.db, node, progress, 0, chrono::Utc::now()).await.expect("an answer");
        exchanged.expect("an address").0.has_succeeded
    };
    assert!(!known().await, "no attempt was made");
    for (tried, does_well) in [(1, true), (2, false)] {
        happen(&core, &[event(ann.user.expect("ann"), JobId::new(), EventKind::JobDone)]).await;
        until("an attempt is written", async || {
            core.database.count("SELECT count(*) FROM webhook_attempts").await >= tried
        })
        .await;
        assert_eq!(known().await, does_well, "after {tried} attempts");
    }
}

#[actix::test]
async fn invalid_fields_and_private_addresses_are_refused() {
    let core = TestCore::new().await;
    let ann = person(&core).await;
    let new = |name: &str, url: &str, kinds: &[&str]| NewConfig {
        name: name.to_owned(),
        url: url.to_owned(),
        kinds: kinds.iter().map(|kind| (*kind).to_owned()).collect(),
    };
    let wrong = create(&core, &ann, None, new(" ", "gopher://a", &[])).await;
    let Err(Error::InvalidFields { fields }) = wrong else { panic!("{wrong:?}") };
    let said: Vec<_> = fields.iter().map(|field| field.message.as_str()).collect();
    assert_eq!(said, ["Name is required", "Webhook URL is not valid", "Webhook Event IDs is required"]);
    for url in ["http://127.0.0.1/x", "http://10.1.2.3/", "ftp://[::1]/", "https://2130706433/", "http://localhost/"] {
        let refused = create(&core, &ann, None, new("a", url, &["job.done"])).await;
        assert!(matches!(refused, Err(Error::Refused { code: Code::WebhookUrlRefused, .. })), "{url}");
    }
    let split = create(&core, &ann, None, new("a", "https://example.com/a\nb", &["job.done"])).await;
    assert!(matches!(split, Err(Error::InvalidFields { .. })), "{split:?}");
    let many = create(&core, &ann, None, new("a", "https://example.com/", &["job.done"; 101])).await;
    assert!(matches!(many, Err(Error::InvalidFields { .. })));
    let unknown = create(&core, &ann, None, new("a", "https://example.com/", &["job.done", "test"])).await;
    assert!(matches!(unknown, Err(Error::InvalidFields { .. })), "a test cannot be chosen");
    for _ in 0..MAX_OF_ONE {
        create(&core, &ann, None, new("a", "HTTPS://example.com/", &["job.done", "job.done"]))
            .await
            .expect("a webhook");
    }
    let many = create(&core, &ann, None, new("a", "https://example.com/", &["job.done"])).await;
    assert!(matches!(many, Err(Error::Refused { code: Code::WebhookLimit, .. })));
    let all = configs(&core, &ann, None).await.expect("a list");
    assert_eq!((all.len(), all[0].kinds.as_slice()), (20, [EventKind::JobDone].as_slice()));
    let bob = person(&core).await;
    for missing in [
        update(&core, &bob, all[0].id, ConfigChange::default()).await.err(),
        delete(&core, &bob, all[0].id).await.err(),
        new_secret(&core, &bob, all[0].id).await.err(),
        enable(&core, &bob, all[0].id).await.err(),
        test(&core, &bob, all[0].id).await.err(),
        configs(&core, &bob, Some(crate::ids::WorkflowApiId::new())).await.err(),
    ] {
        assert!(matches!(missing, Some(Error::NotFound { .. })), "{missing:?}");
    }
    forget(&core, ann.user.expect("ann")).await.expect("forgotten");
    assert!(configs(&core, &ann, None).await.expect("a list").is_empty());
}
