use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::*;
use crate::Clock;
use crate::graph::NodeDefinitions;
use crate::testing::TestCore;
use crate::users::factory;

/// A worker of a pool with these classes (class → input → choices) and listed models.
async fn worker(core: &Core, pool: &str, classes: Value, models: &[(&str, &str)]) {
    let classes = classes.as_object().expect("classes").iter().map(|(class, inputs)| {
        let inputs = inputs.as_object().expect("inputs").iter().map(|(name, choices)| (name.clone(), json!([choices])));
        let required: serde_json::Map<String, Value> = inputs.collect();
        (class.clone(), json!({ "input": { "required": required }, "output": ["MODEL"], "output_node": true }))
    });
    let info = Value::Object(classes.collect());
    let mut listed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (folder, name) in models {
        listed.entry((*folder).to_owned()).or_default().insert((*name).to_owned());
    }
    let can = Capabilities::new(None, Arc::new(NodeDefinitions::from_object_info(&info)), listed);
    fleet::factory::worker(core, pool, &Arc::new(can), false).await;
}

/// A core whose first plan has the pool `cpu` only.
async fn core() -> TestCore {
    TestCore::with(Clock::held(TestCore::start_of_time()), |settings| {
        let [first, ..] = settings.plans.as_mut_slice() else { panic!("no plan") };
        first.pools = vec!["cpu".to_owned()];
    })
    .await
}

async fn user(core: &Core) -> Caller {
    Caller::customer(factory::user().insert(&core.db).await)
}

async fn of(core: &Core, caller: &Caller, prompt: &Value) -> GraphRequirements {
    requirements(core, caller, prompt.to_string().as_bytes()).await.expect("requirements")
}

/// `(kind, folder, name, nodes, pools)` of each missing one.
fn shown(found: &GraphRequirements) -> Vec<(&str, &str, &str, String, String)> {
    let row = |one: &MissingRequirement| (one.nodes.join(","), one.pools.join(","));
    let missing = found.missing.iter().map(|one| {
        let (nodes, pools) = row(one);
        let Requirement { kind, folder, name } = &one.requirement;
        (kind.name(), folder.as_deref().unwrap_or_default(), name.as_str(), nodes, pools)
    });
    missing.collect()
}

#[actix::test]
async fn missing_classes_and_models_are_named_with_their_nodes_and_other_pools() {
    let core = core().await;
    worker(&core, "cpu", json!({ "CheckpointLoaderSimple": { "ckpt_name": ["a.safetensors"] } }), &[]).await;
    let large = json!({
        "CheckpointLoaderSimple": { "ckpt_name": ["sub\\b.safetensors"] },
        "Upscale": {},
        "SAMLoader": { "model_name": ["sam.pth"] },
    });
    worker(&core, "standard", large, &[]).await;
    let ann = user(&core).await;
    let load = |name: &str| json!({ "class_type": "CheckpointLoaderSimple", "inputs": { "ckpt_name": name } });
    let found = of(
        &core,
        &ann,
        &json!({
            "1": load("a.safetensors"),
            "2": load("sub/b.safetensors"),
            "3": load("sub\\b.safetensors"),
            "4": load("c.safetensors"),
            "5": { "class_type": "Upscale", "inputs": { "image": ["1", 0] } },
            "6": { "class_type": "Unknown (pack)", "inputs": {} },
            "7:1": { "class_type": "Unknown (pack)", "inputs": {} },
            "8": { "class_type": "SAMLoader", "inputs": { "model_name": "other.pth" } },
        }),
    )
    .await;
    let row = |kind, folder, name, nodes: &str, pools: &str| (kind, folder, name, nodes.to_owned(), pools.to_owned());
    assert_eq!(
        shown(&found),
        [
            row("Model", "checkpoints", "sub/b.safetensors", "2,3", "standard"),
            row("Model", "checkpoints", "c.safetensors", "4", ""),
            row("NodeClass", "", "Upscale", "5", "standard"),
            row("NodeClass", "", "Unknown (pack)", "6,7:1", ""),
            row("NodeClass", "", "SAMLoader", "8", "standard"),
            row("Model", "", "other.pth", "8", ""),
        ]
    );
    assert!(!found.one_worker_meets_all);
    let found = of(&core, &ann, &json!({ "1": load("a.safetensors") })).await;
    assert_eq!(found, GraphRequirements { missing: Vec::new(), one_worker_meets_all: true });
}

#[actix::test]
async fn graph_that_no_single_worker_can_run_is_told_from_one_that_lacks_something() {
    let core = core().await;
    worker(&core, "cpu", json!({ "A": {} }), &[]).await;
    worker(&core, "cpu", json!({ "B": {} }), &[]).await;
    let ann = user(&core).await;
    let prompt = json!({ "1": { "class_type": "A" }, "2": { "class_type": "B" } });
    let found = of(&core, &ann, &prompt).await;
    assert_eq!(found, GraphRequirements { missing: Vec::new(), one_worker_meets_all: false });
}

#[actix::test]
async fn model_of_a_missing_class_is_named_only_where_no_worker_lists_it() {
    let core = core().await;
    worker(&core, "cpu", json!({ "A": {} }), &[("loras", "a.safetensors")]).await;
    worker(&core, "standard", json!({ "LoraLoader": { "lora_name": ["a.safetensors", "b.safetensors"] } }), &[]).await;
    let ann = user(&core).await;
    let load = |name: &str| json!({ "class_type": "LoraLoader", "inputs": { "lora_name": name } });
    let found = of(&core, &ann, &json!({ "1": load("a.safetensors"), "2": load("b.safetensors") })).await;
    let names: Vec<&str> = found.missing.iter().map(|one| one.requirement.name.as_str()).collect();
    assert_eq!(names, ["LoraLoader", "b.safetensors"]);
}

#[actix::test]
async fn nothing_is_called_missing_before_a_worker_was_connected() {
    let core = core().await;
    let ann = user(&core).await;
    let prompt = json!({ "1": { "class_type": "A" } }).to_string();
    let refused = requirements(&core, &ann, prompt.as_bytes()).await;
    assert!(matches!(refused, Err(Error::Unavailable { .. })), "{refused:?}");
    worker(&core, "cpu", json!({ "A": {} }), &[]).await;
    let refused = requirements(&core, &ann, b"[]").await;
    assert!(matches!(refused, Err(Error::InvalidPrompt { .. })), "{refused:?}");
    let refused = requirements(&core, &Caller::guest(), prompt.as_bytes()).await;
    assert!(matches!(refused, Err(Error::LoginRequired)), "{refused:?}");
}

#[actix::test]
async fn requests_are_counted_once_per_user_and_closed_together() {
    let core = core().await;
    worker(&core, "cpu", json!({ "Here": {} }), &[("loras", "here.safetensors")]).await;
    worker(&core, "standard", json!({ "Elsewhere": {} }), &[]).await;
    let (ann, bob, admin) = (user(&core).await, user(&core).await, Caller::system());
    let wanted = Requirement::node_class("Elsewhere");
    let first = request(&core, &ann, &wanted).await.expect("a request");
    core.clock.advance(chrono::TimeDelta::minutes(1));
    assert_eq!(request(&core, &ann, &wanted).await.expect("the same request"), first);
    request(&core, &bob, &wanted).await.expect("a request");
    request(&core, &bob, &Requirement::model(Some("loras"), "new.safetensors")).await.expect("a request");
    for there in [Requirement::node_class("Here"), Requirement::model(Some("loras"), "here.safetensors")] {
        let refused = request(&core, &ann, &there).await;
        assert!(matches!(refused, Err(Error::Invalid { .. })), "{there:?}: {refused:?}");
    }

    let prompt = json!({ "1": { "class_type": "Elsewhere" } });
    assert!(of(&core, &ann, &prompt).await.missing[0].is_requested);
    assert!(!of(&core, &user(&core).await, &prompt).await.missing[0].is_requested);

    let listed = requested(&core, &admin).await.expect("a list");
    let rows: Vec<_> = listed.iter().map(|one| (one.requirement.name.as_str(), one.requests)).collect();
    assert_eq!(rows, [("Elsewhere", 2), ("new.safetensors", 1)]);
    assert_eq!((listed[0].id, listed[0].pools.as_slice()), (first.id, &["standard".to_owned()][..]));
    assert!(matches!(requested(&core, &ann).await, Err(Error::Forbidden)));

    assert!(matches!(close(&core, &ann, first.id).await, Err(Error::Forbidden)));
    close(&core, &admin, first.id).await.expect("closed requests");
    assert!(matches!(close(&core, &admin, first.id).await, Err(Error::NotFound { .. })));
    assert_eq!(requested(&core, &admin).await.expect("a list").len(), 1, "requests of other users are left");
    forget(&core, bob.user.expect("a user")).await.expect("a deletion");
    assert!(requested(&core, &admin).await.expect("a list").is_empty());
}

#[actix::test]
async fn oldest_requests_make_place_for_new_ones() {
    let core = core().await;
    let ann = user(&core).await;
    for number in 0..=MAX_REQUESTS {
        request(&core, &ann, &Requirement::node_class(&format!("Class {number}"))).await.expect("a request");
    }
    let left = requests(&core, &ann).await.expect("requests");
    let names: Vec<&str> = left.iter().map(|one| one.requirement.name.as_str()).collect();
    assert_eq!((names.len(), names[0], names[names.len() - 1]), (200, "Class 200", "Class 1"));
}
