//! Messages for the client that submitted the job, compared with recordings of real servers.

use std::path::Path;

use bytes::Bytes;
use verdigraph_core::fleet::{ClientMessage, Retention};

use super::super::state::{PREVIEW, TEXT};
use super::*;
use crate::comfy::{NodeStep, frame, json as lenient, message as comfy};

impl TestConnection {
    /// A connection whose prompt was posted for a client that wants the messages.
    fn relaying(prompt_id: &str, nodes: &[&str]) -> Self {
        let mut connection = Self::idle();
        connection.apply(Event::Assign {
            serial: SERIAL,
            job: connection.job,
            attempt: 1,
            prompt_id: prompt_id.to_owned(),
            uploads: false,
            node_order: Arc::new(nodes.iter().map(|node| (*node).to_owned()).collect()),
            relays: true,
            begin: AssignMode::Post,
        });
        connection
    }

    /// The messages for the client that an event causes.
    fn relays(&mut self, event: Event) -> Vec<ClientMessage> {
        let client = |action: &Action| match action {
            Action::Report { event: ReportEvent::Client(message), .. } => Some(message.clone()),
            _ => None,
        };
        self.apply(event).iter().filter_map(client).collect()
    }
}

/// A text message to a client of a recording: the client's label, and the message.
struct Recorded {
    client: String,
    message: Value,
}

fn recordings() -> Vec<(String, Vec<Recorded>)> {
    let mut recordings = Vec::new();
    for version in ["v0.3.64", "v0.33.0"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/traces").join(version);
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let events = text.lines().filter_map(|line| lenient::read::<Value>(line.as_bytes()).ok());
            let texts = events.filter(|event| event["kind"] == "ws_text");
            let messages = texts.map(|event| Recorded {
                client: event["client"].as_str().unwrap_or_default().to_owned(),
                message: event["msg"].clone(),
            });
            recordings.push((path.display().to_string(), messages.collect()));
        }
    }
    recordings
}

fn kind(message: &Value) -> &str {
    message["type"].as_str().unwrap_or_default()
}

/// What the platform decides instead of the worker: how the prompt ends.
fn ends(message: &Value) -> bool {
    matches!(kind(message), "execution_success" | "execution_error" | "execution_interrupted")
        || (kind(message) == "executing" && message["data"]["node"].is_null())
}

#[test]
fn relayed_messages_are_those_recorded_from_real_servers() {
    let mut prompts = 0;
    for (place, messages) in recordings() {
        for start in messages.iter().filter(|it| kind(&it.message) == "execution_start") {
            let id = start.message["data"]["prompt_id"].as_str().unwrap();
            let own = messages.iter().filter(|it| it.client == start.client && it.message["data"]["prompt_id"] == id);
            let own: Vec<&Value> = own.map(|it| &it.message).collect();
            let until_end: Vec<&Value> = own.iter().copied().take_while(|message| !ends(message)).collect();
            let mut connection = TestConnection::relaying(id, &[]);
            let job = connection.job.to_string();
            let mut relayed = Vec::new();
            for message in own {
                let message = comfy::text(&message.to_string()).unwrap();
                relayed.extend(connection.relays(Event::Message(message)));
            }
            let kinds: Vec<&str> = relayed.iter().map(|message| message.kind.as_str()).collect();
            let recorded: Vec<&str> = until_end.iter().map(|message| kind(message)).collect();
            assert_eq!(kinds, recorded, "{place}: {id}");
            for (message, recorded) in relayed.iter().zip(until_end) {
                let data: Value = serde_json::from_slice(&message.body).unwrap();
                let expected: Value = serde_json::from_str(&recorded["data"].to_string().replace(id, &job)).unwrap();
                assert_eq!(data, expected, "{place}: {}", message.kind);
            }
            prompts += 1;
        }
    }
    assert!(prompts > 200, "{prompts} prompts");
}

#[test]
fn pictures_and_texts_are_relayed_with_the_jobs_id() {
    let mut connection = TestConnection::relaying(PROMPT, &["3"]);
    let start = ServerMessage::ExecutionStart { prompt_id: PROMPT.into(), timestamp: Some(1) };
    connection.apply(WorkEvent::Posted(PostAnswer::Queued { prompt_id: PROMPT.into(), node_errors: json!({}) }));
    assert_eq!(connection.relays(message(start)).len(), 1);
    let (job, bytes) = (connection.job.to_string(), Bytes::from_static(b"JPEG"));
    let preview = |prompt_id: &str| ServerMessage::Preview {
        prompt_id: Some(prompt_id.to_owned()),
        node: Some("3".into()),
        content_type: "image/jpeg",
        bytes: bytes.clone(),
    };
    let relayed = connection.relays(message(preview(PROMPT)));
    assert_eq!((relayed[0].kind.as_str(), relayed[0].retention), (PREVIEW, Retention::Passing));
    assert_eq!(comfy::binary(&relayed[0].body), Ok(preview(&job)));
    assert!(connection.relays(message(preview("another prompt"))).is_empty());

    let text = |node: &str| ServerMessage::Text { node: node.into(), text: "48 x 32".into() };
    let relayed = connection.relays(message(text("3")));
    assert_eq!((relayed[0].kind.as_str(), &relayed[0].body), (TEXT, &frame::text("3", "48 x 32")));
    assert!(connection.relays(message(text("7"))).is_empty(), "a text of another client's prompt");
}

#[test]
fn job_without_a_client_gets_no_messages() {
    let mut connection = TestConnection::running();
    let node = Some("3".to_owned());
    let executing = ServerMessage::Executing { prompt_id: Some(PROMPT.into()), node, display_node: None };
    assert!(connection.relays(message(executing)).is_empty());
}

#[test]
fn repeated_step_is_reported_once() {
    let mut connection = TestConnection::running();
    let step = |value| NodeStep { node: "3".into(), display_node: None, value, max: 20.0, finished: false };
    let progress =
        |value| ServerMessage::Progress { prompt_id: Some(PROMPT.into()), node: Some("3".into()), value, max: 20.0 };
    let state = |value| {
        let (prompt_id, nodes) = (PROMPT.to_owned(), vec![step(value)]);
        ServerMessage::ProgressState { prompt_id, nodes, all: Value::Null }
    };
    connection.apply(message(progress(4.0)));
    assert_eq!(connection.actions.len(), 1);
    connection.apply(message(state(4.0)));
    assert!(connection.actions.is_empty());
    connection.apply(message(state(5.0)));
    assert_eq!(connection.actions.len(), 1);
}
