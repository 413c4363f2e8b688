//! Recorded graphs of a real ComfyUI server: the real binary serves, `verdigraph run` submits, and its outputs must
//! equal the recorded pictures and texts, within the limit of each recording.

mod node;

use std::path::{Path, PathBuf};
use std::process::Command;

use image::GenericImageView;
use serde_json::{Value, json};
use verdigraph_core::testing::TestDatabase;
use verdigraph_workers::cpu::ComfyVersion;

use node::{BINARY, Node, api_key};

/// Differences between saved and recorded files.
fn differences(recording: &Path, saved: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(recording.join("expected.json")).expect("a recording");
    let expected: Value = serde_json::from_str(&text).expect("JSON");
    let limit = expected["compare"]
        .as_str()
        .and_then(|compare| compare.strip_prefix("within ")?.split(' ').next()?.parse::<u8>().ok())
        .unwrap_or(0);
    let mut wrong = Vec::new();
    for (node, files) in expected["images"].as_object().expect("images") {
        for (number, file) in files.as_array().expect("files").iter().enumerate() {
            let file = file["file"].as_str().expect("a name");
            let place = saved.join(format!("{node}-{number}.png"));
            let own = recording.join(format!("expected-v{}", ComfyVersion::default())).join(file);
            let expected = if own.exists() { own } else { recording.join(file) };
            wrong.extend(compare(&expected, &place, limit).map(|why| format!("{file}: {why}")));
        }
    }
    for (node, texts) in expected["text"].as_object().expect("texts") {
        for (number, text) in texts.as_array().expect("texts").iter().enumerate() {
            let got = std::fs::read_to_string(saved.join(format!("{node}-{number}.txt"))).ok();
            if got.as_deref() != text.as_str() {
                wrong.push(format!("text of node {node}: {got:?} instead of {text}"));
            }
        }
    }
    wrong
}

fn compare(expected: &Path, saved: &Path, limit: u8) -> Option<String> {
    let Ok(found) = image::open(saved) else { return Some("was not saved as a picture".into()) };
    let expected = image::open(expected).expect("a recorded picture");
    if (found.dimensions(), found.color()) != (expected.dimensions(), expected.color()) {
        return Some(format!("{:?} {:?} instead of {:?}", found.dimensions(), found.color(), expected.dimensions()));
    }
    let worst = found.as_bytes().iter().zip(expected.as_bytes()).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
    (worst > limit).then(|| format!("differs by {worst}, limit {limit}"))
}

#[actix_web::test]
async fn recorded_graphs_give_the_recorded_outputs() {
    let database = TestDatabase::new().await;
    let node = Node::start(&database);
    let key = api_key(&node.url).await;
    let recordings = Path::new(env!("CARGO_MANIFEST_DIR")).join("../workers/tests/data/fixtures");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(recordings)
        .expect("recordings")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.join("workflow.json").exists())
        .collect();
    folders.sort();
    assert!(folders.len() >= 23, "only {} recordings were found", folders.len());
    let mut wrong = Vec::new();
    for folder in &folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let saved = node.folder.path().join(&name);
        let ended = Command::new(BINARY)
            .args(["run".as_ref(), folder.join("workflow.json").as_os_str()])
            .args(["--server", &node.url, "--api-key", &key, "-o"])
            .arg(&saved)
            .output()
            .expect("the client starts");
        if !ended.status.success() {
            wrong.push(format!("{name}: {}", String::from_utf8_lossy(&ended.stderr)));
        }
        wrong.extend(differences(folder, &saved).into_iter().map(|why| format!("{name}: {why}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let report = verdigraph_core::ledger::reconcile(&database.db).await.expect("an audit");
    assert!(report.is_clean() && report.held == 0, "{report:#?}");
    assert_eq!(report.holds, i64::try_from(folders.len()).unwrap_or(-1), "one hold for each job");
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
