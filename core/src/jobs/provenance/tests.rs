//! Tests of graphs and origins of outputs.

use serde_json::{Value, json};

use crate::gallery::{self, Visibility, factory, set_private, set_visibility};
use crate::graph::{NodeDefinitions, Prompt};
use crate::ids::{JobId, OutputAssetId, UserId, WorkflowApiVersionId};
use crate::jobs::ended::factory::end;
use crate::jobs::{Status, origin, original, output_graph, store};
use crate::list::RankedRange;
use crate::mini_apps::{
    self, InputEntry, InputWords, MiniApp, NewMiniApp, OutputEntry, describe_input, describe_output,
};
use crate::testing::TestCore;
use crate::users::factory::user;
use crate::{Caller, Error, Result, workflows};

const CLASSES: &str = include_str!("../../../tests/data/graph/v0.3.64/object_info.json");

fn prompt() -> Prompt {
    let nodes = json!({
        "1": {"class_type": "LoadImage", "inputs": {"image": "my holiday.png"}},
        "2": {"class_type": "ImageScale", "inputs":
            {"image": ["1", 0], "upscale_method": "area", "width": 512, "height": 512, "crop": "disabled"}},
        "3": {"class_type": "SaveImage", "inputs": {"images": ["2", 0], "filename_prefix": "out"}},
    });
    Prompt::from_value(nodes).expect("a prompt")
}

/// The version of a mini app or the hash of a raw prompt, and the form.
type JobContent<'a> = (Option<WorkflowApiVersionId>, Option<&'a str>, Value);

/// A published output of an ended job.
async fn published_output(core: &TestCore, owner: UserId, content: JobContent<'_>) -> OutputAssetId {
    let (job, output) = waiting(core, owner, content).await;
    end(&core.db, job, Status::Done, core.clock.now()).await;
    output
}

/// A waiting job, and a published output of it.
async fn waiting(core: &TestCore, owner: UserId, content: JobContent<'_>) -> (JobId, OutputAssetId) {
    let job = JobId::new();
    let (version, hash, form) = content;
    sqlx::query(
        "INSERT INTO jobs (id, user_id, status, lane, pool, needs, vstart, attempt, version_id, prompt_hash, form, files,
                           rate, max_run_ms, estimate_ms, created_at)
         VALUES ($1, $2, 0, 0, 'cpu', 'scale', 0, 1, $3, $4, $5, $6, 1, 600000, 1000, $7)",
    )
    .bind(job.0)
    .bind(owner.0)
    .bind(version.map(|version| version.0))
    .bind(hash)
    .bind(form)
    .bind(json!({ "my holiday.png": { "content": "c0ffee", "name": "vg-c0ffee.png" } }))
    .bind(core.clock.now())
    .execute(&core.db)
    .await
    .expect("a job");
    let mut output = factory::output(owner, core.clock.now());
    output.job = job;
    factory::insert(&core.db, std::slice::from_ref(&output)).await;
    set_private(core, &Caller::customer(owner), &[output.id], false).await.expect("a publication");
    (job, output.id)
}

async fn app(core: &TestCore, owner: UserId) -> MiniApp {
    let definitions = NodeDefinitions::from_object_info(&serde_json::from_str(CLASSES).expect("classes"));
    let workflow = workflows::workflow(owner).name("Small").prompt(prompt().to_value()).insert(&core.db).await;
    let mut input = InputEntry { order: 1, ..describe_input(&definitions, &prompt(), "2", "width").expect("an input") };
    input.adapter.translations.ko = Some(InputWords { name: Some("너비".into()), ..InputWords::default() });
    let output = OutputEntry { order: 1, ..describe_output(&definitions, &prompt(), "3").expect("an output") };
    let (inputs, outputs) = ([("2.width".to_owned(), input)], [("3".to_owned(), output)]);
    let (inputs, outputs) = (inputs.into_iter().collect(), outputs.into_iter().collect());
    let new = NewMiniApp { workflow: workflow.id, inputs, outputs };
    mini_apps::save(core, &Caller::customer(owner), &definitions, new).await.expect("a mini app")
}

fn is_gone<T>(answer: Result<T>) -> bool {
    matches!(answer, Err(Error::NotFound { .. }))
}

#[actix::test]
async fn graph_of_a_raw_prompt_has_no_file_names() {
    let core = TestCore::new().await;
    let (owner, fan) = (user().insert(&core.db).await, Caller::customer(user().insert(&core.db).await));
    let hash = prompt().content_hash();
    let text = crate::graph::PromptText::of(&prompt());
    store::insert_prompt(&core.db, owner, &hash, &prompt(), &text, core.clock.now()).await.expect("a prompt");
    let picture = published_output(&core, owner, (None, Some(&hash), Value::Null)).await;
    for who in [&fan, &Caller::guest(), &Caller::customer(owner)] {
        let made = output_graph(&core, who, picture).await.expect("a graph");
        assert_eq!(made.workflow, None);
        assert_eq!(made.prompt.0["1"].inputs["image"], "input.png", "the name of the uploaded file");
        assert_eq!(made.prompt.0["2"].inputs["width"], 512);
    }
    sqlx::query("UPDATE output_assets SET is_private = true").execute(&core.db).await.expect("an update");
    assert!(is_gone(output_graph(&core, &fan, picture).await), "the graph of a private picture was shown");
    assert!(output_graph(&core, &Caller::customer(owner), picture).await.is_ok());
    sqlx::query("DELETE FROM job_prompts").execute(&core.db).await.expect("a deletion");
    assert!(is_gone(output_graph(&core, &Caller::system(), picture).await), "the prompt is deleted");
}

#[actix::test]
async fn graph_of_a_mini_app_is_visible_as_long_as_its_workflow_is() {
    let core = TestCore::new().await;
    let (author, runner) = (user().insert(&core.db).await, user().insert(&core.db).await);
    let app = app(&core, author).await;
    let name = mini_apps::version(&core, app.version).await.expect("a version").fields()[0].name.clone();
    let picture = published_output(&core, runner, (Some(app.version), None, json!({ name: 640 }))).await;
    for who in [runner, user().insert(&core.db).await] {
        let hidden = output_graph(&core, &Caller::customer(who), picture).await;
        assert!(is_gone(hidden), "the graph of a private workflow was shown");
    }
    assert!(output_graph(&core, &Caller::customer(author), picture).await.is_ok());
    workflows::set_private(&core, &Caller::customer(author), &[app.workflow.id], false).await.expect("published");
    let made = output_graph(&core, &Caller::guest(), picture).await.expect("a graph");
    assert_eq!(made.workflow.map(|workflow| workflow.name).as_deref(), Some("Small"));
    assert_eq!(made.prompt.0["2"].inputs["width"], 640, "the values of the run");
}

/// The title and value of each setting; `None` where the caller may not see the source.
async fn settings_of(core: &TestCore, caller: &Caller, picture: OutputAssetId) -> Option<Vec<(String, Option<Value>)>> {
    let source = origin(core, caller, picture).await.expect("an origin").source?;
    Some(source.settings.into_iter().map(|setting| (setting.title, setting.value)).collect())
}

#[actix::test]
async fn other_accounts_see_the_settings_only_if_the_owner_shows_them() {
    let core = TestCore::new().await;
    let (author, runner) = (user().insert(&core.db).await, Caller::customer(user().insert(&core.db).await));
    let app = app(&core, author).await;
    workflows::set_private(&core, &Caller::customer(author), &[app.workflow.id], false).await.expect("published");
    let name = mini_apps::version(&core, app.version).await.expect("a version").fields()[0].name.clone();
    let picture =
        published_output(&core, runner.user.expect("a user"), (Some(app.version), None, json!({ name: 640 }))).await;
    let expected = Some(vec![("Width".to_owned(), Some(json!(640)))]);
    assert_eq!(settings_of(&core, &Caller::guest(), picture).await, expected, "the owner shows them");
    let source = origin(&core, &Caller::guest(), picture).await.expect("an origin").source.expect("a source");
    assert_eq!(source.app, Some(app.id), "a public app can be run again");
    let korean = source.settings[0].translations.ko.as_ref().and_then(|words| words.title.as_deref());
    assert_eq!(korean, Some("너비"), "a setting has the title of the form field");

    let keep = Visibility { is_private: false, shows_origin: Some(false) };
    set_visibility(&core, &runner, &[picture], keep).await.expect("a choice");
    assert_eq!(settings_of(&core, &Caller::guest(), picture).await, None, "the owner hides them");
    assert!(is_gone(output_graph(&core, &Caller::guest(), picture).await), "the graph is shown");
    assert_eq!(settings_of(&core, &runner, picture).await, expected, "the owner sees them");
    set_private(&core, &runner, &[picture], false).await.expect("published again");
    assert_eq!(
        settings_of(&core, &Caller::guest(), picture).await,
        None,
        "an update without the field changes nothing"
    );
}

#[actix::test]
async fn only_the_owner_of_a_job_sees_its_hidden_workflow() {
    let core = TestCore::new().await;
    let (author, runner) = (user().insert(&core.db).await, Caller::customer(user().insert(&core.db).await));
    let app = app(&core, author).await;
    let name = mini_apps::version(&core, app.version).await.expect("a version").fields()[0].name.clone();
    let picture =
        published_output(&core, runner.user.expect("a user"), (Some(app.version), None, json!({ name: 640 }))).await;
    assert_eq!(settings_of(&core, &Caller::guest(), picture).await, None, "the workflow is private");
    let source = origin(&core, &runner, picture).await.expect("an origin").source.expect("a source");
    assert_eq!(
        source.workflow.map(|workflow| workflow.name).as_deref(),
        Some("Small"),
        "they ran it, and know its name"
    );
    assert_eq!(source.app, None, "the owner of the job can run it");
}

#[actix::test]
async fn only_the_owner_sees_the_input_pictures() {
    let core = TestCore::new().await;
    let owner = Caller::customer(user().insert(&core.db).await);
    let definitions = NodeDefinitions::from_object_info(&serde_json::from_str(CLASSES).expect("classes"));
    let workflow = workflows::workflow(owner.user.expect("a user")).prompt(prompt().to_value()).insert(&core.db).await;
    let input = InputEntry { order: 1, ..describe_input(&definitions, &prompt(), "1", "image").expect("an input") };
    let output = OutputEntry { order: 1, ..describe_output(&definitions, &prompt(), "3").expect("an output") };
    let (inputs, outputs) = ([("1.image".to_owned(), input)], [("3".to_owned(), output)]);
    let new = NewMiniApp {
        workflow: workflow.id,
        inputs: inputs.into_iter().collect(),
        outputs: outputs.into_iter().collect(),
    };
    let app = mini_apps::save(&core, &owner, &definitions, new).await.expect("a mini app");
    workflows::set_private(&core, &owner, &[workflow.id], false).await.expect("published");
    let name = mini_apps::version(&core, app.version).await.expect("a version").fields()[0].name.clone();
    let upload = crate::ids::AssetId::new().to_string();
    let ran = (Some(app.version), None, json!({ name: upload }));
    let picture = published_output(&core, owner.user.expect("a user"), ran).await;
    let values = |told: Option<Vec<(String, Option<Value>)>>| told.expect("told").into_iter().map(|(_, value)| value);
    let to_guests: Vec<Option<Value>> = values(settings_of(&core, &Caller::guest(), picture).await).collect();
    assert_eq!(to_guests, vec![None::<Value>], "the id of an upload was shown");
    let to_owner: Vec<Option<Value>> = values(settings_of(&core, &owner, picture).await).collect();
    assert_eq!(to_owner, vec![Some(json!(upload))]);
}

#[actix::test]
async fn published_picture_is_found_by_its_origin_only_if_the_owner_shows_it() {
    let core = TestCore::new().await;
    let (author, runner) = (user().insert(&core.db).await, Caller::customer(user().insert(&core.db).await));
    let app = app(&core, author).await;
    workflows::set_private(&core, &Caller::customer(author), &[app.workflow.id], false).await.expect("published");
    let picture = published_output(&core, runner.user.expect("a user"), (Some(app.version), None, json!({}))).await;
    let found = async || {
        super::super::provenance::origin::label_published(&core).await.expect("a sweep");
        let found = gallery::similar(&core, "smal", RankedRange::first(5)).await.expect("a search").items;
        found.iter().map(|found| found.id).collect::<Vec<_>>()
    };
    assert_eq!(found().await, [picture]);
    let keep = Visibility { is_private: false, shows_origin: Some(false) };
    set_visibility(&core, &runner, &[picture], keep).await.expect("a choice");
    assert!(found().await.is_empty(), "the owner hides its origin");
}

/// Stores a PNG with an embedded text as the file of an output; returns its bytes.
async fn write_png(core: &TestCore, id: OutputAssetId) -> Vec<u8> {
    let mut png = Vec::new();
    {
        let mut encoder = png::Encoder::new(&mut png, 1, 1);
        encoder.add_text_chunk("prompt".into(), "the private graph".into()).expect("a text");
        encoder.write_header().expect("a head").write_image_data(&[0]).expect("a pixel");
    }
    let stored = core.files.store_output(png.clone()).await.expect("an output");
    let (_, embedded) = stored.embedded.columns();
    sqlx::query("UPDATE output_assets SET content = $2, size_bytes = $3, embedded = $4 WHERE id = $1")
        .bind(id.0)
        .bind(stored.content.as_str())
        .bind(stored.size_bytes)
        .bind(embedded)
        .execute(&core.db)
        .await
        .expect("an update");
    png
}

#[actix::test]
async fn only_the_owner_of_output_and_graph_gets_the_original_file() {
    let core = TestCore::new().await;
    let (author, runner) = (user().insert(&core.db).await, user().insert(&core.db).await);
    let app = app(&core, author).await;
    let hash = prompt().content_hash();
    let text = crate::graph::PromptText::of(&prompt());
    store::insert_prompt(&core.db, runner, &hash, &prompt(), &text, core.clock.now()).await.expect("a prompt");

    let own_prompt = published_output(&core, runner, (None, Some(&hash), Value::Null)).await;
    let whole = write_png(&core, own_prompt).await;
    let theirs = published_output(&core, runner, (Some(app.version), None, json!({}))).await;
    write_png(&core, theirs).await;
    let authors = published_output(&core, author, (Some(app.version), None, json!({}))).await;
    write_png(&core, authors).await;

    let (runner, author) = (Caller::customer(runner), Caller::customer(author));
    for (who, id) in [(&runner, own_prompt), (&author, authors)] {
        let (_, file) = original(&core, who, id).await.expect("the file as it came");
        assert_eq!(file.bytes().await.expect("bytes"), whole);
    }
    assert!(is_gone(original(&core, &runner, theirs).await), "the runner of an app reads its private graph");
    assert!(
        is_gone(original(&core, &author, theirs).await),
        "the author of an app reads the output of another account"
    );
    for stranger in [&author, &Caller::guest()] {
        assert!(is_gone(original(&core, stranger, own_prompt).await), "a stranger reads the prompt");
    }
    let output = crate::gallery::find(&core, &Caller::guest(), own_prompt).await.expect("a published output");
    let shown = core.files.storage.get(&output.content).await.expect("the file");
    assert!(!shown.windows(7).any(|window| window == b"private"), "the public file contains the prompt");
}

#[actix::test]
async fn graph_of_a_deleted_private_app_is_deleted_once_no_job_uses_it() {
    let core = TestCore::new().await;
    let author = user().insert(&core.db).await;
    let caller = Caller::customer(author);
    let (private, public) = (app(&core, author).await, app(&core, author).await);
    sqlx::query("UPDATE workflows SET published_at = now() WHERE id = $1")
        .bind(public.workflow.id.0)
        .execute(&core.db)
        .await
        .expect("published once");
    let (waits, _) = waiting(&core, author, (Some(private.version), None, json!({}))).await;
    let left = async || -> Vec<uuid::Uuid> {
        crate::jobs::erasure::forget_deleted_apps(&core).await.expect("a sweep");
        let query = "SELECT id FROM workflow_api_versions ORDER BY id";
        sqlx::query_scalar(query).fetch_all(&core.db).await.expect("versions")
    };
    for deleted in [&private, &public] {
        workflows::delete(&core, &caller, deleted.workflow.id).await.expect("a deletion");
    }
    let graphs: i64 =
        sqlx::query_scalar("SELECT count(*) FROM workflow_versions").fetch_one(&core.db).await.expect("a count");
    assert_eq!(graphs, 0, "the graph of the deleted workflow is still stored");
    assert_eq!(left().await.len(), 2, "a submit that is under way would fail");
    core.clock.advance(chrono::TimeDelta::hours(2));
    assert_eq!(left().await.len(), 2, "a waiting job could not run");
    end(&core.db, waits, Status::Done, core.clock.now()).await;
    assert_eq!(left().await, [public.version.0], "pictures of other accounts refer to the published app");
}
