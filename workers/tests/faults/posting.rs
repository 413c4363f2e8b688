//! The post of a prompt, and answers that say too little.

use std::time::Duration;

use serde_json::json;
use verdigraph_core::fleet::ReportEvent;
use verdigraph_scripted::{Fault, Options, Run, Step, What};

use crate::harness::{ends_with, one_picture};
use crate::stage::{Stage, bounded, hurried, name, picture};

#[actix::test]
async fn outputs_that_the_worker_leaves_out_are_told_or_refuse_a_job_that_wants_all() {
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
async fn a_worker_that_dies_before_it_answers_the_prompt_has_lost_it() {
    ends_with(Fault::once("POST /prompt", What::Kill), "Lost").await;
    ends_with(Fault::once("POST /prompt", What::KillAfter), "Lost").await;
}

#[actix::test]
async fn a_prompt_that_was_taken_without_an_answer_is_found_and_finished() {
    let stage = ends_with(Fault::once("POST /prompt", What::DropAfter), "Finished").await;
    assert_eq!(stage.server.count("run"), 2, "the prompt must not run twice");
}

#[actix::test]
async fn a_prompt_that_was_not_taken_goes_elsewhere() {
    let stage = ends_with(Fault::once("POST /prompt", What::Drop), "Unreachable").await;
    assert_eq!(stage.server.count("run"), 1);
}

#[actix::test]
async fn a_server_that_was_started_again_while_we_posted_has_not_got_the_prompt() {
    let mut stage = Stage::open().await;
    stage.server.fault(Fault::once("POST /prompt", What::Kill));
    let job = stage.assign(picture(), Vec::new());
    bounded("the server's death", stage.server.died()).await;
    stage.server.revive();
    assert_eq!(name(&stage.last(job).await), "Unreachable");
    stage.works().await;
}

#[actix::test]
async fn an_answer_that_breaks_the_protocol_breaks_the_attempt() {
    ends_with(Fault::once("POST /prompt", What::Status(500, "500 Internal Server Error".into())), "Broke").await;
    ends_with(Fault::once("POST /prompt", What::Status(404, String::new())), "Broke").await;
    ends_with(Fault::once("POST /prompt", What::Body("hello".into())), "Broke").await;
    ends_with(Fault::once("POST /prompt", What::Body("{}".into())), "Broke").await;
}

#[actix::test]
async fn a_hanging_post_is_given_up() {
    let mut settings = hurried();
    settings.timeouts.prompt = Duration::from_millis(200);
    let mut stage = Stage::with(Options::default(), settings).await;
    stage.server.fault(Fault::once("POST /prompt", What::Hang));
    assert_eq!(name(&stage.run().await), "Unreachable");
    stage.works().await;
}
