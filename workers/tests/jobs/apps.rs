//! Runs of mini apps, and uploads to the worker.

use std::time::Duration;

use serde_json::{Map, Value, json};
use verdigraph_core::assets::AssetKind;
use verdigraph_core::graph::Prompt;
use verdigraph_core::ids::{JobId, WorkflowApiId};
use verdigraph_core::jobs::{self, FormSubmit, RunTerms, Status};
use verdigraph_core::mini_apps::{self, InputEntry, NewMiniApp, OutputEntry, describe_input, describe_output};
use verdigraph_core::{Caller, Error, Result, assets, users, workflows};
use verdigraph_scripted::{Options, Run};

use crate::harness::{endless, nodes};
use crate::platform::{Platform, graph, raw, until};

/// Publishes a mini app with one field. Returns it with the field's name.
async fn app(platform: &Platform, prompt: &Value, node: &str, input: &str) -> (mini_apps::MiniApp, String) {
    let core = &platform.core;
    let author = users::factory::user().insert(&core.db).await;
    let definitions = core.fleet.roster().definitions(&["cpu".to_owned()]);
    let workflow = workflows::workflow(author).prompt(prompt.clone()).published(core.clock.now());
    let workflow = workflow.insert(&core.db).await;
    let prompt = Prompt::from_value(prompt.clone()).expect("a prompt");
    let (last, _) = prompt.0.last().expect("an output");
    let entry = describe_input(&definitions, &prompt, node, input).expect("an input");
    let output = describe_output(&definitions, &prompt, last).expect("an output");
    let inputs = [(format!("{node}.{input}"), InputEntry { order: 1, ..entry })].into_iter().collect();
    let outputs = [(last.clone(), OutputEntry { order: 1, ..output })].into_iter().collect();
    let new = NewMiniApp { workflow: workflow.id, inputs, outputs };
    let app = mini_apps::save(core, &Caller::customer(author), &definitions, new).await.expect("a mini app");
    let field = mini_apps::version(core, app.version).await.expect("a version").fields()[0].name.clone();
    (app, field)
}

async fn run_app(platform: &Platform, app: &mini_apps::MiniApp, field: &str, value: Value) -> Result<JobId> {
    submit_form(platform, app.id, [(field.to_owned(), value)].into_iter().collect()).await
}

/// Runs the current version of a mini app.
pub async fn submit_form(platform: &Platform, app: WorkflowApiId, form: Map<String, Value>) -> Result<JobId> {
    let submit = FormSubmit {
        app,
        version: None,
        form,
        terms: RunTerms::default(),
        idempotency_key: None,
        batch: None,
        labels: jobs::JobLabels::default(),
    };
    Ok(jobs::submit_form(&platform.core, &platform.caller, submit).await?.id)
}

#[actix::test]
async fn mini_app_run_counts_once_when_done() {
    let platform = Platform::open(1).await;
    let (app, field) = app(&platform, &graph(), "1", "width").await;
    let launches = async || {
        workflows::settle_visits(&platform.core).await.expect("counts that are settled");
        workflows::find(&platform.core, &Caller::guest(), app.workflow.id).await.expect("a post").launch_count
    };
    platform.servers[0].script(Run::failure(&nodes(), Duration::ZERO));
    let failed = run_app(&platform, &app, &field, json!(32)).await.expect("a job");
    platform.until_status(failed, Status::ExecuteError).await;
    platform.until_idle(1).await;
    platform.servers[0].script(endless());
    let canceled = run_app(&platform, &app, &field, json!(48)).await.expect("a job");
    platform.until_status(canceled, Status::Running).await;
    jobs::cancel(&platform.core, &platform.caller, canceled).await.expect("a cancel");
    platform.until_status(canceled, Status::Canceled).await;
    platform.until_idle(1).await;
    let raw = platform.submit().await;
    platform.until_status(raw, Status::Done).await;
    assert_eq!(launches().await, 0, "what did not end well counts, or what was no run of it");
    for (number, width) in [(1, 64), (2, 80)] {
        let done = run_app(&platform, &app, &field, json!(width)).await.expect("a job");
        platform.until_status(done, Status::Done).await;
        until("the run counts", || async { (launches().await >= number).then_some(()) }).await;
        assert_eq!(launches().await, number, "a run counts twice");
    }
    platform.audit().await;
}

#[actix::test]
async fn uploaded_audio_and_video_reach_the_worker() {
    let mut options = Options::default();
    for (class, input, flag) in [("LoadAudio", "audio", "audio_upload"), ("LoadVideo", "file", "video_upload")] {
        options.object_info[class] = json!({
            "input": {"required": {input: [["example"], {flag: true}]}}, "input_order": {"required": [input]},
            "output": ["AUDIO"], "output_is_list": [false], "output_name": ["AUDIO"], "name": class,
            "display_name": class, "description": "", "python_module": "nodes", "category": "audio",
            "output_node": false,
        });
    }
    let platform = Platform::of(vec![options], |_| {}).await;
    let (core, caller) = (&platform.core, &platform.caller);
    let film = verdigraph_core::testing::MP4.to_vec();
    let sound = assets::upload_media(core, caller, "a.wav", AssetKind::Audio, verdigraph_core::testing::wav())
        .await
        .expect("a sound");
    let film = assets::upload_media(core, caller, "a.mp4", AssetKind::Video, film).await.expect("a film");
    let mut ended = Vec::new();
    for (class, input, asset, other) in [("LoadAudio", "audio", &sound, &film), ("LoadVideo", "file", &film, &sound)] {
        let loading = json!({
            "1": {"class_type": class, "inputs": {input: "example"}},
            "2": {"class_type": "PreviewAny", "inputs": {"source": ["1", 0]}},
        });
        let submit = jobs::PromptSubmit {
            prompt: raw(&loading),
            files: [("example".to_owned(), asset.id)].into(),
            extra_data: None,
            strict: false,
            terms: RunTerms::default(),
            idempotency_key: None,
            batch: None,
            labels: jobs::JobLabels::default(),
        };
        let job = jobs::submit_prompt(core, caller, submit).await.expect("a job").id;
        platform.until_status(job, Status::Done).await;
        let posted = platform.servers[0].posted().pop().expect("a prompt");
        let posted: Value = serde_json::from_str(&posted).expect("JSON");
        let name = posted["prompt"]["1"]["inputs"][input].as_str().expect("a name").to_owned();
        let bytes = core.files.storage.get(&asset.stored.content).await.expect("its bytes");
        assert_eq!(platform.servers[0].uploaded(&name), Some(bytes), "{class} finds no {name}");

        let (app, field) = app(&platform, &loading, "1", input).await;
        let refused = run_app(&platform, &app, &field, json!(other.id)).await;
        assert!(matches!(&refused, Err(Error::Invalid { field: told, .. }) if *told == field), "{class}: {refused:?}");
        let run = run_app(&platform, &app, &field, json!(asset.id)).await.expect("a file of the kind");
        platform.until_status(run, Status::Done).await;

        for first in [job, run] {
            let again =
                jobs::rerun(core, caller, first, jobs::RunTerms::default(), None).await.expect("the same once more").id;
            platform.until_status(again, Status::Done).await;
            let posted = platform.servers[0].posted().pop().expect("a prompt");
            assert!(posted.contains(&name), "{posted} has no {name}");
        }
        ended.extend([job, run]);
    }
    let stranger = Caller::customer(users::factory::user().insert(&core.db).await);
    let refused = jobs::rerun(core, &stranger, ended[0], jobs::RunTerms::default(), None).await;
    assert!(matches!(refused, Err(Error::NotFound { .. })), "{refused:?}");
    let owner = caller.user.expect("a user");
    assert_eq!(assets::delete(core, owner, &[sound.id, film.id]).await.expect("an answer"), 2);
    for job in ended {
        let refused = jobs::rerun(core, caller, job, jobs::RunTerms::default(), None).await;
        assert!(matches!(refused, Err(Error::Invalid { .. } | Error::InvalidFields { .. })), "{refused:?}");
    }
    platform.audit().await;
}

#[actix::test]
async fn uploaded_text_reaches_the_worker_with_its_extension() {
    let mut options = Options::default();
    options.object_info["LoadTable"] = json!({
        "input": {"required": {"csv": [["someones-table.csv"], {}]}}, "output": ["STRING"],
        "python_module": "custom_nodes.tables", "output_node": false,
    });
    let platform = Platform::of(vec![options], |_| {}).await;
    let (core, caller) = (&platform.core, &platform.caller);
    let loading = json!({
        "1": {"class_type": "LoadTable", "inputs": {"csv": "someones-table.csv"}},
        "2": {"class_type": "PreviewAny", "inputs": {"source": ["1", 0]}},
    });
    let (app, field) = app(&platform, &loading, "1", "csv").await;
    let table = assets::upload_text(core, caller, "prices.CSV", b"\xff\xfea\0,\0b\0".to_vec()).await.expect("a table");
    assert_eq!((table.kind, table.is_private), (AssetKind::Text, true));
    let run = run_app(&platform, &app, &field, json!(table.id)).await.expect("a job");
    platform.until_status(run, Status::Done).await;
    let posted = platform.servers[0].posted().pop().expect("a prompt");
    let posted: Value = serde_json::from_str(&posted).expect("JSON");
    let name = posted["prompt"]["1"]["inputs"]["csv"].as_str().expect("a name").to_owned();
    assert_eq!(name, format!("vg-{}.csv", table.stored.content.as_str()));
    assert_eq!(platform.servers[0].uploaded(&name).as_deref(), Some(&b"a,b"[..]), "the worker has other text");

    let stranger = Caller::customer(users::factory::user().insert(&core.db).await);
    let foreign = assets::upload_text(core, &stranger, "secret.csv", b"secret".to_vec()).await.expect("a table");
    let sound = assets::upload_media(core, caller, "a.wav", AssetKind::Audio, verdigraph_core::testing::wav());
    for refused in [foreign.id, sound.await.expect("a sound").id] {
        let refused = run_app(&platform, &app, &field, json!(refused)).await;
        assert!(matches!(&refused, Err(Error::Invalid { field: told, .. }) if *told == field), "{refused:?}");
    }
    let name = format!("vg-{}.csv", foreign.stored.content.as_str());
    for value in [name.as_str(), "someones-table.csv", "secret.csv"] {
        let mut foreign = loading.clone();
        foreign["1"]["inputs"]["csv"] = json!(value);
        let submit = jobs::PromptSubmit {
            prompt: raw(&foreign),
            files: [].into(),
            extra_data: None,
            strict: false,
            terms: RunTerms::default(),
            idempotency_key: None,
            batch: None,
            labels: jobs::JobLabels::default(),
        };
        let refused = jobs::submit_prompt(core, caller, submit).await;
        assert!(matches!(refused, Err(Error::InvalidPrompt { .. })), "{value}: {refused:?}");
    }
    platform.audit().await;
}

#[actix::test]
async fn form_text_naming_a_foreign_file_is_rejected() {
    let mut options = Options::default();
    options.object_info["VHS_LoadVideoPath"] = json!({
        "input": {"required": {"video": ["STRING", {"default": ""}]}}, "output": ["IMAGE"],
        "python_module": "custom_nodes.wild", "output_node": false,
    });
    let platform = Platform::of(vec![options], |_| {}).await;
    let loading = json!({
        "1": {"class_type": "VHS_LoadVideoPath", "inputs": {"video": ""}},
        "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "a"}},
    });
    let (app, field) = app(&platform, &loading, "1", "video").await;
    for name in ["someones.mp4", "someones.mp4 [output]", "input/someones.mp4", "/comfyui/output/someones.mp4"] {
        let refused = run_app(&platform, &app, &field, json!(name)).await;
        assert!(matches!(refused, Err(Error::InvalidPrompt { .. })), "{name}: {refused:?}");
    }
    let run = run_app(&platform, &app, &field, json!("https://example.com/a.mp4")).await.expect("an address");
    platform.until_status(run, Status::Done).await;
    platform.audit().await;
}
