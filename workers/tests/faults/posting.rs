//! Posting a prompt, and incomplete answers.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;
use verdigraph_core::fleet::{FleetCommand, ReportEvent};
use verdigraph_scripted::{Fault, FaultKind, Options, Run, Step};
use verdigraph_workers::connection::{OwnershipCheck, Settings};

use crate::harness::{ends_with, one_picture};
use crate::stage::{Stage, bounded, hurried, name, picture};

#[actix::test]
async fn left_out_outputs_are_reported_or_refuse_a_strict_job() {
    let mut stage = Stage::open().await;
    let errors = json!({"5": {"errors": [], "dependent_outputs": ["6"], "class_type": "EmptyImage"}});
    let run = || Run { node_errors: Some(errors.clone()), ..one_picture() };
    stage.server.script(run());
    let job = stage.assign(picture(), Vec::new());
    let events = stage.all(job).await;
    let told = events.iter().find_map(|event| match event {
        ReportEvent::Partial { node_errors } => Some(node_errors),
        _ => None,
    });
    assert_eq!(told, Some(&errors), "{events:?}");
    assert_eq!(name(events.last().unwrap()), "Finished");
    stage.idle().await;

    stage.server.script(run().with_before("execution_start", Step::Hold));
    stage.strict = true;
    let job = stage.assign(picture(), Vec::new());
    let event = stage.last(job).await;
    assert!(matches!(&event, ReportEvent::Refused { validation } if validation["node_errors"] == errors), "{event:?}");
    bounded("the prompt is stopped", stage.server.heard("POST /interrupt", 1)).await;
    stage.works().await;
}

#[actix::test]
async fn worker_dying_before_its_answer_loses_the_prompt() {
    ends_with(Fault::once("POST /prompt", FaultKind::Kill), "Lost").await;
    ends_with(Fault::once("POST /prompt", FaultKind::KillAfter), "Lost").await;
}

#[actix::test]
async fn prompt_taken_without_answer_is_found_and_finished() {
    let stage = ends_with(Fault::once("POST /prompt", FaultKind::DropAfter), "Finished").await;
    assert_eq!(stage.server.count("run"), 2, "the prompt must not run twice");
}

#[actix::test]
async fn prompt_not_taken_is_unreachable() {
    let stage = ends_with(Fault::once("POST /prompt", FaultKind::Drop), "Unreachable").await;
    assert_eq!(stage.server.count("run"), 1);
}

#[actix::test]
async fn server_restarted_during_post_has_no_prompt() {
    let mut stage = Stage::open().await;
    stage.server.fault(Fault::once("POST /prompt", FaultKind::Kill));
    let job = stage.assign(picture(), Vec::new());
    bounded("the server's death", stage.server.died()).await;
    stage.server.revive();
    assert_eq!(name(&stage.last(job).await), "Unreachable");
    stage.works().await;
}

#[actix::test]
async fn protocol_error_breaks_the_attempt() {
    ends_with(Fault::once("POST /prompt", FaultKind::Status(500, "500 Internal Server Error".into())), "ProtocolError")
        .await;
    ends_with(Fault::once("POST /prompt", FaultKind::Status(404, String::new())), "ProtocolError").await;
    ends_with(Fault::once("POST /prompt", FaultKind::Body("hello".into())), "ProtocolError").await;
    ends_with(Fault::once("POST /prompt", FaultKind::Body("{}".into())), "ProtocolError").await;
}

#[actix::test]
async fn hanging_post_times_out() {
    let mut settings = hurried();
    // An answer of a healthy server on a busy machine is sooner.
    settings.timeouts.prompt = Duration::from_secs(1);
    let mut stage = Stage::with(Options::default(), settings).await;
    stage.server.fault(Fault::once("POST /prompt", FaultKind::Hang));
    assert_eq!(name(&stage.run().await), "Unreachable");
    stage.works().await;
}

/// A worker whose node owns it as `owns` decides by how often the connection has asked; and that number.
async fn owned_if(owns: fn(usize) -> bool) -> (Stage, Arc<watch::Sender<usize>>) {
    let asked = Arc::new(watch::Sender::new(0));
    let count = Arc::clone(&asked);
    let ownership = OwnershipCheck::new(move |_| {
        count.send_modify(|asked| *asked += 1);
        owns(*count.borrow())
    });
    let stage = Stage::with(Options::default(), Settings { ownership, ..hurried() }).await;
    (stage, asked)
}

#[actix::test]
async fn prompt_of_a_node_suspended_while_it_posts_is_not_sent() {
    // The lease ends after the call has begun and before its body is written.
    let (mut stage, asked) = owned_if(|asked| asked == 1).await;
    let job = stage.assign(picture(), Vec::new());
    let mut questions = asked.subscribe();
    assert!(bounded("the next questions", questions.wait_for(|asked| *asked > 3)).await.is_ok());
    stage.command(FleetCommand::Release(stage.worker));
    assert_eq!(name(&stage.last(job).await), "Released");
    assert_eq!(stage.server.count("POST /prompt"), 0, "the job's next attempt would be its second run");
}

#[actix::test]
async fn withheld_prompt_is_sent_once_when_the_lease_is_back() {
    let (mut stage, _) = owned_if(|asked| asked == 1 || asked > 3).await;
    assert_eq!(name(&stage.run().await), "Finished");
    assert_eq!(stage.server.count("POST /prompt"), 1);
}

#[actix::test]
async fn long_prompt_withheld_halfway_is_not_taken_and_then_sent_whole() {
    // More than a connection buffers was written before the lease ends.
    let (mut stage, _) = owned_if(|asked| asked != 12).await;
    let job = stage.assign(long_prompt(), Vec::new());
    assert_eq!(name(&stage.last(job).await), "Finished");
    let posted = stage.server.posted();
    assert!(matches!(posted.as_slice(), [body] if body.len() > 1 << 20), "{} prompts", posted.len());
    stage.works().await;
}

/// A prompt whose body has many pieces.
fn long_prompt() -> Value {
    let mut prompt = picture();
    prompt["1"]["_meta"] = json!({ "title": "long".repeat(1 << 18) });
    prompt
}
