//! Leases: one endpoint per address among all nodes, also after panics and lost leases.

use super::*;
use crate::database;
use crate::ids::NodeId;
use crate::supervision::Part;
use crate::webhooks::sending::store::{AttemptResult, DueDelivery};
use crate::webhooks::state::{AttemptOutcome, NextStep};

/// A webhook whose receiver never answers: its endpoint keeps its lease for as long as an attempt lasts.
async fn unanswered(core: &TestCore) -> Receiver {
    let bob = person(core).await;
    let silent = Receiver::start(|_, _| None).await;
    hook(core, &bob, &silent.url, &[EventKind::JobDone]).await;
    happen(core, &[event(bob.user.expect("bob"), JobId::new(), EventKind::JobDone)]).await;
    silent.until(1).await;
    silent
}

#[actix::test]
async fn address_of_a_panicked_endpoint_is_sent_to_again_beside_others() {
    let core = stage(&[1]).await;
    let _silent = unanswered(&core).await;
    let ann = person(&core).await;
    let receiver = Receiver::well().await;
    hook(&core, &ann, &receiver.url, &[EventKind::JobDone]).await;
    core.supervisor.faults().plan(Part::Endpoint, "AttemptDone", 1);
    happen(&core, &[event(ann.user.expect("ann"), JobId::new(), EventKind::JobDone)]).await;
    receiver.until(2).await;
    assert!(core.supervisor.faults().all_triggered() && core.supervisor.panics(Part::Endpoint) == 1);
    let taken = "SELECT count(*) FROM webhook_deliveries WHERE state = 1 AND attempts = 2";
    until("it was taken at the second attempt", async || core.database.count(taken).await == 1).await;
}

#[actix::test]
async fn enabled_webhook_is_sent_to_beside_others() {
    let core = stage(&[1]).await;
    let _silent = unanswered(&core).await;
    let ann = person(&core).await;
    let user = ann.user.expect("ann");
    let receiver = Receiver::first_then("410 Gone\r\n", "200 OK\r\n").await;
    let (id, _) = hook(&core, &ann, &receiver.url, &[EventKind::JobDone]).await;
    happen(&core, &[event(user, JobId::new(), EventKind::JobDone)]).await;
    until("it is disabled", async || find_own(&core, &ann, id).await.expect("the webhook").disabled.is_some()).await;
    enable(&core, &ann, id).await.expect("enabled");
    happen(&core, &[event(user, JobId::new(), EventKind::JobDone)]).await;
    receiver.until(2).await;
}

#[actix::test]
async fn two_nodes_send_each_event_once_and_in_order() {
    let core = stage(&[1]).await;
    let second = core.another("second");
    start(&second);
    let ann = person(&core).await;
    let user = ann.user.expect("ann");
    let receivers = [Receiver::well().await, Receiver::well().await, Receiver::well().await];
    for receiver in &receivers {
        hook(&core, &ann, &receiver.url, &ALL).await;
    }
    let jobs: Vec<JobId> = (0..30).map(|_| JobId::new()).collect();
    for kind in ALL {
        happen(&core, &jobs.iter().map(|job| event(user, *job, kind)).collect::<Vec<_>>()).await;
    }
    for receiver in &receivers {
        receiver.until(90).await;
    }
    let open = "SELECT count(*) FROM webhook_deliveries WHERE state = 0";
    until("everything was taken", async || core.database.count(open).await == 0).await;
    for receiver in &receivers {
        let mut kinds: HashMap<String, Vec<String>> = HashMap::new();
        for message in receiver.got() {
            let body = message.json();
            let of_job = kinds.entry(body["data"]["job"].as_str().expect("a job").to_owned()).or_default();
            of_job.push(body["type"].as_str().expect("a type").to_owned());
        }
        assert_eq!(kinds.len(), 30);
        for (job, kinds) in kinds {
            assert_eq!(kinds, ["job.created", "job.started", "job.done"], "{job}");
        }
    }
}

/// A first attempt that failed, and what follows from it for the address.
fn late_failure(
    delivery: uuid::Uuid,
    before: EndpointHealth,
    at: chrono::DateTime<chrono::Utc>,
) -> (AttemptResult, EndpointHealth, Option<DisabledReason>) {
    let late = AttemptResult {
        id: uuid::Uuid::now_v7(),
        delivery,
        number: 1,
        at,
        responded_at: None,
        response: None,
        is_success: false,
        response_body: String::new(),
        error: Some("late".to_owned()),
        next: NextStep::Retry { at },
    };
    let (health, why) = before.after(AttemptOutcome::Refused { retry_after: None }, at, 0.0);
    (late, health, why)
}

#[actix::test]
async fn late_result_of_a_lost_lease_changes_only_the_history() {
    let core = stage(&[1]).await;
    let ann = person(&core).await;
    let receiver = Receiver::first_then("500 Sorry\r\n", "200 OK\r\n").await;
    let (id, _) = hook(&core, &ann, &receiver.url, &[EventKind::JobDone]).await;
    happen(&core, &[event(ann.user.expect("ann"), JobId::new(), EventKind::JobDone)]).await;
    let taken = "SELECT count(*) FROM webhook_deliveries WHERE state = 1 AND attempts = 2";
    until("it was taken", async || core.database.count(taken).await == 1).await;
    let first = history(&core, &ann, id, (1, 5), None).await.expect("a page").items[1].clone();

    // Another node made the first attempt, and hears of it only now.
    let at = chrono::Utc::now();
    let (late, health, _) = late_failure(first.group, EndpointHealth::default(), at);
    let progress = Progress { tried: &[late], unsent: &[], health, url: None };
    let exchanged = sending::store::exchange(&core.db, (id, NodeId::new()), progress, 9, at).await.expect("an answer");
    assert!(exchanged.is_none());
    let mut tx = database::begin(&core.db).await.expect("a transaction");
    let is_ours = sending::store::disable(&mut tx, (id, NodeId::new()), None, DisabledReason::Failing, at)
        .await
        .expect("a write");
    tx.commit().await.expect("a commit");
    assert!(!is_ours);
    assert_eq!(core.database.count(taken).await, 1, "the delivery was opened again");
    let config = find_own(&core, &ann, id).await.expect("the webhook");
    assert!(config.disabled.is_none() && config.failing_since.is_none());
    assert_eq!(history(&core, &ann, id, (1, 5), None).await.expect("a page").items.len(), 3);
}

#[actix::test]
async fn late_failure_at_the_old_address_does_not_count_for_the_new_one() {
    const NEW: &str = "https://example.com/new";
    let core = stage(&[1]).await;
    let ann = person(&core).await;
    let (id, _) = hook(&core, &ann, NEW, &[EventKind::JobDone]).await;
    let node = NodeId::new();
    sqlx::query("UPDATE webhook_configs SET lease_node = $1, lease_until = now() + interval '1 minute'")
        .bind(node.0)
        .execute(&core.db)
        .await
        .expect("a lease");
    let at = chrono::Utc::now();
    let failing = EndpointHealth { failing_since: Some(at - TimeDelta::days(4)), ..EndpointHealth::default() };
    let (late, health, why) = late_failure(uuid::Uuid::now_v7(), failing, at);
    let why = why.expect("an address that failed for days");
    for (url, counts) in [("https://example.com/old", false), (NEW, true)] {
        let progress = Progress { tried: std::slice::from_ref(&late), unsent: &[], health, url: Some(url) };
        let exchanged = sending::store::exchange(&core.db, (id, node), progress, 0, at).await.expect("an answer");
        assert_eq!(exchanged.expect("an address").0.url, NEW);
        let config = find_own(&core, &ann, id).await.expect("the webhook");
        assert_eq!(config.failing_since.is_some(), counts, "{url}");
        let mut tx = database::begin(&core.db).await.expect("a transaction");
        let is_disabled = sending::store::disable(&mut tx, (id, node), Some(url), why, at).await.expect("a write");
        tx.commit().await.expect("a commit");
        assert_eq!(is_disabled, counts, "{url}");
    }
}

#[actix::test]
async fn attempt_that_another_node_counted_stays_counted() {
    let core = TestCore::new().await;
    let ann = person(&core).await;
    let (id, _) = hook(&core, &ann, "https://example.com/", &[EventKind::JobDone]).await;
    queue(&core, id).await;
    let (former, latter) = (NodeId::new(), NodeId::new());
    let (now, health) = (chrono::Utc::now(), EndpointHealth::default());
    let lease = async |node: NodeId| {
        let sql = "WITH left_over AS (UPDATE webhook_deliveries SET in_flight = false)
                   UPDATE webhook_configs SET lease_node = $1, lease_until = now() + interval '1 minute'";
        sqlx::query(sql).bind(node.0).execute(&core.db).await.expect("a lease");
    };
    let exchange = async |node, unsent: &[DueDelivery], most| {
        let progress = Progress { tried: &[], unsent, health, url: None };
        sending::store::exchange(&core.db, (id, node), progress, most, now).await.expect("an answer")
    };
    lease(former).await;
    let (_, counted) = exchange(former, &[], 1).await.expect("an address");
    lease(latter).await;
    let (_, again) = exchange(latter, &[], 1).await.expect("an address");
    assert_eq!((counted[0].attempts, again[0].attempts), (1, 2));
    assert!(exchange(former, &counted, 0).await.is_none(), "the lease is lost");
    let counted = "SELECT count(*) FROM webhook_deliveries WHERE in_flight AND attempts = 2";
    assert_eq!(core.database.count(counted).await, 1, "the attempt of the other node is no longer counted");
}
