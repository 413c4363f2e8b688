//! Which workers accept a prompt, and what happens to its parts; on scripted workers over real sockets.

#[expect(dead_code, reason = "shared with the tests of jobs")]
mod platform;
#[expect(dead_code, reason = "shared with the tests of connections")]
mod stage;

use platform::{Platform, graph, raw};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use verdigraph_core::fleet::{self, NewWorker};
use verdigraph_core::jobs::{self, PromptSubmit, RunTerms, Status, Submitted};
use verdigraph_core::{Caller, Error, Result};
use verdigraph_scripted::{Options, Run, Scripted};

/// A server whose `EmptyImage` accepts widths from `least` on. Each such limit makes a different kind of worker.
fn taking_from(least: i64) -> Options {
    let mut options = Options::default();
    options.object_info["EmptyImage"]["input"]["required"]["width"][1]["min"] = json!(least);
    options
}

fn of_width(width: i64) -> Value {
    let mut prompt = graph();
    prompt["1"]["inputs"]["width"] = json!(width);
    prompt
}

async fn submit(platform: &Platform, prompt: &Value, strict: bool) -> Result<Submitted> {
    let submit = PromptSubmit {
        prompt: raw(prompt),
        files: Default::default(),
        extra_data: None,
        strict,
        terms: RunTerms::default(),
        idempotency_key: None,
        batch: None,
        labels: jobs::JobLabels::default(),
    };
    jobs::submit_prompt(&platform.core, &platform.caller, submit).await
}

fn kinds(refused: Result<Submitted>) -> Vec<String> {
    let Err(Error::InvalidPrompt { validation }) = refused else { panic!("not refused: {refused:?}") };
    let nodes = validation["node_errors"].as_object().unwrap().values();
    let errors = nodes.flat_map(|node| node["errors"].as_array().unwrap());
    errors.map(|error| error["type"].as_str().unwrap().to_owned()).collect()
}

#[actix::test]
async fn prompt_runs_only_at_workers_that_accept_it() {
    let platform = Platform::of(vec![taking_from(64), taking_from(1)], |_| {}).await;
    for _ in 0..3 {
        let job = submit(&platform, &of_width(16), false).await.expect("the second worker takes it");
        assert_eq!(job.workers, Some(1), "one of two can run it");
        platform.until_status(job.id, Status::Done).await;
    }
    assert_eq!(platform.servers[0].count("POST /prompt"), 0, "the first would refuse it");
    assert_eq!(submit(&platform, &of_width(64), false).await.unwrap().workers, Some(2));
    assert_eq!(kinds(submit(&platform, &of_width(0), false).await), ["value_smaller_than_min"]);
    let mine = jobs::list(&platform.core, &platform.caller, &jobs::JobFilter::default(), None, 9).await.unwrap();
    for job in mine {
        platform.end(job.id).await;
    }
    platform.audit().await;
}

#[actix::test]
async fn job_waits_for_a_worker_that_accepts_it() {
    let platform = Platform::of(vec![taking_from(64), taking_from(1)], |_| {}).await;
    platform.servers[1].kill();
    let job = submit(&platform, &of_width(16), false).await.expect("a worker was there that takes it").id;
    let late = Scripted::start(taking_from(8)).unwrap();
    let admin = Caller { admin: true, ..Caller::customer(platform.user) };
    let new = NewWorker { name: "late".into(), url: late.url(), pool: "cpu".into(), home: None };
    fleet::add(&platform.core, &admin, new).await.expect("a worker");
    platform.until_status(job, Status::Done).await;
    assert_eq!((platform.servers[0].count("POST /prompt"), late.count("POST /prompt")), (0, 1));
    platform.audit().await;
}

#[actix::test]
async fn refused_prompt_is_tried_at_another_kind_of_worker() {
    let platform = Platform::of(vec![taking_from(1), taking_from(2)], |_| {}).await;
    let refusal = json!({"error": {"type": "x", "message": "no", "details": "", "extra_info": {}}, "node_errors": {}});
    for server in &platform.servers {
        server.script(Run { refusal: Some((400, refusal.to_string())), ..Run::default() });
    }
    let job = submit(&platform, &of_width(16), false).await.unwrap().id;
    let ended = platform.end(job).await.job;
    assert_eq!((ended.status, ended.attempt), (Status::InvalidPrompt, 2), "each kind was asked once");
    platform.servers[0].script(Run { refusal: Some((400, refusal.to_string())), ..Run::default() });
    platform.until_idle(2).await;
    let mut attempts = 0;
    for _ in 0..4 {
        let job = submit(&platform, &of_width(16), false).await.unwrap().id;
        attempts = attempts.max(platform.until_status(job, Status::Done).await.job.attempt);
    }
    assert!(attempts <= 2);
    platform.audit().await;
}

/// A server with custom node classes.
fn custom_classes() -> Options {
    let mut options = Options::default();
    let classes: Value = serde_json::from_str(include_str!("../../core/tests/data/graph/wild-classes.json")).unwrap();
    options.object_info.as_object_mut().unwrap().extend(classes.as_object().unwrap().clone());
    options
}

fn latent_into_film() -> Value {
    json!({
        "1": {"class_type": "EmptyLatentImage", "inputs": {"width": 64, "height": 64, "batch_size": 1}},
        "2": {"class_type": "VHS_VideoCombine",
            "inputs": {"images": ["1", 0], "frame_rate": 8, "format": "image/gif"}},
    })
}

#[actix::test]
async fn custom_types_are_validated_by_the_worker() {
    let platform = Platform::of(vec![custom_classes()], |_| {}).await;
    let job = submit(&platform, &latent_into_film(), true).await.expect("the node may take it").id;
    platform.until_status(job, Status::Done).await;

    let errors = json!([{"type": "return_type_mismatch", "message": "Return type mismatch between linked nodes",
        "details": "images, received_type(LATENT) mismatch input_type(IMAGE)", "extra_info": {"input_name": "images"}}]);
    let node_errors = json!({"2": {"errors": errors, "dependent_outputs": ["2"], "class_type": "VHS_VideoCombine"}});
    let refusal = json!({"error": {"type": "prompt_outputs_failed_validation", "extra_info": {},
        "message": "Prompt outputs failed validation", "details": ""}, "node_errors": node_errors});
    platform.servers[0].script(Run { refusal: Some((400, refusal.to_string())), ..Run::default() });
    let job = submit(&platform, &latent_into_film(), false).await.expect("the node may take it").id;
    let ended = platform.end(job).await.job;
    assert_eq!((ended.status, ended.attempt), (Status::InvalidPrompt, 1), "the verdict is final");
    assert_eq!(ended.validate_exception.expect("a reason")["node_errors"], node_errors);
    platform.audit().await;
}

#[actix::test]
async fn worker_that_knows_the_value_is_preferred_to_one_that_may_take_it() {
    let of_mode = |mode: &str| {
        let mut options = custom_classes();
        options.object_info["WildText"]["input"]["required"]["mode"][0] = json!([mode]);
        options
    };
    let platform = Platform::of(vec![of_mode("one"), of_mode("two"), of_mode("three")], |_| {}).await;
    let of_mode = |mode: &str| {
        json!({
            "1": {"class_type": "WildText", "inputs":
                {"text": "", "strength": 1.0, "width": 512, "mode": mode, "flag": true, "seed": 8}},
            "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "x"}},
        })
    };
    for _ in 0..3 {
        let job = submit(&platform, &of_mode("two"), false).await.expect("the second worker knows it");
        assert_eq!(job.workers, Some(1));
        platform.until_status(job.id, Status::Done).await;
    }
    assert_eq!(platform.servers.iter().map(|server| server.count("POST /prompt")).collect::<Vec<_>>(), [0, 3, 0]);
    assert_eq!(submit(&platform, &of_mode("four"), false).await.unwrap().workers, Some(3), "each may take it");
    let mine = jobs::list(&platform.core, &platform.caller, &jobs::JobFilter::default(), None, 9).await.unwrap();
    for job in mine {
        platform.end(job.id).await;
    }
    platform.audit().await;
}

#[actix::test]
async fn valid_part_of_a_prompt_runs_and_the_rest_is_reported() {
    let platform = Platform::open(1).await;
    let mut prompt = graph();
    prompt["5"] = json!({"class_type": "EmptyImage", "inputs": {"width": 0, "height": 8, "batch_size": 1, "color": 1}});
    prompt["6"] = json!({"class_type": "PreviewImage", "inputs": {"images": ["5", 0]}});
    assert_eq!(kinds(submit(&platform, &prompt, true).await), ["value_smaller_than_min"], "all or nothing");
    let job = submit(&platform, &prompt, false).await.expect("the good part runs");
    assert_eq!(job.node_errors["5"]["dependent_outputs"], json!(["6"]));
    let done = platform.until_status(job.id, Status::Done).await.job;
    assert_eq!(done.node_errors, Some(job.node_errors), "the job tells it for good");
    let whole = platform.submit().await;
    assert_eq!(platform.until_status(whole, Status::Done).await.job.node_errors, None);
    platform.audit().await;
}

#[actix::test]
async fn new_node_class_is_found_by_a_limited_refresh() {
    let platform = Platform::of(vec![Options { any_class: true, ..Options::default() }], |_| {}).await;
    let server = &platform.servers[0];
    let mut prompt = graph();
    prompt["1"]["class_type"] = json!("JustInstalled");
    let mut info = Options::default().object_info;
    info["JustInstalled"] = info["EmptyImage"].clone();
    server.answer("/object_info", info);
    let job = submit(&platform, &prompt, false).await.expect("the worker was asked again").id;
    platform.until_status(job, Status::Done).await;
    let asked = server.count("GET /object_info");
    prompt["1"]["class_type"] = json!("NeverInstalled");
    for _ in 0..5 {
        assert_eq!(kinds(submit(&platform, &prompt, false).await), ["missing_node_type"]);
    }
    assert_eq!(server.count("GET /object_info"), asked, "it was asked a moment ago");

    let admin = Caller { admin: true, ..Caller::customer(platform.user) };
    let worker = platform.core.fleet.roster().views()[0].id;
    let before = platform.core.fleet.roster().view(worker).unwrap().node_classes;
    let mut info = Options::default().object_info;
    info["One"] = info["EmptyImage"].clone();
    info["Two"] = info["EmptyImage"].clone();
    server.answer("/object_info", info);
    let view = fleet::refresh(&platform.core, &admin, worker).await.expect("an answer");
    assert_eq!(view.node_classes, before + 1, "two came, one went");
    let refused = fleet::refresh(&platform.core, &platform.caller, worker).await;
    assert!(matches!(refused, Err(Error::Forbidden)), "{refused:?}");
    platform.audit().await;
}

#[actix::test]
async fn prompt_reaches_its_worker_unchanged() {
    let platform = Platform::open(1).await;
    let prompt = r#"{"1":{"inputs":{"width":16,"height":16,"batch_size":1,"color":255,"z":-0.0,
        "big":123456789012345678901234567890,"half":"\ud83d","zz":{"y":1,"b":2}},"class_type":"EmptyImage"},
        "2":{"class_type":"SaveImage","inputs":{"images":["1",0],"filename_prefix":"test"}}}"#;
    let extra = r#"{"extra_pnginfo":{"workflow":{"z":-0.0,"a":[12345678901234567890123,"\udc00"]}}}"#;
    let text = |text: &str| RawValue::from_string(text.to_owned()).expect("JSON");
    let submit = PromptSubmit {
        prompt: text(prompt),
        files: Default::default(),
        extra_data: Some(text(extra)),
        strict: true,
        terms: RunTerms::default(),
        idempotency_key: Some("k".into()),
        batch: None,
        labels: jobs::JobLabels::default(),
    };
    let job = jobs::submit_prompt(&platform.core, &platform.caller, submit.clone()).await.expect("an accepted job");
    platform.until_status(job.id, Status::Done).await;
    let posted = platform.servers[0].posted().pop().expect("a prompt");
    assert!(posted.contains(&prompt.replace("\n        ", "")), "{posted}");
    assert!(posted.contains(extra), "{posted}");
    assert!(jobs::submit_prompt(&platform.core, &platform.caller, submit).await.unwrap().replayed);
    // A repeated request behaves the same.
    let again = async |key: Option<&str>| {
        jobs::rerun(&platform.core, &platform.caller, job.id, jobs::RunTerms::default(), key.map(str::to_owned))
            .await
            .expect("the same once more")
    };
    let (second, other) = (again(Some("again")).await, again(None).await);
    assert!(again(Some("again")).await.id == second.id && other.id != second.id, "a key is one job");
    for id in [second.id, other.id] {
        platform.until_status(id, Status::Done).await;
        let posted = platform.servers[0].posted().pop().expect("a prompt");
        assert!(posted.contains(&prompt.replace("\n        ", "")) && posted.contains(extra), "{posted}");
    }
    platform.audit().await;
}
