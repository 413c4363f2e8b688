//! Recorded graphs of a real ComfyUI server, run as a user would: the real binary serves, `verdigraph run` submits,
//! and what it saves must be the recorded pictures and texts, within the limit that each recording names.

mod node;

use std::path::{Path, PathBuf};
use std::process::Command;

use image::GenericImageView;
use serde_json::Value;
use verdigraph_core::testing::TestDatabase;

use node::{BINARY, Node, api_key};

/// What differs between what was saved and what was recorded.
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
            wrong.extend(compare(&recording.join(file), &place, limit).map(|why| format!("{file}: {why}")));
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
async fn every_recorded_graph_gives_the_recorded_outputs_through_the_platform() {
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
    let report = verdigraph_core::ledger::audit(&database.db).await.expect("an audit");
    assert!(report.is_clean() && report.held == 0, "{report:#?}");
    assert_eq!(report.holds, i64::try_from(folders.len()).unwrap_or(-1), "one hold for each job");
}
