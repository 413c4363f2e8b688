//! Worker messages for the clients that queued the prompts, on every node.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Value, json};
use verdigraph_core::fleet::ClientMessage;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, PromptSubmit, RunTerms, Status};
use verdigraph_scripted::Step;

use crate::harness::one_picture;
use crate::platform::{Platform, graph, raw, start, until};
use crate::stage;

async fn submit(platform: &Platform, extra_data: Value) -> JobId {
    let submit = PromptSubmit {
        prompt: raw(&graph()),
        files: HashMap::new(),
        extra_data: Some(raw(&extra_data)),
        strict: false,
        terms: RunTerms::default(),
        idempotency_key: None,
        batch: None,
        labels: jobs::JobLabels::default(),
    };
    jobs::submit_prompt(&platform.core, &platform.caller, submit).await.expect("a job").id
}

fn kinds(messages: &[(u64, ClientMessage)]) -> Vec<&str> {
    messages.iter().map(|(_, message)| message.kind.as_str()).collect()
}

#[actix::test]
async fn worker_messages_reach_clients_on_every_node() {
    let platform = Platform::open(1).await;
    platform.servers[0].script(one_picture().with_before("execution_success", Step::Hold));
    let second = platform.core.another("second");
    start(&second, &[], stage::hurried()).await;
    let job = submit(&platform, json!({ "client_id": "a" })).await;
    platform.until_status(job, Status::Running).await;
    let all = ["execution_start", "execution_cached", "executing", "progress_state", "executing", "progress_state"];
    let all: Vec<&str> = all.into_iter().chain(["executed"]).collect();
    let here = platform.core.queue.events();
    let first = until("the messages", || async {
        let messages = here.messages_since(job, 0);
        (messages.len() == all.len()).then_some(messages)
    })
    .await;
    assert_eq!(kinds(&first), all, "a client that comes late misses nothing of a short prompt");
    for (_, message) in &first {
        let data: Value = serde_json::from_slice(&message.body).expect("JSON");
        assert_eq!(data["prompt_id"], job.to_string(), "{message:?}");
    }

    let (_, _, mut there) = jobs::subscribe_client(&second, &platform.caller, job).await.expect("a subscription");
    let mut heard = there.missed;
    while heard.len() < first.len() {
        heard.push(
            tokio::time::timeout(Duration::from_secs(20), there.live.recv()).await.expect("in time").expect("one"),
        );
    }
    assert_eq!(heard, first, "the same messages, with the same ids");
    platform.servers[0].release();
    platform.end(job).await;
    platform.audit().await;
}

#[actix::test]
async fn messages_are_relayed_only_for_prompts_of_clients() {
    let platform = Platform::open(1).await;
    platform.servers[0].script(one_picture().with_before("execution_success", Step::Hold));
    let job = submit(&platform, json!({ "extra_pnginfo": {} })).await;
    platform.until_status(job, Status::Running).await;
    until("the last step", || async { platform.core.queue.events().progress(job).filter(|it| it.node_id == "2") })
        .await;
    assert!(platform.core.queue.events().messages_since(job, 0).is_empty());
    platform.servers[0].release();
    platform.end(job).await;
    platform.audit().await;
}
