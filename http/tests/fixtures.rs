//! Recorded graphs of a real ComfyUI server: the real binary serves, `verdigraph run` submits, and its outputs must
//! equal the recorded pictures and texts, within the limit of each recording.

mod node;
mod recorded;

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use verdigraph_core::testing::TestDatabase;

use node::{BINARY, Node, api_key};
use recorded::{Outputs, Recording};

/// The files that the program has saved.
struct Saved(PathBuf);

impl Outputs for Saved {
    fn picture(&self, node: &str, place: usize) -> Option<Vec<u8>> {
        std::fs::read(self.0.join(format!("{node}-{place}.png"))).ok()
    }

    fn text(&self, node: &str, place: usize) -> Option<String> {
        std::fs::read_to_string(self.0.join(format!("{node}-{place}.txt"))).ok()
    }
}

#[actix_web::test]
async fn recorded_graphs_give_the_recorded_outputs() {
    let database = TestDatabase::new().await;
    let node = Node::start(&database);
    let key = api_key(&node.url).await;
    let recordings = Recording::all();
    let mut wrong = Vec::new();
    for recording in &recordings {
        let name = recording.name();
        let saved = Saved(node.folder.path().join(&name));
        let ended = Command::new(BINARY)
            .args(["run".as_ref(), recording.folder.join("workflow.json").as_os_str()])
            .args(["--server", &node.url, "--api-key", &key, "-o"])
            .arg(&saved.0)
            .output()
            .expect("the client starts");
        if !ended.status.success() {
            wrong.push(format!("{name}: {}", String::from_utf8_lossy(&ended.stderr)));
        }
        wrong.extend(recording.differences(&saved).into_iter().map(|why| format!("{name}: {why}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let report = verdigraph_core::ledger::reconcile(&database.db).await.expect("an audit");
    assert!(report.is_clean() && report.held == 0, "{report:#?}");
    assert_eq!(report.holds, i64::try_from(recordings.len()).unwrap_or(-1), "one hold for each job");
}

#[actix_web::test]
async fn batch_file_sent_twice_creates_each_job_once() {
    let database = TestDatabase::new().await;
    let node = Node::start(&database);
    let key = api_key(&node.url).await;
    let item = |number: usize| {
        let image = json!({ "class_type": "EmptyImage",
            "inputs": { "width": 8, "height": 8, "batch_size": 1, "color": number } });
        let save = json!({ "class_type": "SaveImage", "inputs": { "images": ["1", 0], "filename_prefix": "b" } });
        json!({ "key": format!("item-{number}"), "prompt": { "1": image, "2": save } }).to_string()
    };
    let file = node.folder.path().join("items.ndjson");
    let out = node.folder.path().join("results.ndjson");
    let run = |lines: &[String]| {
        std::fs::write(&file, lines.join("\n")).expect("a file");
        Command::new(BINARY)
            .args(["run", "--server", &node.url, "--api-key", &key, "--wait", "--batch"])
            .arg(&file)
            .arg("--out")
            .arg(&out)
            .output()
            .expect("the client starts")
    };
    let results = || -> Vec<Value> {
        let text = std::fs::read_to_string(&out).expect("results");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let good: Vec<String> = (0..5).map(item).collect();
    let ended = run(&good);
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(0), "{said}");
    assert!(said.contains("5 accepted, 0 refused of 5") && said.contains("Done 5"), "{said}");
    let first = results();
    assert!(first.len() == 5 && first.iter().all(|line| line["replayed"] == false), "{first:?}");

    let mut more = good.clone();
    more.insert(2, "{\"key\": \"bad\"}".to_owned());
    let ended = run(&more);
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(1), "an item was refused: {said}");
    assert!(said.contains("line 3 was refused: VALIDATION_FAILED"), "{said}");
    let again: Vec<Value> = results().into_iter().filter(|line| line["id"].is_string()).collect();
    assert!(again.iter().all(|line| line["replayed"] == true), "{again:?}");
    let ids = |lines: &[Value]| lines.iter().map(|line| line["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&again), ids(&first), "the same jobs");
    assert_eq!(database.count("SELECT count(*) FROM all_jobs").await, 5);
    let wrong = Command::new(BINARY).args(["run", "--batch", "no-such-file"]).output().expect("the client starts");
    assert_eq!(wrong.status.code(), Some(2));
}
