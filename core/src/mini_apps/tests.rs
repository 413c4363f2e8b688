//! The public functions on a real database, with the node classes of two real servers.

use serde_json::json;

use super::*;
use crate::database;
use crate::graph::Prompt;
use crate::ids::UserId;
use crate::testing::TestCore;
use crate::workflows::Makes;

const OLD_CLASSES: &str = include_str!("../../tests/data/graph/v0.3.64/object_info.json");
const NEW_CLASSES: &str = include_str!("../../tests/data/graph/v0.33.0/object_info.json");

pub(in crate::mini_apps) fn definitions() -> [NodeDefinitions; 2] {
    [OLD_CLASSES, NEW_CLASSES].map(|text| NodeDefinitions::from_object_info(&serde_json::from_str(text).unwrap()))
}

/// A graph with an input of every kind.
pub(in crate::mini_apps) fn prompt() -> Prompt {
    Prompt::from_value(json!({
        "1": {"class_type": "LoadImage", "inputs": {"image": "example.png"}},
        "2": {"class_type": "ImageScale", "inputs": {"image": ["1", 0], "upscale_method": "area", "width": 512, "height": 512, "crop": "disabled"}},
        "3": {"class_type": "ImageBlend", "inputs": {"image1": ["2", 0], "image2": ["1", 0], "blend_factor": 0.5, "blend_mode": "multiply"}},
        "4": {"class_type": "KSampler", "inputs": {"seed": 12, "steps": 20, "cfg": 8.0, "sampler_name": "euler", "scheduler": "normal", "denoise": 1.0}},
        "5": {"class_type": "CheckpointLoaderSimple", "inputs": {"ckpt_name": "dream.safetensors"}},
        "6": {"class_type": "LoraLoader", "inputs": {"lora_name": "style.safetensors", "strength_model": 1.0, "strength_clip": 1.0}},
        "7": {"class_type": "CLIPTextEncode", "inputs": {"text": "a cat"}},
        "8": {"class_type": "PrimitiveString", "inputs": {"value": ""}},
        "9": {"class_type": "PrimitiveBoolean", "inputs": {"value": true}},
        "10": {"class_type": "SaveImage", "inputs": {"images": ["3", 0], "filename_prefix": "out"}, "_meta": {"title": "The picture"}},
        "11": {"class_type": "PreviewAny", "inputs": {"source": ["8", 0]}},
    }))
    .unwrap()
}

pub(in crate::mini_apps) fn described(
    definitions: &NodeDefinitions,
    inputs: &[(&str, &str)],
    outputs: &[&str],
) -> (Inputs, Outputs) {
    let prompt = prompt();
    let inputs = (1..).zip(inputs).map(|(order, (node, input))| {
        let entry = describe_input(definitions, &prompt, node, input).unwrap();
        (format!("{node}.{input}"), InputEntry { order, ..entry })
    });
    let outputs = (1..).zip(outputs).map(|(order, node)| {
        let entry = describe_output(definitions, &prompt, node).unwrap();
        ((*node).to_owned(), OutputEntry { order, ..entry })
    });
    (inputs.collect(), outputs.collect())
}

pub(in crate::mini_apps) fn planned(inputs: Inputs, outputs: Outputs) -> Result<Plan> {
    let [old, _] = definitions();
    plan(inputs, outputs, &prompt(), &old)
}

pub(in crate::mini_apps) async fn saved(core: &TestCore, owner: UserId) -> (MiniApp, NodeDefinitions) {
    let [old, _] = definitions();
    let workflow = crate::workflows::workflow(owner).prompt(prompt().to_value()).insert(&core.db).await;
    let (inputs, outputs) = described(&old, &[("2", "width"), ("4", "seed")], &["10", "11"]);
    let new = NewMiniApp { workflow: workflow.id, inputs, outputs };
    (save(core, &Caller::customer(owner), &old, new).await.unwrap(), old)
}

#[actix::test]
async fn new_save_makes_a_version_and_old_jobs_keep_theirs() {
    let core = TestCore::new().await;
    let ada = UserId::new();
    let caller = Caller::customer(ada);
    let (first, old) = saved(&core, ada).await;
    assert_eq!(first.workflow.workflow_api, Some(first.id));
    let (read, health) = find(&core, &caller, &old, first.id).await.unwrap();
    assert_eq!(read, first, "what is read is not what was saved");
    assert!(health.ok);

    let before = compiled(&core, &caller, first.id).await.unwrap();
    let (inputs, outputs) = described(&old, &[("7", "text")], &["10"]);
    let second = save(&core, &caller, &old, NewMiniApp { workflow: first.workflow.id, inputs, outputs }).await.unwrap();
    assert_eq!(second.id, first.id);
    assert_ne!(second.version, first.version);
    let now = compiled(&core, &caller, first.id).await.unwrap();
    assert_eq!(now.version, second.version, "a save does not count at once");
    assert_eq!(now.fields()[0].name, "7.CLIPTextEncode.text");
    assert_eq!(now.prompt().0.keys().collect::<Vec<_>>(), prompt().0.keys().collect::<Vec<_>>());
    core.mini_apps.versions.clear();
    let kept = version(&core, first.version).await.unwrap();
    assert_eq!(kept.fields(), before.fields(), "a job that ran the first version cannot be rendered again");
    assert_eq!(kept.outputs().iter().map(|output| output.id.as_str()).collect::<Vec<_>>(), ["10", "11"]);
}

#[actix::test]
async fn pinned_version_is_run_until_the_app_is_deleted() {
    let core = TestCore::new().await;
    let (ada, bob) = (UserId::new(), Caller::customer(UserId::new()));
    let owner = Caller::customer(ada);
    let (first, old) = saved(&core, ada).await;
    let (inputs, outputs) = described(&old, &[("7", "text")], &["10"]);
    let second = save(&core, &owner, &old, NewMiniApp { workflow: first.workflow.id, inputs, outputs }).await.unwrap();
    let (other, _) = saved(&core, ada).await;
    let pinned = async |caller: &Caller, app, version| compiled_version(&core, caller, app, Some(version)).await;
    for saved in [&first, &second] {
        let app = pinned(&owner, first.id, saved.version).await.unwrap();
        assert_eq!((app.version, app.rjsf()), (saved.version, saved.rjsf.clone()));
    }
    let is_gone = |found: Result<_>| matches!(found, Err(Error::NotFound { .. }));
    assert!(is_gone(pinned(&bob, first.id, first.version).await), "a stranger ran a private mini app");
    assert!(is_gone(pinned(&owner, first.id, other.version).await), "a version of another app");
    let (documented, workflow) = documented(&core, &owner, first.id, Some(first.version)).await.unwrap();
    assert_eq!((documented.version, workflow.id), (first.version, first.workflow.id));
    crate::workflows::set_private(&core, &owner, &[first.workflow.id], false).await.unwrap();
    assert_eq!(pinned(&bob, first.id, first.version).await.unwrap().version, first.version);
    delete(&core, &owner, first.id).await.unwrap();
    assert!(is_gone(pinned(&owner, first.id, first.version).await), "a deleted app was run");
}

#[actix::test]
async fn a_mini_app_is_as_visible_as_its_workflow() {
    let core = TestCore::new().await;
    let ada = UserId::new();
    let (app, old) = saved(&core, ada).await;
    let (owner, bob) = (Caller::customer(ada), Caller::customer(UserId::new()));
    let gone = |error: Error| matches!(error, Error::NotFound { what: "workflow api" });
    assert!(compiled(&core, &owner, app.id).await.is_ok());
    assert!(gone(compiled(&core, &bob, app.id).await.unwrap_err()), "a stranger ran a private mini app");
    assert!(gone(find(&core, &bob, &old, app.id).await.unwrap_err()));
    assert!(gone(delete(&core, &bob, app.id).await.unwrap_err()));
    let public = crate::workflows::set_private(&core, &owner, &[app.workflow.id], false).await.unwrap();
    assert!(compiled(&core, &bob, app.id).await.is_ok());
    assert_eq!(
        published(&core, ListQuery::at(AppFilter::default(), None, 10).sorted(WorkflowOrder::Newest))
            .await
            .unwrap()
            .items,
        public
    );
    assert!(matches!(delete(&core, &bob, app.id).await, Err(Error::Forbidden)));
    let (inputs, outputs) = described(&old, &[("7", "text")], &["10"]);
    let theft = save(&core, &bob, &old, NewMiniApp { workflow: app.workflow.id, inputs, outputs }).await;
    assert!(matches!(theft, Err(Error::Forbidden)));
}

#[actix::test]
async fn deleted_mini_app_is_gone_at_once_and_can_be_made_again() {
    let core = TestCore::new().await;
    let ada = UserId::new();
    let caller = Caller::customer(ada);
    let (app, old) = saved(&core, ada).await;
    crate::workflows::set_private(&core, &caller, &[app.workflow.id], false).await.unwrap();
    // A caller who ran it lately, and a node with a cached version.
    let (stranger, elsewhere) = (Caller::customer(UserId::new()), core.another("elsewhere"));
    for node in [&*core, &elsewhere] {
        for who in [&caller, &stranger] {
            compiled(node, who, app.id).await.unwrap();
        }
    }
    delete(&core, &caller, app.id).await.unwrap();
    for node in [&*core, &elsewhere] {
        for who in [&caller, &stranger] {
            assert!(compiled(node, who, app.id).await.is_err(), "it is still run");
        }
        assert!(find(node, &stranger, &old, app.id).await.is_err(), "it is still shown");
    }
    assert!(delete(&core, &caller, app.id).await.is_err());
    assert!(version(&core, app.version).await.is_ok(), "jobs that ran it must still be told");
    assert_eq!(crate::workflows::find(&core, &caller, app.workflow.id).await.unwrap().workflow_api, None);
    let (inputs, outputs) = described(&old, &[("7", "text")], &["10"]);
    let again = save(&core, &caller, &old, NewMiniApp { workflow: app.workflow.id, inputs, outputs }).await.unwrap();
    assert_ne!(again.id, app.id);
}

#[actix::test]
async fn concurrent_reads_share_one_statement_that_began_after_them() {
    let core = TestCore::new().await;
    let ada = UserId::new();
    let (one, _) = saved(&core, ada).await;
    let (two, _) = saved(&core, ada).await;
    let ask = |id| {
        let (core, caller) = (core.clone(), Caller::customer(ada));
        actix_rt::spawn(async move { compiled(&core, &caller, id).await })
    };
    let mut lock = database::begin(&core.db).await.expect("a transaction");
    sqlx::raw_sql("LOCK TABLE workflow_apis IN ACCESS EXCLUSIVE MODE").execute(&mut *lock).await.expect("a lock");
    let (first, cut) = (ask(one.id), ask(one.id));
    core.database.wait_for_locks(1).await;
    let others: Vec<_> = (0..20).map(|number| ask(if number % 2 == 0 { one.id } else { two.id })).collect();
    tokio::task::yield_now().await;
    core.database.wait_for_locks(1).await;
    // The call that reads may be canceled, and so may a waiting one.
    first.abort();
    cut.abort();
    // The canceled call's statement still waits, and so does the others' statement.
    core.database.wait_for_locks(2).await;
    let gone = "UPDATE workflow_apis SET deleted_at = now() WHERE id = $1";
    sqlx::query(gone).bind(two.id.0).execute(&mut *lock).await.expect("a change");
    lock.commit().await.expect("a commit");
    for (number, other) in others.into_iter().enumerate() {
        assert_eq!(other.await.expect("an answer").is_ok(), number % 2 == 0, "what held when the statement began");
    }
}

#[actix::test]
async fn failed_read_is_not_repeated_for_each_waiting_call() {
    let core = TestCore::new().await;
    let ada = UserId::new();
    let (app, _) = saved(&core, ada).await;
    let ask = || {
        let (core, caller) = (core.clone(), Caller::customer(ada));
        actix_rt::spawn(async move { compiled(&core, &caller, app.id).await })
    };
    let mut lock = database::begin(&core.db).await.expect("a transaction");
    sqlx::raw_sql("LOCK TABLE workflow_apis IN ACCESS EXCLUSIVE MODE").execute(&mut *lock).await.expect("a lock");
    let first = ask();
    core.database.wait_for_locks(1).await;
    let behind: Vec<_> = (0..5).map(|_| ask()).collect();
    tokio::task::yield_now().await;
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND wait_event_type = 'Lock'";
    for those in [vec![first], behind] {
        core.database.wait_for_locks(1).await;
        sqlx::query(cut).execute(&core.db).await.expect("a cut");
        for answer in those {
            let answer = answer.await.expect("an answer while the table is locked");
            assert!(matches!(answer, Err(Error::Unavailable { .. })), "{answer:?}");
        }
    }
    lock.rollback().await.expect("the lock is gone");
    assert!(ask().await.expect("an answer").is_ok());
}

#[actix::test]
async fn save_is_refused_while_node_classes_are_unknown() {
    let core = TestCore::new().await;
    let ada = UserId::new();
    let workflow = crate::workflows::workflow(ada).insert(&core.db).await;
    let new = NewMiniApp { workflow: workflow.id, inputs: Inputs::new(), outputs: Outputs::new() };
    let refused = save(&core, &Caller::customer(ada), &NodeDefinitions::default(), new).await;
    assert!(matches!(refused, Err(Error::Unavailable { .. })));
}

/// A published app that makes a picture from words, and the definitions of its workers.
async fn drawing() -> (TestCore, NodeDefinitions) {
    let core = TestCore::new().await;
    let ada = UserId::new();
    let (app, old) = saved(&core, ada).await;
    let (inputs, outputs) = described(&old, &[("7", "text")], &["10"]);
    save(&core, &Caller::customer(ada), &old, NewMiniApp { workflow: app.workflow.id, inputs, outputs }).await.unwrap();
    crate::workflows::set_private(&core, &Caller::customer(ada), &[app.workflow.id], false).await.unwrap();
    (core, old)
}

#[actix::test]
async fn apps_are_filtered_by_traits_even_if_saved_without_them() {
    let (core, _) = drawing().await;
    let count = async |takes, makes| {
        let filter = AppFilter { takes, makes, ..AppFilter::default() };
        published(&core, ListQuery::at(filter, None, 10).sorted(WorkflowOrder::View)).await.unwrap().items.len()
    };
    let (text, image) = (Some(crate::workflows::Takes::Text), Some(Makes::Image));
    for _ in 0..2 {
        assert_eq!(count(text, image).await, 1, "it draws words");
        for other in crate::workflows::Takes::ALL.into_iter().filter(|takes| Some(*takes) != text) {
            assert_eq!(count(Some(other), None).await, 0);
        }
        assert_eq!(count(None, Some(Makes::Video)).await, 0);
        // As an earlier release stored it.
        sqlx::query("UPDATE workflows SET app_takes = NULL, app_makes = NULL").execute(&core.db).await.unwrap();
        assert_eq!(count(text, None).await, 0);
        index_traitless(&core).await.unwrap();
    }
}

#[actix::test]
async fn prompt_app_is_suggested_only_while_a_worker_can_run_it() {
    let (core, old) = drawing().await;
    let found = suggest(&core, &old, "a cat in a red hat", None, |_| true).await.unwrap();
    assert!(found.fitting.first().is_some_and(|one| one.draws_words), "{found:?}");
    let found = suggest(&core, &old, "a cat in a red hat", None, |_| false).await.unwrap();
    assert_eq!((found.fitting.len(), found.waiting.len()), (0, 1), "no worker has what it needs");
}

#[actix::test]
async fn suggestions_of_one_kind_of_output_leave_out_the_other_apps() {
    let (core, old) = drawing().await;
    for (makes, count) in [(None, 1), (Some(Makes::Image), 1), (Some(Makes::Video), 0)] {
        let found = suggest(&core, &old, "a cat in a red hat", makes, |_| true).await.unwrap();
        assert_eq!((found.fitting.len(), found.others.len()), (count, 0), "{makes:?}");
        let found = suggest(&core, &old, "a cat in a red hat", makes, |_| false).await.unwrap();
        assert_eq!(found.waiting.len(), count, "{makes:?}");
    }
}

#[test]
fn files_that_may_be_left_out_have_a_limit() {
    let [old, _] = definitions();
    let mut nodes = prompt().to_value();
    let numbers = 100_u32..121;
    for number in numbers.clone() {
        nodes[number.to_string()] = json!({"class_type": "LoadImage", "inputs": {"image": "example.png"}});
    }
    let prompt = Prompt::from_value(nodes).unwrap();
    let (mut inputs, outputs) = described(&old, &[], &["10"]);
    for number in numbers {
        let id = number.to_string();
        let mut entry = describe_input(&old, &prompt, &id, "image").unwrap();
        entry.order = number;
        entry.adapter.is_optional = Some(true);
        inputs.insert(format!("{id}.image"), entry);
    }
    let refused = plan(inputs, outputs, &prompt, &old);
    let Err(Error::InvalidFields { fields }) = refused else { panic!("{refused:?}") };
    assert_eq!((fields.len(), fields[0].field.as_str()), (1, "inputs.120.image.adapter.isOptional"));
}

#[test]
fn node_that_needs_no_file_stays_without_it() {
    let [old, _] = definitions();
    let mut all = old.to_object_info();
    let sections = &mut all["LoadImage"]["input"];
    *sections = json!({"optional": sections["required"]});
    let definitions = NodeDefinitions::from_object_info(&all);
    let (mut inputs, outputs) = described(&definitions, &[("1", "image")], &["10"]);
    inputs[0].adapter.is_optional = Some(true);
    let plan = plan(inputs, outputs, &prompt(), &definitions).unwrap();
    assert_eq!((plan.fields[0].optional, &plan.fields[0].without), (true, &None));
}
