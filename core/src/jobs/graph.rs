//! The graph behind a picture, for whoever looks at it.
//!
//! Who publishes a picture shows how it was made: ComfyUI writes the prompt into its files as well. What its author
//! keeps private stays so: the graph of a mini app is shown as long as its workflow is to be seen. Files have names that
//! people gave them, which are nobody else's business, so that none of them is told.

use serde_json::Value;

use super::assignment::{files, rename_files};
use super::store;
use crate::graph::Prompt;
use crate::ids::{AssetId, OutputAssetId, WorkflowApiVersionId};
use crate::workflows::Workflow;
use crate::{Caller, Core, Error, Result, gallery, mini_apps, workflows};

/// What an output was made with.
#[derive(Debug, Clone, PartialEq)]
pub struct MadeWith {
    /// The workflow whose mini app ran; `None` for a raw prompt.
    pub workflow: Option<Workflow>,
    /// The graph with the values that were used.
    pub prompt: Prompt,
}

/// The graph that made an output which the caller may see.
///
/// # Errors
/// [`Error::NotFound`] where the output is not to be seen, where the workflow behind it is not, and where what ran is
/// not known any more.
pub async fn made_with(core: &Core, caller: &Caller, id: OutputAssetId) -> Result<MadeWith> {
    let output = gallery::find(core, caller, id).await?;
    let ran = store::find_ran(&core.db, output.job).await?.ok_or(UNKNOWN)?;
    match (ran.version, &ran.prompt_hash) {
        (Some(version), _) => of_mini_app(core, caller, version, &ran).await,
        (None, Some(hash)) => Ok(MadeWith { workflow: None, prompt: of_prompt(core, hash, &ran).await? }),
        (None, None) => Err(UNKNOWN),
    }
}

async fn of_mini_app(
    core: &Core,
    caller: &Caller,
    version: WorkflowApiVersionId,
    ran: &store::Ran,
) -> Result<MadeWith> {
    let app = mini_apps::version(core, version).await.map_err(as_unknown)?;
    let workflow = workflows::find(core, caller, app.workflow).await.map_err(as_unknown)?;
    let form = ran.form.as_ref().and_then(Value::as_object).cloned().unwrap_or_default();
    let known = files(ran.files.as_ref());
    let name = |id: AssetId| Some(nameless(known.get(&id.to_string()).map_or("", |file| &file.name)));
    Ok(MadeWith { workflow: Some(workflow), prompt: app.render(&form, name)? })
}

async fn of_prompt(core: &Core, hash: &str, ran: &store::Ran) -> Result<Prompt> {
    let stored = store::find_prompt(&core.db, hash).await?.ok_or(UNKNOWN)?;
    let mut prompt: Prompt = serde_json::from_value(stored)
        .map_err(|error| Error::Internal(format!("a stored prompt cannot be read: {error}")))?;
    let mut files = files(ran.files.as_ref());
    for file in files.values_mut() {
        file.name = nameless(&file.name);
    }
    rename_files(&mut prompt, &files);
    Ok(prompt)
}

/// A name that tells nothing but the kind of file.
fn nameless(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((_, extension)) => format!("input.{extension}"),
        None => "input".to_owned(),
    }
}

const UNKNOWN: Error = Error::NotFound { what: "graph" };

/// What is not to be seen is not there.
fn as_unknown(error: Error) -> Error {
    match error {
        Error::NotFound { .. } => UNKNOWN,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::gallery::{factory, set_private};
    use crate::graph::NodeDefinitions;
    use crate::ids::{JobId, UserId};
    use crate::mini_apps::{InputEntry, MiniApp, NewMiniApp, OutputEntry, describe_input, describe_output};
    use crate::testing::TestCore;
    use crate::users::factory::user;

    const CLASSES: &str = include_str!("../../tests/data/graph/v0.3.64/object_info.json");

    fn prompt() -> Prompt {
        let nodes = json!({
            "1": {"class_type": "LoadImage", "inputs": {"image": "my holiday.png"}},
            "2": {"class_type": "ImageScale", "inputs":
                {"image": ["1", 0], "upscale_method": "area", "width": 512, "height": 512, "crop": "disabled"}},
            "3": {"class_type": "SaveImage", "inputs": {"images": ["2", 0], "filename_prefix": "out"}},
        });
        Prompt::from_value(nodes).expect("a prompt")
    }

    /// A published output of a job that ran this.
    async fn made(
        core: &TestCore,
        owner: UserId,
        ran: (Option<WorkflowApiVersionId>, Option<&str>, Value),
    ) -> OutputAssetId {
        let job = JobId::new();
        let (version, hash, form) = ran;
        sqlx::query(
            "INSERT INTO jobs (id, user_id, status, lane, pool, needs, vstart, attempt, version_id, prompt_hash, form, files,
                               rate, max_run_ms, estimate_ms, created_at, ended_at)
             VALUES ($1, $2, $3, 0, 'cpu', 'scale', 0, 1, $4, $5, $6, $7, 1, 600000, 1000, $8, $8)",
        )
        .bind(job.0)
        .bind(owner.0)
        .bind(crate::jobs::Status::Done as i16)
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
        output.id
    }

    async fn app(core: &TestCore, owner: UserId) -> MiniApp {
        let definitions = NodeDefinitions::from_object_info(&serde_json::from_str(CLASSES).expect("classes"));
        let workflow = workflows::workflow(owner).name("Small").prompt(prompt().to_value()).insert(&core.db).await;
        let input = InputEntry { order: 1, ..describe_input(&definitions, &prompt(), "2", "width").expect("an input") };
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
    async fn a_picture_of_a_raw_prompt_shows_it_without_the_names_of_files() {
        let core = TestCore::new().await;
        let (owner, fan) = (user().insert(&core.db).await, Caller::customer(user().insert(&core.db).await));
        let hash = prompt().content_hash();
        store::keep_prompt(&core.db, &hash, &prompt(), core.clock.now()).await.expect("a prompt");
        let picture = made(&core, owner, (None, Some(&hash), Value::Null)).await;
        for who in [&fan, &Caller::guest(), &Caller::customer(owner)] {
            let made = made_with(&core, who, picture).await.expect("a graph");
            assert_eq!(made.workflow, None);
            assert_eq!(made.prompt.0["1"].inputs["image"], "input.png", "the name that somebody gave their file");
            assert_eq!(made.prompt.0["2"].inputs["width"], 512);
        }
        sqlx::query("UPDATE output_assets SET is_private = true").execute(&core.db).await.expect("an update");
        assert!(is_gone(made_with(&core, &fan, picture).await), "the graph of a private picture was told");
        assert!(made_with(&core, &Caller::customer(owner), picture).await.is_ok());
        sqlx::query("DELETE FROM job_prompts").execute(&core.db).await.expect("a deletion");
        assert!(is_gone(made_with(&core, &Caller::system(), picture).await), "what is not known any more");
    }

    #[actix::test]
    async fn a_picture_of_a_mini_app_shows_its_graph_while_the_workflow_is_to_be_seen() {
        let core = TestCore::new().await;
        let (author, runner) = (user().insert(&core.db).await, user().insert(&core.db).await);
        let app = app(&core, author).await;
        let name = mini_apps::version(&core, app.version).await.expect("a version").fields()[0].name.clone();
        let picture = made(&core, runner, (Some(app.version), None, json!({ name: 640 }))).await;
        for who in [runner, user().insert(&core.db).await] {
            let hidden = made_with(&core, &Caller::customer(who), picture).await;
            assert!(is_gone(hidden), "what the author keeps private was told");
        }
        assert!(made_with(&core, &Caller::customer(author), picture).await.is_ok());
        workflows::set_private(&core, &Caller::customer(author), &[app.workflow.id], false).await.expect("published");
        let made = made_with(&core, &Caller::guest(), picture).await.expect("a graph");
        assert_eq!(made.workflow.map(|workflow| workflow.name).as_deref(), Some("Small"));
        assert_eq!(made.prompt.0["2"].inputs["width"], 640, "the values that were used");
    }
}
