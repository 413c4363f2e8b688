//! Jobs while the storage is unavailable: no output is lost or made again, and waiting is not charged.

use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, RunTerms, Status};
use verdigraph_core::settings::Settings;
use verdigraph_core::testing::s3::TestStore;
use verdigraph_core::{Error, assets};
use verdigraph_scripted::{Options, Step};

use crate::harness::{one_picture, run};
use crate::platform::{Platform, raw, until};
use crate::stage;

/// How long the storage is unavailable: longer than every time limit of a job.
const OUTAGE: Duration = Duration::from_secs(11);

/// Every time limit of a job. A run takes milliseconds, so that even a slow machine keeps it.
const LIMIT: Duration = Duration::from_secs(10);

/// A node whose storage can be cut off. Time limits of jobs are shorter than the outage.
async fn open(workers: Vec<Options>) -> (Platform, TestStore) {
    let store = TestStore::start().await;
    let mut patience = stage::hurried();
    patience.pace.collect = LIMIT;
    let platform = Platform::patient(workers, patience, |settings: &mut Settings| {
        store.configure(settings);
        settings.plans.iter_mut().for_each(|plan| plan.max_run_seconds = LIMIT.as_secs());
        settings.jobs.accept_seconds = LIMIT.as_secs();
        settings.jobs.stop_seconds = LIMIT.as_secs();
    })
    .await;
    (platform, store)
}

async fn until_away(platform: &Platform, for_so_long: Duration) {
    let reach = platform.core.files.storage.health();
    until("the storage counts as away", || async { reach.away_for().filter(|away| *away >= for_so_long).map(drop) })
        .await;
}

/// Starts jobs, each at its own worker. They end when the workers are released.
async fn running(platform: &Platform, count: usize) -> Vec<JobId> {
    let mut jobs = Vec::new();
    for server in &platform.servers {
        server.script(one_picture().with_before("execution_success", Step::Hold));
    }
    for _ in 0..count {
        jobs.push(platform.submit().await);
    }
    for job in &jobs {
        platform.until_status(*job, Status::Running).await;
    }
    jobs
}

fn count(platform: &Platform, what: &str) -> usize {
    platform.servers.iter().map(|server| server.count(what)).sum()
}

fn posts(platform: &Platform) -> usize {
    count(platform, "POST /prompt")
}

/// Checks that the job succeeded in its first attempt with one picture, charged for no more than its worker's time.
async fn is_done(platform: &Platform, job: JobId) {
    let done = platform.until_status(job, Status::Done).await.job;
    assert_eq!(done.attempt, 1, "{done:?}");
    let ran = done.ran_ms.expect("a time");
    assert!(ran < i64::try_from(OUTAGE.as_millis()).expect("short"), "charged for the outage: {done:?}");
    let outputs = jobs::outputs(&platform.core, &platform.caller, job).await.expect("outputs");
    assert_eq!(outputs.iter().map(|output| output.pieces.len()).sum::<usize>(), 1, "{outputs:?}");
}

#[actix::test]
async fn outage_keeps_results_and_starts_nothing() {
    let (platform, store) = open(vec![Options::default(); 4]).await;
    let began = std::time::Instant::now();
    let ending = running(&platform, 3).await;
    store.cut();
    platform.servers.iter().for_each(|server| server.release());
    until_away(&platform, Duration::ZERO).await;
    until("the node knows that all prompts have ended", || async {
        platform.core.fleet.roster().views().iter().all(|view| view.job.is_none()).then_some(())
    })
    .await;
    let ran_at_most = i64::try_from(began.elapsed().as_millis()).expect("a short time");
    let later = platform.submit().await;
    jobs::cancel(&platform.core, &platform.caller, ending[0]).await.expect("a job in flight can be canceled");
    let canceled = platform.until_status(ending[0], Status::Canceled).await.job;
    until_away(&platform, OUTAGE).await;
    let charged = canceled.ran_ms.expect("a time");
    assert!(charged <= ran_at_most, "charged for the outage: {charged} of {ran_at_most} ms: {canceled:?}");
    for job in &ending[1..] {
        assert_eq!(platform.status(*job).await.job.status, Status::Running, "its result is still to be stored");
        let why = jobs::why(&platform.core, &platform.caller, *job).await.expect("a reason");
        assert_eq!(why.code.name(), "STORAGE_AWAY");
    }
    assert_eq!(platform.status(later).await.job.status, Status::Pending, "nothing can be kept of what it would make");
    assert_eq!(jobs::why(&platform.core, &platform.caller, later).await.expect("a reason").code.name(), "STORAGE_AWAY");
    assert_eq!(posts(&platform), 3);

    store.restore();
    platform.until_status(later, Status::Running).await;
    platform.servers.iter().for_each(|server| server.release());
    is_done(&platform, later).await;
    for job in &ending[1..] {
        is_done(&platform, *job).await;
    }
    assert_eq!(posts(&platform), 4, "a prompt was posted twice");
    platform.audit().await;
}

#[actix::test]
async fn many_jobs_through_an_outage_run_once_each() {
    // Slower than jobs are submitted, so that some still wait when the storage is cut off.
    let slow = Options { delay: Duration::from_millis(100), ..Options::default() };
    let (platform, store) = open(vec![slow; 4]).await;
    let mut jobs = Vec::new();
    for _ in 0..40 {
        jobs.push(platform.submit().await);
    }
    until("some are done", || async { (posts(&platform) >= 12).then_some(()) }).await;
    store.cut();
    until_away(&platform, OUTAGE).await;
    assert!(posts(&platform) < jobs.len(), "all were begun before the outage: not a test of it");
    store.restore();
    for job in &jobs {
        is_done(&platform, *job).await;
    }
    assert_eq!(count(&platform, "run"), jobs.len(), "a prompt ran twice");
    // A prompt that waits behind another is posted again only where a worker became free and it was deleted before.
    let (again, deleted) = (posts(&platform) - jobs.len(), count(&platform, "POST /queue"));
    assert!(again <= deleted, "{again} prompts were posted twice, and {deleted} were deleted");
    platform.audit().await;
}

#[actix::test]
async fn socket_picture_waits_for_the_storage() {
    let mut options = Options::default();
    options.object_info["SaveImageWebsocket"] = json!({
        "input": {"required": {"images": ["IMAGE"]}}, "input_order": {"required": ["images"]}, "output": [],
        "output_is_list": [], "output_name": [], "name": "SaveImageWebsocket", "display_name": "", "description": "",
        "python_module": "custom_nodes.websocket_image_save", "category": "image", "output_node": true,
    });
    let (platform, store) = open(vec![options]).await;
    let metadata = json!({"node_id": "2", "prompt_id": verdigraph_scripted::THIS_PROMPT, "image_type": "image/png"});
    let picture = Step::Preview { metadata, bytes: png() };
    let sent = run().with_before("execution_success", picture).with_before("execution_success", Step::Hold);
    platform.servers[0].script(sent);
    let prompt = json!({
        "1": {"class_type": "EmptyImage", "inputs": {"width": 16, "height": 16, "batch_size": 1, "color": 255}},
        "2": {"class_type": "SaveImageWebsocket", "inputs": {"images": ["1", 0]}},
    });
    let job = platform.try_submit(prompt, None).await.expect("an accepted job").id;
    platform.until_status(job, Status::Running).await;
    store.cut();
    platform.servers[0].release();
    until_away(&platform, OUTAGE).await;
    assert_eq!(platform.status(job).await.job.status, Status::Running);
    store.restore();
    is_done(&platform, job).await;
    platform.audit().await;
}

#[actix::test]
async fn unreadable_input_waits_for_the_storage_without_losing_a_try() {
    let (platform, store) = open(vec![Options::default()]).await;
    let (core, caller) = (&platform.core, &platform.caller);
    let asset = assets::upload(core, caller, "a.png", png()).await.expect("an upload");
    // The outage is not known yet, so that the job is assigned.
    store.cut();
    platform.servers[0].script(one_picture());
    let submit = jobs::PromptSubmit {
        prompt: raw(&loading()),
        files: [("example.png".to_owned(), asset.id)].into(),
        extra_data: None,
        strict: false,
        terms: RunTerms::default(),
        idempotency_key: None,
        batch: None,
        labels: jobs::JobLabels::default(),
    };
    let job = jobs::submit_prompt(core, caller, submit).await.expect("an accepted job").id;
    until_away(&platform, OUTAGE).await;
    let waiting = platform.status(job).await.job;
    assert_eq!((waiting.status, waiting.attempt, posts(&platform)), (Status::Connecting, 1, 0), "{waiting:?}");
    let refused = assets::upload(core, caller, "b.png", another_png()).await;
    assert!(matches!(refused, Err(Error::StorageAway)), "{refused:?}");
    store.restore();
    is_done(&platform, job).await;
    assert_eq!(posts(&platform), 1);
    platform.audit().await;
}

fn loading() -> Value {
    json!({
        "1": {"class_type": "LoadImage", "inputs": {"image": "example.png"}},
        "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "test"}},
    })
}

fn png() -> Bytes {
    picture(16)
}

fn another_png() -> Bytes {
    picture(17)
}

fn picture(side: u32) -> Bytes {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::DynamicImage::new_rgb8(side, side).write_to(&mut bytes, image::ImageFormat::Png).expect("a picture");
    bytes.into_inner().into()
}
