mod bindings;
mod many_models;
mod several_pictures;
mod variants;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::recipe::{bare_name, recipes};
use super::*;
use crate::fleet::factory::{report, worker};
use crate::fleet::{Capabilities, WorkerState};
use crate::graph::{NodeDefinitions, Prompt, SubmittedFiles, validate};
use crate::testing::TestCore;

const OLD: &str = include_str!("../../../tests/data/generators/v0.3.64/object_info.json");
const NEW: &str = include_str!("../../../tests/data/generators/v0.33.0/object_info.json");

/// The classes of a recorded server whose lists have these model files.
fn definitions(recorded: &str, models: &[(&str, &str)]) -> NodeDefinitions {
    let mut info: Value = serde_json::from_str(recorded).expect("an object_info");
    for (class, node) in info.as_object_mut().expect("classes") {
        for section in ["required", "optional"] {
            let Some(inputs) = node["input"].get_mut(section).and_then(Value::as_object_mut) else { continue };
            for (name, input) in inputs {
                let Some(folder) = crate::graph::model_folder(class, name) else { continue };
                let files: Vec<&str> =
                    models.iter().filter(|(other, _)| *other == folder).map(|(_, file)| *file).collect();
                match input.get_mut(1).and_then(|options| options.get_mut("options")) {
                    Some(options) => *options = json!(files),
                    None => input[0] = json!(files),
                }
            }
        }
    }
    NodeDefinitions::from_object_info(&info)
}

fn capabilities(recorded: &str, models: &[(&str, &str)]) -> Arc<Capabilities> {
    let mut by_folder: BTreeMap<String, std::collections::BTreeSet<String>> = BTreeMap::new();
    for (folder, file) in models {
        by_folder.entry((*folder).to_owned()).or_default().insert((*file).to_owned());
    }
    Arc::new(Capabilities::new(None, Arc::new(definitions(recorded, models)), by_folder))
}

/// A file for each model of a recipe.
fn files_of(recipe: &Recipe) -> Vec<(&str, String)> {
    let typical = |slot: &recipe::ModelSlot| slot.typical_name().unwrap_or("any").to_owned();
    recipe.models.iter().map(|slot| (slot.folder.as_str(), format!("{}.safetensors", typical(slot)))).collect()
}

#[test]
fn file_names_are_compared_without_folder_ending_and_separators() {
    for (file, name) in [
        ("SDXL/sd_xl_base_1.0.safetensors", "sd_xl_base_1_0"),
        ("sub\\Flux1-Dev FP8.sft", "flux1_dev_fp8"),
        ("Kolors.SAFETENSORS", "kolors"),
        ("sd3.5_medium", "sd3_5_medium"),
    ] {
        assert_eq!(bare_name(file), name);
    }
}

#[test]
fn known_file_names_have_the_family_of_the_table() {
    let table: Value =
        serde_json::from_str(include_str!("../../../tests/data/generators/names.json")).expect("a table");
    let recipes = recipes().expect("recipes");
    for row in table.as_array().expect("rows") {
        let text = |key: &str| row[key].as_str();
        let (folder, file) = (text("folder").expect("a folder"), text("file").expect("a file"));
        let found = family::named_family(recipes, folder, &bare_name(file));
        assert_eq!(found, text("family"), "{folder}/{file}");
    }
}

#[test]
fn headers_and_admins_say_what_a_file_is() {
    let recipes = recipes().expect("recipes");
    let key = |file: &str| ("checkpoints".to_owned(), file.to_owned());
    let mut known = family::KnownModels::default();
    let family = |known: &family::KnownModels, file: &str| {
        let name = family::matched_name(recipes, known, "checkpoints", file)?;
        family::named_family(recipes, "checkpoints", &name).map(str::to_owned)
    };
    assert_eq!(family(&known, "dreamshaper_8.safetensors").as_deref(), Some("AnyCheckpoint"));
    known.by_header.insert(key("dreamshaper_8.safetensors"), "stable-diffusion-v1".to_owned());
    known.by_header.insert(key("sdxl_style.safetensors"), "stable-diffusion-xl-v1-base/lora".to_owned());
    known.by_header.insert(key("sd_xl_misnamed.safetensors"), "sd_v1".to_owned());
    assert_eq!(family(&known, "dreamshaper_8.safetensors").as_deref(), Some("Sd15"));
    assert_eq!(family(&known, "sdxl_style.safetensors"), None);
    assert_eq!(family(&known, "sd_xl_misnamed.safetensors").as_deref(), Some("Sd15"));
    known.by_header.insert(key("my clips.safetensors"), "ltx2".to_owned());
    known.by_header.insert(key("ltx-2.3-22b-distilled.safetensors"), "ltx2".to_owned());
    for file in ["my clips.safetensors", "ltx-2.3-22b-distilled.safetensors"] {
        assert_eq!(family(&known, file).as_deref(), Some("Ltx2"), "{file}");
    }
    known.by_admin.insert(key("dreamshaper_8.safetensors"), Some("sd_xl".to_owned()));
    known.by_admin.insert(key("sd_xl_base.safetensors"), None);
    assert_eq!(family(&known, "dreamshaper_8.safetensors").as_deref(), Some("Sdxl"));
    assert_eq!(family(&known, "sd_xl_base.safetensors"), None);
}

#[test]
fn checkpoints_that_no_recipe_names_are_known_by_their_size_or_get_the_graph_for_any() {
    let recipes = recipes().expect("recipes");
    let told = |folder: &str, file: &str, header: Option<&str>| {
        let mut known = family::KnownModels::default();
        if let Some(header) = header {
            known.by_header.insert((folder.to_owned(), file.to_owned()), header.to_owned());
        }
        let name = family::matched_name(recipes, &known, folder, file)?;
        family::named_family(recipes, folder, &name).map(str::to_owned)
    };
    for (file, header, family) in [
        ("dreamshaper_8.safetensors", Some("size:2132625894"), Some("Sd15")),
        ("anything-v5.ckpt", Some("size:4265146304"), Some("Sd15")),
        ("My Merge.safetensors", Some("size:6938040682"), Some("Sdxl")),
        ("sd_xl_base_1.0.safetensors", Some("size:2132625894"), Some("Sdxl")),
        ("v2-1_768-ema-pruned.safetensors", Some("size:5214865159"), Some("AnyCheckpoint")),
        ("v2-1_768.safetensors", Some("stable-diffusion-v2-768-v"), Some("AnyCheckpoint")),
        ("model.safetensors", None, Some("AnyCheckpoint")),
        ("DreamShaperXL_Turbo_v2.safetensors", Some("size:6939220250"), Some("AnyCheckpoint")),
        ("dreamshaperXL_lightningDPMSDE.safetensors", Some("stable-diffusion-xl-v1-base"), Some("AnyCheckpoint")),
        ("dreamshaper_8Inpainting.safetensors", Some("size:2132626066"), Some("Sd15")),
        ("512-inpainting-ema.safetensors", None, None),
        ("svd_xt.safetensors", Some("size:9559625980"), Some("Svd")),
        ("sd_xl_refiner_1.0.safetensors", Some("size:6075981930"), None),
        ("stable_zero123.ckpt", Some("size:8578466206"), None),
        ("flux1-dev.safetensors", None, None),
        ("a model.safetensors", Some("wan2.1"), None),
    ] {
        assert_eq!(told("checkpoints", file, header).as_deref(), family, "{file}, {header:?}");
    }
    assert_eq!(told("diffusion_models", "model.safetensors", Some("size:2132625894")), None);
    let name = |file: &str| {
        family::matched_name(recipes, &family::KnownModels::default(), "checkpoints", file).map(Cow::into_owned)
    };
    assert_eq!(name("DreamShaperXL_Turbo_v2.safetensors").as_deref(), Some("any_fast_checkpoint"));
    assert_eq!(name("hyperRealism_v3.safetensors").as_deref(), Some("any_checkpoint"));
}

#[test]
fn checkpoint_of_any_name_draws_words_on_both_recorded_servers() {
    let recipes = recipes().expect("recipes");
    let files = ["dreamshaper_8.safetensors", "DreamShaperXL_Turbo_v2.safetensors", "sd_xl_turbo_1.0.safetensors"];
    for (recorded, file) in [OLD, NEW].into_iter().flat_map(|recorded| files.map(|file| (recorded, file))) {
        let can = capabilities(recorded, &[("checkpoints", file)]);
        let offers = offers(recipes, &[can], &family::KnownModels::default());
        let tasks: Vec<Task> = offers.iter().map(|offer| offer.recipe.task).collect();
        assert_eq!(tasks, [Task::TextToImage, Task::ImageToImage, Task::Inpaint], "{file}");
        assert!(offers.iter().all(|offer| offer.graph()["1"]["inputs"]["ckpt_name"] == file));
    }
}

#[test]
fn words_become_a_3d_model_where_one_server_also_draws() {
    let recipes = recipes().expect("recipes");
    let shapes = ("checkpoints", "hunyuan_3d_v2.1.safetensors");
    let tasks = |models: &[(&str, &str)]| {
        let offers = offers(recipes, &[capabilities(OLD, models)], &family::KnownModels::default());
        let shaped = offers.into_iter().filter(|offer| offer.recipe.family.as_deref() == Some("Hunyuan3D"));
        shaped.map(|offer| (offer.recipe.task, offer.graph())).collect::<Vec<_>>()
    };
    let alone: Vec<Task> = tasks(&[shapes]).into_iter().map(|(task, _)| task).collect();
    assert_eq!(alone, [Task::ImageTo3D]);
    for drawing in ["sd_xl_base_1.0.safetensors", "my merge.safetensors"] {
        let both = tasks(&[shapes, ("checkpoints", drawing)]);
        let [(Task::ImageTo3D, _), (Task::TextTo3D, chain)] = &both[..] else { panic!("{drawing}: {both:?}") };
        assert_eq!(chain["1"]["inputs"]["ckpt_name"], drawing);
        assert_eq!(chain["10"]["inputs"]["ckpt_name"], shapes.1);
    }
}

#[test]
fn every_recipe_with_recorded_nodes_is_offered_when_its_files_are_there() {
    let recipes = recipes().expect("recipes");
    assert!(recipes.len() >= 120, "only {} recipes", recipes.len());
    let recorded: Value = serde_json::from_str(NEW).expect("an object_info");
    for recipe in recipes {
        let nodes = recipe.form.graph.as_object().expect("a graph");
        let is_recorded = |class: &str| recorded.get(class).is_some();
        if !nodes.values().all(|node| node["class_type"].as_str().is_some_and(is_recorded)) {
            continue;
        }
        let files = files_of(recipe);
        let files: Vec<(&str, &str)> = files.iter().map(|(folder, file)| (*folder, file.as_str())).collect();
        let can = capabilities(NEW, &files);
        let offers = offers(recipes, &[can], &family::KnownModels::default());
        assert!(offers.iter().any(|offer| offer.recipe.id == recipe.id), "{} is not offered for {files:?}", recipe.id);
        let (main, others) = (recipe.main_slot(), files.len());
        if main.is_some() && others > 1 {
            let alone = capabilities(NEW, &files[..0]);
            let none = super::offers(recipes, &[alone], &family::KnownModels::default());
            assert!(none.iter().all(|offer| offer.recipe.id != recipe.id), "{} needs its models", recipe.id);
        }
    }
}

#[test]
fn every_graph_is_valid_on_recorded_servers_that_have_its_nodes() {
    let recipes = recipes().expect("recipes");
    let submitted = SubmittedFiles { files: ["example.png", "example.mp4", "example.wav"].map(str::to_owned).into() };
    for recorded in [OLD, NEW] {
        for recipe in recipes {
            let files = files_of(recipe);
            let files: Vec<(&str, &str)> = files.iter().map(|(folder, file)| (*folder, file.as_str())).collect();
            let can = capabilities(recorded, &files);
            let offers = offers(recipes, &[Arc::clone(&can)], &family::KnownModels::default());
            for offer in offers.iter().filter(|offer| offer.recipe.id == recipe.id) {
                let prompt = Prompt::from_value(offer.graph()).expect("a prompt");
                let checked = validate(&prompt, &can.definitions, &submitted);
                let checked = checked.unwrap_or_else(|refusal| panic!("{}: {refusal:?}", recipe.id));
                assert!(checked.node_errors.is_empty(), "{}: {:?}", recipe.id, checked.node_errors);
            }
        }
    }
}

#[test]
fn all_inputs_for_the_main_model_get_the_same_file() {
    let dev = "ltx-2-19b-dev.safetensors";
    let distilled = "ltx-2.3-22b-distilled.safetensors";
    let models =
        [("checkpoints", dev), ("checkpoints", distilled), ("text_encoders", "gemma_3_12B_it_fp8_scaled.safetensors")];
    let offers = offers(recipes().expect("recipes"), &[capabilities(NEW, &models)], &family::KnownModels::default());
    let offered: Vec<(&str, &str)> =
        offers.iter().map(|offer| (offer.recipe.id.as_str(), offer.model.as_str())).collect();
    for expected in [("ltx-2-dev-text-to-video", dev), ("ltx-2-distilled-text-to-video", distilled)] {
        assert!(offered.contains(&expected), "{expected:?} is not among {offered:?}");
    }
    for offer in offers.iter().filter(|offer| offer.recipe.family.as_deref() == Some("Ltx2")) {
        let graph = offer.graph();
        let nodes = graph.as_object().expect("nodes").values();
        let files: Vec<&Value> = nodes.filter_map(|node| node["inputs"].get("ckpt_name")).collect();
        assert_eq!(files, [&offer.model; 3], "{}", offer.recipe.id);
    }
}

#[test]
fn texts_are_in_both_languages_and_tags_exist() {
    let tree = include_str!("../../../migrations/0008_workflows.sql");
    let is_hangul = |c: char| ('\u{ac00}'..='\u{d7a3}').contains(&c);
    for recipe in recipes().expect("recipes") {
        assert!((1..=5).contains(&recipe.tags.len()), "{}: {:?}", recipe.id, recipe.tags);
        for tag in &recipe.tags {
            assert!(tree.contains(&format!(", 1, '{tag}', '")), "{}: there is no tag {tag}", recipe.id);
        }
        let own = [("name", &recipe.name), ("description", &recipe.description)];
        let notes = recipe.licence.iter().map(|licence| ("note", &licence.note));
        for (what, words) in own.into_iter().chain(notes).chain(recipe.form.words()) {
            assert!(!words.en.trim().is_empty() && !words.en.contains(is_hangul), "{}, {what}: {words:?}", recipe.id);
            assert!(words.ko.contains(is_hangul), "{}, {what}: {words:?}", recipe.id);
        }
    }
}

#[actix::test]
async fn generator_of_a_new_checkpoint_is_published_and_gone_with_its_worker() {
    let core = TestCore::new().await;
    let id = worker(&core, "cpu", &capabilities(OLD, &[]), false).await;
    let guest = Caller::guest();
    report(&core, id, WorkerState::Idle, Some(capabilities(OLD, &[]))).await;
    assert_eq!(refresh(&core).await.expect("a round"), 0);
    assert!(live(&core, &guest).await.expect("a list").is_empty());

    let models = [("checkpoints", "v1-5-pruned-emaonly.safetensors")];
    report(&core, id, WorkerState::Idle, Some(capabilities(OLD, &models))).await;
    assert!(refresh(&core).await.expect("a round") >= 3);
    assert_eq!(refresh(&core).await.expect("nothing is left"), 0);
    let apps = live_apps(&core, &guest).await.expect("a list");
    let (_, drawing) = apps.iter().find(|(task, _)| *task == Task::TextToImage).expect("a generator for words");
    assert_eq!(drawing.kind(), WorkflowKind::Generator);
    assert_eq!(drawing.name, "Picture from words · v1-5-pruned-emaonly");
    assert_eq!(drawing.app.takes, [workflows::Takes::Text]);
    assert!(!drawing.is_private);
    let asked = for_sentence(&core, &guest, "a lighthouse in a storm", None).await.expect("an answer");
    assert_eq!((asked.task, asked.live.len(), asked.away.len()), (Task::TextToImage, 1, 0));
    let stored = workflows::find(&core, &guest, drawing.id).await.expect("the workflow");
    assert_eq!(stored.app.works, Some(true));

    report(&core, id, WorkerState::Connecting, None).await;
    assert!(live(&core, &guest).await.expect("a list").is_empty());
    let asked = for_sentence(&core, &guest, "a lighthouse in a storm", None).await.expect("an answer");
    assert_eq!((asked.live.len(), asked.away.len()), (0, 1));
}

#[actix::test]
async fn workflow_of_a_node_that_stopped_while_it_made_a_generator_is_deleted() {
    let core = TestCore::new().await;
    let house = users::house(&core).await.expect("the platform's account");
    let author = house.signed_in().expect("an account");
    let left = workflows::workflow(author).insert(&core.db).await.id;
    let models = [("checkpoints", "v1-5-pruned-emaonly.safetensors")];
    let id = worker(&core, "cpu", &capabilities(OLD, &models), false).await;
    report(&core, id, WorkerState::Idle, Some(capabilities(OLD, &models))).await;
    refresh(&core).await.expect("a round");
    assert!(matches!(workflows::find(&core, &house, left).await, Err(Error::NotFound { .. })));
    let kept = live_apps(&core, &Caller::guest()).await.expect("a list");
    assert!(kept.len() >= 3, "those of the generators stay");
    // Another checkpoint begins a round.
    let more = [models[0], ("checkpoints", "sd_xl_base_1.0.safetensors")];
    report(&core, id, WorkerState::Idle, Some(capabilities(OLD, &more))).await;
    refresh(&core).await.expect("a round");
    assert!(live_apps(&core, &Caller::guest()).await.expect("a list").len() > kept.len(), "also after the next round");
}

#[actix::test]
async fn every_recipe_for_videos_is_published_with_its_form() {
    let core = TestCore::new().await;
    let makes_videos = |recipe: &&Recipe| {
        recipe.form.outputs.iter().any(|output| recipe.form.graph[&output.node]["class_type"] == "SaveVideo")
    };
    let recipes: Vec<&Recipe> = recipes().expect("recipes").iter().filter(makes_videos).collect();
    let files: Vec<(&str, String)> = recipes.iter().copied().flat_map(files_of).collect();
    let models: Vec<(&str, &str)> = files.iter().map(|(folder, file)| (*folder, file.as_str())).collect();
    let can = capabilities(NEW, &models);
    let id = worker(&core, "cpu", &can, false).await;
    report(&core, id, WorkerState::Idle, Some(can)).await;
    refresh(&core).await.expect("a round");
    let (states, _) = generators(&core, &Caller::system()).await.expect("the page");
    for recipe in recipes {
        let state = states.iter().find(|state| state.recipe.id == recipe.id);
        let state = state.unwrap_or_else(|| panic!("{} has no generator", recipe.id));
        assert_eq!(state.failure, None, "{}", recipe.id);
    }
}

#[actix::test]
async fn admin_names_an_unknown_checkpoint_and_a_deleted_generator_stays_deleted() {
    let core = TestCore::new().await;
    let id = worker(&core, "cpu", &capabilities(OLD, &[]), false).await;
    let admin = Caller::system();
    let file = "svd_xt_image_decoder.safetensors";
    report(&core, id, WorkerState::Idle, Some(capabilities(OLD, &[("checkpoints", file)]))).await;
    assert_eq!(refresh(&core).await.expect("a round"), 0);
    let (_, models) = generators(&core, &admin).await.expect("the page");
    assert!(models.iter().any(|model| model.file == file && model.family.is_none()));
    let refused = set_model(&core, &admin, ("checkpoints", file), Some(Some("no model"))).await;
    assert!(matches!(refused, Err(Error::Invalid { .. })));

    set_model(&core, &admin, ("checkpoints", file), Some(Some("v1_5_pruned"))).await.expect("an admin's word");
    assert!(refresh(&core).await.expect("a round") >= 3);
    let live_before = live(&core, &Caller::guest()).await.expect("a list");
    let gone = live_before.first().expect("a generator").workflow;
    workflows::delete(&core, &admin, gone).await.expect("deleted");
    assert_eq!(refresh(&core).await.expect("a round"), 0);
    let apps = live_apps(&core, &Caller::guest()).await.expect("a list");
    assert!(apps.iter().all(|(_, workflow)| workflow.id != gone));
    assert_eq!(apps.len() + 1, live_before.len());

    set_model(&core, &admin, ("checkpoints", file), None).await.expect("the word is taken back");
    assert!(live(&core, &Caller::guest()).await.expect("a list").is_empty());
}

#[actix::test]
async fn generators_of_a_file_that_is_another_model_are_hidden_until_it_is_theirs_again() {
    let core = TestCore::new().await;
    let id = worker(&core, "cpu", &capabilities(OLD, &[]), false).await;
    let (admin, file) = (Caller::system(), "dreamshaper_8.safetensors");
    report(&core, id, WorkerState::Idle, Some(capabilities(OLD, &[("checkpoints", file)]))).await;
    let shown = async || {
        let rows = store::all(&core.db).await.expect("rows");
        let ids = rows.iter().filter_map(|row| row.workflow).collect();
        let public = super::published::published(&core, ids).await.expect("workflows");
        let public: HashSet<WorkflowId> = public.into_iter().map(|workflow| workflow.id).collect();
        let (states, _) = generators(&core, &Caller::system()).await.expect("the page");
        assert_eq!(states.len(), public.len(), "admins see the published ones");
        states.iter().map(|state| state.recipe.family.clone().unwrap_or_default()).collect::<Vec<_>>()
    };
    assert_eq!(refresh(&core).await.expect("a round"), 3);
    assert_eq!(shown().await, ["AnyCheckpoint"; 3]);

    set_model(&core, &admin, ("checkpoints", file), Some(Some("v1_5_pruned"))).await.expect("an admin's word");
    assert_eq!(refresh(&core).await.expect("a round"), 6);
    assert_eq!(refresh(&core).await.expect("nothing is left"), 0);
    assert_eq!(shown().await, ["Sd15"; 3]);

    set_model(&core, &admin, ("checkpoints", file), None).await.expect("the word is taken back");
    assert_eq!(refresh(&core).await.expect("a round"), 6);
    assert_eq!(shown().await, ["AnyCheckpoint"; 3]);
}

#[actix::test]
async fn simple_app_tells_what_is_missing() {
    let core = TestCore::new().await;
    let id = worker(&core, "cpu", &capabilities(OLD, &[]), false).await;
    report(&core, id, WorkerState::Idle, Some(capabilities(OLD, &[]))).await;
    let app = simple_app(&core, &Caller::guest(), SimpleAppAddress::FaceSwap).await.expect("an answer");
    assert_eq!(app.state, SimpleAppState::Unbound);
    assert_eq!(app.missing, ["ReActorFaceSwap"]);
}
