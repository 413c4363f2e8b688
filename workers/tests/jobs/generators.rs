//! Generators of a server that gains models, loses them, and is lost.

use std::time::Duration;

use serde_json::{Value, json};
use verdigraph_core::Caller;
use verdigraph_core::generators::{self, Task};
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::Status;
use verdigraph_scripted::Options;

use crate::apps::submit_form;
use crate::platform::{Platform, until};
use crate::stage::hurried;

/// The recorded classes that generators use.
pub const CLASSES: &str = include_str!("../../../core/tests/data/generators/v0.33.0/object_info.json");

/// The classes, with these checkpoints in their lists.
fn classes(checkpoints: &[&str]) -> Value {
    let mut classes: Value = serde_json::from_str(CLASSES).expect("an object_info");
    classes["CheckpointLoaderSimple"]["input"]["required"]["ckpt_name"] = json!([checkpoints]);
    classes
}

async fn drawing(platform: &Platform) -> Vec<String> {
    let live = generators::live(&platform.core, &Caller::guest()).await.expect("a list");
    let drawing = live.into_iter().filter(|generator| generator.recipe.task == Task::TextToImage);
    drawing.map(|generator| generator.model).collect()
}

/// Runs the best generator for words.
async fn run(platform: &Platform, form: &Value) -> JobId {
    let asked = generators::for_sentence(&platform.core, &Caller::guest(), "a fox in the snow", None).await;
    let app = asked.expect("an answer").live[0].workflow_api.expect("a mini app");
    submit_form(platform, app, form.as_object().expect("a form").clone()).await.expect("a job")
}

#[actix::test]
async fn server_that_gains_checkpoints_draws_words_until_it_is_lost() {
    let options = Options { object_info: classes(&[]), models: [].into(), ..Options::default() };
    let mut settings = hurried();
    settings.pace.models_every = Duration::from_millis(100);
    let platform = Platform::patient(vec![options], settings, |_| {}).await;
    let (core, server) = (&platform.core, &platform.servers[0]);
    generators::refresh(core).await.expect("a round");
    assert!(drawing(&platform).await.is_empty());

    let (named, unnamed) = ("v1-5-pruned-emaonly.safetensors", "my merge.safetensors");
    // Both files have this header. The lists that show them come after it, as a file is there with its header.
    server.answer("/view_metadata/checkpoints", json!({ "modelspec.architecture": "stable-diffusion-v1" }));
    server.answer("/models/checkpoints", json!([named, unnamed]));
    server.answer("/models", json!(["checkpoints"]));
    server.answer("/object_info", classes(&[named, unnamed]));
    let mut models = until("both files are known", || async {
        generators::refresh(core).await.expect("a round");
        Some(drawing(&platform).await).filter(|models| models.len() == 2)
    })
    .await;
    models.sort();
    assert_eq!(models, [unnamed, named]);

    let job = run(&platform, &json!({ "prompt": "a fox in the snow" })).await;
    platform.until_status(job, Status::Done).await;
    let posted: Value = serde_json::from_str(&server.posted().pop().expect("a prompt")).expect("JSON");
    let nodes: Vec<&Value> = posted["prompt"].as_object().expect("nodes").values().collect();
    assert!(nodes.iter().any(|node| node["inputs"]["text"] == "a fox in the snow"), "{posted}");
    assert!(nodes.iter().any(|node| models.iter().any(|model| node["inputs"]["ckpt_name"] == **model)), "{posted}");

    server.answer("/object_info", classes(&[named]));
    server.answer("/models/checkpoints", json!([named]));
    until("the lost file is noticed", || async { (drawing(&platform).await == [named]).then_some(()) }).await;

    server.kill();
    until("no generator is live", || async { drawing(&platform).await.is_empty().then_some(()) }).await;
    let asked = generators::for_sentence(core, &Caller::guest(), "a fox in the snow", None).await.expect("an answer");
    assert_eq!((asked.live.len(), asked.away.len()), (0, 2));
    platform.audit().await;
}

#[actix::test]
async fn checkpoint_whose_header_says_nothing_is_known_by_its_size() {
    let (sized, other) = ("merge of 2024.safetensors", "dreamshaper_8.ckpt");
    let options = Options { object_info: classes(&[sized, other]), models: [].into(), ..Options::default() };
    let mut settings = hurried();
    settings.pace.models_every = Duration::from_millis(100);
    let platform = Platform::patient(vec![options], settings, |_| {}).await;
    let (core, server) = (&platform.core, &platform.servers[0]);
    let sizes = json!([{ "name": sized, "size": 6_938_040_682_u64 }, { "name": other, "size": 5_000_000_000_u64 }]);
    server.answer("/view_metadata/checkpoints", json!({ "format": "pt" }));
    server.answer("/experiment/models/checkpoints", sizes);
    server.answer("/models/checkpoints", json!([sized, other]));
    server.answer("/models", json!(["checkpoints"]));
    let mut families = until("both files draw", || async {
        generators::refresh(core).await.expect("a round");
        let live = generators::live(core, &Caller::guest()).await.expect("a list");
        let drawing = live.into_iter().filter(|generator| generator.recipe.task == Task::TextToImage);
        let families: Vec<_> = drawing.map(|generator| (generator.model, generator.recipe.family.clone())).collect();
        Some(families).filter(|families| families.contains(&(sized.to_owned(), Some("Sdxl".to_owned()))))
    })
    .await;
    families.sort();
    let expected = [(other, "AnyCheckpoint"), (sized, "Sdxl")];
    assert_eq!(families, expected.map(|(file, family)| (file.to_owned(), Some(family.to_owned()))));
    platform.audit().await;
}

#[actix::test]
async fn chosen_model_of_a_form_runs_on_the_server_that_has_it() {
    let merges: Vec<String> = (0..8).map(|number| format!("merge {number}.safetensors")).collect();
    let (left, right) = merges.split_at(4);
    let options = [left, right].map(|files| {
        let listed: Vec<&str> = files.iter().map(String::as_str).collect();
        let models = [("checkpoints".to_owned(), files.to_vec())].into();
        Options { object_info: classes(&listed), models, ..Options::default() }
    });
    let platform = Platform::patient(options.into(), hurried(), |_| {}).await;
    generators::refresh(&platform.core).await.expect("a round");
    for (server, model) in platform.servers.iter().zip([&left[3], &right[3]]) {
        let job = run(&platform, &json!({ "model": model })).await;
        platform.until_status(job, Status::Done).await;
        let posted = server.posted().pop().expect("a prompt");
        assert!(posted.contains(model.as_str()), "{posted}");
    }
    platform.audit().await;
}
