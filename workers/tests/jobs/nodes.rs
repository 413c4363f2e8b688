//! Nodes that start and stop while jobs run.

use bytes::Bytes;
use serde_json::json;
use verdigraph_core::jobs::{self, EventSubscription, JobEvent, Status};
use verdigraph_core::{database, fleet};
use verdigraph_scripted::{Run, Scripted, Step, THIS_PROMPT, text};

use crate::harness::{one_picture, run};
use crate::platform::{Platform, start, until};
use crate::stage;

#[actix::test]
async fn successor_finishes_jobs_of_a_dead_node() {
    let platform = Platform::open(1).await;
    platform.servers[0].script(run().with_before("execution_success", Step::Hold));
    let job = platform.submit().await;
    platform.until_status(job, Status::Running).await;
    // The same installation, restarted: the first node counts as dead, although its actors still run here.
    let successor = platform.core.another("test");
    let server = Scripted::start(Default::default()).unwrap();
    fleet::remove_ended_node(&successor, platform.core.node).await.expect("it counts as dead");
    start(&successor, std::slice::from_ref(&server), stage::hurried()).await;
    let done = until("the successor has done it", || async {
        let job = platform.status(job).await.job;
        job.status.is_terminal().then_some(job)
    })
    .await;
    assert_eq!((done.status, done.attempt), (Status::Done, 2));
    platform.servers[0].release();
    platform.until_idle(1).await;
    let still = platform.status(job).await.job;
    assert_eq!(still.ended_at, done.ended_at, "the stale node's late result changed nothing");
    let outputs = jobs::outputs(&platform.core, &platform.caller, job).await.unwrap();
    assert_eq!(outputs.iter().map(|output| output.pieces.len()).sum::<usize>(), 1, "no output twice");
    platform.audit().await;
}

/// Starts a job at the only worker, stops its node, runs `between`, starts the next node, then runs `then`. Checks that
/// the prompt was posted once and never stopped.
async fn check_takeover(between: impl AsyncFnOnce(&Platform), then: impl AsyncFnOnce(&Platform)) {
    let platform = Platform::open(1).await;
    platform.servers[0].script(one_picture().with_before("execution_success", Step::Hold));
    let job = platform.submit().await;
    platform.until_status(job, Status::Running).await;
    fleet::leave(&platform.core).await.expect("it leaves");
    between(&platform).await;
    let successor = platform.core.another("next");
    start(&successor, &platform.servers, stage::hurried()).await;
    then(&platform).await;
    let done = until("the successor has done it", || async {
        let job = platform.status(job).await.job;
        job.status.is_terminal().then_some(job)
    })
    .await;
    assert_eq!((done.status, done.attempt), (Status::Done, 1), "{done:?}");
    let outputs = jobs::outputs(&platform.core, &platform.caller, job).await.unwrap();
    assert_eq!(outputs.iter().map(|output| output.pieces.len()).sum::<usize>(), 1);
    let server = &platform.servers[0];
    assert_eq!((server.count("POST /prompt"), server.count("POST /interrupt")), (1, 0), "posted once, never stopped");
    platform.audit().await;
}

async fn until_ended(platform: &Platform, jobs: i64) {
    let ended = "SELECT count(*) FROM ended_jobs";
    until("jobs have ended", || async { (platform.core.database.count(ended).await == jobs).then_some(()) }).await;
}

/// Waits until a client reconnects under the id with which the first prompt was posted.
async fn until_reconnected(server: &Scripted) {
    let log = server.log();
    let posted_under = log.iter().find(|line| line.starts_with("socket opened")).expect("a node was connected");
    until("the next node hears of it", || async { (server.count(posted_under) >= 2).then_some(()) }).await;
}

async fn release_when_reconnected(platform: &Platform) {
    until_reconnected(&platform.servers[0]).await;
    platform.servers[0].release();
}

#[actix::test]
async fn next_node_takes_over_a_running_prompt() {
    check_takeover(async |_| {}, release_when_reconnected).await;
}

#[actix::test]
async fn next_node_collects_a_prompt_that_ended_without_owner() {
    let ends = async |platform: &Platform| {
        platform.servers[0].release();
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        until("the prompt has ended", || async {
            let queue = http.get(format!("{}/queue", platform.servers[0].url())).send().await.unwrap();
            let queue: serde_json::Value = queue.json().await.unwrap();
            queue["queue_running"].as_array().is_some_and(Vec::is_empty).then_some(())
        })
        .await;
    };
    check_takeover(ends, async |_| {}).await;
}

#[actix::test]
async fn node_that_leaves_while_it_takes_a_prompt_over_does_not_requeue_it() {
    let leaves_too = async |platform: &Platform| {
        let mut lock = database::begin(&platform.core.db).await.expect("a transaction");
        sqlx::raw_sql("LOCK TABLE job_prompts IN ACCESS EXCLUSIVE MODE").execute(&mut *lock).await.expect("a lock");
        let second = platform.core.another("second");
        start(&second, &platform.servers, stage::hurried()).await;
        // It has taken the job over and reads its prompt.
        platform.core.database.wait_for_locks(1).await;
        let roster = second.fleet.roster();
        let worker = roster.views().first().expect("a worker").id;
        let link = roster.link(worker).expect("a connection");
        fleet::leave(&second).await.expect("it leaves");
        until("its connection has ended", || async { (!link.assign.connected()).then_some(()) }).await;
        lock.rollback().await.expect("the lock is gone");
        let view = || async { roster.view(worker).filter(|view| view.job.is_none()) };
        until("its attempt has ended", view).await;
    };
    check_takeover(leaves_too, release_when_reconnected).await;
}

#[actix::test]
async fn taken_over_prompt_continues_if_other_takeovers_fail() {
    let another_cannot = async |platform: &Platform| {
        platform.submit().await;
        // In flight at no worker in its last attempt, so that no node can take it over.
        let held = "UPDATE jobs SET status = 1, attempt = 99, lease_node = gen_random_uuid() WHERE status = 0;
                    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
                        $$ BEGIN RAISE EXCEPTION 'the database goes away here'; END $$;
                    CREATE TRIGGER refuses BEFORE UPDATE ON jobs FOR EACH ROW WHEN (OLD.worker_id IS NULL)
                        EXECUTE FUNCTION refuse()";
        sqlx::raw_sql(held).execute(&platform.core.db).await.expect("a job that cannot be taken over");
    };
    let can_again = async |platform: &Platform| {
        let server = &platform.servers[0];
        until_reconnected(server).await;
        server.release();
        until_ended(platform, 1).await;
        sqlx::raw_sql("DROP TRIGGER refuses ON jobs").execute(&platform.core.db).await.expect("the database is back");
        until_ended(platform, 2).await;
    };
    check_takeover(another_cannot, can_again).await;
}

#[actix::test]
async fn revived_node_leaves_prompts_to_the_new_owner() {
    let platform = Platform::open(1).await;
    platform.servers[0].script(one_picture().with_before("execution_success", Step::Hold));
    let job = platform.submit().await;
    platform.until_status(job, Status::Running).await;
    let other = platform.core.another("other");
    start(&other, &[], stage::hurried()).await;
    // Another node takes the worker of the silent node, which sends heartbeats again by now.
    let take = "WITH taken AS (UPDATE workers SET owner = (SELECT id FROM nodes WHERE instance = 'other') RETURNING 1)
                SELECT count(*) FROM taken";
    assert_eq!(platform.core.database.count(take).await, 1);
    let server = &platform.servers[0];
    until_reconnected(server).await;
    server.release();
    let done = platform.end(job).await.job;
    assert_eq!((done.status, done.attempt), (Status::Done, 1), "{done:?}");
    assert_eq!((server.count("POST /prompt"), server.count("POST /interrupt")), (1, 0), "posted once, never stopped");
    platform.audit().await;
}

#[actix::test]
async fn node_resumes_prompt_when_it_gets_its_worker_back() {
    let platform = Platform::open(1).await;
    platform.servers[0].script(one_picture().with_before("execution_success", Step::Hold));
    let job = platform.submit().await;
    platform.until_status(job, Status::Running).await;
    let server = &platform.servers[0];
    let opened = server.count("socket opened");
    // Another node takes the worker of the silent node, before it is gone itself.
    let lost = "INSERT INTO nodes (id, instance, started_at, heartbeat_at)
                VALUES (gen_random_uuid(), 'other', now(), now() + interval '1 minute');
                UPDATE workers SET owner = (SELECT id FROM nodes WHERE instance = 'other')";
    sqlx::raw_sql(lost).execute(&platform.core.db).await.expect("the worker is another's");
    until("the node lets go of it", || async { (server.count("socket closed") > 0).then_some(()) }).await;
    sqlx::raw_sql("DELETE FROM nodes WHERE instance = 'other'").execute(&platform.core.db).await.expect("it is gone");
    until("the node listens again", || async { (server.count("socket opened") > opened).then_some(()) }).await;
    server.release();
    let done = platform.end(job).await.job;
    assert_eq!((done.status, done.attempt), (Status::Done, 1), "{done:?}");
    assert_eq!((server.count("POST /prompt"), server.count("POST /interrupt")), (1, 0), "posted once, never stopped");
    platform.audit().await;
}

/// A run of one node with this many steps, each with a preview. After the first one it waits until it is released.
fn in_steps(count: u32) -> Run {
    let mut run = one_picture().with_before("execution_success", Step::Hold);
    let end = run.steps.iter().position(|step| step.kind() == Some("execution_success")).unwrap_or(run.steps.len());
    let step = |value: u32| {
        let metadata = json!({"node_id": "2", "prompt_id": THIS_PROMPT, "image_type": "image/jpeg"});
        let data = json!({"value": value, "max": count, "node": "2", "prompt_id": THIS_PROMPT});
        [text("progress", data), Step::Preview { metadata, bytes: Bytes::from(vec![7; 100]) }]
    };
    run.steps.splice(end..end, (2..=count).flat_map(step));
    // A subscriber that knows the first step has missed its preview.
    run.steps.splice(end - 1..end - 1, step(1).into_iter().rev());
    run
}

/// All events of a job until its end.
async fn events_until_end(subscription: &mut EventSubscription) -> Vec<(u64, JobEvent)> {
    let mut heard = std::mem::take(&mut subscription.missed);
    loop {
        let event = tokio::time::timeout(crate::platform::PATIENCE, subscription.live.recv()).await;
        heard.push(event.expect("an event in time").expect("a listener that keeps up"));
        if matches!(heard.last(), Some((_, JobEvent::Status(status))) if status.is_terminal()) {
            return heard;
        }
    }
}

/// The steps of the last node, with event ids.
fn steps(heard: &[(u64, JobEvent)]) -> Vec<(u64, f64)> {
    let step = |(id, event): &(u64, JobEvent)| match event {
        JobEvent::Progress(progress) if progress.max > 1.0 => Some((*id, progress.value)),
        _ => None,
    };
    heard.iter().filter_map(step).collect()
}

#[actix::test]
async fn job_events_reach_subscribers_on_every_node() {
    let platform = Platform::open(1).await;
    platform.servers[0].script(in_steps(4));
    let [second, third] = ["second", "third"].map(|name| platform.core.another(name));
    for node in [&second, &third] {
        start(node, &[], stage::hurried()).await;
    }
    let job = platform.submit().await;
    platform.until_status(job, Status::Running).await;
    let events = platform.core.queue.events();
    until("the first step", || async { events.progress(job).filter(|progress| progress.max > 1.0) }).await;
    let listen = async |node, after| jobs::subscribe(node, &platform.caller, job, after).await.expect("a stream").1;
    let mut here = listen(&platform.core, None).await;
    let mut there = listen(&second, None).await;
    until("the other node knows how far it is", || async { second.queue.events().progress(job) }).await;
    platform.servers[0].release();
    let (here, there) = tokio::join!(events_until_end(&mut here), events_until_end(&mut there));
    assert_eq!(steps(&here).iter().map(|(_, value)| *value).collect::<Vec<_>>(), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(steps(&there), steps(&here), "the same events, with the same ids");
    let previews = |heard: &[(u64, JobEvent)]| heard.iter().filter(|it| matches!(it.1, JobEvent::Preview(_))).count();
    assert_eq!((previews(&here), previews(&there)), (3, 3), "those that came after they listened");
    assert!(here.iter().chain(&there).any(|(_, event)| *event == JobEvent::Status(Status::Done)));
    platform.audit().await;
}

#[actix::test]
async fn reconnect_at_another_node_continues_after_last_event() {
    let platform = Platform::open(1).await;
    let run = in_steps(3).with_before("execution_success", Step::Hold);
    platform.servers[0].script(run);
    let [second, third] = ["second", "third"].map(|name| platform.core.another(name));
    for node in [&second, &third] {
        start(node, &[], stage::hurried()).await;
    }
    let job = platform.submit().await;
    platform.until_status(job, Status::Running).await;
    let listen = async |node, after| jobs::subscribe(node, &platform.caller, job, after).await.expect("a stream").1;
    let at_second = listen(&second, None).await;
    let step = |node: &'static str, core: &verdigraph_core::Core, value: f64| {
        let events = core.queue.events().clone();
        async move {
            let known = async || events.progress(job).filter(|it| it.max > 1.0 && it.value >= value);
            until(node, known).await
        }
    };
    step("the first step", &second, 1.0).await;
    let seen = last_step(at_second);
    platform.servers[0].release();
    step("the last step", &platform.core, 3.0).await;
    let mut at_third = listen(&third, Some(seen)).await;
    step("what was missed", &third, 3.0).await;
    platform.servers[0].release();
    let heard = events_until_end(&mut at_third).await;
    assert_eq!(steps(&heard).iter().map(|(_, value)| *value).collect::<Vec<_>>(), [2.0, 3.0]);
    assert!(steps(&heard).iter().all(|(id, _)| *id > seen));
    platform.audit().await;
}

/// The id of the last step that the subscription received.
fn last_step(mut subscription: EventSubscription) -> u64 {
    let mut heard = std::mem::take(&mut subscription.missed);
    while let Ok(event) = subscription.live.try_recv() {
        heard.push(event);
    }
    steps(&heard).last().expect("a step").0
}
