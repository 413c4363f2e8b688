//! Tools that run: one app, one app many times, or a workflow. None costs more than its caller allows.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use uuid::Uuid;
use verdigraph_core::ids::{AssetId, WorkflowApiId, WorkflowApiVersionId};
use verdigraph_core::jobs::{self, FormSubmit, JobLabels, PromptSubmit, RunTerms, Submitted};
use verdigraph_core::ledger::MAX_GRANT;
use verdigraph_core::{Error, mini_apps};

use crate::editor::files::prompt_files;
use crate::editor::prompt::file_names;
use crate::mcp::arguments::within;
use crate::mcp::failure::Failure;
use crate::mcp::outcome::{Context, ToolResult, Waiting};
use crate::mcp::schema::{self, MAX_RUNS, MAX_WAIT};

/// How long a run is waited for, unless its call says it.
const WAIT: i64 = 30;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AppArguments {
    app_id: Uuid,
    version: Option<Uuid>,
    #[serde(default)]
    inputs: Map<String, Value>,
    max_credits: i64,
    idempotency_key: Option<String>,
    wait_s: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManyArguments {
    app_id: Uuid,
    version: Option<Uuid>,
    runs: Vec<Map<String, Value>>,
    max_credits: i64,
    idempotency_key: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkflowArguments {
    workflow: Box<RawValue>,
    max_credits: i64,
    idempotency_key: Option<String>,
    wait_s: Option<i64>,
}

/// A filled form of an app.
pub struct Form {
    pub app: WorkflowApiId,
    pub version: Option<WorkflowApiVersionId>,
    pub inputs: Map<String, Value>,
}

pub async fn run_app(context: &Context, arguments: AppArguments) -> Result<Waiting, Failure> {
    let AppArguments { app_id, version, inputs, max_credits, idempotency_key, wait_s } = arguments;
    let (terms, seconds) = (terms(max_credits)?, wait(wait_s, WAIT)?);
    let form = Form { app: WorkflowApiId(app_id), version: version.map(WorkflowApiVersionId), inputs };
    let submitted = submit(context, &form, terms, idempotency_key).await?;
    Ok(Waiting { job: submitted.id, seconds, notes: notes(&submitted) })
}

/// Submits one run after another; a refused one does not stop the others. Each may cost an equal part, so all of them
/// together cost no more than the whole.
pub async fn run_many(context: &Context, arguments: ManyArguments) -> Result<ToolResult, Failure> {
    let ManyArguments { app_id, version, runs, max_credits, idempotency_key } = arguments;
    let count = i64::try_from(runs.len()).unwrap_or(i64::MAX);
    if !(1..=MAX_RUNS).contains(&runs.len()) {
        return Err(Failure::field("runs", format!("must have 1 to {MAX_RUNS} items")));
    }
    within("max_credits", max_credits, &(count..=MAX_GRANT))?;
    let each = max_credits / count;
    let terms = terms(each)?;
    let given = json!({ "app_id": app_id, "version": version, "idempotency_key": idempotency_key });
    let mut views = Vec::with_capacity(runs.len());
    let mut accepted = 0;
    for (index, inputs) in runs.into_iter().enumerate() {
        let form = Form { app: WorkflowApiId(app_id), version: version.map(WorkflowApiVersionId), inputs };
        let key = idempotency_key.as_ref().map(|key| format!("{key}-{index}"));
        views.push(match submit(context, &form, terms, key).await {
            Ok(submitted) => {
                accepted += 1;
                let mut view = notes(&submitted);
                view.insert("job_id".to_owned(), json!(submitted.id));
                Value::Object(view)
            }
            Err(failure) => {
                let failure = failure.of_part(max_credits, count);
                json!({ "error": failure.explained(&given, schema::arguments_of("run_many")) })
            }
        });
    }
    let result = ToolResult::of(json!({ "runs": views, "accepted": accepted, "max_credits_each": each }));
    Ok(if accepted == 0 { result.failed() } else { result })
}

pub async fn submit_workflow(context: &Context, arguments: WorkflowArguments) -> Result<Waiting, Failure> {
    let WorkflowArguments { workflow: prompt, max_credits, idempotency_key, wait_s } = arguments;
    let (terms, seconds) = (terms(max_credits)?, wait(wait_s, WAIT)?);
    let files = graph_files(context, &prompt).await?;
    // All outputs must be valid, because an assistant would take a run with some of them for complete.
    let (extra_data, strict, batch, labels) = (None, true, None, JobLabels::default());
    let submit = PromptSubmit { prompt, files, extra_data, strict, terms, idempotency_key, batch, labels };
    let submitted = Box::pin(jobs::submit_prompt(&context.core, &context.caller, submit)).await;
    let submitted = submitted.map_err(|error| Failure::of_run(renamed(error), max_credits))?;
    Ok(Waiting { job: submitted.id, seconds, notes: notes(&submitted) })
}

/// The limit of a run. The core refuses a submit that does not fit, and stops a run at its limit.
fn terms(max_credits: i64) -> Result<RunTerms, Failure> {
    within("max_credits", max_credits, &(1..=MAX_GRANT))?;
    Ok(RunTerms { max_credits: Some(max_credits), must_fit: true, ..RunTerms::default() })
}

/// The seconds of a wait.
pub fn wait(asked: Option<i64>, default: i64) -> Result<u64, Failure> {
    let seconds = asked.unwrap_or(default);
    within("wait_s", seconds, &(0..=MAX_WAIT))?;
    Ok(u64::try_from(seconds).unwrap_or(0))
}

async fn submit(
    context: &Context,
    form: &Form,
    terms: RunTerms,
    idempotency_key: Option<String>,
) -> Result<Submitted, Failure> {
    let Form { app, version, inputs } = form;
    let submit = FormSubmit {
        app: *app,
        version: *version,
        form: inputs.clone(),
        terms,
        idempotency_key,
        batch: None,
        labels: JobLabels::default(),
    };
    match Box::pin(jobs::submit_form(&context.core, &context.caller, submit)).await {
        Ok(submitted) => Ok(submitted),
        Err(error) => Err(of_form(context, form, error, terms).await),
    }
}

/// The failure of a form: wrong inputs with their values and what the app allows there.
pub async fn of_form(context: &Context, form: &Form, error: Error, terms: RunTerms) -> Failure {
    let Form { app, version, inputs } = form;
    match error {
        Error::InvalidFields { .. } | Error::Invalid { .. } => {
            let error = renamed(error);
            let is_input = !matches!(&error, Error::Invalid { field, .. } if field == "idempotency_key");
            let failure = Failure::from(error);
            if !is_input {
                return failure;
            }
            let app = mini_apps::compiled_version(&context.core, &context.caller, *app, *version).await;
            let schema = app.map_or(Value::Null, |app| app.rjsf().schema);
            failure.explained(&json!(inputs), &schema["properties"]).below("inputs")
        }
        Error::NotFound { .. } => missing_app(error),
        error => match terms.max_credits {
            Some(most) => Failure::of_run(error, most),
            None => error.into(),
        },
    }
}

/// The failure of a call about an app: the app or the version of it may not be there.
pub fn missing_app(error: Error) -> Failure {
    let is_version = matches!(&error, Error::NotFound { what } if what.ends_with("version"));
    Failure::missing(if is_version { "version" } else { "app_id" }, error)
}

/// The error with the name that its field has here.
fn renamed(error: Error) -> Error {
    match error {
        Error::Invalid { field, message } if field == "Idempotency-Key" => Error::invalid("idempotency_key", message),
        Error::Invalid { field, message } if field == "prompt" => Error::invalid("workflow", message),
        other => other,
    }
}

/// The caller's files that a graph names.
pub async fn graph_files(context: &Context, prompt: &RawValue) -> Result<HashMap<String, AssetId>, Failure> {
    Ok(prompt_files(&context.core, &context.caller, &file_names(prompt)).await.map_err(renamed)?)
}

/// What a submit tells beside its job.
fn notes(submitted: &Submitted) -> Map<String, Value> {
    let Submitted { seeds, workers, replayed, .. } = submitted;
    let notes = [("seeds", seeds.clone()), ("workers", json!(workers)), ("replayed", json!(replayed))];
    notes.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_and_wait_are_in_their_ranges() {
        let terms = terms(5).expect("terms");
        assert_eq!((terms.max_credits, terms.must_fit), (Some(5), true));
        assert!([0, -1, MAX_GRANT + 1].into_iter().all(|most| super::terms(most).is_err()));
        assert_eq!((wait(None, WAIT).expect("a wait"), wait(Some(0), WAIT).expect("none")), (30, 0));
        assert!(wait(Some(MAX_WAIT + 1), WAIT).is_err() && wait(Some(-1), WAIT).is_err());
    }
}
