//! Outputs that are not what a stock node makes: files that cannot be fetched, nodes that expand into others.

use std::time::Duration;

use serde_json::{Value, json};
use verdigraph_core::fleet::UndeliveredCode;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, JobEvent, OutputPiece, Status};
use verdigraph_scripted::{Fault, Options, Run, Step, What, wild};

use crate::platform::{PATIENCE, Platform};

async fn platform() -> Platform {
    Platform::of(vec![Options::wild()], |_| {}).await
}

async fn submit(platform: &Platform, class: &str) -> JobId {
    let prompt = json!({"12": {"class_type": class, "inputs": {"seed": 1}, "_meta": {"title": "the maker"}}});
    platform.try_submit(prompt, None).await.expect("an accepted job").id
}

/// Files that were delivered, and notes about those that were not.
async fn found(platform: &Platform, job: JobId) -> (usize, Vec<(String, UndeliveredCode)>) {
    let outputs = jobs::outputs(&platform.core, &platform.caller, job).await.expect("outputs");
    assert!(outputs.iter().all(|output| output.node_id == "12"), "{outputs:?}");
    let (mut files, mut notes) = (0, Vec::new());
    for (_, piece) in outputs.into_iter().flat_map(|output| output.pieces) {
        match piece {
            OutputPiece::Undelivered(note) => notes.push((note.name, note.code)),
            _ => files += 1,
        }
    }
    (files, notes)
}

#[actix::test]
async fn a_job_delivers_the_good_files_and_says_which_it_does_not() {
    for (class, name, code) in [
        ("WildElsewhere", "away_00001_.png", UndeliveredCode::FileRefused),
        ("WildEmpty", "empty_00001_.png", UndeliveredCode::FileEmpty),
    ] {
        let platform = platform().await;
        let job = submit(&platform, class).await;
        let done = platform.until_status(job, Status::Done).await.job;
        assert_eq!((done.attempt, platform.servers[0].posted().len()), (1, 1), "{class} ran again");
        assert_eq!(found(&platform, job).await, (1, vec![(name.to_owned(), code)]), "{class}");
        let noted = jobs::undelivered(&platform.core, &platform.caller, &[done]).await.expect("notes");
        assert!(matches!(noted[&job].as_slice(), [(node, note)] if node == "12" && note.name == name), "{noted:?}");
        platform.audit().await;
    }
}

#[actix::test]
async fn a_job_of_which_nothing_can_be_delivered_ends_at_once_and_costs_nothing() {
    let platform = platform().await;
    platform.servers[0].fault(Fault::always("GET /view", What::Status(403, String::new())));
    let job = submit(&platform, "WildElsewhere").await;
    let ended = platform.end(job).await.job;
    assert_eq!((ended.status, ended.attempt), (Status::WorkerExceptionError, 1), "{ended:?}");
    let reason = ended.validate_exception.as_ref().and_then(|why| why["message"].as_str()).unwrap_or_default();
    assert!(reason.contains("good_00001_.png") && reason.contains("2 in all"), "{reason}");
    assert_eq!(ended.credits_used, Some(0), "nothing was delivered, and it was charged");
    platform.audit().await;
}

#[actix::test]
async fn a_job_whose_files_are_missing_at_two_tries_is_not_tried_a_third_time() {
    let platform = platform().await;
    platform.servers[0].fault(Fault::always("GET /view", What::Status(404, String::new())));
    let job = submit(&platform, "WildEmpty").await;
    let ended = platform.end(job).await.job;
    assert_eq!((ended.status, ended.attempt), (Status::WorkerExceptionError, 2), "{ended:?}");
    platform.audit().await;
}

#[actix::test]
async fn outputs_and_progress_of_expanded_nodes_belong_to_the_node_of_the_prompt() {
    let platform = platform().await;
    let run = wild::expanding("12");
    platform.servers[0].script(run.with_before("execution_success", Step::Hold));
    let job = submit(&platform, "WildLoop").await;
    let mut live = jobs::subscribe(&platform.core, &platform.caller, job, None).await.expect("a stream").1.live;
    platform.servers[0].heard("holds", 1).await;
    platform.servers[0].release();
    let listened = async {
        let mut steps = 0;
        loop {
            match live.recv().await.expect("an event").1 {
                JobEvent::Progress(progress) => {
                    assert_eq!((progress.node_id.as_str(), progress.node_title.as_str()), ("12", "the maker"));
                    assert!(progress.nodes_done <= progress.nodes_total, "{progress:?}");
                    steps += 1;
                }
                JobEvent::Status(status) if status.is_terminal() => return (status, steps),
                _ => {}
            }
        }
    };
    let (status, steps) = tokio::time::timeout(PATIENCE, listened).await.expect("a terminal status");
    assert_eq!(status, Status::Done);
    assert!(steps > 0, "no progress of the node was told");
    assert_eq!(found(&platform, job).await, (1, Vec::new()));
    platform.audit().await;
}

/// The node that an output under this id is delivered for, told by `meta` of the history and by no message.
async fn told_by_history(id: &str, meta: Value) -> (usize, Vec<(String, UndeliveredCode)>) {
    let platform = platform().await;
    let picture = json!({"images": [{"filename": "a_00001_.png", "subfolder": "", "type": "output"}]});
    let history = json!({"outputs": {id: picture}, "status": {"status_str": "success", "messages": []}, "meta": meta});
    let run = Run { history: Some(history), ..Run::success(&["12".to_owned()], &[], Duration::ZERO) };
    platform.servers[0].script(run);
    let job = submit(&platform, "WildLoop").await;
    platform.until_status(job, Status::Done).await;
    found(&platform, job).await
}

#[actix::test]
async fn a_history_alone_says_which_node_expanded() {
    let named = json!({"whatever": {"node_id": "whatever", "display_node": "12", "parent_node": "12"}});
    assert_eq!(told_by_history("whatever", named).await, (1, Vec::new()));
    assert_eq!(told_by_history("12.0.0.3", json!({})).await, (1, Vec::new()), "the id alone says it");
    let nested = json!({"12.0.0.3.1.0.2": {"display_node": "12.0.0.3", "parent_node": "12.0.0.3"}});
    assert_eq!(told_by_history("12.0.0.3.1.0.2", nested).await, (1, Vec::new()));
}
