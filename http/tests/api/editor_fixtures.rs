//! A plain ComfyUI client runs the recorded graphs at the editor's address with the built-in worker. Outputs, messages and
//! refusals are those of the real server, except where this file says otherwise.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use serde_json::Value;
use verdigraph_scripted::trace::{Expected, Trace};
use verdigraph_scripted::{Run, Step};

use crate::editor_client::{KEY_HEADERS, PlainClient};
use crate::editor_socket::Frame;
use crate::jobs::with_worker;
use crate::recorded::{Outputs, Recording};
use crate::site::Site;

/// The built-in worker sends the states of larger graphs less often, because each message has all nodes so far.
const NODES_WITH_ALL_STATES: usize = 64;

/// The recordings of a server's messages.
pub fn traces(version: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../workers/tests/data/traces").join(version);
    let entries = std::fs::read_dir(folder).expect("recordings");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    // The table has recording 06 in another form.
    files.retain(|file| !file.ends_with("06-validation-table.jsonl"));
    files.sort();
    files
}

/// What a client has fetched after a run.
#[derive(Default)]
struct Fetched {
    pictures: HashMap<(String, usize), Vec<u8>>,
    texts: HashMap<(String, usize), String>,
}

impl Outputs for Fetched {
    fn picture(&self, node: &str, place: usize) -> Option<Vec<u8>> {
        self.pictures.get(&(node.to_owned(), place)).cloned()
    }

    fn text(&self, node: &str, place: usize) -> Option<String> {
        self.texts.get(&(node.to_owned(), place)).cloned()
    }
}

/// A message in one line: its type, the node that it is about, and how many nodes have finished.
fn line(frame: &Frame) -> String {
    let data = frame.data();
    let node = |key: &str| data[key].as_str().unwrap_or("null").to_owned();
    match frame.kind() {
        kind @ ("executing" | "executed" | "progress") => format!("{kind} {}", node("node")),
        "progress_state" => {
            let nodes = data["nodes"].as_object().expect("states");
            let (running, finished): (Vec<_>, Vec<_>) = nodes.iter().partition(|(_, node)| node["state"] == "running");
            let running: Vec<&String> = running.into_iter().map(|(id, _)| id).collect();
            state(running.first().map(|id| id.as_str()), finished.len())
        }
        "binary" => match frame {
            // A text: the type, the length of the node's id, the id, the text.
            Frame::Binary(bytes) if bytes.starts_with(&[0, 0, 0, 3]) => {
                let length = usize::from(bytes[7]);
                format!("text {}", String::from_utf8_lossy(&bytes[8..8 + length]))
            }
            _ => "preview".to_owned(),
        },
        kind => kind.to_owned(),
    }
}

fn state(running: Option<&str>, finished: usize) -> String {
    format!("progress_state, {} runs, {finished} finished", running.unwrap_or("none"))
}

/// The nodes that these outputs need.
fn needed<'a>(prompt: &'a Value, outputs: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&str> = outputs.collect();
    while let Some(id) = open.pop() {
        if found.insert(id.to_owned()) {
            let inputs = prompt[id]["inputs"].as_object().into_iter().flat_map(|inputs| inputs.values());
            open.extend(inputs.filter_map(|input| input.as_array()?.first()?.as_str()));
        }
    }
    found
}

/// The nodes that have shown an output.
fn shown(frames: &[Frame]) -> BTreeSet<&str> {
    frames.iter().filter(|frame| frame.kind() == "executed").filter_map(|frame| frame.data()["node"].as_str()).collect()
}

/// Whether a node shows an output.
fn shows(node: &Value) -> bool {
    let class = node["class_type"].as_str().unwrap_or_default();
    class.starts_with("Save") || class.starts_with("Preview") || class == "MaskPreview"
}

/// What ComfyUI sends to the client of a prompt that succeeds, whose nodes ran in the order of these messages. `Err` has
/// the first difference.
fn check_order(frames: &[Frame], prompt: &Value) -> Result<(), String> {
    let mut found: Vec<String> = frames.iter().map(line).collect();
    // A node tells a text for each item of a list.
    found.dedup_by(|one, before| one == before && one.starts_with("text "));
    let cached: BTreeSet<&str> = frames
        .iter()
        .filter(|frame| frame.kind() == "execution_cached")
        .flat_map(|frame| frame.data()["nodes"].as_array().into_iter().flatten().filter_map(Value::as_str))
        .collect();
    let mut expected: Vec<String> =
        ["status", "status", "execution_start", "execution_cached"].map(str::to_owned).into();
    let mut ran = BTreeSet::new();
    for frame in frames.iter().filter(|frame| ["executing", "executed"].contains(&frame.kind())) {
        let Some(id) = frame.data()["node"].as_str().filter(|id| ran.insert((*id).to_owned())) else { continue };
        let finished = ran.len() - 1;
        if !cached.contains(id) {
            expected.extend([state(Some(id), finished), format!("executing {id}")]);
            expected.extend((prompt[id]["class_type"] == "GetImageSize").then(|| format!("text {id}")));
        }
        expected.extend(shows(&prompt[id]).then(|| format!("executed {id}")));
        expected.push(state(None, finished + 1));
    }
    expected.extend(["execution_success", "status", "executing null"].map(str::to_owned));
    let all: BTreeSet<String> = ran.iter().cloned().chain(cached.iter().map(|id| (*id).to_owned())).collect();
    let needed = needed(prompt, shown(frames).into_iter());
    if !needed.is_subset(&all) {
        return Err(format!("{all:?} ran or were cached, and not {needed:?}"));
    }
    let is_told = |line: &&String| {
        let states = line.strip_prefix("progress_state, ").and_then(|rest| rest.rsplit(' ').nth(1)?.parse().ok());
        states.is_none_or(|finished: usize| finished < NODES_WITH_ALL_STATES)
    };
    let (found, expected): (Vec<_>, Vec<_>) =
        (found.iter().filter(is_told).collect(), expected.iter().filter(is_told).collect());
    match (0..found.len().max(expected.len())).find(|at| found.get(*at) != expected.get(*at)) {
        None => Ok(()),
        Some(at) => Err(format!("message {at}: {:?} instead of {:?} in {found:#?}", found.get(at), expected.get(at))),
    }
}

/// The messages of a run for its own client; `None` for a run with more than messages, or with previews and steps.
fn messages(run: &Run) -> Option<Vec<Frame>> {
    let frames: Option<Vec<Frame>> = run
        .steps
        .iter()
        .map(|step| match step {
            Step::Text(message) => Some(Frame::Text(message.clone())),
            Step::Binary(bytes) if bytes.starts_with(&[0, 0, 0, 3]) => Some(Frame::Binary(bytes.to_vec())),
            _ => None,
        })
        .collect();
    let count = |frames: &[Frame], kind: &str| frames.iter().filter(|frame| frame.kind() == kind).count();
    // Another client's prompt gives a status too.
    frames.filter(|frames| {
        count(frames, "status") == 3 && ["progress", "logs"].iter().all(|kind| count(frames, kind) == 0)
    })
}

#[test]
fn order_of_messages_is_that_of_the_recordings() {
    for version in ["v0.3.64", "v0.33.0"] {
        let mut checked = 0;
        for file in traces(version) {
            let trace = Trace::read(&file).expect("a recording");
            for case in trace.cases().into_iter().filter(|case| case.expected == Expected::Finished) {
                let Some(frames) = messages(&case.run) else { continue };
                checked += 1;
                let right = check_order(&frames, &case.prompt);
                assert_eq!(right, Ok(()), "{version} {:?} line {}", file.file_name(), case.line);
            }
        }
        assert!(checked >= 30, "{version}: only {checked} prompts were checked");
    }
}

#[actix_web::test]
async fn recorded_graphs_run_with_their_outputs_and_messages() {
    // The order is the recorded one however slow this machine is.
    let site = Site::with(|settings| settings.jobs.output_hold_seconds = 600).await;
    let ann = site.person().await;
    let (worker, _folder) = with_worker(&site).await;
    let mut clients = Vec::new();
    for prefix in ["", "/api"] {
        for header in KEY_HEADERS {
            clients.push(PlainClient::of(&site, &ann, header, prefix).await);
        }
    }
    let mut wrong = Vec::new();
    for (number, recording) in Recording::all().into_iter().enumerate() {
        let client = &clients[number % clients.len()];
        // A socket for each: it gets a status for the prompts of all clients of its account.
        let mut socket = client.socket().await;
        let read = |name: &str| std::fs::read(recording.folder.join(name)).expect("a file");
        let mut prompt: Value = serde_json::from_slice(&read("workflow.json")).expect("JSON");
        for node in prompt.as_object_mut().expect("nodes").values_mut() {
            let is_file = ["LoadImage", "LoadImageMask"].contains(&node["class_type"].as_str().unwrap_or_default());
            if let Some(name) = node["inputs"]["image"].as_str().filter(|_| is_file).map(str::to_owned) {
                node["inputs"]["image"] = client.upload(&name, read(&name)).await.into();
            }
        }
        let (id, frames) = client.run(&mut socket, &prompt).await;
        let entry = client.history(&id).await;
        let mut faults: Vec<String> = check_order(&frames, &prompt).err().into_iter().collect();
        let outputs: BTreeSet<&str> = prompt
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(_, node)| shows(node))
            .map(|(id, _)| id.as_str())
            .collect();
        if shown(&frames) != outputs {
            faults.push(format!("{:?} were shown instead of {outputs:?}", shown(&frames)));
        }
        if entry["status"]["status_str"] != "success" {
            faults.push(format!("it ended as {}", entry["status"]));
        }
        let mut fetched = Fetched::default();
        for (node, output) in entry["outputs"].as_object().expect("outputs") {
            let told = frames.iter().find(|frame| frame.kind() == "executed" && frame.data()["node"] == *node);
            if told.map(|frame| &frame.data()["output"]) != Some(output) {
                faults.push(format!("node {node}: the socket showed {told:?}, the history {output}"));
            }
            for (place, text) in output["text"].as_array().into_iter().flatten().enumerate() {
                fetched.texts.insert((node.clone(), place), text.as_str().unwrap_or_default().to_owned());
            }
            for (place, file) in output["images"].as_array().into_iter().flatten().enumerate() {
                let bytes = client.view(file).await;
                fetched.pictures.extend(bytes.map(|bytes| ((node.clone(), place), bytes)));
            }
        }
        faults.extend(recording.differences(&fetched));
        wrong.extend(faults.into_iter().map(|fault| format!("{}: {fault}", recording.name())));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

/// ComfyUI fails with 500 for these, as for bodies that are no JSON; here they get an error that says what is wrong.
const REFUSED_WITH_400: u16 = 500;

/// ComfyUI fails in its own code for these, where this platform names the inputs that are missing.
const WITHOUT_INPUTS: [&str; 2] = ["inputs missing", "inputs missing on output node"];
/// ComfyUI runs it; no JSON of this platform has a place for it.
const NOT_A_NUMBER: &str = "FLOAT given NaN literal";

/// Each node with the types of its errors, and whether its outputs depend on it.
fn node_faults(answer: &Value) -> Vec<(String, Vec<String>, Vec<String>, bool)> {
    let nodes = answer["node_errors"].as_object().into_iter().flatten();
    let texts = |value: &Value, key: Option<&str>| {
        let items = value.as_array().into_iter().flatten();
        let mut texts: Vec<String> =
            items.filter_map(|item| key.map_or(item, |key| &item[key]).as_str().map(str::to_owned)).collect();
        texts.sort();
        texts
    };
    let fault = |(id, node): (&String, &Value)| {
        let errors = texts(&node["errors"], Some("type"));
        (id.clone(), errors, texts(&node["dependent_outputs"], None), node["class_type"].is_string())
    };
    let mut faults: Vec<_> = nodes.map(fault).collect();
    faults.sort();
    faults
}

#[actix_web::test]
async fn recorded_mistakes_are_refused_as_recorded() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_worker(&site).await;
    let client = PlainClient::of(&site, &ann, "api-key", "/api").await;
    let table = traces("v0.33.0")[0].with_file_name("06-validation-table.jsonl");
    let table = std::fs::read_to_string(table).expect("a recording");
    let (mut wrong, mut refused) = (Vec::new(), 0);
    for row in table.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")) {
        let (case, recorded) = (row["case"].as_str().expect("a name"), &row["response"]);
        let request = &row["request"];
        // Bodies that are no JSON were recorded as texts.
        let raw = request.get("raw_body").unwrap_or(request).as_str();
        let body = raw.map_or_else(|| request.to_string(), str::to_owned);
        let answer = client.ask(reqwest::Method::POST, "/prompt").body(body).send().await.expect("an answer");
        let (status, answer) = (answer.status().as_u16(), answer.json::<Value>().await.expect("JSON"));
        let recorded_status = row["status"].as_u64().and_then(|status| u16::try_from(status).ok()).expect("a status");
        if status == 400 {
            refused += 1;
            let error = &answer["error"];
            let has_shape = error["type"].is_string()
                && error["message"].is_string()
                && error["details"].is_string()
                && error["extra_info"].is_object()
                && answer["node_errors"].is_object();
            if !has_shape {
                wrong.push(format!("{case}: {answer} has not the shape of ComfyUI"));
            }
        }
        if recorded_status == REFUSED_WITH_400 || case == NOT_A_NUMBER {
            if status >= 500 {
                wrong.push(format!("{case}: {status}"));
            }
            continue;
        }
        if (status, &answer["error"]["type"]) != (recorded_status, &recorded["error"]["type"]) {
            wrong.push(format!("{case}: {status} {answer} instead of {recorded_status} {recorded}"));
        }
        // The platform also names the node of a class that is missing, so that front ends can mark it.
        let is_same = node_faults(&answer) == node_faults(recorded)
            || recorded["error"]["type"] == "missing_node_type"
            || WITHOUT_INPUTS.contains(&case);
        if !is_same {
            wrong.push(format!("{case}: {:?} instead of {:?}", node_faults(&answer), node_faults(recorded)));
        }
    }
    assert!(wrong.is_empty() && refused > 30, "{refused} were refused; {wrong:#?}");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}
