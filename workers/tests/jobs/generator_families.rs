//! How long it takes until the generator of a new model is offered, for every family of models, and a run of each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value, json};
use verdigraph_core::assets::AssetKind;
use verdigraph_core::jobs::Status;
use verdigraph_core::mini_apps::Rule;
use verdigraph_core::upkeep::TASKS;
use verdigraph_core::{Caller, Core, assets, generators, mini_apps, users};
use verdigraph_scripted::{Options, Scripted};
use verdigraph_workers::connection::Pace;

use crate::apps::submit_form;
use crate::files::picture;
use crate::generators::CLASSES;
use crate::platform::{Platform, until};
use crate::stage::hurried;

/// From the moment that a server has a model until its generator is on the home page.
const OFFERED_WITHIN: Duration = Duration::from_secs(60);
/// Families whose node classes the recorded server does not have.
const NOT_RECORDED: [&str; 2] = ["BackgroundRemoval", "ImageDescription"];
/// A plan without the pool of the server.
const OTHER_PLAN: &str = "Basic";

/// Model files by folder.
type ModelFiles = BTreeMap<String, BTreeSet<String>>;

/// A shipped recipe.
struct Shipped(Value);

impl Shipped {
    fn all() -> Vec<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../config/generators");
        let files = std::fs::read_dir(folder).expect("the recipes").map(|file| file.expect("a recipe").path());
        let read = |path: &Path| serde_json::from_slice(&std::fs::read(path).expect("a recipe")).expect("JSON");
        files.filter(|path| path.extension().is_some_and(|end| end == "json")).map(|path| Self(read(&path))).collect()
    }

    fn family(&self) -> Option<&str> {
        self.0["family"].as_str()
    }

    fn order(&self) -> u64 {
        self.0["order"].as_u64().expect("a number")
    }

    fn slots(&self) -> impl Iterator<Item = &Value> {
        self.0["models"].as_array().into_iter().flatten()
    }

    /// The class of a slot's node.
    fn class(&self, slot: &Value) -> &str {
        self.0["graph"][slot["node"].as_str().expect("a node")]["class_type"].as_str().expect("a class")
    }

    fn runs_on(&self, classes: &Value) -> bool {
        let nodes = self.0["graph"].as_object().expect("a graph").values();
        nodes.filter_map(|node| node["class_type"].as_str()).all(|class| classes.get(class).is_some())
    }

    /// A file for each model, by the name that fits best.
    fn files(&self) -> impl Iterator<Item = (String, String)> {
        self.slots().filter_map(|slot| {
            let name = slot["is"].as_array()?.first()?.as_str()?.replace('*', "any");
            Some((slot["folder"].as_str()?.to_owned(), format!("{name}.safetensors")))
        })
    }
}

/// The recorded classes, with these files in the lists of all inputs that take models.
fn classes(recipes: &[Shipped], files: &ModelFiles) -> Value {
    let mut classes: Value = serde_json::from_str(CLASSES).expect("an object_info");
    for (recipe, slot) in recipes.iter().flat_map(|recipe| recipe.slots().map(move |slot| (recipe, slot))) {
        let text = |key: &str| slot[key].as_str().expect("a text");
        let names = json!(files.get(text("folder")).into_iter().flatten().collect::<Vec<_>>());
        let place = format!("/{}/input/required/{}", recipe.class(slot), text("input"));
        let Some(input) = classes.pointer_mut(&place) else { continue };
        match input.pointer_mut("/1/options") {
            Some(options) => *options = names,
            None => input[0] = names,
        }
    }
    classes
}

/// Lets the server list these files from now on.
fn show(server: &Scripted, recipes: &[Shipped], files: &ModelFiles) {
    server.answer("/object_info", classes(recipes, files));
    for (folder, names) in files {
        server.answer(&format!("/models/{folder}"), json!(names));
    }
    server.answer("/models", json!(files.keys().collect::<Vec<_>>()));
}

/// Whether the home page of this caller has a generator of the family.
async fn is_offered(core: &Core, caller: &Caller, family: &str) -> bool {
    let apps = generators::live_apps(core, caller).await.expect("a list");
    let live = generators::live(core, caller).await.expect("a list");
    let mut of_family = live.iter().filter(|generator| generator.recipe.family.as_deref() == Some(family));
    of_family.any(|generator| apps.iter().any(|(_, app)| app.id == generator.workflow))
}

#[actix::test]
async fn generator_of_every_family_is_offered_within_a_minute_and_gone_with_its_server() {
    let mut recipes = Shipped::all();
    recipes.sort_by_key(Shipped::order);
    let mut first: BTreeMap<&str, &Shipped> = BTreeMap::new();
    for recipe in &recipes {
        if let Some(family) = recipe.family() {
            first.entry(family).or_insert(recipe);
        }
    }
    let mut files = ModelFiles::new();
    let recorded = classes(&recipes, &files);
    let (known, unknown): (Vec<_>, Vec<_>) = first.into_iter().partition(|(_, recipe)| recipe.runs_on(&recorded));
    assert_eq!(unknown.into_iter().map(|(family, _)| family).collect::<Vec<_>>(), NOT_RECORDED);

    let options = Options { object_info: recorded, models: [].into(), ..Options::default() };
    let mut settings = hurried();
    settings.pace.models_every = Duration::from_millis(100);
    let platform = Platform::patient(vec![options], settings, |settings| {
        for plan in settings.plans.iter_mut().filter(|plan| plan.name == OTHER_PLAN) {
            plan.pools = vec!["standard".to_owned()];
        }
    })
    .await;
    let (core, server) = (&platform.core, &platform.servers[0]);
    let other = Caller::customer(users::factory::user().plan(OTHER_PLAN).insert(&core.db).await);
    // The shipped pauses, which this test does not wait for: at worst, each has just begun.
    let task = TASKS.iter().find(|task| task.name == "generators").expect("the task");
    let pauses = Pace::default().tick + Pace::default().models_every + task.every;

    let mut longest = (Duration::ZERO, "");
    for (family, recipe) in known {
        assert!(!is_offered(core, &platform.caller, family).await, "{family} needs its models");
        for (folder, file) in recipe.files() {
            files.entry(folder).or_default().insert(file);
        }
        let began = core.clock.now();
        show(server, &recipes, &files);
        until(&format!("{family} is offered"), || async {
            generators::refresh(core).await.expect("a round");
            is_offered(core, &platform.caller, family).await.then_some(())
        })
        .await;
        let took = (core.clock.now() - began).to_std().expect("a later time") + pauses;
        assert!(took <= OFFERED_WITHIN, "{family} is offered after {took:?}");
        longest = longest.max((took, family));
        assert!(!is_offered(core, &other, family).await, "{family} is offered to a user who has no pool for it");
    }
    println!("offered within {:?} at most, {}, of which {pauses:?} are pauses", longest.0, longest.1);

    let sentence = "a fox in the snow";
    let asked = generators::for_sentence(core, &platform.caller, sentence, None).await.expect("an answer");
    assert!(!asked.live.is_empty());
    let began = core.clock.now();
    server.kill();
    until("no generator is offered", || async {
        generators::live_apps(core, &platform.caller).await.expect("a list").is_empty().then_some(())
    })
    .await;
    let took = (core.clock.now() - began).to_std().expect("a later time");
    assert!(took <= OFFERED_WITHIN, "generators are gone after {took:?}");
    // The page says that their workers are not connected.
    let asked = generators::for_sentence(core, &platform.caller, sentence, None).await.expect("an answer");
    assert!(asked.live.is_empty() && !asked.away.is_empty());
    platform.audit().await;
}

#[actix::test]
async fn every_generator_of_the_recorded_server_runs_with_the_defaults_of_its_form() {
    let recipes = Shipped::all();
    let mut files = ModelFiles::new();
    for (folder, file) in recipes.iter().flat_map(Shipped::files) {
        files.entry(folder).or_default().insert(file);
    }
    let models = files.iter().map(|(folder, names)| (folder.clone(), names.iter().cloned().collect())).collect();
    let options = Options { object_info: classes(&recipes, &files), models, ..Options::default() };
    let platform = Platform::patient(vec![options], hurried(), |_| {}).await;
    let (core, caller) = (&platform.core, &platform.caller);
    generators::refresh(core).await.expect("a round");
    let film = verdigraph_core::testing::MP4.to_vec();
    let film = assets::upload_media(core, caller, "a.mp4", AssetKind::Video, film).await.expect("a film");
    let sound = verdigraph_core::testing::wav();
    let sound = assets::upload_media(core, caller, "a.wav", AssetKind::Audio, sound).await.expect("a sound");
    let picture = picture(&platform).await;
    let apps = generators::live_apps(core, caller).await.expect("a list");
    let families: BTreeSet<&str> = recipes.iter().filter_map(Shipped::family).collect();
    assert!(apps.len() > families.len(), "only {} generators of {} families", apps.len(), families.len());
    for (task, workflow) in apps {
        let app = workflow.workflow_api.expect("a mini app");
        let compiled = mini_apps::compiled(core, caller, app).await.expect("the app");
        let given = compiled.fields().iter().filter_map(|field| {
            let asset = match field.rule {
                Rule::Image => &picture,
                Rule::Video => &film,
                Rule::Audio => &sound,
                _ => return None,
            };
            Some((field.name.clone(), json!(asset.id)))
        });
        let all: Map<String, Value> = given.collect();
        let mut required = all.clone();
        required.retain(|name, _| compiled.fields().iter().any(|field| field.required && field.name == *name));
        let forms = if required == all { vec![all] } else { vec![required, all] };
        for form in forms {
            let files = form.len();
            let job = submit_form(&platform, app, form).await.expect("a job");
            println!("{task:?}, {}, {files} files: {job}", workflow.name);
            platform.until_status(job, Status::Done).await;
        }
    }
    platform.audit().await;
}
