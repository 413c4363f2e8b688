//! File names in prompts, and what the worker receives.

use serde_json::{Value, json};
use verdigraph_core::assets::{self, Asset};
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, RunTerms, Status};
use verdigraph_core::{Error, Result};
use verdigraph_scripted::Options;

use crate::platform::{Platform, graph, raw};

/// A worker with loaders of custom nodes, whose lists contain files of other clients.
fn worker() -> Options {
    let mut options = Options::default();
    for (class, inputs) in [
        ("VHS_LoadVideo", json!({"video": [["someones-holiday.png"], {}]})),
        ("VHS_LoadVideoPath", json!({"video": ["STRING", {"default": ""}]})),
        ("WildText", json!({"text": ["STRING", {"multiline": true}]})),
    ] {
        let module = "custom_nodes.wild";
        options.object_info[class] =
            json!({"input": {"required": inputs}, "output": ["IMAGE"], "python_module": module, "output_node": false});
    }
    options
}

/// A prompt with one node of this class, and an output node.
fn loading(class: &str, input: &str, value: &str) -> Value {
    json!({
        "a": {"class_type": class, "inputs": {input: value}},
        "b": {"class_type": "SaveImage", "inputs": {"images": ["a", 0], "filename_prefix": "b"}},
    })
}

/// The same prompt with a second, valid output.
fn beside(prompt: &Value) -> Value {
    let mut all = graph();
    all.as_object_mut().expect("nodes").extend(prompt.as_object().expect("nodes").clone());
    all
}

async fn submit(platform: &Platform, prompt: &Value, files: &[(&str, &Asset)]) -> Result<jobs::Submitted> {
    let submit = jobs::PromptSubmit {
        prompt: raw(prompt),
        files: files.iter().map(|(name, asset)| ((*name).to_owned(), asset.id)).collect(),
        extra_data: None,
        strict: false,
        terms: RunTerms::default(),
        idempotency_key: None,
        batch: None,
        labels: jobs::JobLabels::default(),
    };
    jobs::submit_prompt(&platform.core, &platform.caller, submit).await
}

/// The prompt that the worker received last.
async fn received(platform: &Platform, job: JobId) -> Value {
    platform.until_status(job, Status::Done).await;
    let posted = platform.servers[0].posted().pop().expect("a prompt");
    serde_json::from_str::<Value>(&posted).expect("JSON")["prompt"].clone()
}

pub async fn picture(platform: &Platform) -> Asset {
    let mut png = std::io::Cursor::new(Vec::new());
    image::DynamicImage::new_rgb8(16, 16).write_to(&mut png, image::ImageFormat::Png).expect("a picture");
    assets::upload(&platform.core, &platform.caller, "mine.png", png.into_inner()).await.expect("an upload")
}

#[actix::test]
async fn foreign_file_name_never_reaches_the_worker() {
    let platform = Platform::of(vec![worker()], |_| {}).await;
    for (class, input) in [("LoadImage", "image"), ("VHS_LoadVideo", "video"), ("VHS_LoadVideoPath", "video")] {
        for name in [
            "someones-holiday.png",
            "someones-holiday.png [input]",
            "someones-holiday.png [output]",
            "someones-holiday.png [temp]",
            "clipspace/someones-holiday.png [input]",
            "../output/someones-holiday.png",
        ] {
            let refused = submit(&platform, &loading(class, input, name), &[]).await;
            let Err(Error::InvalidPrompt { validation }) = refused else { panic!("{class}: {name}: {refused:?}") };
            assert_eq!(validation["node_errors"]["a"]["errors"][0]["type"], "custom_validation_failed", "{validation}");
            let submitted = submit(&platform, &beside(&loading(class, input, name)), &[]).await.expect("a good output");
            assert_eq!(submitted.node_errors["a"]["dependent_outputs"], json!(["b"]));
            assert_eq!(received(&platform, submitted.id).await, graph(), "{class}: {name}");
            let kept = platform.status(submitted.id).await.job.node_errors.expect("what was left out is told");
            assert_eq!(kept, submitted.node_errors);
        }
    }
    platform.audit().await;
}

#[actix::test]
async fn own_files_are_renamed_only_in_file_inputs() {
    let platform = Platform::of(vec![worker()], |_| {}).await;
    let mine = picture(&platform).await;
    let prompt = json!({
        "1": {"class_type": "LoadImage", "inputs": {"image": "cat"}},
        "2": {"class_type": "LoadImage", "inputs": {"image": "clipspace/mine.png [input]"}},
        "3": {"class_type": "VHS_LoadVideo", "inputs": {"video": "cat"}},
        "4": {"class_type": "WildText", "inputs": {"text": "cat"}},
        "5": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "cat"}},
        "6": {"class_type": "SaveImage", "inputs": {"images": ["2", 0], "filename_prefix": "a"}},
        "7": {"class_type": "SaveImage", "inputs": {"images": ["3", 0], "filename_prefix": "a"}},
        "8": {"class_type": "SaveImage", "inputs": {"images": ["4", 0], "filename_prefix": "a"}},
    });
    let files = [("cat", &mine), ("clipspace/mine.png", &mine)];
    let submitted = submit(&platform, &prompt, &files).await.expect("a job");
    assert_eq!(submitted.node_errors, json!({}));
    let sent = received(&platform, submitted.id).await;
    let name = sent["1"]["inputs"]["image"].as_str().expect("a name").to_owned();
    assert!(platform.servers[0].uploaded(&name).is_some(), "the worker has no {name}");
    assert_eq!(sent["2"]["inputs"]["image"], json!(format!("{name} [input]")));
    assert_eq!(sent["3"]["inputs"]["video"], json!(name), "a list without an upload flag");
    assert_eq!(sent["4"]["inputs"]["text"], "cat", "a text that equals the name of a file");
    assert_eq!(sent["5"]["inputs"]["filename_prefix"], "cat");
    platform.audit().await;
}

#[actix::test]
async fn own_name_with_output_or_temp_is_rejected() {
    let platform = Platform::of(vec![worker()], |_| {}).await;
    let mine = picture(&platform).await;
    for folder in ["output", "temp"] {
        let prompt = loading("LoadImage", "image", &format!("mine.png [{folder}]"));
        let refused = submit(&platform, &prompt, &[("mine.png", &mine)]).await;
        let Err(Error::InvalidPrompt { validation }) = refused else { panic!("{folder}: {refused:?}") };
        let told = validation["node_errors"]["a"]["errors"][0]["details"].as_str().expect("a sentence").to_owned();
        assert!(told.contains("output and temp folders cannot be used"), "{told}");
    }
    platform.audit().await;
}
