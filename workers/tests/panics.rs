//! Every part of a node panics at each of its points while jobs run. Work continues, no job or credit is lost, and
//! health reports the panic.

#[expect(dead_code, reason = "shared with the tests of jobs")]
mod platform;
mod receiver;
#[expect(dead_code, reason = "shared with the tests of connections")]
mod stage;

use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::future::join_all;
use platform::{Platform, graph, until};
use receiver::Receiver;
use serde_json::json;
use uuid::Uuid;
use verdigraph_core::fleet::{self, WorkerAction};
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, Status};
use verdigraph_core::supervision::Part;
use verdigraph_core::{Caller, Error, events, mail, upkeep, webhooks};
use verdigraph_scripted::{Options, Run, Step};

/// Two workers run jobs; the third is paused, resumed and refreshed.
const WORKERS: usize = 3;
/// Timeout for a busy machine. An idle one needs hundredths of it.
const GOES_ON_WITHIN: Duration = Duration::from_secs(20);

/// The points of parts while jobs run and workers change.
const AT: [(Part, &str); 25] = [
    (Part::Ledger, "Deliver"),
    (Part::Ledger, "commit"),
    (Part::Ledger, "committed"),
    (Part::Dispatcher, "Wake"),
    (Part::Dispatcher, "PeerMessage"),
    (Part::Dispatcher, "FleetChanged"),
    (Part::Dispatcher, "StopJob"),
    (Part::Dispatcher, "AttemptEnded"),
    (Part::Dispatcher, "round"),
    (Part::Dispatcher, "claimed"),
    (Part::Dispatcher, "sweep"),
    (Part::Dispatcher, "beat"),
    (Part::Job, "prepare"),
    (Part::Job, "Report"),
    (Part::Job, "StopAttempt"),
    (Part::Fleet, "WorkerChanged"),
    (Part::Fleet, "Settle"),
    (Part::Connections, "Add"),
    (Part::Connection, "Assign"),
    (Part::Connection, "Stop"),
    (Part::Connection, "Refresh"),
    (Part::Connection, "Command"),
    (Part::Connection, "Link"),
    (Part::Connection, "Work"),
    (Part::Connection, "tick"),
];

/// The points of the parts that number events and deliver them.
const DELIVERING: [(Part, &str); 6] = [
    (Part::Events, "round"),
    (Part::Webhooks, "round"),
    (Part::Endpoint, "exchange"),
    (Part::Endpoint, "exchanged"),
    (Part::Endpoint, "AttemptDone"),
    (Part::Endpoint, "settle"),
];

/// A node whose jobs run long enough to be canceled.
async fn node() -> Platform {
    let slow = Options { delay: Duration::from_millis(200), ..Options::default() };
    Platform::of(vec![slow; WORKERS], |settings| {
        settings.jobs.heartbeat_seconds = 1;
        settings.jobs.retries = 5;
    })
    .await
}

/// Submits until it succeeds. The key ensures that it is one job.
async fn submit(platform: &Platform, key: &str) -> JobId {
    until("a job is accepted", || async {
        match platform.try_submit(graph(), Some(key)).await {
            Ok(submitted) => Some(submitted.id),
            Err(Error::Unavailable { .. } | Error::IdempotencyInFlight) => None,
            Err(error) => panic!("{key}: {error}"),
        }
    })
    .await
}

/// Cancels until it succeeds.
async fn cancel(platform: &Platform, job: JobId) {
    until("a job is canceled", || async {
        match jobs::cancel(&platform.core, &platform.caller, job).await {
            Ok(_) => Some(()),
            Err(Error::Unavailable { .. }) => None,
            Err(error) => panic!("{error}"),
        }
    })
    .await;
}

/// Exercises all parts: jobs from submit to end, a canceled job, a changed worker, and messages of other nodes.
async fn work(platform: &Platform, name: &str) {
    let core = &platform.core;
    let keys: Vec<String> = (0..4).map(|number| format!("{name}-{number}")).collect();
    let jobs = join_all(keys.iter().map(|key| submit(platform, key))).await;
    let admin = Caller::system();
    let third = fleet::list(core, &admin).expect("workers").into_iter().find(|worker| worker.name == "w2");
    let third = third.expect("three workers").id;
    for change in [WorkerAction::Pause, WorkerAction::Resume] {
        fleet::change(core, &admin, third, change).await.expect("a worker that is changed");
    }
    // Fails if this worker's connection is down.
    drop(fleet::refresh(core, &admin, third).await);
    let news = json!({ "from": Uuid::now_v7(), "news": { "waits": [["cpu", "api", 0]] } });
    core.shared.publish("queue", Bytes::from(news.to_string())).await;
    core.shared.publish("users", Bytes::from(platform.user.to_string())).await;
    let [first, ..] = jobs.as_slice() else { panic!("no jobs") };
    until("the first job runs", || async {
        let status = platform.status(*first).await.job.status;
        (status == Status::Running || status.is_terminal()).then_some(())
    })
    .await;
    cancel(platform, *first).await;
    for job in jobs {
        let ended = platform.end(job).await.job;
        assert!(matches!(ended.status, Status::Done | Status::Canceled), "{name}: {ended:?}");
    }
}

async fn drill(points: &[(Part, &'static str)]) {
    let platform = node().await;
    for (part, at) in points {
        let name = format!("{}-at-{at}", part.name());
        let panics = platform.core.supervisor.panics(*part);
        platform.core.supervisor.faults().plan(*part, at, 1);
        // On a busy machine a job may end before it is canceled.
        for round in 0..5 {
            work(&platform, &format!("{name}-{round}")).await;
            if platform.core.supervisor.faults().all_triggered() {
                break;
            }
        }
        assert!(platform.core.supervisor.faults().all_triggered(), "{name} was never met");
        assert_eq!(platform.core.supervisor.panics(*part), panics + 1, "{name}");
        let came = Instant::now();
        platform.until_status(submit(&platform, &format!("{name}-after")).await, Status::Done).await;
        assert!(came.elapsed() < GOES_ON_WITHIN, "{name}: the next job took {:?}", came.elapsed());
        until(&format!("{name}: nothing is down"), || async {
            platform.core.supervisor.troubled().iter().all(|health| health.down == 0).then_some(())
        })
        .await;
        platform.until_idle(WORKERS).await;
    }
    platform.audit().await;
}

#[actix::test]
async fn work_continues_after_ledger_or_job_panic() {
    let points: Vec<_> = AT.into_iter().filter(|(part, _)| matches!(part, Part::Ledger | Part::Job)).collect();
    drill(&points).await;
}

#[actix::test]
async fn work_continues_after_dispatcher_panic() {
    let points: Vec<_> = AT.into_iter().filter(|(part, _)| *part == Part::Dispatcher).collect();
    drill(&points).await;
}

#[actix::test]
async fn work_continues_after_fleet_or_connection_panic() {
    let of_fleet = |part: &Part| matches!(part, Part::Fleet | Part::Connections | Part::Connection);
    let points: Vec<_> = AT.into_iter().filter(|(part, _)| of_fleet(part)).collect();
    drill(&points).await;
}

#[actix::test]
async fn loop_continues_after_panic() {
    let platform = Platform::open(1).await;
    let core = &platform.core;
    let came = async |part: Part, times: u32| {
        until(&format!("{} panics and goes on", part.name()), || async {
            let health = core.supervisor.troubled().into_iter().find(|health| health.part == part);
            health.is_some_and(|health| health.panics == times && health.down == 0).then_some(())
        })
        .await;
    };
    core.supervisor.faults().plan(Part::Mail, "begin", 1);
    mail::start(core);
    came(Part::Mail, 1).await;
    core.supervisor.faults().plan(Part::Followers, "round", 1);
    came(Part::Followers, 1).await;
    core.supervisor.faults().plan(Part::Memory, "message", 1);
    core.shared.publish("users", Bytes::from(platform.user.to_string())).await;
    came(Part::Memory, 1).await;
    // Revocations and the memory of sessions are two loops of one part.
    core.supervisor.faults().plan(Part::Memory, "revocations", 1);
    came(Part::Memory, 2).await;
    core.supervisor.faults().plan(Part::Storage, "probe", 1);
    let files = core.settings.storage_folder();
    std::fs::rename(&files, files.with_extension("away")).expect("a folder to move");
    std::fs::write(&files, "in the way").expect("a file");
    assert!(matches!(core.files.storage.put("lost".into()).await, Err(Error::StorageAway)));
    came(Part::Storage, 1).await;
    std::fs::remove_file(&files).expect("a file to remove");
    std::fs::rename(files.with_extension("away"), &files).expect("a folder to move back");
    core.files.storage.health().back().await;
    core.supervisor.faults().plan(Part::Peers, "message", 1);
    core.shared.publish("queue", Bytes::from_static(b"{}")).await;
    came(Part::Peers, 1).await;
    platform.until_status(platform.submit().await, Status::Done).await;
    platform.audit().await;
}

#[actix::test]
async fn deliveries_continue_after_webhook_panic() {
    let platform = Platform::with(1, |settings| {
        settings.outbound.private_hosts = vec!["127.0.0.1".to_owned()];
        settings.webhooks.retry_seconds = vec![1; 9];
    })
    .await;
    let core = &platform.core;
    events::start(core);
    webhooks::start(core);
    let receiver = Receiver::start().await;
    let kinds = ["job.created", "job.started", "job.done"].map(str::to_owned);
    let config = webhooks::NewConfig { name: "drill".to_owned(), url: receiver.url.clone(), kinds: kinds.to_vec() };
    webhooks::create(core, &platform.caller, None, config).await.expect("a webhook");
    for (part, at) in DELIVERING {
        let name = format!("{}-at-{at}", part.name());
        core.supervisor.faults().plan(part, at, 1);
        let job = platform.submit().await;
        platform.until_status(job, Status::Done).await;
        until(&format!("{name} panics"), || async { core.supervisor.faults().all_triggered().then_some(()) }).await;
        // The lease of an endpoint that panicked ends now, instead of in six seconds.
        sqlx::query("UPDATE webhook_configs SET lease_until = now()").execute(&core.db).await.expect("leases");
        let arrived = until(&format!("{name}: all events of the job arrive"), || async {
            let arrived = receiver.first_arrivals(job);
            (arrived.len() == kinds.len()).then_some(arrived)
        })
        .await;
        assert_eq!(arrived, kinds, "{name}");
    }
    let panics = [(Part::Events, 1), (Part::Webhooks, 1), (Part::Endpoint, 4)];
    for (part, expected) in panics {
        assert_eq!(core.supervisor.panics(part), expected, "{}", part.name());
    }
    until("nothing is down", || async {
        core.supervisor.troubled().iter().all(|health| health.down == 0).then_some(())
    })
    .await;
    let seen = core.supervisor.faults().seen();
    let of_delivering = |(part, at): &&(&str, &str)| {
        let is_drilled = DELIVERING.iter().any(|one| one.1 == *at);
        // The begin of a loop is in the test of loops.
        panics.iter().any(|(one, _)| one.name() == *part) && !is_drilled && *at != "begin"
    };
    assert_eq!(seen.iter().filter(of_delivering).count(), 0, "no drill for some of {seen:?}");
    platform.audit().await;
}

#[actix::test]
async fn delivery_that_a_lost_endpoint_counted_is_sent() {
    let platform = Platform::with(1, |settings| {
        settings.outbound.private_hosts = vec!["127.0.0.1".to_owned()];
        settings.webhooks.retry_seconds = vec![1; 9];
    })
    .await;
    let core = &platform.core;
    let receiver = Receiver::start().await;
    let kinds = vec!["job.done".to_owned()];
    let config = webhooks::NewConfig { name: "drill".to_owned(), url: receiver.url.clone(), kinds };
    webhooks::create(core, &platform.caller, None, config).await.expect("a webhook");
    // Nothing is sent until the delivery is as the lost endpoint left it.
    sqlx::query("UPDATE webhook_configs SET paused_until = now() + interval '1 hour'")
        .execute(&core.db)
        .await
        .expect("a pause");
    events::start(core);
    webhooks::start(core);
    let job = platform.submit().await;
    platform.until_status(job, Status::Done).await;
    let counted = "UPDATE webhook_deliveries SET in_flight = true, attempts = 1";
    until("the delivery is queued", || async {
        let written = sqlx::query(counted).execute(&core.db).await.expect("a write");
        (written.rows_affected() == 1).then_some(())
    })
    .await;
    sqlx::query("UPDATE webhook_configs SET paused_until = NULL, due_at = now()").execute(&core.db).await.expect("due");
    until("it is sent", || async { (receiver.first_arrivals(job).len() == 1).then_some(()) }).await;
    platform.audit().await;
}

#[actix::test]
async fn upkeep_task_continues_after_panic() {
    let platform = Platform::open(1).await;
    let (core, admin) = (&platform.core, Caller::system());
    upkeep::start(core);
    let ended = async |name: &str| {
        until(&format!("{name} has a round"), || async {
            let tasks = upkeep::list(core, &admin).await.expect("tasks");
            let task = tasks.into_iter().find(|task| task.name == name).expect("a task of this name");
            if !task.is_running && task.failures > 0 {
                // Another task had the lock of a table. The next round would be a minute later.
                upkeep::run_now(core, &admin, name).await.expect("a task that is due");
            }
            (!task.is_running && task.ended_at.is_some() && task.failures == 0).then_some(())
        })
        .await;
    };
    for task in upkeep::TASKS {
        ended(task.name).await;
    }
    for (panics, task) in (1..).zip(upkeep::TASKS) {
        core.supervisor.faults().plan(Part::Upkeep, task.name, 1);
        upkeep::run_now(core, &admin, task.name).await.expect("a task that is due");
        until(&format!("{} panics", task.name), || async {
            (core.supervisor.panics(Part::Upkeep) == panics).then_some(())
        })
        .await;
        ended(task.name).await;
    }
    platform.until_status(platform.submit().await, Status::Done).await;
    platform.audit().await;
}

#[actix::test]
async fn job_with_two_actor_panics_fails_alone_without_charge() {
    let platform = Platform::open(1).await;
    platform.core.supervisor.faults().plan(Part::Job, "prepare", 2);
    let poison = platform.submit().await;
    let ended = platform.end(poison).await.job;
    assert_eq!((ended.status, ended.attempt), (Status::UnknownError, 2));
    assert_eq!(ended.credits_used, Some(0));
    assert!(ended.validate_exception.is_some_and(|why| why["message"].is_string()), "it says why");
    platform.until_status(platform.submit().await, Status::Done).await;
    platform.audit().await;
}

#[actix::test]
async fn panic_after_a_loss_does_not_count_as_second() {
    let platform = Platform::open(1).await;
    let faults = platform.core.supervisor.faults();
    faults.plan(Part::Connection, "Assign", 1);
    let job = platform.submit().await;
    until("its first attempt is lost", || async { faults.all_triggered().then_some(()) }).await;
    faults.plan(Part::Job, "prepare", 1);
    let ended = platform.end(job).await.job;
    // The first attempt never reached its worker, which costs no try.
    assert_eq!((ended.status, ended.attempt), (Status::Done, 2), "{ended:?}");
    assert!(faults.all_triggered(), "its actor did not panic");
    platform.audit().await;
}

#[actix::test]
async fn panic_during_stop_still_cancels_the_job() {
    let platform = Platform::open(1).await;
    let run = Run::success(&["1".into(), "2".into()], &[], Duration::ZERO);
    platform.servers[0].script(run.with_before("execution_success", Step::Hold));
    let job = platform.submit().await;
    platform.until_status(job, Status::Running).await;
    platform.core.supervisor.faults().plan(Part::Job, "StopAttempt", 1);
    cancel(&platform, job).await;
    let ended = platform.end(job).await.job;
    assert_eq!((ended.status, ended.attempt), (Status::Canceled, 1), "{ended:?}");
    assert!(platform.core.supervisor.faults().all_triggered(), "its actor did not panic");
    platform.audit().await;
}

#[actix::test]
async fn drill_covers_every_point() {
    let platform = node().await;
    work(&platform, "seen").await;
    let known: Vec<_> = AT.iter().map(|(part, at)| (part.name(), *at)).collect();
    // These points are reached before jobs run, in the test of loops, or only with jobs behind each other.
    let elsewhere = [
        "begin",
        "Listen",
        "Add",
        "All",
        "Probed",
        "message",
        "round",
        "message",
        "revocations",
        "Uploaded",
        "ExtendHold",
        "Withdraw",
    ];
    let seen = platform.core.supervisor.faults().seen();
    let missing: Vec<_> =
        seen.into_iter().filter(|point| !known.contains(point) && !elsewhere.contains(&point.1)).collect();
    assert!(missing.is_empty(), "no drill for {missing:?}");
    platform.audit().await;
}
