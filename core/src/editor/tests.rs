//! Settings, files and the catalog on a real database.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::TimeDelta;
use serde_json::json;

use super::*;
use crate::database;
use crate::fleet::Capabilities;
use crate::graph::NodeDefinitions;
use crate::testing::TestCore;
use crate::users::factory;
use crate::{Code, fleet};

fn path(text: &str) -> EditorPath {
    EditorPath::parse(text).expect("a path")
}

fn map(value: Value) -> Map<String, Value> {
    value.as_object().expect("an object").clone()
}

async fn two(core: &Core) -> [Caller; 2] {
    [
        Caller::customer(factory::user().insert(&core.db).await),
        Caller::customer(factory::user().name("Bo").insert(&core.db).await),
    ]
}

async fn write(core: &Core, who: &Caller, at: &str, content: &'static [u8]) -> EditorFileInfo {
    let stored = write_file(core, who, &path(at), &Bytes::from_static(content), WriteMode::Replace).await;
    stored.expect("a write").expect("a file")
}

async fn paths(core: &Core, who: &Caller, folder: &str) -> Vec<String> {
    let found = files(core, who, &path(folder)).await.expect("a list");
    found.iter().map(|info| info.path.to_string()).collect()
}

#[test]
fn path_cannot_leave_the_users_root() {
    for out in ["../a", "workflows/../../a", "/etc/passwd", "..", "a/..", "..\\a", "\\a", "a\\..\\b"] {
        assert!(matches!(EditorPath::parse(out), Err(Error::Forbidden)), "{out} was taken");
    }
    for bad in ["", "a//b", "a/", ".", "./a", "a/./b", "a\0b", "a\nb", "a\\b", " ", &"a".repeat(256), &"a/".repeat(600)]
    {
        assert!(matches!(EditorPath::parse(bad), Err(Error::Invalid { .. })), "{bad:?} was taken");
    }
    for good in ["workflows/My flow.json", "workflows/.index.json", "a..b", "작업/흐름 (1).json", "user.css"] {
        assert_eq!(path(good).as_str(), good);
    }
    assert_eq!(path("workflows/a/b.json").below(&path("workflows")), Some("a/b.json"));
    assert_eq!(path("workflows2/b.json").below(&path("workflows")), None);
}

#[actix::test]
async fn setting_is_kept_per_user_and_merged() {
    let core = TestCore::new().await;
    let [ann, bo] = two(&core).await;
    let first = json!({ "Comfy.Grid": 10, "Comfy.Keys": [{ "a": null }], "pi": 3.25 });
    set_settings(&core, &ann, &map(first)).await.expect("a change");
    set_settings(&core, &ann, &map(json!({ "Comfy.Grid": "x\u{0}y", "new": null }))).await.expect("a change");
    let expected = json!({ "Comfy.Grid": "x\u{0}y", "Comfy.Keys": [{ "a": null }], "pi": 3.25, "new": null });
    assert_eq!(Value::Object(settings(&core, &ann).await.expect("settings")), expected);
    assert!(settings(&core, &bo).await.expect("settings").is_empty(), "another user's settings are shown");
    assert!(matches!(settings(&core, &Caller::guest()).await, Err(Error::LoginRequired)));
    let by_guest = set_settings(&core, &Caller::guest(), &map(json!({ "a": 1 }))).await;
    assert!(matches!(by_guest, Err(Error::LoginRequired)));
}

#[actix::test]
async fn settings_beyond_the_limit_change_nothing() {
    let core = TestCore::new().await;
    let [ann, _] = two(&core).await;
    set_settings(&core, &ann, &map(json!({ "a": 1 }))).await.expect("a change");
    let large = json!({ "a": 2, "b": "x".repeat(MAX_SETTINGS_BYTES) });
    let refused = set_settings(&core, &ann, &map(large)).await.expect_err("too large");
    assert_eq!(refused.code(), Code::StorageFull);
    assert_eq!(Value::Object(settings(&core, &ann).await.expect("settings")), json!({ "a": 1 }));
}

#[actix::test]
async fn file_is_returned_as_it_was_sent_to_its_owner_only() {
    let core = TestCore::new().await;
    let [ann, bo] = two(&core).await;
    let content: &[u8] = b"{\"big\": 12345678901234567890123, \"one\": 1.0, \"nan\": NaN}\xff";
    let info = write(&core, &ann, "workflows/A.json", content).await;
    assert_eq!((info.size, info.created_at), (content.len() as u64, core.clock.now()));
    let read = read_file(&core, &ann, &info.path).await.expect("a file");
    assert_eq!((read.content.as_ref(), &read.info), (content, &info));
    let admin = Caller { admin: true, ..bo.clone() };
    for stranger in [&bo, &admin] {
        assert!(matches!(read_file(&core, stranger, &info.path).await, Err(Error::NotFound { .. })));
        assert!(matches!(delete_file(&core, stranger, &info.path).await, Err(Error::NotFound { .. })));
        let moved = move_file(&core, stranger, [&info.path, &path("b.json")], WriteMode::Replace).await;
        assert!(matches!(moved, Err(Error::NotFound { .. })));
        assert_eq!(paths(&core, stranger, "workflows").await, [""; 0]);
    }
    // The same path of another user is another file.
    write(&core, &bo, "workflows/A.json", b"bo").await;
    assert_eq!(read_file(&core, &ann, &info.path).await.expect("a file").content.as_ref(), content);
    delete_file(&core, &ann, &info.path).await.expect("a deletion");
    assert!(matches!(read_file(&core, &ann, &info.path).await, Err(Error::NotFound { .. })));
    assert_eq!(read_file(&core, &bo, &info.path).await.expect("a file").content.as_ref(), b"bo");
}

#[actix::test]
async fn taken_path_is_replaced_only_on_demand() {
    let core = TestCore::new().await;
    let [ann, _] = two(&core).await;
    let first = write(&core, &ann, "workflows/A.json", b"1").await;
    core.clock.advance(TimeDelta::minutes(1));
    let new = Bytes::from_static(b"22");
    let kept = write_file(&core, &ann, &first.path, &new, WriteMode::CreateOnly).await.expect("an answer");
    assert_eq!(kept, None);
    assert_eq!(read_file(&core, &ann, &first.path).await.expect("a file").content.as_ref(), b"1");
    let second = write(&core, &ann, "workflows/A.json", b"22").await;
    assert_eq!((second.size, second.created_at, second.updated_at), (2, first.created_at, core.clock.now()));
}

#[actix::test]
async fn moved_file_keeps_its_content_and_times() {
    let core = TestCore::new().await;
    let [ann, _] = two(&core).await;
    let [a, b] =
        [write(&core, &ann, "workflows/a.json", b"a").await, write(&core, &ann, "workflows/b.json", b"b").await];
    core.clock.advance(TimeDelta::minutes(1));
    let moved = |mode| move_file(&core, &ann, [&a.path, &b.path], mode);
    assert_eq!(moved(WriteMode::CreateOnly).await.expect("an answer"), None);
    assert_eq!(paths(&core, &ann, "workflows").await, ["workflows/a.json", "workflows/b.json"]);
    let expected = EditorFileInfo { path: b.path.clone(), ..a.clone() };
    assert_eq!(moved(WriteMode::Replace).await.expect("an answer"), Some(expected));
    assert_eq!(paths(&core, &ann, "workflows").await, ["workflows/b.json"]);
    assert_eq!(read_file(&core, &ann, &b.path).await.expect("a file").content.as_ref(), b"a");
    let itself = move_file(&core, &ann, [&b.path, &b.path], WriteMode::Replace).await.expect("an answer");
    assert_eq!(itself.expect("a file").size, 1);
    assert!(read_file(&core, &ann, &b.path).await.is_ok(), "a move onto itself deletes nothing");
}

#[actix::test]
async fn folder_lists_its_own_files_alone() {
    let core = TestCore::new().await;
    let [ann, _] = two(&core).await;
    for at in ["workflows/b.json", "workflows/sub/a.json", "workflows.json", "workflows%/c.json", "workflowsX/d.json"] {
        write(&core, &ann, at, b"{}").await;
    }
    assert_eq!(paths(&core, &ann, "workflows").await, ["workflows/b.json", "workflows/sub/a.json"]);
    assert_eq!(paths(&core, &ann, "workflows%").await, ["workflows%/c.json"]);
    let mut all: Vec<String> = Vec::new();
    loop {
        let after = all.last().cloned().unwrap_or_default();
        let page = files_after(&core, &ann, &after, 2).await.expect("a page");
        if page.is_empty() {
            break;
        }
        all.extend(page.into_iter().map(|file| file.info.path.to_string()));
    }
    assert_eq!(all.len(), 5);
}

#[actix::test]
async fn banned_user_reads_and_deletes_but_does_not_write() {
    let core = TestCore::new().await;
    let [ann, _] = two(&core).await;
    let file = write(&core, &ann, "workflows/a.json", b"a").await;
    let user = ann.user.expect("a user");
    let ban = users::Ban { since: core.clock.now(), until: None, reason: "spam".to_owned() };
    let mut tx = database::begin(&core.db).await.expect("a transaction");
    assert!(users::ban_tx(&mut tx, user, &ban).await.expect("a ban"));
    tx.commit().await.expect("a commit");
    users::invalidate(&core, user).await;
    let content = Bytes::from_static(b"b");
    let written = write_file(&core, &ann, &file.path, &content, WriteMode::Replace).await;
    assert!(matches!(written, Err(Error::Banned { .. })));
    let moved = move_file(&core, &ann, [&file.path, &path("b.json")], WriteMode::Replace).await;
    assert!(matches!(moved, Err(Error::Banned { .. })));
    assert!(read_file(&core, &ann, &file.path).await.is_ok());
    delete_file(&core, &ann, &file.path).await.expect("a deletion");
}

/// A worker with one class and one model file.
async fn worker(core: &Core, pool: &str, class: &str, model: &str) {
    let info = json!({ class: {
        "input": { "required": { "ckpt_name": [[model]] } }, "output": ["MODEL"], "python_module": "nodes",
    }});
    let models = BTreeMap::from([("embeddings".to_owned(), BTreeSet::from([format!("{pool}.pt")]))]);
    let version = Some(if pool == "cpu" { "0.3.64" } else { "0.33.0" }.to_owned());
    let can = Capabilities::new(version, Arc::new(NodeDefinitions::from_object_info(&info)), models);
    fleet::factory::worker(core, pool, &Arc::new(can), false).await;
}

#[actix::test]
async fn catalog_has_the_workers_of_the_callers_pools() {
    let core = TestCore::with(crate::Clock::held(TestCore::start_of_time()), |settings| {
        let [first, ..] = settings.plans.as_mut_slice() else { panic!("no plan") };
        first.pools = vec!["cpu".to_owned()];
    })
    .await;
    worker(&core, "cpu", "Small", "a.safetensors").await;
    worker(&core, "large", "Large", "b.safetensors").await;
    let [ann, _] = two(&core).await;
    for who in [&ann, &Caller::guest()] {
        let catalog = catalog(&core, who).await.expect("a catalog");
        assert!(catalog.definitions.contains("Small") && !catalog.definitions.contains("Large"));
        let expected = json!({ "checkpoints": ["a.safetensors"], "embeddings": ["cpu.pt"] });
        assert_eq!(json!(catalog.models()), expected);
        assert_eq!(catalog.comfy_version(), Some("0.3.64"));
    }
}
