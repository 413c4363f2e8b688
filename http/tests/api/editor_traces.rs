//! Recorded runs of a real ComfyUI server, played by a scripted worker: the client of this platform gets the messages that
//! the real server's client got, in the same order.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::{Value, json};
use verdigraph_scripted::trace::{Case, Expected, Trace};
use verdigraph_scripted::{Options, Step, THIS_PROMPT};

use crate::editor_client::PlainClient;
use crate::editor_fixtures::traces;
use crate::editor_socket::{Frame, with_scripted_as};
use crate::posts;
use crate::site::Site;

/// The classes of the scripted server and of the built-in worker.
fn classes() -> Value {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(folder.join("../workers/src/cpu/object_info/v0.33.0.json")).expect("classes");
    let mut classes = Options::default().object_info;
    let built_in: Value = serde_json::from_str(&text).expect("JSON");
    let known = classes.as_object_mut().expect("classes");
    for (class, definition) in built_in.as_object().expect("classes") {
        known.entry(class.clone()).or_insert_with(|| definition.clone());
    }
    classes
}

/// Whether a run is one that a client of this platform sees in the same way: all its classes are known, its own client was
/// connected all the time, and its server lived.
fn is_played(case: &Case, classes: &Value) -> bool {
    let nodes = case.prompt.as_object().into_iter().flat_map(|nodes| nodes.values());
    let mut names = nodes.map(|node| node["class_type"].as_str().unwrap_or_default());
    let is_message =
        |step: &Step| matches!(step, Step::Text(_) | Step::Binary(_) | Step::Preview { .. } | Step::AwaitInterrupt);
    let ends = [Expected::Finished, Expected::Failed, Expected::Interrupted].contains(&case.expected);
    ends && names.all(|name| classes.get(name).is_some()) && case.run.steps.iter().all(is_message)
}

/// The types of the messages about a prompt. Both forms of previews are one: which of them a client gets depends on what
/// it announced. Messages about the client's other prompts, statuses and log lines are left out.
fn recorded(case: &Case) -> Vec<&str> {
    let steps = case.run.steps.iter();
    let kinds = steps.filter_map(|step| match step {
        Step::Binary(bytes) if bytes.starts_with(&[0, 0, 0, 3]) => Some("text"),
        Step::Binary(_) | Step::Preview { .. } => Some("preview"),
        // After a reconnect a server tells the running node without its prompt.
        Step::Text(message) if message["data"].get("prompt_id").is_none_or(|id| id == THIS_PROMPT) => {
            step.kind().filter(|kind| !["status", "logs"].contains(kind))
        }
        _ => None,
    });
    kinds.collect()
}

fn received(frames: &[Frame]) -> Vec<&str> {
    let kinds = frames.iter().map(|frame| match frame {
        Frame::Binary(bytes) if bytes.starts_with(&[0, 0, 0, 3]) => "text",
        Frame::Binary(_) => "preview",
        Frame::Text(_) => frame.kind(),
    });
    kinds.filter(|kind| *kind != "status").collect()
}

/// Whether the statuses of a job are in their places: two before its start, and one before its last message.
fn has_statuses(frames: &[Frame]) -> bool {
    let kinds: Vec<&str> = frames.iter().map(Frame::kind).collect();
    let places: BTreeSet<usize> = (0..kinds.len()).filter(|at| kinds[*at] == "status").collect();
    places == BTreeSet::from([0, 1, kinds.len() - 2])
}

#[actix_web::test]
async fn client_gets_the_messages_of_the_recorded_runs() {
    // The order is the recorded one however slow this machine is.
    let site = Site::with(|settings| settings.jobs.output_hold_seconds = 600).await;
    let ann = site.person().await;
    let classes = classes();
    let server = with_scripted_as(&site, Options { object_info: classes.clone(), ..Options::default() }).await;
    let client = PlainClient::of(&site, &ann, "authorization", "/api").await;
    let mut socket = client.socket().await;
    let (mut wrong, mut played) = (Vec::new(), BTreeMap::new());
    let files = ["v0.3.64", "v0.33.0"].into_iter().flat_map(traces);
    for (number, file) in files.enumerate() {
        // `editor_fixtures` sends its mistakes.
        if file.ends_with("06-validation-errors.jsonl") {
            continue;
        }
        let trace = Trace::read(&file).expect("a recording");
        let picture = posts::png(u8::try_from(number).expect("few files"));
        for mut case in trace.cases().into_iter().filter(|case| is_played(case, &classes)) {
            for node in case.prompt.as_object_mut().expect("nodes").values_mut() {
                if let Some(value) = node["inputs"]["image"].as_str().map(str::to_owned) {
                    let (name, folder) = value.find(" [").map_or((value.as_str(), ""), |at| value.split_at(at));
                    let stored = client.upload(&name.replace('/', "-"), picture.clone()).await;
                    node["inputs"]["image"] = json!(stored + folder);
                }
                if node["inputs"]["ckpt_name"].is_string() {
                    node["inputs"]["ckpt_name"] = json!("test.safetensors");
                }
            }
            let place = format!("{:?} line {}", file.file_name().unwrap_or_default(), case.line);
            let waiting = server.count("awaits interrupt");
            server.script(case.run.clone());
            let sent = json!({ "prompt": case.prompt, "client_id": client.id });
            let (status, answer) = client.post("/prompt", &sent).await;
            assert_eq!(status, 200, "{place}: {answer}");
            if case.run.steps.iter().any(|step| matches!(step, Step::AwaitInterrupt)) {
                let heard = server.heard("awaits interrupt", waiting + 1);
                tokio::time::timeout(Duration::from_secs(20), heard).await.expect("it may be interrupted");
                assert_eq!(client.post("/interrupt", &json!({})).await.0, 200);
            }
            let id = &answer["prompt_id"];
            let frames = socket.until("executing", |data| data["node"].is_null() && data["prompt_id"] == *id).await;
            if received(&frames) != recorded(&case) {
                wrong.push(format!("{place}: {:?} instead of {:?}", received(&frames), recorded(&case)));
            }
            if !has_statuses(&frames) {
                wrong.push(format!("{place}: statuses in {:?}", frames.iter().map(Frame::kind).collect::<Vec<_>>()));
            }
            *played.entry(format!("{:?}", case.expected)).or_insert(0) += 1;
        }
    }
    assert!(wrong.is_empty(), "{} of {played:?} differ: {wrong:#?}", wrong.len());
    let kinds: Vec<&String> = played.keys().collect();
    assert!(kinds == ["Failed", "Finished", "Interrupted"] && played.values().sum::<usize>() > 60, "{played:?}");
    drop(socket);
    site.finish().await;
}
