//! What a client gets, compared with recordings of real servers.

use std::path::Path;

use verdigraph_core::fleet::Retention;

use super::*;

fn client_message(kind: &str, data: &Value) -> ClientMessage {
    ClientMessage { kind: kind.to_owned(), retention: Retention::Kept, body: data.to_string().into() }
}

fn end(status: Status, outputs: Map<String, Value>) -> JobEnd {
    JobEnd { status, outputs, exception: None, failure_type: status.name(), reason: None, timestamp: 7 }
}

fn kind(message: &Outgoing) -> &str {
    match message {
        Outgoing::Status => "status",
        Outgoing::Text { kind, .. } => kind,
        Outgoing::Preview(_) => "preview",
        Outgoing::NodeText(_) => "text",
    }
}

fn kinds(sent: &[Outgoing]) -> Vec<&str> {
    sent.iter().map(kind).collect()
}

fn data(message: &Outgoing) -> Value {
    match message {
        Outgoing::Text { data, .. } => serde_json::from_str(data).expect("JSON"),
        other => panic!("{other:?} has no data"),
    }
}

const MAX_HOLD: Duration = Duration::from_secs(1);

fn relay() -> JobRelay {
    let job = JobId::new();
    JobRelay::new(job, job.0, MAX_HOLD)
}

/// The message about a saved picture, and the stored outputs of its job.
fn saved(node: &str) -> (ClientMessage, Map<String, Value>) {
    let file = json!({ "filename": "a_00001_.png", "subfolder": "", "type": "output" });
    let data = json!({ "node": node, "display_node": node, "output": { "images": [file] }, "prompt_id": "p" });
    let stored = json!({ "images": [{ "filename": "stored.png", "subfolder": "", "type": "output" }] });
    (client_message("executed", &data), Map::from_iter([(node.to_owned(), stored)]))
}

/// The messages about each prompt of a recording to the client that queued it, until its end.
fn recorded_prompts(path: &Path) -> Vec<Vec<(String, Value)>> {
    let text = std::fs::read_to_string(path).expect("a recording");
    let events = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let messages: Vec<(String, String, Value)> = events
        .filter(|event| event["kind"] == "ws_text")
        .map(|event| {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            (text(&event["client"]), text(&event["msg"]["type"]), event["msg"]["data"].clone())
        })
        .collect();
    let starts = messages.iter().filter(|(_, kind, _)| kind == "execution_start");
    starts
        .map(|(client, _, start)| {
            let own = messages.iter().filter(|(to, _, data)| to == client && data["prompt_id"] == start["prompt_id"]);
            own.map(|(_, kind, data)| (kind.clone(), data.clone())).collect()
        })
        .collect()
}

#[test]
fn client_gets_the_recorded_messages_in_their_order() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../workers/tests/data/traces");
    let mut prompts = 0;
    for version in ["v0.3.64", "v0.33.0"] {
        for entry in std::fs::read_dir(folder.join(version)).expect("recordings") {
            let path = entry.expect("a file").path();
            for recorded in recorded_prompts(&path) {
                let ended = |(kind, _): &(String, Value)| {
                    ["execution_success", "execution_error", "execution_interrupted"].contains(&kind.as_str())
                };
                // The server was killed.
                let Some(place) = recorded.iter().position(ended) else { continue };
                let status = match recorded[place].0.as_str() {
                    "execution_success" => Status::Done,
                    "execution_error" => Status::ExecuteError,
                    _ => Status::Canceled,
                };
                let executed = recorded[..place].iter().filter(|(kind, _)| kind == "executed");
                // As if each file was stored under its own name.
                let mut outputs: Map<String, Value> = Map::new();
                for (_, data) in executed {
                    outputs
                        .insert(data["display_node"].as_str().unwrap_or_default().to_owned(), data["output"].clone());
                }
                let mut relay = relay();
                let mut sent = Vec::new();
                for (kind, data) in &recorded[..place] {
                    sent.extend(relay.message(&client_message(kind, data), Instant::now()));
                }
                sent.extend(relay.end(end(status, outputs)));
                let relayed: Vec<&str> = kinds(&sent).into_iter().filter(|kind| *kind != "status").collect();
                let mut expected: Vec<&str> = recorded[..=place].iter().map(|(kind, _)| kind.as_str()).collect();
                expected.push("executing");
                assert_eq!(relayed, expected, "{}", path.display());
                assert_eq!(kinds(&sent)[..2], ["status", "execution_start"]);
                assert_eq!(kinds(&sent)[sent.len() - 2..], ["status", "executing"]);
                let outputs = |messages: Vec<Value>| -> Vec<Value> {
                    messages.into_iter().map(|data| data["output"].clone()).collect()
                };
                let executed = sent.iter().filter(|message| kind(message) == "executed");
                let shown = recorded[..place].iter().filter(|(kind, _)| kind == "executed");
                assert_eq!(
                    outputs(executed.map(data).collect()),
                    outputs(shown.map(|(_, data)| data.clone()).collect()),
                    "{}",
                    path.display()
                );
                prompts += 1;
            }
        }
    }
    assert!(prompts > 150, "{prompts} prompts");
}

#[test]
fn output_waits_for_its_files_and_progress_does_not_wait_for_long() {
    let now = Instant::now();
    let mut relay = relay();
    let (executed, stored) = saved("9");
    let progress = client_message("progress_state", &json!({ "nodes": {} }));
    relay.status(Status::Running, 1);
    assert!(relay.message(&executed, now).is_empty(), "the files of the output do not exist yet");
    assert!(relay.message(&progress, now).is_empty(), "messages keep their order");
    assert_eq!(relay.holds_until(), Some(now + MAX_HOLD));
    assert_eq!(kinds(&relay.release()), ["progress_state"]);
    assert_eq!(kinds(&relay.message(&progress, now)), ["progress_state"]);
    let (another, _) = saved("10");
    assert!(relay.message(&another, now).is_empty());
    assert_eq!(relay.holds_until(), None, "messages wait once only");
    let sent = relay.end(end(Status::Done, stored));
    assert_eq!(kinds(&sent), ["executed", "executed", "execution_success", "status", "executing"]);
    assert_eq!(data(&sent[0])["output"]["images"][0]["filename"], "stored.png");
    assert_eq!(data(&sent[1])["output"], json!({ "images": [] }), "what is not stored is not shown");
}

#[test]
fn texts_are_shown_at_once() {
    let mut relay = relay();
    let data = json!({ "node": "1", "display_node": "1", "output": { "text": ["hi"] }, "prompt_id": "p" });
    let sent = relay.message(&client_message("executed", &data), Instant::now());
    assert_eq!(kinds(&sent), ["status", "execution_start", "executed"]);
}

#[test]
fn outputs_come_from_the_rows_where_messages_were_missed() {
    let mut relay = relay();
    let (_, stored) = saved("9");
    let sent = relay.end(end(Status::Done, stored));
    let expected = ["status", "execution_start", "executed", "execution_success", "status", "executing"];
    assert_eq!(kinds(&sent), expected);
    assert_eq!(data(&sent[2])["output"]["images"][0]["filename"], "stored.png");
}

#[test]
fn another_attempt_starts_again() {
    let mut relay = relay();
    let (executed, stored) = saved("9");
    assert_eq!(kinds(&relay.status(Status::Running, 1)), ["status", "execution_start"]);
    assert!(relay.status(Status::Running, 1).is_empty());
    relay.message(&executed, Instant::now());
    assert!(relay.status(Status::Pending, 1).is_empty());
    assert_eq!(kinds(&relay.status(Status::Running, 1)), ["status", "execution_start"]);
    let sent = relay.end(end(Status::Done, stored));
    assert_eq!(kinds(&sent), ["executed", "execution_success", "status", "executing"]);
}

#[test]
fn waiting_job_that_is_deleted_gives_only_a_status() {
    assert_eq!(kinds(&relay().end(end(Status::Canceled, Map::new()))), ["status"]);
    let mut relay = relay();
    relay.status(Status::Running, 1);
    relay.message(&client_message("executing", &json!({ "node": "3" })), Instant::now());
    let sent = relay.end(end(Status::Canceled, Map::new()));
    assert_eq!(kinds(&sent), ["execution_interrupted", "status", "executing"]);
    assert_eq!(data(&sent[0])["node_id"], "3");
}

#[test]
fn error_names_the_job_and_the_node_that_raised() {
    let id = JobId::new();
    let mut relay = JobRelay::new(id, id.0, MAX_HOLD);
    relay.status(Status::Running, 1);
    let exception = json!({ "prompt_id": "worker's", "node_id": "6", "exception_message": "raised" });
    let raised = JobEnd { exception: Some(exception), ..end(Status::ExecuteError, Map::new()) };
    let message = data(&relay.end(raised)[0]);
    assert_eq!(message["prompt_id"], id.to_string());
    assert_eq!((&message["node_id"], &message["exception_message"]), (&json!("6"), &json!("raised")));

    let lost = JobEnd {
        failure_type: "ServiceError",
        reason: Some("the worker was lost".to_owned()),
        ..end(Status::WorkerShutdownError, Map::new())
    };
    let sent = JobRelay::new(id, id.0, MAX_HOLD).end(lost);
    assert_eq!(kinds(&sent), ["execution_error", "status", "executing"]);
    let message = data(&sent[0]);
    assert_eq!((&message["node_id"], &message["exception_message"]), (&json!(""), &json!("the worker was lost")));
    assert_eq!(message["exception_type"], "ServiceError", "the word of the client's dialect");
}

#[test]
fn client_gets_its_own_id_of_the_prompt() {
    let (job, prompt_id) = (JobId::new(), Uuid::from_u128(7));
    let mut relay = JobRelay::new(job, prompt_id, MAX_HOLD);
    relay.status(Status::Running, 1);
    let state = json!({ "prompt_id": job, "nodes": { "3": { "prompt_id": job, "value": 1 } } });
    let sent = relay.message(&client_message("progress_state", &state), Instant::now());
    let expected = json!({ "prompt_id": prompt_id, "nodes": { "3": { "prompt_id": prompt_id, "value": 1 } } });
    assert_eq!(data(&sent[0]), expected);
    let sent = relay.end(end(Status::Done, Map::new()));
    assert_eq!(data(&sent[0])["prompt_id"], json!(prompt_id));
}
