//! Replays recordings of two real server versions to a worker over a real socket: each prompt ends as recorded, and the
//! connection works afterwards.

mod stage;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;
use stage::{Stage, bounded, hurried, name};
use verdigraph_core::fleet::{NodeOutput, OutputItem, OutputKind, ReportEvent};
use verdigraph_scripted::trace::{Case, Expected, Trace};
use verdigraph_scripted::{Fault, FaultKind, MemoryFiles, Options, Run, Scripted, Step, THIS_PROMPT};
use verdigraph_workers::comfy::output::{FileRef, Folder, Piece, pieces};
use verdigraph_workers::comfy::{Client, transport};

fn recordings(version: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/traces").join(version);
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    // The table contains recording 06 in another form.
    files.retain(|file| !file.ends_with("06-validation-table.jsonl"));
    files.sort();
    files
}

fn recording(version: &str, start: &str) -> Trace {
    let files = recordings(version);
    let file = files.iter().find(|file| file.file_name().unwrap().to_string_lossy().starts_with(start)).unwrap();
    Trace::read(file).unwrap()
}

/// A stage whose server answers requests as recorded.
async fn stage_of(trace: &Trace) -> Stage {
    let server = Scripted::start(Options { any_class: true, ..Options::default() }).unwrap();
    for (path, answer) in trace.answers() {
        if path.starts_with("/models") || ["/system_stats", "/features"].contains(&path) {
            server.answer(path, answer.clone());
        }
    }
    let mut stage = Stage::on(server, hurried());
    stage.idle().await;
    stage
}

async fn play(stage: &mut Stage, case: &Case) -> Vec<ReportEvent> {
    stage.idle().await;
    let waits = |wanted: fn(&Step) -> bool| case.run.steps.iter().any(wanted);
    let interrupts = stage.server.count("awaits interrupt");
    stage.server.script(case.run.clone());
    let job = stage.assign(case.prompt.clone(), Vec::new());
    let mut events = Vec::new();
    if waits(|step| matches!(step, Step::AwaitInterrupt)) {
        bounded("until it may be interrupted", stage.server.heard("awaits interrupt", interrupts + 1)).await;
        stage.stop(job);
    } else if waits(|step| matches!(step, Step::AwaitDelete)) {
        events.push(stage.reported(job, |event| name(event) == "Accepted").await);
        stage.stop(job);
    }
    events.extend(stage.all(job).await);
    events
}

/// The recorded node outputs: from executed messages, overridden by the history.
fn shown(run: &Run) -> BTreeMap<String, Value> {
    let executed = run.steps.iter().filter_map(|step| match step {
        Step::Text(message) if message["type"] == "executed" && message["data"]["prompt_id"] == THIS_PROMPT => {
            Some((message["data"]["node"].as_str()?.to_owned(), message["data"]["output"].clone()))
        }
        _ => None,
    });
    let mut shown: BTreeMap<_, _> = executed.collect();
    let history = run.history.as_ref().and_then(|entry| entry["outputs"].as_object()).cloned().unwrap_or_default();
    shown.extend(history);
    shown
}

/// The number of pictures that came over the socket only, by node.
fn received(case: &Case) -> BTreeMap<String, usize> {
    let mut received = BTreeMap::new();
    for step in &case.run.steps {
        let Step::Preview { metadata, .. } = step else { continue };
        let node = metadata["node_id"].as_str().unwrap_or_default();
        if case.prompt[node]["class_type"] == "SaveImageWebsocket" {
            *received.entry(node.to_owned()).or_default() += 1;
        }
    }
    received
}

fn check_outputs(place: &str, stored: &MemoryFiles, case: &Case, outputs: &[NodeOutput]) {
    let expected: Vec<(String, Vec<Piece>)> = shown(&case.run)
        .into_iter()
        .map(|(node, output)| (node, pieces(&output)))
        .filter(|(_, pieces)| !pieces.is_empty())
        .collect();
    let received = received(case);
    let nodes: BTreeSet<_> = outputs.iter().map(|output| output.node_id.as_str()).collect();
    let wanted = expected.iter().map(|(node, _)| node).chain(received.keys()).map(String::as_str).collect();
    assert_eq!(nodes, wanted, "{place}: nodes with outputs");
    for (node, count) in &received {
        let items = outputs.iter().filter(|output| output.node_id == *node).flat_map(|output| &output.items);
        let files =
            items.filter(|item| matches!(item, OutputItem::File { content, .. } if stored.get(content).is_some()));
        assert_eq!(files.count(), *count, "{place}: pictures of node {node} that came over the socket");
    }
    for (node, pieces) in &expected {
        let items: Vec<_> =
            outputs.iter().filter(|output| output.node_id == *node).flat_map(|output| &output.items).collect();
        assert_eq!(items.len(), pieces.len(), "{place}: items of node {node}");
        for (item, piece) in items.iter().zip(pieces) {
            match (item, piece) {
                (OutputItem::Text { text }, Piece::Text { text: expected, .. }) => {
                    assert_eq!(text, expected, "{place}: text of node {node}")
                }
                (OutputItem::File { content, temporary, .. }, Piece::File { file, .. }) => {
                    assert!(stored.get(content).is_some(), "{place}: {} is not in the storage", file.filename);
                    assert_eq!(*temporary, file.folder == Folder::Temp, "{place}: {}", file.filename);
                }
                _ => panic!("{place}: {item:?} instead of {piece:?}"),
            }
        }
    }
}

fn check(place: &str, stored: &MemoryFiles, case: &Case, events: &[ReportEvent]) {
    let last = events.last().unwrap();
    let accepted = events.iter().filter(|event| name(event) == "Accepted").count();
    let started = events.iter().filter(|event| name(event) == "Started").count();
    assert!(accepted <= 1 && started <= accepted, "{place}: accepted {accepted} and started {started} times");
    match (&case.expected, last) {
        (Expected::Finished, ReportEvent::Finished { outputs, .. }) => {
            assert_eq!((accepted, started), (1, 1), "{place}");
            check_outputs(place, stored, case, outputs);
        }
        (Expected::Refused(answer), ReportEvent::Refused { validation }) => assert_eq!(validation, answer, "{place}"),
        (Expected::Failed, ReportEvent::Failed { exception, outputs, .. }) => {
            for key in ["exception_message", "exception_type", "node_id", "node_type", "traceback"] {
                assert!(!exception[key].is_null(), "{place}: no {key} in {exception}");
            }
            check_outputs(place, stored, case, outputs);
        }
        (Expected::Interrupted, ReportEvent::Interrupted { outputs, .. }) => {
            check_outputs(place, stored, case, outputs)
        }
        (Expected::ProtocolError, ReportEvent::ProtocolError { .. }) | (Expected::Lost, ReportEvent::Lost { .. }) => {}
        (expected, last) => panic!("{place}: expected {expected:?}, ended with {last:?}"),
    }
}

/// Replays all prompts of all recordings. Returns how many ended in which way.
async fn replay(version: &str) -> BTreeMap<&'static str, usize> {
    let mut ends = BTreeMap::new();
    for file in recordings(version) {
        let trace = Trace::read(&file).unwrap();
        let mut stage = stage_of(&trace).await;
        for message in trace.messages() {
            // On a shared server an idle worker also receives messages about other clients' prompts.
            stage.server.broadcast(&message);
        }
        for case in trace.cases() {
            let place = format!("{version} {} line {}", file.file_name().unwrap().to_string_lossy(), case.line);
            let events = play(&mut stage, &case).await;
            check(&place, &stage.files, &case, &events);
            *ends.entry(name(events.last().unwrap())).or_insert(0) += 1;
            if case.expected == Expected::Lost {
                stage.works().await;
            }
        }
        stage.works().await;
    }
    ends
}

#[actix::test]
async fn prompts_recorded_from_0_3_64_end_as_recorded() {
    let ends = replay("v0.3.64").await;
    let kinds: Vec<_> = ends.keys().copied().collect();
    assert_eq!(kinds, ["Failed", "Finished", "Interrupted", "Lost", "ProtocolError", "Refused"], "{ends:?}");
    assert!(ends.values().sum::<usize>() > 150, "{ends:?}");
}

#[actix::test]
async fn prompts_recorded_from_0_33_0_end_as_recorded() {
    let ends = replay("v0.33.0").await;
    let kinds: Vec<_> = ends.keys().copied().collect();
    assert_eq!(kinds, ["Failed", "Finished", "Interrupted", "Lost", "ProtocolError", "Refused"], "{ends:?}");
    assert!(ends.values().sum::<usize>() > 150, "{ends:?}");
}

#[actix::test]
async fn validation_answers_are_passed_on() {
    for version in ["v0.3.64", "v0.33.0"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/traces").join(version);
        let table = std::fs::read_to_string(folder.join("06-validation-table.jsonl")).unwrap();
        let mut stage = Stage::open().await;
        for line in table.lines() {
            let row: Value = serde_json::from_str(line).unwrap();
            let status = u16::try_from(row["status"].as_u64().unwrap()).unwrap();
            if status == 200 {
                continue;
            }
            let body = row["response"].as_str().map_or_else(|| row["response"].to_string(), str::to_owned);
            stage.server.script(Run { refusal: Some((status, body)), ..Run::default() });
            stage.idle().await;
            let event = stage.run().await;
            match (status, &event) {
                (400, ReportEvent::Refused { validation }) => {
                    assert_eq!(validation, &row["response"], "{}", row["case"])
                }
                (500, ReportEvent::ProtocolError { .. }) => {}
                _ => panic!("{version} {}: {status} ended with {event:?}", row["case"]),
            }
        }
        stage.works().await;
    }
}

#[actix::test]
async fn every_output_node_gives_its_output_type() {
    use OutputKind::{Audio, Files, Gifs, Images, Text};
    for version in ["v0.3.64", "v0.33.0"] {
        let trace = recording(version, "16-");
        let mut stage = stage_of(&trace).await;
        let mut kinds = Vec::new();
        for case in trace.cases() {
            let Some(ReportEvent::Finished { outputs, .. }) = play(&mut stage, &case).await.pop() else {
                panic!("{version} line {}", case.line);
            };
            kinds.push(outputs.iter().map(|output| (output.kind, output.items.len())).collect::<Vec<_>>());
        }
        let expected: Vec<Vec<(OutputKind, usize)>> = vec![
            vec![(Images, 4)],
            vec![(Images, 4)],
            vec![(Images, 1)],
            vec![(Images, 1)],
            vec![(Gifs, 1)],
            vec![(Gifs, 1)],
            vec![(Gifs, 1)],
            vec![(Gifs, 1)],
            vec![(Audio, 1)],
            vec![(Audio, 1)],
            vec![(Audio, 1)],
            vec![(Audio, 1)],
            vec![(Text, 1)],
            vec![(Text, 1)],
            vec![(Text, 1)],
            vec![(Text, 1)],
            vec![(Text, 1)],
            vec![(Images, 1)],
            vec![(Files, 1)],
            // The path of Preview3D's model.
            vec![(Text, 1)],
            vec![],
            vec![(Images, 4)],
            vec![(Text, 2)],
        ];
        assert_eq!(kinds, expected, "{version}");
    }
}

#[actix::test]
async fn recorded_view_answers_are_accepted() {
    for version in ["v0.3.64", "v0.33.0"] {
        let trace = recording(version, "20-");
        let server = Scripted::start(Options::default()).unwrap();
        let timeouts = hurried().timeouts;
        let client = Client::new(&server.url(), transport(timeouts).unwrap(), timeouts);
        let file = FileRef { filename: "x.png".into(), subfolder: String::new(), folder: Folder::Output };
        let mut answers = 0;
        for event in trace.events().iter().filter(|event| event["kind"] == "http_response" && event["method"] == "GET")
        {
            let status = u16::try_from(event["status"].as_u64().unwrap()).unwrap();
            server.fault(Fault::once("GET /view", FaultKind::Status(status, "body".into())));
            let result = client.view(&file, 100).await;
            assert_eq!(result.is_ok(), (200..300).contains(&status), "{version}: {status} gave {result:?}");
            answers += 1;
        }
        assert!(answers > 20, "{version} has {answers} answers");
    }
}
