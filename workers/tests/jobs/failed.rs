//! Jobs that fail because of their worker, their graph, or a missing worker.

use std::time::Duration;

use serde_json::json;
use verdigraph_core::Error;
use verdigraph_core::jobs::Status;
use verdigraph_core::ledger::Balance;
use verdigraph_scripted::{Fault, FaultKind, Run, Step};

use crate::harness::{nodes, run};
use crate::platform::{Platform, until};

/// Runs one job on a worker where every attempt meets the same fault.
async fn ends_as(fault: Fault, expected: Status) {
    let platform = Platform::open(1).await;
    platform.servers[0].fault(fault.clone());
    let job = platform.submit().await;
    let ended = platform.end(job).await.job;
    assert_eq!(ended.status, expected, "{fault:?}: {:?}", ended.validate_exception);
    assert_eq!(ended.attempt, 3, "{fault:?}: two more tries come before the end");
    assert_eq!(ended.credits_used, Some(0), "a worker's fault is not charged");
    let why = ended.validate_exception.unwrap()["message"].as_str().unwrap().to_owned();
    assert!(why.contains("500") && why.contains("boom"), "the owner is told what the worker answered: {why}");
    assert_eq!(platform.balance().await, Balance { available: 6000, held: 0 });
    platform.audit().await;
}

#[actix::test]
async fn malformed_answers_end_as_worker_exception_error() {
    ends_as(Fault::always("POST /prompt", FaultKind::Status(500, "boom".into())), Status::WorkerExceptionError).await;
}

#[actix::test]
async fn repeated_worker_death_ends_as_worker_shutdown_error() {
    let platform = Platform::open(1).await;
    for _ in 0..3 {
        platform.servers[0].script(run().until("execution_success", Step::Restart));
    }
    let job = platform.submit().await;
    let ended = platform.end(job).await.job;
    assert_eq!((ended.status, ended.attempt), (Status::WorkerShutdownError, 3));
    assert_eq!(platform.balance().await, Balance { available: 6000, held: 0 });
    platform.audit().await;
}

#[actix::test]
async fn refused_prompt_ends_as_invalid_prompt_with_node() {
    let platform = Platform::open(1).await;
    let body = json!({
        "error": {"type": "prompt_outputs_failed_validation", "message": "Prompt outputs failed validation", "details": ""},
        "node_errors": {"2": {"errors": [{"type": "x", "message": "no", "details": "", "extra_info": {}}],
                               "dependent_outputs": ["2"], "class_type": "SaveImage"}},
    });
    platform.servers[0].script(Run { refusal: Some((400, body.to_string())), ..Run::default() });
    let job = platform.submit().await;
    let ended = platform.end(job).await.job;
    assert_eq!((ended.status, ended.attempt), (Status::InvalidPrompt, 1), "the same graph is refused again elsewhere");
    assert!(ended.validate_exception.unwrap()["node_errors"]["2"].is_object());
    assert_eq!(platform.balance().await.available, 6000);
    platform.audit().await;
}

#[actix::test]
async fn node_exception_ends_as_execute_error_with_details() {
    let platform = Platform::open(1).await;
    platform.servers[0].script(Run::failure(&nodes(), Duration::ZERO));
    let job = platform.submit().await;
    let ended = platform.end(job).await.job;
    assert_eq!(ended.status, Status::ExecuteError);
    assert_eq!(ended.execute_exception.unwrap()["exception_type"], "RuntimeError");
    platform.audit().await;
}

/// The failures of models that the job's page explains.
#[actix::test]
async fn failure_of_a_model_reaches_its_job_as_the_worker_says_it() {
    let failures: Vec<[String; 3]> =
        serde_json::from_str(include_str!("../../../web/src/features/jobs/model-failures.json")).expect("a table");
    let platform = Platform::open(1).await;
    for [exception, message, failure] in failures {
        platform.servers[0].script(Run::raising(&nodes(), Duration::ZERO, &exception, &message));
        let job = platform.submit().await;
        let ended = platform.end(job).await.job;
        assert_eq!(ended.status, Status::ExecuteError, "{failure}");
        assert_eq!(ended.attempt, 1, "{failure}: another try would end alike");
        let raised = ended.execute_exception.expect("an exception");
        assert_eq!(raised["exception_type"], json!(exception), "{failure}");
        assert_eq!(raised["exception_message"], json!(message), "{failure}");
    }
    platform.audit().await;
}

#[actix::test]
async fn invalid_graph_is_rejected_on_submit_with_all_errors() {
    let platform = Platform::open(1).await;
    let prompt = json!({
        "1": {"class_type": "EmptyImage", "inputs": {"width": 0, "height": "x", "batch_size": 1, "color": 0}},
        "2": {"class_type": "SaveImage", "inputs": {"images": ["9", 0], "filename_prefix": "t"}},
        "3": {"class_type": "NoSuchNode", "inputs": {}},
        "4": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "t"}},
    });
    let refused = platform.try_submit(prompt, None).await;
    let Err(Error::InvalidPrompt { validation }) = refused else { panic!("{refused:?}") };
    let faults = validation["node_errors"].as_object().unwrap();
    assert_eq!(faults.keys().collect::<Vec<_>>(), ["1", "2", "3"], "{validation:#}");
    assert_eq!(faults["1"]["errors"].as_array().unwrap().len(), 2, "width and height: {validation:#}");
    assert_eq!(platform.servers[0].count("POST /prompt"), 0);
    platform.audit().await;
}

#[actix::test]
async fn job_without_capable_worker_ends_as_connect_error() {
    let platform = Platform::with(1, |settings| settings.jobs.no_worker_seconds = 1).await;
    platform.servers[0].kill();
    until("the worker is gone", || async { platform.core.fleet.roster().free().is_empty().then_some(()) }).await;
    let job = platform.submit().await;
    let ended = platform.end(job).await.job;
    assert_eq!(ended.status, Status::ConnectError);
    assert!(ended.validate_exception.unwrap()["message"].as_str().unwrap().contains("no worker"));
    assert_eq!(platform.balance().await, Balance { available: 6000, held: 0 });
    platform.audit().await;
}
